/* merge_sort.h: a sort for sandboxed processes. qsort of a C library may ask how much memory there is, which a sandbox
 * forbids, and may then take quadratic time. */
#ifndef ASSAY_BASE_MERGE_SORT_H
#define ASSAY_BASE_MERGE_SORT_H

#include <stddef.h>

/* Sort item[0 .. count), of `size` bytes each; equal ones stay in order. spare: room for as many. At most
 * count * log2(count) comparisons, rounded up, whatever the order is. */
void merge_sort(void *item, void *spare, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
