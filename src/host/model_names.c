/* model_names.c: names by which loaders choose: the index of a model, STEM.safetensors.index.json, and the model in one
 * file, STEM.safetensors. With a variant: STEM.safetensors.index.VARIANT.json and STEM.VARIANT.safetensors. */
#include "posix.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "model_names.h"

#define VARIANT_PARTS 3u /* the most parts, between dots, of a variant that is looked for */

static const char mark[] = ".safetensors.index.", suffix[] = ".safetensors", json[] = "json";

/* Return the name at the end of a path. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

bool host_is_safetensors(const char *path)
{
    static const char *const suffixes[] = {suffix, ".sft"};
    size_t length = strlen(path);
    for (int i = 0; i < 2; i++) {
        size_t end = strlen(suffixes[i]);
        if (length >= end && strcasecmp(path + length - end, suffixes[i]) == 0)
            return true;
    }
    return false;
}

bool host_is_index(const char *path)
{
    static const char end[] = ".json";
    const char *name = name_of(path);
    size_t length = strlen(name), end_length = sizeof end - 1;
    return length >= end_length && strcmp(name + length - end_length, end) == 0 && strstr(name, mark) != NULL;
}

bool host_is_part(const char *name)
{
    static const char *const after[] = {suffix, "-of-", "-"};
    size_t size = strlen(name);
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(after[i]), before = size;
        while (i > 0 && size > 0 && name[size - 1] >= '0' && name[size - 1] <= '9')
            size--;
        if ((i > 0 && size == before) || size < length || memcmp(name + size - length, after[i], length) != 0)
            return false;
        size -= length;
    }
    return size > 0;
}

bool host_single_path(const char *index, char *path)
{
    const char *name = name_of(index), *at = strstr(name, mark);
    if (!host_is_index(index) || at == NULL)
        return false;
    const char *variant = at + strlen(mark);
    size_t before = (size_t)(at - index), length = strlen(variant) - strlen(json);
    memcpy(path, index, before);
    if (length > 0) /* "VARIANT." */
        path[before++] = '.';
    memcpy(path + before, variant, length);
    before += length - (length > 0);
    strcpy(path + before, suffix);
    return true;
}

/* Return the value of a hexadecimal digit, or -1. */
static int digit_of(char byte)
{
    const char *digits = "0123456789abcdefABCDEF", *at = byte == '\0' ? NULL : strchr(digits, byte);
    return at == NULL ? -1 : (int)(at - digits) - (at - digits > 15 ? 6 : 0);
}

void host_unescape(char *path)
{
    char *to = path + (name_of(path) - path);
    for (const char *from = to; *from != '\0'; to++) {
        int high = *from == '%' ? digit_of(from[1]) : -1, low = high < 0 ? -1 : digit_of(from[2]);
        *to = low < 0 ? *from : (char)(16 * high + low);
        from += low < 0 ? 1 : 3;
    }
    *to = '\0';
}

static bool is_file(int directory, const char *path)
{
    struct stat status;
    return fstatat(directory, path, &status, 0) == 0 && S_ISREG(status.st_mode);
}

host_beside host_index_beside(int directory, const char *path)
{
    char index[4200];
    const char *name = name_of(path);
    size_t length = strlen(path), end = strlen(suffix), before = (size_t)(name - path);
    if (length < before + end || length + sizeof mark + sizeof json > sizeof index ||
        strcmp(path + length - end, suffix) != 0)
        return HOST_NONE_BESIDE;
    size_t stem = length - end;
    snprintf(index, sizeof index, "%.*s%s%s", (int)stem, path, mark, json);
    if (is_file(directory, index))
        return HOST_INDEX_BESIDE;
    for (size_t dot = stem, dots = 0; dot-- > before && dots < VARIANT_PARTS;) {
        if (path[dot] != '.')
            continue;
        dots++;
        int rest = (int)(stem - dot - 1);
        snprintf(index, sizeof index, "%.*s%s%.*s.%s", (int)dot, path, mark, rest, path + dot + 1, json);
        if (is_file(directory, index))
            return HOST_INDEX_BESIDE;
    }
    return HOST_NONE_BESIDE;
}
