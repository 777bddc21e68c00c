/* edit_head.c: see edit_head.h. The old head is valid, so each byte has one meaning. Still, no step leaves it. */
#include "edit_head.h"

#include <string.h>

static const char METADATA[] = "__metadata__";

/* Where the parts of a header are: offsets in the head; ends are those of the byte after the last one. */
typedef struct {
    uint64_t open, close;          /* the root's { and } */
    uint64_t member, object, end;  /* __metadata__: its opening quote, its {, its end; all 0 if there is none */
    uint64_t comma;                /* the comma after it, or else before it, or 0 */
    bool others;                   /* the root has other members */
} header_parts;

static bool is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static uint64_t skip_space(const assay_view *old, uint64_t at)
{
    while (at < old->data_begin && is_space(old->head[at]))
        at++;
    return at;
}

static uint8_t byte_at(const assay_view *old, uint64_t at)
{
    return at < old->data_begin ? old->head[at] : 0;
}

/* Return the offset after the string whose opening quote is at this offset. */
static uint64_t skip_string(const assay_view *old, uint64_t at)
{
    at++;
    while (at < old->data_begin && old->head[at] != '"')
        at += old->head[at] == '\\' ? 2 : 1;
    return at + 1;
}

/* Return the offset after the object that begins at this offset. */
static uint64_t skip_object(const assay_view *old, uint64_t at)
{
    uint64_t depth = 0;
    do {
        uint8_t byte = byte_at(old, at);
        depth += byte == '{' ? 1 : 0;
        depth -= byte == '}' ? 1 : 0;
        at = byte == '"' ? skip_string(old, at) : at + 1;
    } while (depth > 0 && at < old->data_begin);
    return at;
}

/* Find the parts. All values of the root are objects. */
static header_parts find_parts(const assay_view *old)
{
    header_parts parts = {.open = skip_space(old, 8)};
    uint64_t at = parts.open, comma = 0, size = sizeof METADATA - 1;
    do {
        uint64_t before = comma, key = skip_space(old, at + 1);
        if (byte_at(old, key) != '"') /* the root is empty */
            break;
        uint64_t after = skip_string(old, key), object = skip_space(old, skip_space(old, after) + 1);
        bool is = after - key == size + 2 && after <= old->data_begin &&
                  memcmp(old->head + key + 1, METADATA, (size_t)size) == 0;
        uint64_t end = skip_object(old, object);
        at = skip_space(old, end);
        comma = byte_at(old, at) == ',' ? at : 0;
        parts.others = parts.others || !is;
        if (is) {
            parts.member = key;
            parts.object = object;
            parts.end = end;
            parts.comma = comma != 0 ? comma : before;
        }
    } while (comma != 0);
    parts.close = skip_space(old, byte_at(old, at) == '}' ? at : at + 1);
    return parts;
}

static void put_part(const assay_view *old, uint64_t begin, uint64_t end, edit_writer *to)
{
    if (begin < end && end <= old->data_begin)
        edit_put(to, old->head + begin, end - begin);
}

/* Write a text: as it is in the old header, if it is of that. */
static void put_text(const assay_view *old, const edit_text *text, edit_writer *to)
{
    if (text->view == old)
        put_part(old, text->text.at - 1, text->text.end + 1, to);
    else
        edit_put_text(to, text);
}

/* Write a pair, with the white space that it had. */
static void put_pair(const assay_view *old, const edit_pair *pair, edit_writer *to)
{
    assay_text key = {0, 0}, value = {0, 0};
    uint64_t begin, end;
    if (pair->from == ASSAY_NONE || !assay_metadata_at(old, pair->from, &key, &value)) {
        put_text(old, &pair->key, to);
        edit_put_word(to, ":");
        put_text(old, &pair->value, to);
        return;
    }
    for (begin = key.at - 1; begin > 8 && is_space(old->head[begin - 1]); begin--)
        continue;
    end = skip_space(old, value.end + 1);
    put_part(old, begin, key.at - 1, to);
    put_text(old, &pair->key, to);
    put_part(old, key.end + 1, value.at - 1, to);
    put_text(old, &pair->value, to);
    put_part(old, value.end + 1, end, to);
}

