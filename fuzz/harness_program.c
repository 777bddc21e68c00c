/* harness_program.c: fuzz src/cli and src/host, from the path to the last byte of output, in this process. The input
 * is a file that the commands check, ls and meta read. The file is in memory, and so is the output. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli.h"
#include "escaped_text.h"
#include "fuzz.h"
#include "inputs.h"
#include "report.h"
#include "rules_table.h"

static struct {
    char *text;
    size_t size;
    FILE *file;
} output; /* what the program has written */
static char path[64];
static int fd = -1;

static void set_up(void)
{
    fd = memfd_create("fuzz", MFD_CLOEXEC);
    output.file = open_memstream(&output.text, &output.size);
    demand(fd >= 0 && output.file != NULL, "no file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
}

static void fill(const uint8_t *data, size_t size)
{
    demand(ftruncate(fd, (off_t)size) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size, "the file can't be written");
}

/* Do in this process what a worker does for `check`. */
static int check_here(const command_line *line)
{
    static host_memory memory = HOST_MEMORY_NONE;
    host_verdict verdict;
    host_file file;
    if (!memory.seeded) {
        host_seed_tables(&memory);
    }
    demand(memory.seeded, "no random numbers");
    demand(input_open(&file, line->operand[0]) == HOST_FINE, "the file can't be opened");
    host_judge(&memory, &file, NULL, &verdict);
    more_findings more;
    more_findings_find(&more, &verdict, memory.seed);
    report_format_of(line)->file(stdout, line, line->operand[0], &verdict, &more);
    return is_valid(&verdict) ? EXIT_VALID : is_invalid(&verdict) ? EXIT_INVALID : EXIT_ERROR;
}

/* Run a command. The output of both streams is in output.text. */
static int run(int (*to_run)(const command_line *line), format as, bool raw, char *key)
{
    FILE *out = stdout, *err = stderr;
    char *operand[] = {path, key};
    command_line line = {.format = as, .raw = raw, .no_sandbox = true, .operand = operand,
                         .operands = key == NULL ? 1 : 2};
    rewind(output.file);
    stdout = stderr = output.file;
    int status = to_run(&line);
    stdout = out;
    stderr = err;
    putc('\0', output.file);
    demand(fflush(output.file) == 0, "the output can't be read");
    output.size = (size_t)ftell(output.file) - 1;
    return status;
}

/* ---- What may be printed ------------------------------------------------------------------------------ */

/* Check that the output is UTF-8 without characters that a terminal obeys or hides, except line feeds. */
static void check_printable(void)
{
    for (size_t at = 0; at < output.size;) {
        uint32_t code;
        at += text_decode((const uint8_t *)output.text + at, output.size - at, &code);
        demand(code != TEXT_BAD_BYTE && code < TEXT_BAD_BYTE, "output that is no UTF-8");
        demand(code == '\n' || (code >= 0x20 && code != 0x7F), "a control character in the output");
        demand((code < 0x80 || code > 0x9F) && (code < 0x200B || code > 0x200F) && (code < 0x202A || code > 0x202E) &&
                   (code < 0x2066 || code > 0x2069) && code != 0xFEFF && (code < 0xE0000 || code > 0xE0FFF),
               "an invisible character in the output");
    }
}

/* Check that the output is JSON. The nesting is a number of bits: no recursion. */
static void check_json(void)
{
    uint64_t objects = 0; /* a bit for each level, the innermost lowest: 1 for an object */
    int depth = 0;
    bool string = false;
    for (size_t at = 0; at < output.size; at++) {
        char c = output.text[at];
        if (string) {
            at += c == '\\';
            string = c != '"';
        } else if (c == '{' || c == '[') {
            objects = objects << 1 | (c == '{');
            depth++;
        } else if (c == '}' || c == ']') {
            demand(depth > 0 && (objects & 1) == (c == '}'), "a bracket of the JSON closes another");
            objects >>= 1;
            depth--;
        } else {
            string = c == '"';
            demand(strchr("\":,-0123456789.\n trufalsn", c) != NULL && c != 0, "a character that has no place in JSON");
        }
    }
    demand(depth == 0 && !string, "JSON that is cut off");
}

/* ---- The commands ------------------------------------------------------------------------------------- */

static int status_of(uint64_t status)
{
    return status == ASSAY_OK ? EXIT_VALID : status >= ASSAY_E_FIRST ? EXIT_INVALID : EXIT_ERROR;
}

static void check_member(const char *member, uint64_t number, bool there)
{
    char text[64];
    snprintf(text, sizeof text, there ? ",\"%s\":%" PRIu64 "," : ",\"%s\":null,", member, number);
    demand(strstr(output.text, text) != NULL, "a member of the JSON line is not the model's");
}

static void check_verdict(const assay_error *error)
{
    int status = status_of(error->status);
    demand(run(check_here, FORMAT_TEXT, false, NULL) == status, "check: another exit status than the verdict's");
    check_printable();
    demand(output.size > 0 && output.text[output.size - 1] == '\n', "check: no line");
    for (const char *at = strchr(output.text, '\n'); at[1] != '\0'; at = strchr(at + 1, '\n')) {
        demand(status == EXIT_VALID && strncmp(at + 1, "    note A", 10) == 0, "check: a line that is no note");
    }
    demand(run(check_here, FORMAT_JSONL, false, NULL) == status, "check: another exit status in JSON");
    check_printable();
    check_json();
    check_member("code", error->status, true);
    check_member("offset", error->offset, error->offset != ASSAY_NONE);
    check_member("tensor_place", error->tensor, error->tensor != ASSAY_NONE);
    check_member("other_place", error->other, error->other != ASSAY_NONE);
}

/* Check that a line of ls in JSON ends with the dtype, shape and offsets of the model, the last line with a bracket
 * too. */
static void check_row(const char *line, const spec_tensor *t, bool last)
{
    static char expected[2 * SPEC_HEAD_MAX];
    const char *end = strchr(line, '\n');
    int size = snprintf(expected, sizeof expected, ",\"dtype\":\"%s\",\"shape\":[", spec_dtypes[t->dtype - 1].name);
    for (uint64_t k = 0; k < t->rank; k++) {
        size += snprintf(expected + size, sizeof expected - (size_t)size, "%s%" PRIu64, k > 0 ? "," : "", t->dim[k]);
    }
    size += snprintf(expected + size, sizeof expected - (size_t)size, "],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}%s",
                     t->begin, t->end, !last ? "," : model_result.metadata ? "]," : "]}");
    demand(end != NULL && end - line > size && memcmp(end - size, expected, (size_t)size) == 0,
           "ls: a tensor is not the model's");
}

/* Check that a line of ls in JSON is an alias: that it has two texts. */
static void check_alias(const char *line)
{
    const char *end = strchr(line, '\n'), *tensor = strstr(line, "\",\"tensor\":\"");
    demand(model_result.pairs > 0 && tensor != NULL && (end == NULL || tensor < end), "ls: an alias without a tensor");
}

static void check_shown(int status)
{
    demand(run(command_ls, FORMAT_TEXT, false, NULL) == status, "ls: another exit status than the verdict's");
    check_printable();
    demand(run(command_ls, FORMAT_JSON, false, NULL) == status, "ls: another exit status in JSON");
    check_printable();
    if (status == EXIT_VALID) {
        uint64_t rows = 0;
        /* After a metadata key of one of these names follows a string. */
        const char *aliases = strstr(output.text, "\n\"aliases\":[");
        const char *dangling = strstr(output.text, "\n\"dangling_aliases\":[");
        if (aliases == NULL || (dangling != NULL && dangling < aliases))
            aliases = dangling;
        for (const char *at = output.text; (at = strstr(at, "\n{\"name\":")) != NULL; at++) {
            if (aliases != NULL && at > aliases) {
                check_alias(at + 1);
                continue;
            }
            demand(rows < model_result.tensors, "ls: more tensors than there are");
            check_row(at + 1, &model_result.tensor[model_result.order[rows]], rows + 1 == model_result.tensors);
            rows++;
        }
        check_json();
        demand(rows == model_result.tensors, "ls: not every tensor once");
    }
    demand(run(command_meta, FORMAT_TEXT, false, NULL) == status, "meta: another exit status than the verdict's");
    check_printable();
}

/* Check that the values of the first keys are printed unchanged. */
static void check_values(void)
{
    for (uint64_t i = 0; i < model_result.pairs && i < 4; i++) {
        uint64_t size, value_size;
        uint8_t *key = utf8_of(&model_result.pair[i].key, &size);
        uint8_t *value = utf8_of(&model_result.pair[i].value, &value_size), *word = guarded(size + 1, 0);
        memcpy(word, key, (size_t)size);
        demand(run(command_meta, FORMAT_TEXT, true, (char *)word) == EXIT_VALID, "meta: a key that is not found");
        demand(output.size == value_size && same_bytes(output.text, value, value_size), "meta: another value");
        demand(run(command_meta, FORMAT_TEXT, false, (char *)word) == EXIT_VALID, "meta: a key that is not found");
        check_printable();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > INPUT_MAX) {
        return 0;
    }
    if (fd < 0) {
        set_up();
    }
    fill(data, size);
    spec_judge(&model_result, data, size, size, NULL);
    count_execution(model_result.clean);
    check_verdict(&model_result.error);
    check_shown(status_of(model_result.error.status));
    if (model_result.error.status == ASSAY_OK) {
        check_values();
    }
    guard_drop();
    return 0;
}
