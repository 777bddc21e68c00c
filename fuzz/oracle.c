/* oracle.c: judge a file by every function of include/assay.h. All results must equal the model's, and no call may
 * write anything else than its contract allows. */
#include <string.h>

#include "fuzz.h"

/* Two fill bytes: no result may depend on the previous content of memory. */
enum { FILL = 0xA5, OTHER_FILL = 0x5A };

enum { RETIRED = 4 }; /* a status that is never used again */

enum way { MEASURE, VALIDATE, PARSE };

typedef struct {
    assay_status status;
    assay_workspace *workspace;
    assay_view *view; /* parts of an assay_result */
    assay_need *need;
    assay_error *error;
} answer;

spec_model model_result;
assay_view *view_judged;
const assay_workspace *workspace_judged;

static const uint8_t *original; /* the head, in memory that the core does not get */

/* Check that a call wrote only the outputs that its status allows. */
static void check_outputs(const answer *a, uint8_t fill)
{
    bool all_needs = a->status == ASSAY_OK || a->status == ASSAY_WORKSPACE;
    demand(a->error->status == a->status, "the result is not the error's status");
    demand(a->status == ASSAY_OK || all_bytes(a->view, sizeof *a->view, fill), "a view was written without success");
    demand(all_needs || a->status == ASSAY_NEED_MORE || all_bytes(&a->need->head, sizeof a->need->head, fill),
           "need->head was written");
    demand(all_needs || all_bytes(&a->need->tensors, sizeof *a->need - sizeof a->need->head, fill),
           "*need was written without success");
    demand(a->status != ASSAY_NEED_MORE || a->need->head == a->error->expected, "need->head is not what is needed");
}

static answer ask(const question *q, enum way way, uint64_t entries, uint64_t words, uint8_t fill)
{
    assay_result *result = guarded(sizeof *result, fill);
    answer a = {0, guarded(sizeof *a.workspace, 0), &result->view, &result->need, &result->error};
    const assay_input said = {q->head, q->head_size, q->file_size};
    const assay_input *input = guarded_copy(&said, sizeof said);
    assay_workspace given = {guarded(entries * sizeof(assay_entry), fill), entries,
                             guarded(words * sizeof(uint32_t), fill), words};
    assay_options options;
    *a.workspace = given;
    if (q->options != NULL) {
        options = *q->options;
    }
    a.status = way == MEASURE    ? assay_measure(input, q->options, result)
               : way == VALIDATE ? assay_validate(input, q->options, a.workspace, result)
                                 : assay_parse(input, q->options, a.workspace, result);
    demand(same_bytes(input, &said, sizeof said), "the input's own fields were written");
    demand(same_bytes(a.workspace, &given, sizeof given), "the workspace's own fields were written");
    demand(same_bytes(q->head, original, q->head_size), "the head was written");
    demand(q->options == NULL || same_bytes(q->options, &options, sizeof options), "the options were written");
    demand(way == PARSE || all_bytes(a.view, sizeof *a.view, fill), "a view that was not asked for was written");
    check_outputs(&a, fill);
    return a;
}

static void same_error(const answer *a, const assay_error *error, const char *what)
{
    demand(same_bytes(a->error, error, sizeof *error), what);
}

/* A number that is not set is none, a text that is not set is empty; one that is set has its quotes around it. */
static void check_field(uint64_t has, uint64_t bit, uint64_t number)
{
    demand((has & bit) != 0 || number == ASSAY_NONE, "a number in a field that is not set");
}

static void check_text(const question *q, bool is_set, assay_text text)
{
    demand(is_set || text.at == text.end, "a name of what is not set");
    demand(!is_set || (text.at > 8 && text.at <= text.end && text.end < q->head_size && q->head[text.at - 1] == '"' &&
                       q->head[text.end] == '"'),
           "a name of an error is not between quotes");
}

static void check_fields(const question *q, const assay_error *e)
{
    check_field(e->has, ASSAY_HAS_OFFSET, e->offset);
    check_field(e->has, ASSAY_HAS_TENSOR, e->tensor);
    check_field(e->has, ASSAY_HAS_OTHER, e->other);
    check_field(e->has, ASSAY_HAS_EXPECTED, e->expected);
    check_field(e->has, ASSAY_HAS_FOUND, e->found);
    check_text(q, (e->has & ASSAY_HAS_TENSOR) != 0, e->name);
    check_text(q, (e->has & ASSAY_HAS_OTHER) != 0, e->other_name);
}

