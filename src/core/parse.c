/* The judgement: frame and header (stages F and H), then the whole file (stage G), over memory that the caller gives.
 * Rules G1 metadata_key_twice, G2 name_twice; the statuses need_more, workspace, usage, seed. */
#include "core.h"

#define ASSAY_TWO_32 4294967296u

void assay_bound(uint64_t header_length, assay_need *need)
{
    uint64_t length = header_length < ASSAY_HEADER_MAX ? header_length : ASSAY_HEADER_MAX;
    need->head = 8u + length;
    need->tensors = length / 32u; /* the shortest tensor takes 50 bytes with its comma, */
    need->pairs = length / 4u;    /* the shortest pair 6: 4 words each are less than one a byte */
    need->entries = length / 32u;
    need->words = length;
}

/*@ requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns *error;
    ensures ok: error->status == ASSAY_OK;
*/
static void assay_error_none(assay_error *error)
{
    error->status = ASSAY_OK;
    error->offset = ASSAY_NONE;
    error->tensor = ASSAY_NONE;
    error->other = ASSAY_NONE;
    error->expected = ASSAY_NONE;
    error->found = ASSAY_NONE;
}

/*@ requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns error->status;
    ensures status: \result == status && error->status == status;
*/
static assay_status assay_error_status(assay_error *error, assay_status status)
{
    error->status = status;
    return status;
}

/* A key of an index, at head[at] behind its opening quote, that repeats an earlier one. */
/*@ requires error: \valid(error);
    requires at: 1 <= at;
    terminates \true;
    exits \false;
    assigns *error;
    ensures status: \result == status && error->status == status;
*/
static assay_status assay_error_twice(assay_error *error, assay_status status, uint32_t at, uint64_t earlier)
{
    error->status = status;
    error->offset = at - 1u;
    error->other = earlier;
    return status;
}

/* Stage F. ASSAY_OK: *end is where the header ends. */
/*@ requires input: judge_input(head, head_size, options);
    requires output: \valid(error) && \separated(error, options) && \valid(end);
    terminates \true;
    exits \false;
    assigns *end, *error;
    ensures whole: \result == ASSAY_OK ==> 8 <= *end <= ASSAY_END_MAX && *end <= head_size && *end <= file_size;
*/
static assay_status assay_judge_frame(const uint8_t *head, uint64_t head_size, uint64_t file_size,
                                      const assay_options *options, uint32_t *end, assay_error *error)
{
    assay_error_none(error);
    if (options != NULL && (options->api != ASSAY_API || options->relax != 0)) {
        return assay_error_status(error, ASSAY_USAGE);
    }
    uint64_t max_header = options == NULL ? ASSAY_NONE : options->max_header;
    return assay_frame(head, head_size, file_size, max_header, end, error);
}

/* Stage F has said no: if more of the file is needed, how much. */
/*@ requires need: \valid(need) && \valid_read(error) && \separated(need, error);
    terminates \true;
    exits \false;
    assigns need->head;
    ensures status: \result == status;
    ensures kept: status != ASSAY_NEED_MORE ==> need->head == \old(need->head);
*/
static assay_status assay_unframed(assay_status status, const assay_error *error, assay_need *need)
{
    if (status == ASSAY_NEED_MORE) {
        need->head = error->expected;
    }
    return status;
}

/* Stage H: keeps in entry and word what there is room for; keep: the metadata's values too. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires options: options == \null || \valid_read(options);
    requires room: \valid(entry + (0 .. entries - 1)) && \valid(word + (0 .. words - 1)) &&
        \separated(entry + (0 .. entries - 1), word + (0 .. words - 1));
    requires found: \valid(found) && keep <= 1 &&
        \separated(found, entry + (0 .. entries - 1), word + (0 .. words - 1));
    requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns *found, entry[0 .. entries - 1], word[0 .. words - 1], *error;
    ensures counted: \result == ASSAY_OK ==> counted(found, end) && 10 <= end;
    ensures entries: \result == ASSAY_OK && found->tensors <= entries ==> entries_ok(entry, found->tensors, end);
    ensures keys: \result == ASSAY_OK && 2 * found->pairs <= words ==> texts_ok(word, 0, found->pairs, end);
    ensures values: \result == ASSAY_OK && 2 * found->pairs <= words && keep == 1 ==>
        texts_ok(word, words - found->pairs, words, end);
*/
static assay_status assay_judge_header(const uint8_t *head, uint32_t end, const assay_options *options,
                                       assay_entry *entry, uint64_t entries, uint32_t *word, uint64_t words,
                                       uint64_t keep, assay_found *found, assay_error *error)
{
    assay_plan plan = {entry, entries, word, words, keep, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE};
    if (options != NULL) {
        plan.max_tensors = options->max_tensors;
        plan.max_rank = options->max_rank;
        plan.max_name = options->max_name;
        plan.max_metadata = options->max_metadata;
    }
    assay_step step = assay_scan(head, end, plan, found);
    //@ assert entry: plan.entry == entry && plan.entries == entries;
    //@ assert word: plan.word == word && plan.words == words;
    //@ assert keep: plan.keep == keep;
    if (step < ASSAY_STOPPED) {
        //@ assert entries: found->tensors <= plan.entries ==> entries_ok(plan.entry, found->tensors, end);
        //@ assert pairs: pairs_ok(word, words, keep, found->pairs, end);
        return ASSAY_OK;
    }
    error->status = step / ASSAY_TWO_32;
    error->offset = step % ASSAY_TWO_32;
    error->tensor = found->tensor;
    error->expected = found->expected;
    error->found = found->found;
    return (assay_status)(step / ASSAY_TWO_32);
}

