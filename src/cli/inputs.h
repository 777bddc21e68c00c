/* inputs.h: what the user named, one file after the other. */
#ifndef ASSAY_INPUTS_H
#define ASSAY_INPUTS_H

#include "cli.h"
#include "path_list.h"

typedef struct {
    const command_line *line;
    host_choice choice;
    int operand;
    name_list list; /* of --files0-from */
    bool any, ended; /* it named something, or it was said why not; there is no more */
    bool streamed;   /* standard input was given out, and is a stream */
    bool walking, found; /* in a directory; which has a file */
    host_walk walk;
    char *directory; /* its name; or that of a named index */
    char *index;     /* the index's own name */
    char *query;     /* what goes behind the paths of a folder on a server */
} inputs;

typedef struct {
    const char *path; /* valid until the next call */
    host_file file;   /* open, if there is no problem; of a folder fd alone, or -1 */
    bool afar;        /* it is on a server */
    const char *query;
    bool folder;      /* with a model, of which these names matter */
    char *const *names;
    size_t count;
    host_problem problem;
    int system;
} input;

/* Opens one thing that the user named: a path, - for standard input. */
host_problem input_open(host_file *file, const char *path);

/* False: the list can't be opened; that has been told. */
bool inputs_begin(inputs *from, const command_line *line);
/* wait: called when there are too many open files; false: it can't help. */
bool inputs_next(inputs *from, input *next, bool (*wait)(void *), void *context);
void inputs_end(inputs *from);

#endif
