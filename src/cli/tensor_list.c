/* tensor_list.c: see tensor_list.h. */
#include "tensor_list.h"

#include <inttypes.h>

#include "assay_text.h"
#include "escaped_text.h"
#include "json_text.h"
#include "line_buffer.h"
#include "tensor_alias.h"

#define SHAPE_MOST 30 /* characters: a wider shape shifts its own row only */

/* The widths of the columns. */
typedef struct {
    int shape, bytes, begin;
} widths;

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

static widths measure(const assay_view *view)
{
    assay_tensor tensor;
    widths all = {5, 5, 5};
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor); i++) {
        int width = shape(NULL, view, tensor.dims);
        if (width <= SHAPE_MOST)
            all.shape = wider(all.shape, width);
        all.bytes = wider(all.bytes, digits(tensor.end - tensor.begin));
        all.begin = wider(all.begin, digits(tensor.begin));
    }
    return all;
}

static void write_row(FILE *to, const assay_view *view, const assay_tensor *tensor, const widths *all)
{
    fprintf(to, "%*" PRIu64 "  %*" PRIu64 "  %-11s  ", all->begin, tensor->begin, all->bytes,
            tensor->end - tensor->begin, assay_dtype_name(tensor->dtype));
    for (int width = shape(to, view, tensor->dims); width < all->shape; width++)
        putc(' ', to);
    fputs("  ", to);
    if (tensor->name.at == tensor->name.end)
        fputs("\"\"", to);
    text_of_view(to, TEXT_PLAIN, view, tensor->name);
    putc('\n', to);
}

/* ---- Totals ----------------------------------------------------------------------------------------------- */

/* Add without wrapping: of several sparse files, the sum may exceed 64 bits. */
static void add(uint64_t *to, uint64_t number)
{
    *to = number > UINT64_MAX - *to ? UINT64_MAX : *to + number;
}

void list_count(list_totals *to, const assay_view *view)
{
    assay_tensor tensor;
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor); i++) {
        dtype_totals *of = &to->of[tensor.dtype];
        of->tensors++;
        add(&of->elements, elements_of(&tensor));
        add(&of->bytes, tensor.end - tensor.begin);
        add(&to->all.elements, elements_of(&tensor));
    }
    to->all.tensors += view->tensors;
    add(&to->all.bytes, view->data_size);
    to->header += view->data_begin - 8;
    to->files++;
}

/* "291 tensors, 8030261248 elements, 16060522496 bytes of data (16.06 GB), header of 34112 bytes" */
static void write_totals(FILE *to, const list_totals *of)
{
    line_buffer text = {.length = 0};
    line_number(&text, of->all.tensors);
    line_add(&text, of->all.tensors == 1 ? " tensor, " : " tensors, ");
    line_number(&text, of->all.elements);
    line_add(&text, of->all.elements == 1 ? " element, " : " elements, ");
    line_number(&text, of->all.bytes);
    line_add(&text, " bytes of data");
    if (of->all.bytes >= 1000) {
        line_add(&text, " (");
        line_size(&text, of->all.bytes);
        line_add(&text, ")");
    }
    line_add(&text, of->files == 1 ? ", header of " : ", ");
    line_number(&text, of->files == 1 ? of->header : of->files);
    line_add(&text, of->files == 1 ? " bytes" : " files");
    fprintf(to, "%s\n", text.text);
}

void list_summary(FILE *to, const list_totals *of)
{
    int tensors = 7, elements = 8, bytes = 5; /* widths */
    for (uint64_t dtype = 1; dtype <= ASSAY_DTYPE_LAST; dtype++) {
        tensors = wider(tensors, digits(of->of[dtype].tensors));
        elements = wider(elements, digits(of->of[dtype].elements));
        bytes = wider(bytes, digits(of->of[dtype].bytes));
    }
    if (of->all.tensors > 0)
        fprintf(to, "%-11s  %*s  %*s  %*s\n", "DTYPE", tensors, "TENSORS", elements, "ELEMENTS", bytes, "BYTES");
    for (uint64_t dtype = 1; dtype <= ASSAY_DTYPE_LAST; dtype++)
        if (of->of[dtype].tensors > 0)
            fprintf(to, "%-11s  %*" PRIu64 "  %*" PRIu64 "  %*" PRIu64 "\n", assay_dtype_name(dtype), tensors,
                    of->of[dtype].tensors, elements, of->of[dtype].elements, bytes, of->of[dtype].bytes);
    write_totals(to, of);
}

