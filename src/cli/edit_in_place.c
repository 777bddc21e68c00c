/* edit_in_place.c: see edit_in_place.h. The journal has both heads. It is on the disk before the file is changed, and
 * removed after that is on the disk. In between the header length is invalid (rule F2, or that of a hole, 0), so nobody
 * reads a mixture. A head that needs more room gets it by whole blocks that the file system inserts at the beginning:
 * no data are copied. If the power fails while it moves them, the journal tells where the hole is that has come up. */
#include "posix.h"

#include "edit_in_place.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "edit_journal.h"
#include "escaped_text.h"
#include "write_out.h"
#include "write_report.h"

/* ---- Reports ---------------------------------------------------------------------------------------------- */

static int refuse(const command_line *line, const char *why)
{
    fputs("assay: ", stderr);
    text_path(stderr, TEXT_QUOTED, line->operand[0]);
    fprintf(stderr, " can't be %s: %s\n", line->recover ? "recovered" : "edited in place", why);
    return EXIT_ERROR;
}

static int refuse_for(const command_line *line, const char *why, int error)
{
    char text[300];
    snprintf(text, sizeof text, "%s: %s", why, strerror(error));
    return refuse(line, text);
}

int edit_target(const command_line *line, const host_file *file, host_new_file *to)
{
    struct stat now;
    if (line->new_file == NULL && strcmp(line->operand[0], "-") == 0) {
        *to = (host_new_file){.directory = -1, .fd = -1};
        fputs("assay: standard input can't be replaced: name a file, or another one with -o\n", stderr);
        return EXIT_ERROR;
    }
    int status = write_target(line, line->operand[0], to);
    if (status != EXIT_VALID || write_to_stdout(line))
        return status;
    bool known = fstat(file->fd, &now) == 0;
    if (line->new_file == NULL && (!known || !host_new_is(to, &now)))
        return write_problem(line, to, HOST_NEW_REPLACED);
    if (known && S_ISREG(now.st_mode))
        to->mode = now.st_mode & 0666;
    return EXIT_VALID;
}

/* ---- The file --------------------------------------------------------------------------------------------- */

