/* whole.c: stage G, the whole file: no key and no name twice, each byte of the data in one tensor.
 * Rules G1 metadata_key_twice, G2 name_twice; the status seed. */
#include "judge_steps.h"
#include "layout_steps.h"

/* Unfolds: packed_end. */

/* A key of an index, at head[at] behind its opening quote, that repeats an earlier one. */
/*@ requires error: \valid(error);
    requires at: 1 <= at;
    terminates \true;
    exits \false;
    assigns *error;
    ensures status: \result == status && error->status == status;
    ensures offset: error->offset == at - 1;
*/
static assay_status assay_error_twice(assay_error *error, assay_status status, uint32_t at, uint64_t earlier)
{
    error->status = status;
    error->offset = at - 1u;
    error->other = earlier;
    return status;
}

/* G1: no metadata key twice. word[0 .. pairs) holds the keys, the index comes behind them. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires count: pairs < 16777215;
    requires words: \valid(word + (0 .. 3 * pairs - 1)) && texts_ok(word, 0, pairs, end);
    requires keys: keys_say(word, head, end, pairs);
    requires error: \valid(error) && error->status == ASSAY_OK && \separated(error, entry + (0 .. tensors - 1));
    terminates \true;
    exits \false;
    assigns word[pairs .. 3 * pairs - 1], *error;
    ensures status: \result == ASSAY_OK || \result == ASSAY_E_METADATA_KEY_TWICE || \result == ASSAY_SEED;
    ensures error: error->status == \result;
    ensures differ: \result == ASSAY_OK ==> keys_differ(head, end, pairs);
    ensures twice: \result == ASSAY_E_METADATA_KEY_TWICE ==> \forall integer n;
        judged_names(head, end, pairs, n, E_METADATA_KEY_TWICE, error->offset);
    ensures keys: keys_inside(word, pairs, end);
    ensures index: slots_name(word + pairs, 2 * pairs, pairs);
    ensures indexed: \result == ASSAY_OK ==>
        indexed(head, end, word, pairs, word + pairs, 2 * pairs, secret(seed));
    ensures entries: entries_same{Pre, Post}(entry, tensors);
*/
static assay_status assay_judge_keys(const uint8_t *head, uint32_t end, uint32_t *word, uint32_t pairs, uint64_t seed,
                                     assay_error *error)
    /*@ ghost (const assay_entry *entry, uint32_t tensors) */
{
    uint64_t repeat = 0;
    uint64_t earlier = 0;
    assay_status status = assay_index(head, end, word, NULL, pairs, word + pairs, seed, &repeat, &earlier);
    //@ assert kept: words_same{Pre, Here}(word, 0, pairs);
    //@ assert say: keys_say(word, head, end, pairs);
    //@ ghost assay_keys_judged(head, end, word, pairs);
    if (status == ASSAY_E_NAME_TWICE) {
        //@ ghost assay_key_repeats(head, end, word, pairs, (uint32_t)earlier, (uint32_t)repeat);
        error->found = repeat;
        return assay_error_twice(error, ASSAY_E_METADATA_KEY_TWICE, word[repeat], earlier);
    }
    return assay_error_status(error, status);
}

