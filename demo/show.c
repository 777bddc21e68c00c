/* show.c: run `assay check` for the demo; print its time and its result, wrapped to the screen.
 *
 *     show PROGRAM EXPECTED TITLE FILE...
 *
 * EXPECTED: "valid", or the id of the rule that the file breaks. For several files or a directory, the
 * results are counted, not printed. Exit status 1 if a verdict is not the expected one. */
#define _POSIX_C_SOURCE 200809L

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WIDTH 100 /* columns */
#define MARGIN 6

static bool color;

static void paint(const char *code)
{
    if (color)
        printf("\033[%sm", code);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Start the program. Return the read end of a pipe from its standard output. */
static int start(const char *program, char **files, int count, pid_t *child)
{
    int ends[2];
    char **words = calloc((size_t)count + 4, sizeof *words);
    if (words == NULL || pipe(ends) != 0)
        exit(2);
    words[0] = (char *)program;
    words[1] = "check";
    words[2] = "--";
    memcpy(words + 3, files, (size_t)count * sizeof *words);
    *child = fork();
    if (*child == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        execv(program, words);
        _exit(127);
    }
    free(words);
    close(ends[1]);
    return ends[0];
}

static void show_title(const char *title, double took)
{
    paint("1");
    int length = printf("  %s ", title);
    paint("0");
    paint("2");
    for (; length < WIDTH - 12; length++)
        putchar('.');
    printf(" %6.1f ms\n", took);
    paint("0");
}

/* Print the result in a line, without its path, wrapped at spaces. */
static void show_message(const char *text, bool good)
{
    int column = WIDTH; /* so that the first word begins a line */
    bool first = true;
    while (*text != '\0' && *text != '\n') {
        int length = (int)strcspn(text, " \n");
        if (column + 1 + length > WIDTH) {
            printf("%s%*s", first ? "" : "\n", MARGIN, "");
            column = MARGIN;
        } else {
            putchar(' ');
            column++;
        }
        if (first)
            paint(good ? "32" : "31");
        printf("%.*s", length, text);
        paint("0");
        column += length;
        first = false;
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

/* Return whether the line has the expected result. */
static bool is_expected(const char *line, const char *expected)
{
    char wanted[64];
    bool valid = strcmp(expected, "valid") == 0;
    snprintf(wanted, sizeof wanted, valid ? ": valid: " : ": invalid: rule %s at byte ", expected);
    return strstr(line, wanted) != NULL;
}

int main(int count, char **words)
{
    char line[8192], last[8192] = "";
    int lines = 0, as_expected = 0, status = 0;
    pid_t child;
    if (count < 5)
        return 2;
    color = isatty(1) && getenv("NO_COLOR") == NULL;
    double begin = now();
    FILE *said = fdopen(start(words[1], words + 4, count - 4, &child), "r");
    while (said != NULL && fgets(line, sizeof line, said) != NULL) {
        if (line[0] == ' ') /* a note on a valid file */
            continue;
        lines++;
        as_expected += is_expected(line, words[2]);
        memcpy(last, line, sizeof last);
    }
    waitpid(child, &status, 0);
    double took = now() - begin;
    bool valid = strcmp(words[2], "valid") == 0;
    bool good =
        lines > 0 && as_expected == lines && WIFEXITED(status) && WEXITSTATUS(status) == (valid ? 0 : 1);
    show_title(words[3], took);
    if (lines > 1)
        snprintf(last, sizeof last, ": %s: %d of %d files", words[2], as_expected, lines);
    const char *message = strstr(last, ": ");
    show_message(message == NULL ? "no result" : message + 2, valid && good);
    if (!good)
        printf("%*s^ UNEXPECTED: this should be %s\n", MARGIN, "", words[2]);
    return good ? 0 : 1;
}
