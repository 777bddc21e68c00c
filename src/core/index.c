/* index.c: names and keys, none twice.
 *
 * An insert-only hash table of 2n slots, filled in header order, so that the first insertion that fails
 * is the first repetition. A slot is 0 (empty) or holds a place and a tag, 8 bits of the hash, so that texts
 * which differ are hardly ever compared. Probing is linear and cyclic. A file can't know the seed; should its
 * names collide all the same, the probes of one key are bounded, and so is the work for all keys together: a taken
 * slot that is passed counts 1, a text that is compared 32 and its bytes. Where hashes are even, a key passes half a
 * slot on average, and compares one text in hundreds of keys.
 */
#include "core.h"

/* Unfolds: text_plain, packed_end. */

#define ASSAY_PROBES 256u        /* for one key */
#define ASSAY_INDEX_BATCH 16u    /* keys hashed in one go */
#define ASSAY_WORK_FREE 65536u   /* work for all keys, ... */
#define ASSAY_WORK_PER_BYTE 2u   /* ... and so much more for every byte of the header */
#define ASSAY_WORK_TEXT 32u      /* of a text that is compared, beside its bytes: it must be fetched */

/* Are two texts the same? Takes the work from *budget, which is 0 once it is used up. */
/*@ requires head: end <= ASSAY_END_MAX && \valid_read(head + (0 .. end - 1));
    requires inside: other <= end && text <= end;
    requires budget: \valid(budget);
    terminates \true;
    exits \false;
    assigns *budget;
    ensures same: \result <==> text_value(head, text, end) == text_value(head, other, end);
*/
static bool assay_index_same(const uint8_t *head, uint32_t end, uint32_t other, uint32_t text,
                             uint64_t *budget)
{
    uint64_t same = assay_text_same(head, text, other, end);
    uint64_t work = ASSAY_WORK_TEXT + same / 2u;

    *budget = *budget > work ? *budget - work : 0;
    return same % 2u == 1;
}

/* Looks for the text, from its home on: the slot that holds the same text or, if none does, the first
 * empty one; 2n if there were too many probes or too much work. */
/*@ requires head: end <= ASSAY_END_MAX && \valid_read(head + (0 .. end - 1));
    requires count: 0 < n < 16777215;
    requires keys: \valid_read(key + (0 .. n - 1)) && keys_inside(key, n, end);
    requires slots: \valid_read(slot + (0 .. 2 * n - 1)) && slots_name(slot, 2 * n, n);
    requires text: text <= end && hash == fingerprint(text_value(head, text, end), secret) < 2147483648;
    requires budget: \valid(budget);
    terminates \true;
    exits \false;
    assigns *budget;
    ensures inside: \result <= 2 * n;
    ensures same: \result < 2 * n && slot[\result] != 0 ==>
        text_value(head, key[slot_place(slot[\result])], end) == text_value(head, text, end);
    ensures way: \result < 2 * n && slot[\result] == 0 ==>
        (visited(hash_home(hash, 2 * n), 256, 2 * n, \result) || 2 * n <= 256) &&
        \forall integer q; 0 <= q < 2 * n && on_way(hash_home(hash, 2 * n), \result, q) && q != \result ==>
            slot[q] != 0;
    ensures absent: \forall integer count; \result < 2 * n && slot[\result] == 0 &&
        indexed(head, end, key, count, slot, 2 * n, secret) ==>
            absent(head, end, key, count, text_value(head, text, end));
*/
static uint32_t assay_index_walk(const uint8_t *head, uint32_t end, const uint32_t *key, uint32_t n,
                                 const uint32_t *slot, uint32_t text, uint32_t hash, uint64_t *budget)
    /*@ ghost (uint64_t secret) */
{
    uint32_t size = 2u * n;
    uint32_t home = assay_hash_home(hash, size);
    uint32_t at = home;
    uint32_t probe;

    /*@ loop invariant inside: at < size;
        loop invariant probes: probe <= 256;
        loop invariant step: probe < size ==> at == home + probe || at == home + probe - size;
        loop invariant passed: \forall integer q; 0 <= q < size && visited(home, probe, size, q) ==>
            slot[q] != 0;
        loop invariant others: \forall integer q; 0 <= q < size && visited(home, probe, size, q) &&
            slot_tag(slot[q]) == hash_tag(hash) ==>
                text_value(head, key[slot_place(slot[q])], end) != text_value(head, text, end);
        loop assigns probe, at, *budget;
        loop variant 256 - probe;
    */
    for (probe = 0; probe < ASSAY_PROBES && *budget > 0; probe++) {
        uint32_t value = slot[at];

        if (value == 0) {
            /*@ assert before: \forall integer i, p; placed(slot, size, i, hash, p) ==>
                  visited(home, probe, size, p); */
            /*@ assert other: \forall integer i; stored(slot, size, i, hash) ==>
                  text_value(head, key[i], end) != text_value(head, text, end); */
            return at;
        }
        *budget = *budget - 1u;
        if (assay_slot_tagged(value, hash) &&
            assay_index_same(head, end, key[assay_slot_place(value)], text, budget)) {
            return at;
        }
        at = at + 1u == size ? 0 : at + 1u;
    }
    return size;
}

