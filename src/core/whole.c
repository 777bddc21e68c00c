/* whole.c: stage G, the whole file: no key and no name twice, each byte of the data in one tensor.
 * Rules G1 metadata_key_twice, G2 name_twice. */
#include "core.h"

/* Unfolds: packed_end. */

/* A key of an index, at head[at] behind its opening quote, that repeats an earlier one. */
/*@ requires error: \valid(error);
    requires at: 1 <= at;
    terminates \true;
    exits \false;
    assigns *error;
    ensures status: \result == status && error->status == status;
    ensures offset: error->offset == at - 1;
    ensures other: error->other == earlier;
*/
static assay_status assay_error_twice(assay_error *error, assay_status status, uint32_t at, uint64_t earlier)
{
    error->status = status;
    error->offset = at - 1u;
    error->other = earlier;
    return status;
}

/* G1: no metadata key twice. word[0 .. pairs) holds the keys; the pairs in the order of their keys come after them. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires count: pairs < 16777215;
    requires words: \valid(word + (0 .. 7 * pairs - 1)) && texts_ok(word, 0, pairs, end);
    requires keys: keys_say(word, head, end, pairs);
    requires error: \valid(error) && error->status == ASSAY_OK && \separated(error, entry + (0 .. tensors - 1));
    terminates \true;
    exits \false;
    assigns word[pairs .. 7 * pairs - 1], *error;
    ensures status: \result == ASSAY_OK || \result == ASSAY_E_METADATA_KEY_TWICE;
    ensures error: error->status == \result;
    ensures pair: \result == ASSAY_E_METADATA_KEY_TWICE ==> error->other < pairs;
    ensures differ: \result == ASSAY_OK ==> keys_differ(head, end, pairs);
    ensures twice: \result == ASSAY_E_METADATA_KEY_TWICE ==> \forall integer n;
        judged_names(head, end, pairs, n, E_METADATA_KEY_TWICE, error->offset);
    ensures keys: keys_inside(word, pairs, end) && keys_say(word, head, end, pairs);
    ensures order: names_order(head, end, 0, word + pairs, pairs);
    ensures entries: entries_same{Pre, Post}(entry, tensors);
*/
static assay_status assay_judge_keys(const uint8_t *head, uint32_t end, uint32_t *word, uint32_t pairs,
                                     assay_error *error)
    /*@ ghost (const assay_entry *entry, uint32_t tensors) */
{
    assay_texts texts = {NULL, word};
    //@ ghost assay_list_texts(head, end);
    //@ assert listed: texts_inside(texts, pairs, end) && texts_listed(head, end, 0, texts, pairs);
    assay_repeat repeat = assay_names_sort(head, end, texts, word + pairs, pairs) /*@ ghost (0) */;
    //@ assert kept: words_same{Pre, Here}(word, 0, pairs);
    //@ assert say: keys_say(word, head, end, pairs);
    //@ ghost assay_list_judged(head, end, repeat.later);
    if (repeat.later < pairs) {
        //@ ghost assay_list_repeats(head, end, 0, pairs, repeat.earlier, repeat.later);
        //@ assert at: word[repeat.later] == listed_at(head, end, 0, repeat.later);
        error->found = repeat.later;
        return assay_error_twice(error, ASSAY_E_METADATA_KEY_TWICE, word[repeat.later], repeat.earlier);
    }
    return ASSAY_OK;
}

