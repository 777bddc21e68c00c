/* test_names.c: the sort of names and the look-up of names, against qsort with a comparison of unescaped bytes. */
#include "simple_text.h"

enum { MOST = 6200, LONGEST = 80, SPELLED = 12 * LONGEST };

/* A list of texts in a head, and the unescaped bytes of each. */
typedef struct {
    uint32_t count;
    uint8_t plain[MOST][LONGEST];
    size_t size[MOST];
    uint8_t *head;
    uint32_t end;
    uint32_t key[MOST];
    assay_entry entry[MOST];
} list;

static list texts; /* the comparison of qsort reads it */

/* ---- Making lists ------------------------------------------------------------------------------------------------ */

static void add(const uint8_t *plain, size_t size)
{
    MUST(texts.count < MOST && size <= LONGEST);
    memcpy(texts.plain[texts.count], plain, size);
    texts.size[texts.count++] = size;
}

static void add_copy(uint32_t of)
{
    add(texts.plain[of], texts.size[of]);
}

/* Add a character to a text, if there is room. */
static size_t grown(uint8_t *plain, size_t size, uint32_t code)
{
    return size + 4 > LONGEST ? size : size + simple_encode(code, plain + size);
}

static uint32_t some_code(void)
{
    static const uint32_t codes[] = {'a', 'b', 'b', '/', '\n', '"', '\\', 0x7F, 0x80, 0xE9, 0x7FF, 0x800, 0x5C64,
                                     0xFFFD, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF};
    return codes[below(sizeof codes / sizeof *codes)];
}

/* Add a text of random characters. */
static void add_random(uint32_t most)
{
    uint8_t plain[LONGEST];
    size_t size = 0;
    for (uint32_t left = below(most + 1); left > 0; left--) {
        size = grown(plain, size, some_code());
    }
    add(plain, size);
}

/* Add a text that shares a random number of bytes with an earlier one. They may end within a character. */
static void add_related(void)
{
    uint8_t plain[LONGEST];
    uint32_t of = below(texts.count);
    size_t size = below((uint32_t)texts.size[of] + 1);
    memcpy(plain, texts.plain[of], size);
    for (uint32_t left = below(3); left > 0; left--) {
        size = grown(plain, size, some_code());
    }
    add(plain, size);
}

/* Return whether the bytes at an offset are one well-formed character; *width: how many. */
static bool character(const uint8_t *plain, size_t size, uint32_t *code, size_t *width)
{
    *code = plain[0] == '\\' ? '\\' : simple_decode(plain, size, width);
    *width = plain[0] == '\\' ? 1 : *width;
    return *code != SIMPLE_BAD || *width == 3;
}

/* Write a text, each character in one of its spellings, and return the number of bytes. */
static size_t spell(const uint8_t *plain, size_t size, char *out)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    size_t used = 0, width;
    for (size_t at = 0; at < size; at += width) {
        uint32_t code, way = below(4);
        bool whole = character(plain + at, size - at, &code, &width);
        const char *letter = code < 0x80 ? strchr(meanings, (int)code) : NULL;
        if (whole && letter != NULL && *letter != 0 && (way != 0 || code == '"' || code == '\\')) {
            used += (size_t)sprintf(out + used, "\\%c", letters[letter - meanings]);
        } else if (whole && way == 0 && code < 0x10000) {
            used += (size_t)sprintf(out + used, below(2) ? "\\u%04x" : "\\u%04X", (unsigned)code);
        } else if (whole && way == 0) {
            used += (size_t)sprintf(out + used, "\\u%04x\\u%04X", (unsigned)(0xD7C0 + (code >> 10)),
                                    (unsigned)(0xDC00 + (code & 0x3FF)));
        } else {
            memcpy(out + used, plain + at, width);
            used += width;
        }
    }
    return used;
}

/* Make the head: every text between quotes, in memory of exactly its size. */
static void make_head(void)
{
    size_t used = 0;
    char *room = malloc((size_t)(SPELLED + 2) * texts.count + 1);
    MUST(room != NULL);
    for (uint32_t k = 0; k < texts.count; k++) {
        room[used++] = '"';
        texts.key[k] = (uint32_t)used;
        used += spell(texts.plain[k], texts.size[k], room + used);
        uint8_t again[SPELLED];
        size_t stop;
        size_t spelled = used - texts.key[k];
        MUST(simple_unescape((const uint8_t *)room + texts.key[k], spelled, again, &stop) == texts.size[k]);
        MUST(memcmp(again, texts.plain[k], texts.size[k]) == 0 && stop == spelled);
        bool plain = memchr(room + texts.key[k], '\\', spelled) == NULL && k % 7 != 0; /* some are not known to be */
        texts.entry[k] = (assay_entry){0, 0, texts.key[k] | (uint64_t)spelled << 32 | (uint64_t)plain << 63, 0};
        room[used++] = '"';
    }
    texts.head = exactly(room, used);
    texts.end = (uint32_t)used;
    free(room);
}

