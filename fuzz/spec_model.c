/* spec_model.c: judge a file by spec/format.md: stage F, one pass over the header (stage H), and stage G. See
 * spec_model.h. */
#include "spec_model.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

const spec_dtype spec_dtypes[SPEC_DTYPES] = {
    {"BOOL", 1, 8}, {"U8", 2, 8}, {"I8", 3, 8}, {"F8_E5M2", 4, 8}, {"F8_E4M3", 5, 8},
    {"F8_E8M0", 6, 8}, {"F8_E4M3FNUZ", 7, 8}, {"F8_E5M2FNUZ", 8, 8}, {"F4", 9, 4},
    {"F6_E2M3", 10, 6}, {"F6_E3M2", 11, 6}, {"I16", 12, 16}, {"U16", 13, 16}, {"F16", 14, 16},
    {"BF16", 15, 16}, {"I32", 16, 32}, {"U32", 17, 32}, {"F32", 18, 32}, {"I64", 19, 64},
    {"U64", 20, 64}, {"F64", 21, 64}, {"C64", 22, 64},
};

/* The state of the pass over the header. There is one pass at a time. */
static struct {
    spec_model *result;
    const uint8_t *head;
    uint64_t at, end; /* the position of the pass, the end of the header */
    uint64_t tensor;  /* the number of the tensor that the pass is in */
    assay_options options;
    uint32_t code[SPEC_HEAD_MAX];
    uint64_t dim[SPEC_HEAD_MAX];
    uint64_t codes, dims; /* how many are used */
} pass;

static jmp_buf stopped;

/* Which of offset, expected and found an error has: nearly always the offset alone, or all three. */
enum { AT = ASSAY_HAS_OFFSET, VALUES = ASSAY_HAS_EXPECTED | ASSAY_HAS_FOUND };

static assay_text raw_text(const spec_text *text)
{
    return (assay_text){text->at, text->end};
}

/* End the judgement with this verdict. error.has says whether offset, expected and found are set. */
static _Noreturn void model_stop(assay_error error)
{
    const spec_model *table = pass.result;
    if (error.tensor != ASSAY_NONE) {
        error.has |= ASSAY_HAS_TENSOR;
        error.name = raw_text(&table->tensor[error.tensor].name);
    }
    if (error.other != ASSAY_NONE) {
        error.has |= ASSAY_HAS_OTHER;
        error.other_name = raw_text(error.status == ASSAY_E_METADATA_KEY_TWICE ? &table->pair[error.other].key
                                                                               : &table->tensor[error.other].name);
    }
    pass.result->error = error;
    longjmp(stopped, 1);
}

/* Stop in stage H or before it, with the fields that `has` says. */
static _Noreturn void token_stop_with(uint64_t has, uint64_t status, uint64_t offset, uint64_t expected, uint64_t found)
{
    model_stop((assay_error){status, offset, pass.tensor, ASSAY_NONE, expected, found, has, {0, 0}, {0, 0}});
}

static _Noreturn void token_stop(uint64_t status, uint64_t offset)
{
    token_stop_with(AT, status, offset, ASSAY_NONE, ASSAY_NONE);
}

static _Noreturn void token_stop_at(uint64_t status, uint64_t offset, uint64_t expected, uint64_t found)
{
    token_stop_with(AT | VALUES, status, offset, expected, found);
}

/* Stop in stage G. */
static _Noreturn void whole_stop(uint64_t has, uint64_t status, uint64_t offset, uint64_t tensor, uint64_t other,
                                 uint64_t expected, uint64_t found)
{
    model_stop((assay_error){status, offset, tensor, other, expected, found, has, {0, 0}, {0, 0}});
}

/* ---- Stage H: bytes and tokens ------------------------------------------------------------------------ */

static bool token_is_one_of(uint8_t byte, const char *bytes)
{
    return byte != 0 && strchr(bytes, byte) != NULL;
}