/* A rule has a byte, which is in the file or is its end. */
static void check_error(const question *q, const assay_error *e, uint64_t end)
{
    demand(e->status < 32 || e->status <= ASSAY_E_EMPTY_INSIDE, "a status that is no rule");
    demand(e->status >= ASSAY_E_FIRST || (e->status <= ASSAY_LIMIT_METADATA && e->status != RETIRED),
           "a status that is none");
    char *room = guarded(ASSAY_ERROR_TEXT, FILL);
    uint64_t length = assay_error_format(room, ASSAY_ERROR_TEXT, e);
    demand(length < ASSAY_ERROR_TEXT && strlen(room) == length, "an error in words");
    check_fields(q, e);
    if (e->status < ASSAY_E_FIRST) {
        return;
    }
    demand(e->offset <= q->file_size, "a rule breaks at a byte that is not in the file");
    demand(e->status < ASSAY_E_HEADER_EARLY || e->status >= ASSAY_E_TRUNCATED || (e->offset >= 8 && e->offset <= end),
           "a rule of the header breaks at a byte that is not in it");
}

/* ---- A file that fails stage F or H ------------------------------------------------------------------- */

/* All three calls return the same, whatever the workspace. */
static void judge_head(const question *q)
{
    const assay_error *error = &model_result.error;
    answer measured = ask(q, MEASURE, 0, 0, FILL);
    check_error(q, measured.error, q->head_size);
    same_error(&measured, error, "measure disagrees with the model");
    answer parsed = ask(q, PARSE, 3, 16, OTHER_FILL);
    same_error(&parsed, error, "parse disagrees with measure");
    answer none = ask(q, PARSE, 0, 0, FILL);
    same_error(&none, error, "parse without a workspace disagrees with measure");
    answer validated = ask(q, VALIDATE, 0, 0, OTHER_FILL);
    same_error(&validated, error, "validate disagrees with measure");
}

/* ---- Workspaces --------------------------------------------------------------------------------------- */

static void too_small(const question *q, enum way way, uint64_t entries, uint64_t words, const assay_need *need)
{
    const assay_error error = {ASSAY_WORKSPACE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, 0,
                               {0, 0}, {0, 0}};
    answer a = ask(q, way, entries, words, FILL);
    same_error(&a, &error, "a workspace that is too small is not reported");
    demand(same_bytes(a.need, need, sizeof *need), "a workspace that is too small: the need is not that of measure");
}

static void judge_small(const question *q, const assay_need *need)
{
    assay_need less = *need;
    if (need->entries + need->words > 0) { /* validate does not need more than parse */
        answer none = ask(q, VALIDATE, 0, 0, FILL);
        demand(none.status == ASSAY_WORKSPACE, "validate without a workspace");
        less = *none.need;
        demand(less.head == need->head && less.tensors == need->tensors && less.pairs == need->pairs,
               "validate and measure count differently");
        demand(less.entries == need->entries && less.words == need->words - need->pairs,
               "validate needs other than a word a pair less than parse");
    }
    if (need->entries > 0) {
        too_small(q, PARSE, need->entries - 1, need->words, need);
    }
    if (need->words > 0) {
        too_small(q, PARSE, need->entries, need->words - 1, need);
    }
    if (less.words > 0) {
        too_small(q, VALIDATE, less.entries, less.words - 1, &less);
    }
    answer validated = ask(q, VALIDATE, less.entries, less.words, FILL);
    same_error(&validated, &model_result.error, "validate disagrees with parse");
    demand(validated.status != ASSAY_OK || same_bytes(validated.need, &less, sizeof less), "the need of validate");
}

/* Check that the array is inside the words of the workspace. */
static void inside(const uint32_t *array, uint64_t count, const assay_workspace *w)
{
    demand(array >= w->word && array <= w->word + w->words && count <= (uint64_t)(w->word + w->words - array),
           "an array of the view lies outside the workspace");
}

static void inside_all(const assay_view *v, const assay_workspace *w)
{
    demand(v->entry == w->entry && v->tensors <= w->entries, "the entries of the view lie outside the workspace");
    inside(v->by_name, v->tensors, w);
    inside(v->order, v->tensors, w);
    inside(v->key, v->pairs, w);
    inside(v->by_key, v->pairs, w);
    inside(v->value, v->pairs, w);
}

static bool same_words(const uint32_t *a, const uint32_t *b, uint64_t count)
{
    return same_bytes(a, b, count * sizeof *a);
}

