/* path_list.c: see path_list.h. It does not use stdio, so that a signal ends the wait for a slow writer. */
#include "posix.h"

#include "path_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

#define PATH_LIST_ROOM 65536u /* bytes: a name and its NUL; Linux takes 4,096 */

bool path_list_begin(path_list *list, const char *path)
{
    *list = (path_list){.fd = 0};
    if (strcmp(path, "-") != 0) /* wait for the writer of a pipe later, where a signal is noticed */
        list->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (list->fd < 0)
        return false;
    list->bytes = malloc(PATH_LIST_ROOM);
    if (list->bytes != NULL)
        return true;
    path_list_end(list);
    errno = ENOMEM;
    return false;
}

/* Append more bytes of the list. Return false at the end or at a signal, or set *error. */
static bool read_more(path_list *list, int *error)
{
    ssize_t got = -1;
    memmove(list->bytes, list->bytes + list->begin, list->end - list->begin);
    list->end -= list->begin;
    list->begin = 0;
    *error = list->end == PATH_LIST_ROOM ? ENAMETOOLONG : 0;
    while (*error == 0 && got < 0) {
        if (!interrupt_wait(list->fd))
            return false;
        got = read(list->fd, list->bytes + list->end, PATH_LIST_ROOM - list->end);
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            *error = errno;
    }
    list->end += got > 0 ? (size_t)got : 0;
    list->ended = got <= 0;
    return *error == 0 && got > 0;
}

const char *path_list_next(path_list *list, int *error)
{
    size_t searched = 0; /* bytes of this name in which there is no NUL */
    const char *name, *nul;
    *error = 0;
    for (;;) {
        name = list->bytes + list->begin;
        nul = memchr(name + searched, '\0', list->end - list->begin - searched);
        if (nul != NULL)
            break;
        searched = list->end - list->begin;
        if (!list->ended && read_more(list, error))
            continue;
        if (*error != 0 || interrupted != 0 || searched == 0)
            return NULL;
        list->bytes[list->end++] = '\0'; /* the last name; there is room: the end was read into it */
    }
    list->begin = (size_t)(nul + 1 - list->bytes);
    return name;
}

void path_list_end(path_list *list)
{
    if (list->fd > 0)
        close(list->fd);
    free(list->bytes);
    *list = (path_list){.fd = -1};
}
