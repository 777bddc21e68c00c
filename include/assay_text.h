/* assay_text.h: words for statuses, dtypes and errors, and texts of a view as UTF-8.
 *
 * A unit of its own: the parser (assay.h) does not need it, and libassay.a links it only if it is called. It allocates
 * nothing, calls nothing but assay_text_next, and keeps no state. The strings that are returned are constant, ASCII,
 * and end with a NUL. Any thread may call any function.
 *
 *     char text[ASSAY_ERROR_TEXT];
 *     assay_error_format(text, sizeof text, &error);
 *     puts(text);      // invalid: rule G2 at byte 61: two tensors have the same name (tensor 1, other 0)
 *
 * Proved of each function: no run-time error (T1), it ends (T2), it writes nothing but the buffer (T3).
 */
#ifndef ASSAY_TEXT_H
#define ASSAY_TEXT_H

#include "assay.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_VERSION "0.1.0"

/* A buffer of this size holds every text of assay_error_format. */
#define ASSAY_ERROR_TEXT 320u

/* ---- Names -------------------------------------------------------------------------------------- */

/* Return the version of the library that is linked: ASSAY_VERSION when it was built. O(1). */
const char *assay_version(void);

/* Return the identifier of a status: "OK", "WORKSPACE", "E_NAME_TWICE". It is that of assay_codes.h without ASSAY_, and
 * never changes. "" if there is no such status. O(1). */
const char *assay_status_name(assay_status status);

/* Return the id of the rule, as in spec/format.md: "G2"; of a status that means "not judged", "N1" and so on. "" for
 * ASSAY_OK, and if there is no such status. O(1). */
const char *assay_status_rule(assay_status status);

/* Return what a status means, as a phrase: "two tensors have the same name". The words may change from version to
 * version. "" if there is no such status. O(1). */
const char *assay_status_text(assay_status status);

/* Return the name of a dtype as a file has it: "BF16" for ASSAY_DTYPE_BF16. "" if there is no such dtype. O(1). */
const char *assay_dtype_name(uint64_t dtype);

/* Return the dtype whose name is name[0 .. size), or 0 if there is none. name may hold any bytes, and be NULL if size
 * is 0. O(1): it is compared with each name. */
uint64_t assay_dtype_parse(const char *name, uint64_t size);

/* ---- Texts for people ---------------------------------------------------------------------------
 *
 * Both functions write as snprintf does: at most size bytes, of which the last is a NUL, and nothing if size is 0.
 * buffer may then be NULL. They return the length of the whole text without the NUL: it was cut if that is not less
 * than size. */

/* Describe an error in one line: the verdict, the rule, the byte, what the rule requires, and the numbers of the error
 * that are set. No byte of the file is in it. It is ASCII. O(1). */
uint64_t assay_error_format(char *buffer, uint64_t size, const assay_error *error);

/* Write a tensor name, metadata key or value as UTF-8, without its escapes. text is one that assay handed out with this
 * view; of any other, what is ill-formed comes out as U+FFFD, and nothing comes out if it does not lie in the header. A
 * text of a valid file holds no NUL. Where it is cut, no character is cut. It comes from a stranger: it may hold
 * control characters, so print it with care. O(bytes of the text). */
uint64_t assay_text_utf8(const assay_view *view, assay_text text, char *buffer, uint64_t size);

#ifdef __cplusplus
}
#endif

#endif