/* Return the byte at the position of the pass. */
static uint8_t token_byte(void)
{
    if (pass.at >= pass.end)
        token_stop(ASSAY_E_HEADER_EARLY, pass.end);
    return pass.head[pass.at];
}

/* Skip white space, and return the next byte. */
static uint8_t token_space(void)
{
    while (token_is_one_of(token_byte(), " \t\n\r"))
        pass.at++;
    return token_byte();
}

/* Skip white space, and consume the next byte, which must be one of these. */
static uint8_t token_expect(const char *allowed)
{
    uint8_t next = token_space();
    if (!token_is_one_of(next, allowed))
        token_stop(ASSAY_E_UNEXPECTED, pass.at);
    pass.at++;
    return next;
}

/* Skip white space, and return the offset of a value, which must begin with one of these bytes. */
static uint64_t token_value(const char *first)
{
    uint8_t next = token_space();
    if (!token_is_one_of(next, first)) {
        token_stop(token_is_one_of(next, "\"{[-0123456789tfn") ? ASSAY_E_TYPE : ASSAY_E_UNEXPECTED, pass.at);
    }
    return pass.at;
}

static uint32_t utf8(void)
{
    uint64_t lead_at = pass.at;
    uint8_t lead = token_byte();
    int more = lead < 0xC2 ? 0 : lead <= 0xDF ? 1 : lead <= 0xEF ? 2 : lead <= 0xF4 ? 3 : 0;
    uint32_t code = more == 1 ? lead & 0x1Fu : more == 2 ? lead & 0x0Fu : lead & 0x07u;
    if (more == 0)
        token_stop(ASSAY_E_UTF8, lead_at);
    for (int i = 0; i < more; i++) {
        pass.at++;
        uint8_t least = i > 0 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        uint8_t most = i > 0 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (token_byte() < least || token_byte() > most)
            token_stop(ASSAY_E_UTF8, lead_at);
        code = code * 64 + (token_byte() & 0x3Fu);
    }
    pass.at++;
    return code;
}

#define HEX "0123456789abcdefABCDEF"

static uint32_t digit(uint8_t c)
{
    return c <= '9' ? c - (uint32_t)'0' : (c | 0x20u) - 'a' + 10u;
}

/* Consume four hexadecimal digits, and return the code unit. */
static uint32_t four_digits(uint64_t backslash)
{
    uint32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        if (!token_is_one_of(token_byte(), HEX))
            token_stop(ASSAY_E_ESCAPE, backslash);
        unit = unit * 16 + digit(token_byte());
        pass.at++;
    }
    return unit;
}

/* Consume the low surrogate that must follow a high one. */
static uint32_t low_surrogate(uint64_t backslash)
{
    static const char *const allowed[] = {"\\", "u", "dD", "cdefCDEF", HEX, HEX};
    uint32_t unit = 0;
    for (int i = 0; i < 6; i++) {
        if (!token_is_one_of(token_byte(), allowed[i]))
            token_stop(ASSAY_E_SURROGATE, backslash);
        unit = i < 2 ? 0 : unit * 16 + digit(token_byte());
        pass.at++;
    }
    return unit;
}

static uint32_t escape(void)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    uint64_t backslash = pass.at++;
    uint8_t letter = token_byte();
    pass.at++;
    if (token_is_one_of(letter, letters))
        return (uint32_t)meanings[strchr(letters, letter) - letters];
    if (letter != 'u')
        token_stop(ASSAY_E_ESCAPE, backslash);
    uint32_t unit = four_digits(backslash);
    if (unit == 0)
        token_stop(ASSAY_E_NUL, backslash);
    if (unit >= 0xDC00 && unit <= 0xDFFF)
        token_stop(ASSAY_E_SURROGATE, backslash);
    if (unit >= 0xD800 && unit <= 0xDBFF)
        return 0x10000 + (unit - 0xD800) * 0x400 + low_surrogate(backslash) - 0xDC00;
    return unit;
}

