/* credentials.c: finds the endpoint of the Hub and the user's token where huggingface_hub finds them, in its order. */
#include "posix.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "environment.h"
#include "remote_files.h"

const char *remote_endpoint(void)
{
    static char endpoint[1024];
    const char *value = environment_get("HF_ENDPOINT");
    snprintf(endpoint, sizeof endpoint, "%s", value == NULL ? "https://huggingface.co" : value);
    for (size_t length = strlen(endpoint); length > 0 && endpoint[length - 1] == '/'; length--)
        endpoint[length - 1] = '\0';
    return endpoint;
}

/* The sources of a token. The number is the detail of REMOTE_TOKEN_BYTE and REMOTE_TOKEN_LENGTH. */
enum { FROM_HF_TOKEN, FROM_HUB_TOKEN, FROM_TOKEN_PATH, FROM_HF_HOME, FROM_CACHE, FROM_HOME };

static const char *const sources[] = {
    [FROM_HF_TOKEN] = "HF_TOKEN",
    [FROM_HUB_TOKEN] = "HUGGING_FACE_HUB_TOKEN",
    [FROM_TOKEN_PATH] = "the file that HF_TOKEN_PATH names",
    [FROM_HF_HOME] = "the file token in HF_HOME",
    [FROM_CACHE] = "the file huggingface/token in XDG_CACHE_HOME",
    [FROM_HOME] = "the file ~/.cache/huggingface/token",
};

const char *remote_token_source(uint32_t number)
{
    return number < sizeof sources / sizeof *sources ? sources[number] : "";
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* Store the token without the white space around it. Return REMOTE_FINE if it can be sent, or if there is none. */
static remote_problem keep(char *token, size_t room, const char *text, size_t length)
{
    while (length > 0 && is_space(text[length - 1]))
        length--;
    for (; length > 0 && is_space(text[0]); length--)
        text++;
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return REMOTE_TOKEN_BYTE;
    if (length >= room)
        return REMOTE_TOKEN_LENGTH;
    memcpy(token, text, length);
    token[length] = '\0';
    return REMOTE_FINE;
}

/* Store the token of a file. A file that can't be read has none, as for huggingface_hub. */
static remote_problem from_file(char *token, size_t room, const char *path)
{
    char text[1024];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text);
    if (fd >= 0)
        close(fd);
    remote_problem problem = got <= 0 ? REMOTE_FINE : keep(token, room, text, (size_t)got);
    if ((size_t)got == sizeof text && problem == REMOTE_FINE) /* there is more */
        problem = REMOTE_TOKEN_LENGTH;
    memset(text, 0, sizeof text);
    return problem;
}

/* Return whether the user has set HF_HUB_DISABLE_IMPLICIT_TOKEN. */
static bool is_unwanted(void)
{
    static const char *const yes[] = {"1", "ON", "YES", "TRUE"};
    const char *value = environment_get("HF_HUB_DISABLE_IMPLICIT_TOKEN");
    for (size_t i = 0; value != NULL && i < sizeof yes / sizeof *yes; i++)
        if (strcasecmp(value, yes[i]) == 0)
            return true;
    return false;
}

/* Store the path of the file with the token, and which source it is. Return false if no variable names one.
 * path[4096] */
static bool token_file(char *path, uint32_t *source)
{
    const char *named = environment_get("HF_TOKEN_PATH"), *home = environment_get("HF_HOME");
    const char *cache = environment_get("XDG_CACHE_HOME");
    *source = named != NULL ? FROM_TOKEN_PATH : home != NULL ? FROM_HF_HOME : cache != NULL ? FROM_CACHE : FROM_HOME;
    if (*source == FROM_TOKEN_PATH)
        snprintf(path, 4096, "%s", named);
    else if (*source == FROM_HF_HOME)
        snprintf(path, 4096, "%s/token", home);
    else if (*source == FROM_CACHE)
        snprintf(path, 4096, "%s/huggingface/token", cache);
    else if (environment_get("HOME") != NULL)
        snprintf(path, 4096, "%s/.cache/huggingface/token", environment_get("HOME"));
    else
        return false;
    return true;
}

remote_problem remote_token(char *token, size_t room, uint32_t *source)
{
    char path[4096];
    const char *value = environment_get("HF_TOKEN");
    token[0] = '\0';
    *source = value != NULL ? FROM_HF_TOKEN : FROM_HUB_TOKEN;
    value = value != NULL ? value : environment_get("HUGGING_FACE_HUB_TOKEN");
    if (is_unwanted())
        return REMOTE_FINE;
    if (value != NULL)
        return keep(token, room, value, strlen(value));
    return token_file(path, source) ? from_file(token, room, path) : REMOTE_FINE;
}
