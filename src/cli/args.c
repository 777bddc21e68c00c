/* args.c: a command's options and operands. Options may stand anywhere before "--". */
#include <string.h>

#include "cli.h"
#include "text.h"

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
        fprintf(stderr, "usage: assay %s\n", to->usage);
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

static bool set_format(const command *to, const char *value, command_line *line)
{
    if (value == NULL) {
        usage_error(to, "--format wants a value", NULL);
        return false;
    }
    if (!is_in(to->formats, value)) {
        usage_error(to, "unknown format", value);
        return false;
    }
    line->format = strcmp(value, "json") == 0    ? FORMAT_JSON
                   : strcmp(value, "jsonl") == 0 ? FORMAT_JSONL
                                                 : FORMAT_TEXT;
    return true;
}

/* -q, --raw, --help: is word one that the command takes? */
static bool flag(const command *to, const char *word, command_line *line)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        line->help = true;
    else if (to->quiet && (strcmp(word, "-q") == 0 || strcmp(word, "--quiet") == 0))
        line->quiet = true;
    else if (to->raw && strcmp(word, "--raw") == 0)
        line->raw = true;
    else
        return false;
    return true;
}

/* An option, and the word behind it if it takes one; gives how many words that were, or 0 if it is wrong. */
static int option(const command *to, char **words, int left, command_line *line)
{
    static const char FORMAT[] = "--format";
    size_t length = sizeof FORMAT - 1;
    const char *word = words[0];
    if (flag(to, word, line))
        return 1;
    if (to->formats[0] != '\0' && strcmp(word, FORMAT) == 0)
        return set_format(to, left > 1 ? words[1] : NULL, line) ? 2 : 0;
    if (to->formats[0] != '\0' && strncmp(word, FORMAT, length) == 0 && word[length] == '=')
        return set_format(to, word + length + 1, line) ? 1 : 0;
    if (strcmp(word, "-") == 0)
        usage_error(to, "standard input can't be judged: name a file (./- for one that is called -)", NULL);
    else
        usage_error(to, "unknown option", word);
    return 0;
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
        } else if (options && words[i][0] == '-') {
            int taken = option(to, words + i, count - i, line);
            if (taken == 0)
                return false;
            i += taken;
        } else {
            words[kept++] = words[i++];
        }
    }
    line->operands = kept;
    if (line->help)
        return true;
    if (kept < to->least)
        usage_error(to, "something is missing", NULL);
    else if (to->most >= 0 && kept > to->most)
        usage_error(to, "one too many", words[to->most]);
    return kept >= to->least && (to->most < 0 || kept <= to->most);
}
