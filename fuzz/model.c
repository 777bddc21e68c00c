/* model.c: see model.h. Stage F, and the objects of stage H. */
#include "model_parts.h"

const model_dtype model_dtypes[MODEL_DTYPES] = {
    {"BOOL", 1, 8}, {"U8", 2, 8}, {"I8", 3, 8}, {"F8_E5M2", 4, 8}, {"F8_E4M3", 5, 8},
    {"F8_E8M0", 6, 8}, {"F8_E4M3FNUZ", 7, 8}, {"F8_E5M2FNUZ", 8, 8}, {"F4", 9, 4},
    {"F6_E2M3", 10, 6}, {"F6_E3M2", 11, 6}, {"I16", 12, 16}, {"U16", 13, 16}, {"F16", 14, 16},
    {"BF16", 15, 16}, {"I32", 16, 32}, {"U32", 17, 32}, {"F32", 18, 32}, {"I64", 19, 64},
    {"U64", 20, 64}, {"F64", 21, 64}, {"C64", 22, 64},
};

model_pass pass;

static jmp_buf stopped;

_Noreturn void model_stop(assay_error error)
{
    pass.said->error = error;
    longjmp(stopped, 1);
}

/* ---- Stage F: the frame ------------------------------------------------------------------------------- */

static void frame(uint64_t head_size, uint64_t file_size)
{
    uint64_t length = 0;
    if (file_size < 8) {
        token_stop_at(ASSAY_E_FILE_SHORT, file_size, 8, file_size);
    }
    if (head_size < 8) {
        token_stop_at(ASSAY_NEED_MORE, ASSAY_NONE, 8, head_size);
    }
    for (int i = 7; i >= 0; i--) {
        length = length * 256 + pass.head[i];
    }
    if (length > 100000000) {
        token_stop_at(ASSAY_E_HEADER_LARGE, 0, 100000000, length);
    }
    if (length > pass.options.max_header) {
        token_stop_at(ASSAY_LIMIT_HEADER, 0, pass.options.max_header, length);
    }
    if (8 + length > file_size) {
        token_stop_at(ASSAY_E_HEADER_CUT, file_size, 8 + length, file_size);
    }
    if (8 + length > head_size) {
        token_stop_at(ASSAY_NEED_MORE, ASSAY_NONE, 8 + length, head_size);
    }
    pass.end = 8 + length;
}

/* ---- The parts of a tensor ---------------------------------------------------------------------------- */

static void read_dtype(model_tensor *tensor)
{
    token_value("\"");
    model_text name = token_string();
    for (size_t i = 0; i < MODEL_DTYPES; i++) {
        if (token_says(&name, model_dtypes[i].name)) {
            tensor->dtype = model_dtypes[i].code;
            tensor->bits = model_dtypes[i].bits;
            if (name.escaped) {
                token_stop(ASSAY_E_KEYWORD_ESCAPED, name.at - 1);
            }
            return;
        }
    }
    token_stop(ASSAY_E_DTYPE_UNKNOWN, name.at - 1);
}

static uint64_t read_shape(model_tensor *tensor)
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

static uint64_t read_offsets(model_tensor *tensor)
{
    uint64_t at = token_value("[");
    pass.at++;
    if (token_space() == ']') {
        token_stop_at(ASSAY_E_OFFSETS_COUNT, pass.at, 2, 0);
    }
    tensor->begin = token_integer(0);
    if (token_expect(",]") == ']') {
        token_stop_at(ASSAY_E_OFFSETS_COUNT, pass.at - 1, 2, 1);
    }
    tensor->end = token_integer(0);
    if (token_expect(",]") == ',') {
        token_stop_at(ASSAY_E_OFFSETS_COUNT, pass.at - 1, 2, 3);
    }
    return at;
}

/* At the closing } of a tensor: H20 to H23. */
static void check_size(const model_tensor *tensor, uint64_t shape_at, uint64_t offsets_at)
{
    unsigned __int128 bits = tensor->bits;
    bool empty = false;
    for (uint64_t i = 0; i < tensor->rank; i++) {
        empty |= tensor->dim[i] == 0;
        bits *= tensor->dim[i] == 0 ? 1 : tensor->dim[i];
        if (bits > UINT64_MAX) {
            token_stop(ASSAY_E_SHAPE_OVERFLOW, shape_at);
        }
    }
    uint64_t size = empty ? 0 : (uint64_t)bits;
    if (size % 8 != 0) {
        token_stop_at(ASSAY_E_SHAPE_SUBBYTE, shape_at, ASSAY_NONE, size);
    }
    if (tensor->begin > tensor->end) {
        token_stop_at(ASSAY_E_OFFSETS_ORDER, offsets_at, tensor->begin, tensor->end);
    }
    if (tensor->end - tensor->begin != size / 8) {
        token_stop_at(ASSAY_E_OFFSETS_SIZE, offsets_at, size / 8, tensor->end - tensor->begin);
    }
}

