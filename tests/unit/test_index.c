/* test_index.c: the index of names: finding names, finding duplicates, and giving up with ASSAY_SEED. */
#include <stdio.h>

#include "simple_text.h"

#define ROOM 4000000u

static uint8_t head[ROOM + 8];
static uint32_t key[400000], slot[800000];
static uint32_t used, keys;

static void start(void)
{
    used = 9; /* an opening quote is at 8 */
    keys = 0;
}

static void enter(const char *text, size_t size)
{
    ck_assert_uint_le(used + size + 2, ROOM);
    memcpy(head + used, text, size);
    head[used + size] = '"';
    key[keys] = used;
    keys++;
    used += (uint32_t)size + 2;
}

static void enter_text(const char *text)
{
    enter(text, strlen(text));
}

static uint32_t find(uint64_t seed, const char *text)
{
    return assay_index_find(head, used, key, keys, slot, seed, (const uint8_t *)text, strlen(text));
}

START_TEST(distinct_names_are_found)
{
    char name[32];
    uint64_t repeat = 77, earlier = 77;
    for (uint64_t seed = 0; seed < 3; seed++) {
        start();
        const uint32_t count = seed == 0 ? 100000 : 1000;
        for (uint32_t k = 0; k < count; k++) {
            enter(name, (size_t)snprintf(name, sizeof name, "layer.%u.weight", (unsigned)k));
        }
        ck_assert_uint_eq(assay_index(head, used, key, NULL, keys, slot, seed, &repeat, &earlier), ASSAY_OK);
        for (uint32_t k = 0; k < count; k += 97) {
            snprintf(name, sizeof name, "layer.%u.weight", (unsigned)k);
            ck_assert_uint_eq(find(seed, name), k);
        }
        ck_assert_uint_eq(find(seed, "layer.100000.weight"), keys);
        ck_assert_uint_eq(find(seed, ""), keys);
    }
    ck_assert_uint_eq(repeat, 77);
    ck_assert_uint_eq(earlier, 77);
}
END_TEST

START_TEST(the_first_repetition_is_told)
{
    uint64_t repeat = 0, earlier = 0;
    start();
    enter_text("a");
    enter_text("b");
    enter_text("c");
    enter_text("\\u0062"); /* b */
    enter_text("a");
    ck_assert_uint_eq(assay_index(head, used, key, NULL, keys, slot, 5, &repeat, &earlier), ASSAY_E_NAME_TWICE);
    ck_assert_uint_eq(repeat, 3);
    ck_assert_uint_eq(earlier, 1);
}
END_TEST

/* Entries mark names without escapes. The index must not depend on which of these names are marked. */
START_TEST(marked_names)
{
    static const char *const name[] = {"a", "", "weight", "\\u0062", "\xC3\xA9", "\\\"", "c", "a\\\\",
                                       "model.layers.31.self_attn.q_proj.weight, of more than forty-eight bytes"};
    uint32_t same[2 * 9];
    start();
    for (uint32_t k = 0; k < 9; k++) {
        enter_text(name[k]);
    }
    for (uint32_t twice = 0; twice <= 9; twice++) {
        uint32_t last = key[8];
        key[8] = twice < 9 ? key[twice] : last;
        for (uint32_t marks = 0; marks < 1u << 9; marks++) {
            uint64_t repeat = 77, earlier = 77, repeat_too = 77, earlier_too = 77;
            assay_entry entry[9];
            for (uint32_t k = 0; k < 9; k++) {
                const char *text = name[k == 8 && twice < 9 ? twice : k];
                bool marked = marks >> k & 1 && strchr(text, '\\') == NULL;
                entry[k] = (assay_entry){0, 0, key[k] | (uint64_t)strlen(text) << 32 | (uint64_t)marked << 63, 0};
            }
            assay_status status = assay_index(head, used, key, NULL, keys, slot, 5, &repeat, &earlier);
            memcpy(same, slot, sizeof same);
            ck_assert_uint_eq(status, twice < 8 ? ASSAY_E_NAME_TWICE : ASSAY_OK);
            ck_assert_uint_eq(assay_index(head, used, key, entry, keys, slot, 5, &repeat_too, &earlier_too), status);
            ck_assert(repeat == repeat_too && earlier == earlier_too && memcmp(slot, same, sizeof same) == 0);
        }
        key[8] = last;
    }
}
END_TEST

START_TEST(no_names_at_all)
{
    uint64_t repeat = 0, earlier = 0;
    start();
    ck_assert_uint_eq(assay_index(head, used, key, NULL, 0, slot, 5, &repeat, &earlier), ASSAY_OK);
    ck_assert_uint_eq(find(5, "a"), 0);
}
END_TEST

START_TEST(a_name_longer_than_the_header_is_not_found)
{
    uint64_t repeat = 0, earlier = 0;
    start();
    enter_text("a");
    ck_assert_uint_eq(assay_index(head, used, key, NULL, keys, slot, 5, &repeat, &earlier), ASSAY_OK);
    ck_assert_uint_eq(assay_index_find(head, used, key, keys, slot, 5, head, used + 1), keys);
}
END_TEST

