/* index_driver.c: print what model_read returns for files, for comparison with spec/index_model.py.
 *
 *   index_driver FILE...          a line of JSON for each: code, offset, expected, found, tensor (as hex), and for an
 *                                 index total, the tensors with their shards (as hex) in the order of the index, the
 *                                 shards in order
 *   index_driver -t FILE          the time and memory of reading
 *   index_driver -s K0 K1 HEX...  the keyed hash of bytes, separated by spaces
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assay_index.h"
#include "keyed_hash.h"
#include "model.h"

static void *need(void *memory)
{
    if (memory == NULL) {
        perror("index_driver");
        exit(2);
    }
    return memory;
}

/* Copy to memory of exactly its size, so that a sanitizer detects reads outside it. */
static uint8_t *load(const char *path, size_t *size)
{
    FILE *file = need(fopen(path, "rb"));
    if (fseek(file, 0, SEEK_END) != 0)
        exit(2);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = need(malloc(*size + (*size == 0)));
    if (fread(bytes, 1, *size, file) != *size)
        exit(2);
    fclose(file);
    return bytes;
}

/* Return memory, or exit. */
static void *take(size_t bytes)
{
    return need(malloc(bytes));
}

static void number(const char *name, uint64_t value)
{
    if (value == ASSAY_NONE)
        printf(",\"%s\":null", name);
    else
        printf(",\"%s\":%" PRIu64, name, value);
}

static void hex(const uint8_t *bytes, model_text text)
{
    putchar('"');
    for (uint32_t i = 0; i < text.size; i++)
        printf("%02x", bytes[text.at + i]);
    putchar('"');
}

static void print_index(const model_index *index)
{
    printf(",\"total\":");
    printf(index->total == TOTAL_NONE ? "null" : index->total == TOTAL_OTHER ? "\"other\"" : "%" PRIu64,
           index->total_size);
    printf(",\"tensors\":[");
    const char *comma = "";
    for (uint32_t i = 0; i < index->keys; i++) {
        const model_key *key = &index->memory.key[i];
        if (key->object != index->map)
            continue;
        printf("%s[", comma);
        hex(index->bytes, key->name);
        printf(",%u]", key->shard);
        comma = ",";
    }
    printf("],\"shards\":[");
    for (uint32_t i = 0; i < index->shards; i++) {
        printf("%s", i == 0 ? "" : ",");
        hex(index->bytes, model_path(index, i));
    }
    printf("],\"order\":[");
    for (uint32_t i = 0; i < index->shards; i++)
        printf("%s%u", i == 0 ? "" : ",", index->memory.order[i]);
    printf("]");
}

/* Read a file. */
typedef struct {
    uint8_t *bytes;
    size_t size;
    model_need need;
    model_memory memory;
    model_index index;
    model_error error;
    double seconds;
} answer;

static answer ask(const char *path)
{
    answer got = {.bytes = NULL};
    got.bytes = load(path, &got.size);
    clock_t begin = clock();
    model_measure(got.bytes, got.size, &got.need);
    need(model_memory_allocate(&got.memory, &got.need, take) ? &got : NULL);
    uint32_t code = model_read(&got.index, got.bytes, got.size, 0x0123456789ABCDEF, &got.memory, &got.error);
    need(code == got.error.code ? &got : NULL);
    got.seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    return got;
}

static void forget(answer *got)
{
    model_memory_free(&got->memory, free);
    free(got->bytes);
}

/* assay_flat.h reads the same from a copy of its own, in an arena that moves after it was read. */
static void compare_flat(const char *path, const answer *got)
{
    size_t size;
    uint64_t out[ASSAY_FLAT_INDEX_OUT], where[3] = {0};
    uint8_t *bytes = load(path, &size);
    const uint64_t room = assay_flat_index_need(bytes, size);
    uint64_t *arena = take((size_t)room), *moved = take((size_t)room);
    const model_error *error = &got->error;
    const uint64_t right[] = {error->code, error->offset, error->expected, error->found};
    bool same = assay_flat_index_read(bytes, size, 1, arena, room - 1, out) == ASSAY_WORKSPACE &&
                assay_flat_index_read(bytes, size, 1, (uint8_t *)arena + 1, room, out) == ASSAY_USAGE &&
                assay_flat_index_read(bytes, size, 1, NULL, room, out) == ASSAY_USAGE &&
                assay_flat_index_read(bytes, size, 1, arena, room, out) == error->code &&
                memcmp(out, right, sizeof right) == 0;
    memcpy(moved, arena, (size_t)room);
    memset(arena, 0x5A, (size_t)room);
    if (error->code == MODEL_OK) {
        same = same && out[ASSAY_FLAT_INDEX_SHARDS] == got->index.shards &&
               out[ASSAY_FLAT_INDEX_TENSORS] == got->index.tensors;
        for (uint32_t k = 0; same && k < got->index.shards; k++) {
            model_text text = model_path(&got->index, got->index.memory.order[k]);
            same = assay_flat_index_path(bytes, size, moved, room, k, where) == 1 && where[0] == text.at &&
                   where[1] == text.size && where[2] == got->index.memory.order[k];
        }
        same = same && assay_flat_index_path(bytes, size, moved, room, got->index.shards, where) == 0;
    } else {
        same = same && out[ASSAY_FLAT_INDEX_TENSOR] == error->tensor.at &&
               assay_flat_index_path(bytes, size, moved, room, 0, where) == 0;
    }
    if (!same) {
        fprintf(stderr, "index_driver: %s: assay_flat.h reads something else\n", path);
        exit(1);
    }
    free(bytes);
    free(arena);
    free(moved);
}

static void judge(const char *path)
{
    answer got = ask(path);
    compare_flat(path, &got);
    printf("{\"code\":%u", got.error.code);
    number("offset", got.error.offset);
    number("expected", got.error.expected);
    number("found", got.error.found);
    printf(",\"tensor\":");
    if (got.error.code != MODEL_OK && got.error.tensor.at != 0)
        hex(got.bytes, got.error.tensor);
    else
        printf("null");
    if (got.error.code == MODEL_OK)
        print_index(&got.index);
    puts("}");
    forget(&got);
}

static void measure(const char *path)
{
    answer got = ask(path);
    uint64_t tables = got.need.keys * (sizeof(model_key) + 2 * sizeof(uint32_t)) +
                      got.need.shards * (sizeof(model_shard_entry) + 5 * sizeof(uint32_t));
    printf("code %u, %zu bytes, %u keys, %u shards, %.2f s, tables of %" PRIu64 " bytes\n", got.error.code, got.size,
           got.index.keys, got.index.shards, got.seconds, tables);
    forget(&got);
}

static void print_hash(const char *first, const char *second, const char *digits)
{
    uint64_t seed = strtoull(first, NULL, 10), rest = strtoull(second, NULL, 10);
    keyed_hash hash;
    keyed_hash_begin(&hash, seed, (hash_domain)(rest >> 32), (uint32_t)rest);
    for (unsigned byte; sscanf(digits, "%2x", &byte) == 1; digits += 2)
        keyed_hash_byte(&hash, (uint8_t)byte);
    printf("%" PRIu64 " ", keyed_hash_end(&hash));
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "-t") == 0)
        measure(words[2]);
    else if (count > 3 && strcmp(words[1], "-s") == 0)
        for (int i = 4; i < count; i++)
            print_hash(words[2], words[3], words[i]);
    else
        for (int i = 1; i < count; i++)
            judge(words[i]);
    return 0;
}
