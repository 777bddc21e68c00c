/* message.c: a verdict in words: rule and byte, the names it is about, expected and found, and what to do. */
#include "posix.h"

#include "message.h"

#include <signal.h>
#include <string.h>

#include "assay_text.h"
#include "model_folder.h"
#include "modelspec_report.h"
#include "notes.h"
#include "number_text.h"
#include "program_rules.h"
#include "remote_files.h"

/* ---- Verdicts and rules ---------------------------------------------------------------------------------- */

bool is_valid(const host_verdict *verdict)
{
    return verdict->problem == HOST_FINE && verdict->status == ASSAY_OK;
}

bool is_invalid(const host_verdict *verdict)
{
    return verdict->problem == HOST_FINE && verdict->status >= ASSAY_E_FIRST && !is_refused(verdict);
}

bool is_refused(const host_verdict *verdict)
{
    return verdict->problem == HOST_FINE && verdict->status > ASSAY_E_EMPTY_INSIDE;
}

const char *verdict_word(const host_verdict *verdict)
{
    return is_valid(verdict)     ? "valid"
           : is_invalid(verdict) ? "invalid"
           : is_refused(verdict) ? "refused"
                                 : "error";
}

const rule_row *rule_by_code(uint64_t code)
{
    for (uint32_t i = 0; i < rules_table_count; i++)
        if (rules_table[i].code == code)
            return &rules_table[i];
    return NULL;
}

bool verdict_has(const host_verdict *verdict, uint64_t number)
{
    return verdict->problem == HOST_FINE && (verdict->error.has & number) != 0;
}

assay_error error_with(uint64_t has, assay_error error)
{
    error.has = has;
    error.offset = (has & ASSAY_HAS_OFFSET) != 0 ? error.offset : ASSAY_NONE;
    error.tensor = (has & ASSAY_HAS_TENSOR) != 0 ? error.tensor : ASSAY_NONE;
    error.other = (has & ASSAY_HAS_OTHER) != 0 ? error.other : ASSAY_NONE;
    error.expected = (has & ASSAY_HAS_EXPECTED) != 0 ? error.expected : ASSAY_NONE;
    error.found = (has & ASSAY_HAS_FOUND) != 0 ? error.found : ASSAY_NONE;
    return error;
}

uint64_t error_names_size(const assay_error *error)
{
    return error->name.end - error->name.at + (error->other_name.end - error->other_name.at);
}

assay_view verdict_texts(const host_verdict *verdict)
{
    return (assay_view){.head = verdict->head, .data_begin = verdict->head_size};
}

const file_kind *verdict_kind(const host_verdict *verdict)
{
    if (!is_invalid(verdict) || verdict->status > ASSAY_E_START)
        return NULL;
    return file_kind_of(verdict->head, verdict->head_size, verdict->file_size);
}

/* ---- Names ----------------------------------------------------------------------------------------------- */

/* Return how the message introduces the other name, or NULL if it leaves it out, as it is the same. */
static const char *other_label(uint32_t code)
{
    return code == ASSAY_E_NAME_TWICE           ? NULL
           : code == ASSAY_E_METADATA_KEY_TWICE ? ", key "
           : code == ASSAY_E_OVERLAP            ? ", overlaps tensor "
           : code == ASSAY_E_HOLE               ? ", after tensor "
           : code == ASSAY_E_EMPTY_INSIDE       ? ", inside tensor "
                                                : ", other tensor ";
}

static void add_names(line_buffer *to, const host_verdict *verdict)
{
    const assay_view view = verdict_texts(verdict);
    const char *label = other_label(verdict->status);
    if (verdict_has(verdict, ASSAY_HAS_TENSOR)) {
        line_add(to, ", tensor ");
        line_quote(to, &view, verdict->error.name);
    }
    if (verdict_has(verdict, ASSAY_HAS_OTHER) && label != NULL) {
        line_add(to, label);
        line_quote(to, &view, verdict->error.other_name);
    }
}

/* ---- Why something was not judged ------------------------------------------------------------------------ */