/* Is there room for the tensors and the pairs, at 4 words each, or 3 a pair if the values are not kept? */
/*@ requires counts: tensors < 16777215 && pairs < 16777215;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures entries: \result == 1 ==> tensors <= entries;
    ensures pairs: \result == 1 ==> 3 * pairs + 4 * tensors <= words;
    ensures values: \result == 1 && keep == 1 ==> 4 * pairs + 4 * tensors <= words;
*/
static bool assay_has_room(uint32_t tensors, uint32_t pairs, uint64_t keep, uint64_t entries, uint64_t words)
{
    return tensors <= entries && 3u * pairs + (keep == 1 ? pairs : 0) + 4u * tensors <= words;
}

/*@ requires counts: tensors * 6 <= end && pairs * 6 <= end && 10 <= end <= ASSAY_END_MAX;
    requires need: \valid(need);
    terminates \true;
    exits \false;
    assigns *need;
    ensures exact: need_exact(need, keep) && need->head == end;
    ensures counts: need->tensors == tensors && need->pairs == pairs;
*/
static void assay_need_set(uint32_t tensors, uint32_t pairs, uint64_t keep, uint32_t end, assay_need *need)
{
    need->head = end;
    need->tensors = tensors;
    need->pairs = pairs;
    need->entries = tensors;
    need->words = 3u * pairs + (keep == 1 ? pairs : 0) + 4u * tensors;
}

/* Copies where the names begin next to each other, for the index. */
/*@ requires entries: \valid_read(entry + (0 .. n - 1)) && entries_ok(entry, n, end);
    requires name: \valid(name + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns name[0 .. n - 1];
    ensures names: texts_ok(name, 0, n, end);
*/
static void assay_names(const assay_entry *entry, uint32_t n, uint32_t *name) /*@ ghost (uint32_t end) */
{
    /*@ loop invariant place: 0 <= k <= n;
        loop invariant names: texts_ok(name, 0, k, end);
        loop assigns k, name[0 .. n - 1];
        loop variant n - k;
    */
    for (uint32_t k = 0; k < n; k++) {
        //@ assert entry: entry_ok(entry + k, end);
        name[k] = (uint32_t)(entry[k].name % ASSAY_TWO_32);
    }
}

/* G1: no metadata key twice. word[0 .. pairs) holds the keys, the index comes behind them. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires count: pairs < 16777215;
    requires words: \valid(word + (0 .. 3 * pairs - 1)) && texts_ok(word, 0, pairs, end);
    requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns word[pairs .. 3 * pairs - 1], *error;
    ensures status: \result == ASSAY_OK || \result == ASSAY_E_METADATA_KEY_TWICE || \result == ASSAY_SEED;
    ensures keys: keys_inside(word, pairs, end);
    ensures index: slots_name(word + pairs, 2 * pairs, pairs);
*/
static assay_status assay_judge_keys(const uint8_t *head, uint32_t end, uint32_t *word, uint32_t pairs, uint64_t seed,
                                     assay_error *error)
{
    uint64_t repeat = 0;
    uint64_t earlier = 0;
    assay_status status = assay_index(head, end, word, pairs, word + pairs, seed, &repeat, &earlier);
    //@ assert kept: words_same{Pre, Here}(word, 0, pairs);
    if (status == ASSAY_E_NAME_TWICE) {
        error->found = repeat;
        return assay_error_twice(error, ASSAY_E_METADATA_KEY_TWICE, word[repeat], earlier);
    }
    return assay_error_status(error, status);
}

