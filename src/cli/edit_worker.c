/* edit_worker.c: see edit_worker.h. */
#include "posix.h"

#include "edit_worker.h"

#include <stdlib.h>
#include <string.h>

#include "assay_write.h"
#include "edit_certificate.h"
#include "edit_changes.h"
#include "escaped_text.h"
#include "message.h"
#include "report.h"

/* What the process holds. */
typedef struct {
    const edit_job *job;
    write_result *result;
    host_memory memory;
    host_verdict verdict;
    assay_view old, new_view;
    assay_workspace repaired, made, merged[EDITS_MOST]; /* of heads that are judged here; freed with the process */
    assay_view map[EDITS_MOST];
    edit_step step[EDITS_MOST];
    uint64_t additions; /* pairs that the steps may add */
    void *scratch;      /* of the certificate; then room for each metadata key */
} editor;

/* Report why there is no new head. Return the exit status. */
static int refuse(const editor *of, const char *why, const edit_text *key)
{
    line_buffer text = {.length = 0};
    if (key != NULL)
        line_quote_bytes(&text, key->bytes, (size_t)key->size);
    fputs("assay: ", stderr);
    text_path(stderr, TEXT_QUOTED, of->job->line->operand[0]);
    fprintf(stderr, " can't be edited: %s%s\n", why, key == NULL ? "" : text.text);
    return EXIT_ERROR;
}

static int no_memory(const editor *of)
{
    return refuse(of, "not enough memory", NULL);
}

/* ---- The old head ----------------------------------------------------------------------------------------- */

/* Judge again with {} in the place of null, if that is the value that rule H14 refuses and all metadata goes: the one
 * invalid file that is repaired. Other files with a null stay invalid. */
static void repair_null(editor *of)
{
    host_verdict *verdict = &of->verdict;
    uint64_t at = verdict->error.offset;
    bool is = verdict->problem == HOST_FINE && verdict->status == ASSAY_E_TYPE && at < verdict->head_size &&
              verdict->head_size - at > 4 && memcmp(verdict->head + at, "null", 4) == 0;
    if (!is || !edit_steps_clear(of->job->steps))
        return;
    const assay_input input = {of->memory.head, verdict->head_size, verdict->file_size};
    assay_result result;
    memcpy(of->memory.head + at, "  {}", 4);
    assay_status status = write_parse(&input, &of->repaired, &result);
    if (status == ASSAY_OK && result.view.metadata != 0 && result.view.pairs == 0) {
        verdict->status = ASSAY_OK;
        of->old = result.view;
        verdict->view = &of->old;
    } else {
        memcpy(of->memory.head + at, "null", 4);
    }
}

/* Judge the file. Return the exit status, after reporting what is wrong. */
static int judge(editor *of)
{
    host_file file = of->job->file;
    host_judge(&of->memory, &file, &of->old, &of->verdict);
    repair_null(of);
    if (is_valid(&of->verdict))
        return EXIT_VALID;
    report_text(stderr, of->job->line->operand[0], &of->verdict);
    return is_invalid(&of->verdict) ? EXIT_INVALID : EXIT_ERROR;
}

/* ---- The steps -------------------------------------------------------------------------------------------- */

static int wrong_map(const editor *of, size_t step, const assay_result *result)
{
    const rule_row *rule = rule_by_code(result->error.status);
    const char *name = of->job->line->edit[step].word;
    fputs("assay: --merge ", stderr);
    text_path(stderr, TEXT_QUOTED, name);
    fputs(": the file is not an object of JSON with different keys whose values are strings", stderr);
    if ((result->error.has & ASSAY_HAS_OFFSET) != 0 && result->error.offset >= EDIT_MERGE_BEFORE && rule != NULL)
        fprintf(stderr, ": %s at byte %llu", rule->title,
                (unsigned long long)(result->error.offset - EDIT_MERGE_BEFORE));
    putc('\n', stderr);
    return EXIT_ERROR;
}

/* Judge the files of --merge. */
static int judge_maps(editor *of)
{
    const edit_steps *steps = of->job->steps;
    for (size_t i = 0; i < steps->count; i++) {
        of->step[i] = steps->step[i];
        of->additions++;
        if (steps->step[i].kind != EDIT_MERGE)
            continue;
        const assay_input input = {steps->bytes[i], steps->size[i], steps->size[i]};
        assay_result result;
        assay_status status = write_parse(&input, &of->merged[i], &result);
        if (status == ASSAY_WORKSPACE)
            return no_memory(of);
        if (status != ASSAY_OK || result.view.tensors != 0 || result.view.metadata != 1)
            return wrong_map(of, i, &result);
        of->map[i] = result.view;
        of->step[i].map = &of->map[i];
        of->additions += result.view.pairs;
    }
    return EXIT_VALID;
}

static int wrong_step(const editor *of, edit_problem problem, size_t step)
{
    if (problem == EDIT_NO_KEY)
        return refuse(of, "its metadata have no key ", &of->step[step].key);
    return refuse(of, "its metadata already have a key ", &of->step[step].value);
}

