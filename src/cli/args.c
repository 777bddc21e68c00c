/* args.c: the options and operands of a command. Options may follow operands; -- ends the options. */
#include <getopt.h>
#include <stddef.h>
#include <string.h>

#include "cli.h"
#include "escaped_text.h"
#include "number_text.h"

#define FD_MOST (1u << 20)
#define RESERVE_MOST 100000000

bool usage_error(const command *to, const char *message, const char *word)
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
    return false;
}

/* ---- Options ---------------------------------------------------------------------------------------------- */

typedef enum { FLAG, TEXT, FORMAT, COLOUR, JOBS, DESCRIPTOR, INCLUDE, EXCLUDE, RESERVE, EDIT, EDIT_FLAG } value_kind;

typedef struct {
    const char *name;
    char letter;    /* or 0 */
    unsigned group; /* a bit of command.takes */
    value_kind kind;
    size_t member; /* of FLAG and TEXT: the position in command_line; of EDIT and EDIT_FLAG: an edit_option_kind */
} option_row;

#define MEMBER(member) offsetof(command_line, member)

static const option_row rows[] = {
    {"help", 'h', TAKES_HELP, FLAG, MEMBER(help)},
    {"format", 0, TAKES_FORMAT, FORMAT, 0},
    {"quiet", 'q', TAKES_PATHS, FLAG, MEMBER(quiet)},
    {"all", 'a', TAKES_FILES, FLAG, MEMBER(all)},
    {"summary", 0, TAKES_FILES | TAKES_LIST, FLAG, MEMBER(summary)},
    {"color", 0, TAKES_FILES, COLOUR, 0},
    {"policy", 0, TAKES_FILES, TEXT, MEMBER(policy_file)},
    {"output", 'o', TAKES_OUTPUT, TEXT, MEMBER(output)},
    {"raw", 0, TAKES_RAW, FLAG, MEMBER(raw)},
    {"aliases", 0, TAKES_LIST, FLAG, MEMBER(aliases)},
    {"verify", 0, TAKES_VERIFY, FLAG, MEMBER(verify)},
    {"jobs", 'j', TAKES_PATHS, JOBS, 0},
    {"files0-from", 0, TAKES_PATHS, TEXT, MEMBER(files_from)},
    {"include", 0, TAKES_PATHS, INCLUDE, 0},
    {"exclude", 0, TAKES_PATHS, EXCLUDE, 0},
    {"one-file-system", 'x', TAKES_PATHS, FLAG, MEMBER(one_file_system)},
    {"public-only", 0, TAKES_PATHS | TAKES_LIST | TAKES_RAW, FLAG, MEMBER(public_only)},
    {"allow-private", 0, TAKES_PATHS | TAKES_LIST | TAKES_RAW, FLAG, MEMBER(allow_private)},
    {"fd", 0, TAKES_PATHS, DESCRIPTOR, 0},
    {"no-sandbox", 0, TAKES_SANDBOX, FLAG, MEMBER(no_sandbox)},
    {"set", 0, TAKES_EDITS, EDIT, EDIT_OPTION_SET},
    {"set-file", 0, TAKES_EDITS, EDIT, EDIT_OPTION_FILE},
    {"set-image", 0, TAKES_EDITS, EDIT, EDIT_OPTION_IMAGE},
    {"delete", 0, TAKES_EDITS, EDIT, EDIT_OPTION_DELETE},
    {"rename", 0, TAKES_EDITS, EDIT, EDIT_OPTION_RENAME},
    {"merge", 0, TAKES_EDITS, EDIT, EDIT_OPTION_MERGE},
    {"clear", 0, TAKES_EDITS, EDIT_FLAG, EDIT_OPTION_CLEAR},
    {"dry-run", 'n', TAKES_NEW_FILE, FLAG, MEMBER(dry_run)},
    {"output", 'o', TAKES_NEW_FILE, TEXT, MEMBER(new_file)},
    {"reserve", 0, TAKES_EDITS, RESERVE, 0},
    {"force", 'f', TAKES_NEW_FILE, FLAG, MEMBER(force)},
    {"in-place", 0, TAKES_EDITS, FLAG, MEMBER(in_place)},
    {"recover", 0, TAKES_EDITS, FLAG, MEMBER(recover)},
};

#define ROWS (sizeof rows / sizeof *rows)
#define LONG 256 /* what getopt_long returns for an option without a letter: LONG and the index of its row */

