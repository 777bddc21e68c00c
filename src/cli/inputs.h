/* inputs.h: what the user named, as one file or folder of a model after the other. */
#ifndef ASSAY_INPUTS_H
#define ASSAY_INPUTS_H

#include "cli.h"
#include "path_list.h"

typedef struct {
    const command_line *line;
    host_choice choice;
    int operand;         /* the index of the next one */
    path_list list;      /* of --files0-from */
    bool any;            /* the list named something */
    bool ended;          /* there is nothing more in the list, or the descriptor was taken */
    bool streamed;       /* a stream was taken */
    bool walking, found; /* in a directory; it contains a file to check */
    host_walk walk;
    char *directory;     /* its path, or that of a named index */
    char *index;         /* the name of a named index */
    char *query;         /* follows the path of each file of a folder on a server */
} inputs;

typedef struct {
    const char *path; /* valid until the next call */
    host_file file;   /* open, if there is no problem; of a folder only fd, or -1 */
    bool remote;      /* it is on a server */
    const char *query;
    bool folder;      /* it is a folder with a model, of which only these names matter */
    char *const *names;
    size_t count;
    host_problem problem;
    int system; /* errno, or 0 */
} input;

/* Open one local file that the user named; - is standard input. */
host_problem input_open(host_file *file, const char *path);

/* Return false after reporting that the list can't be opened. */
bool inputs_begin(inputs *from, const command_line *line);

/* Get the next input. Return false at the end. wait: called when too many files are open; it returns false if waiting
 * won't help. */
bool inputs_next(inputs *from, input *next, bool (*wait)(void *), void *context);
void inputs_end(inputs *from);

#endif
