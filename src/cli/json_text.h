/* json_text.h: strings of JSON that come from files, paths and arguments: escaped as escaped_text.h does it. */
#ifndef ASSAY_JSON_TEXT_H
#define ASSAY_JSON_TEXT_H

#include "escaped_text.h"
#include "json_writer.h"

/* Write a string, or null if it is NULL. */
void json_text(json_writer *to, const char *text);
void json_bytes(json_writer *to, const uint8_t *bytes, size_t count);
void json_view_text(json_writer *to, const assay_view *view, assay_text text);

/* Write a key, and a string or null. */
void json_member_text(json_writer *to, const char *key, const char *text);

/* Write the member "path", and "path_bytes" if the path is not UTF-8. */
void json_path(json_writer *to, const char *path);

#endif
