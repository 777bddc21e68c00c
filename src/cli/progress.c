/* progress.c: a line on standard error that shows a person at a terminal how far the program is. */
#include "posix.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "line_buffer.h"

#define FIRST 1.0   /* seconds until the line appears */
#define AGAIN 0.2   /* seconds between two updates */
#define STRIDE 256u /* files that are counted at each tick */

static struct {
    bool on, shown;
    const command_line *line;
    double begin, last;
    uint64_t done, total;
    int operand; /* the next one to be counted */
    bool counted, walking;
    host_walk walk;
    host_choice choice;
} now;

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Does a person watch standard error? */
static bool is_watched(void)
{
    const char *terminal = getenv("TERM");
    return isatty(2) && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

void progress_begin(const command_line *line)
{
    now.on = is_watched();
    if (!now.on)
        return;
    now.line = line;
    now.begin = now.last = seconds();
    now.choice = (host_choice){(char **)line->include, (char **)line->exclude, line->includes, line->excludes,
                               line->one_file_system};
}

void progress_count(void)
{
    now.done++;
}

void progress_hide(void)
{
    if (now.shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    now.shown = false;
}

/* Count some more of the files that will be checked, so that the remaining time can be estimated. */
static void count_ahead(void)
{
    struct stat status;
    host_item item;
    for (unsigned i = 0; i < STRIDE; i++) {
        if (now.walking && host_walk_next(&now.walk, &item)) {
            now.total += item.folder == NULL ? 1 : item.folder->count;
            continue;
        }
        if (now.walking)
            host_walk_end(&now.walk);
        now.walking = false;
        if (now.operand >= now.line->operands) {
            now.counted = now.line->files_from == NULL;
            return;
        }
        const char *path = now.line->operand[now.operand++];
        if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
            now.walking = host_walk_begin(&now.walk, path, &now.choice);
        else
            now.total++;
    }
}

/* "3 min 20 s" */
static void add_time(line_buffer *to, double left)
{
    uint64_t rest = (uint64_t)left + 1;
    if (rest >= 3600) {
        line_number(to, rest / 3600);
        line_add(to, " h ");
        rest = rest % 3600 / 60 * 60;
    }
    if (rest >= 60 || left >= 3600) {
        line_number(to, rest / 60);
        line_add(to, left >= 3600 ? " min" : " min ");
    }
    if (left < 3600) {
        line_number(to, rest % 60);
        line_add(to, " s");
    }
}

static void show(double time)
{
    line_buffer text = {.length = 0};
    double rate = (double)now.done / (time - now.begin);
    line_number(&text, now.done);
    if (now.counted) {
        line_add(&text, " of ");
        line_number(&text, now.total);
    }
    line_add(&text, now.done == 1 && !now.counted ? " file, " : " files, ");
    line_number(&text, (uint64_t)(rate + 0.5));
    line_add(&text, " a second");
    if (now.counted && rate > 0 && now.total > now.done) {
        line_add(&text, ", ");
        add_time(&text, (double)(now.total - now.done) / rate);
        line_add(&text, " left");
    }
    fprintf(stderr, "\r%s\033[K", text.text);
    fflush(stderr);
    now.shown = true;
}

void progress_tick(void)
{
    if (!now.on)
        return;
    if (!now.counted && now.line->files_from == NULL)
        count_ahead();
    double time = seconds();
    if (time - now.begin < FIRST || time - now.last < AGAIN)
        return;
    now.last = time;
    show(time);
}

void progress_end(void)
{
    progress_hide();
    if (now.walking)
        host_walk_end(&now.walk);
    now.walking = false;
}

void progress_copy_begin(uint64_t total)
{
    now.on = is_watched();
    now.begin = now.last = seconds();
    now.total = total;
}

void progress_copy(uint64_t written)
{
    double time = now.on ? seconds() : 0, spent = time - now.begin;
    if (!now.on || spent < FIRST || time - now.last < AGAIN)
        return;
    line_buffer text = {.length = 0};
    now.last = time;
    line_size(&text, written);
    line_add(&text, " of ");
    line_size(&text, now.total);
    if (written > 0 && now.total > written) {
        line_add(&text, ", ");
        add_time(&text, spent * (double)(now.total - written) / (double)written);
        line_add(&text, " left");
    }
    fprintf(stderr, "\r%s\033[K", text.text);
    fflush(stderr);
    now.shown = true;
}