/* G2: no tensor name twice. word[0 .. n) becomes the tensors in the order of their names. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires count: n < 16777215;
    requires entries: \valid_read(entry + (0 .. n - 1)) && entries_ok(entry, n, end) &&
        entries_say(entry, head, end, n);
    requires word: \valid(word + (0 .. 6 * n - 1));
    requires error: \valid(error) && error->status == ASSAY_OK && \separated(error, entry + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns word[0 .. 6 * n - 1], *error;
    ensures status: \result == ASSAY_OK || \result == ASSAY_E_NAME_TWICE;
    ensures error: error->status == \result;
    ensures differ: \result == ASSAY_OK ==> names_differ(head, end, n);
    ensures twice: \result == ASSAY_E_NAME_TWICE ==> \forall integer m; keys_differ(head, end, m) ==>
        judged_names(head, end, m, n, E_NAME_TWICE, error->offset);
    ensures order: names_order(head, end, 1, word, n);
    ensures entries: entries_same{Pre, Post}(entry, n);
*/
static assay_status assay_judge_names(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t *word,
                                      uint32_t n, assay_error *error)
{
    assay_texts texts = {entry, NULL};
    //@ ghost assay_list_texts(head, end);
    //@ assert ok: \forall integer k; 0 <= k < n ==> entry_ok(entry + k, end) && entry_says(entry + k, head, end, k);
    //@ assert listed: texts_inside(texts, n, end) && texts_listed(head, end, 1, texts, n);
    assay_repeat repeat = assay_names_sort(head, end, texts, word, n) /*@ ghost (1) */;
    //@ ghost assay_list_judged(head, end, repeat.later);
    if (repeat.later < n) {
        uint32_t at = (uint32_t)(entry[repeat.later].name % ASSAY_ENTRY_HIGH);
        //@ ghost assay_list_repeats(head, end, 1, n, repeat.earlier, repeat.later);
        //@ assert at: at == listed_at(head, end, 1, repeat.later);
        //@ assert entry: entry_ok(entry + repeat.later, end);
        error->tensor = repeat.later;
        return assay_error_twice(error, ASSAY_E_NAME_TWICE, at, repeat.earlier);
    }
    return ASSAY_OK;
}

/* word[n .. 2n) becomes the layout order; the order of the names before it stays as it is. Return where the last tensor
 * ends if each begins where the one before it in the header ends, else ASSAY_NONE. */