/* ---- The reference ----------------------------------------------------------------------------------------------- */

static int order(uint32_t i, uint32_t j)
{
    return simple_order(texts.plain[i], texts.size[i], texts.plain[j], texts.size[j]);
}

static int before(const void *a, const void *b)
{
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    int by_bytes = order(i, j);
    return by_bytes != 0 ? by_bytes : (i > j) - (i < j);
}

/* Return the first text that repeats an earlier one; *earlier: the last one before it that it repeats. */
static uint32_t repeat_of(const uint32_t *sorted, uint32_t *earlier)
{
    uint32_t later = texts.count;
    for (uint32_t k = 1; k < texts.count; k++) {
        if (order(sorted[k - 1], sorted[k]) == 0 && sorted[k] < later) {
            later = sorted[k];
            *earlier = sorted[k - 1];
        }
    }
    return later;
}

/* ---- The checks -------------------------------------------------------------------------------------------------- */

/* Look up some bytes. */
static void check_find(assay_texts where, const uint32_t *place, const uint8_t *name, size_t size)
{
    uint8_t *bytes = exactly((const char *)name, size);
    uint32_t found = assay_text_find(texts.head, texts.end, where, place, texts.count, bytes, size), low = 0;
    free(bytes);
    for (uint32_t high = texts.count; low < high;) { /* the first text that is not before the name */
        uint32_t middle = (low + high) / 2, k = place[middle];
        if (simple_order(texts.plain[k], texts.size[k], name, size) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    uint32_t k = low < texts.count ? place[low] : 0;
    bool there = low < texts.count && simple_order(texts.plain[k], texts.size[k], name, size) == 0;
    MUST(there == (found < texts.count));
    MUST(there || found == texts.count);
    MUST(!there || simple_order(texts.plain[found], texts.size[found], name, size) == 0);
}

/* Look up a text, and names near it: its beginning, an extension, another last byte. */
static void check_near(assay_texts where, const uint32_t *place, uint32_t k)
{
    uint8_t name[LONGEST + 1];
    size_t size = texts.size[k];
    memcpy(name, texts.plain[k], size);
    check_find(where, place, name, size);
    name[size] = (uint8_t)(k % 2 ? 0 : 'b');
    check_find(where, place, name, size + 1);
    if (size > 0) {
        check_find(where, place, name, size - 1);
        name[size - 1] = (uint8_t)(name[size - 1] + (k % 3 == 0 ? 1 : 255));
        check_find(where, place, name, size);
    }
}

/* Sort the list, by its entries or by its keys, and compare all that comes of it. */
static void check_sort(assay_texts where, const uint32_t *expected)
{
    uint32_t n = texts.count, earlier = n;
    uint32_t *word = malloc(6 * n * sizeof *word + 1); /* the sort may write these, and no more */
    MUST(word != NULL);
    memset(word, 0xA5, 6 * n * sizeof *word);
    assay_repeat repeat = assay_names_sort(texts.head, texts.end, where, word, n);
    for (uint32_t k = 0; k < n; k++) {
        MUST(word[k] == expected[k]);
    }
    MUST(repeat.later == repeat_of(expected, &earlier));
    MUST(repeat.later == n || repeat.earlier == earlier);
    uint32_t *place = malloc(n * sizeof *place + 1);
    MUST(place != NULL);
    memcpy(place, word, n * sizeof *place);
    free(word);
    for (uint32_t k = 0; k < n; k++) {
        check_near(where, place, k);
    }
    check_find(where, place, (const uint8_t *)"", 0);
    check_find(where, place, (const uint8_t *)"\xFF\xFF", 2);
    free(place);
}

/* What is expected of the presort alone: anything, all texts in order, or some of them left to the merges. It need not
 * bring any in order, but the time of the sort rests on it. */
enum presorted { ANYHOW, WHOLLY, IN_PART };

static void check_presort(const uint32_t *expected, enum presorted how)
{
    uint32_t n = texts.count;
    uint32_t *word = malloc(6 * n * sizeof *word);
    MUST(word != NULL);
    for (uint32_t k = 0; k < n; k++) {
        word[k] = k;
    }
    MUST(assay_presort(texts.head, texts.end, (assay_texts){texts.entry, NULL}, word, n));
    MUST((memcmp(word, expected, n * sizeof *word) == 0) == (how == WHOLLY));
    free(word);
}

/* Check the list as it is, and forget it. */
static void check_list_of(enum presorted how)
{
    uint32_t *expected = malloc(texts.count * sizeof *expected + 1);
    MUST(expected != NULL);
    make_head();
    for (uint32_t k = 0; k < texts.count; k++) {
        expected[k] = k;
    }
    qsort(expected, texts.count, sizeof *expected, before);
    uint32_t *key = malloc(texts.count * sizeof *key + 1);
    MUST(key != NULL);
    memcpy(key, texts.key, texts.count * sizeof *key);
    check_sort((assay_texts){NULL, key}, expected);
    check_sort((assay_texts){texts.entry, NULL}, expected);
    if (how != ANYHOW) {
        check_presort(expected, how);
    }
    free(key);
    free(expected);
    free(texts.head);
    texts.count = 0;
}

static void check_list(void)
{
    check_list_of(ANYHOW);
}

/* One run; runs of one text; two runs, of which each text follows one of the other; runs of two. */
enum pattern { UP, DOWN, TURNS, SWAPPED, PATTERNS };

/* Bring the texts into one of these orders. */

static void arrange(uint32_t pattern)
{
    static list other;
    static uint32_t sorted[MOST];
    uint32_t n = texts.count;
    for (uint32_t k = 0; k < n; k++) {
        sorted[k] = k;
    }
    qsort(sorted, n, sizeof *sorted, before);
    other = texts;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t half = (n + 1) / 2, from = k;
        if (pattern == DOWN) {
            from = n - 1 - k;
        } else if (pattern == TURNS) {
            from = k < half ? 2 * k : 2 * (k - half) + 1;
        } else if (pattern == SWAPPED && (k ^ 1) < n) {
            from = k ^ 1;
        }
        memcpy(texts.plain[k], other.plain[sorted[from]], LONGEST);
        texts.size[k] = other.size[sorted[from]];
    }
}

/* Sizes at which the number of passes changes, and others. */
static uint32_t some_size(uint32_t round)
{
    static const uint32_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255,
                                     256, 257};
    return round < sizeof sizes / sizeof *sizes ? sizes[round] : below(300);
}