/* Apply the steps and write the new head to the result. */
static int make_head(editor *of)
{
    edit_pairs pairs;
    uint64_t size = edit_pairs_memory(of->old.pairs, of->additions);
    void *memory = size == 0 || size > SIZE_MAX ? NULL : malloc((size_t)size);
    edit_problem problem = EDIT_FINE;
    size_t step = 0;
    if (memory == NULL)
        return no_memory(of);
    edit_pairs_begin(&pairs, &of->old, of->additions, write_seed(), memory);
    for (; problem == EDIT_FINE && step < of->job->steps->count; step++)
        problem = edit_pairs_apply(&pairs, &of->step[step]);
    int status = problem == EDIT_FINE ? EXIT_VALID : wrong_step(of, problem, step == 0 ? 0 : step - 1);
    if (status == EXIT_VALID) {
        write_result *to = of->result;
        problem = edit_head_write(&pairs, &of->job->as, to->head, sizeof to->head, &to->new_head);
        if (problem != EDIT_FINE)
            status = refuse(of, "the header would have more than 100,000,000 bytes (rule F2)", NULL);
    }
    free(memory);
    return status;
}

/* ---- The certificate -------------------------------------------------------------------------------------- */

/* Compare the pairs. Return the exit status, which is EXIT_VALID also if they differ. */
static int compare_pairs(editor *of, bool *same)
{
    const size_t count = of->job->steps->count;
    const edit_sizes sizes =
        edit_certificate_sizes(&of->old, of->new_view.data_begin, of->additions, of->step, count);
    const uint64_t size = edit_certificate_memory(&sizes);
    of->scratch = size > SIZE_MAX ? NULL : malloc((size_t)size); /* never 0: both heads fit */
    if (of->scratch == NULL)
        return no_memory(of);
    *same = edit_same_pairs(&of->old, &of->new_view, of->step, count, &sizes, of->scratch);
    return EXIT_VALID;
}

/* Judge the new head, and compare it with the old one and the steps. Nothing is written without this. */
static int certify(editor *of)
{
    write_result *to = of->result;
    uint64_t data = of->verdict.file_size - of->old.data_begin;
    if (data > (uint64_t)INT64_MAX - to->new_head)
        return refuse(of, "the file would be too large", NULL);
    const assay_input input = {to->head, to->new_head, data + to->new_head};
    assay_result result;
    assay_status status = write_parse(&input, &of->made, &result);
    if (status == ASSAY_WORKSPACE)
        return no_memory(of);
    of->new_view = result.view;
    bool same = status == ASSAY_OK && assay_same_tensors(&of->old, &of->new_view) &&
                edit_same_rest(&of->old, &of->new_view);
    int exit_status = same ? compare_pairs(of, &same) : EXIT_VALID;
    if (same || exit_status != EXIT_VALID)
        return exit_status;
    return refuse(of, "the new header would not be what was requested, because of a bug in assay: please report it",
                  NULL);
}

/* ---- The process ------------------------------------------------------------------------------------------ */

/* Store the old head, and which bytes follow the new one: all data. */
static void finish(editor *of)
{
    write_result *to = of->result;
    to->old_head = of->old.data_begin;
    memcpy(to->old, of->old.head, (size_t)to->old_head);
    to->changed = of->repaired.entry != NULL || to->new_head != to->old_head ||
                  memcmp(to->old, to->head, (size_t)to->new_head) != 0;
    to->piece[0] = (write_piece){to->old_head, of->verdict.file_size, WRITE_OWN, 0};
    to->pieces = 1;
}

/* Can the new head be written in place: over the old one, or after whole blocks were inserted? */
static bool has_room(const edit_job *job, const write_result *result)
{
    return result->new_head == result->old_head ||
           (job->inserts && result->new_head > result->old_head &&
            (result->new_head - result->old_head) % job->as.block == 0);
}

int edit_work(void *job, write_result *result)
{
    static editor of;
    of = (editor){.job = job, .result = result, .memory = HOST_MEMORY_NONE};
    const command_line *line = of.job->line;
    int status = judge(&of);
    if (status == EXIT_VALID)
        status = judge_maps(&of);
    if (status == EXIT_VALID)
        status = make_head(&of);
    if (status == EXIT_VALID)
        status = certify(&of);
    if (status != EXIT_VALID)
        return status;
    finish(&of);
    if (line->in_place && of.repaired.entry != NULL)
        return refuse(&of, "its header is invalid, so it could not be restored after a crash: use --clear without "
                           "--in-place", NULL);
    if (line->in_place && !has_room(of.job, result))
        return refuse(&of, "its header has no room for this, and the file system can't make room in place: edit it "
                           "once without --in-place; --reserve BYTES makes more room", NULL);
    if (line->dry_run)
        edit_changes_print(stdout, &of.old, &of.new_view, of.verdict.file_size, of.scratch);
    return EXIT_VALID;
}
