/* index.h: names and keys, none twice. A part of core.h. */
#ifndef ASSAY_INDEX_H
#define ASSAY_INDEX_H

/*@ // What the name of an entry, the key at `at`, says of it: it is plain, if so.
    predicate name_plain{L}(uint8_t *head, integer end, integer at, integer name) =
        name >= 9223372036854775808 ==>
            at == name % 4294967296 && packed_end(name) < end && text_plain(head, at, packed_end(name));

    predicate names_plain{L}(uint8_t *head, integer end, uint32_t *key, assay_entry *entry, integer n) =
        \forall integer k; 0 <= k < n ==> name_plain(head, end, key[k], entry[k].name);
*/

/* Enters the texts that begin at key[0 .. n) one by one. entry: NULL, or what is known of them: some have no escape.
 * ASSAY_OK: all differ after unescaping.
 * ASSAY_E_NAME_TWICE: *repeat is the first that repeats an earlier one, *earlier; else neither is written.
 * ASSAY_SEED: too many probes, or too much work.
 * slot[0 .. 2n) is the index. end: where the header ends; n < 2^24. */
/*@ requires head: 8 <= end <= ASSAY_END_MAX && \valid_read(head + (0 .. end - 1));
    requires count: n < 16777215;
    requires keys: \valid_read(key + (0 .. n - 1)) && keys_inside(key, n, end);
    requires entries: entry != \null ==>
        \valid_read(entry + (0 .. n - 1)) && names_plain(head, end, key, entry, n);
    requires slots: \valid(slot + (0 .. 2 * n - 1));
    requires results: \valid(repeat) && \valid(earlier);
    requires apart: \separated(slot + (0 .. 2 * n - 1), key + (0 .. n - 1)) && \separated(repeat, earlier);
    terminates \true;
    exits \false;
    assigns slot[0 .. 2 * n - 1], *repeat, *earlier;
    ensures status: \result == ASSAY_OK || \result == ASSAY_E_NAME_TWICE || \result == ASSAY_SEED;
    ensures slots: slots_name(slot, 2 * n, n);
    ensures valid: \result == ASSAY_OK ==>
        distinct(head, end, key, n) && indexed(head, end, key, n, slot, 2 * n, secret(seed));
    ensures places: \result == ASSAY_E_NAME_TWICE ==> *earlier < *repeat < n;
    ensures twice: \result == ASSAY_E_NAME_TWICE ==>
        text_value(head, key[*repeat], end) == text_value(head, key[*earlier], end);
    ensures first: \result == ASSAY_E_NAME_TWICE ==> distinct(head, end, key, *repeat);
    ensures kept: \result != ASSAY_E_NAME_TWICE ==> *repeat == \old(*repeat) && *earlier == \old(*earlier);
*/
assay_status assay_index(const uint8_t *head, uint32_t end, const uint32_t *key, const assay_entry *entry, uint32_t n,
                         uint32_t *slot, uint64_t seed, uint64_t *repeat, uint64_t *earlier);

/* The place of the key that is the same text as name[0 .. size), UTF-8; n if there is none. */
/*@ requires head: end <= ASSAY_END_MAX && \valid_read(head + (0 .. end - 1));
    requires count: n < 16777215;
    requires keys: \valid_read(key + (0 .. n - 1)) && keys_inside(key, n, end);
    requires slots: \valid_read(slot + (0 .. 2 * n - 1)) && slots_name(slot, 2 * n, n);
    requires name: \valid_read(name + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures place: \result <= n;
    ensures found: \result < n ==> text_value(head, key[\result], end) == bytes_value(name, 0, size);
    ensures absent: \result == n && indexed(head, end, key, n, slot, 2 * n, secret(seed)) ==>
        absent(head, end, key, n, bytes_value(name, 0, size));
*/
uint32_t assay_index_find(const uint8_t *head, uint32_t end, const uint32_t *key, uint32_t n,
                          const uint32_t *slot, uint64_t seed, const uint8_t *name, uint64_t size);

#endif
