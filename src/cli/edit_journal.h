/* edit_journal.h: what a file was and what it becomes while it is changed in place: both heads, both sizes, and where
 * it has data. The journal is a file beside it. Program and Python package write the same format:
 *
 *   offset  bytes
 *        0     16  "assay-journal-1\n"
 *       16      8  old size of the file; all numbers are little-endian
 *       24      8  new size of the file
 *       32      8  old size of the head
 *       40      8  new size of the head
 *       48      8  inode of the file
 *       56      8  number of segments
 *       64      8  CRC-32 of all other bytes of the journal
 *       72         segments: begin and end; then the old head; then the new head
 *
 * Either the head keeps its size, and the file may grow at its end; or the head grows, by whole blocks that are
 * inserted at the beginning, and the file by as much. Only then there are segments: where the old file has data. While
 * data are appended the new head is not known: its size is 0, and the new size of the file is a bound. */
#ifndef ASSAY_EDIT_JOURNAL_H
#define ASSAY_EDIT_JOURNAL_H

#include "cli.h"
#include "file_ranges.h"
#include "new_file.h"
#include "write_worker.h"

typedef struct {
    uint64_t old_size, new_size, old_head, new_head, inode;
    host_layout layout; /* of the old file */
    uint8_t *bytes;     /* the whole journal */
    uint64_t size;      /* of it */
    const uint8_t *old, *head;
} edit_journal;

/* Make the journal of an edit in memory. layout: of the file, or NULL. Return false if there is not enough memory. Call
 * edit_journal_free in any case. */
bool edit_journal_make(edit_journal *made, const write_result *result, const host_file *file,
                       const host_layout *layout);
void edit_journal_free(edit_journal *journal);

/* Write the journal of a file, which is on the disk afterwards. Return false after reporting why it can't. */
bool edit_journal_write(const edit_journal *journal, const host_new_file *target);

/* Read the journal of a file. Return NULL, or what is wrong. Call edit_journal_free in any case. */
const char *edit_journal_read(edit_journal *to, const host_new_file *target);

/* Remove the journal of a file. Return errno, or 0. */
int edit_journal_remove(const host_new_file *target);

/* Has the file a journal? */
bool edit_journal_exists(const host_new_file *target);

/* Return the bytes that are inserted at the beginning of the file, or that it grows by at its end. */
uint64_t edit_journal_inserted(const edit_journal *journal);
uint64_t edit_journal_appended(const edit_journal *journal);

#endif