static void put_pairs(const edit_pairs *pairs, edit_writer *to)
{
    bool comma = false;
    edit_put_word(to, "{");
    for (uint64_t i = 0; i < pairs->count; i++) {
        if (pairs->pair[i].gone)
            continue;
        if (comma)
            edit_put_word(to, ",");
        put_pair(pairs->old, &pairs->pair[i], to);
        comma = true;
    }
    edit_put_word(to, "}");
}

static bool has_pairs(const edit_pairs *pairs)
{
    bool some = false;
    for (uint64_t i = 0; i < pairs->count && !some; i++)
        some = !pairs->pair[i].gone;
    return some;
}

/* Are the pairs others than those of the old header, or in another order? */
static bool is_changed(const edit_pairs *pairs)
{
    uint64_t index = 0;
    for (uint64_t i = 0; i < pairs->count; i++) {
        const edit_pair *pair = &pairs->pair[i];
        assay_text key, value;
        if (pair->gone)
            continue;
        if (!assay_metadata_at(pairs->old, index++, &key, &value))
            return true;
        edit_text name = edit_text_of(pairs->old, key), content = edit_text_of(pairs->old, value);
        if (!edit_text_equal(&pair->key, &name) || !edit_text_equal(&pair->value, &content))
            return true;
    }
    return index != assay_metadata_count(pairs->old);
}

/* Write the header from the root's { to its }. */
static void put_header(const edit_pairs *pairs, edit_writer *to)
{
    const assay_view *old = pairs->old;
    const header_parts parts = find_parts(old);
    bool some = has_pairs(pairs), there = parts.member != 0, removed = there && !some && pairs->clear;
    if (removed) {
        bool before = parts.comma != 0 && parts.comma < parts.member;
        put_part(old, 8, before ? parts.comma : parts.member, to);
        put_part(old, parts.comma > parts.member ? parts.comma + 1 : parts.end, parts.close + 1, to);
    } else if (there && is_changed(pairs)) {
        put_part(old, 8, parts.object, to);
        put_pairs(pairs, to);
        put_part(old, parts.end, parts.close + 1, to);
    } else if (there || !some) {
        put_part(old, 8, parts.close + 1, to);
    } else {
        put_part(old, 8, parts.open + 1, to);
        edit_put_word(to, "\"__metadata__\":");
        put_pairs(pairs, to);
        edit_put_word(to, parts.others ? "," : "");
        put_part(old, parts.open + 1, parts.close + 1, to);
    }
}

/* Return the new header length for this need, or 0 if there is none. */
static uint64_t new_length(uint64_t before, uint64_t need, uint64_t block)
{
    if (need > EDIT_HEADER_MOST)
        return 0;
    if (need <= before)
        return before;
    uint64_t length = before + (need - before + block - 1) / block * block;
    uint64_t least = (need + 7) / 8 * 8; /* close to the limit there may be no room for a block */
    return length <= EDIT_HEADER_MOST ? length : least;
}

edit_problem edit_head_write(const edit_pairs *pairs, const edit_size *as, uint8_t *to, uint64_t room, uint64_t *size)
{
    edit_writer count = {NULL, 0, 0}, writer = {to, 8, room};
    put_header(pairs, &count);
    if (as->reserve > EDIT_HEADER_MOST)
        return EDIT_LARGE;
    uint64_t length = new_length(pairs->old->data_begin - 8, count.at + as->reserve, as->block);
    if (length == 0 || room < 8 + length)
        return EDIT_LARGE;
    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint8_t)(length >> 8 * i);
    put_header(pairs, &writer);
    memset(to + 8 + count.at, ' ', (size_t)(length - count.at));
    *size = 8 + length;
    return EDIT_FINE;
}
