/* string_lexed.c: what is known of a string once the lexer has let it pass. Ghost functions, no code. */
#include "core.h"

/* Unfolds: character, escape, utf8. */

/*@ ghost
/@ requires inside: at < end <= ASSAY_END_MAX;
   requires behind: \forall integer i; at < i <= end && string_end(head, i, end) <= end ==>
       i <= string_end(head, i, end) < end && head[string_end(head, i, end)] == '"';
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures here: string_end(head, at, end) <= end ==>
       at <= string_end(head, at, end) < end && head[string_end(head, at, end)] == '"';
@/
void assay_string_lands_step(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_string_step(head, at, end);
    assay_escape_lands(head, at, end);
    assay_utf8_lands(head, at, end);
}

void assay_string_lands(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t i = end;

    assay_string_step(head, end, end);
    /@ loop invariant inside: at <= i <= end;
       loop invariant behind: \forall integer j; i <= j <= end && string_end(head, j, end) <= end ==>
           j <= string_end(head, j, end) < end && head[string_end(head, j, end)] == '"';
       loop assigns i;
       loop variant i;
    @/
    while (i > at) {
        assay_string_lands_step(head, i - 1, end);
        i--;
    }
}

/@ requires inside: at < close <= end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures plain: head[at] < 0x80 && head[at] != '\\' ==> \let unit = character(head, at, close);
       unit / 4294967296 == head[at] && unit % 4294967296 == at + 1 && unit == character(head, at, end);
@/
void assay_lexed_plain(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end)
{
}

/@ requires inside: at < close <= end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures escape: head[at] == '\\' && escape_end(head, at, end) <= close ==> \let unit = character(head, at, close);
       scalar(unit / 4294967296) && unit % 4294967296 == escape_end(head, at, end)
       && unit == character(head, at, end);
@/
void assay_lexed_escape(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end)
{
    assay_escape_lands(head, at, end);
    assay_escape_closed(head, at, close, end);
    /@ assert parts: \let value = escape_value(head, at); \let next = escape_end(head, at, end);
         next <= close ==> unit(value, next) / 4294967296 == value && unit(value, next) % 4294967296 == next; @/
}

/@ requires inside: at < close <= end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures utf8: head[at] >= 0x80 && utf8_end(head, at, end) <= close ==> \let unit = character(head, at, close);
       0x80 <= unit / 4294967296 && scalar(unit / 4294967296) && unit % 4294967296 == utf8_end(head, at, end)
       && unit == character(head, at, end);
@/
void assay_lexed_utf8(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end)
{
    assay_utf8_lands(head, at, end);
    assay_utf8_closed(head, at, close, end);
}

void assay_string_lexed(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end)
{
    assay_string_lands(head, at, end);
    assay_string_step(head, at, end);
    assay_escape_lands(head, at, end);
    assay_utf8_lands(head, at, end);
    assay_lexed_plain(head, at, close, end);
    assay_lexed_escape(head, at, close, end);
    assay_lexed_utf8(head, at, close, end);
}

/@ requires inside: at < end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures escape: head[at] == '\\' && escape_end(head, at, end) <= end ==>
       text_end(head, at, end) == text_end(head, escape_end(head, at, end), end);
@/
void assay_text_end_escape(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_escape_lands(head, at, end);
    assay_text_end_step(head, at, end);
    if (end - at >= 6) {
        assay_text_end_step(head, at + 2, end);
        assay_text_end_step(head, at + 3, end);
        assay_text_end_step(head, at + 4, end);
        assay_text_end_step(head, at + 5, end);
    }
    if (end - at >= 12) {
        assay_text_end_step(head, at + 6, end);
        assay_text_end_step(head, at + 8, end);
        assay_text_end_step(head, at + 9, end);
        assay_text_end_step(head, at + 10, end);
        assay_text_end_step(head, at + 11, end);
    }
}

/@ requires inside: at < end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures utf8: head[at] >= 0x80 && utf8_end(head, at, end) <= end ==>
       text_end(head, at, end) == text_end(head, utf8_end(head, at, end), end);
@/
void assay_text_end_utf8(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_utf8_lands(head, at, end);
    assay_text_end_step(head, at, end);
    if (end - at >= 2) {
        assay_text_end_step(head, at + 1, end);
        if (end - at >= 3) {
            assay_text_end_step(head, at + 2, end);
            if (end - at >= 4) {
                assay_text_end_step(head, at + 3, end);
            }
        }
    }
}

/@ requires inside: at < end <= ASSAY_END_MAX;
   requires behind: \forall integer i; at < i <= end && string_end(head, i, end) <= end ==>
       text_end(head, i, end) == string_end(head, i, end);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures here: string_end(head, at, end) <= end ==> text_end(head, at, end) == string_end(head, at, end);
@/
void assay_text_end_closed_step(const uint8_t *head, uint32_t at, uint32_t end)
{
    assay_string_step(head, at, end);
    assay_text_end_step(head, at, end);
    assay_escape_lands(head, at, end);
    assay_utf8_lands(head, at, end);
    assay_text_end_escape(head, at, end);
    assay_text_end_utf8(head, at, end);
}

void assay_text_end_closed(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t i = end;

    assay_string_step(head, end, end);
    /@ loop invariant inside: at <= i <= end;
       loop invariant behind: \forall integer j; i <= j <= end && string_end(head, j, end) <= end ==>
           text_end(head, j, end) == string_end(head, j, end);
       loop assigns i;
       loop variant i;
    @/
    while (i > at) {
        assay_text_end_closed_step(head, i - 1, end);
        i--;
    }
}
*/
