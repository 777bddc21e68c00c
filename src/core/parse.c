/* parse.c: the public functions of the judgement, and the view that assay_parse makes. The status need_more. */
#include "judge_steps.h"

void assay_bound(uint64_t header_length, assay_need *need)
{
    uint64_t length = header_length < ASSAY_HEADER_MAX ? header_length : ASSAY_HEADER_MAX;
    need->head = 8u + length;
    need->tensors = length / 32u; /* the shortest tensor takes 50 bytes with its comma, */
    need->pairs = length / 4u;    /* the shortest pair 6: 8 words each are less than 4/3 a byte */
    need->entries = length / 32u;
    need->words = length + (uint32_t)length / 3u;
}

/* The stages F and H have said no: if more of the file is needed, how much. */
/*@ requires need: \valid(need) && \valid_read(error) && \separated(need, error);
    terminates \true;
    exits \false;
    assigns need->head;
    ensures status: \result == status;
    ensures kept: status != ASSAY_NEED_MORE ==> need->head == \old(need->head);
    ensures more: status == ASSAY_NEED_MORE ==> need->head == error->expected;
*/
static assay_status assay_unjudged(assay_status status, const assay_error *error, assay_need *need)
{
    if (status == ASSAY_NEED_MORE) {
        need->head = error->expected;
    }
    return status;
}

assay_status assay_measure(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                           assay_need *need, assay_error *error)
{
    assay_found found;
    uint32_t end = 0;
    assay_workspace none = {NULL, 0, NULL, 0};
    assay_status status = assay_judge_head(head, head_size, file_size, options, &none, 1, &end, &found, error);
    //@ assert head: need->head == \at(need->head, Pre);
    //@ assert tensors: need->tensors == \at(need->tensors, Pre);
    //@ assert pairs: need->pairs == \at(need->pairs, Pre);
    //@ assert entries: need->entries == \at(need->entries, Pre);
    //@ assert words: need->words == \at(need->words, Pre);
    if (status != ASSAY_OK) {
        return assay_unjudged(status, error, need);
    }
    assay_need_set((uint32_t)found.tensors, (uint32_t)found.pairs, 1, end, need) /*@ ghost (head) */;
    return ASSAY_OK;
}

assay_status assay_validate(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                            const assay_workspace *workspace, assay_need *need, assay_error *error)
{
    //@ assert apart: \separated(need, error) && \separated(need, workspace->entry + (0 .. workspace->entries - 1));
    assay_found found;
    uint32_t end = 0;
    assay_status status = assay_judge_head(head, head_size, file_size, options, workspace, 0, &end, &found, error);
    //@ assert workspace: workspace->entries == \at(workspace->entries, Pre);
    //@ assert workspace: workspace->words == \at(workspace->words, Pre);
    //@ assert head: need->head == \at(need->head, Pre);
    //@ assert tensors: need->tensors == \at(need->tensors, Pre);
    //@ assert pairs: need->pairs == \at(need->pairs, Pre);
    //@ assert entries: need->entries == \at(need->entries, Pre);
    //@ assert words: need->words == \at(need->words, Pre);
    if (status != ASSAY_OK) {
        return assay_unjudged(status, error, need);
    }
    return assay_judge_rest(head, file_size, end, workspace, (uint32_t)found.tensors, (uint32_t)found.pairs, 0, need,
                            error);
}

/* ---- The view --------------------------------------------------------------------------------------- */

/*@ requires view: \valid(view);
    requires memory: \valid(word + (0 .. words - 1)) && 8 * pairs + 6 * tensors <= words;
    requires counts: tensors < 16777215 && pairs < 16777215;
    terminates \true;
    exits \false;
    assigns *view;
    ensures head: view->head == head && view->data_begin == end && view->data_size == data_size;
    ensures tensors: view->tensors == tensors && view->entry == entry && view->by_name == word + 7 * pairs &&
        view->order == word + (7 * pairs + tensors);
    ensures pairs: view->pairs == pairs && view->key == word && view->by_key == word + pairs &&
        view->value == word + (words - pairs) && view->metadata == metadata;
*/
static void assay_view_fill(const uint8_t *head, uint32_t end, uint64_t data_size, const assay_entry *entry,
                            uint32_t tensors, const uint32_t *word, uint64_t words, uint32_t pairs,
                            uint64_t metadata, assay_view *view)
{
    view->head = head;
    view->entry = entry;
    view->by_name = word + 7u * pairs;
    view->order = word + (7u * pairs + tensors);
    view->key = word;
    view->by_key = word + pairs;
    view->value = word + (words - pairs);
    view->tensors = tensors;
    view->pairs = pairs;
    view->metadata = metadata;
    view->data_begin = end;
    view->data_size = data_size;
}

