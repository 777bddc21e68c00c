/* parse.c: the public functions of the judgement, and the view that assay_parse makes. The status need_more. */
#include "core.h"

void assay_bound(uint64_t header_length, assay_need *need)
{
    uint64_t length = header_length < ASSAY_HEADER_MAX ? header_length : ASSAY_HEADER_MAX;
    need->head = 8u + length;
    need->tensors = length / 32u; /* the shortest tensor takes 50 bytes with its comma, */
    need->pairs = length / 4u;    /* the shortest pair 6: 8 words each are less than 4/3 a byte */
    need->entries = length / 32u;
    need->words = length + (uint32_t)length / 3u;
}

/* Return the status of stages F and H, which have not been passed. If more of the file is needed, state how much. */
/*@ requires need: \valid(need) && \valid_read(error) && \separated(need, error);
    requires status: error->status < 4294967296;
    terminates \true;
    exits \false;
    assigns need->head;
    ensures status: \result == error->status;
    ensures kept: error->status != ASSAY_NEED_MORE ==> need->head == \old(need->head);
    ensures more: error->status == ASSAY_NEED_MORE ==> need->head == error->expected;
*/
static assay_status assay_unjudged(const assay_error *error, assay_need *need)
{
    if (error->status == ASSAY_NEED_MORE) {
        need->head = error->expected;
    }
    return (assay_status)error->status;
}

assay_status assay_measure(const assay_input *input, const assay_options *options, assay_result *result)
{
    assay_workspace none = {NULL, 0, NULL, 0};
    assay_counts counts = assay_judge_head(*input, options, &none, 1, &result->error);
    //@ assert input: input->head == \at(input->head, Pre) && input->head_size == \at(input->head_size, Pre);
    //@ assert input_file: input->file_size == \at(input->file_size, Pre);
    //@ assert need_head: result->need.head == \at(result->need.head, Pre);
    //@ assert need_tensors: result->need.tensors == \at(result->need.tensors, Pre);
    //@ assert need_pairs: result->need.pairs == \at(result->need.pairs, Pre);
    //@ assert need_entries: result->need.entries == \at(result->need.entries, Pre);
    //@ assert need_words: result->need.words == \at(result->need.words, Pre);
    if (counts.end == 0) {
        return assay_unjudged(&result->error, &result->need);
    }
    assay_need_set(counts, 1, &result->need) /*@ ghost (input->head) */;
    return ASSAY_OK;
}

assay_status assay_validate(const assay_input *input, const assay_options *options, const assay_workspace *workspace,
                            assay_result *result)
{
    assay_counts counts = assay_judge_head(*input, options, workspace, 0, &result->error);
    //@ assert input: input->head == \at(input->head, Pre) && input->head_size == \at(input->head_size, Pre);
    //@ assert input_file: input->file_size == \at(input->file_size, Pre);
    //@ assert w_entry: workspace->entry == \at(workspace->entry, Pre);
    //@ assert w_entries: workspace->entries == \at(workspace->entries, Pre);
    //@ assert w_word: workspace->word == \at(workspace->word, Pre);
    //@ assert w_words: workspace->words == \at(workspace->words, Pre);
    //@ assert need_head: result->need.head == \at(result->need.head, Pre);
    //@ assert need_tensors: result->need.tensors == \at(result->need.tensors, Pre);
    //@ assert need_pairs: result->need.pairs == \at(result->need.pairs, Pre);
    //@ assert need_entries: result->need.entries == \at(result->need.entries, Pre);
    //@ assert need_words: result->need.words == \at(result->need.words, Pre);
    //@ assert size: counts.end <= \at(input->head_size, Pre);
    if (counts.end == 0) {
        //@ assert known: error_right(&result->error, \at(input->head_size, Pre));
        return assay_unjudged(&result->error, &result->need);
    }
    //@ assert room: \forall assay_error *e; error_right(e, counts.end) ==> error_right(e, \at(input->head_size, Pre));
    return assay_judge_rest(*input, counts, workspace, 0, &result->need, &result->error);
}

