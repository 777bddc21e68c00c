/* worker_records.c: what workers write: records, and requests for files. A file may have taken a worker over, so
 * nothing is trusted: records are text without control characters, marks have their positions, and a worker gets only
 * the files of the input that it is at. Records go out in the order of the inputs, which are a ring: those of the first
 * as they come; of the others a bounded part is kept (POOL_KEPT_MOST). */
#include "posix.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pool_state.h"
#include "socket_message.h"
#include "utf8_codec.h"

/* ---- Records in the order of the inputs --------------------------------------------------------------------- */

/* Write text of the first input's records, without marks. */
static void write_text(pool *all, const char *bytes, size_t count)
{
    if (count == 0)
        return;
    all->inside = true;
    all->options.text(all->options.context, bytes, count);
}

/* Pass a mark of the first input's records on. All but the mark of a rule end a record. */
static void write_mark(pool *all, char mark)
{
    if (((unsigned char)mark & POOL_RULE) == 0)
        all->inside = false;
    all->options.end(all->options.context, (pool_mark)(unsigned char)mark);
}

/* Keep bytes of an input whose turn has not come. */
static void keep(pool_slot *slot, const char *bytes, size_t count)
{
    if (slot->problem != HOST_FINE || count == 0)
        return;
    if (slot->length + count > slot->room) {
        size_t room = 2 * (slot->length + count);
        char *text = realloc(slot->text, room);
        if (text == NULL) {
            slot->problem = HOST_MEMORY;
            return;
        }
        slot->text = text;
        slot->room = room;
    }
    memcpy(slot->text + slot->length, bytes, count);
    slot->length += count;
}

/* Add text to the records of an input: write it if this is the first input, otherwise keep it. */
static void add_text(pool *all, pool_slot *slot, const char *bytes, size_t count)
{
    slot->open |= count > 0;
    if (slot == &all->slot[all->first] && slot->problem == HOST_FINE)
        write_text(all, bytes, count);
    else
        keep(slot, bytes, count);
}

/* The same with a mark. */
static void add_mark(pool *all, pool_slot *slot, char mark)
{
    char pair[2] = {'\0', mark};
    slot->open = ((unsigned char)mark & POOL_RULE) != 0;
    slot->records += !slot->open;
    if (slot == &all->slot[all->first] && slot->problem == HOST_FINE)
        write_mark(all, mark);
    else
        keep(slot, pair, 2);
}

void worker_records_finish(pool *all, pool_slot *slot)
{
    fetch_queue_drop(all, slot);
    if (slot->file.fd >= 0)
        close(slot->file.fd);
    slot->file.fd = -1;
    slot->done = true;
}

void worker_records_fail(pool *all, pool_slot *slot, host_problem problem, int system)
{
    worker_records_finish(all, slot);
    slot->problem = problem;
    slot->system = system;
}

/* Write what was kept, text and marks. */
static void write_kept(pool *all, pool_slot *slot)
{
    for (size_t next = 0; next < slot->length;) {
        const char *end = memchr(slot->text + next, '\0', slot->length - next);
        size_t count = end == NULL ? slot->length - next : (size_t)(end - slot->text) - next;
        write_text(all, slot->text + next, count);
        next += count;
        if (end != NULL) {
            write_mark(all, slot->text[next + 1]);
            next += 2;
        }
    }
    slot->length = 0;
}

/* Return the path under which an input is reported: of an index that the user named, the index's. */
static const char *reported_path(const pool_slot *slot)
{
    static char path[POOL_REQUEST_MOST];
    if (!slot->named)
        return slot->path;
    snprintf(path, sizeof path, "%s%s", slot->path, slot->path + strlen(slot->path) + 1);
    return path;
}

void worker_records_write(pool *all)
{
    while (all->count > 0 && (*all->stop == 0 || all->inside)) {
        pool_slot *slot = &all->slot[all->first];
        if (slot->problem == HOST_FINE)
            write_kept(all, slot);
        if (!slot->done)
            return;
        if (slot->problem != HOST_FINE)
            all->options.problem(all->options.context, reported_path(slot), slot->problem, slot->system);
        all->inside = false;
        free(slot->path);
        free(slot->query);
        slot->path = slot->query = NULL;
        if (slot->room > POOL_KEPT_MOST) {
            free(slot->text);
            slot->text = NULL;
            slot->room = 0;
        }
        all->first = (all->first + 1) % all->slots;
        all->count--;
    }
}