/* Describe the options of a command as getopt_long requires. */
static void describe(const command *to, struct option names[ROWS + 1], char letters[2 * ROWS + 3])
{
    size_t count = 0;
    char *end = letters;
    *end++ = '+'; /* stop at an operand, and do not move it ... */
    *end++ = ':'; /* ... and return ':' if a value is missing */
    for (size_t i = 0; i < ROWS; i++) {
        if ((to->takes & rows[i].group) == 0)
            continue;
        char letter = rows[i].letter;
        int value = rows[i].kind != FLAG && rows[i].kind != EDIT_FLAG ? required_argument : no_argument;
        names[count++] = (struct option){rows[i].name, value, NULL, letter != 0 ? letter : LONG + (int)i};
        if (letter != 0)
            *end++ = letter;
        if (letter != 0 && value == required_argument)
            *end++ = ':';
    }
    names[count] = (struct option){NULL, 0, NULL, 0};
    *end = '\0';
}

/* Return the command's row of the option that getopt_long found in a word, or NULL: abbreviations of names are not
 * accepted. */
static const option_row *row_of(const command *to, int found, const char *word)
{
    const option_row *row = NULL;
    for (size_t i = 0; i < ROWS; i++)
        if ((to->takes & rows[i].group) != 0 && found == (rows[i].letter != 0 ? rows[i].letter : LONG + (int)i))
            row = &rows[i];
    bool abbreviated = row != NULL && word[1] == '-' && strcspn(word + 2, "=") != strlen(row->name);
    return abbreviated ? NULL : row;
}

/* ---- Values ----------------------------------------------------------------------------------------------- */

/* Read a number written in digits alone. Return whether it is from least to most. */
static bool read_number(const char *word, unsigned least, unsigned most, unsigned *number)
{
    const char *c = word;
    *number = 0;
    for (; *c >= '0' && *c <= '9' && *number <= (most - (unsigned)(*c - '0')) / 10; c++)
        *number = *number * 10 + (unsigned)(*c - '0');
    return c > word && *c == '\0' && *number >= least;
}

/* Read the name of a format. Return NULL, or which names the command allows. */
static const char *read_format(const char *word, command_line *line)
{
    static const char *const names[] = {
        [FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", [FORMAT_JSONL] = "jsonl", [FORMAT_SARIF] = "sarif",
        [FORMAT_JUNIT] = "junit"};
    static char message[80];
    bool known = false;
    int length = snprintf(message, sizeof message, "--format requires one of");
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if ((line->command->formats & FORMAT_BIT(i)) == 0)
            continue;
        length += snprintf(message + length, sizeof message - (size_t)length, " %s", names[i]);
        if (strcmp(word, names[i]) == 0) {
            known = true;
            line->format = (format)i;
        }
    }
    return known ? NULL : message;
}

static const char *read_color(const char *word, command_line *line)
{
    line->color_when = word;
    bool known = strcmp(word, "auto") == 0 || strcmp(word, "always") == 0 || strcmp(word, "never") == 0;
    return known ? NULL : "--color requires auto, always or never";
}

static const char *add_pattern(char *pattern, char **list, size_t *count)
{
    const char *wrong = pattern[0] == '\0'       ? "an empty pattern matches nothing"
                        : *count == PATTERNS_MOST ? "too many patterns"
                                                  : NULL;
    if (wrong == NULL)
        list[(*count)++] = pattern;
    return wrong;
}

static const char *add_edit(const option_row *row, const char *value, command_line *line)
{
    if (line->edits == EDITS_MOST)
        return "too many changes: put them into a file for --merge";
    line->edit[line->edits++] = (edit_option){(edit_option_kind)row->member, row->name, value};
    return NULL;
}

static const char *read_reserve(const char *word, command_line *line)
{
    bool fine = read_number(word, 0, RESERVE_MOST, &line->reserve);
    return fine ? NULL : "--reserve requires a number of bytes up to " NUMBER_TEXT(RESERVE_MOST);
}

/* Store what an option sets. */
static bool store(command_line *line, const option_row *row, char *value)
{
    void *member = (char *)line + row->member; /* if it has one */
    const char *wrong = NULL;
    switch (row->kind) {
    case FLAG:
        *(bool *)member = true;
        break;
    case TEXT:
        *(const char **)member = value;
        break;
    case FORMAT:
        wrong = read_format(value, line);
        break;
    case COLOUR:
        wrong = read_color(value, line);
        break;
    case JOBS:
        if (!read_number(value, 1, 512, &line->jobs))
            wrong = "-j requires a number from 1 to 512";
        break;
    case DESCRIPTOR:
        line->has_fd = true;
        if (!read_number(value, 0, FD_MOST, &line->fd))
            wrong = "--fd requires the number of an open file";
        break;
    case INCLUDE:
        wrong = add_pattern(value, line->include, &line->includes);
        break;
    case EXCLUDE:
        wrong = add_pattern(value, line->exclude, &line->excludes);
        break;
    case RESERVE:
        wrong = read_reserve(value, line);
        break;
    case EDIT:
    case EDIT_FLAG:
        wrong = add_edit(row, value, line);
    }
    return wrong == NULL || usage_error(line->command, wrong, value);
}

