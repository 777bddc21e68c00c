/* found.c: what a rule wants and what the file has. */
#include <stdio.h>

#include "message.h"
#include "program_rules.h"

/* How the two numbers of a rule are said: words before them, and what they count. */
typedef struct {
    uint32_t code;
    const char *expected, *found, *one, *many;
} wording;

static const wording wordings[] = {
    {ASSAY_E_FILE_SHORT, "at least ", "", " byte", " bytes"},
    {ASSAY_E_HEADER_LARGE, "a header of at most ", "", " byte", " bytes"},
    {ASSAY_E_HEADER_CUT, "a file of at least ", "", " byte", " bytes"},
    {ASSAY_E_OFFSETS_COUNT, "", "", " item", " items"},
    {ASSAY_E_SHAPE_SUBBYTE, "", "", " bit", " bits"},
    {ASSAY_E_OFFSETS_ORDER, "an end of at least ", "", "", ""},
    {ASSAY_E_OFFSETS_SIZE, "", "", " byte", " bytes"},
    {ASSAY_E_TRUNCATED, "", "", " byte of data", " bytes of data"},
    {ASSAY_E_OVERLAP, "begin ", "begin ", "", ""},
    {ASSAY_E_HOLE, "data offset ", "data offset ", "", ""},
    {RULE_POLICY_HEADER, "at most ", "", " byte", " bytes"},
    {RULE_POLICY_TENSORS, "at most ", "", " tensor", " tensors"},
    {RULE_POLICY_RANK, "at most ", "", " dim", " dims"},
    {RULE_POLICY_NAME, "at most ", "", " byte", " bytes"},
    {RULE_POLICY_METADATA, "at most ", "", " pair", " pairs"},
};

bool has_number(const char *column, uint64_t number)
{
    return column != NULL || number != ASSAY_NONE;
}

static void add_number(text_line *to, const char *label, const char *before, const wording *how,
                       uint64_t number)
{
    line_add(to, label);
    line_add(to, before);
    line_number(to, number);
    line_add(to, number == 1 ? how->one : how->many);
}

static void add_numbers(text_line *to, const host_verdict *verdict)
{
    const rule_row *rule = rule_by_code(verdict->status);
    const assay_error *error = &verdict->error;
    if (rule == NULL)
        return;
    for (size_t i = 0; i < sizeof wordings / sizeof *wordings; i++) {
        if (wordings[i].code != verdict->status)
            continue;
        if (has_number(rule->expected, error->expected))
            add_number(to, ", expected ", wordings[i].expected, &wordings[i], error->expected);
        if (has_number(rule->found, error->found))
            add_number(to, ", found ", wordings[i].found, &wordings[i], error->found);
    }
}

/* The members that a tensor lacks: expected and found are sets of bits. */
static void add_members(text_line *to, const host_verdict *verdict)
{
    static const char *const missing[] = {"nothing",
                                          "dtype",
                                          "shape",
                                          "dtype and shape",
                                          "data_offsets",
                                          "dtype and data_offsets",
                                          "shape and data_offsets",
                                          "dtype, shape and data_offsets"};
    line_add(to, ", missing ");
    line_add(to, missing[verdict->error.expected & ~verdict->error.found & 7]);
}

/* Up to `most` bytes of the header as they stand there. */
static void add_bytes(text_line *to, const host_verdict *verdict, size_t most, const char *allowed)
{
    uint64_t at = verdict->error.offset;
    line_add(to, ", found ");
    for (size_t i = 0; i < most && at < verdict->head_size; i++, at++) {
        uint8_t byte = verdict->head[at];
        bool plain = byte > ' ' && byte < 0x7F;
        bool wanted = i == 0;
        for (const char *c = allowed; *c != '\0' && !wanted; c++)
            wanted = byte == (uint8_t)*c;
        if (!wanted)
            return;
        char text[16];
        snprintf(text, sizeof text, plain ? "%c" : "byte 0x%02X", byte);
        line_add(to, text);
    }
}

/* The kind of value that stands where another is wanted: its first byte is all that was looked at. */
static void add_kind(text_line *to, const host_verdict *verdict)
{
    uint8_t byte = verdict->error.offset < verdict->head_size ? verdict->head[verdict->error.offset] : 0;
    line_add(to, ", found ");
    line_add(to, byte == '"'                  ? "a string"
                 : byte == '['                ? "an array"
                 : byte == '{'                ? "an object"
                 : byte == 't' || byte == 'f' ? "a boolean"
                 : byte == 'n'                ? "null"
                                              : "a number");
}

/* A key that is a keyword, as it stands between its quotes, escapes and all: it is ASCII. */
static void add_source(text_line *to, const host_verdict *verdict)
{
    assay_text text;
    char source[80];
    size_t length = 0;
    if (!names_text_at(verdict, verdict->error.offset, &text))
        return;
    while (text.at < text.end && length < sizeof source - 1)
        source[length++] = (char)(verdict->head[text.at++] & 0x7F);
    source[length] = '\0';
    line_add(to, ", found \"");
    line_add(to, source);
    line_add(to, "\"");
}

/* The text where the rule breaks, as it reads. */
static void add_text(text_line *to, const host_verdict *verdict, const names *named)
{
    assay_text text;
    if (!names_text_at(verdict, verdict->error.offset, &text))
        return;
    line_add(to, ", found ");
    line_quote(to, &named->view, text);
}

void found_add(text_line *to, const host_verdict *verdict, const names *named)
{
    uint32_t code = verdict->status;
    if (verdict_kind(verdict) != NULL)
        return; /* another kind of file: numbers that it never had would only puzzle */
    switch (code) {
    case ASSAY_E_MEMBER_MISSING:
        add_members(to, verdict);
        break;
    case ASSAY_E_KEYWORD_ESCAPED:
        add_source(to, verdict);
        break;
    case ASSAY_E_MEMBER_UNKNOWN:
    case ASSAY_E_MEMBER_TWICE:
    case ASSAY_E_DTYPE_UNKNOWN:
        add_text(to, verdict, named);
        break;
    case ASSAY_E_NUMBER_FORM:
    case ASSAY_E_NUMBER_RANGE:
        add_bytes(to, verdict, 40, "0123456789+-.eE");
        break;
    case ASSAY_E_ESCAPE:
    case ASSAY_E_SURROGATE:
    case ASSAY_E_NUL:
        add_bytes(to, verdict, 6, "0123456789abcdefABCDEFu");
        break;
    case RULE_POLICY_DTYPE:
        line_add(to, ", found ");
        line_add(to, dtypes_table[verdict->error.found - 1].name);
        break;
    case ASSAY_E_TYPE:
        add_kind(to, verdict);
        break;
    default:
        if (code >= ASSAY_E_START && code <= ASSAY_E_UTF8)
            add_bytes(to, verdict, 1, "");
        add_numbers(to, verdict);
    }
}