/* ---- Text ---------------------------------------------------------------------------------------------- */

/* Return the length of the escape sequence that begins here, or 0 if it is none that is allowed. ESC [ 3 DIGIT m sets
 * the color of a word, ESC [ 0 m ends that; a terminal obeys nothing else that a worker writes. */
static size_t color_sequence(const uint8_t *bytes, size_t count)
{
    size_t length = count > 2 && bytes[2] == '0' ? 4 : 5;
    for (size_t i = 1; i < length && i < count; i++) {
        uint8_t byte = bytes[i];
        bool fits = i == 1            ? byte == '['
                    : i == 2          ? byte == '3' || byte == '0'
                    : i + 1 == length ? byte == 'm'
                                      : byte >= '0' && byte <= '7';
        if (!fits)
            return 0;
    }
    return length;
}

/* Return the length of the character, or color sequence, that begins here. 0: it is not allowed. More than count: its
 * end has not come yet. Allowed is well-formed UTF-8 without control characters of one byte, but '\n', or of two bytes
 * (U+0080 to U+009F). */
static size_t character_length(const uint8_t *bytes, size_t count, bool color)
{
    uint8_t lead = bytes[0];
    if (lead < 0x80)
        return lead == 0x1B && color ? color_sequence(bytes, count) : lead == '\n' || (lead >= 0x20 && lead != 0x7F);
    uint32_t code = 0;
    size_t length = utf8_read(bytes, count, &code);
    if (length > 0 && length <= count && code < 0xA0)
        return 0;
    return length;
}

/* Move *next past all text, to a zero byte or an incomplete character. Return false if a byte is not allowed. */
static bool skip_text(const char *bytes, size_t count, bool color, size_t *next)
{
    while (*next < count && bytes[*next] != '\0') {
        size_t length = character_length((const uint8_t *)bytes + *next, count - *next, color);
        if (length == 0)
            return false;
        if (length > count - *next)
            return true;
        *next += length;
    }
    return true;
}

/* ---- Marks --------------------------------------------------------------------------------------------- */

/* Take a mark. Return false if it is not a mark, or not allowed here. */
static bool take_mark(pool *all, pool_worker *worker, pool_slot *slot, char mark)
{
    bool rule = ((unsigned char)mark & POOL_RULE) != 0;
    if (mark == POOL_DONE) {
        if (slot->records == 0 || slot->open)
            return false;
        worker_records_finish(all, slot);
        worker->load -= slot->weight;
        worker->slots--;
        worker->sent--;
        memmove(worker->slot, worker->slot + 1, worker->slots * sizeof *worker->slot);
        worker_records_write(all);
        return true;
    }
    if (mark == POOL_REQUEST) {
        worker->in_request = slot->may_request;
        return worker->in_request;
    }
    if (!rule && mark != POOL_VALID && mark != POOL_INVALID && mark != POOL_REFUSED && mark != POOL_NOTE &&
        mark != POOL_ERROR)
        return false;
    add_mark(all, slot, mark);
    return true;
}

/* ---- Requests for files -------------------------------------------------------------------------------- */

/* Return the name at the end of a path if it is one of the names of the slot's folder, else NULL. The names of a local
 * folder are sorted, so the search is binary; a remote folder has at most two. */
static const char *find_name(const pool_slot *slot, const char *path)
{
    size_t folder = strlen(slot->path), low = folder + 1, high = slot->size;
    const char *name = path + folder;
    if (strncmp(path, slot->path, folder) != 0)
        return NULL;
    for (size_t pos = low; slot->remote && pos < high; pos += strlen(slot->path + pos) + 1)
        if (strcmp(slot->path + pos, name) == 0)
            return name;
    while (!slot->remote && low < high) {
        size_t pos = low + (high - low) / 2;
        while (pos > low && slot->path[pos - 1] != '\0')
            pos--;
        int order = strcmp(slot->path + pos, name);
        if (order == 0)
            return name;
        if (order > 0)
            high = pos;
        else
            low = pos + strlen(slot->path + pos) + 1;
    }
    return NULL;
}

