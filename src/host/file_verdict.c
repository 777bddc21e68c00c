/* file_verdict.c: from an open file to a verdict. The header is judged from a private copy, so that nobody can
 * change it
 * between the look and the use; the core says how many bytes it wants and how much memory. */
#include <stdlib.h>
#include <unistd.h>

#include "host.h"

#define FIRST_READ                                                                                           \
    8192u /* holds the whole header of most small files, and enough to see what else a file may be */
/* Bytes of a stream's data after which the question is whether more of it matters; then after twice that, and so on. */
#define STREAM_STEP ((uint64_t)16 << 20)
#define SMALL 16384u /* less than that is read at once, with data and end */
/* Room that spares nearly every file a second look at its header; what needs more gets exactly what it needs.
 */
#define FIRST_ENTRIES 1024u
#define FIRST_WORDS 8192u

void host_memory_free(host_memory *memory)
{
    free(memory->head);
    free(memory->workspace.entry);
    free(memory->workspace.word);
    memory->head = NULL;
    memory->head_room = 0;
    memory->workspace = (assay_workspace){NULL, 0, NULL, 0};
    free(memory->looked);
    free(memory->ending);
    memory->looked = NULL;
    memory->ending = NULL;
}

static bool head_grow(host_memory *memory, uint64_t size)
{
    if (size <= memory->head_room)
        return true;
    if (size > SIZE_MAX)
        return false;
    uint8_t *head = realloc(memory->head, (size_t)size);
    if (head == NULL)
        return false;
    memory->head = head;
    memory->head_room = (size_t)size;
    return true;
}

/* Makes room for what the core asked for. The old contents are of no use: free first, so that less is held at
 * once. */
static bool workspace_grow(assay_workspace *workspace, const assay_need *need)
{
    if (need->entries > SIZE_MAX / sizeof(assay_entry) || need->words > SIZE_MAX / sizeof(uint32_t))
        return false;
    if (workspace->entries < need->entries) {
        free(workspace->entry);
        workspace->entries = 0;
        workspace->entry = malloc((size_t)need->entries * sizeof(assay_entry));
        if (workspace->entry == NULL)
            return false;
        workspace->entries = need->entries;
    }
    if (workspace->words < need->words) {
        free(workspace->word);
        workspace->words = 0;
        workspace->word = malloc((size_t)need->words * sizeof(uint32_t));
        if (workspace->word == NULL)
            return false;
        workspace->words = need->words;
    }
    return true;
}

static assay_status ask(host_memory *memory, int seed, assay_view *view, host_verdict *verdict)
{
    assay_options options = ASSAY_OPTIONS;
    options.seed = memory->seed[seed];
    if (view == NULL)
        return assay_validate(verdict->head, verdict->head_size, verdict->file_size, &options,
                              &memory->workspace, &verdict->need, &verdict->error);
    return assay_parse(verdict->head, verdict->head_size, verdict->file_size, &options, &memory->workspace,
                       view, &verdict->need, &verdict->error);
}

/* N, as the core told it on seeing 8 bytes; it wants no more, so stage F failed or N is 0. */
static void note_length(host_verdict *verdict)
{
    verdict->has_length = verdict->status != ASSAY_E_FILE_SHORT;
    verdict->header_bytes = verdict->status == ASSAY_E_HEADER_LARGE ? verdict->error.found
                            : verdict->status == ASSAY_E_HEADER_CUT ? verdict->error.expected - 8
                                                                    : 0;
}

/* Is all of it read at first? There is room for the byte more that is asked for. */
static bool is_small(const host_file *file)
{
    return file->size < SMALL;
}

/* The file's first bytes, and then as many as the core wants: ASSAY_NEED_MORE if it has not decided before
 * that. */
static host_problem read_head(host_memory *memory, host_file *file, host_verdict *verdict)
{
    size_t first = is_small(file) ? (size_t)file->size : FIRST_READ;
    host_problem problem =
        is_small(file) ? host_read_whole(file, memory->head) : host_read(file, 0, memory->head, first);
    if (problem != HOST_FINE)
        return problem;
    verdict->head = memory->head;
    verdict->head_size = first < 8 ? first : 8; /* only the header length: what does the core say to that? */
    verdict->status = ask(memory, 0, NULL, verdict);
    if (verdict->status != ASSAY_NEED_MORE) {
        /* For whoever explains the verdict; the core has seen enough. */
        verdict->head_size = first < FIRST_READ ? first : FIRST_READ;
        note_length(verdict);
        return HOST_FINE;
    }
    uint64_t head = verdict->need.head;
    verdict->has_length = true;
    verdict->header_bytes = head - 8;
    if (!head_grow(memory, head))
        return HOST_MEMORY;
    if (head > first)
        problem = host_read(file, first, memory->head + first, (size_t)(head - first));
    verdict->head = memory->head;
    verdict->head_size = (size_t)head;
    return problem;
}

