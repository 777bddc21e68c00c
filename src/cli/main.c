/* main.c: finds the command, prints the help, and reports output that could not be written. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli.h"
#include "output_file.h"
#include "escaped_text.h"

#define STACK_LEAST 256u /* KiB: the need of the program, and as much for its arguments */

static const char ABOUT[] = "assay: check that a safetensors file is valid and means exactly one thing\n\n";

static const char STATUSES[] =
    "\n"
    "Exit status:\n"
    "  0  every file is valid\n"
    "  1  a file is invalid\n"
    "  2  no file is invalid, but one could not be judged; or, whatever the verdicts,\n"
    "     the usage is wrong or the output could not be written\n"
    "  3  every file is valid, but the policy refuses one\n";

#define FILE_STATUSES "\nExit status: 0 if the file is valid, 1 if it is invalid, 2 after another error.\n"

static const command commands[] = {
    {"check", command_check, "check [OPTION...] PATH...", "check files, folders, models and addresses",
     "Checks each file PATH, and every *.safetensors and *.sft file below each folder.\n"
     "Prints one line for each file: valid; or invalid, with the rule, the byte, the\n"
     "tensor and what to do; or error, if the file could not be judged. A note on a\n"
     "valid file points out something unusual and does not change the exit status.\n"
     "\n"
     "The files of a model have to match its index (*.safetensors.index.json). PATH\n"
     "may be - for standard input, or an address, from which only the header is\n"
     "fetched: https://..., http://..., or hf://OWNER/MODEL[@REVISION][/PATH] for the\n"
     "Hugging Face Hub.\n"
     "\n"
     "  --format F             text; json: an array; jsonl: a line each; sarif; junit\n"
     "  -a, --all              in text, list all errors of rules G1 to G6 in a file,\n"
     "                         not only the first; the other formats always do\n"
     "  -o, --output FILE      write the report to FILE, which is replaced only when\n"
     "                         the report is complete; - is standard output\n"
     "  --summary              at the end, print the totals of each verdict and rule\n"
     "  --color WHEN           color the verdicts: always, never, or auto (the\n"
     "                         default), which colors them on a terminal\n"
     "  --policy FILE          refuse valid files that do not meet the policy in FILE\n"
     "  -q, --quiet            print nothing on standard output, except the summary;\n"
     "                         print what could not be judged on standard error\n"
     "  -j, --jobs N           check at most N files at the same time, with at most N\n"
     "                         connections; default: one file for each processor, and\n"
     "                         8 connections\n"
     "  --include PATTERN      in folders, check the files that match PATTERN\n"
     "                         instead of *.safetensors and *.sft; may be repeated\n"
     "  --exclude PATTERN      in folders, skip the files and folders that match\n"
     "                         PATTERN; may be repeated\n"
     "  -x, --one-file-system  skip folders on other file systems\n"
     "  --files0-from FILE     read the PATHs from FILE (- is standard input), where\n"
     "                         each ends with a zero byte\n"
     "  --public-only          connect to public addresses only, not to this machine\n"
     "                         or its network\n"
     "  --allow-private        let a public server redirect to an address that is not\n"
     "                         public\n"
     "  --fd N                 check the file that is open as descriptor N\n"
     "  --no-sandbox           check without a sandbox, if the system allows none\n",
     FORMAT_BIT(FORMAT_TEXT) | FORMAT_BIT(FORMAT_JSON) | FORMAT_BIT(FORMAT_JSONL) |
         FORMAT_BIT(FORMAT_SARIF) | FORMAT_BIT(FORMAT_JUNIT),
     TAKES_HELP | TAKES_FORMAT | TAKES_FILES | TAKES_PATHS | TAKES_SANDBOX | TAKES_OUTPUT, 1, -1},
    {"ls", command_ls, "ls [OPTION...] PATH", "list the tensors of a file or a model",
     "Lists the tensors of a valid file in the order of their data. BEGIN is the\n"
     "position of the first byte in the file. Of a folder, an index or an address, each\n"
     "file is listed after its path; a model in several files has its own totals and\n"
     "aliases. Of an address, only headers are fetched.\n"
     "\n"
     "  --format F       text; json: the tensors as in the header, the metadata,\n"
     "                   aliases; of a folder, an index or an address, an array\n"
     "  --summary        print the totals of each dtype, not the tensors\n"
     "  --aliases        also print names that the metadata record as sharing the\n"
     "                   storage of a tensor, at the end: \"NAME\" -> \"TENSOR\"; if there\n"
     "                   is none of this name, with \": no such tensor\"\n"
     "  --public-only    connect to public addresses only\n"
     "  --allow-private  let a public server redirect to an address that is not public\n"
     "  --no-sandbox     list without a sandbox, if the system allows none\n"
     "\n"
     "Exit status: 0 if every file is valid, 1 if one is invalid, 2 after another error.\n",
     FORMAT_BIT(FORMAT_TEXT) | FORMAT_BIT(FORMAT_JSON), TAKES_HELP | TAKES_FORMAT | TAKES_SANDBOX | TAKES_LIST, 1, 1},
    {"meta", command_meta, "meta [OPTION...] PATH [KEY]", "print the metadata of a file or a model",
     "Prints the metadata of a valid file, or the value of one KEY. Control,\n"
     "bidirectional and invisible characters are printed as \\u{...}, a backslash as\n"
     "\\\\. Of a folder, an index or an address, the metadata of each file follow its\n"
     "path, indented; only the value of one file at an address has no path before it.\n"
     "Of an address, only headers are fetched.\n"
     "\n"
     "  --raw            print the value of KEY without escapes, for a file or a pipe:\n"
     "                   a terminal might obey it; PATH is then one local file\n"
     "  --public-only    connect to public addresses only\n"
     "  --allow-private  let a public server redirect to an address that is not public\n"
     "  --no-sandbox     check without a sandbox, if the system allows none\n"
     "\n"
     "Exit status: 0 if every file is valid, 1 if one is invalid or a file or model has\n"
     "no such KEY, 2 after another error.\n",
     0, TAKES_HELP | TAKES_RAW | TAKES_SANDBOX, 1, 2},
    {"modelspec", command_modelspec, "modelspec [OPTION...] PATH...", "check the ModelSpec metadata of files",
     "Judges each PATH as `assay check` does, and checks the metadata of valid files by\n"
     "the rules MS1 to MS18 of ModelSpec 1.0.1, a specification of keys that begin with\n"
     "modelspec. Below the verdict is a line for each error, warning and info. A file\n"
     "with an error, or without such a key, is refused by rule P7.\n"
     "\n"
     "  --format F             text; json: an array; jsonl: a line each\n"
     "  --verify               compute the SHA-256 of the data and of each local file,\n"
     "                         and compare modelspec.hash_sha256 with it\n"
     "  -o, --output FILE      write the report to FILE, which is replaced only when\n"
     "                         the report is complete; - is standard output\n"
     "  -q, --quiet            print nothing on standard output; print what could not\n"
     "                         be judged on standard error\n"
     "  -j, --jobs N           check at most N files at the same time\n"
     "\n"
     "The options --include, --exclude, -x, --one-file-system, --files0-from, --fd,\n"
     "--public-only, --allow-private and --no-sandbox are those of `assay check`.\n"
     "\n"
     "Exit status: 0 if every file conforms, 1 if one is invalid, 2 if one could not be\n"
     "judged, 3 if a valid one does not conform; 2 after another error.\n",
     FORMAT_BIT(FORMAT_TEXT) | FORMAT_BIT(FORMAT_JSON) | FORMAT_BIT(FORMAT_JSONL),
     TAKES_HELP | TAKES_FORMAT | TAKES_PATHS | TAKES_VERIFY | TAKES_SANDBOX | TAKES_OUTPUT, 1, -1},
    {"rules", command_rules, "rules [OPTION...] [RULE]", "list the rules, or explain one",
     "Lists the rules, those of ModelSpec among them, and the reasons why a file could\n"
     "not be judged; or explains one. RULE is its id (G4), its name (overlap) or its\n"
     "code (61); rules of ModelSpec have no code. \"reference\" is what the official\n"
     "safetensors crate does: its error, or that it accepts the file (D numbers:\n"
     "spec/decisions.md).\n"
     "\n"
     "  --format F         text; json: every field, with severity and CWE\n"
     "  -o, --output FILE  write to FILE, which is replaced only when the output is\n"
     "                     complete; - is standard output\n"
     "\n"
     "Exit status: 0, or 2 after an error.\n",
     FORMAT_BIT(FORMAT_TEXT) | FORMAT_BIT(FORMAT_JSON), TAKES_HELP | TAKES_FORMAT | TAKES_OUTPUT, 0, 1},
    {"edit", command_edit, "edit [OPTION...] FILE", "change the metadata of a file",
     "Changes the metadata of a valid file, in the order of the options, and nothing\n"
     "else. The new file replaces the old one when it is complete and on the disk;\n"
     "until then the old one is untouched. FILE is local.\n"
     "\n"
     "  --set K=V              set the value of key K to V\n"
     "  --set-file K=PATH      set it to the text in the file PATH, with its last newline\n"
     "  --set-image K=PATH     set it to the image in the file PATH, as a data URL\n"
     "  --delete K             delete key K\n"
     "  --rename A=B           rename key A to B\n"
     "  --merge PATH           set all keys of the JSON object in the file PATH, whose\n"
     "                         values are strings\n"
     "  --clear                delete all metadata, also __metadata__ itself; repairs\n"
     "                         a file in which it is null\n"
     "  -n, --dry-run          print what would change, and write nothing\n"
     "  -o, --output NEW       write the file NEW, replacing it if it exists; - is stdout\n"
     "  --reserve BYTES        leave at least BYTES of the header free\n"
     "  --in-place             write the header over the old one; if there is no room,\n"
     "                         insert blocks before the data (ext4, XFS)\n"
     "  --recover              repair a file after an edit in place that did not end\n"
     "  -f, --force            also replace a file that has several names, is reached\n"
     "                         by a link, is a blob of a Hub cache, or whose owner\n"
     "                         can't be kept\n"
     "  --no-sandbox           check without a sandbox, if the system allows none\n"
     "\n"
     "Exit status: 0 if the file was edited, 1 if it is invalid, 2 after another error.\n",
     0, TAKES_HELP | TAKES_SANDBOX | TAKES_EDITS | TAKES_NEW_FILE, 1, 1},
    {"canon", command_canon, "canon [OPTION...] FILE", "write a file in canonical form",
     "Writes a valid file in canonical form: for the same tensors, data and metadata\n"
     "the same bytes (spec/canonical.md). It has no white space but at the end of the\n"
     "header, sorted keys, and the order of tensors that the official library uses.\n"
     "The new file replaces the old one when it is complete and on the disk. A file\n"
     "in canonical form is left alone.\n"
     "\n"
     "  -n, --dry-run     print what would change, and write nothing\n"
     "  -o, --output NEW  write the file NEW, replacing it if it exists; - is stdout\n"
     "  -f, --force       also replace a file that has several names, is reached by a\n"
     "                    link, is a blob of a Hub cache, or whose owner can't be kept\n"
     "  --no-sandbox      check without a sandbox, if the system allows none\n"
     "\n"
     "Exit status: 0 if the file is in canonical form now, 1 if it is invalid, 2 after\n"
     "another error.\n",
     0, TAKES_HELP | TAKES_SANDBOX | TAKES_NEW_FILE, 1, 1},
    {"make", command_make, "make [OPTION...] LIST -o NEW", "make a file from raw data",
     "Makes the file NEW, in canonical form, from raw data: little-endian elements in\n"
     "row-major order. LIST names them:\n"
     "\n"
     "  {\"metadata\": {\"KEY\": \"VALUE\", ...},\n"
     "   \"tensors\": [{\"name\": \"x\", \"dtype\": \"F32\", \"shape\": [2, 3],\n"
     "                \"file\": \"PATH\", \"offset\": 0}, ...]}\n"
     "\n"
     "PATH is relative to the folder of LIST. With offset the data begin there; without\n"
     "it the file must have exactly the bytes of the tensor.\n"
     "\n"
     "  -n, --dry-run     check LIST, and write nothing; requires -o all the same\n"
     "  -o, --output NEW  the file to be written, replaced if it exists; - is stdout\n"
     "  -f, --force       also replace a file that has several names, is reached by a\n"
     "                    link, is a blob of a Hub cache, or whose owner can't be kept\n"
     "  --no-sandbox      check without a sandbox, if the system allows none\n"
     "\n"
     "Exit status: 0, or 2 after an error.\n",
     0, TAKES_HELP | TAKES_SANDBOX | TAKES_NEW_FILE, 1, 1},
};

