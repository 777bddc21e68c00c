/* edit_in_place.c: see edit_in_place.h. The journal has both heads. It is on the disk before the file is changed, and
 * removed after that is on the disk. In between the header length is invalid (rule F2), so nobody reads a mixture. */
#include "posix.h"

#include "edit_in_place.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "escaped_text.h"
#include "keyed_hash.h"
#include "write_report.h"

#define SUFFIX ".assay-journal"
#define MAGIC "assay-journal-1\n" /* 16 bytes; then four numbers of 8 bytes, the old head, the new head */
#define BEFORE 48u

/* A journal in memory. */
typedef struct {
    uint64_t file_size, head_size, inode;
    uint8_t *bytes; /* the whole journal */
    const uint8_t *old, *head;
} journal;

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

/* ---- The journal ------------------------------------------------------------------------------------------ */

/* Return the name of the journal of a file, for free(), or NULL. */
static char *journal_name(const char *name)
{
    size_t room = strlen(name) + sizeof SUFFIX;
    char *made = malloc(room);
    if (made != NULL)
        snprintf(made, room, "%s" SUFFIX, name);
    return made;
}

static void put_number(uint8_t *to, uint64_t number)
{
    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint8_t)(number >> 8 * i);
}

static uint64_t get_number(const uint8_t *from)
{
    uint64_t number = 0;
    for (unsigned i = 8; i-- > 0;)
        number = number << 8 | from[i];
    return number;
}

/* Return the checksum of a journal: of all but its own 8 bytes. */
static uint64_t checksum(const uint8_t *bytes, uint64_t size)
{
    keyed_hash hash;
    keyed_hash_begin(&hash, 0, HASH_FINGERPRINT, 0);
    keyed_hash_bytes(&hash, bytes, BEFORE - 8);
    keyed_hash_bytes(&hash, bytes + BEFORE, (size_t)(size - BEFORE));
    return keyed_hash_end(&hash);
}

/* Write the journal, which is on the disk afterwards. Return EXIT_VALID, or another status after reporting why. */
static int journal_write(const command_line *line, const journal *what, const host_new_file *target)
{
    host_new_file to;
    char *name = journal_name(target->path);
    if (name == NULL)
        return refuse(line, "not enough memory");
    host_new_problem problem = host_new_target(&to, name, false);
    if (problem == HOST_NEW_FINE && to.exists)
        problem = HOST_NEW_REPLACED;
    if (problem == HOST_NEW_FINE) {
        to.mode = 0600;
        problem = host_new_begin(&to, false);
    }
    if (problem == HOST_NEW_FINE)
        problem = host_new_bytes(&to, what->bytes, BEFORE + 2 * what->head_size);
    if (problem == HOST_NEW_FINE)
        problem = host_new_sync(&to);
    if (problem == HOST_NEW_FINE)
        problem = host_new_finish(&to);
    if (problem != HOST_NEW_FINE)
        write_report(name, &to, problem);
    if (problem == HOST_NEW_DIRECTORY) /* then it must not be relied on */
        unlinkat(to.directory, to.name, 0);
    host_new_end(&to);
    free(name);
    return problem == HOST_NEW_FINE ? EXIT_VALID : EXIT_ERROR;
}

/* Make the journal of an edit in memory. */
static bool journal_make(journal *made, const write_result *result, const host_file *file)
{
    uint64_t size = result->old_head;
    *made = (journal){.file_size = file->size, .head_size = size, .inode = file->stamp.inode};
    made->bytes = malloc((size_t)(BEFORE + 2 * size));
    if (made->bytes == NULL)
        return false;
    memcpy(made->bytes, MAGIC, 16);
    put_number(made->bytes + 16, made->file_size);
    put_number(made->bytes + 24, size);
    put_number(made->bytes + 32, made->inode);
    memcpy(made->bytes + BEFORE, result->old, (size_t)size);
    memcpy(made->bytes + BEFORE + size, result->head, (size_t)size);
    put_number(made->bytes + 40, checksum(made->bytes, BEFORE + 2 * size));
    made->old = made->bytes + BEFORE;
    made->head = made->old + size;
    return true;
}

