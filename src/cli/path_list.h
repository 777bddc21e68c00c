/* path_list.h: the paths of --files0-from, each ended by a NUL, which the last may lack. */
#ifndef ASSAY_PATH_LIST_H
#define ASSAY_PATH_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int fd;
    char *bytes;       /* a buffer of PATH_LIST_ROOM bytes */
    size_t begin, end; /* the bytes in it that were not returned yet */
    bool ended;        /* all has been read */
} path_list;

/* Open a list; - is standard input. Return false and set errno if that fails. */
bool path_list_begin(path_list *list, const char *path);
/* Return the next path, valid until the next call. Return NULL after an error, which *error has (ENAMETOOLONG: longer
 * than any path), or with *error 0 at the end or after a signal. */
const char *path_list_next(path_list *list, int *error);
void path_list_end(path_list *list);

#endif
