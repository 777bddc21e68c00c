/* edit_journal.c: see edit_journal.h. */
#include "posix.h"

#include "edit_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "write_report.h"

#define SUFFIX ".assay-journal"
#define MAGIC "assay-journal-1\n" /* 16 bytes */
#define NUMBERS 16u               /* offset of the first of six numbers */
#define CHECKSUM 64u              /* offset */
#define SEGMENTS 72u              /* offset */
#define SEGMENT 16u               /* bytes */
#define HEAD_MOST ((uint64_t)EDIT_HEADER_MOST + 8)
#define JOURNAL_MOST (SEGMENTS + (uint64_t)SEGMENT * HOST_SEGMENTS_MOST + 2 * HEAD_MOST)

uint64_t edit_journal_inserted(const edit_journal *journal)
{
    return journal->new_head > journal->old_head ? journal->new_head - journal->old_head : 0;
}

uint64_t edit_journal_appended(const edit_journal *journal)
{
    return journal->new_size - journal->old_size - edit_journal_inserted(journal);
}

/* Return the name of the journal of a file, for free(), or NULL. */
static char *journal_name(const char *name)
{
    size_t room = strlen(name) + sizeof SUFFIX;
    char *made = malloc(room);
    if (made != NULL)
        snprintf(made, room, "%s" SUFFIX, name);
    return made;
}

/* ---- Bytes ------------------------------------------------------------------------------------------------ */

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

/* Go on with a CRC-32, as zlib computes it. */
static uint32_t crc(uint32_t before, const uint8_t *bytes, uint64_t count)
{
    static uint32_t table[256];
    for (uint32_t i = 0; i < 256 && table[255] == 0; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (0xEDB88320u & (0u - (value & 1u)));
        table[i] = value;
    }
    uint32_t value = ~before;
    for (uint64_t i = 0; i < count; i++)
        value = value >> 8 ^ table[(value ^ bytes[i]) & 255u];
    return ~value;
}

/* Return the checksum of a journal: of all but its own 8 bytes. */
static uint64_t checksum(const uint8_t *bytes, uint64_t size)
{
    return crc(crc(0, bytes, CHECKSUM), bytes + SEGMENTS, size - SEGMENTS);
}

/* Return the size of a journal with these heads and segments. */
static uint64_t size_of(const edit_journal *journal)
{
    return SEGMENTS + SEGMENT * journal->layout.count + journal->old_head + journal->new_head;
}

/* Find the heads in the bytes. */
static void find_heads(edit_journal *journal)
{
    journal->old = journal->bytes + SEGMENTS + SEGMENT * journal->layout.count;
    journal->head = journal->old + journal->old_head;
}

bool edit_journal_make(edit_journal *made, const write_result *result, const host_file *file,
                       const host_layout *layout)
{
    made->old_head = result->old_head;
    made->new_head = result->new_head;
    made->old_size = file->size;
    made->new_size = file->size + (made->new_head - made->old_head);
    made->inode = file->stamp.inode;
    if (layout != NULL)
        made->layout = *layout;
    else
        made->layout.count = 0;
    made->size = size_of(made);
    made->bytes = malloc((size_t)made->size);
    if (made->bytes == NULL)
        return false;
    const uint64_t numbers[] = {made->old_size, made->new_size, made->old_head,
                                made->new_head, made->inode,    made->layout.count};
    memcpy(made->bytes, MAGIC, 16);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        put_number(made->bytes + NUMBERS + 8 * i, numbers[i]);
    for (uint64_t i = 0; i < made->layout.count; i++) {
        put_number(made->bytes + SEGMENTS + SEGMENT * i, made->layout.segment[i].begin);
        put_number(made->bytes + SEGMENTS + SEGMENT * i + 8, made->layout.segment[i].end);
    }
    find_heads(made);
    memcpy(made->bytes + (made->old - made->bytes), result->old, (size_t)made->old_head);
    memcpy(made->bytes + (made->head - made->bytes), result->head, (size_t)made->new_head);
    put_number(made->bytes + CHECKSUM, checksum(made->bytes, made->size));
    return true;
}