/* Make names whose search begins in the first of `slots` slots, as somebody who knows the seed can. */
static void collide(uint32_t count, uint32_t slots, uint64_t seed)
{
    char name[32];
    uint64_t secret = assay_hash_secret(seed);
    for (uint32_t tried = 0; keys < count; tried++) {
        size_t size = (size_t)snprintf(name, sizeof name, "%x", (unsigned)tried);
        if ((uint64_t)assay_hash_bytes((const uint8_t *)name, size, secret) * slots < 2147483648u) {
            enter(name, size);
        }
    }
}

START_TEST(too_many_probes_end_as_seed)
{
    uint64_t repeat = 77, earlier = 77;
    start();
    collide(257, 2 * 257, 9);
    ck_assert_uint_eq(assay_index(head, used, key, NULL, keys, slot, 9, &repeat, &earlier), ASSAY_SEED);
    ck_assert_uint_eq(repeat, 77);
    ck_assert_uint_eq(earlier, 77);
    ck_assert_uint_eq(assay_index(head, used, key, NULL, keys, slot, 10, &repeat, &earlier), ASSAY_OK);
}
END_TEST

START_TEST(a_search_ends_after_256_probes)
{
    char name[32];
    uint64_t repeat = 0, earlier = 0, secret = assay_hash_secret(9);
    start();
    collide(256, 2 * 256, 9);
    ck_assert_uint_eq(assay_index(head, used, key, NULL, keys, slot, 9, &repeat, &earlier), ASSAY_OK);
    for (uint32_t k = 0; k < keys; k++) { /* the last of them by the last probe */
        uint32_t size = assay_text_end(head, key[k], used) - key[k];
        ck_assert_uint_eq(assay_index_find(head, used, key, keys, slot, 9, head + key[k], size), k);
    }
    for (uint32_t tried = 0, found = 0; found < 20; tried++) {
        size_t size = (size_t)snprintf(name, sizeof name, "no %x", (unsigned)tried);
        if ((uint64_t)assay_hash_bytes((const uint8_t *)name, size, secret) * 512 < 2147483648u) {
            ck_assert_uint_eq(find(9, name), keys);
            found++;
        }
    }
}
END_TEST

/* Long names with the same tag and close home slots: comparing them costs more bytes than the header allows. */
START_TEST(too_many_bytes_compared_end_as_seed)
{
    static char name[900];
    uint64_t repeat = 0, earlier = 0, secret = assay_hash_secret(3);
    start();
    memset(name, 'x', 800);
    for (uint32_t tried = 0; keys < 40; tried++) {
        size_t size = 800 + (size_t)snprintf(name + 800, 32, "%x", (unsigned)tried);
        uint32_t hash = assay_hash_bytes((const uint8_t *)name, size, secret);
        if ((uint64_t)hash * 10 < 2147483648u && hash % 256u == 7) {
            enter(name, size);
        }
    }
    ck_assert_uint_eq(assay_index(head, used, key, NULL, keys, slot, 3, &repeat, &earlier), ASSAY_SEED);
    ck_assert_uint_eq(assay_index(head, used, key, NULL, keys, slot, 4, &repeat, &earlier), ASSAY_OK);
}
END_TEST

/* Return the cost of comparing two texts: 32, the bytes read of both, and one for each. */
static uint32_t plain_cost(uint32_t a, uint32_t b)
{
    uint32_t i = a, j = b;
    while (head[i] != '"' && head[j] != '"') {
        size_t first, second;
        if (simple_decode(head + i, used - i, &first) != simple_decode(head + j, used - j, &second)) {
            break;
        }
        i += (uint32_t)first;
        j += (uint32_t)second;
    }
    return 32 + i - a + (j - b) + 2;
}

#define MANY 800u

/* Return whether `keys` different names exhaust the budget of a header that ends at `end`, by simple code. */
static bool plain_gives_up(uint32_t end, uint64_t secret)
{
    static uint32_t table[2 * MANY], hash[MANY];
    uint64_t budget = 65536 + 2 * (uint64_t)(end - 8);
    memset(table, 0, sizeof table);
    for (uint32_t k = 0; k < keys; k++) {
        uint8_t name[2000];
        size_t close, size = simple_unescape(head + key[k], used - key[k], name, &close);
        hash[k] = simple_hash(name, size, secret);
        uint32_t at = (uint32_t)(((uint64_t)hash[k] * 2 * keys) >> 31);
        for (; budget > 0 && table[at] != 0; at = (at + 1) % (2 * keys)) {
            uint32_t other = table[at] - 1;
            uint32_t cost = hash[other] % 256 == hash[k] % 256 ? 1 + plain_cost(key[other], key[k]) : 1;
            budget = budget > cost ? budget - cost : 0;
        }
        if (budget == 0) {
            return true;
        }
        table[at] = k + 1;
    }
    return false;
}

