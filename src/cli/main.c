/* main.c: which command, and whether all it said was heard. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "text.h"

static const char ABOUT[] = "assay: does a safetensors file mean exactly one thing?\n\n";

static const char STATUSES[] =
    "\n"
    "Exit status: 1 if a file is invalid; else 2 if something could not be judged,\n"
    "read or written; else 0. `man assay` says more.\n";

static const command commands[] = {
    {"check", command_check, "check [--format text|json|jsonl] [-q] PATH...",
     "judge files, and the files in directories",
     "Judges each file PATH, and every *.safetensors file below each directory PATH,\n"
     "and prints a line for each: valid, invalid (with the rule, the byte, the tensor\n"
     "and what to do), or error if it could not be judged.\n"
     "\n"
     "  --format F   text; json: one array; jsonl: one object a line\n"
     "  -q, --quiet  print nothing but what could not be judged, on standard error\n",
     "text json jsonl", true, false, 1, -1},
    {"ls", command_ls, "ls [--format text|json] FILE", "list the tensors of a file",
     "Lists the tensors of a valid file as they lie in it. BEGIN is the place of the\n"
     "first byte in the file.\n"
     "\n"
     "  --format F   text; json: the same as the header has it, and the metadata\n",
     "text json", false, false, 1, 1},
    {"meta", command_meta, "meta [--raw] FILE [KEY]", "show the metadata of a file",
     "Shows the metadata of a valid file, or the value of one key (exit status 1 if\n"
     "there is none). Control, bidi and invisible characters are shown as \\u{...},\n"
     "a backslash as \\\\.\n"
     "\n"
     "  --raw        the value of KEY as it is, for a file or a pipe; not for a terminal\n",
     "", false, true, 1, 2},
    {"rules", command_rules, "rules [ID]", "list the rules, or explain one",
     "Lists the rules that a valid file keeps and the reasons why a file can't be\n"
     "judged; or says all about one, by its id (G4), name (overlap) or code (61).\n",
     "", false, false, 0, 1},
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

static int run_command(const command *to, char **words, int count)
{
    command_line line;
    if (!args_read(to, words, count, &line))
        return EXIT_ERROR;
    if (!line.help) {
        if (!line.raw || line.operands == 2)
            return to->run(&line);
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
        puts("assay " ASSAY_VERSION);
        return EXIT_VALID;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(words[1], commands[i].name) == 0)
            return run_command(&commands[i], words + 2, count - 2);
    usage_error(NULL, words[1][0] == '-' ? "unknown option" : "unknown command", words[1]);
    return EXIT_ERROR;
}

/* If a standard stream is closed, the next file opened would take its place and get our output, or be taken
 * for our input. /dev/null for reading in the place of standard output makes writing fail, so that the loss
 * is noticed. */
static bool streams_open(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 2 ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

int main(int count, char **words)
{
    static char line[BUFSIZ];
    setvbuf(stderr, line, _IOLBF, sizeof line); /* what is told is told in whole lines, whoever else writes there */
    if (!streams_open()) {
        fprintf(stderr, "assay: a closed standard stream can't be replaced: %s\n", strerror(errno));
        return EXIT_ERROR;
    }
    int status = run(count, words);
    /* Where the output failed, errno says why: nothing was tried since. */
    if (ferror(stdout) || fclose(stdout) != 0) {
        fprintf(stderr, "assay: the output could not be written: %s\n", strerror(errno));
        _exit(EXIT_ERROR); /* without the rest of the output: behind a gap it could be taken for another record */
    }
    return status;
}
