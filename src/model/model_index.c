/* model_index.c: reads the structure of an index, see model.h. It does not recurse: each level of depth takes a bit
 * and an offset. */
#include <string.h>

#include "json_reader.h"
#include "index_tables.h"

/* The tokens that may follow. */
typedef enum { NEXT_KEY_OR_END, NEXT_KEY, NEXT_ITEM_OR_END, NEXT_VALUE, NEXT_COMMA_OR_END } expected;

/* What the next value means. */
typedef enum { VALUE_ANY, VALUE_MAP, VALUE_METADATA, VALUE_SHARD, VALUE_TOTAL } role;

typedef struct {
    json_reader reader;
    model_index *index;
    uint64_t objects;                 /* a bit for each level, the innermost lowest: 1 if it is an object */
    uint32_t opened[MODEL_DEPTH_MAX]; /* the offset of the bracket of each level */
    uint32_t depth;
    uint32_t metadata; /* offset of metadata's { */
    expected next;
    role role;
    uint32_t tensor; /* of VALUE_SHARD: the number of the key */
    bool has_map;
} document;

/* ---- Memory ------------------------------------------------------------------------------------------- */

void model_measure(const uint8_t *bytes, uint64_t size, model_need *need)
{
    uint64_t colons = 1; /* the text may end after a key, before its colon */
    for (uint64_t i = 0; i < size; i++)
        colons += bytes[i] == ':';
    uint64_t most = size / 4 + 1; /* a key takes at least the 4 bytes {"": */
    uint64_t keys = size > MODEL_SIZE_MAX ? 1 : colons < most ? colons : most;
    need->keys = (uint32_t)keys;
    need->shards = keys < MODEL_SHARDS_MAX ? (uint32_t)keys : MODEL_SHARDS_MAX;
}

bool model_memory_allocate(model_memory *memory, const model_need *need, void *(*allocate)(size_t bytes))
{
    size_t keys = need->keys, shards = need->shards;
    *memory = (model_memory){.keys = need->keys, .shards = need->shards};
    if (keys > SIZE_MAX / sizeof *memory->key || shards > SIZE_MAX / sizeof *memory->shard)
        return false;
    memory->key = allocate(keys * sizeof *memory->key);
    memory->slot = allocate(2 * keys * sizeof *memory->slot);
    memory->shard = allocate(shards * sizeof *memory->shard);
    memory->shard_slot = allocate(2 * shards * sizeof *memory->shard_slot);
    memory->case_slot = allocate(2 * shards * sizeof *memory->case_slot);
    memory->order = allocate(shards * sizeof *memory->order);
    return memory->key != NULL && memory->slot != NULL && memory->shard != NULL && memory->shard_slot != NULL &&
           memory->case_slot != NULL && memory->order != NULL;
}

void model_memory_free(model_memory *memory, void (*release)(void *array))
{
    release(memory->key);
    release(memory->slot);
    release(memory->shard);
    release(memory->shard_slot);
    release(memory->case_slot);
    release(memory->order);
}

/* ---- Keys --------------------------------------------------------------------------------------------- */

static bool fails(document *in, uint32_t code, uint64_t offset)
{
    return json_fail(&in->reader, code, offset);
}

static bool text_is(const document *in, model_text text, const char *word)
{
    return text.size == strlen(word) && memcmp(in->reader.bytes + text.at, word, text.size) == 0;
}

/* Return what the value of this key of the innermost object means. */
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
    if (!json_read_string(&in->reader, &key))
        return false;
    in->role = role_of(in, key);
    if (in->role == VALUE_SHARD)
        in->reader.error->tensor = key;
    if (!tables_add_key(in->index, key, object, &in->tensor, &earlier)) {
        in->reader.error->found = in->index->memory.key[earlier].name.at - 1;
        return fails(in, MODEL_INDEX_KEY_TWICE, key.at - 1);
    }
    if (!json_peek(&in->reader, &byte))
        return json_fail_early(&in->reader);
    if (byte != ':')
        return fails(in, MODEL_INDEX_UNEXPECTED, in->reader.pos);
    in->reader.pos++;
    in->next = NEXT_VALUE;
    return true;
}

/* ---- Values ------------------------------------------------------------------------------------------- */

