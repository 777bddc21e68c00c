/* args.c: a command's options and operands. Options may stand anywhere before "--". */
#include <stddef.h>
#include <string.h>

#include "cli.h"
#include "escaped_text.h"

void usage_error(const command *to, const char *message, const char *word)
{
    fprintf(stderr, "assay: %s", message);
    if (word != NULL) {
        fputs(": ", stderr);
        text_path(stderr, TEXT_QUOTED, word);
    }
    putc('\n', stderr);
    if (to == NULL)
        fputs("Try `assay --help`.\n", stderr);
    else
        fprintf(stderr, "usage: assay %s\nTry `assay %s --help`.\n", to->usage, to->name);
}

bool args_number(const char *word, unsigned most, unsigned *number)
{
    unsigned value = 0;
    for (const char *c = word; *c != '\0'; c++) {
        if (*c < '0' || *c > '9' || value > (most - (unsigned)(*c - '0')) / 10)
            return false;
        value = value * 10 + (unsigned)(*c - '0');
    }
    *number = value;
    return *word != '\0';
}

/* Is word one of the words in the list, which are separated by single spaces? */
static bool is_in(const char *list, const char *word)
{
    size_t length = strlen(word);
    while (*list != '\0') {
        size_t next = strcspn(list, " ");
        if (next == length && memcmp(list, word, length) == 0)
            return true;
        list += next + (list[next] == ' ');
    }
    return false;
}

static bool set_format(const command *to, char *value, command_line *line)
{
    if (!is_in(to->formats, value)) {
        char message[64];
        snprintf(message, sizeof message, "unknown format, none of %s", to->formats);
        usage_error(to, message, value);
        return false;
    }
    line->format = strcmp(value, "json") == 0    ? FORMAT_JSON
                   : strcmp(value, "jsonl") == 0 ? FORMAT_JSONL
                   : strcmp(value, "sarif") == 0 ? FORMAT_SARIF
                                                 : FORMAT_TEXT;
    return true;
}

static bool add_pattern(const command *to, char *value, char **list, size_t *count)
{
    if (*count == PATTERNS_MOST || value[0] == '\0') {
        usage_error(to, value[0] == '\0' ? "an empty pattern fits nothing" : "too many patterns", value);
        return false;
    }
    list[(*count)++] = value;
    return true;
}

static bool add_include(const command *to, char *value, command_line *line)
{
    return add_pattern(to, value, line->include, &line->includes);
}

static bool add_exclude(const command *to, char *value, command_line *line)
{
    return add_pattern(to, value, line->exclude, &line->excludes);
}

static bool set_jobs(const command *to, char *value, command_line *line)
{
    unsigned number;
    line->jobs = value;
    if (args_number(value, 512, &number) && number > 0)
        return true;
    usage_error(to, "-j wants a number from 1 to 512", value);
    return false;
}

static bool set_fd(const command *to, char *value, command_line *line)
{
    unsigned number;
    line->fd = value;
    if (args_number(value, 1u << 20, &number))
        return true;
    usage_error(to, "--fd wants the number of an open file", value);
    return false;
}

static bool set_files_from(const command *to, char *value, command_line *line)
{
    (void)to;
    line->files_from = value;
    return true;
}

static bool set_output(const command *to, char *value, command_line *line)
{
    (void)to;
    line->output = strcmp(value, "-") == 0 ? NULL : value;
    return true;
}

static bool set_policy(const command *to, char *value, command_line *line)
{
    (void)to;
    line->policy_file = value;
    return true;
}

static bool set_colour(const command *to, char *value, command_line *line)
{
    line->colour_when = value;
    if (is_in("auto always never", value))
        return true;
    usage_error(to, "--color wants auto, always or never", value);
    return false;
}

/* An option: a flag, or something that takes the value behind it. */
typedef struct {
    const char *name, *letter;
    unsigned group; /* 0: every command that has formats; else a bit of `takes` */
    size_t flag;    /* where it is in command_line, if it takes no value */
    bool (*set)(const command *to, char *value, command_line *line);
} option_row;

#define FLAG(member) offsetof(command_line, member), NULL

