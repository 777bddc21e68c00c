/* harness_index.c: fuzz src/model. The input is an index of a model; the result is checked from outside. For a valid
 * index, shards are made that match, and then shards with one defect each, which must be found. */
#include <stdio.h>
#include <string.h>

#include "../src/model/model.h"
#include "guarded_memory.h"

enum { TENSORS = 40, SHARDS = 8, HEAD = 16384, CUTS = 6, CODES = 40 };

/* ---- Reading ------------------------------------------------------------------------------------------ */

typedef struct {
    uint8_t *bytes;
    model_index index;
    model_error error;
} answer;

static uint8_t filling; /* of the memory that take returns */

static void *take(size_t bytes)
{
    return guarded(bytes, filling);
}

static answer ask(const uint8_t *data, size_t size, uint64_t seed, uint8_t fill)
{
    answer got = {.bytes = guarded_copy(data, size)};
    model_need need;
    model_memory memory;
    filling = fill;
    model_measure(got.bytes, size, &need);
    demand(same_bytes(got.bytes, data, size), "model_measure changes the bytes");
    demand(model_memory_allocate(&memory, &need, take), "an index of a few bytes needs more memory than there is");
    uint32_t code = model_read(&got.index, got.bytes, size, seed, &memory, &got.error);
    demand(code == got.error.code && (code == MODEL_OK || (code >= MODEL_FIRST && code <= MODEL_SHARDS_MANY) ||
               code == MODEL_INDEX_EMPTY),
           "a code that is no rule's for an index");
    guard_check();
    return got;
}

static void same_answers(const answer *a, const answer *b)
{
    const model_error *x = &a->error, *y = &b->error;
    demand(x->code == y->code && x->offset == y->offset && x->expected == y->expected && x->found == y->found &&
               x->tensor.at == y->tensor.at && x->tensor.size == y->tensor.size,
           "the answer depends on the seed, or on what was in the memory");
    if (x->code != MODEL_OK)
        return;
    const model_index *one = &a->index, *two = &b->index;
    demand(one->keys == two->keys && one->shards == two->shards && one->tensors == two->tensors &&
               one->total == two->total && one->total_size == two->total_size && one->map == two->map,
           "another index under another seed");
    demand(same_bytes(one->memory.key, two->memory.key, one->keys * sizeof(model_key)),
           "other keys under another seed");
    demand(same_bytes(one->memory.order, two->memory.order, one->shards * sizeof(uint32_t)),
           "another order under another seed");
}

/* An index that breaks a rule breaks it whatever follows, and the bytes before the reported one are fine. */
static void check_broken(const uint8_t *data, size_t size, const model_error *error)
{
    static const char more[] = "\"}]} ,x";
    if (error->code == MODEL_INDEX_EARLY) {
        demand(error->offset == size, "index_early elsewhere than at the end");
        return;
    }
    demand(error->offset < size, "an offset after the end");
    uint8_t *longer = guarded(size + sizeof more, 0);
    memcpy(longer, data, size);
    memcpy(longer + size, more, sizeof more);
    answer got = ask(longer, size + sizeof more, 3, 0);
    demand(got.error.code == error->code && got.error.offset == error->offset, "what follows changes the rule");
    got = ask(data, error->offset, 3, 0);
    demand(got.error.code == (error->code == MODEL_INDEX_TRAILING ? MODEL_OK : MODEL_INDEX_EARLY),
           "what comes before the byte is broken already");
}

/* Return a number that depends on all bytes, so that each input is cut at other positions. */
static size_t sum_of(const uint8_t *data, size_t size)
{
    size_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum = sum * 31 + data[i];
    return sum;
}

/* A valid index that is cut ends early; only white space may follow it. */
static void check_ends(const uint8_t *data, size_t size)
{
    size_t end = size; /* after the last } */
    while (data[end - 1] != '}')
        end--;
    for (size_t step = end / CUTS + 1, at = sum_of(data, size) % step; at < end; at += step) {
        answer got = ask(data, at, 4, 0);
        demand(got.error.code == MODEL_INDEX_EARLY && got.error.offset == at, "a cut index that does not end early");
    }
    uint8_t *longer = guarded(size + 1, ' ');
    memcpy(longer, data, size);
    demand(ask(longer, size + 1, 4, 0).error.code == MODEL_OK, "white space at the end is refused");
    longer[size] = 0;
    answer got = ask(longer, size + 1, 4, 0);
    demand(got.error.code == MODEL_INDEX_TRAILING && got.error.offset == size, "a byte after the end is accepted");
}

/* ---- What a valid index holds -------------------------------------------------------------------------- */

