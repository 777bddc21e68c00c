/* dtype_lemmas.h: the name of a dtype within the number that eight bytes make. Ghost functions, no code. */
#ifndef ASSAY_DTYPE_LEMMAS_H
#define ASSAY_DTYPE_LEMMAS_H

#include "string_steps.h"
#include "tensor_steps.h"

/*@ // This byte is plain, or above all that the number has.
    predicate plain_of(integer name, integer unit) = plain_byte(byte_of(name, unit)) || name < unit;
*/
/*@ ghost
// The name of a dtype that ends within eight bytes.
/@ requires head: head_ok(head, end) && 1 <= at && at + 8 <= end;
   requires bytes: bytes_of(head, at, sum);
   requires names: names_dtype(sum, size, dtype);
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures end: dtype_end(head, at - 1, end) == at + size + 1;
   ensures dtype: dtype_at(head, at - 1, end) == dtype;
@/
void assay_dtype_text(const uint8_t *head, uint32_t at, uint32_t end, uint64_t sum, uint32_t size, uint32_t dtype);

/@ requires head: \valid_read(head + (at .. at + 7));
   requires bytes: bytes_of(head, at, sum);
   requires size: size == 2 || size == 3 || size == 4 || size == 7;
   requires quote: head[at + size] == '"' && head[at + size - 1] != 0;
   requires known: dtype == dtype_of(low_bytes(sum, size), 0) && 1 <= dtype <= 22;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures names: names_dtype(sum, size, dtype);
@/
void assay_dtype_names(const uint8_t *head, uint32_t at, uint64_t sum, uint32_t size, uint32_t dtype);

// U8 and a quote.
/@ requires text: text == 0x223855;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures names: names_dtype(text, 2, ASSAY_DTYPE_U8);
@/
void assay_dtype_first(uint64_t text);
*/

#endif