/* The same, and what is known of the entries and the need stays so. */
/*@ requires view: \valid(view) && \separated(view, entry + (0 .. tensors - 1)) && \separated(view, need);
    requires memory: \valid(word + (0 .. words - 1)) && 8 * pairs + 6 * tensors <= words;
    requires counts: tensors < 16777215 && pairs < 16777215;
    requires need: need_says(need, head, 1) && need->head == end;
    requires entries: entries_ok(entry, tensors, end) && entries_say(entry, head, end, tensors);
    requires partition: partition(entry, tensors, data_size);
    terminates \true;
    exits \false;
    assigns *view;
    ensures head: view->head == head && view->data_begin == end && view->data_size == data_size;
    ensures tensors: view->tensors == tensors && view->entry == entry && view->by_name == word + 7 * pairs &&
        view->order == word + (7 * pairs + tensors);
    ensures pairs: view->pairs == pairs && view->key == word && view->by_key == word + pairs &&
        view->value == word + (words - pairs) && view->metadata == metadata;
    ensures need: need_says(need, head, 1) && need->head == end;
    ensures entries: valid_entries(entry, tensors, end, data_size) && entries_say(entry, head, end, tensors);
    ensures partition: partition(entry, tensors, data_size);
*/
static void assay_view_over(const uint8_t *head, uint32_t end, uint64_t data_size, const assay_entry *entry,
                            uint32_t tensors, const uint32_t *word, uint64_t words, uint32_t pairs,
                            uint64_t metadata, assay_view *view)
    /*@ ghost (assay_need *need) */
{
    assay_view_fill(head, end, data_size, entry, tensors, word, words, pairs, metadata, view);
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

/*@ requires view: \valid(view) && \separated(view, entry + (0 .. tensors - 1)) && \separated(view, need);
    requires memory: \valid(entry + (0 .. tensors - 1)) && \valid(word + (0 .. words - 1)) &&
        8 * pairs + 6 * tensors <= words;
    requires head: head_ok(head, end) && 10 <= end && end + data_size <= UINT64_MAX;
    requires counts: tensors < 16777215 && pairs < 16777215;
    requires need: need_says(need, head, 1) && need->head == end && need->tensors == tensors && need->pairs == pairs;
    requires metadata: metadata == (head[metadata_key(head, end)] == '"' ? 1 : 0);
    requires tables: tables_judged(entry, word, words, 1, head, end, pairs, tensors, data_size);
    requires whole: whole(head, end, pairs, tensors, data_size);
    terminates \true;
    exits \false;
    assigns *view;
    ensures view: valid_view(view);
    ensures says: view_says(view);
    ensures finds: view_finds(view);
    ensures partition: partition(view->entry, view->tensors, view->data_size);
    ensures of: view->head == head && view->data_begin == end && view->data_size == data_size;
    ensures memory: view->entry == entry;
    ensures need: need_says(need, head, 1) && need->head == end;
*/
static void assay_view_set(const uint8_t *head, uint32_t end, uint64_t data_size, const assay_entry *entry,
                           uint32_t tensors, const uint32_t *word, uint64_t words, uint32_t pairs, uint64_t metadata,
                           assay_view *view)
    /*@ ghost (assay_need *need) */
{
    //@ assert by_name: \valid_read((word + 7 * pairs) + (0 .. tensors - 1));
    //@ assert order: \valid_read((word + (7 * pairs + tensors)) + (0 .. tensors - 1));
    /*@ assert key: \valid_read(word + (0 .. pairs - 1)) &&
            \valid_read((word + pairs) + (0 .. pairs - 1)); */
    //@ assert value: \valid_read((word + (words - pairs)) + (0 .. pairs - 1));
    assay_view_over(head, end, data_size, entry, tensors, word, words, pairs, metadata, view)
        /*@ ghost (need) */;
    //@ ghost assay_part(word, words, view->value, pairs, head, end);
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

/* Behind the stages F and H: the rest of the judgement, and the view. */
/*@ requires head: head_ok(head, end) && 10 <= end <= file_size && end == 8 + header_length(head);
    requires counts: tensors * 6 <= end && pairs * 6 <= end && tensor_count(head, end, tensors) &&
        pair_count(head, end, pairs);
    requires metadata: metadata == (head[metadata_key(head, end)] == '"' ? 1 : 0);
    requires workspace: judge_workspace(w);
    requires kept: tensors_kept(w->entry, w->entries, head, end, tensors) &&
        pairs_kept(w->word, w->words, 1, head, end, pairs);
    requires output: \valid(view) && \valid(need) && \valid(error) && error->status == ASSAY_OK &&
        \separated(view, need, error);
    requires apart: judge_apart(w, need, error) && \separated(view, w, w->entry + (0 .. w->entries - 1));
    terminates \true;
    exits \false;
    assigns *view, *need, w->word[0 .. w->words - 1], *error;
    ensures status: \result == ASSAY_WORKSPACE || judged_whole(\result);
    ensures error: error->status == \result;
    ensures workspace: \result == ASSAY_WORKSPACE <==> room_short(head, \old(w->entries), \old(w->words), 1);
    ensures sound: \result == ASSAY_OK ==> valid_whole(head, file_size);
    ensures exact: \result >= ASSAY_E_METADATA_KEY_TWICE ==>
        broken_whole(head, file_size, \result, error->offset) && !valid_whole(head, file_size);
    ensures need: \result == ASSAY_OK || \result == ASSAY_WORKSPACE ==>
        need_says(need, head, 1) && need->head == end;
    ensures same: \result != ASSAY_OK && \result != ASSAY_WORKSPACE ==>
        need_same{Pre, Post}(need) && need->head == \old(need->head);
    ensures view: \result == ASSAY_OK ==> valid_view(view) && view_says(view) && view_finds(view) &&
        view->head == head && view->data_begin == end && view->data_begin + view->data_size == file_size;
    ensures memory: \result == ASSAY_OK ==> view->entry == \old(w->entry);
    ensures partition: \result == ASSAY_OK ==> partition(view->entry, view->tensors, view->data_size);
    ensures unchanged: \result != ASSAY_OK ==> *view == \old(*view);
*/
static assay_status assay_parse_rest(const uint8_t *head, uint64_t file_size, uint32_t end, const assay_workspace *w,
                                     uint32_t tensors, uint32_t pairs, uint64_t metadata, assay_view *view,
                                     assay_need *need, assay_error *error)
{
    assay_status status = assay_judge_rest(head, file_size, end, w, tensors, pairs, 1, need, error);
    //@ assert words: w->words == \at(w->words, Pre);
    //@ assert tensors: view->tensors == \at(view->tensors, Pre);
    //@ assert pairs: view->pairs == \at(view->pairs, Pre);
    //@ assert metadata: view->metadata == \at(view->metadata, Pre);
    //@ assert data_begin: view->data_begin == \at(view->data_begin, Pre);
    //@ assert data_size: view->data_size == \at(view->data_size, Pre);
    if (status != ASSAY_OK) {
        return status;
    }
    //@ ghost assay_verdict_single(head, file_size, end, pairs, tensors);
    assay_view_set(head, end, file_size - end, w->entry, tensors, w->word, w->words, pairs, metadata, view)
        /*@ ghost (need) */;
    return ASSAY_OK;
}

assay_status assay_parse(const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options,
                         const assay_workspace *workspace, assay_view *view, assay_need *need, assay_error *error)
{
    //@ assert apart: \separated(need, error) && \separated(need, workspace->entry + (0 .. workspace->entries - 1));
    //@ assert apart_view: \separated(view, error) && \separated(view, need);
    //@ assert apart_entry: \separated(view, workspace->entry + (0 .. workspace->entries - 1));
    assay_status status = ASSAY_OK;
    uint32_t end = 0, tensors = 0, pairs = 0;
    uint64_t metadata = 0;
    {
        uint32_t framed = 0;
        assay_found found;
        status = assay_judge_head(head, head_size, file_size, options, workspace, 1, &framed, &found, error);
        //@ assert workspace: workspace->entries == \at(workspace->entries, Pre);
        //@ assert workspace: workspace->words == \at(workspace->words, Pre);
        //@ assert head: need->head == \at(need->head, Pre);
        //@ assert tensors: need->tensors == \at(need->tensors, Pre);
        //@ assert pairs: need->pairs == \at(need->pairs, Pre);
        //@ assert entries: need->entries == \at(need->entries, Pre);
        //@ assert words: need->words == \at(need->words, Pre);
        //@ assert view_tensors: view->tensors == \at(view->tensors, Pre);
        //@ assert view_pairs: view->pairs == \at(view->pairs, Pre);
        //@ assert view_metadata: view->metadata == \at(view->metadata, Pre);
        //@ assert view_data_begin: view->data_begin == \at(view->data_begin, Pre);
        //@ assert view_data_size: view->data_size == \at(view->data_size, Pre);
        if (status != ASSAY_OK) {
            return assay_unjudged(status, error, need);
        }
        end = framed;
        tensors = (uint32_t)found.tensors;
        pairs = (uint32_t)found.pairs;
        metadata = found.metadata;
    }
    return assay_parse_rest(head, file_size, end, workspace, tensors, pairs, metadata, view, need, error);
}