/* Check that a text is UTF-8 without NUL, surrogates, overlong forms and codes above U+10FFFF. */
static void check_text(const uint8_t *bytes, model_text text)
{
    for (uint32_t at = text.at, end = text.at + text.size; at < end;) {
        uint32_t lead = bytes[at], more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        uint32_t code = more == 0 ? lead : lead & (0x3Fu >> more);
        static const uint32_t least[] = {1, 0x80, 0x800, 0x10000};
        demand(lead < 0x80 || (lead >= 0xC0 && lead < 0xF8), "a string is no UTF-8");
        demand(end - at > more, "a string ends inside UTF-8");
        for (uint32_t i = 1; i <= more; i++) {
            demand((bytes[at + i] & 0xC0) == 0x80, "a string is no UTF-8");
            code = code << 6 | (bytes[at + i] & 0x3F);
        }
        demand(code >= least[more] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF), "a string is no UTF-8");
        at += more + 1;
    }
}

static bool holds(const uint8_t *bytes, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (size_t at = 0; at + length <= size; at++)
        if (memcmp(bytes + at, word, length) == 0)
            return true;
    return false;
}

/* With a slash before and after it, a path must contain neither // nor /./ nor /../. */
static void check_path(const uint8_t *path, uint32_t size)
{
    static const char suffix[] = ".safetensors/";
    uint8_t *round = guarded(size + 2, '/');
    memcpy(round + 1, path, size);
    demand(!holds(round, size + 2, "//") && !holds(round, size + 2, "/./") && !holds(round, size + 2, "/../"),
           "a path that leads elsewhere");
    for (uint32_t i = 0; i < size; i++)
        demand(path[i] >= ' ' && path[i] != 0x7F && path[i] != ':' && path[i] != '\\',
               "a byte that has no place in a path");
    demand(size >= sizeof suffix - 2 && memcmp(round + size + 3 - sizeof suffix, suffix, sizeof suffix - 1) == 0 &&
               size <= MODEL_PATH_MAX,
           "a shard that is not called *.safetensors");
}

/* Check the part of file names before their numbers. */
static void check_stems(const model_index *index)
{
    static const char extra[] = "a-1-of-2-00000000000000000000-of-2.safetensors";
    demand(model_stem((const uint8_t *)extra, sizeof extra - 1) == strlen("a-1-of-2"), "another stem");
    for (uint32_t i = 0; i < index->shards; i++) {
        model_text path = model_path(index, i);
        uint32_t stem = model_stem(index->bytes + path.at, path.size);
        demand(stem < path.size && (stem == 0 || index->bytes[path.at + stem] == '-'), "a stem that is none");
    }
}

static void check_index(const model_index *index)
{
    uint32_t tensors = 0, placed = 0;
    for (uint32_t i = 0; i < index->keys; i++) {
        const model_key *key = &index->memory.key[i];
        check_text(index->bytes, key->name);
        if (key->object == index->map) {
            tensors++;
            demand(key->shard < index->shards, "a tensor in no shard");
        }
        for (uint32_t k = 0; k < i && i < TENSORS; k++) {
            const model_key *other = &index->memory.key[k];
            demand(other->object != key->object || other->name.size != key->name.size ||
                       memcmp(index->bytes + other->name.at, index->bytes + key->name.at, key->name.size) != 0,
                   "a key twice in an object");
        }
    }
    for (uint32_t i = 0; i < index->shards; i++) {
        model_text path = model_path(index, index->memory.order[i]);
        placed += index->memory.shard[i].tensors;
        check_text(index->bytes, path);
        check_path(index->bytes + path.at, path.size);
        if (i == 0)
            continue;
        model_text before = model_path(index, index->memory.order[i - 1]);
        uint32_t both = before.size < path.size ? before.size : path.size;
        int order = memcmp(index->bytes + before.at, index->bytes + path.at, both);
        demand(order < 0 || (order == 0 && before.size < path.size), "the shards are not in order");
    }
    check_stems(index);
    demand(tensors == index->tensors && placed == tensors, "tensors are lost between the shards");
}

/* ---- Its shards ---------------------------------------------------------------------------------------- */

static struct {
    uint32_t count[CODES]; /* of findings, by code minus MODEL_FIRST */
    uint32_t all;
    model_finding last;
} findings;

static void hear(void *context, const model_finding *finding)
{
    demand(context == &findings && ((finding->code >= MODEL_SHARD_MISSING && finding->code <= MODEL_TOTAL_SIZE) ||
                                finding->code == MODEL_PATH_CASE),
           "a finding that is none");
    findings.count[finding->code - MODEL_FIRST]++;
    if (finding->code == MODEL_PATH_CASE) /* independent of the shards */
        return;
    findings.all++;
    findings.last = *finding;
}

typedef struct {
    uint8_t head[HEAD];
    size_t size;
    uint32_t tensors;
} document;

static void add(document *to, const char *text, size_t size)
{
    demand(to->size + size <= HEAD, "the heads of this harness are too small");
    memcpy(to->head + to->size, text, size);
    to->size += size;
}

static void add_tensor(document *to, const uint8_t *name, uint32_t size)
{
    static const char row[] = "\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}";
    add(to, to->tensors++ == 0 ? "{\"" : ",\"", 2);
    for (uint32_t i = 0; i < size; i++) {
        char escape[8];
        bool plain = name[i] >= 0x20 && name[i] != '"' && name[i] != '\\';
        snprintf(escape, sizeof escape, plain ? "%c" : "\\u%04x", name[i]);
        add(to, escape, plain ? 1 : 6);
    }
    add(to, row, sizeof row - 1);
}

