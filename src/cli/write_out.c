/* write_out.c: see write_out.h. */
#include "posix.h"

#include "write_out.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "edit_journal.h"
#include "escaped_text.h"
#include "report.h"
#include "write_report.h"

bool write_to_stdout(const command_line *line)
{
    return line->new_file != NULL && strcmp(line->new_file, "-") == 0;
}

int write_unreadable(const char *path, host_problem problem, int system)
{
    host_verdict verdict = {.problem = problem, .system = system, .file_size = ASSAY_NONE};
    report_text(stderr, path, &verdict);
    return EXIT_ERROR;
}

int write_problem(const command_line *line, const host_new_file *file, host_new_problem problem)
{
    if (problem == HOST_NEW_FINE)
        return EXIT_VALID;
    if (problem != HOST_NEW_STOPPED) /* the program ends by the signal */
        write_report(line->new_file != NULL ? line->new_file : line->operand[0], file, problem);
    return EXIT_ERROR;
}

/* Did an edit in place of the target not end? */
static bool is_interrupted(const command_line *line, const host_new_file *target)
{
    if (!edit_journal_exists(target))
        return false;
    fputs("assay: an edit in place of ", stderr);
    text_path(stderr, TEXT_QUOTED, line->new_file != NULL ? line->new_file : line->operand[0]);
    fputs(" did not end: run `assay edit --recover` on it first\n", stderr);
    return true;
}

int write_target(const command_line *line, const char *path, host_new_file *to)
{
    *to = (host_new_file){.directory = -1, .fd = -1};
    if (write_to_stdout(line) && !line->dry_run && isatty(1)) {
        fputs("assay: a model is not written to a terminal: name a file with -o\n", stderr);
        return EXIT_ERROR;
    }
    if (write_to_stdout(line))
        return EXIT_VALID;
    const char *name = line->new_file != NULL ? line->new_file : path;
    int status = write_problem(line, to, host_new_target(to, name, line->force));
    return status == EXIT_VALID && is_interrupted(line, to) ? EXIT_ERROR : status;
}

/* ---- What is copied --------------------------------------------------------------------------------------- */

/* Another file that a piece was copied from, and its state then. */
typedef struct {
    const char *name; /* its path as the result has it */
    host_stamp stamp;
} copied_file;

/* The state of a copy. After a problem with a file that is read, it was reported. */
typedef struct {
    const command_line *line;
    const write_result *result;
    const char *folder;
    host_file *old;
    host_new_file *to;
    bool unreadable;
    copied_file *copied; /* room for one per piece */
    size_t count;        /* of them so far */
} copy;

/* Report a problem with a file that is read. */
static void report_read(copy *of, const char *path, host_problem problem, int system)
{
    of->unreadable = true;
    progress_hide();
    write_unreadable(path, problem, system);
}

/* Return the path of another file, for free(); or NULL, after reporting that memory ran out. */
static char *path_of(copy *of, const char *name)
{
    const char *folder = name[0] == '/' ? "" : of->folder;
    size_t room = strlen(folder) + strlen(name) + 1;
    char *path = malloc(room);
    if (path != NULL)
        snprintf(path, room, "%s%s", folder, name);
    else
        report_read(of, name, HOST_MEMORY, 0);
    return path;
}

/* Copy a piece of another file. */
static host_new_problem copy_other(copy *of, const write_piece *piece)
{
    const char *name = of->result->text + piece->path;
    char *path = path_of(of, name);
    if (path == NULL)
        return HOST_NEW_FINE;
    host_file file;
    host_new_problem wrong = HOST_NEW_FINE;
    host_problem problem = host_open(&file, AT_FDCWD, path);
    if (problem == HOST_FINE && (file.size < piece->end || (piece->whole != 0 && file.size != piece->end))) {
        close(file.fd);
        of->unreadable = true;
        progress_hide();
        write_size_report(path, piece->begin, piece->end, file.size);
    } else if (problem == HOST_FINE) {
        wrong = host_new_copy(of->to, file.fd, piece->begin, piece->end - piece->begin);
        problem = host_close(&file);
        of->copied[of->count++] = (copied_file){name, file.stamp};
    }
    if (problem != HOST_FINE && wrong == HOST_NEW_FINE)
        report_read(of, path, problem, file.system);
    free(path);
    return wrong;
}