/* ---- The command line ------------------------------------------------------------------------------------- */

static bool unknown_option(const command *to, char *word)
{
    char *letter = word[1] == '-' || optopt <= ' ' || optopt > '~' ? NULL : strchr(word + 1, optopt);
    if (letter != NULL && *letter != '-') { /* the letters before it are known */
        word = letter - 1;
        *word = '-';
    }
    return usage_error(to, "unknown option", word);
}

static bool missing_value(const command *to, const char *word)
{
    char message[40];
    const char letter[] = {'-', (char)optopt, '\0'};
    snprintf(message, sizeof message, "%s requires a value", word[1] == '-' ? word : letter);
    return usage_error(to, message, NULL);
}

/* Read options, and move the operands to the front of words. */
static bool read_words(command_line *line, char **words, int count)
{
    struct option names[ROWS + 1];
    char letters[2 * ROWS + 3];
    bool fine = true;
    describe(line->command, names, letters);
    opterr = optind = 0; /* print no messages, and begin with the first word */
    for (int at = 1; fine; at = optind) {
        int found = getopt_long(count, words, letters, names, NULL);
        const option_row *row = row_of(line->command, found == ':' ? optopt : found, words[at]);
        if (found == -1 && (at == count || optind > at)) /* the end, or after -- */
            break;
        if (found == -1)
            line->operand[line->operands++] = words[optind++];
        else if (row == NULL)
            fine = unknown_option(line->command, words[at]);
        else if (found == ':')
            fine = missing_value(line->command, words[at]);
        else
            fine = store(line, row, optarg);
    }
    while (fine && optind < count)
        line->operand[line->operands++] = words[optind++];
    return fine;
}

/* Is this an edit without a change? With --reserve it makes room alone. */
static bool is_idle(const command *to, const command_line *line)
{
    return (to->takes & TAKES_EDITS) != 0 && line->edits == 0 && line->reserve == 0 && !line->recover;
}

/* Are all operands there, and do options and operands go together? */
static bool is_complete(const command *to, const command_line *line)
{
    bool edits = line->edits > 0 || line->reserve > 0 || line->in_place || line->dry_run || line->new_file != NULL;
    const char *instead = line->has_fd ? "--fd" : line->files_from != NULL ? "--files0-from" : NULL;
    int least = instead != NULL ? 0 : to->least, most = instead != NULL ? 0 : to->most;
    bool summary_of_json = (to->takes & TAKES_LIST) != 0 && line->summary && line->format != FORMAT_TEXT;
    bool too_many = most >= 0 && line->operands > most;
    char message[64] = "too many arguments";
    if (instead != NULL)
        snprintf(message, sizeof message, "%s and a PATH can't be combined", instead);
    const char *wrong =
        line->operands < least && most < 0         ? "no file or folder was named"
        : line->operands < least                   ? "no file was named"
        : line->files_from != NULL && line->has_fd ? "--fd and --files0-from can't be combined"
        : line->public_only && line->allow_private ? "--public-only and --allow-private can't be combined"
        : line->raw && line->operands < 2          ? "--raw requires a KEY"
        : line->recover && edits                   ? "--recover can be combined with --force alone"
        : line->in_place && line->new_file != NULL ? "--in-place and -o can't be combined"
        : to->run == command_make && line->new_file == NULL ? "-o is missing: the file that is to be written"
        : is_idle(to, line)                        ? "no change was requested: --set, --delete, ..."
        : summary_of_json                          ? "--summary and --format json can't be combined"
        : too_many                                 ? message
                                                   : NULL;
    return wrong == NULL || usage_error(to, wrong, wrong == message ? line->operand[most] : NULL);
}

bool args_read(const command *to, char **words, int count, command_line *line)
{
    *line = (command_line){.command = to, .operand = words + 1};
    bool fine = read_words(line, words, count) && (line->help || is_complete(to, line));
    if (line->output != NULL && strcmp(line->output, "-") == 0)
        line->output = NULL;
    return fine;
}