/* Consume the string whose opening quote is at the position of the pass. */
static spec_text token_string(void)
{
    spec_text text = {.code = pass.code + pass.codes, .at = ++pass.at};
    while (token_byte() != '"') {
        uint32_t code = token_byte();
        if (code < 0x20)
            token_stop(ASSAY_E_CONTROL, pass.at);
        text.escaped |= code == '\\';
        if (code == '\\') {
            code = escape();
        } else if (code >= 0x80) {
            code = utf8();
        } else {
            pass.at++;
        }
        pass.code[pass.codes++] = code;
        text.count++;
    }
    text.end = pass.at++;
    return text;
}

static bool token_equals(const spec_text *text, const char *word)
{
    bool same = text->count == strlen(word);
    for (uint64_t i = 0; same && i < text->count; i++)
        same = text->code[i] == (uint32_t)word[i];
    return same;
}

/* Consume an integer. dim: the number of the dim, from 1; 0 if it is no dim. */
static uint64_t token_integer(uint64_t dim)
{
    uint64_t at = token_value("-0123456789"), number = 0;
    bool plain = true, small = true;
    while (token_is_one_of(token_byte(), "0123456789+-.eE")) {
        plain &= token_is_one_of(token_byte(), "0123456789");
        pass.at++;
    }
    plain &= pass.head[at] != '0' || pass.at == at + 1;
    if (dim > pass.options.max_rank)
        token_stop_at(ASSAY_LIMIT_RANK, at, pass.options.max_rank, dim);
    if (!plain)
        token_stop(ASSAY_E_NUMBER_FORM, at);
    for (uint64_t i = at; i < pass.at; i++) {
        unsigned __int128 wide = (unsigned __int128)number * 10 + (pass.head[i] - (uint8_t)'0');
        small &= wide <= UINT64_MAX;
        number = (uint64_t)wide;
    }
    if (!small)
        token_stop(ASSAY_E_NUMBER_RANGE, at);
    return number;
}

/* ---- Stage F: the frame ------------------------------------------------------------------------------- */

static void frame(uint64_t head_size, uint64_t file_size)
{
    uint64_t length = 0;
    if (file_size < 8)
        token_stop_at(ASSAY_E_FILE_SHORT, file_size, 8, file_size);
    if (head_size < 8)
        token_stop_with(VALUES, ASSAY_NEED_MORE, ASSAY_NONE, 8, head_size);
    for (int i = 7; i >= 0; i--)
        length = length * 256 + pass.head[i];
    if (length > 100000000)
        token_stop_at(ASSAY_E_HEADER_LARGE, 0, 100000000, length);
    if (length > pass.options.max_header)
        token_stop_at(ASSAY_LIMIT_HEADER, 0, pass.options.max_header, length);
    if (8 + length > file_size)
        token_stop_at(ASSAY_E_HEADER_CUT, file_size, 8 + length, file_size);
    if (8 + length > head_size)
        token_stop_with(VALUES, ASSAY_NEED_MORE, ASSAY_NONE, 8 + length, head_size);
    pass.end = 8 + length;
}

/* ---- Stage H: the parts of a tensor ------------------------------------------------------------------- */

static void read_dtype(spec_tensor *tensor)
{
    token_value("\"");
    spec_text name = token_string();
    for (size_t i = 0; i < SPEC_DTYPES; i++) {
        if (token_equals(&name, spec_dtypes[i].name)) {
            tensor->dtype = spec_dtypes[i].code;
            tensor->bits = spec_dtypes[i].bits;
            if (name.escaped)
                token_stop(ASSAY_E_KEYWORD_ESCAPED, name.at - 1);
            return;
        }
    }
    token_stop(ASSAY_E_DTYPE_UNKNOWN, name.at - 1);
}

static uint64_t read_shape(spec_tensor *tensor)
{
    uint64_t at = token_value("[");
    pass.at++;
    tensor->dim = pass.dim + pass.dims;
    if (token_space() == ']') {
        pass.at++;
        return at;
    }
    do {
        pass.dim[pass.dims++] = token_integer(++tensor->rank);
    } while (token_expect(",]") == ',');
    return at;
}