START_TEST(random_lists)
{
    for (uint32_t round = 0; round < 60; round++) {
        uint32_t n = some_size(round);
        for (uint32_t k = 0; k < n; k++) {
            if (k == 0 || below(3) == 0) {
                add_random(6);
            } else if (below(8) == 0) {
                add_copy(below(k));
            } else {
                add_related();
            }
        }
        check_list();
    }
}
END_TEST

START_TEST(lists_without_repeats)
{
    for (uint32_t round = 0; round < 48; round++) {
        uint32_t n = some_size(round % 24), pattern = round / 24 * 2;
        for (uint32_t k = 0; k < n; k++) {
            uint8_t plain[LONGEST];
            add(plain, (size_t)sprintf((char *)plain, "layers.%u.\xC3\xA9", k * 7919u % 1009u));
        }
        arrange(pattern + round % 2);
        check_list();
    }
}
END_TEST

/* The same texts in every order that makes the runs long or short. */
START_TEST(patterns_of_runs)
{
    for (uint32_t pattern = 0; pattern < PATTERNS; pattern++) {
        for (uint32_t n = 1; n < 70; n += 1 + n / 9) {
            for (uint32_t k = 0; k < n; k++) {
                if (k % 5 == 4) {
                    add_copy(below(k));
                } else {
                    add_random(3);
                }
            }
            arrange(pattern);
            check_list();
        }
    }
}
END_TEST

/* Every order of up to six texts, some of which are equal, some a beginning of others. */
START_TEST(every_order_of_few)
{
    static const char *const few[] = {"", "a", "a", "ab", "\xC3\xA9", "ab\xF0\x9F\x98\x80"};
    for (uint32_t number = 0; number < 720; number++) {
        uint32_t left[6] = {0, 1, 2, 3, 4, 5}, rest = number;
        for (uint32_t k = 6; k > 0; k--) {
            uint32_t chosen = rest % k;
            rest /= k;
            add((const uint8_t *)few[left[chosen]], strlen(few[left[chosen]]));
            memmove(left + chosen, left + chosen + 1, (k - chosen - 1) * sizeof *left);
        }
        check_list();
    }
}
END_TEST

