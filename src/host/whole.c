/* whole.c: all of a file, in memory of our own, so that nobody can change it between the look and the use. */
#include <stdlib.h>

#include "host.h"

host_problem host_copy(host_file *file, uint64_t most, uint8_t **bytes)
{
    *bytes = NULL;
    if (file->size > most || file->size > SIZE_MAX)
        return HOST_FINE; /* whoever asks knows the size */
    size_t size = (size_t)file->size;
    uint8_t *copy = malloc(size + (size == 0));
    if (copy == NULL)
        return HOST_MEMORY;
    host_problem problem = host_read(file, 0, copy, size);
    if (problem == HOST_FINE)
        problem = host_unchanged(file, copy, size);
    if (problem == HOST_FINE)
        problem = host_ends(file);
    if (problem != HOST_FINE) {
        free(copy);
        return problem;
    }
    *bytes = copy;
    return HOST_FINE;
}