static uint64_t read_offsets(spec_tensor *tensor)
{
    uint64_t at = token_value("[");
    pass.at++;
    if (token_space() == ']')
        token_stop_at(ASSAY_E_OFFSETS_COUNT, pass.at, 2, 0);
    tensor->begin = token_integer(0);
    if (token_expect(",]") == ']')
        token_stop_at(ASSAY_E_OFFSETS_COUNT, pass.at - 1, 2, 1);
    tensor->end = token_integer(0);
    if (token_expect(",]") == ',')
        token_stop_at(ASSAY_E_OFFSETS_COUNT, pass.at - 1, 2, 3);
    return at;
}

/* Check the size of a tensor, at its closing }: H20 to H23. */
static void check_size(const spec_tensor *tensor, uint64_t shape_at, uint64_t offsets_at)
{
    unsigned __int128 bits = tensor->bits;
    bool empty = false;
    for (uint64_t i = 0; i < tensor->rank; i++) {
        empty |= tensor->dim[i] == 0;
        bits *= tensor->dim[i] == 0 ? 1 : tensor->dim[i];
        if (bits > UINT64_MAX)
            token_stop(ASSAY_E_SHAPE_OVERFLOW, shape_at);
    }
    uint64_t size = empty ? 0 : (uint64_t)bits;
    if (size % 8 != 0)
        token_stop_with(AT | ASSAY_HAS_FOUND, ASSAY_E_SHAPE_SUBBYTE, shape_at, ASSAY_NONE, size);
    if (tensor->begin > tensor->end)
        token_stop_at(ASSAY_E_OFFSETS_ORDER, offsets_at, tensor->begin, tensor->end);
    if (tensor->end - tensor->begin != size / 8)
        token_stop_at(ASSAY_E_OFFSETS_SIZE, offsets_at, size / 8, tensor->end - tensor->begin);
}

/* ---- Stage H: objects --------------------------------------------------------------------------------- */

/* Consume the next key of an object; for the first key, its { is at the position of the pass. False: the object
 * ends. */
static bool next_key(bool first, spec_text *key)
{
    pass.at += first;
    uint8_t next = token_expect(first ? "\"}" : ",}");
    if (next == '}')
        return false;
    if (next == ',')
        token_expect("\"");
    pass.at--;
    *key = token_string();
    return true;
}

static void read_tensor(spec_tensor *tensor)
{
    uint64_t seen = 0, shape_at = 0, offsets_at = 0;
    spec_text key;
    token_value("{");
    for (bool first = true; next_key(first, &key); first = false) {
        uint64_t member = token_equals(&key, "dtype") ? 1 : token_equals(&key, "shape") ? 2 : 0;
        member = token_equals(&key, "data_offsets") ? 4 : member;
        if (member == 0)
            token_stop(ASSAY_E_MEMBER_UNKNOWN, key.at - 1);
        if (key.escaped)
            token_stop(ASSAY_E_KEYWORD_ESCAPED, key.at - 1);
        if ((seen & member) != 0)
            token_stop(ASSAY_E_MEMBER_TWICE, key.at - 1);
        seen |= member;
        token_expect(":");
        if (member == 1) {
            read_dtype(tensor);
        } else if (member == 2) {
            shape_at = read_shape(tensor);
        } else {
            offsets_at = read_offsets(tensor);
        }
    }
    if (seen != 7)
        token_stop_at(ASSAY_E_MEMBER_MISSING, pass.at - 1, 7, seen);
    check_size(tensor, shape_at, offsets_at);
}