/* The index gives up for exactly the header sizes for which the simple code does. */
static void gives_up_for_the_same_end(uint64_t seed)
{
    uint64_t repeat = 0, earlier = 0, secret = simple_secret(seed);
    uint32_t least = used, most = ROOM;
    while (least < most) { /* the first end for which it does not give up */
        uint32_t mid = (least + most) / 2;
        if (plain_gives_up(mid, secret)) {
            least = mid + 1;
        } else {
            most = mid;
        }
    }
    ck_assert_uint_gt(least, used + 9);
    for (uint32_t end = least - 9; end < least + 9; end++) {
        assay_status status = assay_index(head, end, key, NULL, keys, slot, seed, &repeat, &earlier);
        ck_assert_uint_eq(status, end < least ? ASSAY_SEED : ASSAY_OK);
    }
}

/* Names with the same tag and close home slots, every third with an escape: the bytes to compare run out. */
START_TEST(the_bytes_compared_are_counted_exactly)
{
    char name[760];
    uint64_t secret = simple_secret(3);
    memset(name, 'x', 700);
    start();
    for (uint32_t tried = 0; keys < 27; tried++) {
        size_t size = 700 + (size_t)sprintf(name + 700, "%x", (unsigned)tried);
        uint32_t hash = simple_hash((const uint8_t *)name, size, secret);
        if (hash < (1u << 31) / 10 && hash % 256 == 7) {
            char escaped[770] = "\\u0078";
            memcpy(escaped + 6, name + 1, size - 1);
            enter(keys % 3 == 1 ? escaped : name, keys % 3 == 1 ? size + 5 : size);
        }
    }
    for (; keys >= 20; keys--) { /* so that the work is any number modulo 2 */
        gives_up_for_the_same_end(3);
    }
}
END_TEST

/* Short names with close home slots, in four groups: the slots to pass run out. */
START_TEST(the_slots_passed_are_counted_exactly)
{
    char name[16];
    uint64_t secret = simple_secret(3);
    start();
    for (uint32_t tried = 0; keys < MANY; tried++) {
        size_t size = (size_t)sprintf(name, "%x", (unsigned)tried);
        if (simple_hash((const uint8_t *)name, size, secret) % (1u << 29) < 1u << 22) {
            enter(name, size);
        }
    }
    for (; keys > MANY - 4; keys--) {
        gives_up_for_the_same_end(3);
    }
}
END_TEST

/* Only these keys are read. */
START_TEST(keys_in_memory_of_their_size)
{
    uint64_t repeat = 0, earlier = 0;
    for (uint32_t count = 1; count < 40; count++) {
        char name[32];
        start();
        for (uint32_t k = 0; k < count; k++) {
            enter(name, (size_t)sprintf(name, "%x", (unsigned)k));
        }
        uint32_t *mine = malloc(count * sizeof *mine), *slots = malloc(2 * count * sizeof *slots);
        memcpy(mine, key, count * sizeof *mine);
        ck_assert_uint_eq(assay_index(head, used, mine, NULL, count, slots, 1, &repeat, &earlier), ASSAY_OK);
        ck_assert_uint_eq(assay_index_find(head, used, mine, count, slots, 1, (const uint8_t *)"0", 1), 0);
        free(mine);
        free(slots);
    }
}
END_TEST

/* A search ends even in an index without an empty slot, which assay_index never makes. */
START_TEST(a_search_in_a_full_index_ends)
{
    uint32_t full[2] = {1, 1};
    start();
    enter_text("a");
    for (char name[2] = "b"; name[0] <= 'z'; name[0]++) {
        ck_assert_uint_eq(assay_index_find(head, used, key, 1, full, 5, (const uint8_t *)name, 1), 1);
    }
}
END_TEST

/* Among that many names some have the tag of an empty slot, which holds no name. */
START_TEST(an_empty_slot_ends_the_search)
{
    uint64_t repeat = 0, earlier = 0;
    start();
    for (uint32_t k = 0; k < 20; k++) {
        char name[] = {'n', (char)('a' + k), 0};
        enter_text(name);
    }
    ck_assert_uint_eq(assay_index(head, used, key, NULL, keys, slot, 5, &repeat, &earlier), ASSAY_OK);
    for (uint32_t k = 0; k < 5000; k++) {
        char name[16];
        snprintf(name, sizeof name, "absent %u", (unsigned)k);
        ck_assert_uint_eq(find(5, name), keys);
    }
}
END_TEST
SUITE_MAIN("index", distinct_names_are_found, the_first_repetition_is_told, marked_names, no_names_at_all,
           a_name_longer_than_the_header_is_not_found, too_many_probes_end_as_seed, a_search_ends_after_256_probes,
           too_many_bytes_compared_end_as_seed, the_bytes_compared_are_counted_exactly,
           the_slots_passed_are_counted_exactly, keys_in_memory_of_their_size, a_search_in_a_full_index_ends,
           an_empty_slot_ends_the_search)
