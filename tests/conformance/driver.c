/* driver.c: the core as a filter, for comparison with spec/model.py. It reads the lines of `spec/model.py --hex`
 *
 *   hex bytes of the head ("-": none) [file_size=N] [option=N...]
 *
 * and writes the same JSON. It also tests the core on every file: the head and the workspace are in memory of
 * exactly their size; measure, validate and parse must agree; a workspace that is one element too small must return
 * WORKSPACE with the exact need and an untouched view; every name and key must be found again; the names of an error
 * must be those that a walk over the bytes of the header finds; with -DFLAT, assay_flat.h must find the same. A
 * failure ends the program with status 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay.h"
#include "flat_check.h"
#include "rules_table.h"

#define PATTERN 0xA5

typedef struct {
    uint8_t *head;
    uint64_t head_size, file_size;
    assay_options options;
} question;

/* The calls that judge a file. */
enum way { MEASURE, VALIDATE, PARSE };

static unsigned long long line_number;

static void demand(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "driver: line %llu: %s\n", line_number, what);
        exit(1);
    }
}

/* Return filled memory of exactly this size; also for size 0. */
static void *memory(size_t size)
{
    void *made = malloc(size == 0 ? 1 : size);
    demand(made != NULL, "out of memory");
    memset(made, PATTERN, size);
    return made;
}

static int untouched(const void *object, size_t size)
{
    const uint8_t *bytes = object;
    for (size_t k = 0; k < size; k++) {
        if (bytes[k] != PATTERN) {
            return 0;
        }
    }
    return 1;
}

/* ---- Reading ------------------------------------------------------------------------------------ */

static int nibble(int c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void set(question *q, const char *name, uint64_t value)
{
    const char *const names[] = {"api", "relax", "max_header", "max_tensors", "max_rank", "max_name", "max_metadata",
                                 "file_size"};
    uint64_t *const fields[] = {&q->options.api, &q->options.relax, &q->options.max_header, &q->options.max_tensors,
                                &q->options.max_rank, &q->options.max_name, &q->options.max_metadata, &q->file_size};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        if (strcmp(name, names[k]) == 0) {
            *fields[k] = value;
            return;
        }
    }
    demand(0, name);
}

static void read_question(char *line, question *q)
{
    const assay_options standard = ASSAY_OPTIONS;
    char *word = strtok(line, " \n");
    demand(word != NULL, "an empty line");
    size_t size = strcmp(word, "-") == 0 ? 0 : strlen(word) / 2;
    q->head = memory(size);
    for (size_t k = 0; k < size; k++) {
        int high = nibble(word[2 * k]), low = nibble(word[2 * k + 1]);
        demand(high >= 0 && low >= 0, "not hexadecimal");
        q->head[k] = (uint8_t)(high * 16 + low);
    }
    q->head_size = q->file_size = size;
    q->options = standard;
    while ((word = strtok(NULL, " \n")) != NULL) {
        char *equals = strchr(word, '=');
        demand(equals != NULL, "an option without =");
        *equals = '\0';
        set(q, word, strtoull(equals + 1, NULL, 10));
    }
}

/* ---- Printing ----------------------------------------------------------------------------------- */

static void print_code_point(uint32_t c)
{
    if (c > 0xFFFF) {
        printf("\\u%04x\\u%04x", (unsigned)(0xD800 + ((c - 0x10000) >> 10)),
               (unsigned)(0xDC00 + ((c - 0x10000) & 0x3FF)));
    } else if (c < 0x20 || c > 0x7E || c == '"' || c == '\\') {
        printf("\\u%04x", (unsigned)c);
    } else {
        putchar((int)c);
    }
}

static size_t encode(uint32_t c, uint8_t *out)
{
    if (c < 0x80) {
        out[0] = (uint8_t)c;
        return 1;
    }
    size_t more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint8_t lead[] = {0, 0xC0, 0xE0, 0xF0};
    out[0] = (uint8_t)(lead[more] | (c >> (6 * more)));
    for (size_t k = 1; k <= more; k++) {
        out[k] = (uint8_t)(0x80 | ((c >> (6 * (more - k))) & 0x3F));
    }
    return more + 1;
}

