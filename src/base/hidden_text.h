/* hidden_text.h: characters that a terminal obeys, or that nobody sees. */
#ifndef ASSAY_BASE_HIDDEN_TEXT_H
#define ASSAY_BASE_HIDDEN_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Must this code point be escaped? Controls, format characters (invisible, bidi), spaces other than U+0020, private
 * use, noncharacters. */
bool text_hidden(uint32_t code);

#endif
