/* note_text.h: what a name or a value of a valid file may be suspicious for. */
#ifndef ASSAY_NOTE_TEXT_H
#define ASSAY_NOTE_TEXT_H

#include "escaped_text.h"

/* Has it a character that a terminal would obey or not show? Line ends are such. */
bool text_is_hidden(const assay_view *view, assay_text text);

/* Would it lead out of a folder, if it were a path in it? On Windows too. */
bool text_is_path(const assay_view *view, assay_text text);

/* A word by which a library makes objects, or calls what the text says; NULL: there is none. Escapes of JSON in the
 * text are read: it may be JSON itself. */
const char *text_word_that_runs(const assay_view *view, assay_text text);

#endif
