/* write_worker.h: a process that makes the head of a new file, and can write no file. It judges what it reads in the
 * sandbox of ls and meta, and hands over the head and which bytes follow it. */
#ifndef ASSAY_WRITE_WORKER_H
#define ASSAY_WRITE_WORKER_H

#include "cli.h"
#include "edit_head.h"

#define WRITE_HEAD_MOST (EDIT_HEADER_MOST + 8u)
#define WRITE_PIECES_MOST 3200000u /* more than a header has tensors */
#define WRITE_TEXT_MOST 100000000u
#define WRITE_OWN ASSAY_NONE

/* Bytes that are copied to the new file. */
typedef struct {
    uint64_t begin, end; /* offsets in their file */
    uint64_t path;       /* WRITE_OWN: of the file that is open; else the offset of a path in text, ending with NUL */
    uint64_t whole;      /* 1: the file must end at `end` */
} write_piece;

/* What the process has made, in memory that it shared. The arrays are mostly never touched. */
typedef struct {
    uint32_t state;    /* WRITE_CERTIFIED, or something else */
    uint32_t changed;  /* is it another file than the old one? */
    uint64_t old_head; /* bytes of old: 8 + N of the file, or 0 */
    uint64_t new_head; /* bytes of head */
    uint64_t pieces, text_size;
    uint8_t old[WRITE_HEAD_MOST], head[WRITE_HEAD_MOST];
    write_piece piece[WRITE_PIECES_MOST];
    char text[WRITE_TEXT_MOST];
} write_result;

#define WRITE_CERTIFIED 0x43455254u

/* What the process does, after it has given up everything else. Return an exit status; EXIT_VALID: *result is complete,
 * but for its state. */
typedef int write_work(void *context, write_result *result);

/* Run the process. path: for messages. file: open for reading, or NULL. Return EXIT_VALID, and *result, whose numbers
 * are within their bounds; or, after reporting why, another status. Call write_result_free in any case. */
int write_worker(const command_line *line, const host_file *file, write_work *work, void *context,
                 write_result **result);
void write_result_free(write_result *result);

/* Is a head that is in memory that of a valid file of this size? Such a process judges it. */
bool write_worker_accepts(const command_line *line, const uint8_t *head, uint64_t head_size, uint64_t file_size);

/* Give up what writing a file does not need: this process can afterwards write in an open folder alone; -1: in none.
 * Return false after reporting why that is not possible. */
bool write_sandbox(const command_line *line, int folder);

/* ---- For the process ------------------------------------------------------------------------------------- */

/* Judge a head. Return the status; ASSAY_WORKSPACE: there is not enough memory. The workspace belongs to the view, and
 * is freed with the process. */
assay_status write_parse(const assay_input *input, assay_workspace *workspace, assay_result *result);

/* Draw the seed of the process's tables, which write_worker has prepared. */
uint64_t write_seed(void);

#endif
