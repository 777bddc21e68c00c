/* command_make.c: assay make. A process without the right to write reads the list and makes the head; this one copies
 * the data from the files that the list names. */
#include "posix.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay_text.h"
#include "escaped_text.h"
#include "line_buffer.h"
#include "make_list.h"
#include "report.h"
#include "write_out.h"

#define LIST_MOST 100000000u /* bytes */

typedef struct {
    const command_line *line;
    uint8_t *bytes; /* the list */
    uint64_t size;
    make_list list;
} maker;

static int refuse(const maker *of, const char *why)
{
    fputs("assay: ", stderr);
    text_path(stderr, TEXT_QUOTED, of->line->operand[0]);
    fprintf(stderr, ": %s\n", why);
    return EXIT_ERROR;
}

/* Report why there is no head, and which tensor or pair is to blame. */
static int wrong_description(const maker *of, assay_status status, const assay_error *error)
{
    char text[300];
    line_buffer line = {.length = 0};
    const new_head *head = &of->list.head;
    assay_error_format(text, sizeof text, error);
    line_add(&line, status == ASSAY_WORKSPACE ? "not enough memory" : text);
    bool tensor = (error->has & ASSAY_HAS_TENSOR) != 0 && error->tensor < head->tensors;
    bool pair = !tensor && (error->has & ASSAY_HAS_OTHER) != 0 && error->other < head->pairs;
    if (tensor || pair) {
        const assay_chars name = tensor ? head->tensor[error->tensor].name : head->pair[error->other].key;
        line_add(&line, tensor ? ": tensor " : ": key ");
        line_quote_bytes(&line, name.byte, (size_t)name.size);
    }
    return refuse(of, line.text);
}

/* Store a path in the text of the result. Return its offset, or WRITE_OWN if it is not possible. */
static uint64_t put_path(const maker *of, model_text path, write_result *to)
{
    const uint8_t *bytes = of->bytes + path.at;
    uint64_t at = to->text_size;
    if (path.size == 0 || memchr(bytes, '\0', path.size) != NULL || path.size >= sizeof to->text - at)
        return WRITE_OWN;
    memcpy(to->text + at, bytes, path.size);
    to->text[at + path.size] = '\0';
    to->text_size += (uint64_t)path.size + 1;
    return at;
}

/* Store which bytes of which file follow the head. */
static int find_sources(const maker *of, write_result *to)
{
    const new_head *head = &of->list.head;
    const assay_description what = {head->tensor, head->tensors, head->pair, head->pairs};
    assay_piece piece = {.next = 0};
    while (assay_piece_next(&what, head->order, &head->plan, &piece)) {
        const make_source *source = &of->list.source[piece.tensor];
        uint64_t size = piece.end - piece.begin, path = put_path(of, source->file, to);
        if (path == WRITE_OWN)
            return refuse(of, "the path of a tensor's file is empty, too long or has a NUL");
        if (to->pieces == WRITE_PIECES_MOST)
            return refuse(of, "there are too many tensors");
        if (source->offset > (uint64_t)INT64_MAX - size)
            return refuse(of, "an offset is too large");
        to->piece[to->pieces++] = (write_piece){source->offset, source->offset + size, path, !source->has_offset};
    }
    return EXIT_VALID;
}

static int work(void *context, write_result *to)
{
    maker *of = context;
    assay_error error;
    if (!make_list_read(&of->list, of->bytes, of->size)) {
        char text[200];
        snprintf(text, sizeof text, "%s (byte %llu)", of->list.wrong, (unsigned long long)of->list.at);
        return refuse(of, text);
    }
    assay_status status = new_head_make(&of->list.head, to, &error);
    if (status != ASSAY_OK)
        return wrong_description(of, status, &error);
    to->changed = 1;
    return find_sources(of, to);
}

/* Read the list whole. Return the exit status, after reporting what is wrong. */
static int read_list(maker *of)
{
    const char *path = of->line->operand[0];
    host_file file;
    host_problem problem = host_open(&file, AT_FDCWD, path);
    if (problem == HOST_FINE) {
        problem = host_copy(&file, LIST_MOST, &of->bytes);
        close(file.fd);
    }
    of->size = file.size;
    if (problem != HOST_FINE)
        return write_unreadable(path, problem, file.system);
    return of->bytes != NULL ? EXIT_VALID : refuse(of, "the list is too large");
}

/* Write the file. The paths of the list are relative to its folder. */
static int write_made(const maker *of, const write_result *result, host_new_file *to)
{
    const char *path = of->line->operand[0], *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash + 1 - path);
    char *folder = malloc(length + 1);
    if (folder == NULL)
        return refuse(of, "not enough memory");
    memcpy(folder, path, length);
    folder[length] = '\0';
    int status = write_file(of->line, NULL, folder, result, to);
    free(folder);
    return status;
}

int command_make(const command_line *line)
{
    static maker of;
    host_new_file to;
    write_result *result = NULL;
    report_sandbox();
    of = (maker){.line = line};
    int status = write_target(line, "", &to);
    if (status == EXIT_VALID)
        status = read_list(&of);
    if (status == EXIT_VALID)
        status = write_worker(line, NULL, work, &of, &result);
    if (status == EXIT_VALID && line->dry_run)
        printf("file: %llu bytes\n", (unsigned long long)write_size(result));
    else if (status == EXIT_VALID)
        status = write_made(&of, result, &to);
    write_result_free(result);
    host_new_end(&to);
    free(of.bytes);
    return status;
}