/* The verdict on the whole head, with as much memory as that takes. */
static host_problem decide(host_memory *memory, assay_view *view, host_verdict *verdict)
{
    for (int seed = 0;;) {
        verdict->status = ask(memory, seed, view, verdict);
        if (verdict->status == ASSAY_WORKSPACE) {
            assay_need need = verdict->need;
            if (need.entries <= memory->workspace.entries && need.words <= memory->workspace.words)
                return HOST_FINE; /* would be a fault of the core: told, and no endless loop */
            if (!workspace_grow(&memory->workspace, &need))
                return HOST_MEMORY;
        } else if (verdict->status == ASSAY_SEED && seed < HOST_SEEDS - 1) {
            seed++;
        } else {
            return HOST_FINE;
        }
    }
}

/* The bytes of the data that are there: of a file on a server those that came. */
static uint64_t data_there(const host_file *file, const host_verdict *verdict)
{
    uint64_t there = file->fetch.requests == 0 || file->fetch.there > file->size ? file->size : file->fetch.there;
    return there > verdict->head_size ? there - verdict->head_size : 0;
}

/* The end of a valid file and the first bytes of its data, for notes. They are no part of the verdict. */
static host_problem look(host_memory *memory, host_file *file, host_verdict *verdict)
{
    uint64_t data = data_there(file, verdict);
    size_t tail = file->size < HOST_TAIL ? (size_t)file->size : HOST_TAIL;
    if (data < file->size - verdict->head_size)
        tail = 0; /* nothing is known of it */
    verdict->tail_size = tail;
    verdict->data_size = data < HOST_DATA ? (size_t)data : HOST_DATA;
    if (is_small(file)) {
        verdict->tail = memory->head + ((size_t)file->size - tail);
        verdict->data = memory->head + verdict->head_size;
        return HOST_FINE;
    }
    if (memory->looked == NULL)
        memory->looked = malloc(HOST_DATA + HOST_TAIL);
    if (memory->looked == NULL)
        return HOST_MEMORY;
    verdict->tail = memory->looked + HOST_DATA;
    host_problem problem = host_read(file, file->size - tail, memory->looked + HOST_DATA, tail);
    if (data <= tail) {
        verdict->data = verdict->tail + (tail - (size_t)data);
        return problem;
    }
    verdict->data = memory->looked;
    return problem != HOST_FINE ? problem : host_read(file, verdict->head_size, memory->looked, verdict->data_size);
}

static host_problem judge_open(host_memory *memory, host_file *file, assay_view *view, host_verdict *verdict)
{
    static const assay_need least = {.entries = FIRST_ENTRIES, .words = FIRST_WORDS};
    if (!head_grow(memory, SMALL) || !workspace_grow(&memory->workspace, &least))
        return HOST_MEMORY;
    host_problem problem = read_head(memory, file, verdict);
    if (problem == HOST_FINE && verdict->status == ASSAY_NEED_MORE)
        problem = decide(memory, view, verdict);
    if (problem == HOST_FINE)
        problem = host_unchanged(file, verdict->head, verdict->head_size);
    if (problem == HOST_FINE && !is_small(file))
        problem = host_ends(file);
    if (problem == HOST_FINE && verdict->status == ASSAY_OK && memory->look)
        problem = look(memory, file, verdict);
    return problem;
}

/* ---- Streams ---------------------------------------------------------------------------------------------- */

/* A stream ended before its header did, or its first 8 bytes may decide: head[0 .. got) has come. */
static host_problem end_early(host_memory *memory, size_t got, host_verdict *verdict)
{
    verdict->head_size = got < 8 ? got : 8;
    verdict->status = ask(memory, 0, NULL, verdict);
    verdict->head_size = got < FIRST_READ ? got : FIRST_READ;
    note_length(verdict);
    return HOST_FINE;
}

/* Read the head, of which *got bytes have come, as far as the stream has it. Room is made as bytes come, not as the
 * first 8 of them say. */
static host_problem read_stream_head(host_memory *memory, host_file *file, uint64_t head, size_t *got)
{
    host_problem problem = HOST_FINE;
    size_t more = 1;
    while (problem == HOST_FINE && more > 0 && *got < head) {
        uint64_t room = 2 * (uint64_t)memory->head_room;
        if (*got == memory->head_room && !head_grow(memory, room < head ? room : head))
            return HOST_MEMORY;
        size_t most = memory->head_room < head ? memory->head_room : (size_t)head;
        problem = host_stream_read(file, memory->head + *got, 1, most - *got, &more);
        *got += more;
    }
    return problem;
}

