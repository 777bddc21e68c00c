/* test_parse.c: the three judging calls: options, statuses, workspaces, and what they must not write. Verdicts are
 * tested with the corpus and generated files. */
#include <stdio.h>

#include "suite.h"

#define TENSOR(name, begin, end) \
    "\"" name "\":{\"dtype\":\"U8\",\"shape\":[" end "],\"data_offsets\":[" begin "," end "]}"

static const char twins[] = "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
                            "\"b\":{\"dtype\":\"F16\",\"shape\":[1,3],\"data_offsets\":[2,8]},"
                            "\"__metadata__\":{\"k\":\"v\",\"l\":\"w\"}}";

typedef struct {
    uint8_t *head;
    uint64_t size, file_size;
    assay_entry entry[16];
    uint32_t word[200];
    assay_workspace workspace;
    assay_view view;
    assay_need need;
    assay_error error;
    assay_options options;
} trial;

static void start(trial *t, const char *json, uint64_t data)
{
    const assay_options standard = ASSAY_OPTIONS;
    size_t length = strlen(json);
    t->head = malloc(8 + length);
    memset(t->head, 0, 8);
    t->head[0] = (uint8_t)(length % 256);
    t->head[1] = (uint8_t)(length / 256);
    memcpy(t->head + 8, json, length);
    t->size = 8 + length;
    t->file_size = t->size + data;
    t->workspace = (assay_workspace){t->entry, 16, t->word, 200};
    memset(&t->view, 0xA5, sizeof t->view);
    memset(&t->need, 0xA5, sizeof t->need);
    memset(&t->error, 0xA5, sizeof t->error);
    t->options = standard;
}

static assay_status parse(trial *t)
{
    return assay_parse(t->head, t->size, t->file_size, &t->options, &t->workspace, &t->view, &t->need, &t->error);
}

static int all_a5(const void *object, size_t size)
{
    const uint8_t *bytes = object;
    for (size_t k = 0; k < size; k++) {
        if (bytes[k] != 0xA5) {
            return 0;
        }
    }
    return 1;
}

START_TEST(a_valid_file)
{
    trial t;
    start(&t, twins, 8);
    ck_assert_uint_eq(parse(&t), ASSAY_OK);
    ck_assert_uint_eq(t.error.status, ASSAY_OK);
    ck_assert_uint_eq(t.error.offset, ASSAY_NONE);
    ck_assert_uint_eq(t.view.tensors, 2);
    ck_assert_uint_eq(t.view.pairs, 2);
    ck_assert_uint_eq(t.view.metadata, 1);
    ck_assert_uint_eq(t.view.data_begin, t.size);
    ck_assert_uint_eq(t.view.data_size, 8);
    ck_assert_uint_eq(t.need.entries, 2);
    ck_assert_uint_eq(t.need.words, 16);
    free(t.head);
}
END_TEST

START_TEST(no_options_are_the_standard_ones)
{
    trial t;
    start(&t, twins, 8);
    ck_assert_uint_eq(assay_parse(t.head, t.size, t.file_size, NULL, &t.workspace, &t.view, &t.need, &t.error),
                      ASSAY_OK);
    ck_assert_uint_eq(t.view.seed, 0);
    ck_assert_uint_eq(assay_measure(t.head, t.size, t.file_size, NULL, &t.need, &t.error), ASSAY_OK);
    ck_assert_uint_eq(t.need.words, 16);
    ck_assert_uint_eq(assay_validate(t.head, t.size, t.file_size, NULL, &t.workspace, &t.need, &t.error), ASSAY_OK);
    ck_assert_uint_eq(t.need.words, 14);
    free(t.head);
}
END_TEST

START_TEST(usage)
{
    trial t;
    for (int which = 0; which < 3; which++) {
        start(&t, twins, 8);
        t.options.api = which == 0 ? 0 : which == 1 ? 2 : 1;
        t.options.relax = which == 2;
        ck_assert_uint_eq(parse(&t), ASSAY_USAGE);
        ck_assert_uint_eq(t.error.status, ASSAY_USAGE);
        ck_assert_uint_eq(t.error.offset, ASSAY_NONE);
        ck_assert(all_a5(&t.view, sizeof t.view) && all_a5(&t.need, sizeof t.need));
        ck_assert_uint_eq(assay_measure(t.head, t.size, t.file_size, &t.options, &t.need, &t.error), ASSAY_USAGE);
        ck_assert_uint_eq(assay_validate(t.head, t.size, t.file_size, &t.options, &t.workspace, &t.need, &t.error),
                          ASSAY_USAGE);
        ck_assert(all_a5(&t.need, sizeof t.need));
        free(t.head);
    }
}
END_TEST

