/* model_index.c: reading an index, see model.h: its structure. No recursion: a bit and a place for each level of
 * depth. */
#include <string.h>

#include "json_reader.h"
#include "index_tables.h"

/* What may come next. */
typedef enum { WANT_KEY_OR_END, WANT_KEY, WANT_ITEM_OR_END, WANT_VALUE, WANT_COMMA_OR_END } want;

/* Which value that is. */
typedef enum { VALUE_ANY, VALUE_MAP, VALUE_METADATA, VALUE_SHARD, VALUE_TOTAL } role;

typedef struct {
    reader from;
    model_index *index;
    uint64_t objects;                 /* a bit for each level, the innermost lowest: is it an object? ... */
    uint32_t opened[MODEL_DEPTH_MAX]; /* ... and where its bracket stands */
    uint32_t depth;
    uint32_t metadata; /* where metadata's { stands */
    want next;
    role role;
    uint32_t tensor; /* of VALUE_SHARD: the key's number */
    bool has_map;
} document;

void model_measure(const uint8_t *bytes, uint64_t size, model_need *need)
{
    uint64_t colons = 1; /* the last key may lack its colon */
    for (uint64_t i = 0; i < size; i++)
        colons += bytes[i] == ':';
    uint64_t most = size / 4 + 1; /* {"": is the shortest that holds a key, bar the last colon */
    uint64_t keys = size > MODEL_SIZE_MAX ? 1 : colons < most ? colons : most;
    need->keys = (uint32_t)keys;
    need->shards = keys < MODEL_SHARDS_MAX ? (uint32_t)keys : MODEL_SHARDS_MAX;
}

static bool fails(document *in, uint32_t code, uint64_t offset)
{
    return reader_fails(&in->from, code, offset);
}

static bool text_is(const document *in, model_text text, const char *word)
{
    return text.size == strlen(word) && memcmp(in->from.bytes + text.at, word, text.size) == 0;
}

/* ---- Keys --------------------------------------------------------------------------------------------- */

static role role_of(const document *in, model_text key)
{
    uint32_t object = in->opened[in->depth - 1];
    if (in->depth == 1)
        return text_is(in, key, "weight_map") ? VALUE_MAP : text_is(in, key, "metadata") ? VALUE_METADATA : VALUE_ANY;
    if (in->depth > 2)
        return VALUE_ANY;
    if (in->has_map && object == in->index->map)
        return VALUE_SHARD;
    return in->metadata == object && text_is(in, key, "total_size") ? VALUE_TOTAL : VALUE_ANY;
}

static bool read_key(document *in)
{
    model_text key;
    uint32_t earlier, object = in->opened[in->depth - 1];
    uint8_t byte;
    if (!reader_string(&in->from, &key))
        return false;
    in->role = role_of(in, key);
    if (in->role == VALUE_SHARD)
        in->from.error->tensor = key;
    if (!tables_add_key(in->index, key, object, &in->tensor, &earlier)) {
        in->from.error->found = in->index->memory.key[earlier].name.at - 1;
        return fails(in, MODEL_INDEX_KEY_TWICE, key.at - 1);
    }
    if (!reader_next(&in->from, &byte))
        return reader_ends(&in->from);
    if (byte != ':')
        return fails(in, MODEL_INDEX_UNEXPECTED, in->from.at);
    in->from.at++;
    in->next = WANT_VALUE;
    return true;
}

/* ---- Values ------------------------------------------------------------------------------------------- */

static bool open(document *in, bool object)
{
    uint32_t at = in->from.at;
    if (in->depth == MODEL_DEPTH_MAX) {
        in->from.error->expected = MODEL_DEPTH_MAX;
        in->from.error->found = MODEL_DEPTH_MAX + 1;
        return fails(in, MODEL_INDEX_DEPTH, at);
    }
    in->opened[in->depth++] = at;
    in->objects = in->objects << 1 | object;
    if (in->role == VALUE_MAP) {
        in->index->map = at;
        in->has_map = true;
    } else if (in->role == VALUE_METADATA) {
        in->metadata = at;
    }
    in->role = VALUE_ANY;
    in->from.at++;
    in->next = object ? WANT_KEY_OR_END : WANT_ITEM_OR_END;
    return true;
}

static bool close(document *in)
{
    uint32_t at = in->from.at++;
    in->depth--;
    in->objects >>= 1;
    in->next = WANT_COMMA_OR_END;
    in->from.error->tensor = (model_text){0, 0};
    if (in->depth > 0)
        return true;
    if (!in->has_map)
        return fails(in, MODEL_INDEX_NO_MAP, at);
    return in->index->tensors > 0 || fails(in, MODEL_INDEX_EMPTY, at);
}

/* Rule shard_path: its parts lead nowhere but down. */
static bool path_is_safe(const uint8_t *path, uint32_t size)
{
    uint32_t part = 0; /* where it begins */
    for (uint32_t at = 0; at <= size; at++) {
        if (at == size || path[at] == '/') {
            uint32_t length = at - part;
            if (length == 0 || (length == 1 && path[part] == '.') ||
                (length == 2 && path[part] == '.' && path[part + 1] == '.'))
                return false;
            part = at + 1;
        } else if (path[at] < 0x20 || path[at] == 0x7F || path[at] == '\\' || path[at] == ':') {
            return false;
        }
    }
    return size <= MODEL_PATH_MAX;
}

