/* order.c: the layout order of the tensors, by (begin, end, place in the header). */
#include "core.h"

static bool order_before(const assay_entry *entry, uint32_t a, uint32_t b)
{
    if (entry[a].begin != entry[b].begin)
        return entry[a].begin < entry[b].begin;
    if (entry[a].end != entry[b].end)
        return entry[a].end < entry[b].end;
    return a < b;
}

static void order_identity(uint32_t n, uint32_t *order)
{
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
}

/* Do the entries stand in layout order already? Writers that stream do that: no need to sort then. */
static bool order_ascends(const assay_entry *entry, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        if (!order_before(entry, i - 1, i))
            return false;
    }
    return true;
}

/* Merges the ascending from[at .. mid) and from[mid .. end) into to[at .. end). */
static void order_merge(const assay_entry *entry, const uint32_t *from, uint32_t at, uint32_t mid, uint32_t end,
                        uint32_t *to)
{
    uint32_t left = at, right = mid;

    for (uint32_t i = at; i < end; i++) {
        if (right == end || (left < mid && order_before(entry, from[left], from[right]))) {
            to[i] = from[left];
            left++;
        } else {
            to[i] = from[right];
            right++;
        }
    }
}

/* Merges runs of `width` two by two: from holds ascending runs of width, to those of twice the width. */
static void order_pass(const assay_entry *entry, uint32_t n, const uint32_t *from, uint32_t *to, uint32_t width)
{
    uint32_t at = 0;

    while (at < n) {
        uint32_t mid = n - at > width ? at + width : n;
        uint32_t end = n - mid > width ? mid + width : n;

        order_merge(entry, from, at, mid, end, to);
        at = end;
    }
}

/* A merge sort from the bottom up: n log n steps whatever the entries are, and no recursion. Two passes a round, so
 * that the result is in order[] when the rounds are over. */
void assay_order(const assay_entry *entry, uint32_t n, uint32_t *order, uint32_t *scratch)
{
    order_identity(n, order);
    if (order_ascends(entry, n))
        return;
    for (uint32_t width = 1; width < n; width *= 4) {
        order_pass(entry, n, order, scratch, width);
        order_pass(entry, n, scratch, order, 2 * width);
    }
}