/* Queue a remote file that a worker requests: the input itself, its index, a shard, or one of the names. Return false
 * if it is none of these. */
static bool request_remote(pool *all, const pool_slot *slot, char kind, const char *path)
{
    size_t length = strlen(slot->path);
    const char *below = path + length;
    if (strncmp(path, slot->path, length) != 0)
        return false;
    bool allowed = slot->folder ? kind == POOL_REQUEST_SHARD || kind == POOL_REQUEST_PREFETCH || find_name(slot, path)
                                : below[0] == '\0' || strcmp(below, HOST_INDEX_SUFFIX) == 0;
    bool is_index = slot->folder && kind == POOL_REQUEST_FILE && host_is_index(below);
    return allowed && fetch_queue_add(all, slot, below, is_index, kind != POOL_REQUEST_PREFETCH);
}

/* Open a file of a local folder that a worker requests, and send it. Return false if it is not part of the folder, or
 * cannot be sent. */
static bool request_local(const pool_worker *worker, const pool_slot *slot, char kind, const char *path)
{
    socket_message message = {.file = {.fd = -1, .size = ASSAY_NONE}, .text = "", .size = 0};
    const char *name = kind == POOL_REQUEST_SHARD ? NULL : find_name(slot, path);
    bool below = strncmp(path, slot->path, strlen(slot->path)) == 0;
    if (!slot->folder || !below || (kind != POOL_REQUEST_SHARD && name == NULL))
        return false;
    if (kind == POOL_REQUEST_SHARD)
        message.problem = host_open_inside(&message.file, slot->file.fd, slot->path, path);
    else if (slot->file.fd >= 0)
        message.problem = host_open(&message.file, slot->file.fd, name);
    else
        message.problem = host_open(&message.file, AT_FDCWD, path);
    if (name != NULL && message.problem == HOST_FINE && slot->file.fd >= 0)
        message.file.beside = host_index_beside(slot->file.fd, name);
    int error = socket_send(worker->socket, &message, 1);
    if (message.file.fd >= 0)
        close(message.file.fd);
    return error == 0;
}

/* Take the bytes of a request, and fulfill it at its end. Return how many bytes belong to it; 0 if the worker may not
 * request this. */
static size_t take_request(pool *all, pool_worker *worker, const pool_slot *slot, const char *bytes, size_t count)
{
    const char *end = memchr(bytes, '\0', count);
    size_t length = end == NULL ? count : (size_t)(end + 1 - bytes);
    if (length > POOL_REQUEST_MOST - worker->request_size)
        return 0;
    memcpy(worker->request + worker->request_size, bytes, length);
    worker->request_size += length;
    if (end == NULL)
        return length;
    char kind = worker->request[0];
    const char *path = worker->request + 1;
    bool fine = worker->request_size > 2 && (slot->remote ? request_remote(all, slot, kind, path)
                                                          : request_local(worker, slot, kind, path));
    worker->in_request = false;
    worker->request_size = 0;
    return fine ? length : 0;
}

/* ---- All of it ----------------------------------------------------------------------------------------- */

bool worker_records_take(pool *all, pool_worker *worker, const char *bytes, size_t count)
{
    worker->held_size = 0;
    for (size_t next = 0; next < count && (*all->stop == 0 || all->inside);) {
        size_t begin = next;
        if (worker->sent == 0)
            return false;
        pool_slot *slot = &all->slot[worker->slot[0]];
        if (worker->in_request) {
            next += take_request(all, worker, slot, bytes + begin, count - begin);
            if (next == begin)
                return false;
        } else if (worker->in_mark) {
            worker->in_mark = false;
            if (!take_mark(all, worker, slot, bytes[next++]))
                return false;
        } else {
            if (!skip_text(bytes, count, all->options.color, &next))
                return false;
            add_text(all, slot, bytes + begin, next - begin);
            worker->in_mark = next < count && bytes[next] == '\0';
            next += worker->in_mark;
            if (next == begin) { /* an incomplete character */
                worker->held_size = count - next;
                memcpy(worker->held, bytes + next, worker->held_size);
                return true;
            }
        }
    }
    return true;
}
