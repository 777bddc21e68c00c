/* judge.c: from a path to a verdict. The header is judged from a private copy, so that nobody can change it
 * between the look and the use; the core says how many bytes it wants and how much memory. */
#include <stdlib.h>

#include "host.h"

#define FIRST_READ                                                                                           \
    8192u /* holds the whole header of most small files, and enough to see what else a file may be */
/* Room that spares nearly every file a second look at its header; what needs more gets exactly what it needs.
 */
#define FIRST_ENTRIES 1024u
#define FIRST_WORDS 8192u
#define SEEDS 4 /* one, and three more if a file collides with it */

void host_memory_free(host_memory *memory)
{
    free(memory->head);
    free(memory->workspace.entry);
    free(memory->workspace.word);
    *memory = (host_memory)HOST_MEMORY_NONE;
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

static assay_status ask(host_memory *memory, assay_view *view, host_verdict *verdict)
{
    assay_options options = ASSAY_OPTIONS;
    options.seed = memory->seed;
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

/* The file's first bytes, and then as many as the core wants: ASSAY_NEED_MORE if it has not decided before
 * that. */
static host_problem read_head(host_memory *memory, host_file *file, host_verdict *verdict)
{
    size_t first = file->size < FIRST_READ ? (size_t)file->size : FIRST_READ;
    host_problem problem = host_read(file, 0, memory->head, first);
    if (problem != HOST_FINE)
        return problem;
    verdict->head = memory->head;
    verdict->head_size = first < 8 ? first : 8; /* only the header length: what does the core say to that? */
    verdict->status = ask(memory, NULL, verdict);
    if (verdict->status != ASSAY_NEED_MORE) {
        verdict->head_size = first; /* for whoever explains the verdict; the core has seen enough */
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
    for (int seeds = 1;;) {
        verdict->status = ask(memory, view, verdict);
        if (verdict->status == ASSAY_WORKSPACE) {
            assay_need need = verdict->need;
            if (need.entries <= memory->workspace.entries && need.words <= memory->workspace.words)
                return HOST_FINE; /* would be a fault of the core: told, and no endless loop */
            if (!workspace_grow(&memory->workspace, &need))
                return HOST_MEMORY;
        } else if (verdict->status == ASSAY_SEED && seeds < SEEDS) {
            seeds++;
            if (!host_seed(&memory->seed))
                return HOST_RANDOM;
        } else {
            return HOST_FINE;
        }
    }
}

static host_problem judge_open(host_memory *memory, host_file *file, assay_view *view, host_verdict *verdict)
{
    static const assay_need least = {.entries = FIRST_ENTRIES, .words = FIRST_WORDS};
    if (!head_grow(memory, FIRST_READ) || !workspace_grow(&memory->workspace, &least))
        return HOST_MEMORY;
    host_problem problem = read_head(memory, file, verdict);
    if (problem == HOST_FINE && verdict->status == ASSAY_NEED_MORE)
        problem = decide(memory, view, verdict);
    return problem == HOST_FINE ? host_unchanged(file, verdict->head, verdict->head_size) : problem;
}

/* The seed is drawn once: no file learns anything about it. */
static bool seeded(host_memory *memory)
{
    if (!memory->seeded)
        memory->seeded = host_seed(&memory->seed);
    return memory->seeded;
}

void host_judge(host_memory *memory, const char *path, assay_view *view, host_verdict *verdict)
{
    host_file file = {.fd = -1};
    *verdict = (host_verdict){.file_size = ASSAY_NONE};
    verdict->problem = seeded(memory) ? host_open(&file, path) : HOST_RANDOM;
    verdict->system = file.system;
    if (verdict->problem != HOST_FINE)
        return;
    verdict->file_size = file.size;
    host_problem problem = judge_open(memory, &file, view, verdict);
    host_problem after = host_close(&file);
    verdict->problem = problem != HOST_FINE ? problem : after;
    verdict->system = file.system;
}
