/* thumbnail.c: the thumbnail of ModelSpec, an image in a URL: its form, its size, and whether the bytes begin like its
 * type. The image itself is not decoded. */
#include <string.h>

#include "modelspec_values.h"

#define IMAGE_MOST 256000u /* bytes */
#define MAGIC_MOST 12u     /* bytes at the beginning that show what an image is */
#define NO_IMAGE "not a data URL of an image in base64"

typedef enum { IMAGE_JPEG, IMAGE_PNG, IMAGE_WEBP, IMAGE_GIF, IMAGE_NONE } image_type;

static bool begins(const uint8_t *bytes, size_t count, const char *with, size_t size)
{
    return count >= size && memcmp(bytes, with, size) == 0;
}

static image_type type_of(const uint8_t *bytes, size_t count)
{
    if (begins(bytes, count, "\xFF\xD8\xFF", 3))
        return IMAGE_JPEG;
    if (begins(bytes, count, "\x89PNG\r\n\x1A\n", 8))
        return IMAGE_PNG;
    if (begins(bytes, count, "GIF87a", 6) || begins(bytes, count, "GIF89a", 6))
        return IMAGE_GIF;
    return begins(bytes, count, "RIFF", 4) && count >= 12 && memcmp(bytes + 8, "WEBP", 4) == 0 ? IMAGE_WEBP
                                                                                                : IMAGE_NONE;
}

/* Skip data:image/TYPE;base64, and return the type, or IMAGE_NONE. */
static image_type read_prefix(const assay_view *view, assay_text *text)
{
    static const char *const prefixes[] = {"data:image/jpeg;base64,", "data:image/png;base64,",
                                           "data:image/webp;base64,", "data:image/gif;base64,"};
    for (image_type type = IMAGE_JPEG; type < IMAGE_NONE; type++) {
        assay_text rest = *text;
        const char *with = prefixes[type];
        uint32_t code;
        while (*with != '\0' && assay_text_next(view, &rest, &code) && code == (uint8_t)*with)
            with++;
        if (*with == '\0') {
            *text = rest;
            return type;
        }
    }
    return IMAGE_NONE;
}

/* Return the value of a digit of base64; 64 for =; 65: it is none. */
static uint32_t digit_value(uint32_t code)
{
    return code >= 'A' && code <= 'Z'   ? code - 'A'
           : code >= 'a' && code <= 'z' ? code - 'a' + 26
           : code >= '0' && code <= '9' ? code - '0' + 52
           : code == '+'                ? 62
           : code == '/'                ? 63
           : code == '='                ? 64
                                        : 65;
}

/* What was read of base64. */
typedef struct {
    uint64_t count;            /* bytes */
    uint8_t first[MAGIC_MOST]; /* the first of them */
    uint32_t bits, held;       /* `held` bits that are no whole byte yet */
    uint64_t digits, padding;  /* digits without =; how many = */
} decoded;

/* Take one digit. Return false if it can't be here. */
static bool take(decoded *to, uint32_t value)
{
    if (value == 64)
        return ++to->padding <= 2;
    if (value > 64 || to->padding > 0)
        return false;
    to->digits++;
    to->bits = (to->bits << 6 | value) & 0xFFFu;
    to->held += 6;
    if (to->held >= 8) {
        to->held -= 8;
        if (to->count < MAGIC_MOST)
            to->first[to->count] = (uint8_t)(to->bits >> to->held);
        to->count++;
        to->bits &= (1u << to->held) - 1u;
    }
    return true;
}

const char *value_thumbnail(const assay_view *view, assay_text text)
{
    decoded found = {.count = 0};
    uint32_t code;
    image_type type = read_prefix(view, &text);
    if (type == IMAGE_NONE)
        return NO_IMAGE;
    while (found.count <= IMAGE_MOST && assay_text_next(view, &text, &code))
        if (!take(&found, digit_value(code)))
            return "not strict base64";
    if (found.count > IMAGE_MOST)
        return "larger than 256,000 bytes";
    if ((found.digits + found.padding) % 4 != 0 || found.bits != 0 || found.digits == 0)
        return "not strict base64";
    return type_of(found.first, found.count < MAGIC_MOST ? (size_t)found.count : MAGIC_MOST) == type
               ? NULL
               : "not an image of the type that its URL names";
}
