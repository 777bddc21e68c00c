/* socket_message.c: see socket_message.h. */
#include "posix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "socket_message.h"

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif
#ifndef MSG_CMSG_CLOEXEC
#define MSG_CMSG_CLOEXEC 0
#endif

#define REFUSED_MOST 1000 /* attempts, one each millisecond, while too many descriptors are in flight */

/* The head of a transfer; it carries the descriptors. The messages follow, then their texts. The pointers in the
 * messages mean nothing. Both ends are the same program, but the sender may have been taken over. */
typedef struct {
    uint64_t bytes; /* after the head */
    uint32_t count, open; /* messages; descriptors */
} head;

typedef union {
    struct cmsghdr align;
    char room[CMSG_SPACE(SOCKET_MESSAGES_MOST * sizeof(int))];
} control;

/* ---- Sending ------------------------------------------------------------------------------------------- */

/* Attach the descriptors of the messages. The types of lengths differ between C libraries: socklen_t and uint16_t fit
 * in all of them. */
static void attach(struct msghdr *to, control *with, const socket_message *message, size_t count, uint32_t open)
{
    size_t attached = 0;
    memset(with, 0, sizeof *with);
    to->msg_control = with;
    to->msg_controllen = (socklen_t)CMSG_SPACE(open * sizeof(int));
    struct cmsghdr *rights = CMSG_FIRSTHDR(to);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = (socklen_t)CMSG_LEN(open * sizeof(int));
    for (size_t i = 0; i < count; i++)
        if (message[i].file.fd >= 0)
            memcpy(CMSG_DATA(rights) + attached++ * sizeof(int), &message[i].file.fd, sizeof(int));
}

/* Return whether to send again: after an interruption, or, after a pause, while the user's programs together have too
 * many descriptors in flight. */
static bool sends_again(int error, int *refused)
{
    if (error != ETOOMANYREFS || ++*refused > REFUSED_MOST)
        return error == EINTR;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return true;
}

/* Send all parts. Return errno, or 0. */
static int send_all(int socket, struct msghdr *out)
{
    int refused = 0;
    struct iovec *part = out->msg_iov;
    while (out->msg_iovlen > 0) {
        ssize_t sent = sendmsg(socket, out, MSG_NOSIGNAL);
        if (sent < 0 && sends_again(errno, &refused))
            continue;
        if (sent < 0)
            return errno;
        out->msg_control = NULL;
        out->msg_controllen = 0;
        while (out->msg_iovlen > 0 && (size_t)sent >= part->iov_len) {
            sent -= (ssize_t)part->iov_len;
            out->msg_iov = ++part;
            out->msg_iovlen--;
        }
        if (out->msg_iovlen > 0) {
            part->iov_base = (char *)part->iov_base + sent;
            part->iov_len -= (size_t)sent;
        }
    }
    return 0;
}

int socket_send(int socket, const socket_message *message, size_t count)
{
    control with;
    head first = {.bytes = count * sizeof *message, .count = (uint32_t)count};
    struct iovec part[2 + SOCKET_MESSAGES_MOST] = {{&first, sizeof first},
                                        {(void *)(uintptr_t)message, count * sizeof *message}};
    struct msghdr out = {.msg_iov = part, .msg_iovlen = (uint16_t)(2 + count)};
    for (size_t i = 0; i < count; i++) {
        part[2 + i] = (struct iovec){(void *)(uintptr_t)message[i].text, message[i].size};
        first.bytes += message[i].size;
        first.open += message[i].file.fd >= 0;
    }
    if (first.open > 0)
        attach(&out, &with, message, count, first.open);
    return send_all(socket, &out);
}

/* ---- Receiving ----------------------------------------------------------------------------------------- */

/* Receive exactly count bytes. Return false at the end, or at an error. */
static bool receive_all(int socket, void *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t got = recv(socket, (char *)bytes + done, count - done, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

/* Copy the descriptors that came: at most SOCKET_MESSAGES_MOST, and what the padding has room for. Return how many. */
static size_t take_descriptors(struct msghdr *in, int *fd)
{
    struct cmsghdr *rights = CMSG_FIRSTHDR(in);
    if (rights == NULL || rights->cmsg_level != SOL_SOCKET || rights->cmsg_type != SCM_RIGHTS)
        return 0;
    size_t count = (rights->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(fd, CMSG_DATA(rights), count * sizeof(int));
    return count;
}

/* Receive the head and the descriptors. Return false if there is none or they contradict each other; then the
 * descriptors are closed. */
static bool receive_head(int socket, head *first, int *fd)
{
    struct iovec part = {first, sizeof *first};
    control with;
    struct msghdr in = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &with, .msg_controllen = sizeof with};
    ssize_t got;
    do
        got = recvmsg(socket, &in, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    size_t count = got > 0 ? take_descriptors(&in, fd) : 0;
    if (got > 0 && receive_all(socket, (char *)first + got, sizeof *first - (size_t)got) && first->open == count)
        return true;
    while (count > 0)
        close(fd[--count]);
    return false;
}

/* Set the pointers and descriptors of the messages. Return false if the sizes contradict the head. */
static bool unpack(const head *first, socket_message *message, const int *fd, const char *text)
{
    size_t left = (size_t)first->bytes - first->count * sizeof *message, open = 0;
    memcpy(message, text, first->count * sizeof *message);
    text += first->count * sizeof *message;
    for (size_t i = 0; i < first->count; i++) {
        if (message[i].size > left || (message[i].file.fd >= 0 && open == first->open))
            return false;
        message[i].text = text;
        text += message[i].size;
        left -= message[i].size;
        message[i].file.fd = message[i].file.fd >= 0 ? fd[open++] : -1;
    }
    return left == 0 && open == first->open;
}

size_t socket_receive(int socket, socket_message *message, size_t most, char **text, size_t *room)
{
    head first;
    int fd[sizeof(control) / sizeof(int)];
    if (!receive_head(socket, &first, fd))
        return 0;
    bool fine = first.count > 0 && first.count <= most;
    fine = fine && first.bytes >= first.count * sizeof *message && first.bytes <= SIZE_MAX;
    if (fine && first.bytes > *room) {
        char *grown = realloc(*text, (size_t)first.bytes);
        fine = grown != NULL;
        *text = fine ? grown : *text;
        *room = fine ? (size_t)first.bytes : *room;
    }
    fine = fine && receive_all(socket, *text, (size_t)first.bytes) && unpack(&first, message, fd, *text);
    for (size_t i = 0; i < first.open && !fine; i++)
        close(fd[i]);
    return fine ? first.count : 0;
}
