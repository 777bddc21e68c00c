/* file_verdict.c: from an open file to a verdict. The core reports how many bytes and how much memory it needs. The
 * header is judged from a private copy, so nobody can change it between check and use. */
#include <stdlib.h>
#include <unistd.h>

#include "file_verdict.h"

#define FIRST_READ 8192u /* bytes: the header of most small files, and enough to recognize other formats */
/* Bytes of a stream's data after which it is first checked whether more of it matters; then after twice that, and so
 * on. */
#define STREAM_STEP ((uint64_t)16 << 20)
#define SMALL 16384u /* bytes: a smaller file is read at once, with data and end */
/* A workspace that is enough for nearly every file. What needs more gets exactly what it needs. */
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
    free(memory->ends);
    free(memory->ending);
    memory->ends = NULL;
    memory->ending = NULL;
}

/* Make room for a head of this size. Return false if there is no memory. */
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

/* Make room for what the core requires. The old contents are not needed: they are freed first, so less is held at
 * once. Return false if there is no memory. */
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

/* Call the core on the head of verdict, and store what it finds. view: NULL, or where the view is stored. */
static void call_core(host_memory *memory, assay_view *view, host_verdict *verdict)
{
    const assay_input input = {verdict->head, verdict->head_size, verdict->file_size};
    assay_result result = {.need = verdict->need};
    verdict->status = view == NULL ? assay_validate(&input, NULL, &memory->workspace, &result)
                                   : assay_parse(&input, NULL, &memory->workspace, &result);
    verdict->error = result.error;
    verdict->need = result.need;
    if (view != NULL && verdict->status == ASSAY_OK)
        *view = result.view;
}

/* Store the header length, if the first 8 bytes decide: stage F failed, or the length is 0. */
static void store_length(host_verdict *verdict)
{
    verdict->has_length = verdict->status != ASSAY_E_FILE_SHORT;
    verdict->header_bytes = verdict->status == ASSAY_E_HEADER_LARGE ? verdict->error.found
                            : verdict->status == ASSAY_E_HEADER_CUT ? verdict->error.expected - 8
                                                                    : 0;
}

/* Return whether the first read is for the whole file, and one byte more. */
static bool is_small(const host_file *file)
{
    return file->size < SMALL;
}

/* Read the first bytes of a file, and then as many as the core requires. The status is ASSAY_NEED_MORE, unless the
 * first 8 bytes have decided. */