/* Print a text, and return its UTF-8 bytes in memory of exactly their size. */
static uint8_t *print_text(const assay_view *view, assay_text text, uint64_t *size)
{
    assay_text rest = text;
    uint32_t c = 0;
    demand(text.at <= text.end && text.end <= view->data_begin, "a text outside the header");
    uint8_t *room = memory((size_t)(text.end - text.at) + 4);
    size_t used = 0;
    putchar('"');
    while (assay_text_next(view, &rest, &c)) {
        demand(used <= text.end - text.at, "a text that is longer than its bytes");
        used += encode(c, room + used);
        print_code_point(c);
    }
    putchar('"');
    uint8_t *bytes = memory(used);
    memcpy(bytes, room, used);
    free(room);
    *size = used;
    demand(assay_text_compare(view, text, bytes, used) == 0, "a text that differs from itself");
    demand(used == 0 || assay_text_compare(view, text, bytes, used - 1) == 1, "a text that is not above its beginning");
    return bytes;
}

/* assay_tensor_dims writes what assay_dim_next does, in an array of exactly its size: as many as there are, one more,
 * about half, none. */
static void check_dims(const assay_view *view, const assay_tensor *t)
{
    const uint64_t sizes[] = {t->rank, t->rank + 1, t->rank / 2, 0};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        uint64_t *dims = memory((size_t)sizes[k] * sizeof *dims), dim = 0, count = 0;
        assay_dims rest = t->dims;
        demand(assay_tensor_dims(view, t, dims, sizes[k]) == (sizes[k] < t->rank ? sizes[k] : t->rank),
               "the number of dims");
        for (; count < sizes[k] && assay_dim_next(view, &rest, &dim); count++) {
            demand(dims[count] == dim, "a dim that assay_dim_next does not return");
        }
        demand(untouched(dims + count, (size_t)(sizes[k] - count) * sizeof *dims), "dims beyond the last");
        free(dims);
    }
}

static void print_tensor(const question *q, const assay_view *view, uint64_t index)
{
    assay_tensor t, again;
    uint64_t size = 0, dim = 0, dims = 0;
    demand(assay_tensor_at(view, index, &t), "a tensor that is not there");
    demand(t.begin >= view->data_begin && t.begin <= t.end && t.end <= q->file_size, "a tensor outside the data");
    demand(t.dtype >= 1 && t.dtype <= dtypes_table_count && t.bits == dtypes_table[t.dtype - 1].bits,
           "a dtype's width");
    printf("%s{\"name\": ", index == 0 ? "" : ", ");
    uint8_t *name = print_text(view, t.name, &size);
    demand(assay_tensor_find(view, name, size, &again) && again.index == t.index, "a name that is not found");
    free(name);
    printf(", \"dtype\": \"%s\", \"shape\": [", dtypes_table[t.dtype - 1].name);
    for (assay_dims rest = t.dims; assay_dim_next(view, &rest, &dim); dims++) {
        printf("%s%llu", dims == 0 ? "" : ", ", (unsigned long long)dim);
    }
    demand(dims == t.rank, "a rank that is not the number of dims");
    check_dims(view, &t);
    printf("], \"begin\": %llu, \"end\": %llu, \"place\": %llu}", (unsigned long long)(t.begin - view->data_begin),
           (unsigned long long)(t.end - view->data_begin), (unsigned long long)t.index);
}

static void print_pair(const assay_view *view, uint64_t index)
{
    assay_text key, value, again;
    uint64_t size = 0, other = 0;
    demand(assay_metadata_at(view, index, &key, &value), "a pair that is not there");
    printf("%s[", index == 0 ? "" : ", ");
    uint8_t *bytes = print_text(view, key, &size);
    demand(assay_metadata_find(view, bytes, size, &again) && again.at == value.at && again.end == value.end,
           "a key that is not found");
    free(bytes);
    printf(", ");
    free(print_text(view, value, &other));
    printf("]");
}