/* HOST_REMOTE is explained by remote_explain. */
static const char *const problem_texts[] = {
    [HOST_OPEN] = "can't be opened",
    [HOST_READ] = "can't be read",
    [HOST_DIRECTORY] = "is a folder, not a file",
    [HOST_FIFO] = "is a named pipe (FIFO), not a file",
    [HOST_DEVICE] = "is a device, not a file",
    [HOST_SOCKET] = "is a socket, not a file",
    [HOST_CHANGED] = "changed while it was being checked: try again when nothing writes to it",
    [HOST_MEMORY] = "not enough memory to check it",
    [HOST_RANDOM] = "the system provides no random numbers, which the check of a model with an index needs",
    [HOST_EMPTY] = "there is no *.safetensors or *.sft file in this folder or below it",
    [HOST_UNCHOSEN] = "--include and --exclude leave no file to check in this folder",
    [HOST_EMPTY_LIST] = "this list names no file",
    [HOST_SANDBOX] = "the sandbox can't be entered: without it nothing is checked, unless you pass --no-sandbox",
    [HOST_START] = "the process to check it could not be started",
    [HOST_DIED] = "the process that checked it died",
    [HOST_CROWDED] = "it can't be compared with a file that more than " NUMBER_TEXT(FOLDER_USES_MOST)
                     " indexes of this folder name",
    [HOST_PART] = "it belongs to a numbered set, and can't be looked for",
    [HOST_PARTS] = "its numbered set has more than 65,535 files that were not chosen: choose them too, or name the "
                   "folder without --include and --exclude",
    [HOST_OUTSIDE] = "a link leads out of the folder",
    [HOST_NO_REMOTE] = "this program was built without libcurl, which remote files need: install it "
                       "(Debian: libcurl4-openssl-dev and pkg-config) and build again: make clean all",
    [HOST_LOCAL_ONLY] = "this command can't read a remote file: download it and pass the local file "
                        "(`assay meta ADDRESS` prints the metadata)",
    [HOST_OTHER_KIND] = "there is no such file, and addresses of this kind are not supported: download it, or use an "
                        "address that begins with https://, http:// or hf://",
    [HOST_TWICE] = "is a stream, which can be read once, and was read already: name it once",
};

/* Return what the signal that ended a worker tells about the cause; 0: it ended without one. */
static const char *death_text(int number)
{
    static const char bug[] = " because of a bug in assay: please report it";
    static const struct {
        int number;
        const char *text;
    } causes[] = {
        {0, " before it finished"},
        {SIGSYS, ": it made a system call that the sandbox forbids, which may be an attack by the file: "
                 "please report it"},
        {SIGXCPU, ": it took too much time"},
        {SIGKILL, ": it was killed, perhaps because the system ran out of memory"},
        {SIGABRT, bug}, {SIGBUS, bug}, {SIGFPE, bug}, {SIGILL, bug}, {SIGSEGV, bug}, {SIGTRAP, bug},
    };
    const char *text = ": it was ended by a signal: try again";
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (causes[i].number == number)
            text = causes[i].text;
    return text;
}

void problem_add(line_buffer *to, host_problem problem, int system, const host_fetch *fetch)
{
    char text[400];
    if (problem < sizeof problem_texts / sizeof *problem_texts && problem_texts[problem] != NULL)
        line_add(to, problem_texts[problem]);
    if (problem == HOST_REMOTE) {
        remote_explain(fetch, text, sizeof text);
        line_add(to, text);
    } else if (problem == HOST_DIED) {
        line_add(to, death_text(system));
    } else if (system != 0) {
        line_add(to, ": ");
        line_add(to, strerror(system));
    }
}

/* ---- What the rule requires, and what the file has ------------------------------------------------------- */

/* How the two numbers of a rule are written: the words before them, and the unit. */
typedef struct {
    uint32_t code;
    const char *expected, *found, *one, *many;
} number_words;

static const number_words numbers[] = {
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

static void add_number(line_buffer *to, const char *label, const char *before, const number_words *unit,
                       uint64_t number)
{
    line_add(to, label);
    line_add(to, before);
    line_number(to, number);
    line_add(to, number == 1 ? unit->one : unit->many);
}

static void add_numbers(line_buffer *to, const host_verdict *verdict)
{
    const assay_error *error = &verdict->error;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].code != verdict->status)
            continue;
        if (verdict_has(verdict, ASSAY_HAS_EXPECTED))
            add_number(to, ", expected ", numbers[i].expected, &numbers[i], error->expected);
        if (verdict_has(verdict, ASSAY_HAS_FOUND))
            add_number(to, ", found ", numbers[i].found, &numbers[i], error->found);
    }
}

/* Add the members that a tensor lacks: expected and found are sets of bits. */
static void add_missing_members(line_buffer *to, const assay_error *error)
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
    line_add(to, missing[error->expected & ~error->found & 7]);
}

