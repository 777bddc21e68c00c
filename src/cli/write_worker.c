/* write_worker.c: see write_worker.h. */
#include "posix.h"

#include "write_worker.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "report.h"
#include "sandbox.h"

static uint64_t seed; /* of the process */

uint64_t write_seed(void)
{
    return seed;
}

assay_status write_parse(const assay_input *input, assay_workspace *workspace, assay_result *result)
{
    assay_status status = assay_measure(input, NULL, result);
    if (status != ASSAY_OK)
        return status;
    const assay_need *need = &result->need;
    *workspace = (assay_workspace){NULL, need->entries, NULL, need->words};
    if (need->entries >= SIZE_MAX / sizeof(assay_entry) || need->words >= SIZE_MAX / sizeof(uint32_t))
        return ASSAY_WORKSPACE;
    workspace->entry = malloc((size_t)(need->entries + 1) * sizeof(assay_entry));
    workspace->word = malloc((size_t)(need->words + 1) * sizeof(uint32_t));
    if (workspace->entry == NULL || workspace->word == NULL)
        return ASSAY_WORKSPACE;
    return assay_parse(input, NULL, workspace, result);
}

/* Report that the process could not begin, or died. Return the exit status. */
static int lost(const command_line *line, host_problem problem, int system)
{
    host_verdict verdict = {.problem = problem, .system = system, .file_size = ASSAY_NONE};
    report_text(stderr, line->operand[0], &verdict);
    return EXIT_ERROR;
}

/* Give up everything except reading the file and writing to the standard streams. Return errno, or 0. */
static int give_up(const command_line *line, int file)
{
    unsigned layers = 0;
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (file != SANDBOX_PROGRAM_STREAM)
        close(SANDBOX_PROGRAM_STREAM);
    if (line->no_sandbox)
        return 0;
    sandbox_prepare(SANDBOX_PROGRAM);
    return sandbox_enter(SANDBOX_PROGRAM, &layers);
}

/* Do the work, and end. */
static void run(const command_line *line, const host_file *file, write_work *work, void *context, write_result *result)
{
    int status = EXIT_ERROR;
    bool seeded = host_seed(&seed);
    int error = give_up(line, file == NULL ? -1 : file->fd);
    if (error != 0)
        lost(line, HOST_SANDBOX, error);
    else if (!seeded)
        lost(line, HOST_RANDOM, 0);
    else
        status = work(context, result);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "assay: the output could not be written: %s\n", strerror(errno));
        status = EXIT_ERROR;
    }
    if (status == EXIT_VALID)
        result->state = WRITE_CERTIFIED;
    _exit(status);
}

/* Are the numbers that the process states possible? It is not trusted further than to choose the bytes of the head, and
 * which bytes of the file follow; only `make`, which reads no file but its list, names other files. */
static bool is_possible(const host_file *file, const write_result *result)
{
    uint64_t size = file == NULL ? 0 : file->size;
    bool fine = result->state == WRITE_CERTIFIED && result->old_head <= sizeof result->old &&
                (file == NULL || result->old_head >= 10) && result->old_head <= size && result->new_head >= 10 &&
                result->new_head <= sizeof result->head &&
                result->pieces <= WRITE_PIECES_MOST && result->text_size <= sizeof result->text &&
                (result->text_size == 0 || result->text[result->text_size - 1] == '\0');
    for (uint64_t i = 0; fine && i < result->pieces; i++) {
        const write_piece *piece = &result->piece[i];
        fine = piece->begin <= piece->end &&
               (piece->path == WRITE_OWN ? file != NULL && piece->end <= size
                                           : file == NULL && piece->path < result->text_size);
    }
    return fine;
}

/* Wait for the end of a process. Return its status as waitpid stores it, or -1. */
static int wait_for(pid_t child)
{
    int status = -1;
    pid_t ended;
    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == child ? status : -1;
}

int write_worker(const command_line *line, const host_file *file, write_work *work, void *context,
                 write_result **result)
{
    *result = NULL;
    void *memory = mmap(NULL, sizeof **result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return lost(line, HOST_MEMORY, errno);
    *result = memory;
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        return lost(line, HOST_START, errno);
    if (child == 0)
        run(line, file, work, context, *result);
    int status = wait_for(child);
    if (status < 0 || WIFSIGNALED(status))
        return lost(line, HOST_DIED, status < 0 ? 0 : WTERMSIG(status));
    status = WEXITSTATUS(status);
    if (status == EXIT_VALID && !is_possible(file, *result))
        return lost(line, HOST_DIED, 0);
    return status == EXIT_VALID || status == EXIT_INVALID ? status : EXIT_ERROR;
}

bool write_worker_accepts(const command_line *line, const uint8_t *head, uint64_t head_size, uint64_t file_size)
{
    pid_t child = fork();
    if (child == 0) {
        const assay_input input = {head, head_size, file_size};
        assay_workspace workspace;
        assay_result result;
        bool fine = give_up(line, -1) == 0 && write_parse(&input, &workspace, &result) == ASSAY_OK &&
                    result.view.data_begin == head_size;
        _exit(fine ? EXIT_VALID : EXIT_INVALID);
    }
    int status = child > 0 ? wait_for(child) : -1;
    return status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_VALID;
}

bool write_sandbox(const command_line *line, int folder)
{
    unsigned layers;
    if (line->no_sandbox)
        return true;
    sandbox_prepare(SANDBOX_WRITER);
    int error = sandbox_enter_writer(folder, &layers);
    if (error != 0)
        lost(line, HOST_SANDBOX, error);
    return error == 0;
}

void write_result_free(write_result *result)
{
    if (result != NULL)
        munmap(result, sizeof *result);
}
