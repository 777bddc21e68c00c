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
    assay_result result;
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
    memset(&t->result, 0xA5, sizeof t->result);
    t->options = standard;
}

static assay_status parse(trial *t)
{
    const assay_input input = {t->head, t->size, t->file_size};
    return assay_parse(&input, &t->options, &t->workspace, &t->result);
}

static assay_status measure(trial *t)
{
    const assay_input input = {t->head, t->size, t->file_size};
    return assay_measure(&input, &t->options, &t->result);
}

static assay_status validate(trial *t)
{
    const assay_input input = {t->head, t->size, t->file_size};
    return assay_validate(&input, &t->options, &t->workspace, &t->result);
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
    ck_assert_uint_eq(t.result.error.status, ASSAY_OK);
    ck_assert_uint_eq(t.result.error.offset, ASSAY_NONE);
    ck_assert_uint_eq(t.result.view.tensors, 2);
    ck_assert_uint_eq(t.result.view.pairs, 2);
    ck_assert_uint_eq(t.result.view.metadata, 1);
    ck_assert_uint_eq(t.result.view.data_begin, t.size);
    ck_assert_uint_eq(t.result.view.data_size, 8);
    ck_assert_uint_eq(t.result.need.entries, 2);
    ck_assert_uint_eq(t.result.need.words, 6 * 2 + 8 * 2);
    free(t.head);
}
END_TEST

START_TEST(no_options_are_the_standard_ones)
{
    trial t;
    start(&t, twins, 8);
    const assay_input input = {t.head, t.size, t.file_size};
    ck_assert_uint_eq(assay_parse(&input, NULL, &t.workspace, &t.result), ASSAY_OK);
    ck_assert_uint_eq(assay_measure(&input, NULL, &t.result), ASSAY_OK);
    assay_need need = t.result.need;
    ck_assert_uint_eq(assay_validate(&input, NULL, &t.workspace, &t.result), ASSAY_OK);
    ck_assert(t.result.need.entries == need.entries && t.result.need.words == need.words - 2);
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
        ck_assert_uint_eq(t.result.error.status, ASSAY_USAGE);
        ck_assert_uint_eq(t.result.error.offset, ASSAY_NONE);
        ck_assert(all_a5(&t.result.view, sizeof t.result.view) && all_a5(&t.result.need, sizeof t.result.need));
        ck_assert_uint_eq(measure(&t), ASSAY_USAGE);
        ck_assert_uint_eq(validate(&t), ASSAY_USAGE);
        ck_assert(all_a5(&t.result.need, sizeof t.result.need));
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
        memset(&t.result.need, 0xA5, sizeof t.result.need);
        ck_assert_uint_eq(parse(&t), ASSAY_NEED_MORE);
        ck_assert_uint_eq(t.result.need.head, t.size < 8 ? 8 : whole);
        ck_assert_uint_eq(t.result.error.expected, t.result.need.head);
        ck_assert_uint_eq(t.result.error.found, t.size);
        ck_assert(all_a5(&t.result.need.tensors, sizeof t.result.need - sizeof t.result.need.head));
        ck_assert(all_a5(&t.result.view, sizeof t.result.view));
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
        ck_assert(assay_tensor_at(&t.result.view, 0, &tensor));
        ck_assert_uint_eq(tensor.name.at, 10);
        ck_assert_uint_eq(tensor.name.end, rows[k].end);
        free(t.head);
    }
}
END_TEST

/* Every workspace that is too small, and the smallest sufficient one. */
START_TEST(workspaces)
{
    trial whole;
    start(&whole, twins, 8);
    ck_assert_uint_eq(parse(&whole), ASSAY_OK);
    const uint64_t most = whole.result.need.words;
    ck_assert_uint_eq(validate(&whole), ASSAY_OK);
    const uint64_t least = whole.result.need.words;
    free(whole.head);
    for (uint64_t entries = 0; entries <= 2; entries++) {
        for (uint64_t words = 0; words <= most; words++) {
            trial t;
            start(&t, twins, 8);
            t.workspace.entries = entries;
            t.workspace.words = words;
            t.workspace.entry = malloc(entries * sizeof(assay_entry) + 1);
            t.workspace.word = malloc(words * sizeof(uint32_t) + 1);
            bool enough = entries >= 2 && words >= most;
            ck_assert_uint_eq(parse(&t), enough ? ASSAY_OK : ASSAY_WORKSPACE);
            ck_assert_uint_eq(t.result.need.entries, 2);
            ck_assert_uint_eq(t.result.need.words, most);
            ck_assert(enough || all_a5(&t.result.view, sizeof t.result.view));
            enough = entries >= 2 && words >= least;
            ck_assert_uint_eq(validate(&t), enough ? ASSAY_OK : ASSAY_WORKSPACE);
            free(t.workspace.entry);
            free(t.workspace.word);
            free(t.head);
        }
    }
}
END_TEST

