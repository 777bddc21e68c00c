/* numbered_files.c: see numbered_files.h. */
#include "posix.h"

#include "numbered_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "merge_sort.h"

/* A file of a set. */
typedef struct {
    const char *path;
    size_t stem; /* where NUMBER begins, after the - */
    int digits;  /* of NUMBER */
    uint64_t number, count;
} part;

#define NUMBER_MOST UINT64_C(1000000000000000000)
#define LOOKUPS_MOST 65535u /* in a folder, and one for each of its files */

/* Of one folder. */
typedef struct {
    const folder_hooks *hooks;
    char *path;       /* room for the path of a file that is looked for */
    uint64_t lookups; /* how many files may still be looked for */
} search;

typedef enum { PART_THERE, PART_GONE, PART_UNKNOWN } part_state;

/* Return the number that begins here, at most NUMBER_MOST, and store how many digits it has. */
static uint64_t number_at(const char *text, int *digits)
{
    uint64_t value = 0;
    for (*digits = 0; text[*digits] >= '0' && text[*digits] <= '9'; ++*digits) {
        uint64_t digit = (uint64_t)(text[*digits] - '0');
        value = value >= NUMBER_MOST / 10 ? NUMBER_MOST : 10 * value + digit;
    }
    return value;
}

static int by_number(uint64_t left, uint64_t right)
{
    return (left > right) - (left < right);
}

/* Order two files by their sets. Return 0 if they are of one set. */
static int compare_sets(const part *a, const part *b)
{
    int order = memcmp(a->path, b->path, a->stem < b->stem ? a->stem : b->stem);
    order = order != 0 ? order : by_number(a->stem, b->stem);
    return order != 0 ? order : by_number(a->count, b->count);
}

static int compare(const void *left, const void *right)
{
    const part *a = left, *b = right;
    int order = compare_sets(a, b);
    order = order != 0 ? order : by_number(a->number, b->number);
    return order != 0 ? order : strcmp(a->path, b->path);
}

/* Report that the file at the search's path can't be looked for. */
static part_state report_unknown(const search *of, host_problem problem, int system)
{
    finding what = finding_about(of->path);
    what.problem = problem == HOST_OPEN ? HOST_PART : problem;
    what.system = system;
    of->hooks->finding(of->hooks->context, &what);
    return PART_UNKNOWN;
}

/* Is that number of the set in the folder, though it was not chosen? Its path goes to the search's. A name that is too
 * long for the system, and longer than one that is there, is not there. */
static part_state look_for(search *of, const part *like, uint64_t number)
{
    host_file file = {.fd = -1};
    memcpy(of->path, like->path, like->stem);
    sprintf(of->path + like->stem, "%0*" PRIu64 "%s", like->digits, number, like->path + like->stem + like->digits);
    if (of->lookups == 0)
        return report_unknown(of, HOST_PARTS, 0);
    of->lookups--;
    host_problem problem = of->hooks->open(of->hooks->context, of->path, true, &file);
    if (file.fd >= 0)
        close(file.fd);
    switch (problem) {
    case HOST_FINE:
    case HOST_FIFO:
    case HOST_DEVICE:
    case HOST_SOCKET:
    case HOST_OUTSIDE:
        return PART_THERE;
    case HOST_DIRECTORY:
        return PART_GONE;
    case HOST_OPEN:
        if (file.system == ENOENT || file.system == ENOTDIR)
            return PART_GONE;
        if (file.system == ENAMETOOLONG && strlen(of->path) > strlen(like->path))
            return PART_GONE;
        return report_unknown(of, problem, file.system);
    default:
        return report_unknown(of, problem, file.system);
    }
}

/* Look for the numbers from `first` to `last` that were not chosen, until one is not there: its path is then the
 * search's. PART_THERE: all are. At most one question for each of them that is there, and one more. */
static part_state find_gap(search *in, const part *of, size_t parts, uint64_t first, uint64_t last)
{
    uint64_t next = first;
    for (size_t i = 0; i <= parts && next <= last; i++) {
        uint64_t number = i < parts && of[i].number <= last ? of[i].number : last + 1;
        while (next < number) {
            part_state state = look_for(in, &of[0], next++);
            if (state != PART_THERE)
                return state;
        }
        next = number == next ? next + 1 : next;
    }
    return PART_THERE;
}

/* One set: of[0 .. parts), by their numbers. One that begins with 0 ends one before its count, or with it. */
static void judge_set(search *in, const part *of, size_t parts)
{
    uint64_t first = of[0].number == 0 ? 0 : 1, last = of[0].count, found = 0;
    if (first == 0 && of[parts - 1].number != last && last > 0)
        last--;
    if (last < first || find_gap(in, of, parts, first, last) != PART_GONE)
        return;
    for (size_t i = 0; i < parts; i++)
        found += of[i].number <= last && (i == 0 || of[i].number != of[i - 1].number);
    finding what = finding_about(in->path);
    what.rule = rule_by_code(MODEL_PART_MISSING);
    what.expected = last - first + 1;
    what.found = found;
    in->hooks->finding(in->hooks->context, &what);
}

bool numbered_files_judge(const folder_hooks *hooks, const char *name, char *const *path, size_t count,
                          const name_table *stems)
{
    size_t parts = 0, folder = strlen(name), longest = 0;
    part *of = malloc((2 * count + 1) * sizeof *of); /* half of it for the sort */
    for (size_t i = 0; i < count && of != NULL; i++) {
        const char *file = path[i] + folder;
        size_t size = strlen(file), stem = host_is_part(file) ? model_stem((const uint8_t *)file, (uint32_t)size) : 0;
        if (stem == 0 || name_table_has(stems, NAME_STEM, file, stem))
            continue;
        part *one = &of[parts++];
        int digits;
        *one = (part){.path = path[i], .stem = folder + stem + 1};
        one->number = number_at(path[i] + one->stem, &one->digits);
        one->count = number_at(path[i] + one->stem + one->digits + strlen("-of-"), &digits);
        longest = size > longest ? size : longest;
    }
    search in = {.hooks = hooks, .path = of == NULL ? NULL : malloc(folder + longest + 32)};
    in.lookups = count + LOOKUPS_MOST;
    if (parts > 0 && in.path != NULL)
        merge_sort(of, of + parts, parts, sizeof *of, compare);
    for (size_t i = 0, end; i < parts && in.path != NULL; i = end) {
        for (end = i + 1; end < parts && compare_sets(&of[i], &of[end]) == 0;)
            end++;
        if (!hooks->stopped(hooks->context))
            judge_set(&in, &of[i], end - i);
    }
    bool fine = in.path != NULL;
    free(of);
    free(in.path);
    return fine;
}