/* Make the head of a shard with the tensors that the index assigns to it, except the first `skip`. */
static void make_shard(document *to, const model_index *index, uint32_t shard, uint32_t skip)
{
    to->size = 8;
    to->tensors = 0;
    for (uint32_t i = 0; i < index->keys; i++) {
        const model_key *key = &index->memory.key[i];
        if (key->object != index->map || key->shard != shard)
            continue;
        if (skip > 0)
            skip--;
        else
            add_tensor(to, index->bytes + key->name.at, key->name.size);
    }
}

static void pass_shard(model_index *index, uint32_t shard, document *from)
{
    static assay_entry entry[TENSORS + 2];
    static uint32_t word[16 * (TENSORS + 2)];
    assay_workspace workspace = {entry, TENSORS + 2, word, 16 * (TENSORS + 2)};
    assay_result result;
    add(from, from->tensors == 0 ? "{}" : "}", from->tensors == 0 ? 2 : 1);
    for (size_t i = 0; i < 8; i++)
        from->head[i] = (uint8_t)((from->size - 8) >> 8 * i);
    const assay_input input = {from->head, from->size, from->size};
    demand(assay_parse(&input, NULL, &workspace, &result) == ASSAY_OK, "the shard of this harness is not valid");
    model_shard(index, shard, &result.view, hear, &findings);
}

/* Ways in which shards mismatch. */
typedef enum { FITS, FIRST_MISSING, TENSOR_LACKING, TENSOR_MORE, TWO_SWAPPED, WAYS } way;

/* Return the expected code. */
static uint32_t code_of(const model_index *index, way how)
{
    switch (how) {
    case FIRST_MISSING:
        return MODEL_SHARD_MISSING;
    case TENSOR_LACKING:
        return index->memory.shard[index->memory.order[0]].tensors > 1 ? MODEL_TENSOR_MISSING : MODEL_SHARD_SWAPPED;
    case TENSOR_MORE:
        return MODEL_TENSOR_UNLISTED;
    case TWO_SWAPPED:
        return MODEL_SHARD_SWAPPED;
    default:
        return MODEL_TOTAL_SIZE;
    }
}

static void match(const uint8_t *data, size_t size, way how)
{
    static document made;
    answer got = ask(data, size, 5, 0x5A);
    model_index *index = &got.index;
    memset(&findings, 0, sizeof findings);
    for (uint32_t i = 0; i < index->shards; i++) {
        uint32_t shard = index->memory.order[i], from = shard;
        bool first = i == 0;
        if (how == TWO_SWAPPED && i < 2)
            from = index->memory.order[1 - i];
        make_shard(&made, index, from, how == TENSOR_LACKING && first);
        if (how == TENSOR_MORE && first)
            add_tensor(&made, (const uint8_t *)"\001 in no index", 13);
        if (how == FIRST_MISSING && first)
            model_shard_unread(index, shard, MODEL_SHARD_MISSING, hear, &findings);
        else
            pass_shard(index, shard, &made);
    }
    model_end(index, hear, &findings);
    guard_check();
    bool right = index->total == TOTAL_NONE || (index->total == TOTAL_NUMBER && index->total_size == 0);
    uint32_t wanted = how == FITS ? !right : how == TWO_SWAPPED ? 2 : 1, code = code_of(index, how);
    demand(findings.all == wanted && findings.count[code - MODEL_FIRST] == wanted, "other findings than were made");
    demand(how != TWO_SWAPPED || (findings.last.pair && findings.last.shard == index->memory.order[1]),
           "swapped, but not reported as such");
}

/* Return whether shards can be made for the index: not if it is large, or names a tensor that no shard can have. */
static bool can_match(const model_index *index)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < index->keys; i++) {
        const model_key *key = &index->memory.key[i];
        const uint8_t *name = index->bytes + key->name.at;
        size += key->object == index->map ? 6 * key->name.size + 64 : 0;
        if (key->name.size == 12 && memcmp(name, "__metadata__", 12) == 0)
            return false;
        if (key->name.size == 13 && memcmp(name, "\001 in no index", 13) == 0)
            return false;
    }
    return size < HEAD / 2 && index->tensors <= TENSORS && index->shards >= 1 && index->shards <= SHARDS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > HEAD)
        return 0;
    answer one = ask(data, size, 1, 0x00), two = ask(data, size, 0xFEDCBA9876543210, 0xFF);
    bool valid = one.error.code == MODEL_OK;
    count_execution(false); /* no file is judged */
    same_answers(&one, &two);
    if (!valid) {
        check_broken(data, size, &one.error);
    } else {
        check_index(&one.index);
        check_ends(data, size);
        for (way how = FITS; can_match(&one.index) && how < WAYS; how++)
            if (how != TWO_SWAPPED || one.index.shards > 1)
                match(data, size, how);
    }
    guard_drop();
    return 0;
}