START_TEST(more_bytes)
{
    trial t;
    start(&t, twins, 8);
    uint64_t whole = t.size;
    for (t.size = 0; t.size < whole; t.size++) {
        memset(&t.need, 0xA5, sizeof t.need);
        ck_assert_uint_eq(parse(&t), ASSAY_NEED_MORE);
        ck_assert_uint_eq(t.need.head, t.size < 8 ? 8 : whole);
        ck_assert_uint_eq(t.error.expected, t.need.head);
        ck_assert_uint_eq(t.error.found, t.size);
        ck_assert(all_a5(&t.need.tensors, sizeof t.need - sizeof t.need.head));
        ck_assert(all_a5(&t.view, sizeof t.view));
    }
    free(t.head);
}
END_TEST

/* Entries mark names of plain ASCII; no view shows the mark. */
START_TEST(marked_names)
{
    static const struct {
        const char *name;
        uint64_t mark, end;
    } rows[] = {{"a", 1, 11}, {"", 1, 10}, {"a\\u0062", 0, 17}, {"\\u0061b", 0, 17}, {"\xC3\xA9", 0, 12},
                {"0123456789012345678901234567890123456789012345678901234567890123456789", 1, 80}};
    for (uint64_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char json[300];
        trial t;
        assay_tensor tensor;
        sprintf(json, "{\"%s\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}", rows[k].name);
        start(&t, json, 0);
        ck_assert_uint_eq(parse(&t), ASSAY_OK);
        ck_assert_uint_eq(t.entry[0].name >> 63, rows[k].mark);
        ck_assert(assay_tensor_at(&t.view, 0, &tensor));
        ck_assert_uint_eq(tensor.name.at, 10);
        ck_assert_uint_eq(tensor.name.end, rows[k].end);
        free(t.head);
    }
}
END_TEST

/* Every workspace that is too small, and the smallest sufficient one. */
START_TEST(workspaces)
{
    for (uint64_t entries = 0; entries <= 2; entries++) {
        for (uint64_t words = 0; words <= 16; words++) {
            trial t;
            start(&t, twins, 8);
            t.workspace.entries = entries;
            t.workspace.words = words;
            t.workspace.entry = malloc(entries * sizeof(assay_entry) + 1);
            t.workspace.word = malloc(words * sizeof(uint32_t) + 1);
            bool enough = entries >= 2 && words >= 16;
            ck_assert_uint_eq(parse(&t), enough ? ASSAY_OK : ASSAY_WORKSPACE);
            ck_assert_uint_eq(t.need.entries, 2);
            ck_assert_uint_eq(t.need.words, 16);
            ck_assert(enough || all_a5(&t.view, sizeof t.view));
            enough = entries >= 2 && words >= 14;
            ck_assert_uint_eq(assay_validate(t.head, t.size, t.file_size, &t.options, &t.workspace, &t.need, &t.error),
                              enough ? ASSAY_OK : ASSAY_WORKSPACE);
            free(t.workspace.entry);
            free(t.workspace.word);
            free(t.head);
        }
    }
}
END_TEST

/* An invalid header stays invalid however small the workspace is. */
START_TEST(the_header_before_the_workspace)
{
    trial t;
    start(&t, "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},\"b\":3}", 2);
    t.workspace.entries = 0;
    t.workspace.words = 0;
    ck_assert_uint_eq(parse(&t), ASSAY_E_TYPE);
    ck_assert_uint_eq(t.error.tensor, 1);
    free(t.head);
}
END_TEST

