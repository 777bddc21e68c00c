/* tensor_alias.c: see tensor_alias.h. */
#include "tensor_alias.h"

#include <string.h>

#include "assay_text.h"

/* Does the text begin with these characters? */
static bool text_begins(const assay_view *view, assay_text text, const char *with)
{
    uint32_t code;
    while (*with != '\0' && assay_text_next(view, &text, &code) && code == (uint8_t)*with)
        with++;
    return *with == '\0';
}

bool tensor_alias_key(const assay_view *view, assay_text key)
{
    static const char *const known[] = {"modelspec.", "ss_", "sshs_"};
    bool found = assay_text_compare(view, key, (const uint8_t *)"format", 6) == 0;
    for (size_t i = 0; !found && i < sizeof known / sizeof *known; i++)
        found = text_begins(view, key, known[i]);
    return !found;
}

/* A text without its escapes. */
typedef struct {
    const uint8_t *bytes; /* NULL: it has escapes, and there is no room to resolve them */
    size_t size;
} plain_text;

/* Return the text, resolved into `room` if it has escapes: a byte more than the text. */
static plain_text plain(const assay_view *view, assay_text text, uint8_t *room)
{
    plain_text found = {view->head + text.at, (size_t)(text.end - text.at)};
    if (memchr(found.bytes, '\\', found.size) == NULL)
        return found;
    if (room == NULL)
        return (plain_text){NULL, 0};
    return (plain_text){room, (size_t)assay_text_utf8(view, text, (char *)room, found.size + 1)};
}

/* Return the part of a name after its last dot; empty if there is no dot. */
static plain_text last_part(const uint8_t *name, size_t size)
{
    size_t begin = size;
    while (begin > 0 && name[begin - 1] != '.')
        begin--;
    return (plain_text){name + begin, begin == 0 ? 0 : size - begin};
}

bool tensor_alias_alike(const uint8_t *name, size_t name_size, const uint8_t *kept, size_t kept_size)
{
    plain_text one = last_part(name, name_size), two = last_part(kept, kept_size);
    return one.size > 0 && one.size == two.size && memcmp(one.bytes, two.bytes, one.size) == 0;
}

static bool is_tensor(const assay_view *view, plain_text name)
{
    assay_tensor tensor;
    return assay_tensor_find(view, name.bytes, name.size, &tensor);
}

tensor_alias tensor_alias_at(const assay_view *view, uint64_t index, uint8_t *scratch, assay_text *name,
                             assay_text *kept)
{
    if (!assay_metadata_at(view, index, name, kept) || !tensor_alias_key(view, *name))
        return TENSOR_ALIAS_NONE;
    plain_text one = plain(view, *name, scratch);
    plain_text two = plain(view, *kept, scratch == NULL ? NULL : scratch + (name->end - name->at) + 1);
    if (one.bytes == NULL || two.bytes == NULL || is_tensor(view, one))
        return TENSOR_ALIAS_NONE;
    if (is_tensor(view, two))
        return TENSOR_ALIAS_KEPT;
    return tensor_alias_alike(one.bytes, one.size, two.bytes, two.size) ? TENSOR_ALIAS_DANGLING : TENSOR_ALIAS_NONE;
}