/* Add the byte where the rule breaks and those that follow it, at most count, while they are among the allowed. */
static void add_bytes(line_buffer *to, const host_verdict *verdict, size_t count, const char *allowed)
{
    uint64_t pos = verdict->error.offset;
    line_add(to, ", found ");
    for (size_t i = 0; i < count && pos < verdict->head_size; i++, pos++) {
        uint8_t byte = verdict->head[pos];
        bool visible = byte > ' ' && byte < 0x7F;
        if (i > 0 && (byte == '\0' || strchr(allowed, byte) == NULL))
            return;
        char text[16];
        snprintf(text, sizeof text, visible ? "%c" : "byte 0x%02X", byte);
        line_add(to, text);
    }
}

/* Add the type of the value where another is required: its first byte is all that was read. */
static void add_type(line_buffer *to, const host_verdict *verdict)
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

/* Find the text whose opening quote is at offset; the core has seen that it is closed. */
static bool text_at(const host_verdict *verdict, uint64_t offset, assay_text *text)
{
    if (offset >= verdict->head_size || verdict->head[offset] != '"')
        return false;
    uint64_t end = offset + 1;
    while (end < verdict->head_size && verdict->head[end] != '"')
        end += verdict->head[end] == '\\' ? 2 : 1;
    *text = (assay_text){offset + 1, end};
    return end < verdict->head_size;
}

/* Add a keyword as the header spells it, escapes included: it is ASCII. */
static void add_escaped_keyword(line_buffer *to, const host_verdict *verdict)
{
    assay_text text;
    char source[80];
    size_t length = 0;
    if (!text_at(verdict, verdict->error.offset, &text))
        return;
    while (text.at < text.end && length < sizeof source - 1)
        source[length++] = (char)(verdict->head[text.at++] & 0x7F);
    source[length] = '\0';
    line_add(to, ", found \"");
    line_add(to, source);
    line_add(to, "\"");
}

/* Add the text where the rule breaks, unescaped. */
static void add_text(line_buffer *to, const host_verdict *verdict)
{
    const assay_view view = verdict_texts(verdict);
    assay_text text;
    if (!text_at(verdict, verdict->error.offset, &text))
        return;
    line_add(to, ", found ");
    line_quote(to, &view, text);
}

/* Add what the rule requires and what the file has instead: ", expected 8 bytes, found 3 bytes", ", found "Q8_0"". */
static void add_found(line_buffer *to, const host_verdict *verdict)
{
    uint32_t code = verdict->status;
    if (verdict_kind(verdict) != NULL)
        return; /* not safetensors: what its first bytes mean as numbers would only puzzle */
    switch (code) {
    case ASSAY_E_MEMBER_MISSING:
        add_missing_members(to, &verdict->error);
        break;
    case ASSAY_E_KEYWORD_ESCAPED:
        add_escaped_keyword(to, verdict);
        break;
    case ASSAY_E_MEMBER_UNKNOWN:
    case ASSAY_E_MEMBER_TWICE:
    case ASSAY_E_DTYPE_UNKNOWN:
        add_text(to, verdict);
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
        line_add(to, assay_dtype_name(verdict->error.found));
        break;
    case ASSAY_E_TYPE:
        add_type(to, verdict);
        break;
    default:
        if (code >= ASSAY_E_START && code <= ASSAY_E_UTF8)
            add_bytes(to, verdict, 1, "");
        add_numbers(to, verdict);
    }
}

/* ---- What to do about it --------------------------------------------------------------------------------- */

static void add_size(line_buffer *to, uint64_t bytes)
{
    line_number(to, bytes);
    line_add(to, bytes == 1 ? " byte" : " bytes");
    if (bytes >= 1000) {
        line_add(to, " (");
        line_size(to, bytes);
        line_add(to, ")");
    }
}

/* Add the advice for a file that ends too early. */
static void add_missing(line_buffer *to, const assay_error *error)
{
    uint64_t missing = error->expected - error->found;
    add_size(to, missing);
    line_add(to, missing == 1 ? " is" : " are");
    line_add(to, " missing: replace the file with a complete copy");
}

/* Add the advice for a file with bytes that belong to no tensor. */
static void add_hole(line_buffer *to, const host_verdict *verdict)
{
    const assay_error *error = &verdict->error;
    bool is_last = !verdict_has(verdict, ASSAY_HAS_TENSOR);
    if (verdict->cut && is_last)
        line_add(to, "at least ");
    add_size(to, error->found - error->expected);
    if (is_last && !verdict_has(verdict, ASSAY_HAS_OTHER))
        line_add(to, " of data, but no tensors: data may be hidden there: don't load it");
    else if (is_last)
        line_add(to, " after the last tensor: data was appended and may be hidden there: don't load it");
    else
        line_add(to, " before this tensor: data may be hidden there: don't load it");
}

