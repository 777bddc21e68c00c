/* file_verdict.h: from an open file to a verdict. */
#ifndef ASSAY_HOST_FILE_VERDICT_H
#define ASSAY_HOST_FILE_VERDICT_H

#include "open_file.h"

/* Memory that is kept from one file to the next, and the seed of the program's own hash tables. Start from
 * HOST_MEMORY_NONE. */
typedef struct {
    uint8_t *head;
    size_t head_room; /* bytes */
    assay_workspace workspace;
    uint64_t seed; /* no verdict on a file depends on it */
    bool seeded;
    bool reads_ends; /* also read the bytes of valid files that another program may take for another format */
    uint8_t *ends;   /* [HOST_DATA + HOST_TAIL]: these bytes */
    host_ending *ending;
    /* Called with each valid file of known size that is no stream and whose view is requested, while it is open; or
     * NULL. */
    host_problem (*also)(void *context, host_file *file, const assay_view *view);
    void *also_context;
} host_memory;

#define HOST_MEMORY_NONE {NULL, 0, {NULL, 0, NULL, 0}, 0, false, false, NULL, NULL, NULL, NULL}

/* Free everything but the seed. */
void host_memory_free(host_memory *memory);

/* The result for one file. Valid until the memory is used for the next file. */
typedef struct {
    host_problem problem; /* if not HOST_FINE, only system and file_size are set besides */
    int system;           /* errno that belongs to the problem, or 0 */
    assay_status status;  /* the core's verdict */
    assay_error error;    /* its names lie in head */
    assay_need need;       /* tensors, pairs: of a valid file */
    uint64_t file_size;    /* bytes; ASSAY_NONE if unknown */
    bool stream;           /* it was a stream; if file_size is unknown, its rest was not read */
    bool cut;              /* its rest was not read, and file_size is the number of bytes that came */
    host_stamp stamp;      /* unless file_size is unknown, or it is a stream */
    host_fetch fetch;
    host_beside beside;    /* see host_file */
    bool has_length;       /* the file has a header length ... */
    uint64_t header_bytes; /* ... which is this */
    const assay_view *view; /* of a valid file, if a view was requested; else NULL */
    const uint8_t *head;   /* the private copy that was judged: head[0 .. head_size) */
    size_t head_size;
    bool contained;   /* a worker judged it ... */
    unsigned sandbox; /* ... with these layers around it, see sandbox.h */
    const uint8_t *data, *tail; /* of a valid file, if memory.reads_ends: its first data, and its last bytes */
    size_t data_size, tail_size;
    struct note_list *notes;    /* see notes.h; NULL: they were not looked for */
    const struct note *refusal; /* the note for which the policy refuses the file, or NULL */
    const struct modelspec_result *modelspec; /* see modelspec_report.h; NULL: that was not requested */
} host_verdict;

/* Draw the seed, before the sandbox is entered. No file learns anything about it. memory->seeded: false if the system
 * provides no random numbers; then no table may be used. */
void host_seed_tables(host_memory *memory);

/* Judge an open file or stream, and close it. view: NULL, or where the table of a valid file is stored. */
void host_judge(host_memory *memory, host_file *file, assay_view *view, host_verdict *verdict);

#endif
