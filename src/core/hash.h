/* hash.h: a keyed hash of texts, and the slots of an index. A part of core.h. */
#ifndef ASSAY_HASH_H
#define ASSAY_HASH_H

/* The two secret numbers that a seed stands for: the first * 2^32 + the second. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures secret: \result == secret(seed);
    ensures range: hash_secret(\result);
*/
uint64_t assay_hash_secret(uint64_t seed);

/* The hash, below 2^31, of the text that begins at `at`, or of size bytes of UTF-8: equal for equal texts. */
/*@ requires inside: at <= end;
    requires head: head_ok(head, end);
    requires secret: hash_secret(secret);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures hash: \result == fingerprint(text_value(head, at, end), secret);
    ensures range: \result < 2147483648;
*/
uint32_t assay_hash_text(const uint8_t *head, uint32_t at, uint32_t end, uint64_t secret);

/* A hash of groups, and a group of which not all is there: the next byte counts `unit`. */
/*@ predicate hash_partial(integer hash, integer group, integer unit) =
        0 <= hash < 25769803776 && 0 <= group < unit &&
        (unit == 1 || unit == 256 || unit == 65536 || unit == 16777216 || unit == 4294967296
         || unit == 1099511627776 || unit == 281474976710656 || unit == 72057594037927936);
*/

/* The same of any text, byte by byte, and behind such a beginning: apart, so that plain texts don't pay for it. */
/*@ requires inside: at <= end;
    requires head: head_ok(head, end);
    requires secret: hash_secret(secret);
    requires partial: hash_partial(hash, group, unit);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures hash: \result == hash_value(text_value(head, at, end), secret, hash, group, unit);
    ensures range: \result < 25769803776;
*/
uint64_t assay_hash_escaped(const uint8_t *head, uint32_t at, uint32_t end, uint64_t secret, uint64_t hash,
                            uint64_t group, uint64_t unit);

/*@ requires readable: \valid_read(bytes + (0 .. size - 1));
    requires secret: hash_secret(secret);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures hash: \result == fingerprint(bytes_value(bytes, 0, size), secret);
    ensures range: \result < 2147483648;
*/
uint32_t assay_hash_bytes(const uint8_t *bytes, uint64_t size, uint64_t secret);

/* A slot of an index: never 0. It holds a place, and the tag: 8 bits of a hash. */
/*@ requires place: place < 16777215;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures some: \result != 0;
    ensures place: slot_place(\result) == place;
    ensures tag: slot_tag(\result) == hash_tag(hash);
*/
uint32_t assay_slot(uint32_t hash, uint32_t place);

/*@ requires some: 0 <= slot_place(slot);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures place: \result == slot_place(slot);
*/
uint32_t assay_slot_place(uint32_t slot);

/* Does the slot bear the hash's tag? If not, it holds another text. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures tag: \result <==> slot_tag(slot) == hash_tag(hash);
*/
bool assay_slot_tagged(uint32_t slot, uint32_t hash);

/* Where a table of so many slots is first looked at. */
/*@ requires range: hash < 2147483648 && 0 < size;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures home: \result == hash_home(hash, size);
    ensures inside: \result < size;
*/
uint32_t assay_hash_home(uint32_t hash, uint32_t size);

#endif
