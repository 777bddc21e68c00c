/* command_ls.c: assay ls. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli.h"
#include "escaped_text.h"
#include "json_text.h"
#include "line_buffer.h"
#include "report.h"
#include "tensor_alias.h"

#define SHAPE_MOST 30 /* characters: a wider shape shifts its own row only */

/* The widths of the columns, and the total of the last line. */
typedef struct {
    int shape, bytes, begin; /* widths */
    uint64_t elements;
} totals;

/* The tensors of one dtype. */
typedef struct {
    uint64_t tensors, elements, bytes;
} dtype_totals;

static int digits(uint64_t number)
{
    int count = 1;
    for (; number >= 10; number /= 10)
        count++;
    return count;
}

static int wider(int width, int other)
{
    return width > other ? width : other;
}

/* Write "[128256,4096]" and return its length. file: NULL to measure only, and stop when it is too wide. */
static int shape(FILE *file, const assay_view *view, assay_dims dims)
{
    uint64_t dim;
    int length = 2;
    const char *comma = "";
    if (file != NULL)
        putc('[', file);
    while ((file == NULL || !ferror(file)) && assay_dim_next(view, &dims, &dim)) {
        if (file != NULL)
            fprintf(file, "%s%" PRIu64, comma, dim);
        else if (length > SHAPE_MOST)
            break;
        if (length <= SHAPE_MOST)
            length += digits(dim) + (*comma != '\0');
        comma = ",";
    }
    if (file != NULL)
        putc(']', file);
    return length;
}

static uint64_t elements_of(const assay_tensor *tensor)
{
    return (tensor->end - tensor->begin) * 8 / tensor->bits; /* below 2^64, and so is the sum: they share no byte */
}

static totals measure(const assay_view *view)
{
    assay_tensor tensor;
    totals all = {5, 5, 5, 0};
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor); i++) {
        int width = shape(NULL, view, tensor.dims);
        if (width <= SHAPE_MOST)
            all.shape = wider(all.shape, width);
        all.bytes = wider(all.bytes, digits(tensor.end - tensor.begin));
        all.begin = wider(all.begin, digits(tensor.begin));
        all.elements += elements_of(&tensor);
    }
    return all;
}

static void print_row(const assay_view *view, const assay_tensor *tensor, const totals *all)
{
    printf("%*" PRIu64 "  %*" PRIu64 "  %-11s  ", all->begin, tensor->begin, all->bytes,
           tensor->end - tensor->begin, assay_dtype_name(tensor->dtype));
    for (int width = shape(stdout, view, tensor->dims); width < all->shape; width++)
        putchar(' ');
    fputs("  ", stdout);
    if (tensor->name.at == tensor->name.end)
        fputs("\"\"", stdout);
    text_of_view(stdout, TEXT_PLAIN, view, tensor->name);
    putchar('\n');
}

/* "291 tensors, 8030261248 elements, 16060522496 bytes of data (16.06 GB), header of 34112 bytes" */
static void print_totals(const assay_view *view, const totals *all)
{
    line_buffer text = {.length = 0};
    line_number(&text, view->tensors);
    line_add(&text, view->tensors == 1 ? " tensor, " : " tensors, ");
    line_number(&text, all->elements);
    line_add(&text, all->elements == 1 ? " element, " : " elements, ");
    line_number(&text, view->data_size);
    line_add(&text, " bytes of data");
    if (view->data_size >= 1000) {
        line_add(&text, " (");
        line_size(&text, view->data_size);
        line_add(&text, ")");
    }
    line_add(&text, ", header of ");
    line_number(&text, view->data_begin - 8);
    line_add(&text, " bytes");
    puts(text.text);
}

static void print_table(const assay_view *view)
{
    assay_tensor tensor;
    totals all = measure(view);
    if (view->tensors > 0)
        printf("%*s  %*s  %-11s  %-*s  %s\n", all.begin, "BEGIN", all.bytes, "BYTES", "DTYPE", all.shape,
               "SHAPE", "NAME");
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor) && !ferror(stdout); i++)
        print_row(view, &tensor, &all);
    print_totals(view, &all);
}