/* Copies where the names begin next to each other, for the index. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && entries_ok(entry, n, end) &&
        entries_say(entry, head, end, n);
    requires name: \valid(name + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns name[0 .. n - 1];
    ensures names: texts_ok(name, 0, n, end);
    ensures say: names_say(name, head, end, n);
*/
static void assay_names(const assay_entry *entry, uint32_t n, uint32_t *name)
    /*@ ghost (const uint8_t *head, uint32_t end) */
{
    /*@ loop invariant place: 0 <= k <= n;
        loop invariant names: texts_ok(name, 0, k, end);
        loop invariant say: names_say(name, head, end, k);
        loop assigns k, name[0 .. n - 1];
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        //@ assert entry: entry_ok(entry + k, end) && entry_says(entry + k, head, end, k);
        name[k] = (uint32_t)(entry[k].name % ASSAY_ENTRY_HIGH);
    }
}

/* G2: no tensor name twice. name[0 .. n) becomes the names, the index comes behind them. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires count: n < 16777215;
    requires entries: \valid_read(entry + (0 .. n - 1)) && entries_ok(entry, n, end) &&
        entries_say(entry, head, end, n);
    requires name: \valid(name + (0 .. 3 * n - 1));
    requires error: \valid(error) && error->status == ASSAY_OK && \separated(error, entry + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns name[0 .. 3 * n - 1], *error;
    ensures status: \result == ASSAY_OK || \result == ASSAY_E_NAME_TWICE || \result == ASSAY_SEED;
    ensures error: error->status == \result;
    ensures differ: \result == ASSAY_OK ==> names_differ(head, end, n);
    ensures twice: \result == ASSAY_E_NAME_TWICE ==> \forall integer m; keys_differ(head, end, m) ==>
        judged_names(head, end, m, n, E_NAME_TWICE, error->offset);
    ensures names: keys_inside(name, n, end) && names_say(name, head, end, n);
    ensures index: slots_name(name + n, 2 * n, n);
    ensures indexed: \result == ASSAY_OK ==> indexed(head, end, name, n, name + n, 2 * n, secret(seed));
    ensures entries: entries_same{Pre, Post}(entry, n);
*/
static assay_status assay_judge_names(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t *name,
                                      uint32_t n, uint64_t seed, assay_error *error)
{
    uint64_t repeat = 0;
    uint64_t earlier = 0;
    assay_names(entry, n, name) /*@ ghost (head, end) */;
    //@ assert plain: names_plain(head, end, name, entry, n);
    //@ ghost Named: ;
    assay_status status = assay_index(head, end, name, entry, n, name + n, seed, &repeat, &earlier);
    //@ assert kept: words_same{Named, Here}(name, 0, n);
    //@ assert say: names_say(name, head, end, n);
    //@ ghost assay_names_judged(head, end, name, n);
    if (status == ASSAY_E_NAME_TWICE) {
        //@ ghost assay_name_repeats(head, end, name, n, (uint32_t)earlier, (uint32_t)repeat);
        error->tensor = repeat;
        return assay_error_twice(error, ASSAY_E_NAME_TWICE, name[repeat], earlier);
    }
    return assay_error_status(error, status);
}

/* G2 behind the layout order, which stays as it is. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires count: n < 16777215;
    requires entries: \valid_read(entry + (0 .. n - 1)) && entries_ok(entry, n, end) &&
        entries_say(entry, head, end, n);
    requires order: \valid(order + (0 .. 4 * n - 1)) && layout_order(entry, order, n);
    requires error: \valid(error) && error->status == ASSAY_OK && \separated(error, entry + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns order[n .. 4 * n - 1], *error;
    ensures status: \result == ASSAY_OK || \result == ASSAY_E_NAME_TWICE || \result == ASSAY_SEED;
    ensures error: error->status == \result;
    ensures differ: \result == ASSAY_OK ==> names_differ(head, end, n);
    ensures twice: \result == ASSAY_E_NAME_TWICE ==> \forall integer m; keys_differ(head, end, m) ==>
        judged_names(head, end, m, n, E_NAME_TWICE, error->offset);
    ensures names: keys_inside(order + n, n, end) && names_say(order + n, head, end, n);
    ensures index: slots_name(order + 2 * n, 2 * n, n);
    ensures indexed: \result == ASSAY_OK ==> indexed(head, end, order + n, n, order + 2 * n, 2 * n, secret(seed));
    ensures entries: entries_same{Pre, Post}(entry, n);
    ensures order: layout_order(entry, order, n);
*/
static assay_status assay_judge_behind(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t *order,
                                       uint32_t n, uint64_t seed, assay_error *error)
{
    //@ assert places: \forall integer p; 0 <= p < n ==> order[p] < n;
    //@ assert distinct: distinct(order, n);
    //@ assert among: \forall integer v; 0 <= v < n ==> among(order, 0, n, v);
    //@ assert before: \forall integer p, q; 0 <= p < q < n ==> layout_before(entry, order[p], order[q]);
    assay_status status = assay_judge_names(head, end, entry, order + n, n, seed, error);
    //@ assert same: \forall integer p; 0 <= p < n ==> order[p] == \at(order[p], Pre) && order[p] < n;
    /*@ assert ranks: \forall integer u, v; 0 <= u < n && 0 <= v < n && layout_before{Pre}(entry, u, v) ==>
            layout_before(entry, u, v); */
    /*@ assert before_same: \forall integer p, q; 0 <= p < q < n ==>
            layout_before{Pre}(entry, order[p], order[q]); */
    /*@ assert before_still: \forall integer p, q; 0 <= p < q < n ==>
            layout_before(entry, order[p], order[q]); */
    //@ assert ascends: layout_ascends(entry, order, 0, n);
    //@ assert distinct_still: \forall integer p, q; 0 <= p < q < n ==> order[p] != order[q];
    //@ assert still: \forall integer v; among{Pre}(order, 0, n, v) ==> among(order, 0, n, v);
    //@ assert among_still: \forall integer v; 0 <= v < n ==> among(order, 0, n, v);
    //@ assert places_still: places(order, 0, n, n);
    return status;
}

/* G3 to G6. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires count: n < 16777215;
    requires file: end + data_size <= UINT64_MAX;
    requires entries: \valid_read(entry + (0 .. n - 1)) && entries_ok(entry, n, end) &&
        entries_say(entry, head, end, n);
    requires order: \valid_read(order + (0 .. n - 1)) && layout_order(entry, order, n);
    requires error: \valid(error) && error->status == ASSAY_OK && \separated(error, entry + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns *error;
    ensures status: \result == ASSAY_OK || ASSAY_E_TRUNCATED <= \result <= ASSAY_E_EMPTY_INSIDE;
    ensures error: error->status == \result;
    ensures judged: \result != ASSAY_OK ==> judged_data(head, end, n, data_size, \result, error->offset);
    ensures partition: \result == ASSAY_OK ==> partition(entry, n, data_size);
    ensures data: \result == ASSAY_OK ==> data_there(head, end, n, data_size) &&
        sound_below(head, end, n, data_size) && \forall integer p; !empty_inside(head, end, n, p);
    ensures entries: entries_same{Pre, Post}(entry, n);
    ensures say: entries_say(entry, head, end, n);
*/
static assay_status assay_judge_data(uint32_t end, uint64_t data_size, const assay_entry *entry, uint32_t n,
                                     const uint32_t *order, assay_error *error)
    /*@ ghost (const uint8_t *head) */
{
    //@ assert intervals: \forall integer i; 0 <= i < n ==> entry_ok(entry + i, end);
    //@ ghost assay_data_judged(head, end, entry, n, data_size);
    assay_status status = assay_layout(entry, order, n, end, data_size, error);
    //@ assert same: entries_same{Pre, Here}(entry, n);
    //@ assert said: \forall integer i; 0 <= i < n ==> entry_says{Pre}(entry + i, head, end, i);
    /*@ assert each: \forall integer i; 0 <= i < n && entry_says{Pre}(entry + i, head, end, i) ==>
            entry_says(entry + i, head, end, i); */
    //@ ghost assay_data_judged(head, end, entry, n, data_size);
    return status;
}

/* The layout order, said of the bytes. */
/*@ ghost
    /@ requires entries: entries_say(entry, head, end, n);
       requires order: layout_order(entry, order, n) && n <= 4294967295;
       terminates \true;
       exits \false;
       assigns \nothing;
       ensures order: order_says(order, head, end, n);
    @/
    static void assay_order_judged(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t n,
                                   const uint32_t *order)
    {
        /@ assert says: \forall integer i; 0 <= i < n ==> entry_says(entry + i, head, end, i); @/
        /@ assert begins: \forall integer i; 0 <= i < n ==> entry[i].begin == tensor_begin(head, end, i); @/
        /@ assert ends: \forall integer i; 0 <= i < n ==> entry[i].end == tensor_finish(head, end, i); @/
        /@ assert before: \forall integer i, j; 0 <= i < n && 0 <= j < n && layout_before(entry, i, j) ==>
              tensor_before(head, end, i, j); @/
        /@ assert places: \forall integer p; 0 <= p < n ==> 0 <= order[p] < n; @/
    }
*/

/* G2 to G6. order[0 .. n) becomes the layout order, the names and their index come behind it. Tensors that are linked
 * in the header and end where the data ends keep G3 to G6. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires count: n < 16777215;
    requires file: end + data_size <= UINT64_MAX;
    requires entries: \valid_read(entry + (0 .. n - 1)) && entries_ok(entry, n, end) &&
        entries_say(entry, head, end, n);
    requires order: \valid(order + (0 .. 4 * n - 1));
    requires error: \valid(error) && error->status == ASSAY_OK && \separated(error, entry + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns order[0 .. 4 * n - 1], *error;
    ensures status: \result == ASSAY_OK || \result == ASSAY_SEED ||
        ASSAY_E_NAME_TWICE <= \result <= ASSAY_E_EMPTY_INSIDE;
    ensures error: error->status == \result;
    ensures twice: \result == ASSAY_E_NAME_TWICE ==> \forall integer m; keys_differ(head, end, m) ==>
        judged_names(head, end, m, n, E_NAME_TWICE, error->offset);
    ensures judged: \result >= ASSAY_E_TRUNCATED ==> names_differ(head, end, n) &&
        judged_data(head, end, n, data_size, \result, error->offset);
    ensures whole: \result == ASSAY_OK ==> names_differ(head, end, n) && data_there(head, end, n, data_size) &&
        sound_below(head, end, n, data_size) && \forall integer p; !empty_inside(head, end, n, p);
    ensures order: \result == ASSAY_OK ==> words_below(order, n, n) && order_says(order, head, end, n);
    ensures names: \result == ASSAY_OK ==> keys_inside(order + n, n, end) && names_say(order + n, head, end, n);
    ensures index: \result == ASSAY_OK ==> slots_name(order + 2 * n, 2 * n, n) &&
        indexed(head, end, order + n, n, order + 2 * n, 2 * n, secret(seed));
    ensures partition: \result == ASSAY_OK ==> partition(entry, n, data_size);
    ensures entries: \result == ASSAY_OK ==> entries_ok(entry, n, end) && entries_say(entry, head, end, n);
*/
static assay_status assay_judge_tensors(const uint8_t *head, uint32_t end, uint64_t data_size, const assay_entry *entry,
                                        uint32_t n, uint32_t *order, uint64_t seed, assay_error *error)
{
    //@ assert intervals: \forall integer i; 0 <= i < n ==> entry_ok(entry + i, end);
    uint64_t reach = assay_order_linked(entry, n, order);
    if (reach == ASSAY_NONE) {
        assay_order(entry, n, order, order + n);
    }
    //@ ghost Ordered: ;
    assay_status status = assay_judge_behind(head, end, entry, order, n, seed, error);
    //@ assert order_kept: \forall integer p; 0 <= p < n ==> order[p] == \at(order[p], Ordered);
    //@ assert kept: entries_same{Pre, Here}(entry, n);
    //@ assert says: entries_say(entry, head, end, n);
    //@ assert ok: entries_ok(entry, n, end);
    //@ ghost assay_order_judged(head, end, entry, n, order);
    //@ assert places: \forall integer p; 0 <= p < n ==> 0 <= order[p] < n;
    //@ assert linked: reach == data_size ==> layout_linked(entry, order, n, data_size);
    //@ ghost if (reach == data_size) assay_layout_partition(entry, order, n, data_size);
    //@ ghost assay_data_judged(head, end, entry, n, data_size);
    if (status != ASSAY_OK || reach == data_size) {
        return status;
    }
    //@ ghost Ready: ;
    status = assay_judge_data(end, data_size, entry, n, order, error) /*@ ghost (head) */;
    /*@ assert each: \forall integer i; 0 <= i < n && entry_ok{Ready}(entry + i, end) ==>
            entry_ok(entry + i, end); */
    return status;
}

assay_status assay_judge_whole(const uint8_t *head, uint32_t end, uint64_t data_size, const assay_entry *entry,
                               uint32_t tensors, uint32_t *word, uint32_t pairs, uint64_t seed, assay_error *error)
{
    assay_status status = assay_judge_keys(head, end, word, pairs, seed, error) /*@ ghost (entry, tensors) */;
    if (status != ASSAY_OK) {
        return status;
    }
    //@ ghost Keyed: ;
    //@ assert ok: entries_ok(entry, tensors, end);
    //@ assert says: entries_say(entry, head, end, tensors);
    status = assay_judge_tensors(head, end, data_size, entry, tensors, word + 3u * pairs, seed, error);
    //@ assert keys: words_same{Keyed, Here}(word, 0, pairs);
    //@ assert index: words_same{Keyed, Here}(word + pairs, 0, 2 * pairs);
    /*@ assert placed: \forall integer i, hash, p; placed{Keyed}(word + pairs, 2 * pairs, i, hash, p) ==>
            placed(word + pairs, 2 * pairs, i, hash, p); */
    /*@ assert stored: \forall integer i, hash; stored{Keyed}(word + pairs, 2 * pairs, i, hash) ==>
            stored(word + pairs, 2 * pairs, i, hash); */
    /*@ assert indexed: status == ASSAY_OK ==>
            indexed(head, end, word, pairs, word + pairs, 2 * pairs, secret(seed)); */
    return status;
}
