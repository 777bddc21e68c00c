/* token.c: where the Hub is, and who asks: from the places where huggingface_hub looks, in its order. */
#include "posix.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "remote.h"

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value == NULL || value[0] == '\0' ? NULL : value;
}

const char *remote_endpoint(void)
{
    static char endpoint[1024];
    const char *value = variable("HF_ENDPOINT");
    snprintf(endpoint, sizeof endpoint, "%s", value == NULL ? "https://huggingface.co" : value);
    for (size_t length = strlen(endpoint); length > 0 && endpoint[length - 1] == '/'; length--)
        endpoint[length - 1] = '\0';
    return endpoint;
}

/* A token without the white space around it; false: it is none, or could not stand in a header. */
static bool keep(char *token, size_t room, const char *text, size_t length)
{
    static const char space[] = " \t\r\n";
    while (length > 0 && strchr(space, text[length - 1]) != NULL)
        length--;
    for (; length > 0 && strchr(space, text[0]) != NULL; length--)
        text++;
    if (length == 0 || length >= room)
        return false;
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return false;
    memcpy(token, text, length);
    token[length] = '\0';
    return true;
}

static bool from_file(char *token, size_t room, const char *path)
{
    char text[1024];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text);
    if (fd >= 0)
        close(fd);
    return got > 0 && (size_t)got < sizeof text && keep(token, room, text, (size_t)got);
}

/* Does its user not want the token to be sent unasked? */
static bool is_unwanted(void)
{
    static const char *const yes[] = {"1", "ON", "YES", "TRUE"};
    const char *value = variable("HF_HUB_DISABLE_IMPLICIT_TOKEN");
    for (size_t i = 0; value != NULL && i < sizeof yes / sizeof *yes; i++)
        if (strcasecmp(value, yes[i]) == 0)
            return true;
    return false;
}

bool remote_token(char *token, size_t room)
{
    char path[4096];
    const char *said = variable("HF_TOKEN"), *home = variable("HF_HOME"), *cache = variable("XDG_CACHE_HOME");
    if (is_unwanted())
        return false;
    if (said == NULL)
        said = variable("HUGGING_FACE_HUB_TOKEN");
    if (said != NULL)
        return keep(token, room, said, strlen(said));
    const char *file = variable("HF_TOKEN_PATH");
    if (file != NULL)
        return from_file(token, room, file);
    if (home != NULL)
        snprintf(path, sizeof path, "%s/token", home);
    else if (cache != NULL)
        snprintf(path, sizeof path, "%s/huggingface/token", cache);
    else if (variable("HOME") != NULL)
        snprintf(path, sizeof path, "%s/.cache/huggingface/token", variable("HOME"));
    else
        return false;
    return from_file(token, room, path);
}