static const option_row rows[] = {
    {"--format", NULL, 0, 0, set_format},
    {"--quiet", "-q", TAKES_FILES, FLAG(quiet)},
    {"--all", "-a", TAKES_FILES, FLAG(all)},
    {"--summary", NULL, TAKES_FILES, FLAG(summary)},
    {"--color", NULL, TAKES_FILES, 0, set_colour},
    {"--policy", NULL, TAKES_FILES, 0, set_policy},
    {"--output", "-o", TAKES_OUTPUT, 0, set_output},
    {"--raw", NULL, TAKES_RAW, FLAG(raw)},
    {"--jobs", "-j", TAKES_FILES, 0, set_jobs},
    {"--files0-from", NULL, TAKES_FILES, 0, set_files_from},
    {"--include", NULL, TAKES_FILES, 0, add_include},
    {"--exclude", NULL, TAKES_FILES, 0, add_exclude},
    {"--one-file-system", "-x", TAKES_FILES, FLAG(one_file_system)},
    {"--public-only", NULL, TAKES_FILES, FLAG(public_only)},
    {"--allow-private", NULL, TAKES_FILES, FLAG(allow_private)},
    {"--fd", NULL, TAKES_FILES, 0, set_fd},
    {"--no-sandbox", NULL, TAKES_SANDBOX, FLAG(no_sandbox)},
};

/* Is word this option? value: what stands behind its name, in the same word: of a flag, more letters, as in -qa; NULL:
 * nothing does. */
static bool is_option(const option_row *row, char *word, char **value)
{
    size_t length = strlen(row->name);
    *value = NULL;
    if (strcmp(word, row->name) == 0 || (row->letter != NULL && strcmp(word, row->letter) == 0))
        return true;
    if (row->set != NULL && strncmp(word, row->name, length) == 0 && word[length] == '=')
        *value = word + length + 1;
    else if (row->letter != NULL && strncmp(word, row->letter, 2) == 0 && (row->set != NULL || word[2] != '-'))
        *value = word + 2; /* but not -q-raw: what is behind a flag is letters, never a long option */
    return *value != NULL;
}

/* An option, and the word behind it if it takes one; gives how many words that were, or 0 if it is wrong. */
static int option(const command *to, char **words, int left, command_line *line)
{
    if (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0) {
        line->help = true;
        return 1;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const option_row *row = &rows[i];
        char *value;
        bool taken = row->group == 0 ? to->formats[0] != '\0' : (to->takes & row->group) != 0;
        if (!taken || !is_option(row, words[0], &value))
            continue;
        if (row->set == NULL) {
            *(bool *)((char *)line + row->flag) = true;
            if (value == NULL)
                return 1;
            words[0] = value - 1; /* the letters behind this one, as if they stood alone */
            words[0][0] = '-';
            return option(to, words, left, line);
        }
        if (value != NULL)
            return row->set(to, value, line) ? 1 : 0;
        if (left > 1)
            return row->set(to, words[1], line) ? 2 : 0;
        char message[40];
        snprintf(message, sizeof message, "%s wants a value", words[0]);
        usage_error(to, message, NULL);
        return 0;
    }
    usage_error(to, "unknown option", words[0]);
    return 0;
}

/* Are there as many operands as the command takes? */
static bool counted(const command *to, char **words, int kept, const command_line *line)
{
    const char *instead = line->fd != NULL ? "--fd" : line->files_from != NULL ? "--files0-from" : NULL;
    int least = instead != NULL ? 0 : to->least, most = instead != NULL ? 0 : to->most;
    char message[64];
    if (kept < least) {
        usage_error(to, to->most < 0 ? "no file or directory was named" : "no file was named", NULL);
    } else if (line->files_from != NULL && line->fd != NULL) {
        usage_error(to, "--fd and --files0-from don't go together", NULL);
    } else if (line->public_only && line->allow_private) {
        usage_error(to, "--public-only and --allow-private don't go together", NULL);
    } else if (most >= 0 && kept > most) {
        snprintf(message, sizeof message, "one too many%s%s%s", instead == NULL ? "" : ", as ",
                 instead == NULL ? "" : instead, instead == NULL ? "" : " says what to judge");
        usage_error(to, message, words[most]);
    } else {
        return true;
    }
    return false;
}

bool args_read(const command *to, char **words, int count, command_line *line)
{
    int kept = 0;
    bool options = true;
    *line = (command_line){.operand = words};
    for (int i = 0; i < count;) {
        if (options && strcmp(words[i], "--") == 0) {
            options = false;
            i++;
        } else if (options && words[i][0] == '-' && words[i][1] != '\0') {
            int taken = option(to, words + i, count - i, line);
            if (taken == 0)
                return false;
            i += taken;
        } else {
            words[kept++] = words[i++];
        }
    }
    line->operands = kept;
    return line->help || counted(to, words, kept, line);
}
