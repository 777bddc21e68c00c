/* dtype_lemmas.h: the name of a dtype within the number that eight bytes make. Ghost functions, no code. */
#ifndef ASSAY_DTYPE_LEMMAS_H
#define ASSAY_DTYPE_LEMMAS_H

#include "string_steps.h"

/*@ // One byte of a number, and all of them but the highest.
    logic integer byte_of(integer sum, integer unit) = sum / unit % 256;
    predicate bytes_of{L}(uint8_t *head, integer at, integer sum) =
        head[at] == byte_of(sum, 1) && head[at + 1] == byte_of(sum, 0x100) && head[at + 2] == byte_of(sum, 0x10000)
        && head[at + 3] == byte_of(sum, 0x1000000) && head[at + 4] == byte_of(sum, 0x100000000)
        && head[at + 5] == byte_of(sum, 0x10000000000) && head[at + 6] == byte_of(sum, 0x1000000000000);

    // The number that the lowest bytes make.
    logic integer low_bytes(integer sum, integer size) =
        size == 3 ? sum % 0x1000000 : size == 2 ? sum % 0x10000 : size == 4 ? sum % 0x100000000
        : sum % 0x100000000000000;

    // This byte is plain, or above all that the number has.
    predicate plain_of(integer name, integer unit) = plain_byte(byte_of(name, unit)) || name < unit;
*/
/*@ ghost
// The name of a dtype that ends within eight bytes.
/@ requires head: head_ok(head, end) && at + 8 <= end;
   requires bytes: bytes_of(head, at, sum);
   requires size: size == 2 || size == 3 || size == 4 || size == 7;
   requires quote: head[at + size] == '"' && head[at + size - 1] != 0;
   requires known: dtype_of(low_bytes(sum, size), 0) != 0;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures closes: string_end(head, at, end) == at + size;
   ensures named: dtype_named(head, at, at + size) == dtype_of(low_bytes(sum, size), 0);
   ensures plain: has_escape(head, at, at + size) == 0;
@/
void assay_dtype_text(const uint8_t *head, uint32_t at, uint32_t end, uint64_t sum, uint32_t size);
*/

#endif