static void read_metadata(const spec_text *name)
{
    spec_text key;
    if (name->escaped)
        token_stop(ASSAY_E_KEYWORD_ESCAPED, name->at - 1);
    if (pass.result->metadata)
        token_stop(ASSAY_E_METADATA_TWICE, name->at - 1);
    pass.result->metadata = true;
    token_expect(":");
    token_value("{");
    for (bool first = true; next_key(first, &key); first = false) {
        uint64_t count = pass.result->pairs + 1;
        if (count > pass.options.max_metadata)
            token_stop_at(ASSAY_LIMIT_METADATA, key.at - 1, pass.options.max_metadata, count);
        token_expect(":");
        token_value("\"");
        pass.result->pair[pass.result->pairs++] = (spec_pair){key, token_string()};
    }
}

static void read_member(const spec_text *name)
{
    uint64_t size = name->end - name->at;
    spec_tensor tensor = {.name = *name};
    pass.tensor = pass.result->tensors;
    pass.result->tensor[pass.tensor].name = *name; /* an error before its closing bracket has it */
    if (pass.tensor + 1 > pass.options.max_tensors)
        token_stop_at(ASSAY_LIMIT_TENSORS, name->at - 1, pass.options.max_tensors, pass.tensor + 1);
    if (size > pass.options.max_name)
        token_stop_at(ASSAY_LIMIT_NAME, name->at - 1, pass.options.max_name, size);
    token_expect(":");
    read_tensor(&tensor);
    pass.result->tensor[pass.result->tensors++] = tensor;
    pass.tensor = ASSAY_NONE;
}

static void header(void)
{
    spec_text key;
    pass.at = 8;
    if (token_byte() != '{')
        token_stop(ASSAY_E_START, 8);
    for (bool first = true; next_key(first, &key); first = false) {
        if (token_equals(&key, "__metadata__")) {
            read_metadata(&key);
        } else {
            read_member(&key);
        }
    }
    for (; pass.at < pass.end; pass.at++) {
        if (token_byte() != ' ')
            token_stop(ASSAY_E_TRAILING, pass.at);
    }
}

/* ---- Stage G, rules G1 and G2: sorted texts, so that equal ones are adjacent -------------------------- */

typedef struct {
    const spec_text *text;
    uint64_t index;
} indexed_text;

static indexed_text list[SPEC_HEAD_MAX / 4];

static int order_of_codes(const spec_text *a, const spec_text *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return memcmp(a->code, b->code, (size_t)a->count * sizeof *a->code);
}