#define COMMANDS (sizeof commands / sizeof *commands)

static void print_help(void)
{
    fputs(ABOUT, stdout);
    for (size_t i = 0; i < COMMANDS; i++)
        printf("%s assay %s\n", i == 0 ? "usage:" : "      ", commands[i].usage);
    putchar('\n');
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-9s %s\n", commands[i].name, commands[i].about);
    fputs("\nOptions: --help, --version. `assay COMMAND --help` lists those of a command;\n"
          "`man assay` describes everything.\n",
          stdout);
    fputs(STATUSES, stdout);
}

/* Do what requires no command. word: the first argument, or NULL. */
static int run_without_command(const char *word)
{
    bool fine = true;
    if (word == NULL) {
        fine = usage_error(NULL, "no command", NULL);
    } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        print_help();
    } else if (strcmp(word, "--version") == 0) {
        print_version();
    } else if (word[0] == '-') {
        fine = usage_error(NULL, "unknown option", word);
    } else if (access(word, F_OK) == 0) {
        fine = usage_error(NULL, "a path needs a command before it", word);
        fputs("To check a file or a folder: `assay check PATH`.\n", stderr);
    } else {
        fine = usage_error(NULL, "unknown command", word);
    }
    return fine ? EXIT_VALID : EXIT_ERROR;
}

