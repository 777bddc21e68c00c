/* test_layout.c: the order of the tensors and the rules of the data section, compared with simple code. */
#include "suite.h"

#define MOST 40u

static bool before(const assay_entry *entry, uint32_t a, uint32_t b)
{
    return entry[a].begin != entry[b].begin ? entry[a].begin < entry[b].begin
         : entry[a].end != entry[b].end ? entry[a].end < entry[b].end : a < b;
}

static void plain_order(const assay_entry *entry, uint32_t n, uint32_t *order)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = k;
        for (; at > 0 && before(entry, k, order[at - 1]); at--) {
            order[at] = order[at - 1];
        }
        order[at] = k;
    }
}

/* Judge the layout by counting the tensors of every byte. 0: it is valid. */
static uint32_t plain_layout(const assay_entry *entry, uint32_t n, uint64_t size)
{
    uint32_t hole = 0, overlap = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (entry[k].end > size) {
            return ASSAY_E_TRUNCATED;
        }
    }
    for (uint64_t byte = size; byte > 0; byte--) {
        uint32_t owners = 0;
        for (uint32_t k = 0; k < n; k++) {
            owners += entry[k].begin < byte && byte <= entry[k].end;
        }
        if (owners != 1) { /* the least byte decides: it is looked at last */
            hole = owners == 0;
            overlap = owners > 1;
        }
    }
    if (hole || overlap) {
        return hole ? ASSAY_E_HOLE : ASSAY_E_OVERLAP;
    }
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t j = 0; j < n; j++) {
            if (entry[k].begin == entry[k].end && entry[j].begin < entry[k].begin && entry[k].begin < entry[j].end) {
                return ASSAY_E_EMPTY_INSIDE;
            }
        }
    }
    return ASSAY_OK;
}

/* Return the end of the last entry, if each begins where the previous one in the header ends. */
static uint64_t plain_linked(const assay_entry *entry, uint32_t n)
{
    uint64_t at = 0;
    for (uint32_t k = 0; k < n; k++) {
        at = entry[k].begin == at ? entry[k].end : ASSAY_NONE;
    }
    return at;
}

/* Make entries: mostly a chain, often in header order, with occasional empty tensors and one change. */
static uint32_t make(assay_entry *entry, uint64_t *size)
{
    uint32_t n = below(MOST);
    uint64_t at = 0;
    for (uint32_t k = 0; k < n; k++) {
        entry[k].begin = at;
        at += below(4);
        entry[k].end = at;
    }
    *size = at;
    uint32_t shuffled = below(3) == 0 ? 0 : n;
    for (uint32_t k = shuffled; k > 1; k--) {
        uint32_t other = below(k);
        assay_entry held = entry[k - 1];
        entry[k - 1] = entry[other];
        entry[other] = held;
    }
    if (n > 0 && below(3) == 0) {
        assay_entry *changed = &entry[below(n)];
        changed->begin = below((uint32_t)at + 2);
        changed->end = changed->begin + (below(3) == 0 ? 0 : below(5));
    }
    return n;
}

static void check_one(const assay_entry *made, uint32_t n, uint64_t size)
{
    uint32_t wanted[MOST], *order = malloc(n * sizeof *order + 1), *scratch = malloc(3 * n * sizeof *scratch + 1);
    assay_entry *entry = malloc(n * sizeof *entry + 1);
    assay_error error = {.status = 99};
    memcpy(entry, made, n * sizeof *entry);
    assay_order(entry, n, order, scratch);
    plain_order(entry, n, wanted);
    for (uint32_t k = 0; k < n; k++) {
        MUST(order[k] == wanted[k]);
    }
    assay_status status = assay_layout(entry, order, n, 1000, size, &error);
    MUST(status == plain_layout(entry, n, size));
    memset(order, 0xFF, n * sizeof *order);
    uint64_t reach = assay_order_linked(entry, n, order);
    MUST(reach == plain_linked(entry, n));
    for (uint32_t k = 0; k < n && reach != ASSAY_NONE; k++) {
        MUST(order[k] == k && wanted[k] == k);
    }
    MUST(reach != size || status == ASSAY_OK);
    MUST(error.status == (status == ASSAY_OK ? 99 : status));
    free(order);
    free(scratch);
    free(entry);
}

START_TEST(many_layouts)
{
    static assay_entry entry[MOST];
    for (uint32_t k = 0; k < 20000; k++) {
        uint64_t size = 0;
        uint32_t n = make(entry, &size);
        check_one(entry, n, size + (below(10) == 0));
    }
}
END_TEST