/* Print a line for each dtype in the file instead of the tensors. */
static void print_summary(const assay_view *view)
{
    dtype_totals of[ASSAY_DTYPE_LAST + 1] = {{0, 0, 0}};
    assay_tensor tensor;
    totals all = {.elements = 0};
    int tensors = 7, elements = 8, bytes = 5; /* widths */
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor); i++) {
        of[tensor.dtype].tensors++;
        of[tensor.dtype].elements += elements_of(&tensor);
        of[tensor.dtype].bytes += tensor.end - tensor.begin;
        all.elements += elements_of(&tensor);
    }
    for (uint64_t dtype = 1; dtype <= ASSAY_DTYPE_LAST; dtype++) {
        tensors = wider(tensors, digits(of[dtype].tensors));
        elements = wider(elements, digits(of[dtype].elements));
        bytes = wider(bytes, digits(of[dtype].bytes));
    }
    if (view->tensors > 0)
        printf("%-11s  %*s  %*s  %*s\n", "DTYPE", tensors, "TENSORS", elements, "ELEMENTS", bytes, "BYTES");
    for (uint64_t dtype = 1; dtype <= ASSAY_DTYPE_LAST; dtype++)
        if (of[dtype].tensors > 0)
            printf("%-11s  %*" PRIu64 "  %*" PRIu64 "  %*" PRIu64 "\n", assay_dtype_name(dtype), tensors,
                   of[dtype].tensors, elements, of[dtype].elements, bytes, of[dtype].bytes);
    print_totals(view, &all);
}

/* Print a line for each tensor that shares its storage with one in the file: "name" -> "kept". In quotes, where quotes
 * and backslashes are escaped, so that a program can read it. */
static void print_aliases(const assay_view *view, uint8_t *scratch)
{
    assay_text name, kept;
    for (uint64_t i = 0; i < view->pairs && !ferror(stdout); i++) {
        if (!tensor_alias_at(view, i, scratch, &name, &kept))
            continue;
        text_of_view(stdout, TEXT_QUOTED, view, name);
        fputs(" -> ", stdout);
        text_of_view(stdout, TEXT_QUOTED, view, kept);
        putchar('\n');
    }
}

/* Write the member "aliases", if there is an alias. */
static void write_aliases(json_writer *to, const assay_view *view, uint8_t *scratch)
{
    assay_text name, kept;
    bool some = false;
    for (uint64_t i = 0; i < view->pairs && !ferror(stdout); i++) {
        if (!tensor_alias_at(view, i, scratch, &name, &kept))
            continue;
        if (!some) {
            json_line(to);
            json_key(to, "aliases");
            json_open(to, '[');
        }
        some = true;
        json_line(to);
        json_open(to, '{');
        json_key(to, "name");
        json_view_text(to, view, name);
        json_key(to, "tensor");
        json_view_text(to, view, kept);
        json_close(to, '}');
    }
    if (some)
        json_close(to, ']');
}

static void print_json(const assay_view *view, uint8_t *scratch)
{
    assay_tensor tensor;
    assay_text key, value;
    json_writer to = json_begin(stdout);
    json_open(&to, '{');
    json_key(&to, "tensors");
    json_open(&to, '[');
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor) && !ferror(stdout); i++) {
        json_line(&to);
        json_open(&to, '{');
        json_key(&to, "name");
        json_view_text(&to, view, tensor.name);
        json_key(&to, "dtype");
        json_word(&to, assay_dtype_name(tensor.dtype));
        json_key(&to, "shape");
        shape(json_value(&to), view, tensor.dims);
        json_key(&to, "data_offsets");
        json_open(&to, '[');
        json_number(&to, tensor.begin - view->data_begin);
        json_number(&to, tensor.end - view->data_begin);
        json_close(&to, ']');
        json_close(&to, '}');
    }
    json_close(&to, ']');
    if (view->metadata == 1) { /* the header has one, which may be empty */
        json_line(&to);
        json_key(&to, "metadata");
        json_open(&to, '{');
        for (uint64_t i = 0; assay_metadata_at(view, i, &key, &value) && !ferror(stdout); i++) {
            json_line(&to);
            json_view_text(&to, view, key);
            putchar(':');
            text_of_view(stdout, TEXT_JSON, view, value);
        }
        json_close(&to, '}');
    }
    write_aliases(&to, view, scratch);
    json_close(&to, '}');
    putchar('\n');
}

static void print(const command_line *line, const assay_view *view, uint8_t *scratch)
{
    if (line->format == FORMAT_JSON)
        print_json(view, scratch);
    else if (line->summary)
        print_summary(view);
    else
        print_table(view);
    if (line->aliases && line->format == FORMAT_TEXT)
        print_aliases(view, scratch);
}

int command_ls(const command_line *line)
{
    host_memory memory = HOST_MEMORY_NONE;
    host_verdict verdict;
    assay_view view;
    int status = open_view(&memory, line, &view, &verdict);
    if (status == EXIT_VALID) {
        uint8_t *scratch = view.pairs == 0 ? NULL : malloc((size_t)view.data_begin);
        if (view.pairs > 0 && scratch == NULL) {
            verdict.problem = HOST_MEMORY;
            report_text(stderr, line->operand[0], &verdict);
            status = EXIT_ERROR;
        } else {
            print(line, &view, scratch);
        }
        free(scratch);
    }
    host_memory_free(&memory);
    return status;
}