static void print_view(const question *q, const assay_view *view)
{
    assay_tensor t;
    assay_text text;
    uint64_t count = assay_tensor_count(view), pairs = assay_metadata_count(view);
    demand(!assay_tensor_at(view, count, &t) && !assay_tensor_at(view, UINT64_MAX, &t), "a tensor beyond the last");
    demand(!assay_metadata_at(view, pairs, &text, &text), "a pair beyond the last");
    printf(", \"tensors\": [");
    for (uint64_t k = 0; k < count; k++) {
        print_tensor(q, view, k);
    }
    printf("], \"metadata\": ");
    if (view->metadata == 0) {
        demand(pairs == 0, "pairs without metadata");
        printf("null");
        return;
    }
    printf("[");
    for (uint64_t k = 0; k < pairs; k++) {
        print_pair(view, k);
    }
    printf("]");
}

static void print_field(const char *name, uint64_t value, int is_set)
{
    if (is_set) {
        printf(", \"%s\": %llu", name, (unsigned long long)value);
    } else {
        demand(value == ASSAY_NONE, "a number in a field that is not set");
        printf(", \"%s\": null", name);
    }
}

static void print_error(const assay_error *e)
{
    const char *id = "", *name = "ok";
    for (uint32_t k = 0; k < rules_table_count; k++) {
        if (rules_table[k].code == e->status) {
            id = rules_table[k].id;
            name = rules_table[k].name;
        }
    }
    demand(e->has < 32, "a field of an error that there is not");
    printf("{\"verdict\": \"%s\", \"id\": \"%s\", \"name\": \"%s\", \"code\": %llu",
           e->status == ASSAY_OK ? "valid" : e->status >= ASSAY_E_FIRST ? "invalid" : "not judged", id, name,
           (unsigned long long)e->status);
    print_field("offset", e->offset, (e->has & ASSAY_HAS_OFFSET) != 0);
    print_field("tensor", e->tensor, (e->has & ASSAY_HAS_TENSOR) != 0);
    print_field("other", e->other, (e->has & ASSAY_HAS_OTHER) != 0);
    print_field("expected", e->expected, (e->has & ASSAY_HAS_EXPECTED) != 0);
    print_field("found", e->found, (e->has & ASSAY_HAS_FOUND) != 0);
}

/* ---- Drilling ----------------------------------------------------------------------------------- */

static assay_workspace make_workspace(uint64_t entries, uint64_t words)
{
    assay_workspace w = {memory((size_t)entries * sizeof(assay_entry)), entries,
                         memory((size_t)words * sizeof(uint32_t)), words};
    return w;
}

static void free_workspace(assay_workspace *w)
{
    free(w->entry);
    free(w->word);
}