/* Write bytes at an offset. Return errno, or 0. */
static int put(int fd, const uint8_t *bytes, uint64_t count, uint64_t offset)
{
    while (count > 0) {
        ssize_t done = pwrite(fd, bytes, (size_t)count, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : EIO;
        bytes += done;
        count -= (uint64_t)done;
        offset += (uint64_t)done;
    }
    return 0;
}

static int flush(int fd)
{
    return fsync(fd) == 0 ? 0 : errno;
}

static const uint8_t invalid[8] = {255, 255, 255, 255, 255, 255, 255, 255}; /* a header length */

/* Write a head. Until its length is there, the file has one that no reader accepts. Return errno, or 0. */
static int put_head(int fd, const uint8_t *head, uint64_t size)
{
    int error = put(fd, invalid, sizeof invalid, 0);
    if (error == 0)
        error = flush(fd);
    if (error == 0)
        error = put(fd, head + 8, size - 8, 8);
    if (error == 0)
        error = flush(fd);
    if (error == 0)
        error = put(fd, head, 8, 0);
    return error == 0 ? flush(fd) : error;
}

/* Open the file for writing: the same that was judged, if old is not NULL. Return NULL, or what is wrong. */
static const char *open_file(const host_new_file *target, const host_file *old, host_file *file, int *error)
{
    int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    int fd = openat(target->directory, target->name, flags);
    *error = errno;
    if (fd < 0)
        return "it can't be opened for writing";
    *error = 0;
    if (host_take(file, fd) != HOST_FINE || (old != NULL && memcmp(&old->stamp, &file->stamp, sizeof old->stamp) != 0))
        return "it changed in the meantime: try again when nothing writes to it";
    return NULL;
}

/* Make sure that nobody else has the file open, and that whoever opens it now waits for a moment; where the system can
 * do that. */
static const char *lease(const command_line *line, int fd)
{
#if defined(F_SETLEASE)
    signal(SIGIO, SIG_IGN); /* somebody waits */
    if (fcntl(fd, F_SETLEASE, F_WRLCK) != 0 && errno == EAGAIN && !line->force)
        return "another program has it open: end that, or pass --force";
#else
    (void)line, (void)fd;
#endif
    return NULL;
}

/* ---- Back to the old file --------------------------------------------------------------------------------- */

#define MOVED_ELSEWHERE (-1) /* no errno */

/* Remove the hole that was inserted, wherever it is by now. Return errno, 0, or MOVED_ELSEWHERE: the data are not
 * where a hole would have put them. */
static int close_hole(const edit_journal *what, int fd, uint64_t block)
{
    static host_layout now;
    uint64_t count = edit_journal_inserted(what), offset;
    int error = host_layout_read(&now, fd, block);
    if (error != 0)
        return error;
    if (!host_hole_find(&what->layout, &now, count, &offset))
        return MOVED_ELSEWHERE;
    error = host_collapse(fd, offset, count, what->new_size);
    return error == 0 ? flush(fd) : error;
}

/* Restore the old file. Return errno, 0 or MOVED_ELSEWHERE. */
static int go_back(const edit_journal *what, int fd, uint64_t block)
{
    struct stat now;
    if (fstat(fd, &now) != 0)
        return errno;
    int error = 0;
    if (edit_journal_inserted(what) > 0 && (uint64_t)now.st_size != what->old_size)
        error = close_hole(what, fd, block);
    if (error == 0)
        error = put_head(fd, what->old, what->old_head);
    if (error == 0 && edit_journal_appended(what) > 0) {
        error = ftruncate(fd, (off_t)what->old_size) == 0 ? 0 : errno;
        error = error == 0 ? flush(fd) : error;
    }
    return error;
}

/* ---- The edit --------------------------------------------------------------------------------------------- */

/* Make room and write the new head. Return errno, or 0. */
static int go_on(const edit_journal *what, int fd)
{
    uint64_t count = edit_journal_inserted(what);
    int error = 0;
    if (count > 0)
        error = put(fd, invalid, sizeof invalid, 0);
    if (error == 0 && count > 0)
        error = flush(fd);
    if (error == 0 && count > 0)
        error = host_insert(fd, count);
    return error == 0 ? put_head(fd, what->head, what->new_head) : error;
}

/* Change the file after its journal is on the disk, and remove that. */
static int change(const command_line *line, const edit_journal *what, int fd, const host_new_file *target)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); /* what ends the program comes after it */
    int error = go_on(what, fd), undone = 0, left = 0;
    if (error != 0)
        undone = go_back(what, fd, host_new_block(target));
    if (undone == 0)
        left = edit_journal_remove(target);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (undone != 0)
        return refuse_for(line, "the old header could not be restored either: run `assay edit --recover` on it", error);
    if (error != 0)
        return refuse_for(line, "the old header was restored", error);
    return left == 0 ? EXIT_VALID
                     : refuse_for(line, "the new header is there, but the journal can't be removed: run `assay edit "
                                        "--recover` on it", left);
}

/* Find out where the file has data, if blocks are to be inserted. Return NULL, or what is wrong. */
static const char *find_layout(const write_result *result, int fd, const host_new_file *target, host_layout *layout,
                               int *error)
{
    if (result->new_head == result->old_head)
        return NULL;
    *error = flush(fd); /* what is not on the disk yet may have no blocks */
    if (*error == 0)
        *error = host_layout_read(layout, fd, host_new_block(target));
    if (*error != EFBIG)
        return *error == 0 ? NULL : "its data can't be located";
    *error = 0;
    return "its header has no room for this, and its data have too many holes for more room in place: edit it once "
           "without --in-place";
}