/* Two slots at a time, as there are two for each key. */
/*@ requires slots: \valid(slot + (0 .. 2 * n - 1));
    requires count: n < 16777215;
    terminates \true;
    exits \false;
    assigns slot[0 .. 2 * n - 1];
    ensures clear: \forall integer s; 0 <= s < 2 * n ==> slot[s] == 0;
*/
static void assay_index_clear(uint32_t *slot, uint32_t n)
{
    /*@ loop invariant clear: i <= n && \forall integer s; 0 <= s < 2 * i ==> slot[s] == 0;
        loop assigns i, slot[0 .. 2 * n - 1];
        loop variant n - i;
    */
    for (uint32_t i = 0; i < n; i++) {
        slot[2u * i] = 0;
        slot[2u * i + 1u] = 0;
    }
}

/* The hash of the text at `at`; name: that of its entry, or 0. */
/*@ requires head: end <= ASSAY_END_MAX && \valid_read(head + (0 .. end - 1));
    requires text: at <= end;
    requires name: name_plain(head, end, at, name);
    requires secret: hash_secret(secret);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures hash: \result == fingerprint(text_value(head, at, end), secret) < 2147483648;
*/
static uint32_t assay_index_hash(const uint8_t *head, uint32_t end, uint32_t at, uint64_t name, uint64_t secret)
{
    if (name < ASSAY_ENTRY_PLAIN) {
        return assay_hash_text(head, at, end, secret);
    }
    uint32_t length = (uint32_t)(name % ASSAY_ENTRY_PLAIN / ASSAY_ENTRY_HIGH);
    //@ ghost assay_text_bytes(head, at, (uint32_t)(at + length), end);
    return assay_hash_bytes(head + at, length, secret);
}

/* The hashes of some texts in one go: the slots of several keys are then fetched at the same time. */
/*@ requires head: end <= ASSAY_END_MAX && \valid_read(head + (0 .. end - 1));
    requires count: count <= ASSAY_INDEX_BATCH && first + count < 16777215;
    requires keys: \valid_read(key + (0 .. first + count - 1)) && keys_inside(key, first + count, end);
    requires entries: entry != \null ==> \valid_read(entry + (0 .. first + count - 1)) &&
        names_plain(head, end, key, entry, first + count);
    requires apart: \separated(hash + (0 .. ASSAY_INDEX_BATCH - 1), entry + (0 .. first + count - 1));
    requires secret: hash_secret(secret);
    requires results: \valid(hash + (0 .. ASSAY_INDEX_BATCH - 1));
    terminates \true;
    exits \false;
    assigns hash[0 .. ASSAY_INDEX_BATCH - 1];
    ensures hashes: \forall integer i; 0 <= i < count ==>
        hash[i] == fingerprint(text_value(head, key[first + i], end), secret) < 2147483648;
*/
static void assay_index_hashes(const uint8_t *head, uint32_t end, const uint32_t *key, const assay_entry *entry,
                               uint32_t first, uint32_t count, uint64_t secret, uint64_t *hash)
{
    /*@ loop invariant inside: i <= count;
        loop invariant entries: entry != \null ==> names_plain(head, end, key, entry, first + count);
        loop invariant hashes: \forall integer j; 0 <= j < i ==>
            hash[j] == fingerprint(text_value(head, key[first + j], end), secret) < 2147483648;
        loop assigns i, hash[0 .. ASSAY_INDEX_BATCH - 1];
        loop variant count - i;
    */
    for (uint32_t i = 0; i < count; i++) {
        uint64_t name = entry == NULL ? 0 : entry[first + i].name;
        hash[i] = assay_index_hash(head, end, key[first + i], name, secret);
    }
}

