/* part.c: see part.h. */
#include "posix.h"

#include "part.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file of a set. */
typedef struct {
    const char *path;
    size_t stem; /* where NUMBER begins, after the - */
    int digits;  /* of NUMBER */
    uint64_t number, count;
} part;

#define NUMBER_MOST UINT64_C(1000000000000000000)

/* The number that begins there; NUMBER_MOST if it is larger. */
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

/* Are they of one set? */
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

/* Is that number of the set in the folder, though it was not chosen? path: its room, and then its path. */
static bool is_there(const folder_hooks *hooks, const part *like, uint64_t number, char *path)
{
    host_file file = {.fd = -1};
    memcpy(path, like->path, like->stem);
    sprintf(path + like->stem, "%0*" PRIu64 "%s", like->digits, number, like->path + like->stem + like->digits);
    host_problem problem = hooks->open(hooks->context, path, true, &file);
    if (file.fd >= 0)
        close(file.fd);
    return problem != HOST_DIRECTORY && (problem != HOST_OPEN || (file.system != ENOENT && file.system != ENOTDIR));
}

/* The first number from `first` to `last` that is not there; last + 1: all are. path: where its path goes. */
static uint64_t find_gap(const folder_hooks *hooks, const part *of, size_t parts, uint64_t first, uint64_t last,
                         char *path)
{
    uint64_t next = first;
    for (size_t i = 0; i <= parts && next <= last; i++) {
        uint64_t number = i < parts && of[i].number <= last ? of[i].number : last + 1;
        while (next < number)
            if (!is_there(hooks, &of[0], next++, path))
                return next - 1;
        next = number == next ? next + 1 : next;
    }
    return last + 1;
}

/* One set: of[0 .. parts), by their numbers. One that begins with 0 ends one before its count, or with it. */
static void judge_set(const folder_hooks *hooks, const part *of, size_t parts, char *path)
{
    uint64_t first = of[0].number == 0 ? 0 : 1, last = of[0].count, found = 0;
    if (first == 0 && of[parts - 1].number != last && last > 0)
        last--;
    if (last < first || find_gap(hooks, of, parts, first, last, path) > last)
        return;
    for (size_t i = 0; i < parts; i++)
        found += of[i].number <= last && (i == 0 || of[i].number != of[i - 1].number);
    finding what = finding_about(path);
    what.rule = rule_by_code(MODEL_PART_MISSING);
    what.expected = last - first + 1;
    what.found = found;
    hooks->finding(hooks->context, &what);
}

bool part_judge_all(const folder_hooks *hooks, const char *name, char *const *path, size_t count,
                    const name_uses *stems)
{
    size_t parts = 0, folder = strlen(name), longest = 0;
    part *of = malloc((count + 1) * sizeof *of);
    for (size_t i = 0; i < count && of != NULL; i++) {
        const char *file = path[i] + folder;
        size_t size = strlen(file), stem = host_is_part(file) ? model_stem((const uint8_t *)file, (uint32_t)size) : 0;
        if (stem == 0 || name_uses_has(stems, NAME_STEM, file, stem))
            continue;
        part *one = &of[parts++];
        int digits;
        *one = (part){.path = path[i], .stem = folder + stem + 1};
        one->number = number_at(path[i] + one->stem, &one->digits);
        one->count = number_at(path[i] + one->stem + one->digits + strlen("-of-"), &digits);
        longest = size > longest ? size : longest;
    }
    char *room = of == NULL ? NULL : malloc(folder + longest + 32);
    if (parts > 0 && room != NULL)
        qsort(of, parts, sizeof *of, compare);
    for (size_t i = 0, end; i < parts && room != NULL; i = end) {
        for (end = i + 1; end < parts && compare_sets(&of[i], &of[end]) == 0;)
            end++;
        if (!hooks->stopped(hooks->context))
            judge_set(hooks, &of[i], end - i, room);
    }
    bool fine = room != NULL;
    free(of);
    free(room);
    return fine;
}