START_TEST(at_the_edge_of_64_bits)
{
    assay_entry entry[3] = {{UINT64_MAX - 1, UINT64_MAX, 0, 0}, {0, UINT64_MAX - 1, 0, 0},
                            {UINT64_MAX, UINT64_MAX, 0, 0}};
    uint32_t order[3], scratch[9];
    assay_error error;
    assay_order(entry, 3, order, scratch);
    ck_assert(order[0] == 1 && order[1] == 0 && order[2] == 2);
    ck_assert_uint_eq(assay_layout(entry, order, 3, 0, UINT64_MAX, &error), ASSAY_OK);
    ck_assert_uint_eq(assay_layout(entry, order, 3, 10, 5, &error), ASSAY_E_TRUNCATED);
    ck_assert_uint_eq(error.expected, UINT64_MAX);
    ck_assert_uint_eq(error.tensor, 0);
    ck_assert_uint_eq(error.found, 5);
    ck_assert_uint_eq(error.offset, 15);
}
END_TEST

START_TEST(a_large_order)
{
    const uint32_t n = 300000;
    assay_entry *entry = calloc(n, sizeof *entry);
    uint32_t *order = malloc(n * sizeof *order), *scratch = malloc(3 * n * sizeof *scratch);
    for (uint32_t k = 0; k < n; k++) {
        entry[k].begin = below(100000);
        entry[k].end = entry[k].begin + below(3);
    }
    assay_order(entry, n, order, scratch);
    for (uint32_t k = 1; k < n; k++) {
        MUST(before(entry, order[k - 1], order[k]));
    }
    free(entry);
    free(order);
    free(scratch);
}
END_TEST

/* Make n adjacent tensors of 0 to 3 times `unit` bytes, in random order of the entries. */
static void deal(assay_entry *entry, uint32_t n, uint64_t unit)
{
    uint64_t at = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t place = below(k + 1);
        entry[k] = entry[place];
        entry[place].begin = at;
        at += below(4) * unit;
        entry[place].end = at;
    }
}

static void check_radix(const assay_entry *entry, uint32_t n, bool in_order)
{
    uint32_t *order = malloc(n * sizeof *order), *scratch = malloc((2 * n + ASSAY_RADIX) * sizeof *scratch);
    memset(scratch, 0xFF, (2 * n + ASSAY_RADIX) * sizeof *scratch);
    memset(order, 0xFF, n * sizeof *order);
    bool done = assay_order_digits(entry, n, order, scratch);
    MUST(done || !in_order);
    for (uint32_t k = 0; k < n; k++) {
        MUST(order[k] < n);
        MUST(!done || k == 0 || before(entry, order[k - 1], order[k]));
    }
    free(order);
    free(scratch);
}

/* The sort by digits is correct for every partition, whatever digits its offsets have. */
START_TEST(by_digits)
{
    static assay_entry entry[5000];
    for (uint32_t k = 0; k < 500; k++) {
        uint32_t bits = k % 50, n = k < 400 ? 1 + below(10) : 2000 + below(2096);
        deal(entry, n, (UINT64_C(1) << bits) + below(2) * (bits < 49));
        check_radix(entry, n, true);
    }
    entry[7] = (assay_entry){UINT64_MAX, UINT64_MAX, 0, 0};
    check_radix(entry, 2000, false);
}
END_TEST

/* The first or the last entry has one digit more than all others. */
START_TEST(by_digits_of_the_largest)
{
    assay_entry entry[4] = {{20, 1 << 30, 0, 0}, {0, 10, 0, 0}, {10, 20, 0, 0}, {20, 1 << 30, 0, 0}};
    check_radix(entry, 3, true);
    check_radix(entry + 1, 3, true);
}
END_TEST

/* The number of tensors from which digits are used, one less, one more; with one tensor inside another, which the
 * sort by digits gets wrong at the beginning, near it, near the end, and anywhere. */
START_TEST(by_digits_or_merged)
{
    static assay_entry entry[ASSAY_RADIX + 1];
    static uint32_t order[ASSAY_RADIX + 1], scratch[3 * ASSAY_RADIX + 3];
    for (uint32_t k = 0; k < 60; k++) {
        uint32_t n = ASSAY_RADIX - 1 + k % 3;
        uint32_t inner = k / 3 % 5 == 1 ? 0 : k / 3 % 5 == 2 ? n - 2 : below(n - 1);
        for (uint32_t p = 0; p < n; p++) {
            entry[p] = (assay_entry){4 * p, 4 * p + 4, 0, 0};
        }
        if (k / 3 % 5 > 0) {
            entry[inner] = (assay_entry){4 * inner + 3, 4 * inner + 5, 0, 0};
            entry[inner + 1] = (assay_entry){4 * inner, 4 * inner + 8, 0, 0};
        }
        for (uint32_t p = 0; p < n && k >= 45; p++) { /* each around the one before it: all sums are the same */
            entry[p] = (assay_entry){n - p, n + p, 0, 0};
        }
        if (k / 3 % 5 == 4 && k < 45) {
            deal(entry, n, 1 + below(5));
        }
        assay_order(entry, n, order, scratch);
        for (uint32_t p = 1; p < n; p++) {
            MUST(before(entry, order[p - 1], order[p]));
        }
    }
}
END_TEST

SUITE_MAIN("layout", many_layouts, at_the_edge_of_64_bits, a_large_order, by_digits, by_digits_of_the_largest,
           by_digits_or_merged)