/* Enters key[place]: n, or the place of an earlier key that it repeats, or n + 1: gave up. */
/*@ requires head: end <= ASSAY_END_MAX && \valid_read(head + (0 .. end - 1));
    requires count: place < n < 16777215;
    requires keys: \valid_read(key + (0 .. n - 1)) && keys_inside(key, n, end);
    requires slots: \valid(slot + (0 .. 2 * n - 1)) && slots_name(slot, 2 * n, place);
    requires apart: \separated(slot + (0 .. 2 * n - 1), key + (0 .. n - 1));
    requires hash: hash == fingerprint(text_value(head, key[place], end), secret) < 2147483648;
    requires indexed: indexed(head, end, key, place, slot, 2 * n, secret);
    requires budget: \valid(budget);
    terminates \true;
    exits \false;
    assigns slot[0 .. 2 * n - 1], *budget;
    ensures result: \result < place || \result == n || \result == n + 1;
    ensures slots: slots_name(slot, 2 * n, place + 1);
    ensures twice: \result < n ==>
        text_value(head, key[\result], end) == text_value(head, key[place], end);
    ensures absent: \result == n ==> absent(head, end, key, place, text_value(head, key[place], end));
    ensures indexed: \result == n ==> indexed(head, end, key, place + 1, slot, 2 * n, secret);
*/
static uint32_t assay_index_enter(const uint8_t *head, uint32_t end, const uint32_t *key, uint32_t n,
                                  uint32_t *slot, uint32_t place, uint32_t hash, uint64_t *budget)
    /*@ ghost (uint64_t secret) */
{
    uint32_t at = assay_hash_home(hash, 2u * n);

    /*@ assert way: \forall integer i, p; placed(slot, 2 * n, i, hash, p) ==> slot[at] != 0; */
    //@ assert none: slot[at] == 0 ==> \forall integer i; !stored(slot, 2 * n, i, hash);
    //@ assert absent: slot[at] == 0 ==> absent(head, end, key, place, text_value(head, key[place], end));
    if (slot[at] != 0) {
        at = assay_index_walk(head, end, key, n, slot, key[place], hash, budget) /*@ ghost (secret) */;
        if (at == 2u * n) {
            return n + 1u;
        }
        if (slot[at] != 0) {
            return assay_slot_place(slot[at]);
        }
    }
    slot[at] = assay_slot(hash, place);
    //@ assert others: \forall integer s; 0 <= s < 2 * n && s != at ==> slot[s] == \at(slot[s], Pre);
    //@ assert named: slots_name{Pre}(slot, 2 * n, place);
    //@ assert keys: \forall integer i; 0 <= i < n ==> key[i] == \at(key[i], Pre);
    //@ assert here: placed(slot, 2 * n, place, hash, at);
    //@ assert new: stored(slot, 2 * n, place, hash);
    /*@ assert still: \forall integer i, h, p; placed{Pre}(\at(slot, Pre), 2 * n, i, h, p) ==>
          placed(slot, 2 * n, i, h, p); */
    /*@ assert old: \forall integer i, h; stored{Pre}(\at(slot, Pre), 2 * n, i, h) ==>
          stored(slot, 2 * n, i, h); */
    return n;
}