void list_table(FILE *to, const assay_view *view)
{
    assay_tensor tensor;
    widths all = measure(view);
    list_totals totals = {.files = 0};
    list_count(&totals, view);
    if (view->tensors > 0)
        fprintf(to, "%*s  %*s  %-11s  %-*s  %s\n", all.begin, "BEGIN", all.bytes, "BYTES", "DTYPE", all.shape, "SHAPE",
                "NAME");
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor) && !ferror(to); i++)
        write_row(to, view, &tensor, &all);
    write_totals(to, &totals);
}

/* ---- Aliases ---------------------------------------------------------------------------------------------- */

void list_aliases(FILE *to, const assay_view *view, uint8_t *scratch)
{
    assay_text name, kept;
    for (uint64_t i = 0; i < view->pairs && !ferror(to); i++) {
        tensor_alias kind = tensor_alias_at(view, i, scratch, &name, &kept);
        if (kind == TENSOR_ALIAS_NONE)
            continue;
        text_of_view(to, TEXT_QUOTED, view, name);
        fputs(" -> ", to);
        text_of_view(to, TEXT_QUOTED, view, kept);
        fputs(kind == TENSOR_ALIAS_DANGLING ? ": no such tensor\n" : "\n", to);
    }
}

void list_metadata(FILE *to, const assay_view *view, const char *indent)
{
    assay_text key, value;
    for (uint64_t i = 0; assay_metadata_at(view, i, &key, &value) && !ferror(to); i++) {
        fputs(indent, to);
        text_of_view(to, TEXT_PLAIN, view, key);
        fputs(": ", to);
        text_of_view(to, TEXT_PLAIN, view, value);
        putc('\n', to);
    }
}

/* Write the member `key`, if there is an alias of the kind. */
static void write_aliases(json_writer *to, const assay_view *view, uint8_t *scratch, tensor_alias kind, const char *key)
{
    assay_text name, kept;
    bool some = false;
    for (uint64_t i = 0; i < view->pairs && !ferror(to->file); i++) {
        if (tensor_alias_at(view, i, scratch, &name, &kept) != kind)
            continue;
        if (!some) {
            json_line(to);
            json_key(to, key);
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

static void write_tensor(json_writer *to, const assay_view *view, const assay_tensor *tensor)
{
    json_line(to);
    json_open(to, '{');
    json_key(to, "name");
    json_view_text(to, view, tensor->name);
    json_key(to, "dtype");
    json_word(to, assay_dtype_name(tensor->dtype));
    json_key(to, "shape");
    shape(json_value(to), view, tensor->dims);
    json_key(to, "data_offsets");
    json_open(to, '[');
    json_number(to, tensor->begin - view->data_begin);
    json_number(to, tensor->end - view->data_begin);
    json_close(to, ']');
    json_close(to, '}');
}

void list_members(json_writer *to, const assay_view *view, uint8_t *scratch)
{
    assay_tensor tensor;
    assay_text key, value;
    json_key(to, "tensors");
    json_open(to, '[');
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor) && !ferror(to->file); i++)
        write_tensor(to, view, &tensor);
    json_close(to, ']');
    if (view->metadata == 1) { /* the header has one, which may be empty */
        json_line(to);
        json_key(to, "metadata");
        json_open(to, '{');
        for (uint64_t i = 0; assay_metadata_at(view, i, &key, &value) && !ferror(to->file); i++) {
            json_line(to);
            json_view_text(to, view, key);
            putc(':', to->file);
            text_of_view(to->file, TEXT_JSON, view, value);
        }
        json_close(to, '}');
    }
    if (scratch == NULL)
        return;
    write_aliases(to, view, scratch, TENSOR_ALIAS_KEPT, "aliases");
    write_aliases(to, view, scratch, TENSOR_ALIAS_DANGLING, "dangling_aliases");
}