START_TEST(limits)
{
    trial t;
    start(&t, twins, 8);
    t.options.max_tensors = 1;
    ck_assert_uint_eq(parse(&t), ASSAY_LIMIT_TENSORS);
    ck_assert_uint_eq(t.error.expected, 1);
    ck_assert_uint_eq(t.error.found, 2);
    t.options.max_tensors = 2;
    t.options.max_rank = 1;
    ck_assert_uint_eq(parse(&t), ASSAY_LIMIT_RANK);
    t.options.max_rank = 2;
    t.options.max_name = 0;
    ck_assert_uint_eq(parse(&t), ASSAY_LIMIT_NAME);
    t.options.max_name = 1;
    t.options.max_metadata = 1;
    ck_assert_uint_eq(parse(&t), ASSAY_LIMIT_METADATA);
    t.options.max_metadata = 2;
    t.options.max_header = t.size - 9;
    ck_assert_uint_eq(parse(&t), ASSAY_LIMIT_HEADER);
    ck_assert_uint_eq(t.error.offset, 0);
    t.options.max_header++;
    ck_assert_uint_eq(parse(&t), ASSAY_OK);
    free(t.head);
}
END_TEST

START_TEST(twice)
{
    trial t;
    start(&t, "{\"__metadata__\":{\"k\":\"\",\"\\u006b\":\"\"}}", 0);
    ck_assert_uint_eq(parse(&t), ASSAY_E_METADATA_KEY_TWICE);
    ck_assert(t.error.other == 0 && t.error.found == 1 && t.error.tensor == ASSAY_NONE);
    ck_assert(all_a5(&t.view, sizeof t.view));
    free(t.head);
    start(&t, "{" TENSOR("a", "0", "0") "," TENSOR("\\u0061", "0", "0") "}", 0);
    ck_assert_uint_eq(parse(&t), ASSAY_E_NAME_TWICE);
    ck_assert(t.error.other == 0 && t.error.tensor == 1);
    free(t.head);
}
END_TEST

/* Words that begin like the keywords of the format. */
START_TEST(members_that_are_nearly_known)
{
    static const char *const keys[] = {"dtype\\u00e9", "dtype\xC3\xA9", "shape\xC3\xA9", "shapes", "dtyp",
                                       "data_offsets_", "data_offset", "data_offsets\xC3\xA9", "dtypeshapedtype",
                                       "Dtype", ""};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        char json[100];
        trial t;
        snprintf(json, sizeof json, "{\"a\":{\"%s\":0}}", keys[k]);
        start(&t, json, 0);
        ck_assert_uint_eq(parse(&t), ASSAY_E_MEMBER_UNKNOWN);
        ck_assert_uint_eq(t.error.offset, 14);
        free(t.head);
    }
}
END_TEST

/* Between members of the root, between pairs, and between a key and its value, only the right byte is accepted. */
START_TEST(punctuation)
{
    static const char *const rows[][2] = {{"\"a\":", ",\"b\""}, {"\"k\":", ",\"l\""}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        size_t colon = 8 + 3 + (size_t)(strstr(twins, rows[k][0]) - twins);
        size_t comma = 8 + (size_t)(strstr(twins, rows[k][1]) - twins);
        size_t places[] = {colon, colon + 1, comma, comma + 1};
        for (size_t j = 0; j < 4; j++) {
            for (unsigned c = 0; c < 256; c++) {
                trial t;
                start(&t, twins, 8);
                if (c != t.head[places[j]] && c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '}') {
                    t.head[places[j]] = (uint8_t)c;
                    assay_status status = parse(&t);
                    ck_assert(status == ASSAY_E_UNEXPECTED || status == ASSAY_E_TYPE);
                    ck_assert_uint_eq(t.error.offset, places[j]);
                }
                free(t.head);
            }
        }
    }
}
END_TEST

START_TEST(names_that_are_nearly_the_metadatas)
{
    static const char *const names[] = {"__metadataA_", "__metadata_A", "__metadata_z", "__metadataz_", "__metadat`__",
                                        "__metadata", "__metadata_", "__metadata___", "_metadata__",
                                        "__metadata__\\u00e9"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char json[100];
        trial t;
        snprintf(json, sizeof json, "{\"%s\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", names[k]);
        start(&t, json, 1);
        ck_assert_uint_eq(parse(&t), ASSAY_OK);
        ck_assert(t.view.tensors == 1 && t.view.metadata == 0);
        free(t.head);
    }
}
END_TEST

static assay_status validate(trial *t, const assay_options *options)
{
    return assay_validate(t->head, t->size, t->file_size, options, &t->workspace, &t->need, &t->error);
}

/* Files made for one seed are not judged with it, and are valid with another. No options mean seed 0. All 64 bits
 * matter. */