/* Two texts that share each number of bytes, both ways around, and a third before or after them. */
START_TEST(every_shared_prefix)
{
    for (size_t shared = 0; shared <= LONGEST - 8; shared++) {
        for (uint32_t way = 0; way < 8; way++) {
            uint8_t plain[LONGEST];
            memset(plain, 'm', sizeof plain);
            for (uint32_t k = 0; k < 6; k++) {
                plain[shared] = (uint8_t)("bacabd"[way % 2 ? 5 - k : k]);
                plain[shared + 1] = (uint8_t)('z' - k);
                add(plain, shared + (way / 2 % 2 ? k % 3 : 1 + k % 2));
            }
            plain[0] = way / 4 ? 'a' : 'z';
            add(plain, shared + 1);
            check_list();
        }
    }
}
END_TEST

START_TEST(long_lists)
{
    for (uint32_t n = 2046; n <= 2049; n++) {
        for (uint32_t k = 0; k < n; k++) {
            if (k == 0 || below(5) > 0) {
                add_random(16);
            } else {
                add_related();
            }
        }
        check_list();
    }
}
END_TEST

/* Texts that are presorted, if they are many enough: some are spelled in several ways, some share bytes. */
START_TEST(short_lists)
{
    for (uint32_t n = 6142; n <= 6145; n++) {
        for (uint32_t k = 0; k < n; k++) {
            uint8_t plain[LONGEST];
            if (n % 2 == 0) {
                add_random(2);
            } else if (below(9) > 0 || k == 0) {
                add(plain, (size_t)sprintf((char *)plain, "k%u", below(900) * 7919u % 10007u));
            } else {
                add_copy(below(k));
            }
        }
        check_list();
    }
}
END_TEST

/* Lists in which texts differ after four bytes, after eight, or after forty, and the first is empty; one in order but
 * for its end; and one in which texts repeat. */
START_TEST(presorted_lists)
{
    static const char *const form[] = {"%03u%03u", "a%03u%03u", "\n/%03u\n\xC3\xA9%03u",
                                       "forty bytes that all of the texts do share%u.%u", "%u%u"};
    for (uint32_t kind = 0; kind < sizeof form / sizeof *form; kind++) {
        uint32_t n = 6144 + kind % 2;
        for (uint32_t k = 0; k < n; k++) {
            uint8_t plain[LONGEST];
            uint32_t number = k < n - 700 && kind == 0 ? k : below(kind == 4 ? 900 : 1000000);
            int size = snprintf((char *)plain, sizeof plain, form[kind], number / 997, number % 997);
            add(plain, k == 0 ? 0 : (size_t)size);
        }
        check_list_of(WHOLLY);
    }
}
END_TEST

/* Short texts, and a few long ones in three groups, which are in order only when the short ones have ended. */
START_TEST(presorted_few)
{
    for (uint32_t n = 6144; n <= 6145; n++) {
        for (uint32_t k = 0; k < n; k++) {
            uint8_t plain[LONGEST];
            const char *form = k % 40 == 0 ? "%c eighteen bytes are shared %05u" : "%c%05u";
            add(plain, (size_t)snprintf((char *)plain, sizeof plain, form, "bca"[below(3)], below(100000)));
        }
        check_list_of(WHOLLY);
    }
}
END_TEST

/* Fewer texts than the presort has counts of digits: it leaves them as they are. */
START_TEST(too_few_to_presort)
{
    static const uint8_t ba[] = "ba";
    uint32_t n = 3 * ASSAY_RADIX - 1, *word = malloc(6 * n * sizeof *word);
    MUST(word != NULL);
    for (uint32_t k = 0; k < n; k++) {
        word[k] = k;
        add(ba + k % 2, 1);
    }
    make_head();
    MUST(assay_presort(texts.head, texts.end, (assay_texts){texts.entry, NULL}, word, n));
    for (uint32_t k = 0; k < n; k++) {
        MUST(word[k] == k);
    }
    free(word);
    free(texts.head);
    texts.count = 0;
}
END_TEST