/* G2: no tensor name twice. name[0 .. n) becomes the names, the index comes behind them. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires count: n < 16777215;
    requires entries: \valid_read(entry + (0 .. n - 1)) && entries_ok(entry, n, end);
    requires name: \valid(name + (0 .. 3 * n - 1));
    requires error: \valid(error);
    terminates \true;
    exits \false;
    assigns name[0 .. 3 * n - 1], *error;
    ensures status: \result == ASSAY_OK || \result == ASSAY_E_NAME_TWICE || \result == ASSAY_SEED;
    ensures names: keys_inside(name, n, end);
    ensures index: slots_name(name + n, 2 * n, n);
*/
static assay_status assay_judge_names(const uint8_t *head, uint32_t end, const assay_entry *entry, uint32_t *name,
                                      uint32_t n, uint64_t seed, assay_error *error)
{
    uint64_t repeat = 0;
    uint64_t earlier = 0;
    assay_names(entry, n, name) /*@ ghost (end) */;
    //@ ghost Named: ;
    assay_status status = assay_index(head, end, name, n, name + n, seed, &repeat, &earlier);
    //@ assert kept: words_same{Named, Here}(name, 0, n);
    if (status == ASSAY_E_NAME_TWICE) {
        error->tensor = repeat;
        return assay_error_twice(error, ASSAY_E_NAME_TWICE, name[repeat], earlier);
    }
    return assay_error_status(error, status);
}