/* Run a command, with its output in a file if --output names one. The file is kept, unless the command failed without
 * writing anything, or was interrupted. */
static int run_command(const command_line *line)
{
    int status = EXIT_ERROR;
    bool some = false;
    if (line->output != NULL)
        interrupt_catch(true);
    if (line->output == NULL || output_begin(line->output)) {
        status = line->command->run(line);
        some = line->output != NULL && (fflush(stdout) != 0 || lseek(1, 0, SEEK_CUR) > 0);
    }
    return output_end(interrupted == 0 && (some || status == EXIT_VALID)) ? status : EXIT_ERROR;
}

static int run(int count, char **words)
{
    const command *to = NULL;
    command_line line;
    int status = EXIT_VALID;
    for (size_t i = 0; count > 1 && i < COMMANDS; i++)
        if (strcmp(words[1], commands[i].name) == 0)
            to = &commands[i];
    if (to == NULL)
        status = run_without_command(count > 1 ? words[1] : NULL);
    else if (!args_read(to, words + 1, count - 1, &line))
        status = EXIT_ERROR;
    else if (line.help)
        printf("usage: assay %s\n\n%s%s", to->usage, to->help, to->takes & TAKES_FILES ? STATUSES : "");
    else
        status = run_command(&line);
    return status;
}