/* Judge the head of a stream whose size is not known: is it decided? The rules that come before G3 don't depend on the
 * size of the data. */
static host_problem judge_stream_head(host_memory *memory, host_verdict *verdict, bool *decided)
{
    host_problem problem = decide(memory, NULL, verdict);
    *decided = problem != HOST_FINE || (verdict->status != ASSAY_OK && verdict->status < ASSAY_E_TRUNCATED);
    return problem;
}

/* Is the verdict the same whatever else comes? A larger file has the same verdict as one without an end, or that of
 * what has come, and these are one. */
static host_problem is_cut(host_memory *memory, const host_verdict *endless, host_verdict *verdict)
{
    host_problem problem = decide(memory, NULL, verdict);
    const assay_error *one = &verdict->error, *other = &endless->error;
    verdict->cut = problem == HOST_FINE && verdict->status == endless->status && one->offset == other->offset &&
                   one->tensor == other->tensor && one->other == other->other;
    return problem;
}

/* The rest of a stream: to its end, unless it goes on and on after the last tensor. */
static host_problem judge_stream_end(host_memory *memory, host_file *file, size_t got, assay_view *view,
                                     host_verdict *verdict)
{
    const host_verdict endless = *verdict;
    host_problem problem = HOST_FINE;
    if (memory->ending == NULL)
        memory->ending = malloc(sizeof *memory->ending);
    if (memory->ending == NULL)
        return HOST_MEMORY;
    host_stream_keep(file, memory->head, verdict->head_size, got, memory->ending);
    for (uint64_t step = STREAM_STEP; problem == HOST_FINE && !memory->ending->ended && !verdict->cut; step *= 2) {
        problem = host_stream_go_on(file, verdict->head_size, verdict->head_size + step, memory->ending);
        verdict->file_size = file->size;
        if (problem == HOST_FINE && !memory->ending->ended)
            problem = is_cut(memory, &endless, verdict);
    }
    if (problem != HOST_FINE)
        return problem;
    uint64_t data = file->size - verdict->head_size;
    verdict->data = memory->ending->data;
    verdict->data_size = data < HOST_DATA ? (size_t)data : HOST_DATA;
    verdict->tail = memory->ending->tail;
    verdict->tail_size = memory->ending->tail_size;
    return decide(memory, view, verdict);
}

static host_problem judge_stream(host_memory *memory, host_file *file, assay_view *view, host_verdict *verdict)
{
    static const assay_need least = {.entries = FIRST_ENTRIES, .words = FIRST_WORDS};
    size_t got = 0;
    bool decided;
    if (!head_grow(memory, SMALL) || !workspace_grow(&memory->workspace, &least))
        return HOST_MEMORY;
    host_problem problem = host_stream_read(file, memory->head, 8, FIRST_READ, &got);
    if (problem != HOST_FINE)
        return problem;
    verdict->head = memory->head;
    verdict->file_size = got < 8 ? got : ASSAY_NONE;
    end_early(memory, got, verdict);
    if (verdict->status != ASSAY_NEED_MORE)
        return HOST_FINE;
    uint64_t head = verdict->need.head;
    verdict->has_length = true;
    verdict->header_bytes = head - 8;
    problem = read_stream_head(memory, file, head, &got);
    verdict->head = memory->head;
    if (problem == HOST_FINE && got < head) {
        verdict->file_size = got;
        return end_early(memory, got, verdict);
    }
    verdict->head_size = (size_t)head;
    if (problem == HOST_FINE)
        problem = judge_stream_head(memory, verdict, &decided);
    return problem != HOST_FINE || decided ? problem : judge_stream_end(memory, file, got, view, verdict);
}

/* ---- Both ------------------------------------------------------------------------------------------------- */

bool host_seed_all(host_memory *memory)
{
    memory->seeded = true;
    for (int i = 0; i < HOST_SEEDS; i++)
        memory->seeded = memory->seeded && host_seed(&memory->seed[i]);
    return memory->seeded;
}

void host_judge(host_memory *memory, host_file *file, assay_view *view, host_verdict *verdict)
{
    *verdict = (host_verdict){.file_size = file->size, .stream = file->stream, .stamp = file->stamp};
    verdict->fetch = file->fetch;
    verdict->beside = file->beside;
    host_problem problem = !memory->seeded ? HOST_RANDOM
                           : file->stream  ? judge_stream(memory, file, view, verdict)
                                           : judge_open(memory, file, view, verdict);
    host_problem after = HOST_FINE;
    if (file->stream)
        close(file->fd);
    else
        after = host_close(file);
    verdict->problem = problem != HOST_FINE ? problem : after;
    verdict->view = verdict->problem == HOST_FINE && verdict->status == ASSAY_OK ? view : NULL;
    verdict->system = file->system;
}
