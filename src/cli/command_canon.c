/* command_canon.c: assay canon. Describes the tensors and the metadata of a valid file to the writer of the library,
 * and copies the data in the order that this chooses. */
#include "posix.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "edit_in_place.h"
#include "escaped_text.h"
#include "inputs.h"
#include "message.h"
#include "new_head.h"
#include "report.h"
#include "write_out.h"

/* What the process holds. */
typedef struct {
    const command_line *line;
    const host_file *file;
    host_memory memory;
    host_verdict verdict;
    assay_view old;
    new_head new;
    uint8_t *text; /* names, keys and values that have escapes, without them */
    uint64_t used; /* bytes of text */
} canon;

static int refuse(const canon *of, const char *why)
{
    fputs("assay: ", stderr);
    text_path(stderr, TEXT_QUOTED, of->line->operand[0]);
    fprintf(stderr, " can't be written in canonical form: %s\n", why);
    return EXIT_ERROR;
}

/* ---- The description -------------------------------------------------------------------------------------- */

/* Return a text without escapes: what has none stays where it is. */
static assay_chars plain(canon *of, assay_text text)
{
    const uint8_t *begin = of->old.head + text.at;
    uint64_t size = text.end - text.at;
    if (memchr(begin, '\\', (size_t)size) == NULL)
        return (assay_chars){begin, size};
    assay_chars made = {of->text + of->used, 0};
    /* an escape is longer than its meaning, so there is room for the NUL */
    made.size = assay_text_utf8(&of->old, text, (char *)of->text + of->used, size);
    of->used += made.size;
    return made;
}

/* Describe what the old head states, the tensors in layout order. Return false if there is not enough memory. */
static bool describe(canon *of)
{
    assay_tensor tensor;
    assay_text key, value;
    uint64_t dims = 0, at = 0;
    for (uint64_t i = 0; assay_tensor_at(&of->old, i, &tensor); i++)
        dims += tensor.rank;
    of->text = malloc((size_t)of->old.data_begin);
    if (of->text == NULL || !new_head_begin(&of->new, of->old.tensors, of->old.pairs, dims))
        return false;
    for (uint64_t i = 0; assay_tensor_at(&of->old, i, &tensor); i++) {
        uint64_t *dim = of->new.dim + at;
        at += assay_tensor_dims(&of->old, &tensor, dim, dims - at);
        of->new.tensor[i] = (assay_new_tensor){plain(of, tensor.name), tensor.dtype, dim, tensor.rank};
    }
    for (uint64_t i = 0; assay_metadata_at(&of->old, i, &key, &value); i++) {
        of->new.pair[i].key = plain(of, key);
        of->new.pair[i].value = plain(of, value);
    }
    return true;
}

/* Is the description that of the old head? The library compares. */
static bool is_described(const canon *of)
{
    const new_head *new = &of->new;
    const assay_description what = {new->tensor, new->tensors, new->pair, new->pairs};
    uint64_t count = new->tensors + new->pairs;
    uint32_t *same = malloc(((size_t)count + 1) * sizeof *same);
    for (uint64_t i = 0; same != NULL && i < count; i++)
        same[i] = (uint32_t)(i < new->tensors ? i : i - new->tensors);
    bool is = same != NULL && assay_view_matches(&of->old, &what, same);
    free(same);
    return is;
}

/* ---- The data --------------------------------------------------------------------------------------------- */

/* Store which bytes follow the head: those of the tensors in the new order. Neighbours that stay neighbours are one
 * piece. Return false if the sizes of a tensor differ. */
static bool find_pieces(const canon *of, write_result *to)
{
    const assay_description what = {of->new.tensor, of->new.tensors, of->new.pair, of->new.pairs};
    assay_piece piece = {.next = 0};
    assay_tensor tensor;
    to->pieces = 0;
    while (assay_piece_next(&what, of->new.order, &of->new.plan, &piece)) {
        if (!assay_tensor_at(&of->old, piece.tensor, &tensor) ||
            tensor.end - tensor.begin != piece.end - piece.begin)
            return false;
        write_piece *last = to->pieces == 0 ? NULL : &to->piece[to->pieces - 1];
        if (last != NULL && last->end == tensor.begin)
            last->end = tensor.end;
        else if (to->pieces < WRITE_PIECES_MOST)
            to->piece[to->pieces++] = (write_piece){tensor.begin, tensor.end, WRITE_OWN, 0};
        else
            return false;
    }
    return true;
}

