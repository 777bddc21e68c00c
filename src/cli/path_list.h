/* path_list.h: the names in a list, each ended by a NUL (the last one may do without). */
#ifndef ASSAY_PATH_LIST_H
#define ASSAY_PATH_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int fd;
    char *bytes;       /* LIST_ROOM of them, of which */
    size_t begin, end; /* these are not given yet */
    bool ended;        /* there is nothing more to be read */
} name_list;

/* "-": standard input. False: errno says why it can't be opened. Takes memory, which list_end gives back. */
bool list_begin(name_list *list, const char *path);
/* The next name, valid until the next call. NULL: *error says why (ENAMETOOLONG: no system has such a path), or is 0:
 * it has ended, or the program is to end (interrupted). */
const char *list_next(name_list *list, int *error);
void list_end(name_list *list);

#endif