void file_kind_add(line_buffer *to, const file_kind *really)
{
    line_add(to, "this is ");
    line_add(to, really->what);
    line_add(to, ": ");
    line_add(to, really->advice);
}

/* Is the value of __metadata__ null? Such files are written by a tool that removes metadata. */
static bool is_null_metadata(const host_verdict *verdict)
{
    static const char key[] = "\"__metadata__\"";
    uint64_t at = verdict->error.offset, size = sizeof key - 1;
    if (verdict->status != ASSAY_E_TYPE || at > verdict->head_size || verdict->head_size - at < 4 ||
        memcmp(verdict->head + at, "null", 4) != 0)
        return false;
    while (at > 8 && strchr(" \t\n\r:", verdict->head[at - 1]) != NULL && verdict->head[at - 1] != 0)
        at--;
    return at >= 8 + size && memcmp(verdict->head + at - size, key, (size_t)size) == 0;
}

static void add_advice(line_buffer *to, const host_verdict *verdict, const rule_row *rule)
{
    uint32_t code = verdict->status;
    const file_kind *really = verdict_kind(verdict);
    if (really != NULL)
        file_kind_add(to, really);
    else if (code == ASSAY_E_FILE_SHORT || code == ASSAY_E_HEADER_CUT || code == ASSAY_E_TRUNCATED)
        add_missing(to, &verdict->error);
    else if (code == ASSAY_E_HOLE)
        add_hole(to, verdict);
    else if (is_null_metadata(verdict))
        line_add(to, "a program that removes metadata leaves this: `assay edit --clear FILE` repairs a local file");
    else
        line_add(to, rule->advice);
    if (really == NULL && code == ASSAY_E_HEADER_LARGE && verdict->error.found == UINT64_MAX)
        line_add(to, "; if an edit in place did not end, run `assay edit --recover FILE`");
}

/* ---- The message ----------------------------------------------------------------------------------------- */

void fetch_add(line_buffer *to, const host_fetch *fetch)
{
    if (fetch->requests == 0)
        return;
    line_add(to, ", ");
    line_size(to, fetch->bytes);
    line_add(to, " fetched");
}

static void explain_valid(line_buffer *to, const host_verdict *verdict)
{
    line_number(to, verdict->need.tensors);
    line_add(to, verdict->need.tensors == 1 ? " tensor, " : " tensors, ");
    line_size(to, verdict->file_size);
    fetch_add(to, &verdict->fetch);
}

/* Add 'rule G4 at byte 80: two tensors share a byte (tensor "b", overlaps tensor "a", expected begin 8, found
 * begin 4)', and the advice. */
static void explain_rule(line_buffer *to, const host_verdict *verdict, const rule_row *rule)
{
    bool judged = is_invalid(verdict) || is_refused(verdict);
    line_buffer inside = {.length = 0}; /* the parentheses: each part begins with ", " */
    if (verdict->modelspec != NULL) {
        line_add(&inside, ", ");
        line_add(&inside, verdict->modelspec->reason);
    } else if (verdict->refusal == NULL) {
        add_names(&inside, verdict);
        if (judged)
            add_found(&inside, verdict);
    } else if (verdict->refusal->detail.length > 0) {
        line_add(&inside, ", ");
        line_add(&inside, verdict->refusal->detail.text);
    }
    line_add(to, "rule ");
    line_add(to, rule->id);
    if (verdict_has(verdict, ASSAY_HAS_OFFSET)) {
        line_add(to, " at byte ");
        line_number(to, verdict->error.offset);
    }
    line_add(to, ": ");
    line_add(to, verdict->refusal != NULL ? verdict->refusal->title : rule->title);
    if (inside.length > 0) {
        line_add(to, " (");
        line_add(to, inside.text + 2);
        line_add(to, ")");
    }
    if (judged) {
        line_add(to, ": ");
        add_advice(to, verdict, rule);
    }
}

void verdict_explain(line_buffer *to, const host_verdict *verdict)
{
    const rule_row *rule = rule_by_code(verdict->status);
    to->length = 0;
    to->text[0] = '\0';
    if (verdict->problem != HOST_FINE)
        problem_add(to, verdict->problem, verdict->system, &verdict->fetch);
    else if (verdict->status == ASSAY_OK)
        explain_valid(to, verdict);
    else if (rule != NULL)
        explain_rule(to, verdict, rule);
}