/*@ requires count: n < 16777215;
    requires entries: \valid_read(entry + (0 .. n - 1)) && intervals(entry, n);
    requires word: \valid(word + (0 .. 6 * n - 1)) && names_order(head, end, 1, word, n);
    terminates \true;
    exits \false;
    assigns word[n .. 6 * n - 1];
    ensures names: names_order(head, end, 1, word, n);
    ensures order: layout_order(entry, word + n, n) && words_below(word + n, n, n);
    ensures linked: \result != ASSAY_NONE ==> layout_linked(entry, word + n, n, \result);
*/
static uint64_t assay_judge_order(const assay_entry *entry, uint32_t *word, uint32_t n)
    /*@ ghost (const uint8_t *head, uint32_t end) */
{
    uint64_t reach = assay_order_linked(entry, n, word + n);
    if (reach == ASSAY_NONE) {
        assay_order(entry, n, word + n, word + 2u * n);
    }
    //@ assert same: words_same{Pre, Here}(word, 0, n);
    //@ assert among: \forall integer v; among{Pre}(word, 0, n, v) ==> among(word, 0, n, v);
    //@ assert places: places(word + n, 0, n, n);
    return reach;
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

/* G2 to G6. word[0 .. n) becomes the order of the names, word[n .. 2n) the layout order. Tensors that are linked in the
 * header and end where the data ends keep G3 to G6. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires count: n < 16777215;
    requires file: end + data_size <= UINT64_MAX;
    requires entries: \valid_read(entry + (0 .. n - 1)) && entries_ok(entry, n, end) &&
        entries_say(entry, head, end, n);
    requires word: \valid(word + (0 .. 6 * n - 1));
    requires error: \valid(error) && error->status == ASSAY_OK && \separated(error, entry + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns word[0 .. 6 * n - 1], *error;
    ensures status: \result == ASSAY_OK || ASSAY_E_NAME_TWICE <= \result <= ASSAY_E_EMPTY_INSIDE;
    ensures error: error->status == \result;
    ensures twice: \result == ASSAY_E_NAME_TWICE ==> \forall integer m; keys_differ(head, end, m) ==>
        judged_names(head, end, m, n, E_NAME_TWICE, error->offset);
    ensures judged: \result >= ASSAY_E_TRUNCATED ==> names_differ(head, end, n) &&
        judged_data(head, end, n, data_size, \result, error->offset);
    ensures whole: \result == ASSAY_OK ==> names_differ(head, end, n) && data_there(head, end, n, data_size) &&
        sound_below(head, end, n, data_size) && \forall integer p; !empty_inside(head, end, n, p);
    ensures names: \result == ASSAY_OK ==> names_order(head, end, 1, word, n);
    ensures order: \result == ASSAY_OK ==> words_below(word + n, n, n) && order_says(word + n, head, end, n);
    ensures partition: \result == ASSAY_OK ==> partition(entry, n, data_size);
    ensures entries: \result == ASSAY_OK ==> entries_ok(entry, n, end) && entries_say(entry, head, end, n);
*/
static assay_status assay_judge_tensors(const uint8_t *head, uint32_t end, uint64_t data_size, const assay_entry *entry,
                                        uint32_t n, uint32_t *word, assay_error *error)
{
    assay_status status = assay_judge_names(head, end, entry, word, n, error);
    //@ assert kept: entries_same{Pre, Here}(entry, n);
    /*@ assert each: \forall integer i; 0 <= i < n && entry_says{Pre}(entry + i, head, end, i) ==>
            entry_says(entry + i, head, end, i); */
    //@ assert says: entries_say(entry, head, end, n);
    //@ assert ok: entries_ok(entry, n, end);
    if (status != ASSAY_OK) {
        return status;
    }
    //@ assert intervals: \forall integer i; 0 <= i < n ==> entry_ok(entry + i, end);
    uint64_t reach = assay_judge_order(entry, word, n) /*@ ghost (head, end) */;
    //@ ghost assay_order_judged(head, end, entry, n, word + n);
    //@ assert places: words_below(word + n, n, n);
    //@ assert linked: reach == data_size ==> layout_linked(entry, word + n, n, data_size);
    //@ ghost if (reach == data_size) assay_layout_partition(entry, word + n, n, data_size);
    //@ ghost assay_data_judged(head, end, entry, n, data_size);
    if (reach == data_size) {
        return ASSAY_OK;
    }
    //@ ghost Ready: ;
    status = assay_judge_data(end, data_size, entry, n, word + n, error) /*@ ghost (head) */;
    /*@ assert each_ok: \forall integer i; 0 <= i < n && entry_ok{Ready}(entry + i, end) ==>
            entry_ok(entry + i, end); */
    return status;
}

static assay_status assay_judge_whole(const uint8_t *head, assay_counts counts, uint64_t data_size,
                                      const assay_entry *entry, uint32_t *word, assay_error *error)
{
    uint32_t end = counts.end, tensors = counts.tensors, pairs = counts.pairs;
    assay_status status = assay_judge_keys(head, end, word, pairs, error) /*@ ghost (entry, tensors) */;
    if (status != ASSAY_OK) {
        return status;
    }
    //@ ghost Keyed: ;
    //@ assert ok: entries_ok(entry, tensors, end);
    /*@ assert each: \forall integer i; 0 <= i < tensors && entry_says{Pre}(entry + i, head, end, i) ==>
            entry_says(entry + i, head, end, i); */
    //@ assert says: entries_say(entry, head, end, tensors);
    status = assay_judge_tensors(head, end, data_size, entry, tensors, word + 7u * pairs, error);
    //@ assert keys: words_same{Keyed, Here}(word, 0, pairs);
    //@ assert order_same: words_same{Keyed, Here}(word + pairs, 0, pairs);
    /*@ assert among: \forall integer v; among{Keyed}(word + pairs, 0, pairs, v) ==>
            among(word + pairs, 0, pairs, v); */
    //@ assert order: names_order(head, end, 0, word + pairs, pairs);
    return status;
}