/* Read a journal. Return NULL, or what is wrong. */
static const char *journal_read(journal *to, const host_new_file *target)
{
    host_file file;
    char *name = journal_name(target->name);
    *to = (journal){.bytes = NULL};
    if (name == NULL)
        return "not enough memory";
    host_problem problem = host_open_seen(&file, target->directory, name);
    free(name);
    if (problem == HOST_OPEN && file.system == ENOENT)
        return "there is no journal of an edit: nothing has to be recovered";
    if (problem == HOST_FINE) {
        problem = host_copy(&file, BEFORE + 2 * ((uint64_t)EDIT_HEADER_MOST + 8), &to->bytes);
        close(file.fd);
    }
    if (problem != HOST_FINE || to->bytes == NULL)
        return "its journal can't be read";
    if (file.size < BEFORE || memcmp(to->bytes, MAGIC, 16) != 0)
        return "its journal is not one of this program";
    to->file_size = get_number(to->bytes + 16);
    to->head_size = get_number(to->bytes + 24);
    to->inode = get_number(to->bytes + 32);
    if (to->head_size < 10 || to->head_size > (uint64_t)EDIT_HEADER_MOST + 8 || to->file_size < to->head_size ||
        file.size != BEFORE + 2 * to->head_size || get_number(to->bytes + 40) != checksum(to->bytes, file.size))
        return "its journal is damaged";
    to->old = to->bytes + BEFORE;
    to->head = to->old + to->head_size;
    return NULL;
}

/* Remove the journal. Return errno, or 0. */
static int journal_remove(const host_new_file *target)
{
    char *name = journal_name(target->name);
    int error = name == NULL ? ENOMEM : unlinkat(target->directory, name, 0) == 0 ? 0 : errno;
    free(name);
    if (error == 0)
        fsync(target->directory); /* if that fails, the journal may be there again; it does no harm */
    return error;
}