static host_problem read_head(host_memory *memory, host_file *file, host_verdict *verdict)
{
    size_t first = is_small(file) ? (size_t)file->size : FIRST_READ;
    host_problem problem =
        is_small(file) ? host_read_whole(file, memory->head) : host_read(file, 0, memory->head, first);
    if (problem != HOST_FINE)
        return problem;
    verdict->head = memory->head;
    verdict->head_size = first < 8 ? first : 8; /* the header length alone may decide */
    call_core(memory, NULL, verdict);
    if (verdict->status != ASSAY_NEED_MORE) {
        /* for the explanation of the verdict; the core needs no more */
        verdict->head_size = first < FIRST_READ ? first : FIRST_READ;
        store_length(verdict);
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

/* Decide on the whole head, with as much memory as that takes. */
static host_problem decide(host_memory *memory, assay_view *view, host_verdict *verdict)
{
    const assay_need *need = &verdict->need;
    for (;;) {
        call_core(memory, view, verdict);
        if (verdict->status != ASSAY_WORKSPACE)
            return HOST_FINE;
        if (need->entries <= memory->workspace.entries && need->words <= memory->workspace.words)
            return HOST_FINE; /* a bug in the core: report it, and do not loop */
        if (!workspace_grow(&memory->workspace, need))
            return HOST_MEMORY;
    }
}

/* Return how many bytes of the data can be read: of a remote file, those that were received. */
static uint64_t data_there(const host_file *file, const host_verdict *verdict)
{
    uint64_t there = file->fetch.requests == 0 || file->fetch.there > file->size ? file->size : file->fetch.there;
    return there > verdict->head_size ? there - verdict->head_size : 0;
}

/* Read the end of a valid file and the first bytes of its data, for notes. They are not part of the verdict. */
static host_problem read_ends(host_memory *memory, host_file *file, host_verdict *verdict)
{
    uint64_t data = data_there(file, verdict);
    size_t tail = file->size < HOST_TAIL ? (size_t)file->size : HOST_TAIL;
    if (data < file->size - verdict->head_size)
        tail = 0; /* it was not received */
    verdict->tail_size = tail;
    verdict->data_size = data < HOST_DATA ? (size_t)data : HOST_DATA;
    if (is_small(file)) {
        verdict->tail = memory->head + ((size_t)file->size - tail);
        verdict->data = memory->head + verdict->head_size;
        return HOST_FINE;
    }
    if (memory->ends == NULL)
        memory->ends = malloc(HOST_DATA + HOST_TAIL);
    if (memory->ends == NULL)
        return HOST_MEMORY;
    verdict->tail = memory->ends + HOST_DATA;
    host_problem problem = host_read(file, file->size - tail, memory->ends + HOST_DATA, tail);
    if (data <= tail) {
        verdict->data = verdict->tail + (tail - (size_t)data);
        return problem;
    }
    verdict->data = memory->ends;
    return problem != HOST_FINE ? problem : host_read(file, verdict->head_size, memory->ends, verdict->data_size);
}

/* Judge a file that has a size. */
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
    if (problem == HOST_FINE && verdict->status == ASSAY_OK && memory->reads_ends)
        problem = read_ends(memory, file, verdict);
    if (problem == HOST_FINE && verdict->status == ASSAY_OK && memory->also != NULL && view != NULL)
        problem = memory->also(memory->also_context, file, view);
    return problem;
}

/* ---- Streams ---------------------------------------------------------------------------------------------- */

/* Judge a stream that ended before its header did, or whose first 8 bytes may decide. head[0 .. got) has come. */
static host_problem end_early(host_memory *memory, size_t got, host_verdict *verdict)
{
    verdict->head_size = got < 8 ? got : 8;
    call_core(memory, NULL, verdict);
    verdict->head_size = got < FIRST_READ ? got : FIRST_READ;
    store_length(verdict);
    return HOST_FINE;
}

/* Read the head, of which *got bytes have come, as far as the stream has it. Memory grows as bytes come, and not to the
 * size that the first 8 bytes announce. */
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

/* Judge the head of a stream whose size is not known. *decided: whether that is the verdict, because the rules before
 * G3 do not depend on the size of the data. */
static host_problem judge_stream_head(host_memory *memory, host_verdict *verdict, bool *decided)
{
    host_problem problem = decide(memory, NULL, verdict);
    *decided = problem != HOST_FINE || (verdict->status != ASSAY_OK && verdict->status < ASSAY_E_TRUNCATED);
    return problem;
}

/* Store in verdict->cut whether the verdict is the same, however long the stream is. It is if a stream without an end
 * and the bytes that have come have the same verdict. */
static host_problem is_cut(host_memory *memory, const host_verdict *endless, host_verdict *verdict)
{
    host_problem problem = decide(memory, NULL, verdict);
    const assay_error *one = &verdict->error, *other = &endless->error;
    verdict->cut = problem == HOST_FINE && verdict->status == endless->status && one->offset == other->offset &&
                   one->tensor == other->tensor && one->other == other->other;
    return problem;
}

/* Read and judge the rest of a stream: to its end, unless the verdict is the same whatever follows. */
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

/* Judge a stream. */
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

void host_seed_tables(host_memory *memory)
{
    memory->seeded = host_seed(&memory->seed);
}

void host_judge(host_memory *memory, host_file *file, assay_view *view, host_verdict *verdict)
{
    *verdict = (host_verdict){.file_size = file->size, .stream = file->stream, .stamp = file->stamp};
    verdict->fetch = file->fetch;
    verdict->beside = file->beside;
    host_problem problem =
        file->stream ? judge_stream(memory, file, view, verdict) : judge_open(memory, file, view, verdict);
    host_problem after = HOST_FINE;
    if (file->stream)
        close(file->fd);
    else
        after = host_close(file);
    verdict->problem = problem != HOST_FINE ? problem : after;
    verdict->view = verdict->problem == HOST_FINE && verdict->status == ASSAY_OK ? view : NULL;
    verdict->system = file->system;
}