/* The view is written by assay_parse on success alone; the need as each call documents it. */
START_TEST(view_and_need)
{
    static const struct {
        const char *json;
        uint64_t data, entries, max_rank, api;
        int64_t cut; /* bytes of the head that are not given */
        assay_status measured, parsed;
    } rows[] = {
        {twins, 8, 16, 9, 1, 0, ASSAY_OK, ASSAY_OK},
        {"{}", 0, 0, 9, 1, 0, ASSAY_OK, ASSAY_OK},
        {twins, 8, 1, 9, 1, 0, ASSAY_OK, ASSAY_WORKSPACE},
        {twins, 7, 16, 9, 1, 0, ASSAY_OK, ASSAY_E_TRUNCATED},
        {"{" TENSOR("a", "0", "0") "," TENSOR("a", "0", "0") "}", 0, 16, 9, 1, 0, ASSAY_OK, ASSAY_E_NAME_TWICE},
        {twins, 9, 16, 9, 1, 0, ASSAY_OK, ASSAY_E_HOLE},
        {"{\"a\":3}", 0, 16, 9, 1, 0, ASSAY_E_TYPE, ASSAY_E_TYPE},
        {twins, 8, 16, 1, 1, 0, ASSAY_LIMIT_RANK, ASSAY_LIMIT_RANK},
        {twins, 8, 16, 9, 2, 0, ASSAY_USAGE, ASSAY_USAGE},
        {twins, 8, 16, 9, 1, 1, ASSAY_NEED_MORE, ASSAY_NEED_MORE},
    };
    for (size_t k = 0; k < 3 * sizeof rows / sizeof *rows; k++) {
        trial t;
        const size_t row = k / 3, way = k % 3;
        start(&t, rows[row].json, rows[row].data);
        t.size -= (uint64_t)rows[row].cut;
        t.workspace.entries = rows[row].entries;
        t.options.max_rank = rows[row].max_rank;
        t.options.api = rows[row].api;
        const assay_status wanted = way == 0 ? rows[row].measured : rows[row].parsed;
        ck_assert_uint_eq(way == 0 ? measure(&t) : way == 1 ? validate(&t) : parse(&t), wanted);
        ck_assert_uint_eq(t.result.error.status, wanted);
        if (wanted != ASSAY_OK || way != 2) {
            ck_assert_msg(all_a5(&t.result.view, sizeof t.result.view), "row %u: the view", (unsigned)row);
        }
        if (wanted == ASSAY_OK || wanted == ASSAY_WORKSPACE) {
            const assay_need *need = &t.result.need;
            ck_assert(need->head == t.size && need->entries == need->tensors);
            ck_assert_uint_eq(need->words, 6 * need->tensors + (way == 1 ? 7 : 8) * need->pairs);
            ck_assert_uint_eq(need->tensors, rows[row].json == twins ? 2 : strlen(rows[row].json) > 2 ? 2 : 0);
            ck_assert_uint_eq(need->pairs, rows[row].json == twins ? 2 : 0);
        } else {
            const assay_need *need = &t.result.need;
            ck_assert(all_a5(&need->tensors, sizeof *need - sizeof need->head));
            ck_assert(wanted == ASSAY_NEED_MORE ? need->head == t.size + 1 : all_a5(&need->head, sizeof need->head));
        }
        free(t.head);
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
    ck_assert_uint_eq(t.result.error.tensor, 1);
    free(t.head);
}
END_TEST

START_TEST(limits)
{
    trial t;
    start(&t, twins, 8);
    t.options.max_tensors = 1;
    ck_assert_uint_eq(parse(&t), ASSAY_LIMIT_TENSORS);
    ck_assert_uint_eq(t.result.error.expected, 1);
    ck_assert_uint_eq(t.result.error.found, 2);
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
    ck_assert_uint_eq(t.result.error.offset, 0);
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
    ck_assert(t.result.error.other == 0 && t.result.error.found == 1 && t.result.error.tensor == ASSAY_NONE);
    ck_assert(all_a5(&t.result.view, sizeof t.result.view));
    free(t.head);
    start(&t, "{" TENSOR("a", "0", "0") "," TENSOR("\\u0061", "0", "0") "}", 0);
    ck_assert_uint_eq(parse(&t), ASSAY_E_NAME_TWICE);
    ck_assert(t.result.error.other == 0 && t.result.error.tensor == 1);
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
        ck_assert_uint_eq(t.result.error.offset, 14);
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
                    ck_assert_uint_eq(t.result.error.offset, places[j]);
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
        ck_assert(t.result.view.tensors == 1 && t.result.view.metadata == 0);
        free(t.head);
    }
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
    ck_assert(need.entries >= 2 && need.words >= 6 * 2 + 8 * 2);
    for (uint64_t length = 0; length < 3000; length++) { /* as include/assay.h says */
        assay_bound(length, &need);
        ck_assert(need.head == 8 + length && need.tensors == length / 32 && need.pairs == length / 4);
        ck_assert(need.entries == length / 32 && need.words == length + length / 3);
    }
}
END_TEST

SUITE_MAIN("parse", a_valid_file, no_options_are_the_standard_ones, usage, more_bytes, workspaces, view_and_need,
           the_header_before_the_workspace, limits, twice, members_that_are_nearly_known, punctuation,
           names_that_are_nearly_the_metadatas, marked_names, bounds)
