/* wire.h: how work comes to a worker: messages over a socket, several at a time, with a descriptor for each open
 * file. */
#ifndef ASSAY_HOST_WIRE_H
#define ASSAY_HOST_WIRE_H

#include "pool.h"

#define WIRE_MOST 32u /* messages at a time: a worker may have twice as many descriptors, see sandbox.c */

typedef struct {
    uint64_t id;          /* of what is asked of a process that fetches, and of its answer */
    bool folder;          /* judge a folder; else the file. Fetch all of it; else its head */
    bool afar;            /* it is on a server: ask for the file too */
    unsigned ahead;       /* so many files of a folder may be wanted before they are asked for */
    host_problem problem; /* of a file that was asked for */
    host_file file;       /* fd -1: none is open */
    const char *text;     /* a path; or a folder's name and the names in it; a zero byte behind each */
    size_t size;
} wire_message;

/* errno, or 0. */
int wire_send(int socket, const wire_message *message, size_t count);

/* Gives how many came, at most so many. text: where the texts go; *room grows. 0: there will be no more, or they can't
 * be received. */
size_t wire_receive(int socket, wire_message *message, size_t most, char **text, size_t *room);

#endif