static bool is_same(const copied_file *one, const host_stamp *stamp)
{
    return memcmp(&one->stamp, stamp, sizeof *stamp) == 0;
}

/* Report if a path names another file than a piece was copied from, or if that has changed. */
static void look_again(copy *of, const copied_file *one)
{
    char *path = path_of(of, one->name);
    if (path == NULL)
        return;
    host_file file;
    host_problem problem = host_open(&file, AT_FDCWD, path);
    if (problem == HOST_FINE) {
        problem = host_close(&file);
        problem = problem == HOST_FINE && !is_same(one, &file.stamp) ? HOST_CHANGED : problem;
    }
    if (problem != HOST_FINE)
        report_read(of, path, problem, file.system);
    free(path);
}

/* Check that all other files are as they were. */
static host_new_problem check_others(copy *of)
{
    for (size_t i = 0; i < of->count && !of->unreadable; i++) {
        const copied_file *one = &of->copied[i], *next = one + 1;
        if (interrupted != 0)
            return HOST_NEW_STOPPED;
        if (i + 1 == of->count || !is_same(one, &next->stamp) || strcmp(one->name, next->name) != 0)
            look_again(of, one);
    }
    return HOST_NEW_FINE;
}

/* Write the head and the pieces, and check that all files that were read are as they were. */
static host_new_problem copy_all(copy *of)
{
    const write_result *result = of->result;
    host_new_problem wrong = host_new_bytes(of->to, result->head, result->new_head);
    for (uint64_t i = 0; i < result->pieces && wrong == HOST_NEW_FINE && !of->unreadable; i++) {
        const write_piece *piece = &result->piece[i];
        if (piece->path != WRITE_OWN)
            wrong = copy_other(of, piece);
        else
            wrong = host_new_copy(of->to, of->old->fd, piece->begin, piece->end - piece->begin);
    }
    if (wrong == HOST_NEW_FINE && !of->unreadable && !write_to_stdout(of->line))
        wrong = host_new_sync(of->to); /* it may take long: so look at the files after it */
    if (wrong == HOST_NEW_FINE && !of->unreadable)
        wrong = check_others(of);
    if (wrong != HOST_NEW_FINE || of->unreadable || of->old == NULL)
        return wrong;
    host_problem problem = host_ends(of->old), after = host_close(of->old);
    of->old->fd = -1;
    problem = problem != HOST_FINE ? problem : after;
    if (problem != HOST_FINE)
        report_read(of, of->line->operand[0], problem, of->old->system);
    return wrong;
}

uint64_t write_size(const write_result *result)
{
    uint64_t size = result->new_head;
    for (uint64_t i = 0; i < result->pieces; i++)
        size += result->piece[i].end - result->piece[i].begin;
    return size;
}

int write_file(const command_line *line, host_file *old, const char *folder, const write_result *result,
               host_new_file *to)
{
    copy of = {line, result, folder, old, to, false, NULL, 0};
    host_new_problem wrong = HOST_NEW_FINE;
    if (old == NULL && (of.copied = malloc((result->pieces + 1) * sizeof *of.copied)) == NULL)
        return write_unreadable(line->operand[0], HOST_MEMORY, 0);
    to->stop = &interrupted;
    to->tell = progress_copy;
    progress_copy_begin(write_size(result));
    interrupt_catch(true);
    if (!write_sandbox(line, to->directory)) {
        free(of.copied);
        return EXIT_ERROR;
    }
    if (write_to_stdout(line))
        to->fd = 1;
    else
        wrong = host_new_begin(to, line->force);
    if (wrong == HOST_NEW_FINE)
        wrong = copy_all(&of);
    free(of.copied);
    progress_hide();
    if (wrong == HOST_NEW_FINE && !of.unreadable && !write_to_stdout(line))
        wrong = host_new_finish(to);
    if (write_to_stdout(line))
        to->fd = -1;
    return of.unreadable ? EXIT_ERROR : write_problem(line, to, wrong);
}