int edit_in_place(const command_line *line, host_file *old, const write_result *result, const host_new_file *target)
{
    static edit_journal made;
    static host_layout layout;
    host_file file = {.fd = -1};
    int error = 0, status = EXIT_ERROR;
    if (result->new_head < result->old_head) /* the process that made it has looked, but is not trusted */
        return refuse(line, "the new header is shorter");
    interrupt_catch(true);
    close(old->fd); /* a lease requires that no other descriptor leads to the file */
    old->fd = -1;
    if (!write_sandbox(line, target->directory))
        return EXIT_ERROR;
    const char *wrong = open_file(target, old, &file, &error);
    if (wrong == NULL)
        wrong = lease(line, file.fd);
    if (wrong == NULL)
        wrong = find_layout(result, file.fd, target, &layout, &error);
    if (wrong == NULL && host_unchanged(&file, result->old, (size_t)result->old_head) != HOST_FINE)
        wrong = "it changed in the meantime: try again when nothing writes to it";
    if (wrong == NULL &&
        !edit_journal_make(&made, result, &file, result->new_head == result->old_head ? NULL : &layout))
        wrong = "not enough memory";
    if (wrong != NULL)
        status = error != 0 ? refuse_for(line, wrong, error) : refuse(line, wrong);
    else if (interrupted == 0 && edit_journal_write(&made, target))
        status = change(line, &made, file.fd, target);
    edit_journal_free(&made);
    if (file.fd >= 0)
        close(file.fd);
    return status;
}

/* ---- Recovery --------------------------------------------------------------------------------------------- */

typedef enum { HEAD_OLD, HEAD_NEW, HEAD_MIXED, HEAD_DAMAGED, HEAD_OTHER } head_state;

/* Is the file as long as it is after the edit, but not before? */
static bool is_longer(const edit_journal *what, const host_file *file)
{
    return what->new_size != what->old_size && file->size == what->new_size;
}

/* Return the old byte at an offset of the file, if the old head was moved by so many bytes; else a byte of a hole. */
static uint8_t old_byte(const edit_journal *what, uint64_t moved, uint64_t at)
{
    return at >= moved && at - moved < what->old_head ? what->old[at - moved] : 0;
}

/* Which head has the file now? Mixed: each byte is one of the old or the new, or of the invalid length. A head in which
 * the hole is still to be found counts as mixed; go_back finds out. Damaged: it has other bytes, and the invalid
 * length. */
static head_state look(host_file *file, const edit_journal *what, host_problem *problem)
{
    uint8_t part[16384];
    uint64_t inserted = edit_journal_inserted(what), moved = is_longer(what, file) ? inserted : 0;
    uint64_t size = moved > 0 ? what->new_head : what->old_head;
    bool known = what->new_head > 0 && moved == inserted; /* the bytes that the new head has here */
    bool old = file->size == what->old_size, new = known && file->size == what->new_size, other = false;
    bool marked = true, moved_mark = moved > 0; /* the invalid length is whole here, or there */
    for (uint64_t at = 0; at < size && *problem == HOST_FINE;) {
        uint64_t left = size - at, count = left < sizeof part ? left : sizeof part;
        *problem = host_read(file, at, part, (size_t)count);
        for (uint64_t i = 0; i < count && *problem == HOST_FINE; i++) {
            uint64_t k = at + i;
            bool is_old = part[i] == old_byte(what, moved, k);
            bool is_new = known && part[i] == what->head[k];
            bool is_mark = part[i] == 255 && (k < 8 || (k >= moved && k < moved + 8));
            old = old && is_old;
            new = new && is_new;
            other = other || (!is_old && !is_new && !is_mark);
            marked = marked && (k >= 8 || part[i] == 255);
            moved_mark = moved_mark && (k < moved || k >= moved + 8 || part[i] == 255);
        }
        at += count;
    }
    return new ? HEAD_NEW : old ? HEAD_OLD : !other ? HEAD_MIXED : marked || moved_mark ? HEAD_DAMAGED : HEAD_OTHER;
}