/* ---- Stage H: objects --------------------------------------------------------------------------------- */

/* The next key of an object, on whose { the pass stands if it is to be the first. False: the object is closed. */
static bool next_key(bool first, model_text *key)
{
    pass.at += first;
    uint8_t next = token_expect(first ? "\"}" : ",}");
    if (next == '}') {
        return false;
    }
    if (next == ',') {
        token_expect("\"");
    }
    pass.at--;
    *key = token_string();
    return true;
}

static void read_tensor(model_tensor *tensor)
{
    uint64_t seen = 0, shape_at = 0, offsets_at = 0;
    model_text key;
    token_value("{");
    for (bool first = true; next_key(first, &key); first = false) {
        uint64_t member = token_says(&key, "dtype") ? 1 : token_says(&key, "shape") ? 2 : 0;
        member = token_says(&key, "data_offsets") ? 4 : member;
        if (member == 0) {
            token_stop(ASSAY_E_MEMBER_UNKNOWN, key.at - 1);
        }
        if (key.escaped) {
            token_stop(ASSAY_E_KEYWORD_ESCAPED, key.at - 1);
        }
        if ((seen & member) != 0) {
            token_stop(ASSAY_E_MEMBER_TWICE, key.at - 1);
        }
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
    if (seen != 7) {
        token_stop_at(ASSAY_E_MEMBER_MISSING, pass.at - 1, 7, seen);
    }
    check_size(tensor, shape_at, offsets_at);
}

static void read_metadata(const model_text *name)
{
    model_text key;
    if (name->escaped) {
        token_stop(ASSAY_E_KEYWORD_ESCAPED, name->at - 1);
    }
    if (pass.said->metadata) {
        token_stop(ASSAY_E_METADATA_TWICE, name->at - 1);
    }
    pass.said->metadata = true;
    token_expect(":");
    token_value("{");
    for (bool first = true; next_key(first, &key); first = false) {
        uint64_t count = pass.said->pairs + 1;
        if (count > pass.options.max_metadata) {
            token_stop_at(ASSAY_LIMIT_METADATA, key.at - 1, pass.options.max_metadata, count);
        }
        token_expect(":");
        token_value("\"");
        pass.said->pair[pass.said->pairs++] = (model_pair){key, token_string()};
    }
}

static void read_member(const model_text *name)
{
    uint64_t size = name->end - name->at;
    model_tensor tensor = {.name = *name};
    pass.tensor = pass.said->tensors;
    if (pass.tensor + 1 > pass.options.max_tensors) {
        token_stop_at(ASSAY_LIMIT_TENSORS, name->at - 1, pass.options.max_tensors, pass.tensor + 1);
    }
    if (size > pass.options.max_name) {
        token_stop_at(ASSAY_LIMIT_NAME, name->at - 1, pass.options.max_name, size);
    }
    token_expect(":");
    read_tensor(&tensor);
    pass.said->tensor[pass.said->tensors++] = tensor;
    pass.tensor = ASSAY_NONE;
}

static void header(void)
{
    model_text key;
    pass.at = 8;
    if (token_byte() != '{') {
        token_stop(ASSAY_E_START, 8);
    }
    for (bool first = true; next_key(first, &key); first = false) {
        if (token_says(&key, "__metadata__")) {
            read_metadata(&key);
        } else {
            read_member(&key);
        }
    }
    for (; pass.at < pass.end; pass.at++) {
        if (token_byte() != ' ') {
            token_stop(ASSAY_E_TRAILING, pass.at);
        }
    }
}

void model_judge(model *said, const uint8_t *head, uint64_t head_size, uint64_t file_size, const assay_options *options)
{
    const assay_options standard = ASSAY_OPTIONS;
    pass.said = said;
    pass.head = head;
    pass.tensor = ASSAY_NONE;
    pass.codes = pass.dims = 0;
    pass.options = options == NULL ? standard : *options;
    said->error = (assay_error){0, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE, ASSAY_NONE};
    said->tensors = said->pairs = 0;
    said->clean = said->metadata = false;
    if (setjmp(stopped) != 0) {
        return;
    }
    if (pass.options.api != 1 || pass.options.relax != 0) {
        token_stop(ASSAY_USAGE, ASSAY_NONE);
    }
    frame(head_size, file_size);
    header();
    said->clean = true;
    said->end = pass.end;
    model_whole(said, file_size);
}
