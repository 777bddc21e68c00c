/* socket_message.h: messages between the parent and its child processes over a socket, several at a time, with a
 * descriptor for each open file. */
#ifndef ASSAY_HOST_SOCKET_MESSAGE_H
#define ASSAY_HOST_SOCKET_MESSAGE_H

#include "pool.h"

#define SOCKET_MESSAGES_MOST 32u /* at a time: a worker may have twice as many descriptors, see sandbox.c */

/* An input for a worker, a file for the process that fetches, or the reply to either's request. */
typedef struct {
    uint64_t id;          /* of a file to fetch, and of the reply */
    bool folder;          /* to a worker: judge a folder. To the process that fetches: fetch all of the file */
    bool remote;          /* it is on a server: request it */
    unsigned ahead;       /* how many remote files of a folder may be fetched in advance */
    host_problem problem; /* in a reply */
    host_file file;       /* fd -1: none is open */
    const char *text;     /* a path; or a folder's name and the names in it; a zero byte after each */
    size_t size;          /* bytes of text */
} socket_message;

/* Send messages: 1 to SOCKET_MESSAGES_MOST. Return errno, or 0. */
int socket_send(int socket, const socket_message *message, size_t count);

/* Wait for messages, and receive at most `most`. *text[*room]: where their texts go; it grows. The caller owns the
 * files. Return how many came; 0: the other end is closed, or what came is not well-formed. */
size_t socket_receive(int socket, socket_message *message, size_t most, char **text, size_t *room);

#endif
