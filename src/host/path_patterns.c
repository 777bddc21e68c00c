/* path_patterns.c: which of the files below a directory are judged: --include and --exclude. */
#include "posix.h"

#include <fnmatch.h>
#include <string.h>

#include "directory_walk.h"
#include "model_names.h"

/* Return what follows the first part of a path and its slash. */
static char *next_part(char *path)
{
    size_t length = strcspn(path, "/");
    return path + length + (path[length] == '/');
}

/* Return whether the first part of a path matches the first of a pattern. */
static bool part_fits(char *pattern, char *path)
{
    char *ends[2] = {pattern + strcspn(pattern, "/"), path + strcspn(path, "/")}, were[2] = {*ends[0], *ends[1]};
    *ends[0] = *ends[1] = '\0';
    bool fits = fnmatch(pattern, path, 0) == 0;
    *ends[0] = were[0];
    *ends[1] = were[1];
    return fits;
}

/* Match a path part by part. A part ** matches any number of parts, at the end one or more. If the rest does not match,
 * the last ** takes one part more. No earlier ** has to, so the time is at most the product of the two lengths. */
static bool path_fits(char *pattern, char *path)
{
    char *rest = NULL, *tried = NULL; /* of the pattern after the last **, and of the path */
    while (*path != '\0') {
        if (strcmp(pattern, "**") == 0)
            return true;
        if (strncmp(pattern, "**/", 3) == 0) {
            pattern = rest = pattern + 3;
            tried = path;
        } else if (*pattern != '\0' && part_fits(pattern, path)) {
            pattern = next_part(pattern);
            path = next_part(path);
        } else if (rest != NULL) {
            pattern = rest;
            path = tried = next_part(tried);
        } else {
            return false;
        }
    }
    return *pattern == '\0';
}

/* Match a path, of which path[name ..] is the name. A pattern that ends with a slash is for directories. */
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
    if (any_matches(choice->exclude, choice->excludes, path, name, is_directory))
        return false;
    if (is_directory || any_matches(choice->include, choice->includes, path, name, false))
        return true;
    return choice->includes == 0 && (host_is_safetensors(path + name) || host_is_index(path + name));
}
