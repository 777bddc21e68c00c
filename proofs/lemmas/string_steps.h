/* What the proofs know of strings, one character at a time. Ghost functions, no code. */
#ifndef ASSAY_STRING_STEPS_H
#define ASSAY_STRING_STEPS_H

/*@ ghost
/@ requires inside: 0 <= at <= end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures over: at == end ==> string_end(head, at, end) == early(end);
   ensures quote: at < end && head[at] == '"' ==> string_end(head, at, end) == at;
   ensures control: at < end && head[at] < 0x20 ==> string_end(head, at, end) == stop(E_CONTROL, at);
   ensures plain: at < end && 0x20 <= head[at] < 0x80 && head[at] != '"' && head[at] != '\\' ==>
       string_end(head, at, end) == string_end(head, at + 1, end);
   ensures escape: at < end && head[at] == '\\' ==> \let next = escape_end(head, at, end);
       string_end(head, at, end) == (at < next <= end ? string_end(head, next, end) : next);
   ensures utf8: at < end && head[at] >= 0x80 ==> \let next = utf8_end(head, at, end);
       string_end(head, at, end) == (at < next <= end ? string_end(head, next, end) : next);
@/
void assay_string_step(const uint8_t *head, uint32_t at, uint32_t end);
*/

/*@ // A character that is read as it stands, and is one byte.
    predicate plain_byte(integer c) = 0x20 <= c < 0x80 && c != '"' && c != '\\';
*/
/*@ ghost
/@ requires inside: at + run <= end <= ASSAY_END_MAX;
   requires plain: \forall integer i; at <= i < at + run ==> plain_byte(head[i]);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures same: string_end(head, at, end) == string_end(head, at + run, end);
@/
void assay_string_plain(const uint8_t *head, uint32_t at, uint32_t run, uint32_t end);
*/

/*@ // A Unicode scalar value but 0.
    predicate scalar(integer code) = 1 <= code <= 0xD7FF || 0xE000 <= code <= 0x10FFFF;

    predicate four_digits(uint8_t *head, integer at) =
        hex_byte(head[at + 2]) && hex_byte(head[at + 3]) && hex_byte(head[at + 4]) && hex_byte(head[at + 5]);
*/

/* Characters: where they end, what they stand for, and that they do so in their string as in the header. */
/*@ ghost
/@ requires inside: at < end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures next: escape_end(head, at, end) <= end ==> at + 2 <= escape_end(head, at, end);
   ensures value: escape_end(head, at, end) <= end ==> scalar(escape_value(head, at));
   ensures form: escape_end(head, at, end) <= end ==> escape_end(head, at, end) == at + 2
       || escape_end(head, at, end) == at + 6 && four_digits(head, at)
       || escape_end(head, at, end) == at + 12 && four_digits(head, at) && head[at + 6] == '\\'
          && four_digits(head, at + 6);
@/
void assay_escape_lands(const uint8_t *head, uint32_t at, uint32_t end);

/@ requires inside: at < close <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures same: escape_end(head, at, end) <= close ==> escape_end(head, at, close) == escape_end(head, at, end);
@/
void assay_escape_closed(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end);

/@ requires inside: at < end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures some: utf8_end(head, at, end) <= end ==> at < utf8_end(head, at, end) <= at + 4;
   ensures tails: utf8_end(head, at, end) <= end ==>
       \forall integer i; at < i < utf8_end(head, at, end) ==> 0x80 <= head[i];
   ensures value: 0x80 <= head[at] && utf8_end(head, at, end) <= end ==> \let code = utf8_value(head, at);
       0x80 <= code && scalar(code) && utf8_end(head, at, end) == at + utf8_width(code)
       && spells(head, at, end, code);
@/
void assay_utf8_lands(const uint8_t *head, uint32_t at, uint32_t end);

/@ requires inside: at < close <= end;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures same: utf8_end(head, at, end) <= close ==> utf8_end(head, at, close) == utf8_end(head, at, end);
@/
void assay_utf8_closed(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end);
*/

/* Strings that end. */
/*@ predicate lexed_character(uint8_t *head, integer at, integer close, integer end) =
        \let unit = character(head, at, close);
        at < unit % 4294967296 <= close && scalar(unit / 4294967296) && head[at] != '"'
        && string_end(head, unit % 4294967296, end) == close && unit == character(head, at, end)
        && (head[at] >= 0x80 ==> utf8_end(head, at, close) == utf8_end(head, at, end) <= close)
        && (head[at] == '\\' ==> at + 2 <= unit % 4294967296);
*/
/*@ ghost
/@ requires inside: at <= end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures lands: \forall integer i; at <= i <= end && string_end(head, i, end) <= end ==>
       i <= string_end(head, i, end) < end && head[string_end(head, i, end)] == '"';
@/
void assay_string_lands(const uint8_t *head, uint32_t at, uint32_t end);

// The character at `at` of a string that is closed at `close`: as it is read within the string.
/@ requires inside: at < close < end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures lexed: string_end(head, at, end) == close ==> lexed_character(head, at, close, end);
@/
void assay_string_lexed(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end);

// What it says begins with it.
/@ requires inside: at < close < end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures value: string_end(head, at, end) == close ==> \let unit = character(head, at, close);
       text_value(head, at, close) == digits(unit / 4294967296, text_value(head, unit % 4294967296, close));
@/
void assay_text_lexed(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end);

/@ requires inside: at <= end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures over: at == end ==> text_end(head, at, end) == end;
   ensures quote: at < end && head[at] == '"' ==> text_end(head, at, end) == at;
   ensures escape: at + 1 < end && head[at] == '\\' ==> text_end(head, at, end) == text_end(head, at + 2, end);
   ensures last: at + 1 == end && head[at] == '\\' ==> text_end(head, at, end) == text_end(head, at + 1, end);
   ensures byte: at < end && head[at] != '"' && head[at] != '\\' ==>
       text_end(head, at, end) == text_end(head, at + 1, end);
@/
void assay_text_end_step(const uint8_t *head, uint32_t at, uint32_t end);

// It ends where the string ends.
/@ requires inside: at <= end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures closed: string_end(head, at, end) <= end ==> text_end(head, at, end) == string_end(head, at, end);
@/
void assay_text_end_closed(const uint8_t *head, uint32_t at, uint32_t end);

// Where the header ends makes no difference to it.
/@ requires inside: at <= close < end <= ASSAY_END_MAX;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures value: string_end(head, at, end) == close ==>
       text_value(head, at, close) == text_value(head, at, end);
@/
void assay_text_closed(const uint8_t *head, uint32_t at, uint32_t close, uint32_t end);
*/

#endif