static int same_error(const assay_error *a, const assay_error *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Ask a call. What it must not write is filled. */
static assay_status ask(enum way way, const question *q, const assay_workspace *w, assay_result *result)
{
    const assay_input input = {q->head, q->head_size, q->file_size};
    memset(result, PATTERN, sizeof *result);
    assay_status status = way == MEASURE    ? assay_measure(&input, &q->options, result)
                          : way == VALIDATE ? assay_validate(&input, &q->options, w, result)
                                            : assay_parse(&input, &q->options, w, result);
    int all = status == ASSAY_OK || (status == ASSAY_WORKSPACE && way != MEASURE);
    const assay_need *need = &result->need;
    demand(status == result->error.status, "the result is not the error's status");
    demand((way == PARSE && status == ASSAY_OK) || untouched(&result->view, sizeof result->view),
           "a view written without success");
    demand(all || untouched(&need->tensors, sizeof *need - sizeof need->head), "a need written without success");
    demand(all || status == ASSAY_NEED_MORE || untouched(&need->head, sizeof need->head),
           "need.head written without success");
    demand(status != ASSAY_NEED_MORE || need->head == result->error.expected, "need.head is not what is needed");
    return status;
}

/* A workspace that is too small: WORKSPACE, the exact need, an untouched view. */
static void drill_small(const question *q, uint64_t entries, uint64_t words, const assay_need *exact)
{
    assay_workspace small = make_workspace(entries, words);
    assay_result result;
    const assay_error error = {ASSAY_WORKSPACE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, 0,
                               {0, 0}, {0, 0}};
    ask(PARSE, q, &small, &result);
    demand(same_error(&result.error, &error), "a workspace that is too small");
    demand(memcmp(&result.need, exact, sizeof *exact) == 0, "the need that a small workspace gives");
    free_workspace(&small);
}

static void drill_workspace(const question *q, const assay_need *need)
{
    assay_need bound;
    assay_bound(need->head - 8, &bound);
    demand(bound.head == need->head && bound.entries >= need->entries && bound.words >= need->words &&
               bound.tensors >= need->tensors && bound.pairs >= need->pairs, "a bound below the need");
    demand(need->words <= 6 * need->tensors + 8 * need->pairs && need->entries <= need->tensors,
           "a need above 56 and 32 bytes");
    if (need->entries > 0) {
        drill_small(q, need->entries - 1, need->words, need);
    }
    if (need->words > 0) {
        drill_small(q, need->entries, need->words - 1, need);
        drill_small(q, 0, 0, need);
    }
}

/* assay_validate returns the same verdict and error with the least workspace that it requires, which is not above that
 * of assay_parse. need is NULL if stage F or H failed. */
static void drill_validate(const question *q, const assay_need *need, const assay_error *error)
{
    assay_workspace w = make_workspace(0, 0);
    assay_result result;
    if (need != NULL && need->entries + need->words > 0) {
        demand(ask(VALIDATE, q, &w, &result) == ASSAY_WORKSPACE, "validate without memory");
        demand(result.need.entries <= need->entries && result.need.words <= need->words,
               "validate needs more than parse");
        free_workspace(&w);
        w = make_workspace(result.need.entries, result.need.words);
    }
    assay_status status = ask(VALIDATE, q, &w, &result);
    demand(same_error(&result.error, error), "validate and parse differ");
    demand(status != ASSAY_OK || (result.need.words == w.words && result.need.entries == w.entries),
           "the need of validate");
    free_workspace(&w);
}

/* Return 8 + N, or the size of the head if that is less. */
static uint64_t header_end(const question *q)
{
    uint64_t end = 8;
    for (uint64_t k = 0, unit = 1; k < 4 && k < q->head_size; k++, unit *= 256) {
        end += q->head[k] * unit;
    }
    return end < q->head_size ? end : q->head_size;
}

/* Nothing after the header matters: the verdict is the same with a head that ends there. */
static void drill_head(const question *q, const assay_error *error)
{
    question shorter = *q;
    assay_result result;
    shorter.head_size = header_end(q);
    if (shorter.head_size == q->head_size || error->status == ASSAY_NEED_MORE ||
        error->status == ASSAY_E_HEADER_LARGE) {
        return;
    }
    shorter.head = memory((size_t)shorter.head_size);
    memcpy(shorter.head, q->head, (size_t)shorter.head_size);
    ask(MEASURE, &shorter, NULL, &result);
    demand(same_error(&result.error, error), "the bytes after the header matter");
    free(shorter.head);
}

/* ---- The names of an error ---------------------------------------------------------------------- */

/* Find a string by the brackets before it: the one with this index among the root's keys other than __metadata__, or
 * among the keys in __metadata__. What is before it breaks no rule. Return {0, 0} if there is none. */
static assay_text string_in_bytes(const question *q, int in_metadata, uint64_t index)
{
    static const char metadata[] = "__metadata__";
    uint64_t depth = 0, count = 0, end = header_end(q);
    int inside = 0; /* in __metadata__ */
    for (uint64_t at = 8; at < end; at++) {
        uint8_t c = q->head[at];
        depth += (c == '{' || c == '[') - (uint64_t)(c == '}' || c == ']');
        if (c != '"') {
            continue;
        }
        uint64_t from = ++at;
        while (at < end && q->head[at] != '"') {
            at += q->head[at] == '\\' ? 2 : 1;
        }
        int keyword = at - from == sizeof metadata - 1 && memcmp(q->head + from, metadata, sizeof metadata - 1) == 0;
        if (depth == 1) {
            inside = keyword;
        }
        int counts = in_metadata ? depth == 2 && inside : depth == 1 && !keyword;
        if (counts && count++ == (in_metadata ? 2 * index : index)) {
            return (assay_text){from, at};
        }
    }
    return (assay_text){0, 0};
}

static void check_name(const question *q, int in_metadata, uint64_t index, int is_set, assay_text name)
{
    assay_text right = is_set ? string_in_bytes(q, in_metadata, index) : (assay_text){0, 0};
    demand(name.at == right.at && name.end == right.end, is_set ? "another name than that of the tensor or pair"
                                                                : "a name of what is not set");
    demand(!is_set || (name.at > 8 && name.end < header_end(q) && q->head[name.at - 1] == '"' &&
                       q->head[name.end] == '"'), "a name without quotes");
}

static void check_names(const question *q, const assay_error *e)
{
    check_name(q, 0, e->tensor, (e->has & ASSAY_HAS_TENSOR) != 0, e->name);
    int pairs = e->status == ASSAY_E_METADATA_KEY_TWICE;
    check_name(q, pairs, e->other, (e->has & ASSAY_HAS_OTHER) != 0, e->other_name);
}

/* ---- One file ----------------------------------------------------------------------------------- */

static void judge(const question *q)
{
    assay_result measured, parsed;
    assay_status status = ask(MEASURE, q, NULL, &measured);
    drill_head(q, &measured.error);
    assay_workspace w = make_workspace(0, 0);
    if (status == ASSAY_OK) {
        free_workspace(&w);
        w = make_workspace(measured.need.entries, measured.need.words);
        drill_workspace(q, &measured.need);
    }
    int clean = status == ASSAY_OK;
    status = ask(PARSE, q, &w, &parsed);
    demand(status >= ASSAY_E_METADATA_KEY_TWICE || memcmp(&measured.need, &parsed.need, sizeof parsed.need) == 0,
           "measure and parse need different things");
    demand(clean || same_error(&measured.error, &parsed.error), "measure and parse differ");
    demand(!clean || status != ASSAY_WORKSPACE, "the need of measure is not enough");
    drill_validate(q, clean ? &measured.need : NULL, &parsed.error);
    check_names(q, &parsed.error);
    print_error(&parsed.error);
    if (status == ASSAY_OK) {
        print_view(q, &parsed.view);
    }
    puts("}");
    free_workspace(&w);
}

/* Read a line of any length; 0 at the end. */
static int read_line(char **line, size_t *room)
{
    size_t used = 0;
    while (1) {
        if (*room - used < 2) {
            *room = *room * 2 + 256;
            *line = realloc(*line, *room);
            demand(*line != NULL, "out of memory");
        }
        if (fgets(*line + used, (int)(*room - used > 1 << 20 ? 1 << 20 : *room - used), stdin) == NULL) {
            return used > 0;
        }
        used += strlen(*line + used);
        if (used > 0 && (*line)[used - 1] == '\n') {
            return 1;
        }
    }
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    setvbuf(stdout, NULL, _IOLBF, 1 << 16); /* after a failure, the number of lines shows where */
    while (read_line(&line, &room)) {
        question q;
        line_number++;
        read_question(line, &q);
        judge(&q);
#ifdef FLAT
        if (q.options.api == ASSAY_API && q.options.relax == 0) {
            const char *fault = flat_check(q.head, q.head_size, q.file_size, &q.options);
            demand(fault == NULL, fault);
        }
#endif
        free(q.head);
    }
    free(line);
    return 0;
}