bool edit_is_interrupted(const command_line *line, const host_new_file *target)
{
    struct stat status;
    char *name = journal_name(target->name);
    bool is = name != NULL && fstatat(target->directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    free(name);
    if (is) {
        fputs("assay: an edit in place of ", stderr);
        text_path(stderr, TEXT_QUOTED, line->operand[0]);
        fputs(" did not end: run `assay edit --recover` on it first\n", stderr);
    }
    return is;
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

/* Write a head. Until its length is there, the file has one that no reader accepts. Return errno, or 0. */
static int put_head(int fd, const uint8_t *head, uint64_t size)
{
    static const uint8_t invalid[8] = {255, 255, 255, 255, 255, 255, 255, 255};
    int error = put(fd, invalid, 8, 0);
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

/* Change the file after its journal is on the disk, and remove that. */
static int change(const command_line *line, const journal *what, int fd, const host_new_file *target)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); /* what ends the program comes after it */
    int error = put_head(fd, what->head, what->head_size), undone = 0, left = 0;
    if (error != 0)
        undone = put_head(fd, what->old, what->head_size);
    if (undone == 0)
        left = journal_remove(target);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (undone != 0)
        return refuse_for(line, "the old header could not be restored either: run `assay edit --recover` on it", error);
    if (error != 0)
        return refuse_for(line, "the old header was restored", error);
    return left == 0 ? EXIT_VALID
                     : refuse_for(line, "the new header is there, but the journal can't be removed: run `assay edit "
                                        "--recover` on it", left);
}

int edit_in_place(const command_line *line, host_file *old, const write_result *result, const host_new_file *target)
{
    host_file file = {.fd = -1};
    journal made = {.bytes = NULL};
    int error = 0, status = EXIT_ERROR;
    interrupt_catch(true);
    close(old->fd); /* a lease requires that no other descriptor leads to the file */
    old->fd = -1;
    const char *wrong = open_file(target, old, &file, &error);
    if (wrong == NULL)
        wrong = lease(line, file.fd);
    if (wrong == NULL && host_unchanged(&file, result->old, (size_t)result->old_head) != HOST_FINE)
        wrong = "it changed in the meantime: try again when nothing writes to it";
    if (wrong == NULL && !journal_make(&made, result, &file))
        wrong = "not enough memory";
    if (wrong != NULL)
        status = error != 0 ? refuse_for(line, wrong, error) : refuse(line, wrong);
    else if (interrupted == 0 && journal_write(line, &made, target) == EXIT_VALID)
        status = change(line, &made, file.fd, target);
    free(made.bytes);
    if (file.fd >= 0)
        close(file.fd);
    return status;
}

/* ---- Recovery --------------------------------------------------------------------------------------------- */

typedef enum { HEAD_OLD, HEAD_NEW, HEAD_MIXED, HEAD_OTHER } head_state;

/* Which head has the file now? Mixed: each byte is one of the old or the new, or of the invalid length. */
static head_state look(host_file *file, const journal *what, host_problem *problem)
{
    uint8_t part[16384];
    bool old = true, new = true, other = false;
    for (uint64_t at = 0; at < what->head_size && *problem == HOST_FINE;) {
        uint64_t left = what->head_size - at, count = left < sizeof part ? left : sizeof part;
        *problem = host_read(file, at, part, (size_t)count);
        for (uint64_t i = 0; i < count && *problem == HOST_FINE; i++) {
            bool is_old = part[i] == what->old[at + i], is_new = part[i] == what->head[at + i];
            old = old && is_old;
            new = new && is_new;
            other = other || (!is_old && !is_new && !(at + i < 8 && part[i] == 255));
        }
        at += count;
    }
    return new ? HEAD_NEW : old ? HEAD_OLD : other ? HEAD_OTHER : HEAD_MIXED;
}

/* Restore the old head, unless one of both is whole. */
static int restore(const command_line *line, const journal *what, host_file *file, const host_new_file *target)
{
    host_problem problem = HOST_FINE;
    head_state state = look(file, what, &problem);
    int error = 0;
    if (problem != HOST_FINE)
        return refuse_for(line, "it can't be read", file->system);
    if (state == HEAD_OTHER && !line->force)
        return refuse(line, "its header is neither of those in the journal: pass --force to restore the old one");
    if (state == HEAD_MIXED || state == HEAD_OTHER)
        error = put_head(file->fd, what->old, what->head_size);
    if (error == 0)
        error = flush(file->fd); /* what is whole may not be on the disk */
    if (error == 0)
        error = journal_remove(target);
    return error == 0 ? EXIT_VALID : refuse_for(line, "run this again", error);
}

static int recover(const command_line *line, const host_new_file *target, journal *what)
{
    host_file file = {.fd = -1};
    int error = 0, status = EXIT_ERROR;
    const char *wrong = journal_read(what, target);
    if (wrong == NULL && (!write_worker_accepts(line, what->old, what->head_size, what->file_size) ||
                          !write_worker_accepts(line, what->head, what->head_size, what->file_size)))
        wrong = "a header in its journal is not valid";
    if (wrong == NULL)
        wrong = open_file(target, NULL, &file, &error);
    if (wrong == NULL)
        wrong = lease(line, file.fd);
    if (wrong == NULL && file.size != what->file_size)
        wrong = "it has not the size that the journal states";
    if (wrong == NULL && file.stamp.inode != what->inode && !line->force)
        wrong = "the journal is about another file of this name: pass --force if it is a copy";
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
    host_new_file target;
    journal what = {.bytes = NULL};
    host_new_problem problem = host_new_target(&target, line->operand[0], line->force);
    int status = EXIT_ERROR;
    if (problem == HOST_NEW_FINE)
        status = recover(line, &target, &what);
    else
        write_report(line->operand[0], &target, problem);
    free(what.bytes);
    host_new_end(&target);
    return status;
}
