/* modelspec_values.h: the patterns of the values of ModelSpec. */
#ifndef ASSAY_MODELSPEC_VALUES_H
#define ASSAY_MODELSPEC_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "assay.h"

#define SHORT_TEXT_MOST 160u /* characters: more than any value has that a pattern allows */

/* The beginning of a text, as ASCII. */
typedef struct {
    char text[SHORT_TEXT_MOST + 1]; /* a character that is not ASCII is ? */
    size_t size;
    bool whole;   /* it is all of the text */
    bool hyphen;  /* one of the characters is a hyphen that is not ASCII, such as U+2010 */
} short_text;

/* Read at most SHORT_TEXT_MOST characters of a text. O(1). */
short_text short_text_of(const assay_view *view, assay_text text);

bool value_is_version(const char *text);
bool value_is_resolution(const char *text);
bool value_is_date(const char *text);
bool value_is_range(const char *text);
bool value_is_integer(const char *text);
bool value_is_dtypes(const char *text);

/* Is the text 0x and as many lower-case hexadecimal digits as the algorithm has? */
bool value_is_hash(const char *text, const char *algorithm);

/* Return what is wrong with a thumbnail, or NULL. Reads no more than the size that is allowed. */
const char *value_thumbnail(const assay_view *view, assay_text text);

#endif
