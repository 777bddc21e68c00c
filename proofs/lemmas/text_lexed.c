/* text_lexed.c: what a string says that the lexer has let pass. Ghost functions, no code. */
#include "core.h"

/* Unfolds: digits, character, utf8. */

/*@ ghost
/@ requires inside: at < end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures value: head[at] >= 0x80 && utf8_end(head, at, end) <= end ==>
       text_value(head, at, end) == digits(utf8_value(head, at), text_value(head, utf8_end(head, at, end), end));
@/
void assay_text_multibyte(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_utf8_lands(head, at, end);
    assay_text_step(head, at, end);
    if (end - at > 1) {
        assay_text_step(head, at + 1, end);
        if (end - at > 2) {
            assay_text_step(head, at + 2, end);
            if (end - at > 3) {
                assay_text_step(head, at + 3, end);
            }
        }
    }
}

/@ requires inside: at < end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures value: head[at] != '"' && (head[at] >= 0x80 ==> utf8_end(head, at, end) <= end) ==>
       \let unit = character(head, at, end);
       text_value(head, at, end) == digits(unit / 4294967296, text_value(head, unit % 4294967296, end));
@/
void assay_text_character(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_utf8_lands(head, at, end);
    assay_text_step(head, at, end);
    assay_text_multibyte(head, at, end);
    /@ assert plain: head[at] < 0x80 && head[at] != '"' && head[at] != '\\' ==>
         text_value(head, at, end) == digits(head[at], text_value(head, at + 1, end)); @/
    /@ assert parts: \let value = utf8_value(head, at); \let next = utf8_end(head, at, end);
         0x80 <= head[at] && next <= end ==>
             unit(value, next) / 4294967296 == value && unit(value, next) % 4294967296 == next; @/
}

void assay_text_lexed(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end)
{
    assay_string_lexed(head, at, close, end);
    assay_text_character(head, at, close);
}

/@ requires inside: at < close < end <= ASSAY_END_MAX;
   requires behind: \forall integer i; at < i <= close && string_end(head, i, end) == close ==>
       text_value(head, i, close) == text_value(head, i, end);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures here: string_end(head, at, end) == close ==> text_value(head, at, close) == text_value(head, at, end);
@/
void assay_text_closed_step(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end)
{
    assay_string_lexed(head, at, close, end);
    assay_text_character(head, at, close);
    assay_text_character(head, at, end);
}

void assay_text_closed(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end)
{
    uint32_t i = close;

    assay_string_lands(head, close, end);
    assay_text_step(head, close, close);
    assay_text_step(head, close, end);
    /@ loop invariant inside: at <= i <= close;
       loop invariant behind: \forall integer j; i <= j <= close && string_end(head, j, end) == close ==>
           text_value(head, j, close) == text_value(head, j, end);
       loop assigns i;
       loop variant i;
    @/
    while (i > at) {
        assay_text_closed_step(head, i - 1, close, end);
        i--;
    }
}
*/
