/* command_ls.c: assay ls. */
#include <inttypes.h>

#include "cli.h"
#include "escaped_text.h"
#include "json_text.h"
#include "line_buffer.h"

#define SHAPE_MOST 30 /* characters: a wider shape shifts its own row only */

/* The widths of the columns, and the total of the last line. */
typedef struct {
    int shape, bytes, begin; /* widths */
    uint64_t elements;
} totals;

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
        all.elements += (tensor.end - tensor.begin) * 8 / tensor.bits; /* below 2^64, and so is the sum */
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

static void print_json(const assay_view *view)
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
    json_close(&to, '}');
    putchar('\n');
}

int command_ls(const command_line *line)
{
    host_memory memory = HOST_MEMORY_NONE;
    host_verdict verdict;
    assay_view view;
    int status = open_view(&memory, line, &view, &verdict);
    if (status == EXIT_VALID && line->format == FORMAT_JSON)
        print_json(&view);
    else if (status == EXIT_VALID)
        print_table(&view);
    host_memory_free(&memory);
    return status;
}