/* Are the data in the new order already? */
static bool stays(const canon *of, const write_result *to)
{
    return to->pieces == 0 || (to->pieces == 1 && to->piece[0].begin == of->old.data_begin);
}

static void print_changes(const canon *of, const write_result *to)
{
    uint64_t before = of->old.data_begin - 8, now = to->new_head - 8, size = of->verdict.file_size;
    if (!to->changed)
        puts("the file is in canonical form");
    else if (stays(of, to))
        puts("the header changes, the data stay in their order");
    else
        printf("the header changes, the data are copied in %llu parts\n", (unsigned long long)to->pieces);
    printf("header: %llu -> %llu bytes\n", (unsigned long long)before, (unsigned long long)now);
    printf("file: %llu -> %llu bytes\n", (unsigned long long)size, (unsigned long long)(size - before + now));
}

/* ---- The process ------------------------------------------------------------------------------------------ */

/* Judge the file. Return the exit status, after reporting what is wrong. */
static int judge(canon *of)
{
    host_file file = *of->file;
    host_judge(&of->memory, &file, &of->old, &of->verdict);
    if (is_valid(&of->verdict))
        return EXIT_VALID;
    report_text(stderr, of->line->operand[0], &of->verdict);
    return is_invalid(&of->verdict) ? EXIT_INVALID : EXIT_ERROR;
}

static int work(void *context, write_result *to)
{
    canon *of = context;
    assay_error error;
    int status = judge(of);
    if (status != EXIT_VALID)
        return status;
    if (!describe(of))
        return refuse(of, "not enough memory");
    assay_status made = new_head_make(&of->new, to, &error);
    if (made == ASSAY_WORKSPACE)
        return refuse(of, "not enough memory");
    if (made == ASSAY_W_HEADER_LARGE)
        return refuse(of, "the header would have more than 100,000,000 bytes (rule F2)");
    if (made != ASSAY_OK || !is_described(of) || !find_pieces(of, to) ||
        of->new.plan.file - to->new_head != of->verdict.file_size - of->old.data_begin)
        return refuse(of, "the new header would not describe this file, because of a bug in assay: please report it");
    to->old_head = of->old.data_begin;
    to->changed = !stays(of, to) || to->new_head != to->old_head ||
                  memcmp(to->head, of->old.head, (size_t)to->new_head) != 0;
    if (of->line->dry_run)
        print_changes(of, to);
    return EXIT_VALID;
}

static int write_canonical(canon *of, host_file *file, host_new_file *to)
{
    const command_line *line = of->line;
    write_result *result = NULL;
    int status = edit_target(line, file, to);
    if (status != EXIT_VALID)
        return status;
    status = write_worker(line, file, work, of, &result);
    if (status == EXIT_VALID && !line->dry_run && (result->changed || line->new_file != NULL))
        status = write_file(line, file, "", result, to);
    write_result_free(result);
    return status;
}

int command_canon(const command_line *line)
{
    static canon of;
    host_file file;
    host_new_file to;
    int status = EXIT_ERROR;
    report_sandbox();
    of = (canon){.line = line, .file = &file, .memory = HOST_MEMORY_NONE};
    host_problem problem = input_open(&file, line->operand[0]);
    if (problem != HOST_FINE)
        return write_unreadable(line->operand[0], problem, file.system);
    if (file.stream) {
        fputs("assay: a stream can't be written in canonical form: name a file\n", stderr);
    } else {
        status = write_canonical(&of, &file, &to);
        host_new_end(&to);
    }
    if (file.fd >= 0)
        close(file.fd);
    return status;
}
