/* message.c: a verdict in words, see message.h. */
#include "posix.h"

#include "message.h"

#include <signal.h>
#include <string.h>

#include "model_folder.h"
#include "notes.h"
#include "program_rules.h"
#include "remote.h"

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

#define TEXT(number) #number
#define NUMBER(bound) TEXT(bound)

/* Why it could not be judged; of HOST_REMOTE see remote_explain. */
static const char *const problem_texts[] = {
    [HOST_OPEN] = "can't be opened",
    [HOST_READ] = "can't be read",
    [HOST_DIRECTORY] = "is a directory, not a file",
    [HOST_FIFO] = "is a named pipe (FIFO), not a file",
    [HOST_DEVICE] = "is a device, not a file",
    [HOST_SOCKET] = "is a socket, not a file",
    [HOST_CHANGED] = "changed while it was being checked: try again when nothing writes to it",
    [HOST_MEMORY] = "not enough memory to check it",
    [HOST_RANDOM] = "the system provides no random numbers, which a safe check needs",
    [HOST_EMPTY] = "there is no *.safetensors file in this directory or below it",
    [HOST_UNCHOSEN] = "--include and --exclude leave no file to check in this directory",
    [HOST_EMPTY_LIST] = "this list names no file",
    [HOST_SANDBOX] = "the sandbox can't be entered: without it nothing is checked, unless you pass --no-sandbox",
    [HOST_START] = "the process to check it could not be started",
    [HOST_DIED] = "the process that checked it died",
    [HOST_CROWDED] = "it can't be compared with a file that more than " NUMBER(FOLDER_USES_MOST)
                     " indexes of this folder name",
    [HOST_PART] = "it belongs to a numbered set, and can't be looked for",
    [HOST_PARTS] = "its numbered set has more than 65,535 files that were not chosen: choose them too, or name the "
                   "folder without --include and --exclude",
    [HOST_OUTSIDE] = "a link leads out of the folder",
    [HOST_NO_REMOTE] = "this program was built without libcurl, which remote files need: install it "
                       "(Debian: libcurl4-openssl-dev and pkg-config) and build again: make clean all",
    [HOST_LOCAL_ONLY] = "`assay ls` and `assay meta` can't read a remote file: check it with "
                        "`assay check ADDRESS`, or download it and pass the local file",
    [HOST_TWICE] = "is a stream, which can be read once, and was read already: name it once",
};

static const char *problem_text(host_problem problem)
{
    const char *text = problem < sizeof problem_texts / sizeof *problem_texts ? problem_texts[problem] : NULL;
    return text == NULL ? "" : text;
}

/* What the signal tells that ended a worker. */
static const char *death_text(int number)
{
    switch (number) {
    case 0:
        return " before it finished";
    case SIGSYS:
        return ": it made a system call that the sandbox forbids, which may be an attack by the file: please report it";
    case SIGXCPU:
        return ": it took too much time";
    case SIGKILL:
        return ": it was killed, perhaps because the system ran out of memory";
    case SIGABRT:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGSEGV:
    case SIGTRAP:
        return " because of a bug in assay: please report it";
    default:
        return ": it was ended by a signal: try again";
    }
}

void problem_add(text_line *to, host_problem problem, int system, const host_fetch *fetch)
{
    char text[400];
    line_add(to, problem_text(problem));
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

void fetch_add(text_line *to, const host_fetch *fetch)
{
    if (fetch->requests == 0)
        return;
    line_add(to, ", ");
    line_size(to, fetch->bytes);
    line_add(to, " fetched");
}

static void explain_valid(text_line *to, const host_verdict *verdict)
{
    line_number(to, verdict->need.tensors);
    line_add(to, verdict->need.tensors == 1 ? " tensor, " : " tensors, ");
    line_size(to, verdict->file_size);
    fetch_add(to, &verdict->fetch);
}

/* What the other name in an error is; NULL: it isn't worth saying. */
static const char *other_label(uint32_t code)
{
    switch (code) {
    case ASSAY_E_METADATA_KEY_TWICE:
        return ", key ";
    case ASSAY_E_NAME_TWICE:
        return NULL; /* the same */
    case ASSAY_E_OVERLAP:
        return ", overlaps tensor ";
    case ASSAY_E_HOLE:
        return ", after tensor ";
    case ASSAY_E_EMPTY_INSIDE:
        return ", inside tensor ";
    default:
        return ", other tensor ";
    }
}

/* What stands in parentheses: each part behind ", ". */
static void add_inside(text_line *to, const host_verdict *verdict, const names *named)
{
    if (verdict->refusal != NULL) {
        if (verdict->refusal->detail.length > 0)
            line_add(to, ", ");
        line_add(to, verdict->refusal->detail.text);
        return;
    }
    if (named->has_tensor) {
        line_add(to, ", tensor ");
        line_quote(to, &named->view, named->tensor);
    }
    const char *label = other_label(verdict->status);
    if (named->has_other && label != NULL) {
        line_add(to, label);
        line_quote(to, &named->view, named->other);
    }
    if (is_invalid(verdict) || is_refused(verdict))
        found_add(to, verdict, named);
}

/* "rule G4 at byte 80: two tensors share a byte (tensor "b", overlaps tensor "a", expected begin 8, found
 * begin 4)" */
static void explain_rule(text_line *to, const host_verdict *verdict, const rule_row *rule, const names *named)
{
    text_line inside = {.length = 0};
    add_inside(&inside, verdict, named);
    line_add(to, "rule ");
    line_add(to, rule->id);
    if (verdict->error.offset != ASSAY_NONE) {
        line_add(to, " at byte ");
        line_number(to, verdict->error.offset);
    }
    line_add(to, ": ");
    line_add(to, verdict->refusal != NULL ? verdict->refusal->title : rule->title);
    if (inside.length > 0) {
        line_add(to, " (");
        line_add(to, inside.text + 2); /* behind ", " */
        line_add(to, ")");
    }
}

void explain(text_line *to, const host_verdict *verdict, const names *named)
{
    const rule_row *rule = rule_by_code(verdict->status);
    to->length = 0;
    to->text[0] = '\0';
    if (verdict->problem != HOST_FINE) {
        problem_add(to, verdict->problem, verdict->system, &verdict->fetch);
    } else if (verdict->status == ASSAY_OK) {
        explain_valid(to, verdict);
    } else if (rule != NULL) {
        explain_rule(to, verdict, rule, named);
        if (is_invalid(verdict) || is_refused(verdict)) {
            line_add(to, ": ");
            advice_add(to, verdict);
        }
    }
}