void edit_journal_free(edit_journal *journal)
{
    free(journal->bytes);
    journal->bytes = NULL;
}

/* ---- The file --------------------------------------------------------------------------------------------- */

bool edit_journal_write(const edit_journal *journal, const host_new_file *target)
{
    host_new_file to;
    char *name = journal_name(target->path);
    if (name == NULL) {
        fputs("assay: not enough memory for a journal\n", stderr);
        return false;
    }
    host_new_problem problem = host_new_target(&to, name, true); /* the file itself may be a blob of a Hub cache */
    if (problem == HOST_NEW_FINE && to.exists)
        problem = HOST_NEW_REPLACED;
    if (problem == HOST_NEW_FINE) {
        to.mode = 0600;
        problem = host_new_begin(&to, false);
    }
    if (problem == HOST_NEW_FINE)
        problem = host_new_bytes(&to, journal->bytes, journal->size);
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
    return problem == HOST_NEW_FINE;
}

/* Read the numbers of a journal. Return false if they are impossible. */
static bool read_numbers(edit_journal *to)
{
    uint64_t numbers[6];
    for (size_t i = 0; i < 6; i++)
        numbers[i] = get_number(to->bytes + NUMBERS + 8 * i);
    to->old_size = numbers[0];
    to->new_size = numbers[1];
    to->old_head = numbers[2];
    to->new_head = numbers[3];
    to->inode = numbers[4];
    to->layout.count = numbers[5];
    if (to->old_head < 10 || (to->new_head < to->old_head && to->new_head != 0) || to->new_head > HEAD_MOST ||
        to->old_size < to->old_head || to->new_size > (uint64_t)INT64_MAX || to->new_size < to->old_size ||
        to->layout.count > HOST_SEGMENTS_MOST || to->size != size_of(to))
        return false;
    uint64_t inserted = edit_journal_inserted(to), more = to->new_size - to->old_size;
    if (inserted > 0 ? more != inserted || to->layout.count == 0 : to->layout.count > 0)
        return false;
    for (uint64_t i = 0; i < to->layout.count; i++) {
        const uint8_t *at = to->bytes + SEGMENTS + SEGMENT * i;
        to->layout.segment[i] = (host_segment){get_number(at), get_number(at + 8)};
    }
    return true;
}

const char *edit_journal_read(edit_journal *to, const host_new_file *target)
{
    host_file file;
    char *name = journal_name(target->name);
    to->bytes = NULL;
    if (name == NULL)
        return "not enough memory";
    host_problem problem = host_open_seen(&file, target->directory, name);
    free(name);
    if (problem == HOST_OPEN && file.system == ENOENT)
        return "there is no journal of an edit: nothing has to be recovered";
    if (problem == HOST_FINE) {
        problem = host_copy(&file, JOURNAL_MOST, &to->bytes);
        close(file.fd);
    }
    if (problem != HOST_FINE || to->bytes == NULL)
        return "its journal can't be read";
    to->size = file.size;
    if (to->size < SEGMENTS || memcmp(to->bytes, MAGIC, 16) != 0)
        return "its journal is not one of this program: if `assay check` finds the file valid, remove "
               "FILE.assay-journal";
    if (!read_numbers(to) || get_number(to->bytes + CHECKSUM) != checksum(to->bytes, to->size))
        return "its journal is damaged: if `assay check` finds the file valid, remove FILE.assay-journal";
    find_heads(to);
    return NULL;
}

int edit_journal_remove(const host_new_file *target)
{
    char *name = journal_name(target->name);
    int error = name == NULL ? ENOMEM : unlinkat(target->directory, name, 0) == 0 ? 0 : errno;
    free(name);
    if (error == 0)
        fsync(target->directory); /* if that fails, the journal may be there again; it does no harm */
    return error;
}

bool edit_journal_exists(const host_new_file *target)
{
    struct stat status;
    char *name = journal_name(target->name);
    bool is = name != NULL && fstatat(target->directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    free(name);
    return is;
}
