/* cuts.c: check that the verdict does not depend on how a file arrives: every cut of every file of the corpus.
 *
 *   cuts corpus/manifest.tsv
 *
 * A head is the first bytes of the file, in memory of exactly their number. Each head is judged, from no bytes to
 * all, and with some excess bytes, as a server may send. The result must be ASSAY_NEED_MORE exactly while the head
 * is shorter than the deciding one, which this program computes independently, and must never request more than
 * that. Otherwise it must be that of the manifest, with the same error and the same table as for the whole file. A
 * transport that delivers what is requested, whatever it began with and however little comes at a time, must get the
 * same result.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay.h"

#define TOO_MUCH 16 /* bytes after the end of the file that some heads have */

typedef struct {
    const char *name;
    uint8_t *bytes; /* size of them, then TOO_MUCH */
    uint64_t size, decides;
} whole_file;

/* The result for a head: everything that may not depend on where it ends. */
typedef struct {
    assay_error error;
    uint64_t table; /* a hash of everything in the view; 0: there is none */
} answer;

static int demand(int holds, const whole_file *file, uint64_t cut, const char *what)
{
    if (!holds) {
        printf("FAILED: %s, cut at byte %llu: %s\n", file->name, (unsigned long long)cut, what);
    }
    return holds;
}

static void *memory(size_t size)
{
    void *made = calloc(size == 0 ? 1 : size, 1);
    if (made == NULL) {
        perror("cuts");
        exit(2);
    }
    return made;
}

/* ---- The table as a number ---------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, const assay_view *view, assay_text text)
{
    uint32_t code_point;
    while (assay_text_next(view, &text, &code_point)) {
        hash = mix(hash, code_point);
    }
    return mix(hash, UINT64_MAX);
}

static uint64_t table_of(const assay_view *view)
{
    uint64_t hash = mix(1, view->tensors), dim;
    assay_tensor tensor;
    assay_text key, value;
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor); i++) {
        hash = mix(mix(mix(mix(hash, tensor.begin), tensor.end), tensor.dtype), tensor.index);
        hash = mix_text(hash, view, tensor.name);
        while (assay_dim_next(view, &tensor.dims, &dim)) {
            hash = mix(hash, dim);
        }
    }
    for (uint64_t i = 0; assay_metadata_at(view, i, &key, &value); i++) {
        hash = mix_text(mix_text(hash, view, key), view, value);
    }
    return hash | 1;
}

/* ---- One head ----------------------------------------------------------------------------------- */

/* Judge the file's first `cut` bytes. *wanted is what measure requests next; 0: nothing. False: the calls disagree. */
static int judge(const whole_file *file, uint64_t cut, answer *given, uint64_t *wanted)
{
    assay_result measured = {.need = {0, 0, 0, 0, 0}}, parsed = measured;
    uint8_t *head = memory((size_t)cut);
    const assay_input input = {head, cut, file->size};
    memcpy(head, file->bytes, (size_t)cut);
    assay_status status = assay_measure(&input, NULL, &measured);
    assay_workspace room = {memory((size_t)measured.need.entries * sizeof(assay_entry)), measured.need.entries,
                            memory((size_t)measured.need.words * sizeof(uint32_t)), measured.need.words};
    assay_status whole = assay_parse(&input, NULL, &room, &parsed);
    given->error = parsed.error;
    given->table = whole == ASSAY_OK ? table_of(&parsed.view) : 0;
    *wanted = status == ASSAY_NEED_MORE ? measured.need.head : 0;
    int same_need = memcmp(&parsed.need, &measured.need, sizeof parsed.need) == 0;
    int same_error = memcmp(&parsed.error, &measured.error, sizeof parsed.error) == 0;
    int agree = status != ASSAY_OK ? same_need && same_error : whole == ASSAY_OK ? same_need : whole >= ASSAY_E_FIRST;
    free(room.entry);
    free(room.word);
    free(head);
    return demand(agree, file, cut, "measure and parse do not want the same");
}

static int same(const answer *a, const answer *b)
{
    return memcmp(&a->error, &b->error, sizeof a->error) == 0 && a->table == b->table;
}

/* ---- All heads ---------------------------------------------------------------------------------- */

/* Return the shortest deciding head, by spec/format.md: no bytes for a file that is too short for a header length;
 * only the length if it exceeds the limit or the file; otherwise the whole header. */
static uint64_t deciding(const uint8_t *bytes, uint64_t size)
{
    uint64_t length = 0;
    if (size < 8) {
        return 0;
    }
    for (int k = 7; k >= 0; k--) {
        length = length << 8 | bytes[k];
    }
    return length > 100000000 || 8 + length > size ? 8 : 8 + length;
}

