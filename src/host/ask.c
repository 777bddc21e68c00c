/* ask.c: the judge of a folder can open nothing: it asks for a file, and gets it if it is part of the folder. */
#include "posix.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "pool_parts.h"
#include "wire.h"

/* By halves: the names of a folder on this machine are in order. Of one on a server there are two at most. */
const char *ask_name(const pool_slot *slot, const char *path)
{
    size_t folder = strlen(slot->path), low = folder + 1, high = slot->size;
    const char *name = path + folder;
    if (strncmp(path, slot->path, folder) != 0)
        return NULL;
    for (size_t at = low; slot->afar && at < high; at += strlen(slot->path + at) + 1)
        if (strcmp(slot->path + at, name) == 0)
            return name;
    while (!slot->afar && low < high) {
        size_t at = low + (high - low) / 2;
        while (at > low && slot->path[at - 1] != '\0')
            at--;
        int order = strcmp(slot->path + at, name);
        if (order == 0)
            return name;
        if (order > 0)
            high = at;
        else
            low = at + strlen(slot->path + at) + 1;
    }
    return NULL;
}

/* Opens what a worker has asked for, if it is part of the folder that it judges. False: it has no right to it. */
static bool answer(pool *all, pool_worker *worker, pool_slot *slot)
{
    wire_message message = {.file = {.fd = -1, .size = ASSAY_NONE}, .text = "", .size = 0};
    const char *path = worker->ask + 1, *name = worker->ask[0] == 's' ? NULL : ask_name(slot, path);
    if (slot->afar)
        return afar_ask(all, slot, worker->ask[0], path);
    bool below = strncmp(path, slot->path, strlen(slot->path)) == 0;
    if (!slot->folder || !below || (worker->ask[0] != 's' && name == NULL))
        return false;
    if (worker->ask[0] == 's')
        message.problem = host_open_inside(&message.file, slot->file.fd, slot->path, path);
    else if (slot->file.fd >= 0)
        message.problem = host_open(&message.file, slot->file.fd, name);
    else
        message.problem = host_open(&message.file, AT_FDCWD, path);
    if (name != NULL && message.problem == HOST_FINE && slot->file.fd >= 0)
        message.file.beside = host_index_beside(slot->file.fd, name);
    int error = wire_send(worker->socket, &message, 1);
    if (message.file.fd >= 0)
        close(message.file.fd);
    return error == 0;
}

/* Takes what belongs to a question, up to its end; gives how many bytes that are, or 0 if it can't be one. */
size_t ask_take(pool *all, pool_worker *worker, pool_slot *slot, const char *bytes, size_t count)
{
    const char *end = memchr(bytes, '\0', count);
    size_t length = end == NULL ? count : (size_t)(end + 1 - bytes);
    if (length > POOL_ASK_MOST - worker->asked)
        return 0;
    memcpy(worker->ask + worker->asked, bytes, length);
    worker->asked += length;
    if (end == NULL)
        return length;
    worker->asks = false;
    bool fine = worker->asked > 2 && answer(all, worker, slot);
    worker->asked = 0;
    return fine ? length : 0;
}
