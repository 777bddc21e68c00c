/* text.c: strings of the header that the lexer has accepted: where they end, and how they compare with other bytes.
 *
 * A text begins after its opening quote and ends at the first quote that no backslash escapes. Texts are compared by
 * their unescaped bytes; for well-formed UTF-8 that is by their code points.
 *
 * Every function is total: for bytes that the lexer would refuse, it returns some result and reads nothing else.
 */
#include "core.h"

static uint32_t assay_text_end(const uint8_t *head, uint32_t at, uint32_t end)
{
    uint32_t pos = at;

    //@ ghost assay_text_end_closed(head, at, end);
    /*@ loop invariant inside: at <= pos <= end;
        loop invariant exact: text_end(head, at, end) == text_end(head, pos, end);
        loop assigns pos;
        loop variant end - pos;
    */
    while (pos < end && head[pos] != '"') {
        //@ ghost assay_text_end_step(head, pos, end);
        pos += head[pos] == '\\' && end - pos > 1u ? 2u : 1u;
    }
    //@ ghost assay_text_end_step(head, pos, end);
    return pos;
}

static int assay_text_order(const uint8_t *head, uint32_t at, uint32_t end, const uint8_t *bytes, uint64_t size)
{
    uint32_t run = assay_equal_run(head + at, bytes, 0, size < end - at ? (uint32_t)size : end - at);
    uint32_t cursor = 4u * (at + run);
    uint64_t k = run;

    //@ ghost assay_text_run_order(head, at, end, bytes, size, run);
    //@ ghost assay_cursor_plain(head, end, cursor);
    //@ ghost assay_text_natural(head, at, end);
    //@ ghost assay_bytes_natural(bytes, size);
    //@ ghost assay_value_first();
    //@ ghost assay_value_order();
    /*@ loop invariant inside: k <= size && cursor <= 4 * end;
        loop invariant ok: cursor_ok(head, cursor, end);
        loop invariant natural: 0 <= cursor_value(head, cursor, end);
        loop invariant same: cursor_value(head, cursor, end) == bytes_value(bytes, k, size) <==>
            text_value(head, at, end) == bytes_value(bytes, 0, size);
        loop invariant exact: value_order(cursor_value(head, cursor, end), bytes_value(bytes, k, size)) ==
            value_order(text_value(head, at, end), bytes_value(bytes, 0, size));
        loop assigns cursor, k;
        loop variant size - k;
    */
    while (true) {
        //@ ghost assay_bytes_step(bytes, k, size);
        uint64_t symbol = assay_symbol_any(head, end, cursor);
        uint64_t byte = symbol / 4294967296u;
        uint64_t other = k < size ? bytes[k] + UINT64_C(1) : 0;
        //@ assert byte: byte == 1 + value_first(cursor_value(head, cursor, end));
        //@ assert other: other == 1 + value_first(bytes_value(bytes, k, size));
        if (byte != other || byte == 0) {
            return byte < other ? -1 : byte > other;
        }
        //@ assert rest: value_rest(bytes_value(bytes, k, size)) == bytes_value(bytes, k + 1, size);
        cursor = (uint32_t)(symbol % 4294967296u);
        k++;
    }
}
