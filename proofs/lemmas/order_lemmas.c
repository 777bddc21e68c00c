/* order_lemmas.c: the order of the texts of a list is total, and what shared bytes say of it. Ghost functions, no
 * code. */
#include "core.h"

/* Unfolds: same_bytes, common_bytes, text_less, listed_before, listed_upto, listed_common, listed_same. */

/*@ ghost
void assay_listed_none(const uint8_t *head, uint32_t end, uint32_t list)
{
}

void assay_heads_fit(const uint8_t *head, uint32_t end, uint32_t list, uint32_t p, uint32_t i, uint64_t k, uint32_t j,
                     uint64_t l)
{
    assay_value_bytes();
}

void assay_listed_strict(const uint8_t *head, uint32_t end, uint32_t list)
{
}

void assay_listed_chain(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t j)
{
    assay_value_bytes();
}

void assay_listed_between(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t j, uint32_t k)
{
    assay_value_bytes();
}

void assay_listed_end(const uint8_t *head, uint32_t end, uint32_t list, uint32_t i, uint32_t j, uint64_t k)
{
    assay_value_bytes();
}

void assay_listed_less(const uint8_t *head, uint32_t end, uint32_t list)
{
}

/@ requires pair: p < q < n;
   terminates \true;
   exits \false;
   assigns \nothing;
   ensures one: among(place, 0, n, m) ==> order_fewer(place, n, m + 1) >= order_fewer(place, n, m) + 1;
   ensures two: place[p] == m && place[q] == m ==> order_fewer(place, n, m + 1) >= order_fewer(place, n, m) + 2;
   ensures any: order_fewer(place, n, m + 1) >= order_fewer(place, n, m);
@/
static void assay_fewer_step(uint32_t *place, uint32_t n, uint32_t p, uint32_t q, uint32_t m)
{
    /@ loop invariant inside: 0 <= k <= n;
       loop invariant any: order_fewer(place, k, m + 1) >= order_fewer(place, k, m);
       loop invariant one: among(place, 0, k, m) ==>
           order_fewer(place, k, m + 1) >= order_fewer(place, k, m) + 1;
       loop invariant two: place[p] == m && place[q] == m && q < k ==>
           order_fewer(place, k, m + 1) >= order_fewer(place, k, m) + 2;
       loop assigns k;
       loop variant n - k;
    @/
    for (uint32_t k = 0; k < n; k++) {
        /@ assert last: among(place, 0, k + 1, m) <==> among(place, 0, k, m) || place[k] == m; @/
        /@ assert there: place[p] == m && p < k ==> among(place, 0, k, m); @/
    }
}

/@ terminates \true;
   exits \false;
   assigns \nothing;
   ensures most: order_fewer(place, n, n) <= n;
   ensures none: 0 <= order_fewer(place, n, 0);
@/
static void assay_fewer_ends(uint32_t *place, uint32_t n)
{
    /@ loop invariant inside: 0 <= k <= n;
       loop invariant most: order_fewer(place, k, n) <= k;
       loop invariant none: 0 <= order_fewer(place, k, 0);
       loop assigns k;
       loop variant n - k;
    @/
    for (uint32_t k = 0; k < n; k++) {
    }
}

void assay_places_differ(uint32_t *place, uint32_t n, uint32_t p, uint32_t q)
{
    assay_fewer_ends(place, n);
    /@ loop invariant inside: 0 <= m <= n;
       loop invariant least: order_fewer(place, n, m) >= m;
       loop invariant more: place[p] == place[q] < m ==> order_fewer(place, n, m) >= m + 1;
       loop assigns m;
       loop variant n - m;
    @/
    for (uint32_t m = 0; m < n; m++) {
        assay_fewer_step(place, n, p, q, m);
    }
}
*/
