/* policy.c: see policy.h and spec/policy.md. */
#include "policy.h"

#include <errno.h>
#include <string.h>

#include "assay_text.h"
#include "notes.h"
#include "program_rules.h"

/* ---- Reading, strictly: what is not understood is an error ------------------------------------------------ */

#define SIZE_MOST 65536u

/* The state of reading a policy. */
typedef struct {
    policy *to;
    const char *path;
    unsigned line;
    char *word;    /* the rest of the line, or NULL */
    unsigned seen; /* bit k: keyword k was read */
} reading;

static bool wrong(const reading *at, const char *message, const char *word)
{
    fputs("assay: ", stderr);
    text_path(stderr, TEXT_PLAIN, at->path);
    fprintf(stderr, ":%u: %s", at->line, message);
    if (word != NULL) {
        fputs(": ", stderr);
        text_path(stderr, TEXT_QUOTED, word);
    }
    putc('\n', stderr);
    return false;
}

/* Return the next word of the line, or NULL. Words are separated by single spaces. */
static char *next_word(reading *at)
{
    char *word = at->word;
    if (word == NULL)
        return NULL;
    char *space = strchr(word, ' ');
    at->word = space == NULL ? NULL : space + 1;
    if (space != NULL)
        *space = '\0';
    return word;
}

static bool read_limit(reading *at, uint64_t *limit)
{
    char *word = next_word(at);
    uint64_t number = 0;
    if (word == NULL)
        return wrong(at, "a number is missing", NULL);
    for (const char *c = word; *c != '\0' || c == word; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        if (*c < '0' || *c > '9' || (c > word && word[0] == '0') || number > (UINT64_MAX - digit) / 10)
            return wrong(at, "not a whole number from 0 to 18446744073709551615", word);
        number = number * 10 + digit;
    }
    *limit = number;
    return at->word == NULL || wrong(at, "something follows the number", at->word);
}

static bool read_dtypes(reading *at, uint64_t *allowed)
{
    *allowed = 0;
    if (at->word == NULL)
        return wrong(at, "a dtype is missing", NULL);
    for (char *word; (word = next_word(at)) != NULL;) {
        uint64_t dtype = assay_dtype_parse(word, strlen(word));
        if (dtype == 0)
            return wrong(at, "the format has no such dtype", word);
        if ((*allowed >> dtype & 1) != 0)
            return wrong(at, "this dtype is repeated", word);
        *allowed |= UINT64_C(1) << dtype;
    }
    return true;
}

static bool read_fails(reading *at)
{
    if (at->word == NULL)
        return wrong(at, "a note is missing", NULL);
    for (char *word; (word = next_word(at)) != NULL;) {
        uint32_t i = 0;
        while (i < rules_table_count && strcmp(rules_table[i].id, word) != 0 && strcmp(rules_table[i].name, word) != 0)
            i++;
        if (i == rules_table_count)
            return wrong(at, "no such note (`assay rules` lists them)", word);
        if (strcmp(rules_table[i].severity, "note") != 0)
            return wrong(at, "this is not a note: breaking this rule is an error without a policy", word);
        if (at->to->fails[rules_table[i].code])
            return wrong(at, "this note is repeated", word);
        at->to->fails[rules_table[i].code] = true;
    }
    return true;
}

static bool read_rule(reading *at)
{
    static const char *const keyword[] = {"max-header", "max-tensors", "max-rank", "max-name",
                                          "max-metadata", "dtypes", "fail"};
    uint64_t *const limit[] = {&at->to->header, &at->to->tensors, &at->to->rank, &at->to->name, &at->to->metadata};
    char *word = next_word(at);
    for (unsigned k = 0; k < sizeof keyword / sizeof *keyword; k++) {
        if (strcmp(keyword[k], word) != 0)
            continue;
        if ((at->seen >> k & 1) != 0)
            return wrong(at, "this line is repeated", word);
        at->seen |= 1u << k;
        return k < 5 ? read_limit(at, limit[k]) : k == 5 ? read_dtypes(at, &at->to->dtypes) : read_fails(at);
    }
    return wrong(at, "a policy has no such keyword", word);
}

/* Read one line, without its end. */
static bool read_line(reading *at, char *line, size_t size)
{
    at->line++;
    for (size_t i = 0; i < size; i++)
        if (line[i] < ' ' || line[i] > '~')
            return wrong(at, line[i] == '\r'   ? "a carriage return: lines end with a line feed alone"
                             : line[i] == '\t' ? "a tab: words are separated by single spaces"
                                               : "a byte that is not printable ASCII", NULL);
    if (at->line == 1)
        return strcmp(line, POLICY_VERSION) == 0 || wrong(at, "the first line must be: " POLICY_VERSION, NULL);
    at->word = line;
    return line[0] == '\0' || line[0] == '#' || read_rule(at);
}