static int check_cut(const whole_file *file, uint64_t cut, const answer *whole)
{
    answer given;
    uint64_t wanted;
    if (!judge(file, cut, &given, &wanted)) {
        return 0;
    }
    if (cut >= file->decides) {
        return demand(wanted == 0, file, cut, "more is asked for than decides") &&
               demand(same(&given, whole), file, cut, "another answer than that of the whole file");
    }
    return demand(wanted != 0, file, cut, "an answer before there are the bytes that decide") &&
           demand(wanted > cut && wanted <= file->decides, file, cut, "what is asked for is no help, or too much") &&
           demand(wanted == (cut < 8 ? 8 : file->decides), file, cut, "less is asked for than could be");
}

/* A transport that begins with `cut` bytes and then delivers what is requested, at most `most` bytes at a time. */
static int check_transport(const whole_file *file, uint64_t cut, uint64_t most, const answer *whole)
{
    answer given;
    uint64_t wanted = 0, asked = 0, times = 0;
    while (1) {
        if (!judge(file, cut, &given, &wanted)) {
            return 0;
        }
        if (wanted == 0) {
            return demand(same(&given, whole), file, cut, "a transport ends with another answer");
        }
        times += wanted != asked;
        asked = wanted;
        if (!demand(wanted > cut && times <= 2, file, cut,
                    "a transport is asked for nothing new, or more than twice")) {
            return 0;
        }
        cut = wanted - cut < most ? wanted : cut + most;
    }
}

static int check_file(const whole_file *file, uint64_t code, uint64_t offset)
{
    answer whole;
    uint64_t wanted, most = file->size;
    if (!judge(file, file->size, &whole, &wanted) ||
        !demand(wanted == 0 && whole.error.status == code && whole.error.offset == offset, file, file->size,
                "the whole file is not what the manifest says")) {
        return 0;
    }
    for (uint64_t cut = 0; cut <= file->size + TOO_MUCH; cut++) {
        if (!check_cut(file, cut, &whole) || !check_transport(file, cut, UINT64_MAX, &whole)) {
            return 0;
        }
    }
    for (; most >= 1; most /= 2) {
        if (!check_transport(file, 0, most, &whole)) {
            return 0;
        }
    }
    return 1;
}

/* ---- The corpus --------------------------------------------------------------------------------- */

static whole_file read_file(const char *folder, const char *name)
{
    whole_file file = {name, NULL, 0, 0};
    char path[70000];
    snprintf(path, sizeof path, "%s%s", folder, name);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL || fseek(stream, 0, SEEK_END) != 0) {
        perror(path);
        exit(2);
    }
    file.size = (uint64_t)ftell(stream);
    file.bytes = memory((size_t)file.size + TOO_MUCH);
    rewind(stream);
    if (fread(file.bytes, 1, (size_t)file.size, stream) != file.size) {
        perror(path);
        exit(2);
    }
    fclose(stream);
    memset(file.bytes + file.size, '}', TOO_MUCH);
    file.decides = deciding(file.bytes, file.size);
    return file;
}

/* A row of the manifest: file, verdict, code, rule, name, offset, ... */
static int check_row(const char *folder, char *row)
{
    char *cell[6] = {row};
    for (int k = 1; k < 6; k++) {
        char *tab = strchr(cell[k - 1], '\t');
        if (tab == NULL) {
            printf("FAILED: no row of the manifest: %s\n", row);
            return 0;
        }
        *tab = '\0';
        cell[k] = tab + 1;
    }
    whole_file file = read_file(folder, cell[0]);
    uint64_t offset = cell[5][0] == '\t' ? ASSAY_NONE : strtoull(cell[5], NULL, 10);
    int passed = check_file(&file, strtoull(cell[2], NULL, 10), offset);
    free(file.bytes);
    return passed;
}

int main(int argc, char **argv)
{
    char row[65536], folder[4096];
    FILE *manifest = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (manifest == NULL || fgets(row, sizeof row, manifest) == NULL) {
        fprintf(stderr, "cuts: corpus/manifest.tsv\n");
        return 2;
    }
    snprintf(folder, sizeof folder, "%s", argv[1]);
    char *slash = strrchr(folder, '/');
    folder[slash == NULL ? 0 : slash - folder + 1] = '\0';
    unsigned long passed = 0, failed = 0;
    while (fgets(row, sizeof row, manifest) != NULL) {
        int fine = check_row(folder, row);
        passed += fine != 0;
        failed += fine == 0;
    }
    printf("%lu passed, %lu failed\n", passed, failed);
    return passed > 0 && failed == 0 ? 0 : 1;
}