static bool open(document *in, bool object)
{
    uint32_t at = in->reader.pos;
    if (in->depth == MODEL_DEPTH_MAX) {
        in->reader.error->expected = MODEL_DEPTH_MAX;
        in->reader.error->found = MODEL_DEPTH_MAX + 1;
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
    in->reader.pos++;
    in->next = object ? NEXT_KEY_OR_END : NEXT_ITEM_OR_END;
    return true;
}

static bool close(document *in)
{
    uint32_t at = in->reader.pos++;
    in->depth--;
    in->objects >>= 1;
    in->next = NEXT_COMMA_OR_END;
    in->reader.error->tensor = (model_text){0, 0};
    if (in->depth > 0)
        return true;
    if (!in->has_map)
        return fails(in, MODEL_INDEX_NO_MAP, at);
    return in->index->tensors > 0 || fails(in, MODEL_INDEX_EMPTY, at);
}

/* Return whether a path meets rule shard_path: relative, without . and .. and without bytes that a system may read
 * as a separator. */
static bool path_is_safe(const uint8_t *path, uint32_t size)
{
    uint32_t part = 0; /* offset of the current component */
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
    const uint8_t *bytes = in->reader.bytes + path.at;
    uint32_t length = sizeof suffix - 1, offset = path.at - 1;
    if (!path_is_safe(bytes, path.size))
        return fails(in, MODEL_SHARD_PATH, offset);
    if (path.size < length || memcmp(bytes + path.size - length, suffix, length) != 0)
        return fails(in, MODEL_SHARD_SUFFIX, offset);
    uint32_t shard = tables_add_shard(index, path);
    if (shard == MODEL_NONE) {
        in->reader.error->expected = MODEL_SHARDS_MAX;
        in->reader.error->found = MODEL_SHARDS_MAX + 1;
        return fails(in, MODEL_SHARDS_MANY, offset);
    }
    model_shard_entry *entry = &index->memory.shard[shard];
    if (entry->tensors++ == 0)
        entry->first = in->tensor;
    index->memory.key[in->tensor].shard = (uint16_t)shard;
    index->tensors++;
    return true;
}

/* Store total_size if the number is a count of bytes below 2^64: without a sign or an exponent, and with no fraction
 * except zeros. */
static void take_total(document *in, model_text number)
{
    const uint8_t *bytes = in->reader.bytes + number.at;
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
    in->next = NEXT_COMMA_OR_END;
    if (byte == '"')
        return json_read_string(&in->reader, &text) && (in->role != VALUE_SHARD || take_shard(in, text));
    if (byte == 't' || byte == 'f' || byte == 'n')
        return json_read_literal(&in->reader);
    if (!json_read_number(&in->reader, &text))
        return false;
    if (in->role == VALUE_TOTAL)
        take_total(in, text);
    return true;
}

static bool read_value(document *in, uint8_t byte)
{
    uint32_t at = in->reader.pos;
    if (!json_begins_value(byte))
        return fails(in, MODEL_INDEX_UNEXPECTED, at);
    if (((in->role == VALUE_MAP || in->role == VALUE_METADATA) && byte != '{') ||
        (in->role == VALUE_SHARD && byte != '"'))
        return fails(in, MODEL_INDEX_TYPE, at);
    if (in->role == VALUE_TOTAL) {
        in->index->total = TOTAL_OTHER; /* until it proves to be a number */
        in->index->total_at = at;
    }
    if (byte == '{' || byte == '[')
        return open(in, byte == '{');
    bool fine = read_scalar(in, byte);
    if (fine)
        in->reader.error->tensor = (model_text){0, 0};
    return fine;
}

/* ---- The document ------------------------------------------------------------------------------------- */

/* Read the next token, and the value that it begins. */
static bool step(document *in)
{
    uint8_t byte;
    bool object = in->objects & 1;
    if (!json_peek(&in->reader, &byte))
        return json_fail_early(&in->reader);
    bool may_end = in->next != NEXT_KEY && in->next != NEXT_VALUE;
    if (may_end && byte == (object ? '}' : ']'))
        return close(in);
    switch (in->next) {
    case NEXT_KEY_OR_END:
    case NEXT_KEY:
        return byte == '"' ? read_key(in) : fails(in, MODEL_INDEX_UNEXPECTED, in->reader.pos);
    case NEXT_ITEM_OR_END:
        in->role = VALUE_ANY;
        return read_value(in, byte);
    case NEXT_VALUE:
        return read_value(in, byte);
    case NEXT_COMMA_OR_END:
        break;
    }
    if (byte != ',')
        return fails(in, MODEL_INDEX_UNEXPECTED, in->reader.pos);
    in->reader.pos++;
    in->role = VALUE_ANY;
    in->next = object ? NEXT_KEY : NEXT_VALUE;
    return true;
}

static bool read_document(document *in)
{
    uint8_t byte;
    if (!json_peek(&in->reader, &byte))
        return json_fail_early(&in->reader);
    if (byte != '{')
        return fails(in, MODEL_INDEX_START, in->reader.pos);
    if (!open(in, true))
        return false;
    while (in->depth > 0)
        if (!step(in))
            return false;
    return !json_peek(&in->reader, &byte) || fails(in, MODEL_INDEX_TRAILING, in->reader.pos);
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
    document in = {.reader = {bytes, (uint32_t)size, 0, error}, .index = index};
    if (read_document(&in))
        tables_sort(index);
    return error->code;
}