static bool read_lines(reading *at, char *text, size_t size)
{
    if (size == 0)
        return read_line(at, text, 0);
    for (size_t begin = 0; begin < size;) {
        char *line = text + begin, *end = memchr(line, '\n', size - begin);
        size_t length = end == NULL ? size - begin : (size_t)(end - line);
        line[length] = '\0';
        if (!read_line(at, line, length))
            return false;
        begin += length + 1;
    }
    return true;
}

bool policy_read(policy *to, const char *path)
{
    static char text[SIZE_MOST + 1];
    reading at = {.to = to, .path = path};
    *to = (policy){UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, {false}};
    FILE *file = fopen(path, "re");
    size_t size = file == NULL ? 0 : fread(text, 1, sizeof text, file);
    int system = file == NULL || ferror(file) ? errno : 0;
    if (file != NULL)
        fclose(file);
    if (system == 0 && size <= SIZE_MOST)
        return read_lines(&at, text, size);
    fputs("assay: the policy can't be read: ", stderr);
    text_path(stderr, TEXT_QUOTED, path);
    fprintf(stderr, ": %s\n", system != 0 ? strerror(system) : "it has more than 65536 bytes");
    return false;
}

/* ---- A valid file against a policy: rules P1 to P6, and notes ---------------------------------------------- */

typedef struct {
    host_verdict *verdict;
    more_findings *more;
} against;

/* Add a rule that is broken. refusal: the note, or NULL. */
static void add(against *at, assay_error error, const note *refusal)
{
    if (at->verdict->status == ASSAY_OK) {
        at->verdict->status = (assay_status)error.status;
        at->verdict->error = error;
        at->verdict->refusal = refusal;
        return;
    }
    at->more->one[at->more->count++] = (more_finding){error, refusal};
}

/* Add the tensor that breaks a rule: its index and name, and the offset of the name's opening quote. */
static assay_error with_tensor(assay_error error, uint64_t index, assay_text name)
{
    error.offset = name.at - 1;
    error.tensor = index;
    error.name = name;
    return error_with(error.has | ASSAY_HAS_OFFSET | ASSAY_HAS_TENSOR, error);
}

static void refuse(against *at, uint32_t code, uint64_t most, uint64_t found, const assay_tensor *tensor)
{
    uint64_t has = code == RULE_POLICY_DTYPE ? ASSAY_HAS_FOUND : ASSAY_HAS_EXPECTED | ASSAY_HAS_FOUND;
    assay_error error = error_with(has, (assay_error){.status = code, .expected = most, .found = found});
    add(at, tensor == NULL ? error : with_tensor(error, tensor->index, tensor->name), NULL);
}

static void refuse_note(against *at, note *one)
{
    assay_error error = error_with(0, (assay_error){.status = one->rule->code});
    one->refuses = true;
    add(at, one->has_tensor ? with_tensor(error, one->place, one->name) : error, one);
}

/* Rules P3, P4 and P5: the first tensor in layout order that breaks each. */
static void judge_tensors(against *at, const policy *by)
{
    assay_tensor tensor;
    bool rank = false, name = false, dtype = false;
    for (uint64_t i = 0; assay_tensor_at(at->verdict->view, i, &tensor); i++) {
        uint64_t bytes = tensor.name.end - tensor.name.at;
        if (tensor.rank > by->rank && !rank)
            refuse(at, RULE_POLICY_RANK, by->rank, tensor.rank, &tensor);
        if (bytes > by->name && !name)
            refuse(at, RULE_POLICY_NAME, by->name, bytes, &tensor);
        if ((by->dtypes >> tensor.dtype & 1) == 0 && !dtype)
            refuse(at, RULE_POLICY_DTYPE, ASSAY_NONE, tensor.dtype, &tensor);
        rank |= tensor.rank > by->rank;
        name |= bytes > by->name;
        dtype |= (by->dtypes >> tensor.dtype & 1) == 0;
    }
}

void policy_judge(const policy *by, host_verdict *verdict, more_findings *more)
{
    against at = {verdict, more};
    if (!is_valid(verdict) || verdict->view == NULL)
        return;
    if (verdict->header_bytes > by->header)
        refuse(&at, RULE_POLICY_HEADER, by->header, verdict->header_bytes, NULL);
    if (verdict->view->tensors > by->tensors)
        refuse(&at, RULE_POLICY_TENSORS, by->tensors, verdict->view->tensors, NULL);
    judge_tensors(&at, by);
    for (size_t i = 0; verdict->notes != NULL && i < verdict->notes->count; i++)
        if (by->fails[verdict->notes->one[i].rule->code])
            refuse_note(&at, &verdict->notes->one[i]);
    if (verdict->view->pairs > by->metadata)
        refuse(&at, RULE_POLICY_METADATA, by->metadata, verdict->view->pairs, NULL);
}
