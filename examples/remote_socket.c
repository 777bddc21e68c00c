/* Judge a safetensors file at http://HOST[:PORT]/PATH with only a socket, before it is downloaded.
 *   cc -Iinclude examples/remote_socket.c build/libassay.a */
#define _POSIX_C_SOURCE 200809L
#include <netdb.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "remote.h"

typedef struct {
    char host[256], port[8], path[2048];
} address;

/* Parse http://HOST[:PORT]/PATH, without blanks or anything else that could end a line of the request. */
static bool read_address(const char *text, address *to)
{
    int end = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at <= ' ' || *at > '~') {
            return false;
        }
    }
    if (sscanf(text, "http://%255[^:/]%n", to->host, &end) != 1) {
        return false;
    }
    text += end;
    strcpy(to->port, "80");
    if (sscanf(text, ":%7[0-9]%n", to->port, &end) == 1) {
        text += end;
    }
    strncpy(to->path, text, sizeof to->path - 1);
    return text[0] == '/' && strlen(text) < sizeof to->path;
}

/* SIGALRM: waiting for a name, a connection or a byte has taken too long. */
static void too_late(int number)
{
    static const char said[] = "not judged: the server is too slow\n";
    (void)number;
    _exit(write(STDOUT_FILENO, said, sizeof said - 1) > 0 ? 2 : 3);
}

static FILE *connect_to(const address *to)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    int sock = -1;
    if (getaddrinfo(to->host, to->port, &hints, &found) != 0) {
        return NULL;
    }
    for (struct addrinfo *one = found; one != NULL && sock < 0; one = one->ai_next) {
        sock = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
        if (sock >= 0 && connect(sock, one->ai_addr, one->ai_addrlen) != 0) {
            close(sock);
            sock = -1;
        }
    }
    freeaddrinfo(found);
    return sock < 0 ? NULL : fdopen(sock, "r+");
}

/* Read the response's lines, up to the empty one. Return NULL, or what failed. */
static const char *read_lines(FILE *server, remote *r)
{
    char line[256];
    size_t length;
    do {
        int byte = 0;
        for (length = 0; length < sizeof line && byte != '\n' && (byte = getc(server)) != EOF; length++) {
            line[length] = (char)byte;
        }
        if (length == 0 || !remote_line(r, line, length)) {
            return "the server ends the connection";
        }
        if (length > 18 && strncasecmp(line, "transfer-encoding:", 18) == 0) {
            return "the server sends chunks, which HTTP/1.0 does not have";
        }
    } while (line[0] != '\n' && line[0] != '\r');
    return NULL;
}

/* HTTP/1.0 has no chunks, and the response ends with the connection. Redirects are not followed. */
static const char *fetch(void *self, remote *r)
{
    const address *to = self;
    char bytes[4096];
    size_t length = 1;
    alarm(REMOTE_SECONDS);
    FILE *server = connect_to(to);
    if (server == NULL) {
        return "no connection to the server";
    }
    fprintf(server, "GET %s HTTP/1.0\r\nHost: %s:%s\r\n", to->path, to->host, to->port);
    fprintf(server, "Range: bytes=0-%" PRIu64 "\r\n\r\n", r->want - 1);
    fflush(server);
    const char *failed = read_lines(server, r);
    while (failed == NULL && length > 0 && remote_left(r) > 0) {
        length = fread(bytes, 1, remote_left(r) < sizeof bytes ? (size_t)remote_left(r) : sizeof bytes, server);
        length = remote_body(r, bytes, length) ? length : 0;
    }
    fclose(server);
    alarm(0);
    return failed;
}

int main(int argc, char **argv)
{
    address to = {"", "", ""};
    if (argc != 2 || !read_address(argv[1], &to)) {
        fputs("remote_socket http://HOST[:PORT]/PATH\n", stderr);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGALRM, too_late);
    return remote_judge(fetch, &to);
}