static void same_views(const assay_view *a, const assay_view *b)
{
    demand(a->head == b->head && a->tensors == b->tensors && a->pairs == b->pairs && a->metadata == b->metadata &&
               a->data_begin == b->data_begin && a->data_size == b->data_size,
           "another workspace, another view");
    demand(same_bytes(a->entry, b->entry, a->tensors * sizeof *a->entry) &&
               same_words(a->order, b->order, a->tensors) &&
               same_words(a->by_name, b->by_name, a->tensors) && same_words(a->key, b->key, a->pairs) &&
               same_words(a->by_key, b->by_key, a->pairs) && same_words(a->value, b->value, a->pairs),
           "another workspace, another table");
}

/* ---- A file that passes stages F and H ---------------------------------------------------------------- */

/* Judge with only the head, and with only a part of it. */
static void judge_split(const question *q, const assay_need *need, const assay_error *error)
{
    question split = *q;
    split.head_size = model_result.end;
    const uint8_t *whole_head = guarded_copy(q->head, split.head_size);
    split.head = whole_head;
    answer whole = ask(&split, PARSE, need->entries, need->words, OTHER_FILL);
    same_error(&whole, error, "the head alone and the file disagree");
    for (int part = 0; part < 3; part++) {
        split.head_size = part == 0 ? 0 : part == 1 ? 8 : model_result.end - 1;
        split.head = part == 0 ? NULL : whole_head;
        assay_error more = {ASSAY_NEED_MORE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, part == 0 ? 8 : model_result.end,
                            split.head_size, ASSAY_HAS_EXPECTED | ASSAY_HAS_FOUND, {0, 0}, {0, 0}};
        answer a = ask(&split, MEASURE, 0, 0, FILL);
        same_error(&a, &more, "a part of the head is judged like the whole");
    }
}

/* Check assay_bound: one entry for 32 bytes of the header, which has at most 100,000,000, and four words for three. */
static void check_bound(uint64_t length)
{
    assay_need bound;
    uint64_t least = length < 100000000 ? length : 100000000;
    assay_bound(length, &bound);
    demand(bound.head == 8 + least && bound.tensors == least / 32 && bound.entries == least / 32 &&
               bound.pairs == least / 4 && bound.words == least + least / 3, "assay_bound breaks its contract");
}

static void check_need(const assay_need *need)
{
    assay_need bound;
    demand(need->head == model_result.end && need->tensors == model_result.tensors && need->pairs == model_result.pairs,
           "measure and the model count differently");
    demand(need->entries == need->tensors && need->words == 6 * need->tensors + 8 * need->pairs,
           "what is needed is not 56 bytes a tensor and 32 a pair");
    assay_bound(need->head - 8, &bound);
    demand(bound.head == need->head && bound.tensors >= need->tensors && bound.pairs >= need->pairs &&
               bound.entries >= need->entries && bound.words >= need->words,
           "assay_bound is below what is needed");
}

static bool judge_whole(const question *q)
{
    const assay_error none = {ASSAY_OK, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, 0, {0, 0}, {0, 0}};
    answer measured = ask(q, MEASURE, 0, 0, FILL);
    same_error(&measured, &none, "measure rejects what the model accepts");
    const assay_need *need = measured.need;
    assay_need bound;
    check_need(need);
    answer exact = ask(q, PARSE, need->entries, need->words, FILL);
    check_error(q, exact.error, model_result.end);
    if (exact.status == ASSAY_OK) {
        oracle_outside(exact.view, q->file_size);
    }
    same_error(&exact, &model_result.error, "parse disagrees with the model");
    assay_bound(need->head - 8, &bound);
    answer ample = ask(q, PARSE, bound.entries, bound.words, OTHER_FILL);
    same_error(&ample, exact.error, "the largest workspace, another verdict");
    judge_small(q, need);
    judge_split(q, need, exact.error);
    if (exact.status != ASSAY_OK) {
        return false;
    }
    demand(same_bytes(exact.need, need, sizeof *need) && same_bytes(ample.need, need, sizeof *need),
           "parse reports another need than measure");
    inside_all(exact.view, exact.workspace);
    inside_all(ample.view, ample.workspace);
    same_views(exact.view, ample.view);
    view_judged = exact.view;
    workspace_judged = exact.workspace;
    return true;
}

bool oracle_judge(const question *q)
{
    question mine = *q;
    original = q->head;
    mine.head = guarded_copy(q->head, q->head_size);
    spec_judge(&model_result, q->head, q->head_size, q->file_size, q->options);
    count_execution(model_result.clean);
    bool valid = false;
    if (!model_result.clean) {
        judge_head(&mine);
    } else {
        valid = judge_whole(&mine);
    }
    if (valid) {
        oracle_view(view_judged, &model_result, q->file_size);
        demand(same_bytes(mine.head, q->head, q->head_size), "the head was written");
    }
    check_bound(q->head_size);
    check_bound(q->file_size);
    guard_check();
    return valid;
}