/* Open standard streams that are closed: else the next file that is opened would get the number of one, and our output,
 * or be read as our input. /dev/null is opened for reading as standard output, so that writing fails and the loss is
 * noticed; and for writing as standard input, so that reading fails and no empty file is seen there. */
static bool streams_open(void)
{
    bool fine = true;
    for (int fd = 0; fine && fd <= 2; fd++)
        fine = fcntl(fd, F_GETFD) >= 0 || open("/dev/null", fd == 1 ? O_RDONLY : O_WRONLY) == fd;
    return fine;
}

/* Is the stack large enough for this process and its workers? Raise the limit if that is allowed. */
static bool has_stack(void)
{
    struct rlimit limit;
    const rlim_t least = (rlim_t)STACK_LEAST * 1024;
    bool unknown = getrlimit(RLIMIT_STACK, &limit) != 0;
    bool enough = unknown || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= least;
    rlim_t had = unknown ? 0 : limit.rlim_cur;
    if (!enough && (limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= least)) {
        limit.rlim_cur = least;
        enough = setrlimit(RLIMIT_STACK, &limit) == 0;
    }
    if (!enough)
        fprintf(stderr, "assay: the stack is too small: %llu KiB (assay requires %u KiB): ulimit -s %u\n",
                (unsigned long long)had / 1024, STACK_LEAST, STACK_LEAST);
    return enough;
}

int main(int count, char **words)
{
    static char line[BUFSIZ], buffer[16384];
    interrupt_begin();
    setvbuf(stderr, line, _IOLBF, sizeof line); /* whole lines, whoever else writes there */
    if (!streams_open()) {
        fprintf(stderr, "assay: a closed standard stream can't be replaced: %s\n", strerror(errno));
        return EXIT_ERROR;
    }
    setvbuf(stdout, buffer, isatty(1) ? _IOLBF : _IOFBF, sizeof buffer); /* now, as the sandbox forbids to ask */
    int status = has_stack() ? run(count, words) : EXIT_ERROR;
    if (!output_is_file() && (ferror(stdout) || fclose(stdout) != 0)) {
        fprintf(stderr, "assay: the output could not be written: %s\n", strerror(output_error()));
        _exit(EXIT_ERROR); /* without the rest of the output: after a gap it could be taken for another record */
    }
    return interrupt_obey(status);
}
