/* Strings: strict UTF-8, escapes, no control bytes. Rules H1 header_early, H5 control; escape.c, utf8.c. */
#include "string_steps.h"

assay_step assay_string(const uint8_t *head, uint32_t at, uint32_t end)
{
    /*@ loop invariant at: \at(at, Pre) <= at <= end;
        loop invariant exact: string_end(head, \at(at, Pre), end) == string_end(head, at, end);
        loop assigns at;
        loop variant end - at;
    */
    while (at < end) {
        //@ ghost assay_string_step(head, at, end);
        uint8_t c = head[at];
        if (c == '"') {
            return at;
        }
        if (c >= 0x20u && c < 0x80u && c != '\\') {
            at = at + 1u;
            continue;
        }
        if (c < 0x20u) {
            return ASSAY_STOP(ASSAY_E_CONTROL, at);
        }
        assay_step step = c == '\\' ? assay_escape(head, at, end) : assay_utf8(head, at, end);
        if (step >= ASSAY_STOPPED) {
            return step;
        }
        at = (uint32_t)step;
    }
    //@ ghost assay_string_step(head, at, end);
    return ASSAY_STOP(ASSAY_E_HEADER_EARLY, end);
}
