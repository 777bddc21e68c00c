/* cli.h: the program's commands. */
#ifndef ASSAY_CLI_H
#define ASSAY_CLI_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "assay_text.h"
#include "host.h"

/* The exit statuses. */
enum {
    EXIT_VALID = 0,
    EXIT_INVALID = 1, /* a file is invalid; `meta FILE KEY`: there is no such key */
    EXIT_ERROR = 2,   /* something could not be judged, read or written, or the usage is wrong */
    EXIT_REFUSED = 3  /* the policy refuses a valid file */
};

typedef enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_JSONL, FORMAT_SARIF, FORMAT_JUNIT } format;

/* ---- args.c ------------------------------------------------------------------------------------------- */

#define PATTERNS_MOST 64u
#define EDITS_MOST 256u

/* An option of edit that changes metadata, in the order of the command line. */
typedef enum {
    EDIT_OPTION_SET,
    EDIT_OPTION_FILE,
    EDIT_OPTION_IMAGE,
    EDIT_OPTION_DELETE,
    EDIT_OPTION_RENAME,
    EDIT_OPTION_MERGE,
    EDIT_OPTION_CLEAR
} edit_option_kind;

typedef struct {
    edit_option_kind kind;
    const char *name; /* without its -- */
    const char *word; /* its value, or NULL */
} edit_option;

/* What the user requests of a command. */
typedef struct {
    const struct command *command;
    format format;
    bool quiet, raw, help, no_sandbox, one_file_system, all, summary, color, public_only, allow_private, has_fd;
    bool aliases;    /* of ls */
    const char *key; /* of meta; NULL: not given */
    bool verify;     /* of modelspec */
    unsigned jobs; /* 0: not given */
    unsigned fd;   /* if has_fd */
    const char *files_from, *policy_file, *output, *color_when;
    const struct policy *policy; /* what is in policy_file */
    char *include[PATTERNS_MOST], *exclude[PATTERNS_MOST];
    size_t includes, excludes;
    edit_option edit[EDITS_MOST];
    size_t edits;
    bool dry_run, force, in_place, recover;
    unsigned reserve;     /* bytes */
    const char *new_file; /* where edit writes; NULL: to the file itself */
    char **operand;
    int operands;
} command_line;

/* Groups of options that a command takes: bits. */
enum {
    TAKES_HELP = 1,
    TAKES_FORMAT = 2,
    TAKES_FILES = 4,
    TAKES_SANDBOX = 8,
    TAKES_OUTPUT = 16,
    TAKES_RAW = 32,
    TAKES_EDITS = 64,
    TAKES_NEW_FILE = 128,
    TAKES_LIST = 256,
    TAKES_PATHS = 512,
    TAKES_VERIFY = 1024
};

#define FORMAT_BIT(format) (1u << (format))

typedef struct command {
    const char *name;
    int (*run)(const command_line *line);
    const char *usage; /* one line, follows "usage: assay " */
    const char *about; /* one line, for the list of commands */
    const char *help;  /* the rest of its help */
    unsigned formats;  /* FORMAT_BIT of each */
    unsigned takes;
    int least, most; /* the number of operands; most < 0: no limit */
} command;

/* Read the options and operands that follow words[0], the name of the command; count includes it. Return false after
 * reporting an error. The operands are moved to the front of words. */
bool args_read(const command *to, char **words, int count, command_line *line);

/* Report wrong usage: the message, the word that is wrong unless it is NULL, and where help is. Return false. */
bool usage_error(const command *to, const char *message, const char *word);

#define NO_KEY "the metadata have no key " /* of meta */

/* ---- the commands ------------------------------------------------------------------------------------- */

int command_check(const command_line *line);
int command_ls(const command_line *line);
int command_meta(const command_line *line);
int command_modelspec(const command_line *line);
int command_rules(const command_line *line);
int command_edit(const command_line *line);
int command_canon(const command_line *line);
int command_make(const command_line *line);

/* Check the file of ls or meta. Enter the sandbox once the file is open. */
void open_view(host_memory *memory, const command_line *line, assay_view *view, host_verdict *verdict);

/* Report the file on standard error unless it is valid. Return the exit status. */
int report_view(const command_line *line, const host_verdict *verdict);

/* ---- version.c ---------------------------------------------------------------------------------------- */

void print_version(void);
/* On a terminal, warn if the program was built without a part of its sandbox. */
void report_sandbox(void);

/* ---- signals.c ---------------------------------------------------------------------------------------- */

extern volatile sig_atomic_t interrupted; /* by this signal, or 0; STOPPED: the output can't be continued */
#define STOPPED (-1)

/* Let writing beyond a limit on files fail instead of ending the program, and SIGQUIT leave no core file. */
void interrupt_begin(void);
/* Let the first signal that should end the program set `interrupted`. output: remove the new file of --output whichever
 * signal ends the program. */
void interrupt_catch(bool output);
/* Undo interrupt_catch in a worker. */
void interrupt_release(void);
/* End the program by the signal that came, so that its parent sees it. If none came, return the exit status; after
 * SIGQUIT, return EXIT_ERROR. */
int interrupt_obey(int status);
/* Wait until there is something to read, or the end. Return false if a signal came. */
bool interrupt_wait(int fd);

/* ---- progress.c --------------------------------------------------------------------------------------- */

void progress_begin(const command_line *line);
void progress_count(void); /* one more file was reported */
void progress_hide(void);  /* before anything else is written */
void progress_tick(void);
void progress_end(void);
void progress_copy_begin(uint64_t total); /* a file of this many bytes will be written ... */
void progress_copy(uint64_t written);     /* ... and this much of it was */

#endif