/* Add texts, of which one in `part` shares 70 bytes with others. */
static void add_long(uint32_t part)
{
    for (uint32_t k = 0; k < 6144; k++) {
        uint8_t plain[LONGEST];
        uint32_t shared = k % part == 0 ? 70 : 0;
        memset(plain, 's', shared);
        add(plain, shared + (uint32_t)sprintf((char *)plain + shared, "%05u", below(100000)));
    }
}

/* The presort leaves a fifth of the texts to the merges after 64 bytes ... */
START_TEST(presorted_to_64_bytes)
{
    add_long(5);
    check_list_of(IN_PART);
}
END_TEST

/* ... but not half of them. */
START_TEST(presorted_beyond)
{
    add_long(2);
    check_list_of(WHOLLY);
}
END_TEST

/* Texts of which a few share more bytes than the presort reads: those are merged after it. */
START_TEST(presorted_in_part)
{
    for (uint32_t n = 6144; n <= 6145; n++) {
        for (uint32_t k = 0; k < n; k++) {
            uint8_t plain[LONGEST];
            memset(plain, 'k', sizeof plain);
            if (k % 300 == 0) {
                plain[LONGEST - 1] = (uint8_t)('z' - k / 300);
                add(plain, LONGEST);
            } else {
                add(plain, (size_t)sprintf((char *)plain, "%u", below(100000)));
            }
        }
        check_list_of(IN_PART);
    }
}
END_TEST

/* 262,144 texts are presorted, however long they are. */
START_TEST(a_quarter_of_a_million)
{
    enum { COUNT = 262144, SIZE = 80 };
    char *head = malloc((size_t)COUNT * SIZE + 1);
    uint32_t *key = malloc(COUNT * sizeof *key), *word = malloc(6 * COUNT * sizeof *word);
    MUST(head != NULL && key != NULL && word != NULL);
    for (uint32_t k = 0; k < COUNT; k++) {
        key[k] = k * SIZE + 1;
        sprintf(head + k * SIZE, "\"%06x\"%72s", (unsigned)(k * 100003u % COUNT), "");
    }
    assay_repeat repeat = assay_names_sort((const uint8_t *)head, COUNT * SIZE, (assay_texts){NULL, key}, word, COUNT);
    MUST(repeat.later == COUNT);
    for (uint32_t k = 0; k < COUNT; k++) {
        MUST(word[k] * 100003u % COUNT == k);
    }
    free(head), free(key), free(word);
}
END_TEST

/* Of several texts that repeat, the one that comes first in the header is reported, and the last one before it. */
START_TEST(the_first_repeat)
{
    static const struct {
        const char *names;
        uint32_t later, earlier;
    } rows[] = {{"abcd", 4, 0}, {"abca", 3, 0}, {"zyzy", 2, 0}, {"yzzy", 2, 1}, {"aaaa", 1, 0}, {"dcbabcd", 4, 2},
                {"abcdefgg", 7, 6}, {"gabcdefg", 7, 0}, {"zazaa", 2, 0}, {"b", 1, 0}, {"", 0, 0}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint32_t word[6 * 8], n = (uint32_t)strlen(rows[k].names);
        for (uint32_t i = 0; i < n; i++) {
            add((const uint8_t *)rows[k].names + i, 1);
        }
        make_head();
        assay_repeat repeat = assay_names_sort(texts.head, texts.end, (assay_texts){texts.entry, NULL}, word, n);
        ck_assert_uint_eq(repeat.later, rows[k].later);
        ck_assert(repeat.later == n || repeat.earlier == rows[k].earlier);
        free(texts.head);
        texts.count = 0;
    }
}
END_TEST

/* What the head begins with is not taken for the beginning of a text. */
START_TEST(like_the_beginning)
{
    for (int k = 0; k < 2; k++) {
        const char *head = k == 0 ? "a       \"x0\"\"a1\"" : "x       \"x0\"\"a1\"";
        uint32_t word[12], key[] = {9, 13}, size = (uint32_t)strlen(head);
        uint8_t *bytes = exactly(head, size);
        assay_repeat repeat = assay_names_sort(bytes, size, (assay_texts){NULL, key}, word, 2);
        MUST(repeat.later == 2 && word[0] == 1 && word[1] == 0);
        free(bytes);
    }
}
END_TEST

SUITE_MAIN("names", random_lists, lists_without_repeats, patterns_of_runs, every_order_of_few, every_shared_prefix,
           long_lists, short_lists, presorted_lists, presorted_few, too_few_to_presort,
           presorted_to_64_bytes, presorted_beyond, presorted_in_part, a_quarter_of_a_million, the_first_repeat,
           like_the_beginning)