static int order_of_texts(const void *left, const void *right)
{
    const indexed_text *a = left, *b = right;
    int order = order_of_codes(a->text, b->text);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

/* Find the first text in the header that equals an earlier one, and the earlier one; false: there is none. */
static bool repeated(uint64_t count, indexed_text *repeat, indexed_text *earlier)
{
    repeat->index = ASSAY_NONE;
    qsort(list, (size_t)count, sizeof *list, order_of_texts);
    for (uint64_t i = 1; i < count; i++) {
        if (list[i].index < repeat->index && order_of_codes(list[i - 1].text, list[i].text) == 0) {
            *repeat = list[i];
            *earlier = list[i - 1];
        }
    }
    return repeat->index != ASSAY_NONE;
}

static void check_keys(const spec_model *result)
{
    indexed_text repeat, earlier;
    for (uint64_t i = 0; i < result->pairs; i++) {
        list[i] = (indexed_text){&result->pair[i].key, i};
    }
    if (repeated(result->pairs, &repeat, &earlier)) {
        whole_stop(AT | ASSAY_HAS_FOUND, ASSAY_E_METADATA_KEY_TWICE, repeat.text->at - 1, ASSAY_NONE, earlier.index,
                   ASSAY_NONE, repeat.index);
    }
}

static void check_names(const spec_model *result)
{
    indexed_text repeat, earlier;
    for (uint64_t i = 0; i < result->tensors; i++) {
        list[i] = (indexed_text){&result->tensor[i].name, i};
    }
    if (repeated(result->tensors, &repeat, &earlier)) {
        whole_stop(AT, ASSAY_E_NAME_TWICE, repeat.text->at - 1, repeat.index, earlier.index, ASSAY_NONE, ASSAY_NONE);
    }
}

/* ---- Stage G, rules G3 to G6 -------------------------------------------------------------------------- */

/* G3: the file is long enough. */
static void check_length(const spec_model *result, uint64_t file_size)
{
    uint64_t last = 0, data_size = file_size - result->end;
    for (uint64_t i = 1; i < result->tensors; i++)
        last = result->tensor[i].end > result->tensor[last].end ? i : last;
    if (result->tensors > 0 && result->tensor[last].end > data_size) {
        whole_stop(AT | VALUES, ASSAY_E_TRUNCATED, file_size, last, ASSAY_NONE, result->tensor[last].end, data_size);
    }
}

/* Compare by begin, by end, by index in the header. */
static int order_of_layout(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    const spec_tensor *one = &pass.result->tensor[a], *other = &pass.result->tensor[b];
    return one->begin != other->begin ? (one->begin < other->begin ? -1 : 1)
           : one->end != other->end   ? (one->end < other->end ? -1 : 1)
                                      : (a > b) - (a < b);
}

static void sort_by_layout(spec_model *result)
{
    for (uint64_t i = 0; i < result->tensors; i++)
        result->order[i] = i;
    qsort(result->order, (size_t)result->tensors, sizeof *result->order, order_of_layout);
}

/* G4 and G5: no overlap, no hole. */
static void check_partition(const spec_model *result, uint64_t data_size)
{
    uint64_t position = 0, last = ASSAY_NONE;
    for (uint64_t i = 0; i < result->tensors; i++) {
        uint64_t index = result->order[i];
        const spec_tensor *tensor = &result->tensor[index];
        if (tensor->begin == tensor->end)
            continue;
        if (tensor->begin > position) {
            whole_stop(AT | VALUES, ASSAY_E_HOLE, result->end + position, index, last, position, tensor->begin);
        }
        if (tensor->begin < position) {
            whole_stop(AT | VALUES, ASSAY_E_OVERLAP, result->end + tensor->begin, index, last, position, tensor->begin);
        }
        position = tensor->end;
        last = index;
    }
    if (position < data_size) {
        whole_stop(AT | VALUES, ASSAY_E_HOLE, result->end + position, ASSAY_NONE, last, position, data_size);
    }
}

/* G6: no empty tensor inside another. */
static void check_empty(const spec_model *result)
{
    for (uint64_t i = 0; i < result->tensors; i++) {
        uint64_t empty = result->order[i], at = result->tensor[empty].begin;
        for (uint64_t j = 0; at == result->tensor[empty].end && j < result->tensors; j++) {
            if (result->tensor[j].begin < at && at < result->tensor[j].end) {
                whole_stop(AT, ASSAY_E_EMPTY_INSIDE, result->end + at, empty, j, ASSAY_NONE, ASSAY_NONE);
            }
        }
    }
}

static void judge_whole_file(spec_model *result, uint64_t file_size)
{
    check_keys(result);
    check_names(result);
    check_length(result, file_size);
    sort_by_layout(result);
    check_partition(result, file_size - result->end);
    check_empty(result);
}

/* ---- The judgement ------------------------------------------------------------------------------------ */

void spec_judge(spec_model *result, const uint8_t *head, uint64_t head_size, uint64_t file_size,
                const assay_options *options)
{
    const assay_options standard = ASSAY_OPTIONS;
    pass.result = result;
    pass.head = head;
    pass.tensor = ASSAY_NONE;
    pass.codes = pass.dims = 0;
    pass.options = options == NULL ? standard : *options;
    result->error = (assay_error){0, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, 0, {0, 0}, {0, 0}};
    result->tensors = result->pairs = 0;
    result->clean = result->metadata = false;
    if (setjmp(stopped) != 0)
        return;
    if (pass.options.api != 1 || pass.options.relax != 0)
        token_stop_with(0, ASSAY_USAGE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE);
    frame(head_size, file_size);
    header();
    result->clean = true;
    result->end = pass.end;
    judge_whole_file(result, file_size);
}
