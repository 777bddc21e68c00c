/* path_patterns.c: which of the files below a directory are judged: --include and --exclude. */
#include "posix.h"

#include <fnmatch.h>
#include <string.h>

#include "host.h"

/* What follows the first part of a path, behind the slash. */
static char *behind(char *path)
{
    size_t length = strcspn(path, "/");
    return path + length + (path[length] == '/');
}

/* One part of a path against one of a pattern. */
static bool part_fits(char *pattern, char *path)
{
    char *ends[2] = {pattern + strcspn(pattern, "/"), path + strcspn(path, "/")}, were[2] = {*ends[0], *ends[1]};
    *ends[0] = *ends[1] = '\0';
    bool fits = fnmatch(pattern, path, 0) == 0;
    *ends[0] = were[0];
    *ends[1] = were[1];
    return fits;
}

/* Part by part; a part ** stands for any number of them, at the end for one or more. If the rest doesn't fit, the last
 * ** takes one part more: no earlier one has to, so that no pattern takes longer than its length times the path's. */
static bool path_fits(char *pattern, char *path)
{
    char *rest = NULL, *tried = NULL; /* of the pattern behind the last **, and of the path */
    while (*path != '\0') {
        if (strcmp(pattern, "**") == 0)
            return true;
        if (strncmp(pattern, "**/", 3) == 0) {
            pattern = rest = pattern + 3;
            tried = path;
        } else if (*pattern != '\0' && part_fits(pattern, path)) {
            pattern = behind(pattern);
            path = behind(path);
        } else if (rest != NULL) {
            pattern = rest;
            path = tried = behind(tried);
        } else {
            return false;
        }
    }
    return *pattern == '\0';
}

/* path[name ..] is the name. A pattern that ends with a slash is for directories. */
static bool matches(char *pattern, char *path, size_t name, bool is_directory)
{
    size_t length = strlen(pattern);
    bool for_directories = length > 0 && pattern[length - 1] == '/';
    bool whole = memchr(pattern, '/', length - for_directories) != NULL;
    if (for_directories && !is_directory)
        return false;
    if (for_directories)
        pattern[length - 1] = '\0';
    bool found = path_fits(pattern + (pattern[0] == '/'), whole ? path : path + name);
    if (for_directories)
        pattern[length - 1] = '/';
    return found;
}

static bool any_matches(char **pattern, size_t count, char *path, size_t name, bool is_directory)
{
    for (size_t i = 0; i < count; i++)
        if (matches(pattern[i], path, name, is_directory))
            return true;
    return false;
}

bool host_chosen(const host_choice *choice, char *path, size_t name, bool is_directory)
{
    static const char suffix[] = ".safetensors";
    size_t length = strlen(path + name), end = sizeof suffix - 1;
    if (any_matches(choice->exclude, choice->excludes, path, name, is_directory))
        return false;
    if (is_directory || any_matches(choice->include, choice->includes, path, name, false))
        return true;
    bool is_file = length >= end && memcmp(path + name + length - end, suffix, end) == 0;
    return choice->includes == 0 && (is_file || host_is_index(path + name));
}