/* Is the hole that was inserted not at the beginning? Then it may be in the middle of the old head. */
static bool is_moving(const edit_journal *what, const host_file *file, uint64_t block)
{
    static host_layout now;
    uint64_t offset = 0;
    return edit_journal_inserted(what) > 0 && is_longer(what, file) && host_layout_read(&now, file->fd, block) == 0 &&
           host_hole_find(&what->layout, &now, edit_journal_inserted(what), &offset) && offset > 0;
}

/* Restore the old head, unless one of both is whole. */
static int restore(const command_line *line, const edit_journal *what, host_file *file, const host_new_file *target)
{
    host_problem problem = HOST_FINE;
    uint64_t block = host_new_block(target);
    head_state state = is_moving(what, file, block) ? HEAD_MIXED : look(file, what, &problem);
    int error = 0;
    if (problem != HOST_FINE)
        return refuse_for(line, "it can't be read", file->system);
    if (state == HEAD_OTHER)
        return refuse(line, "no edit of it is unfinished, and its header is neither of those in the journal: remove "
                            "the journal");
    if (state == HEAD_DAMAGED && !line->force)
        return refuse(line, "its header is neither of those in the journal: pass --force to restore the old one");
    if (state == HEAD_MIXED || state == HEAD_DAMAGED)
        error = go_back(what, file->fd, block);
    if (error == MOVED_ELSEWHERE)
        return refuse(line, "its data are not where the journal states: restore it from a copy");
    if (error == 0)
        error = flush(file->fd); /* what is whole may not be on the disk */
    if (error == 0)
        error = edit_journal_remove(target);
    return error == 0 ? EXIT_VALID : refuse_for(line, "run this again", error);
}

/* Can the file have this size, during the edit or around it? */
static bool is_size(const edit_journal *what, uint64_t size)
{
    return edit_journal_inserted(what) > 0 ? size == what->old_size || size == what->new_size
                                           : size >= what->old_size && size <= what->new_size;
}

static int recover(const command_line *line, const host_new_file *target, edit_journal *what)
{
    host_file file = {.fd = -1};
    int error = 0, status = EXIT_ERROR;
    const char *wrong = edit_journal_read(what, target);
    if (wrong == NULL && (!write_worker_accepts(line, what->old, what->old_head, what->old_size) ||
                          (what->new_head > 0 &&
                           !write_worker_accepts(line, what->head, what->new_head, what->new_size))))
        wrong = "a header in its journal is not valid";
    if (wrong == NULL && !write_sandbox(line, target->directory))
        return EXIT_ERROR;
    if (wrong == NULL)
        wrong = open_file(target, NULL, &file, &error);
    if (wrong == NULL)
        wrong = lease(line, file.fd);
    if (wrong == NULL && !is_size(what, file.size))
        wrong = "it has not the size that the journal states: remove the journal, if the file was replaced";
    if (wrong == NULL && file.stamp.inode != what->inode && !line->force)
        wrong = "the journal is about another file of this name: pass --force if this one is a copy, or remove the "
                "journal";
    if (wrong != NULL)
        status = error != 0 ? refuse_for(line, wrong, error) : refuse(line, wrong);
    else
        status = restore(line, what, &file, target);
    if (file.fd >= 0)
        close(file.fd);
    return status;
}

int edit_recover(const command_line *line)
{
    static edit_journal what;
    host_new_file target;
    host_new_problem problem = host_new_target(&target, line->operand[0], line->force);
    int status = EXIT_ERROR;
    if (problem == HOST_NEW_FINE)
        status = recover(line, &target, &what);
    else
        write_report(line->operand[0], &target, problem);
    edit_journal_free(&what);
    host_new_end(&target);
    return status;
}
