/* merge_sort.c: see merge_sort.h. */
#include "merge_sort.h"

#include <string.h>

typedef struct {
    size_t size; /* of an item, in bytes */
    int (*compare)(const void *, const void *);
} order;

/* Merge from[at .. middle) and from[middle .. end), which are sorted, into to[at .. end). */
static void merge(const order *by, const char *from, char *to, size_t at, size_t middle, size_t end)
{
    size_t left = at, right = middle, size = by->size;
    for (size_t k = at; k < end; k++) {
        size_t *next = right == end || (left < middle && by->compare(from + left * size, from + right * size) <= 0)
                           ? &left : &right;
        memcpy(to + k * size, from + *next * size, size);
        ++*next;
    }
}

void merge_sort(void *item, void *spare, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    order by = {size, compare};
    char *from = item, *to = spare;
    for (size_t run = 1; run < count; run = run > count / 2 ? count : 2 * run) {
        for (size_t at = 0; at < count;) {
            size_t middle = count - at > run ? at + run : count;
            size_t end = count - middle > run ? middle + run : count;
            merge(&by, from, to, at, middle, end);
            at = end;
        }
        char *merged = to;
        to = from;
        from = merged;
    }
    if (from != item)
        memcpy(item, from, count * size);
}