/* G2 behind the layout order, which stays as it is. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires count: n < 16777215;
    requires entries: \valid_read(entry + (0 .. n - 1)) && entries_ok(entry, n, end);
    requires order: \valid(order + (0 .. 4 * n - 1)) && layout_order(entry, order, n);
    requires error: \valid(error) && \separated(error, entry + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns order[n .. 4 * n - 1], *error;
    ensures status: \result == ASSAY_OK || \result == ASSAY_E_NAME_TWICE || \result == ASSAY_SEED;
    ensures order: layout_order(entry, order, n);
    ensures names: keys_inside(order + n, n, end) && slots_name(order + 2 * n, 2 * n, n);
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
    //@ assert entry: entries_same{Pre, Here}(entry, n);
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

/* G2 to G6. order[0 .. n) becomes the layout order, the names and their index come behind it. */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires count: n < 16777215;
    requires file: end + data_size <= UINT64_MAX;
    requires entries: \valid_read(entry + (0 .. n - 1)) && entries_ok(entry, n, end);
    requires order: \valid(order + (0 .. 4 * n - 1));
    requires error: \valid(error) && \separated(error, entry + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns order[0 .. 4 * n - 1], *error;
    ensures status: judged_whole(\result);
    ensures order: \result == ASSAY_OK ==> words_below(order, n, n);
    ensures names: \result == ASSAY_OK ==> keys_inside(order + n, n, end) && slots_name(order + 2 * n, 2 * n, n);
    ensures entries: \result == ASSAY_OK ==> entries_ok(entry, n, end);
    ensures partition: \result == ASSAY_OK ==> partition(entry, n, data_size);
*/
static assay_status assay_judge_tensors(const uint8_t *head, uint32_t end, uint64_t data_size, const assay_entry *entry,
                                        uint32_t n, uint32_t *order, uint64_t seed, assay_error *error)
{
    assay_order(entry, n, order, order + n);
    assay_status status = assay_judge_behind(head, end, entry, order, n, seed, error);
    if (status != ASSAY_OK) {
        return status;
    }
    //@ assert same: entries_same{Pre, Here}(entry, n);
    //@ assert intervals: intervals(entry, n);
    status = assay_layout(entry, order, n, end, data_size, error);
    //@ assert begins: \forall integer i; 0 <= i < n ==> entry[i].begin == \at(entry[i].begin, Pre);
    //@ assert ends: \forall integer i; 0 <= i < n ==> entry[i].end == \at(entry[i].end, Pre);
    //@ assert names: \forall integer i; 0 <= i < n ==> entry[i].name == \at(entry[i].name, Pre);
    //@ assert shapes: \forall integer i; 0 <= i < n ==> entry[i].shape == \at(entry[i].shape, Pre);
    //@ assert same_each: \forall integer i; 0 <= i < n ==> entry_same{Pre, Here}(entry + i);
    /*@ assert each: \forall integer i; 0 <= i < n && entry_same{Pre, Here}(entry + i) &&
            entry_ok{Pre}(entry + i, end) ==> entry_ok(entry + i, end); */
    //@ assert were: \forall integer i; 0 <= i < n ==> entry_ok{Pre}(entry + i, end);
    //@ assert all: \forall integer i; 0 <= i < n ==> entry_ok(entry + i, end);
    return status;
}

/* Stage G. The words: 3 a pair (keys, their index), then 4 a tensor (layout order, names, their index). */
/*@ requires head: head_ok(head, end) && 8 <= end;
    requires counts: tensors < 16777215 && pairs < 16777215;
    requires file: end + data_size <= UINT64_MAX;
    requires entries: \valid_read(entry + (0 .. tensors - 1)) && entries_ok(entry, tensors, end);
    requires words: \valid(word + (0 .. 3 * pairs + 4 * tensors - 1));
    requires keys: texts_ok(word, 0, pairs, end);
    requires error: \valid(error) && \separated(error, entry + (0 .. tensors - 1));
    terminates \true;
    exits \false;
    assigns word[pairs .. 3 * pairs + 4 * tensors - 1], *error;
    ensures status: judged_whole(\result);
    ensures words: \result == ASSAY_OK ==> words_judged(word, pairs, tensors, end);
    ensures entries: \result == ASSAY_OK ==> entries_ok(entry, tensors, end);
    ensures partition: \result == ASSAY_OK ==> partition(entry, tensors, data_size);
*/
static assay_status assay_judge(const uint8_t *head, uint32_t end, uint64_t data_size, const assay_entry *entry,
                                uint32_t tensors, uint32_t *word, uint32_t pairs, uint64_t seed, assay_error *error)
{
    assay_status status = assay_judge_keys(head, end, word, pairs, seed, error);
    if (status != ASSAY_OK) {
        return status;
    }
    //@ ghost Keyed: ;
    //@ assert entry: entries_same{Pre, Here}(entry, tensors);
    status = assay_judge_tensors(head, end, data_size, entry, tensors, word + 3u * pairs, seed, error);
    //@ assert keys: words_same{Keyed, Here}(word, 0, pairs);
    //@ assert index: words_same{Keyed, Here}(word + pairs, 0, 2 * pairs);
    return status;
}

/*@ ghost
    /@ requires part: part == word + low && \valid_read(part + (0 .. n - 1));
       requires inside: texts_ok(word, low, low + n, end);
       requires small: low + n <= UINT64_MAX;
       terminates \true;
       exits \false;
       assigns \nothing;
       ensures inside: keys_inside(part, n, end);
    @/
    static void assay_part(const uint32_t *word, const uint32_t *part, uint64_t low, uint32_t n, uint32_t end)
    {
        /@ loop invariant place: 0 <= k <= n;
           loop invariant inside: keys_inside(part, k, end);
           loop assigns k;
           loop variant n - k;
        @/
        for (uint32_t k = 0; k < n; k++) {
            /@ assert here: 9 <= word[low + k] < end; @/
            /@ assert same: part[k] == word[low + k]; @/
        }
    }
*/

/* A file that keeps all rules. */
/*@ requires counts: tensors * 6 <= end && pairs * 6 <= end && 10 <= end <= ASSAY_END_MAX;
    requires need: \valid(need) && \separated(need, entry + (0 .. tensors - 1));
    requires entries: entries_ok(entry, tensors, end);
    requires partition: partition(entry, tensors, data_size);
    terminates \true;
    exits \false;
    assigns *need;
    ensures exact: need_exact(need, keep) && need->head == end;
    ensures counts: need->tensors == tensors && need->pairs == pairs;
    ensures entries: entries_ok(entry, tensors, end);
    ensures partition: partition(entry, tensors, data_size);
*/
static void assay_accept(uint32_t tensors, uint32_t pairs, uint64_t keep, uint32_t end, assay_need *need)
    /*@ ghost (const assay_entry *entry, uint64_t data_size) */
{
    assay_need_set(tensors, pairs, keep, end, need);
    //@ assert same: entries_same{Pre, Here}(entry, tensors);
    //@ assert entries: entries_ok(entry, tensors, end);
    //@ assert ends: \forall integer i; 0 <= i < tensors ==> entry[i].end <= data_size;
    /*@ assert has: \forall integer i, b; 0 <= i < tensors ==>
            (tensor_has{Pre}(entry, i, b) <==> tensor_has(entry, i, b)); */
    //@ assert covered: \forall integer b; covered{Pre}(entry, tensors, b) ==> covered(entry, tensors, b);
    /*@ assert alone: \forall integer i, j, b; 0 <= i < tensors && 0 <= j < tensors && tensor_has(entry, i, b) &&
            tensor_has(entry, j, b) ==> i == j; */
    /*@ assert inside: \forall integer i, j; 0 <= i < tensors && 0 <= j < tensors ==>
            (begins_inside{Pre}(entry, i, j) <==> begins_inside(entry, i, j)); */
    //@ assert partition: partition(entry, tensors, data_size);
}

/*@ requires view: \valid(view);
    requires value: 4 * pairs + 4 * tensors <= words && value == word + (words - pairs);
    requires memory: \valid(entry + (0 .. tensors - 1)) && \valid(word + (0 .. words - 1));
    requires head: head_ok(head, end);
    requires counts: tensors < 16777215 && pairs < 16777215;
    terminates \true;
    exits \false;
    assigns *view;
    ensures head: view->head == head && view->data_begin == end && view->data_size == data_size;
    ensures tensors: view->tensors == tensors && view->entry == entry && view->order == word + 3 * pairs &&
        view->name == word + (3 * pairs + tensors) && view->name_slot == word + (3 * pairs + 2 * tensors);
    ensures pairs: view->pairs == pairs && view->key == word && view->key_slot == word + pairs && view->value == value;
*/
static void assay_view_fill(const uint8_t *head, uint32_t end, uint64_t data_size, const assay_entry *entry,
                            uint32_t tensors, const uint32_t *word, uint32_t pairs, const uint32_t *value,
                            uint64_t metadata, uint64_t seed, assay_view *view)
    /*@ ghost (uint64_t words) */
{
    view->head = head;
    view->entry = entry;
    view->order = word + 3u * pairs;
    view->name = word + (3u * pairs + tensors);
    view->name_slot = word + (3u * pairs + 2u * tensors);
    view->key = word;
    view->key_slot = word + pairs;
    view->value = value;
    view->tensors = tensors;
    view->pairs = pairs;
    view->metadata = metadata;
    view->data_begin = end;
    view->data_size = data_size;
    view->seed = seed;
}

/* The same, and what is known of the entries and the need stays so. */
/*@ requires view: \valid(view) && \separated(view, entry + (0 .. tensors - 1)) && \separated(view, need);
    requires value: 4 * pairs + 4 * tensors <= words && value == word + (words - pairs);
    requires memory: \valid(entry + (0 .. tensors - 1)) && \valid(word + (0 .. words - 1));
    requires head: head_ok(head, end);
    requires counts: tensors < 16777215 && pairs < 16777215;
    requires need: \valid_read(need) && need_exact(need, 1) && need->head == end;
    requires entries: entries_ok(entry, tensors, end);
    requires partition: partition(entry, tensors, data_size);
    terminates \true;
    exits \false;
    assigns *view;
    ensures head: view->head == head && view->data_begin == end && view->data_size == data_size;
    ensures tensors: view->tensors == tensors && view->entry == entry && view->order == word + 3 * pairs &&
        view->name == word + (3 * pairs + tensors) && view->name_slot == word + (3 * pairs + 2 * tensors);
    ensures pairs: view->pairs == pairs && view->key == word && view->key_slot == word + pairs && view->value == value;
    ensures need: need_exact(need, 1) && need->head == end;
    ensures entries: valid_entries(entry, tensors, end, data_size);
    ensures partition: partition(entry, tensors, data_size);
*/
static void assay_view_over(const uint8_t *head, uint32_t end, uint64_t data_size, const assay_entry *entry,
                           uint32_t tensors, const uint32_t *word, uint32_t pairs, const uint32_t *value,
                           uint64_t metadata, uint64_t seed, assay_view *view)
    /*@ ghost (uint64_t words, assay_need *need) */
{
    assay_view_fill(head, end, data_size, entry, tensors, word, pairs, value, metadata, seed, view)
        /*@ ghost (words) */;
    //@ assert need: need_same{Pre, Here}(need) && need->head == end;
    //@ assert fields: entries_same{Pre, Here}(entry, tensors);
    //@ assert begins: \forall integer i; 0 <= i < tensors ==> entry[i].begin == \at(entry[i].begin, Pre);
    //@ assert ends: \forall integer i; 0 <= i < tensors ==> entry[i].end == \at(entry[i].end, Pre);
    //@ assert names: \forall integer i; 0 <= i < tensors ==> entry[i].name == \at(entry[i].name, Pre);
    //@ assert shapes: \forall integer i; 0 <= i < tensors ==> entry[i].shape == \at(entry[i].shape, Pre);
    //@ assert same: \forall integer i; 0 <= i < tensors ==> entry_same{Pre, Here}(entry + i);
    /*@ assert each: \forall integer i; 0 <= i < tensors && entry_same{Pre, Here}(entry + i) &&
            entry_ok{Pre}(entry + i, end) ==> entry_ok(entry + i, end); */
    //@ assert were: \forall integer i; 0 <= i < tensors ==> entry_ok{Pre}(entry + i, end);
    //@ assert all: \forall integer i; 0 <= i < tensors ==> entry_ok(entry + i, end);
    //@ assert inner: \forall integer i; 0 <= i < tensors ==> entry[i].end <= data_size;
    /*@ assert valid: \forall integer i; 0 <= i < tensors && entry_ok(entry + i, end) && entry[i].end <= data_size ==>
            valid_entry(entry + i, end, data_size); */
    /*@ assert has: \forall integer i, b; 0 <= i < tensors ==>
            (tensor_has{Pre}(entry, i, b) <==> tensor_has(entry, i, b)); */
    //@ assert covered: \forall integer b; covered{Pre}(entry, tensors, b) ==> covered(entry, tensors, b);
    /*@ assert alone: \forall integer i, j, b; 0 <= i < tensors && 0 <= j < tensors && tensor_has(entry, i, b) &&
            tensor_has(entry, j, b) ==> i == j; */
    /*@ assert inside: \forall integer i, j; 0 <= i < tensors && 0 <= j < tensors ==>
            (begins_inside{Pre}(entry, i, j) <==> begins_inside(entry, i, j)); */
    //@ assert partition: partition(entry, tensors, data_size);
}

/*@ ghost
    /@ requires readable: readable_view(view);
       requires sizes: 10 <= view->data_begin <= 100000008 && view->data_begin + view->data_size <= UINT64_MAX;
       requires counts: view->tensors < 16777215 && view->pairs < 16777215;
       requires entries: valid_entries(view->entry, view->tensors, view->data_begin, view->data_size);
       requires order: words_below(view->order, view->tensors, view->tensors);
       requires name: keys_inside(view->name, view->tensors, view->data_begin);
       requires key: keys_inside(view->key, view->pairs, view->data_begin);
       requires value: keys_inside(view->value, view->pairs, view->data_begin);
       requires name_slot: slots_name(view->name_slot, 2 * view->tensors, view->tensors);
       requires key_slot: slots_name(view->key_slot, 2 * view->pairs, view->pairs);
       terminates \true;
       exits \false;
       assigns \nothing;
       ensures valid: valid_view(view);
    @/
    static void assay_view_valid(const assay_view *view)
    {
    }
*/

/*@ requires view: \valid(view) && \separated(view, entry + (0 .. tensors - 1)) && \separated(view, need);
    requires value: 4 * pairs + 4 * tensors <= words && value == word + (words - pairs);
    requires memory: \valid(entry + (0 .. tensors - 1)) && \valid(word + (0 .. words - 1));
    requires head: head_ok(head, end) && 10 <= end && end + data_size <= UINT64_MAX;
    requires counts: tensors < 16777215 && pairs < 16777215;
    requires need: \valid_read(need) && need_exact(need, 1) && need->head == end;
    requires entries: entries_ok(entry, tensors, end);
    requires words: words_judged(word, pairs, tensors, end);
    requires values: texts_ok(word, words - pairs, words, end);
    requires partition: partition(entry, tensors, data_size);
    terminates \true;
    exits \false;
    assigns *view;
    ensures view: valid_view(view);
    ensures partition: partition(view->entry, view->tensors, view->data_size);
    ensures of: view->head == head && view->data_begin == end && view->data_size == data_size;
    ensures need: need_exact(need, 1) && need->head == end;
*/
static void assay_view_set(const uint8_t *head, uint32_t end, uint64_t data_size, const assay_entry *entry,
                           uint32_t tensors, const uint32_t *word, uint32_t pairs, const uint32_t *value,
                           uint64_t metadata, uint64_t seed, assay_view *view)
    /*@ ghost (uint64_t words, assay_need *need) */
{
    //@ assert order: \valid_read((word + 3 * pairs) + (0 .. tensors - 1));
    //@ assert name: \valid_read((word + (3 * pairs + tensors)) + (0 .. tensors - 1));
    //@ assert name_slot: \valid_read((word + (3 * pairs + 2 * tensors)) + (0 .. 2 * tensors - 1));
    /*@ assert key: \valid_read(word + (0 .. pairs - 1)) &&
            \valid_read((word + pairs) + (0 .. 2 * pairs - 1)); */
    //@ assert value: \valid_read(value + (0 .. pairs - 1));
    //@ ghost assay_part(word, value, words - pairs, pairs, end);
    assay_view_over(head, end, data_size, entry, tensors, word, pairs, value, metadata, seed, view)
        /*@ ghost (words, need) */;
    //@ assert readable: readable_view(view);
    //@ assert sizes: 10 <= view->data_begin <= 100000008 && view->data_begin + view->data_size <= UINT64_MAX;
    //@ assert entries: valid_entries(view->entry, view->tensors, view->data_begin, view->data_size);
    //@ assert order: words_below(view->order, view->tensors, view->tensors);
    //@ assert name: keys_inside(view->name, view->tensors, view->data_begin);
    //@ assert key: keys_inside(view->key, view->pairs, view->data_begin);
    //@ assert value: keys_inside(view->value, view->pairs, view->data_begin);
    //@ assert name_slot: slots_name(view->name_slot, 2 * view->tensors, view->tensors);
    //@ assert key_slot: slots_name(view->key_slot, 2 * view->pairs, view->pairs);
    //@ assert counts: view->tensors < 16777215 && view->pairs < 16777215;
    //@ ghost assay_view_valid(view);
}

assay_status assay_measure(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                           assay_need *need, assay_error *error)
{
    assay_found found;
    uint32_t framed = 0;
    assay_status status = assay_judge_frame(head, head_size, file_size, options, &framed, error);
    uint32_t end = framed;
    if (status != ASSAY_OK) {
        return assay_unframed(status, error, need);
    }
    status = assay_judge_header(head, end, options, NULL, 0, NULL, 0, 1, &found, error);
    if (status != ASSAY_OK) {
        return status;
    }
    assay_need_set((uint32_t)found.tensors, (uint32_t)found.pairs, 1, end, need);
    return ASSAY_OK;
}

assay_status assay_validate(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                            const assay_workspace *workspace, assay_need *need, assay_error *error)
{
    uint64_t seed = options == NULL ? 0 : options->seed;
    assay_entry *entry = workspace->entry;
    uint64_t entries = workspace->entries;
    uint32_t *word = workspace->word;
    uint64_t words = workspace->words;
    //@ assert apart: \separated(need, error) && \separated(need, entry + (0 .. entries - 1));
    assay_found found;
    uint32_t framed = 0;
    assay_status status = assay_judge_frame(head, head_size, file_size, options, &framed, error);
    uint32_t end = framed;
    //@ assert framed_head: need->head == \at(need->head, Pre);
    //@ assert framed_tensors: need->tensors == \at(need->tensors, Pre);
    //@ assert framed_pairs: need->pairs == \at(need->pairs, Pre);
    //@ assert framed_entries: need->entries == \at(need->entries, Pre);
    //@ assert framed_words: need->words == \at(need->words, Pre);
    if (status != ASSAY_OK) {
        return assay_unframed(status, error, need);
    }
    //@ ghost Framed: ;
    status = assay_judge_header(head, end, options, entry, entries, word, words, 0, &found, error);
    //@ assert read_head: need->head == \at(need->head, Framed);
    //@ assert read_tensors: need->tensors == \at(need->tensors, Framed);
    //@ assert read_pairs: need->pairs == \at(need->pairs, Framed);
    //@ assert read_entries: need->entries == \at(need->entries, Framed);
    //@ assert read_words: need->words == \at(need->words, Framed);
    if (status != ASSAY_OK) {
        return status;
    }
    uint32_t tensors = (uint32_t)found.tensors;
    uint32_t pairs = (uint32_t)found.pairs;
    if (!assay_has_room(tensors, pairs, 0, entries, words)) {
        assay_need_set(tensors, pairs, 0, end, need);
        return assay_error_status(error, ASSAY_WORKSPACE);
    }
    //@ ghost Ready: ;
    status = assay_judge(head, end, file_size - end, entry, tensors, word, pairs, seed, error);
    if (status != ASSAY_OK) {
        //@ assert judged_head: need->head == \at(need->head, Ready);
        //@ assert judged_tensors: need->tensors == \at(need->tensors, Ready);
        //@ assert judged_pairs: need->pairs == \at(need->pairs, Ready);
        //@ assert judged_entries: need->entries == \at(need->entries, Ready);
        //@ assert judged_words: need->words == \at(need->words, Ready);
        return status;
    }
    assay_accept(tensors, pairs, 0, end, need) /*@ ghost (entry, file_size - end) */;
    return ASSAY_OK;
}

assay_status assay_parse(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                         const assay_workspace *workspace, assay_view *view, assay_need *need, assay_error *error)
{
    uint64_t seed = options == NULL ? 0 : options->seed;
    assay_entry *entry = workspace->entry;
    uint64_t entries = workspace->entries;
    uint32_t *word = workspace->word;
    uint64_t words = workspace->words;
    //@ assert apart: \separated(need, error) && \separated(need, entry + (0 .. entries - 1));
    /*@ assert apart_view: \separated(view, error) && \separated(view, need) &&
            \separated(view, entry + (0 .. entries - 1)); */
    uint32_t end = 0, tensors = 0, pairs = 0;
    uint64_t metadata = 0;
    assay_status status = ASSAY_OK;
    {
        uint32_t framed = 0;
        status = assay_judge_frame(head, head_size, file_size, options, &framed, error);
        end = framed;
    }
    //@ assert framed_head: need->head == \at(need->head, Pre);
    //@ assert framed_tensors: need->tensors == \at(need->tensors, Pre);
    //@ assert framed_pairs: need->pairs == \at(need->pairs, Pre);
    //@ assert framed_entries: need->entries == \at(need->entries, Pre);
    //@ assert framed_words: need->words == \at(need->words, Pre);
    //@ assert framed_view_tensors: view->tensors == \at(view->tensors, Pre);
    //@ assert framed_view_pairs: view->pairs == \at(view->pairs, Pre);
    //@ assert framed_view_metadata: view->metadata == \at(view->metadata, Pre);
    //@ assert framed_view_data_begin: view->data_begin == \at(view->data_begin, Pre);
    //@ assert framed_view_data_size: view->data_size == \at(view->data_size, Pre);
    //@ assert framed_view_seed: view->seed == \at(view->seed, Pre);
    if (status != ASSAY_OK) {
        return assay_unframed(status, error, need);
    }
    //@ ghost Framed: ;
    {
        assay_found found;
        status = assay_judge_header(head, end, options, entry, entries, word, words, 1, &found, error);
        //@ assert read_tensors: need->tensors == \at(need->tensors, Framed);
        //@ assert read_pairs: need->pairs == \at(need->pairs, Framed);
        //@ assert read_entries: need->entries == \at(need->entries, Framed);
        //@ assert read_words: need->words == \at(need->words, Framed);
        /*@ assert apart_head: \separated(&need->head, &found, error) &&
                \separated(&need->head, entry + (0 .. entries - 1)); */
        //@ assert read_head: need->head == \at(need->head, Framed);
        //@ assert read_view_tensors: view->tensors == \at(view->tensors, Framed);
        //@ assert read_view_pairs: view->pairs == \at(view->pairs, Framed);
        //@ assert read_view_metadata: view->metadata == \at(view->metadata, Framed);
        //@ assert read_view_data_begin: view->data_begin == \at(view->data_begin, Framed);
        //@ assert read_view_data_size: view->data_size == \at(view->data_size, Framed);
        //@ assert read_view_seed: view->seed == \at(view->seed, Framed);
        if (status != ASSAY_OK) {
            return status;
        }
        tensors = (uint32_t)found.tensors;
        pairs = (uint32_t)found.pairs;
        metadata = found.metadata;
    }
    if (!assay_has_room(tensors, pairs, 1, entries, words)) {
        assay_need_set(tensors, pairs, 1, end, need);
        return assay_error_status(error, ASSAY_WORKSPACE);
    }
    //@ ghost Ready: ;
    status = assay_judge(head, end, file_size - end, entry, tensors, word, pairs, seed, error);
    if (status != ASSAY_OK) {
        //@ assert judged_head: need->head == \at(need->head, Ready);
        //@ assert judged_tensors: need->tensors == \at(need->tensors, Ready);
        //@ assert judged_pairs: need->pairs == \at(need->pairs, Ready);
        //@ assert judged_entries: need->entries == \at(need->entries, Ready);
        //@ assert judged_words: need->words == \at(need->words, Ready);
        //@ assert judged_view_tensors: view->tensors == \at(view->tensors, Ready);
        //@ assert judged_view_pairs: view->pairs == \at(view->pairs, Ready);
        //@ assert judged_view_metadata: view->metadata == \at(view->metadata, Ready);
        //@ assert judged_view_data_begin: view->data_begin == \at(view->data_begin, Ready);
        //@ assert judged_view_data_size: view->data_size == \at(view->data_size, Ready);
        //@ assert judged_view_seed: view->seed == \at(view->seed, Ready);
        return status;
    }
    assay_accept(tensors, pairs, 1, end, need) /*@ ghost (entry, file_size - end) */;
    assay_view_set(head, end, file_size - end, entry, tensors, word, pairs, word + (words - pairs), metadata, seed,
                   view) /*@ ghost (words, need) */;
    return ASSAY_OK;
}