assay_status assay_index(const uint8_t *head, uint32_t end, const uint32_t *key, const assay_entry *entry, uint32_t n,
                         uint32_t *slot, uint64_t seed, uint64_t *repeat, uint64_t *earlier)
{
    uint64_t secret = assay_hash_secret(seed);
    uint64_t budget = ASSAY_WORK_FREE + ASSAY_WORK_PER_BYTE * ((uint64_t)end - 8u);
    uint64_t hash[ASSAY_INDEX_BATCH];
    uint32_t count;

    assay_index_clear(slot, n);
    /*@ loop invariant inside: k <= n;
        loop invariant keys: \forall integer i; 0 <= i < n ==> key[i] == \at(key[i], Pre);
        loop invariant entries: entry != \null ==> names_plain(head, end, key, entry, n);
        loop invariant slots: slots_name(slot, 2 * n, k);
        loop invariant distinct: distinct(head, end, key, k);
        loop invariant indexed: indexed(head, end, key, k, slot, 2 * n, secret);
        loop assigns k, count, slot[0 .. 2 * n - 1], hash[0 .. 15], budget;
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k = k + count) {
        count = n - k < ASSAY_INDEX_BATCH ? n - k : ASSAY_INDEX_BATCH;
        assay_index_hashes(head, end, key, entry, k, count, secret, hash);
        /*@ loop invariant inside: i <= count;
            loop invariant keys: \forall integer j; 0 <= j < n ==> key[j] == \at(key[j], Pre);
            loop invariant entries: entry != \null ==> names_plain(head, end, key, entry, n);
            loop invariant slots: slots_name(slot, 2 * n, k + i);
            loop invariant hashes: \forall integer j; 0 <= j < count ==>
                hash[j] == fingerprint(text_value(head, key[k + j], end), secret) < 2147483648;
            loop invariant distinct: distinct(head, end, key, k + i);
            loop invariant indexed: indexed(head, end, key, k + i, slot, 2 * n, secret);
            loop assigns i, slot[0 .. 2 * n - 1], budget;
            loop variant count - i;
        */
        for (uint32_t i = 0; i < count; i++) {
            uint32_t found = assay_index_enter(head, end, key, n, slot, k + i, (uint32_t)hash[i], &budget)
                /*@ ghost (secret) */;
            //@ assert same: \forall integer j; 0 <= j < n ==> key[j] == \at(key[j], Pre);
            if (found > n) {
                return ASSAY_SEED;
            }
            if (found < n) {
                *repeat = k + i;
                *earlier = found;
                return ASSAY_E_NAME_TWICE;
            }
        }
    }
    return ASSAY_OK;
}

uint32_t assay_index_find(const uint8_t *head, uint32_t end, const uint32_t *key, uint32_t n,
                          const uint32_t *slot, uint64_t seed, const uint8_t *name, uint64_t size)
{
    uint64_t secret = assay_hash_secret(seed);
    uint32_t slots = 2u * n;
    uint32_t hash, home, at, probe;

    if (n == 0) {
        return n;
    }
    hash = assay_hash_bytes(name, size, secret);
    home = assay_hash_home(hash, slots);
    at = home;
    /*@ loop invariant inside: at < slots;
        loop invariant probes: probe <= slots && probe <= 256;
        loop invariant step: at == home + probe || at == home + probe - slots;
        loop invariant passed: \forall integer q; 0 <= q < slots && visited(home, probe, slots, q) ==>
            slot[q] != 0;
        loop invariant others: \forall integer q; 0 <= q < slots && visited(home, probe, slots, q) &&
            slot_tag(slot[q]) == hash_tag(hash) ==>
                text_value(head, key[slot_place(slot[q])], end) != bytes_value(name, 0, size);
        loop assigns probe, at;
        loop variant slots - probe;
    */
    for (probe = 0; probe < ASSAY_PROBES && probe < slots; probe++) {
        uint32_t value = slot[at];

        if (value == 0) {
            /*@ assert before: \forall integer i, p; placed(slot, slots, i, hash, p) ==>
                  visited(home, probe, slots, p); */
            break;
        }
        if (assay_slot_tagged(value, hash) &&
            assay_text_order(head, key[assay_slot_place(value)], end, name, size) == 0) {
            return assay_slot_place(value);
        }
        at = at + 1u == slots ? 0 : at + 1u;
    }
    /*@ assert before: \forall integer i, p; placed(slot, slots, i, hash, p) ==>
          visited(home, probe, slots, p); */
    /*@ assert other: \forall integer i; stored(slot, slots, i, hash) ==>
          text_value(head, key[i], end) != bytes_value(name, 0, size); */
    return n;
}
