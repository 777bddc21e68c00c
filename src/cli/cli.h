/* cli.h: the program's commands. */
#ifndef ASSAY_CLI_H
#define ASSAY_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "host.h"

#ifndef ASSAY_VERSION /* the Makefile says it */
#define ASSAY_VERSION "unknown"
#endif

/* Exit statuses of every command. */
enum {
    EXIT_VALID = 0,
    EXIT_INVALID = 1, /* a file is invalid; of `meta FILE KEY`: there is no such key */
    EXIT_ERROR = 2    /* something could not be judged, read or written, or the program was called wrongly */
};

typedef enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_JSONL } format;

/* ---- args.c ------------------------------------------------------------------------------------------- */

/* What a command was given. */
typedef struct {
    format format;
    bool quiet, raw, help;
    char **operand;
    int operands;
} command_line;

/* What it takes. */
typedef struct {
    const char *name;
    int (*run)(const command_line *line);
    const char *usage;   /* one line, behind "usage: assay " */
    const char *about;   /* one line, for the list of commands */
    const char *help;    /* the rest */
    const char *formats; /* "text json jsonl", or "" */
    bool quiet, raw;     /* takes -q, --raw */
    int least, most;     /* operands; most < 0: any number */
} command;

/* False: the line is wrong; that has been told. The operands are moved to the front of words. */
bool args_read(const command *to, char **words, int count, command_line *line);

void usage_error(const command *to, const char *message, const char *word);

/* ---- the commands ------------------------------------------------------------------------------------- */

int command_check(const command_line *line);
int command_ls(const command_line *line);
int command_meta(const command_line *line);
int command_rules(const command_line *line);

/* Judges a file for ls and meta; unless it is valid its line goes to stderr. Gives the exit status. */
int open_view(host_memory *memory, const char *path, assay_view *view, host_verdict *verdict);

#endif
