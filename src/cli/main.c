/* main.c: which command, and whether all it said was heard. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli.h"
#include "output_file.h"
#include "escaped_text.h"

#define STACK_LEAST 256u /* KiB: what the program takes, and as much for its arguments */

static const char ABOUT[] = "assay: does a safetensors file mean exactly one thing?\n\n";

static const char STATUSES[] =
    "\n"
    "Exit status: 1 if a file is invalid; else 2 if something could not be judged,\n"
    "read or written; else 3 if a policy refuses a file; else 0. More: `man assay`.\n";

static const command commands[] = {
    {"check", command_check, "check [OPTION...] PATH...", "judge files, and the files in directories",
     "Judges each file PATH, and every *.safetensors file below each directory PATH,\n"
     "and prints a line for each: valid, invalid (with the rule, the byte, the tensor\n"
     "and what to do), or error if it could not be judged. - is standard input.\n"
     "If there is an index of a model (*.safetensors.index.json), its shards have to\n"
     "fit together. A PATH may be an address, of which the header alone is fetched:\n"
     "https://..., http://..., or hf://OWNER/MODEL[@REVISION][/PATH] on the Hub.\n"
     "\n"
     "  --format F             text; json: one array; jsonl: one object a line; sarif\n"
     "  -a, --all              in text, all that is wrong with how the tensors lie in the\n"
     "                         file, not just the first; the other formats tell it anyway\n"
     "  -o, --output FILE      write to FILE, all of it or nothing; - is standard output\n"
     "  --summary              at the end, how many there were of each kind and rule\n"
     "  --color WHEN           auto, always, never\n"
     "  --policy FILE          refuse what is valid but not allowed by FILE\n"
     "  -q, --quiet            print nothing but what could not be judged, on standard\n"
     "                         error\n"
     "  -j, --jobs N           judge N files at a time, by at most N connections; else one\n"
     "                         for each processor, and 8 connections\n"
     "  --include PATTERN      below a directory, judge the files that match instead of\n"
     "                         *.safetensors; may be given more than once\n"
     "  --exclude PATTERN      below a directory, leave out files and directories that\n"
     "                         match; may be given more than once\n"
     "  -x, --one-file-system  don't look into directories of other file systems\n"
     "  --files0-from FILE     take the PATHs from FILE (- is standard input), where each\n"
     "                         ends with a zero byte\n"
     "  --public-only          fetch from public addresses alone: none of this machine or\n"
     "                         of its network\n"
     "  --allow-private        follow redirections from public addresses to such ones\n"
     "  --fd N                 judge the file that is open as descriptor N\n"
     "  --no-sandbox           judge without a sandbox, where the system can't give one\n",
     "text json jsonl sarif", TAKES_FILES | TAKES_SANDBOX | TAKES_OUTPUT, 1, -1},
    {"ls", command_ls, "ls [--format text|json] FILE", "list the tensors of a file",
     "Lists the tensors of a valid file as they lie in it. BEGIN is the place of the\n"
     "first byte in the file. FILE is on this machine: an address is for check alone.\n"
     "\n"
     "  --format F    text; json: the same as the header has it, and the metadata\n"
     "  --no-sandbox  judge without a sandbox, where the system can't give one\n",
     "text json", TAKES_SANDBOX, 1, 1},
    {"meta", command_meta, "meta [--raw] FILE [KEY]", "show the metadata of a file",
     "Shows the metadata of a valid file, or the value of one key (exit status 1 if\n"
     "there is none). Control, bidi and invisible characters are shown as \\u{...},\n"
     "a backslash as \\\\. FILE is on this machine: an address is for check alone.\n"
     "\n"
     "  --raw         the value of KEY as it is, for a file or a pipe; not for a terminal\n"
     "  --no-sandbox  judge without a sandbox, where the system can't give one\n",
     "", TAKES_RAW | TAKES_SANDBOX, 1, 2},
    {"rules", command_rules, "rules [OPTION...] [ID]", "list the rules, or explain one",
     "Lists the rules that a valid file keeps and the reasons why a file can't be\n"
     "judged; or says all about one, by its id (G4), name (overlap) or code (61).\n"
     "\n"
     "  --format F         text; json: all that is known of each, severity and CWE too\n"
     "  -o, --output FILE  write to FILE, all of it or nothing; - is standard output\n",
     "text json", TAKES_OUTPUT, 0, 1},
};