static bool take_shard(document *in, model_text path)
{
    static const char suffix[] = ".safetensors";
    model_index *index = in->index;
    const uint8_t *bytes = in->from.bytes + path.at;
    uint32_t length = sizeof suffix - 1, offset = path.at - 1;
    if (!path_is_safe(bytes, path.size))
        return fails(in, MODEL_SHARD_PATH, offset);
    if (path.size < length || memcmp(bytes + path.size - length, suffix, length) != 0)
        return fails(in, MODEL_SHARD_SUFFIX, offset);
    uint32_t shard = tables_add_shard(index, path);
    if (shard == MODEL_NONE) {
        in->from.error->expected = MODEL_SHARDS_MAX;
        in->from.error->found = MODEL_SHARDS_MAX + 1;
        return fails(in, MODEL_SHARDS_MANY, offset);
    }
    model_shard_entry *entry = &index->memory.shard[shard];
    if (entry->tensors++ == 0)
        entry->first = in->tensor;
    index->memory.key[in->tensor].shard = (uint16_t)shard;
    index->tensors++;
    return true;
}

/* total_size is a number of bytes if it has neither sign nor fraction (but zeros) nor exponent, and fits. */
static void take_total(document *in, model_text number)
{
    const uint8_t *bytes = in->from.bytes + number.at;
    uint64_t value = 0;
    uint32_t at = 0;
    for (; at < number.size && bytes[at] >= '0' && bytes[at] <= '9'; at++) {
        uint64_t digit = bytes[at] & 15u;
        if (value > (UINT64_MAX - digit) / 10)
            return;
        value = 10 * value + digit;
    }
    if (at == 0)
        return;
    if (at < number.size && bytes[at] == '.')
        for (at++; at < number.size && bytes[at] == '0';)
            at++;
    if (at < number.size)
        return;
    in->index->total = TOTAL_NUMBER;
    in->index->total_size = value;
}

static bool read_scalar(document *in, uint8_t byte)
{
    model_text text;
    in->next = WANT_COMMA_OR_END;
    if (byte == '"')
        return reader_string(&in->from, &text) && (in->role != VALUE_SHARD || take_shard(in, text));
    if (byte == 't' || byte == 'f' || byte == 'n')
        return reader_literal(&in->from);
    if (!reader_number(&in->from, &text))
        return false;
    if (in->role == VALUE_TOTAL)
        take_total(in, text);
    return true;
}

static bool read_value(document *in, uint8_t byte)
{
    uint32_t at = in->from.at;
    if (!reader_begins_value(byte))
        return fails(in, MODEL_INDEX_UNEXPECTED, at);
    if (((in->role == VALUE_MAP || in->role == VALUE_METADATA) && byte != '{') ||
        (in->role == VALUE_SHARD && byte != '"'))
        return fails(in, MODEL_INDEX_TYPE, at);
    if (in->role == VALUE_TOTAL) {
        in->index->total = TOTAL_OTHER; /* until it is seen to be a number */
        in->index->total_at = at;
    }
    if (byte == '{' || byte == '[')
        return open(in, byte == '{');
    bool fine = read_scalar(in, byte);
    if (fine)
        in->from.error->tensor = (model_text){0, 0};
    return fine;
}

/* ---- The whole ---------------------------------------------------------------------------------------- */

static bool step(document *in)
{
    uint8_t byte;
    bool object = in->objects & 1;
    if (!reader_next(&in->from, &byte))
        return reader_ends(&in->from);
    bool may_end = in->next != WANT_KEY && in->next != WANT_VALUE;
    if (may_end && byte == (object ? '}' : ']'))
        return close(in);
    switch (in->next) {
    case WANT_KEY_OR_END:
    case WANT_KEY:
        return byte == '"' ? read_key(in) : fails(in, MODEL_INDEX_UNEXPECTED, in->from.at);
    case WANT_ITEM_OR_END:
        in->role = VALUE_ANY;
        return read_value(in, byte);
    case WANT_VALUE:
        return read_value(in, byte);
    case WANT_COMMA_OR_END:
        break;
    }
    if (byte != ',')
        return fails(in, MODEL_INDEX_UNEXPECTED, in->from.at);
    in->from.at++;
    in->role = VALUE_ANY;
    in->next = object ? WANT_KEY : WANT_VALUE;
    return true;
}

static bool read_document(document *in)
{
    uint8_t byte;
    if (!reader_next(&in->from, &byte))
        return reader_ends(&in->from);
    if (byte != '{')
        return fails(in, MODEL_INDEX_START, in->from.at);
    if (!open(in, true))
        return false;
    while (in->depth > 0)
        if (!step(in))
            return false;
    return !reader_next(&in->from, &byte) || fails(in, MODEL_INDEX_TRAILING, in->from.at);
}

uint32_t model_read(model_index *index, uint8_t *bytes, uint64_t size, uint64_t seed, const model_memory *memory,
                    model_error *error)
{
    *error = (model_error){.offset = ASSAY_NONE, .expected = ASSAY_NONE, .found = ASSAY_NONE};
    if (size > MODEL_SIZE_MAX) {
        *error = (model_error){.code = MODEL_INDEX_LARGE, .offset = 0, .expected = MODEL_SIZE_MAX, .found = size};
        return error->code;
    }
    *index = (model_index){.bytes = bytes, .size = (uint32_t)size, .memory = *memory, .seed = seed, .clean = true};
    tables_begin(index);
    document in = {.from = {bytes, (uint32_t)size, 0, error}, .index = index};
    if (read_document(&in))
        tables_sort(index);
    return error->code;
}