/* ---- The view --------------------------------------------------------------------------------------- */

/*@ requires view: \valid(view) && \valid_read(w) && \separated(view, w);
    requires memory: \valid(w->word + (0 .. w->words - 1)) && 8 * counts.pairs + 6 * counts.tensors <= w->words;
    requires counts: counts.tensors < 16777215 && counts.pairs < 16777215;
    terminates \true;
    exits \false;
    assigns *view;
    ensures filled: view_over(view, head, counts, data_size, w);
*/
static void assay_view_fill(const uint8_t *head, assay_counts counts, uint64_t data_size, const assay_workspace *w,
                            assay_view *view)
{
    uint32_t *word = w->word;
    view->head = head;
    view->entry = w->entry;
    view->by_name = word + 7u * counts.pairs;
    view->order = word + (7u * counts.pairs + counts.tensors);
    view->key = word;
    view->by_key = word + counts.pairs;
    view->value = word + (w->words - counts.pairs);
    view->tensors = counts.tensors;
    view->pairs = counts.pairs;
    view->metadata = counts.metadata;
    view->data_begin = counts.end;
    view->data_size = data_size;
}

/* The same, and what is known of the entries and the need stays so. */
/*@ requires view: \valid(view) && \separated(view, w->entry + (0 .. counts.tensors - 1)) && \separated(view, need, w);
    requires memory: \valid_read(w) && \valid(w->word + (0 .. w->words - 1)) &&
        8 * counts.pairs + 6 * counts.tensors <= w->words;
    requires counts: counts_right(counts, head);
    requires need: need_says(need, head, 1) && need->head == counts.end;
    requires entries: entries_ok(w->entry, counts.tensors, counts.end) &&
        entries_say(w->entry, head, counts.end, counts.tensors);
    requires partition: partition(w->entry, counts.tensors, data_size);
    terminates \true;
    exits \false;
    assigns *view;
    ensures filled: view_over(view, head, counts, data_size, w);
    ensures need: need_says(need, head, 1) && need->head == counts.end;
    ensures entries: valid_entries(view->entry, counts.tensors, counts.end, data_size) &&
        entries_say(view->entry, head, counts.end, counts.tensors);
    ensures partition: partition(view->entry, counts.tensors, data_size);
*/
static void assay_view_over(const uint8_t *head, assay_counts counts, uint64_t data_size, const assay_workspace *w,
                            assay_view *view)
    /*@ ghost (assay_need *need) */
{
    //@ ghost assay_entry *entry = w->entry;
    //@ ghost uint32_t tensors = counts.tensors;
    //@ ghost uint32_t end = counts.end;
    assay_view_fill(head, counts, data_size, w, view);
    //@ assert need: need_same{Pre, Here}(need) && need->head == end;
    //@ assert same: entries_same{Pre, Here}(entry, tensors);
    //@ assert ok: entries_ok(entry, tensors, end);
    //@ assert says: entries_say(entry, head, end, tensors);
    //@ assert ends: \forall integer i; 0 <= i < tensors ==> entry[i].end <= data_size;
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

/* Lemmas: the values, seen from where they begin; what a view is made of. */
/*@ ghost
    /@ requires part: part == word + (words - n) && n <= words;
       requires inside: texts_ok(word, words - n, words, end) && values_say(word, words, head, end, n);
       terminates \true;
       exits \false;
       assigns \nothing;
       ensures inside: keys_inside(part, n, end);
       ensures say: values_say(part, n, head, end, n);
    @/
    static void assay_part(const uint32_t *word, uint64_t words, const uint32_t *part, uint32_t n,
                           const uint8_t *head, uint32_t end)
    {
        uint32_t k = 0;
        /@ loop invariant place: 0 <= k <= n;
           loop invariant inside: keys_inside(part, k, end);
           loop assigns k;
           loop variant n - k;
        @/
        while (k < n) {
            /@ assert same: part[k] == word[words - n + k]; @/
            /@ assert text: word[words - n + k] <= end; @/
            k++;
        }
        /@ assert place: \forall integer k; 0 <= k < n ==> part[n - 1 - k] == word[words - 1 - k]; @/
    }

    /@ requires readable: readable_view(view);
       requires sizes: 10 <= view->data_begin <= 100000008 && view->data_begin + view->data_size <= UINT64_MAX;
       requires counts: view->tensors < 16777215 && view->pairs < 16777215;
       requires entries: valid_entries(view->entry, view->tensors, view->data_begin, view->data_size);
       requires order: words_below(view->order, view->tensors, view->tensors);
       requires by_name: words_below(view->by_name, view->tensors, view->tensors);
       requires key: keys_inside(view->key, view->pairs, view->data_begin);
       requires value: keys_inside(view->value, view->pairs, view->data_begin);
       requires by_key: words_below(view->by_key, view->pairs, view->pairs);
       terminates \true;
       exits \false;
       assigns \nothing;
       ensures valid: valid_view(view);
    @/
    static void assay_view_valid(const assay_view *view)
    {
    }

    /@ requires names: names_differ(view->head, view->data_begin, view->tensors) &&
           keys_differ(view->head, view->data_begin, view->pairs);
       requires name: names_order(view->head, view->data_begin, 1, view->by_name, view->tensors);
       requires key: names_order(view->head, view->data_begin, 0, view->by_key, view->pairs);
       terminates \true;
       exits \false;
       assigns \nothing;
       ensures finds: view_finds(view);
    @/
    static void assay_view_found(const assay_view *view)
    {
    }
*/

/*@ requires view: \valid(view) && \separated(view, w->entry + (0 .. counts.tensors - 1)) && \separated(view, need, w);
    requires memory: judge_workspace(w) && counts.tensors <= w->entries &&
        8 * counts.pairs + 6 * counts.tensors <= w->words;
    requires head: head_ok(head, counts.end) && counts_right(counts, head) && counts.end + data_size <= UINT64_MAX;
    requires need: need_says(need, head, 1) && need->head == counts.end && need->tensors == counts.tensors &&
        need->pairs == counts.pairs;
    requires tables: tables_judged(w->entry, w->word, w->words, 1, head, counts.end, counts.pairs, counts.tensors,
        data_size);
    requires whole: whole(head, counts.end, counts.pairs, counts.tensors, data_size);
    terminates \true;
    exits \false;
    assigns *view;
    ensures view: valid_view(view);
    ensures says: view_says(view);
    ensures finds: view_finds(view);
    ensures partition: partition(view->entry, view->tensors, view->data_size);
    ensures of: view->head == head && view->data_begin == counts.end && view->data_size == data_size;
    ensures memory: view->entry == w->entry;
    ensures need: need_says(need, head, 1) && need->head == counts.end;
*/
static void assay_view_set(const uint8_t *head, assay_counts counts, uint64_t data_size, const assay_workspace *w,
                           assay_view *view)
    /*@ ghost (assay_need *need) */
{
    //@ ghost uint32_t *word = w->word;
    //@ ghost uint64_t words = w->words;
    //@ ghost uint32_t tensors = counts.tensors;
    //@ ghost uint32_t pairs = counts.pairs;
    //@ assert by_name: \valid_read((word + 7 * pairs) + (0 .. tensors - 1));
    //@ assert order: \valid_read((word + (7 * pairs + tensors)) + (0 .. tensors - 1));
    /*@ assert key: \valid_read(word + (0 .. pairs - 1)) &&
            \valid_read((word + pairs) + (0 .. pairs - 1)); */
    //@ assert value: \valid_read((word + (words - pairs)) + (0 .. pairs - 1));
    assay_view_over(head, counts, data_size, w, view) /*@ ghost (need) */;
    //@ assert same: workspace_same{Pre, Here}(w);
    //@ ghost assay_part(word, words, view->value, pairs, head, counts.end);
    //@ assert readable: readable_view(view);
    //@ assert sizes: 10 <= view->data_begin <= 100000008 && view->data_begin + view->data_size <= UINT64_MAX;
    //@ assert entries: valid_entries(view->entry, view->tensors, view->data_begin, view->data_size);
    //@ assert order: words_below(view->order, view->tensors, view->tensors);
    //@ assert by_name: words_below(view->by_name, view->tensors, view->tensors);
    //@ assert key: keys_inside(view->key, view->pairs, view->data_begin);
    //@ assert value: keys_inside(view->value, view->pairs, view->data_begin);
    //@ assert by_key: words_below(view->by_key, view->pairs, view->pairs);
    //@ assert counts: view->tensors < 16777215 && view->pairs < 16777215;
    //@ ghost assay_view_valid(view);
    //@ ghost assay_view_found(view);
}

/* Judge what comes after the stages F and H, and make the view. */
/*@ requires head: head_ok(in.head, counts.end) && counts_right(counts, in.head) && counts.end <= in.file_size;
    requires workspace: judge_workspace(w);
    requires kept: tensors_kept(w->entry, w->entries, in.head, counts.end, counts.tensors) &&
        pairs_kept(w->word, w->words, 1, in.head, counts.end, counts.pairs);
    requires output: \valid(result) && result->error.status == ASSAY_OK && error_right(&result->error, counts.end);
    requires apart: judge_room(w, result);
    terminates \true;
    exits \false;
    assigns *result, w->word[0 .. w->words - 1];
    ensures status: \result == ASSAY_WORKSPACE || judged_whole(\result);
    ensures error: result->error.status == \result;
    ensures fields: error_right(&result->error, counts.end);
    ensures workspace: \result == ASSAY_WORKSPACE <==> room_short(in.head, \old(w->entries), \old(w->words), 1);
    ensures sound: \result == ASSAY_OK ==> valid_whole(in.head, in.file_size);
    ensures exact: \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        broken_whole(in.head, in.file_size, \result, result->error.offset) && !valid_whole(in.head, in.file_size);
    ensures need: \result == ASSAY_OK || \result == ASSAY_WORKSPACE ==>
        need_says(&result->need, in.head, 1) && result->need.head == counts.end;
    ensures same: \result != ASSAY_OK && \result != ASSAY_WORKSPACE ==>
        need_same{Pre, Post}(&result->need) && result->need.head == \old(result->need.head);
    ensures view: \result == ASSAY_OK ==> valid_view(&result->view) && view_says(&result->view) &&
        view_finds(&result->view) && result->view.head == in.head && result->view.data_begin == counts.end &&
        result->view.data_begin + result->view.data_size == in.file_size;
    ensures memory: \result == ASSAY_OK ==> result->view.entry == \old(w->entry);
    ensures partition: \result == ASSAY_OK ==>
        partition(result->view.entry, result->view.tensors, result->view.data_size);
    ensures unchanged: \result != ASSAY_OK ==> result->view == \old(result->view);
*/
static assay_status assay_parse_rest(assay_input in, assay_counts counts, const assay_workspace *w,
                                     assay_result *result)
{
    assay_status status = assay_judge_rest(in, counts, w, 1, &result->need, &result->error);
    //@ assert w_entry: w->entry == \at(w->entry, Pre);
    //@ assert w_entries: w->entries == \at(w->entries, Pre);
    //@ assert w_word: w->word == \at(w->word, Pre);
    //@ assert w_words: w->words == \at(w->words, Pre);
    //@ assert view_head: result->view.head == \at(result->view.head, Pre);
    //@ assert view_entry: result->view.entry == \at(result->view.entry, Pre);
    //@ assert view_by_name: result->view.by_name == \at(result->view.by_name, Pre);
    //@ assert view_order: result->view.order == \at(result->view.order, Pre);
    //@ assert view_key: result->view.key == \at(result->view.key, Pre);
    //@ assert view_by_key: result->view.by_key == \at(result->view.by_key, Pre);
    //@ assert view_value: result->view.value == \at(result->view.value, Pre);
    //@ assert view_tensors: result->view.tensors == \at(result->view.tensors, Pre);
    //@ assert view_pairs: result->view.pairs == \at(result->view.pairs, Pre);
    //@ assert view_metadata: result->view.metadata == \at(result->view.metadata, Pre);
    //@ assert view_data_begin: result->view.data_begin == \at(result->view.data_begin, Pre);
    //@ assert view_data_size: result->view.data_size == \at(result->view.data_size, Pre);
    if (status != ASSAY_OK) {
        return status;
    }
    //@ ghost assay_verdict_single(in.head, in.file_size, counts.end, counts.pairs, counts.tensors);
    assay_view_set(in.head, counts, in.file_size - counts.end, w, &result->view) /*@ ghost (&result->need) */;
    return ASSAY_OK;
}

assay_status assay_parse(const assay_input *input, const assay_options *options, const assay_workspace *workspace,
                         assay_result *result)
{
    assay_counts counts = assay_judge_head(*input, options, workspace, 1, &result->error);
    //@ assert input: input->head == \at(input->head, Pre) && input->head_size == \at(input->head_size, Pre);
    //@ assert input_file: input->file_size == \at(input->file_size, Pre);
    //@ assert w_entry: workspace->entry == \at(workspace->entry, Pre);
    //@ assert w_entries: workspace->entries == \at(workspace->entries, Pre);
    //@ assert w_word: workspace->word == \at(workspace->word, Pre);
    //@ assert w_words: workspace->words == \at(workspace->words, Pre);
    //@ assert need_head: result->need.head == \at(result->need.head, Pre);
    //@ assert need_tensors: result->need.tensors == \at(result->need.tensors, Pre);
    //@ assert need_pairs: result->need.pairs == \at(result->need.pairs, Pre);
    //@ assert need_entries: result->need.entries == \at(result->need.entries, Pre);
    //@ assert need_words: result->need.words == \at(result->need.words, Pre);
    //@ assert view_head: result->view.head == \at(result->view.head, Pre);
    //@ assert view_entry: result->view.entry == \at(result->view.entry, Pre);
    //@ assert view_by_name: result->view.by_name == \at(result->view.by_name, Pre);
    //@ assert view_order: result->view.order == \at(result->view.order, Pre);
    //@ assert view_key: result->view.key == \at(result->view.key, Pre);
    //@ assert view_by_key: result->view.by_key == \at(result->view.by_key, Pre);
    //@ assert view_value: result->view.value == \at(result->view.value, Pre);
    //@ assert view_tensors: result->view.tensors == \at(result->view.tensors, Pre);
    //@ assert view_pairs: result->view.pairs == \at(result->view.pairs, Pre);
    //@ assert view_metadata: result->view.metadata == \at(result->view.metadata, Pre);
    //@ assert view_data_begin: result->view.data_begin == \at(result->view.data_begin, Pre);
    //@ assert view_data_size: result->view.data_size == \at(result->view.data_size, Pre);
    //@ assert size: counts.end <= \at(input->head_size, Pre);
    if (counts.end == 0) {
        //@ assert known: error_right(&result->error, \at(input->head_size, Pre));
        return assay_unjudged(&result->error, &result->need);
    }
    //@ assert room: \forall assay_error *e; error_right(e, counts.end) ==> error_right(e, \at(input->head_size, Pre));
    return assay_parse_rest(*input, counts, workspace, result);
}