#define COMMANDS (sizeof commands / sizeof *commands)

static void print_help(void)
{
    fputs(ABOUT, stdout);
    for (size_t i = 0; i < COMMANDS; i++)
        printf("%s assay %s\n", i == 0 ? "usage:" : "      ", commands[i].usage);
    putchar('\n');
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-6s %s\n", commands[i].name, commands[i].about);
    fputs("\n  --help, --version; assay COMMAND --help says more about a command\n", stdout);
    fputs(STATUSES, stdout);
}

/* Runs a command, with its output in a file if that was asked for: kept unless there is none and the command failed. */
static int run_into(const command *to, const command_line *line)
{
    if (line->output != NULL)
        interrupt_catch(true);
    if (line->output != NULL && !output_begin(line->output))
        return EXIT_ERROR;
    int status = to->run(line);
    bool some = line->output != NULL && (fflush(stdout) != 0 || lseek(1, 0, SEEK_CUR) > 0);
    return output_end(interrupted == 0 && (some || status == EXIT_VALID)) ? status : EXIT_ERROR;
}

static int run_command(const command *to, char **words, int count)
{
    command_line line;
    if (!args_read(to, words, count, &line))
        return EXIT_ERROR;
    if (!line.help) {
        if (!line.raw || line.operands == 2)
            return run_into(to, &line);
        usage_error(to, "--raw wants a KEY", NULL);
        return EXIT_ERROR;
    }
    printf("usage: assay %s\n\n%s%s", to->usage, to->help, STATUSES);
    return EXIT_VALID;
}

static int run(int count, char **words)
{
    if (count < 2) {
        usage_error(NULL, "no command", NULL);
        return EXIT_ERROR;
    }
    if (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0) {
        print_help();
        return EXIT_VALID;
    }
    if (strcmp(words[1], "--version") == 0) {
        print_version();
        return EXIT_VALID;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(words[1], commands[i].name) == 0)
            return run_command(&commands[i], words + 2, count - 2);
    bool is_file = words[1][0] != '-' && access(words[1], F_OK) == 0;
    const char *why = is_file                ? "a path needs a command before it"
                      : words[1][0] == '-' ? "unknown option"
                                           : "unknown command";
    usage_error(NULL, why, words[1]);
    if (is_file)
        fputs("To judge a file or a directory: `assay check PATH`.\n", stderr);
    return EXIT_ERROR;
}

/* If a standard stream is closed, the next file opened would take its place and get our output, or be taken
 * for our input. /dev/null for reading in the place of standard output makes writing fail, so that the loss
 * is noticed; and for writing in the place of standard input, so that nothing is not taken for an empty file. */
static bool streams_open(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 1 ? O_RDONLY : O_WRONLY) != fd)
            return false;
    return true;
}

/* Is there stack enough for this process and its workers? A limit that the user may raise is raised. */
static bool has_stack(void)
{
    struct rlimit limit;
    const rlim_t least = (rlim_t)STACK_LEAST * 1024;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= least)
        return true;
    rlim_t had = limit.rlim_cur;
    limit.rlim_cur = least;
    if ((limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= least) && setrlimit(RLIMIT_STACK, &limit) == 0)
        return true;
    fprintf(stderr, "assay: the stack is too small: %llu KiB (assay requires %u KiB): ulimit -s %u\n",
            (unsigned long long)had / 1024, STACK_LEAST, STACK_LEAST);
    return false;
}

int main(int count, char **words)
{
    static char line[BUFSIZ], buffer[16384];
    interrupt_begin();
    setvbuf(stderr, line, _IOLBF, sizeof line); /* what is told is told in whole lines, whoever else writes there */
    if (!streams_open()) {
        fprintf(stderr, "assay: a closed standard stream can't be replaced: %s\n", strerror(errno));
        return EXIT_ERROR;
    }
    setvbuf(stdout, buffer, isatty(1) ? _IOLBF : _IOFBF, sizeof buffer); /* now: in a sandbox it can't be asked */
    int status = has_stack() ? run(count, words) : EXIT_ERROR;
    if (!output_is_file() && (ferror(stdout) || fclose(stdout) != 0)) {
        fprintf(stderr, "assay: the output could not be written: %s\n", strerror(output_error()));
        _exit(EXIT_ERROR); /* without the rest of the output: behind a gap it could be taken for another record */
    }
    return interrupt_obey(status);
}