START_TEST(seed)
{
    static assay_entry entry[300];
    static uint32_t word[1200];
    static const uint64_t seeds[] = {0, 1, UINT64_C(1) << 32, UINT64_C(1) << 63 | 43};
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
        static char json[400 * 60];
        const uint64_t made_for = seeds[k];
        uint64_t secret = assay_hash_secret(made_for);
        uint32_t names = 0;
        size_t used = 1;
        trial t;
        json[0] = '{';
        for (uint32_t tried = 0; names < 300; tried++) {
            char name[16];
            size_t size = (size_t)snprintf(name, sizeof name, "%x", (unsigned)tried);
            if ((uint64_t)assay_hash_bytes((const uint8_t *)name, size, secret) * 600 < 2147483648u) {
                used += (size_t)sprintf(json + used, "%s\"%s\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}",
                                        names == 0 ? "" : ",", name);
                names++;
            }
        }
        strcpy(json + used, "}");
        start(&t, json, 0);
        t.workspace = (assay_workspace){entry, 300, word, 1200};
        t.options.seed = made_for;
        ck_assert_uint_eq(parse(&t), ASSAY_SEED);
        ck_assert_uint_eq(t.error.status, ASSAY_SEED);
        ck_assert_uint_eq(t.error.offset, ASSAY_NONE);
        ck_assert_uint_eq(validate(&t, &t.options), ASSAY_SEED);
        ck_assert_uint_eq(validate(&t, NULL), made_for == 0 ? ASSAY_SEED : ASSAY_OK);
        ck_assert(all_a5(&t.view, sizeof t.view));
        t.options.seed = 43;
        ck_assert_uint_eq(validate(&t, &t.options), ASSAY_OK);
        ck_assert_uint_eq(parse(&t), ASSAY_OK);
        ck_assert_uint_eq(t.view.seed, 43);
        free(t.head);
    }
}
END_TEST

/* The same for keys of the metadata. */
START_TEST(seed_of_keys)
{
    static char json[300 * 40] = "{\"__metadata__\":{";
    static uint32_t word[1200];
    uint64_t secret = assay_hash_secret(42);
    uint32_t keys = 0;
    trial t;
    for (uint32_t tried = 0; keys < 300; tried++) {
        char key[16];
        size_t size = (size_t)snprintf(key, sizeof key, "%x", (unsigned)tried);
        if ((uint64_t)assay_hash_bytes((const uint8_t *)key, size, secret) * 600 < 2147483648u) {
            sprintf(json + strlen(json), "%s\"%s\":\"\"", keys == 0 ? "" : ",", key);
            keys++;
        }
    }
    strcat(json, "}}");
    start(&t, json, 0);
    t.workspace = (assay_workspace){t.workspace.entry, 0, word, 1200};
    t.options.seed = 42;
    ck_assert_uint_eq(parse(&t), ASSAY_SEED);
    ck_assert_uint_eq(t.error.status, ASSAY_SEED);
    ck_assert_uint_eq(t.error.offset, ASSAY_NONE);
    t.options.seed = 43;
    ck_assert_uint_eq(parse(&t), ASSAY_OK);
    ck_assert_uint_eq(t.view.pairs, 300);
    free(t.head);
}
END_TEST

START_TEST(bounds)
{
    assay_need need;
    assay_bound(0, &need);
    ck_assert(need.head == 8 && need.entries == 0 && need.words == 0);
    assay_bound(UINT64_MAX, &need);
    ck_assert_uint_eq(need.head, 100000008);
    assay_bound(100000000, &need);
    ck_assert_uint_eq(need.head, 100000008);
    assay_bound(99999999, &need);
    ck_assert_uint_eq(need.head, 100000007);
    assay_bound(strlen(twins), &need);
    ck_assert(need.entries >= 2 && need.words >= 16);
    for (uint64_t length = 0; length < 3000; length++) { /* as include/assay.h says */
        assay_bound(length, &need);
        ck_assert(need.head == 8 + length && need.tensors == length / 32 && need.pairs == length / 4);
        ck_assert(need.entries == length / 32 && need.words == length);
    }
}
END_TEST

SUITE_MAIN("parse", a_valid_file, no_options_are_the_standard_ones, usage, more_bytes, workspaces,
           the_header_before_the_workspace, limits, twice,
           members_that_are_nearly_known, punctuation, names_that_are_nearly_the_metadatas, seed, seed_of_keys,
           marked_names, bounds)
