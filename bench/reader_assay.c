/* reader_assay.c: the core as two readers: with memory that the caller passes, and with memory allocated for each
 * parse. */
#include <stdlib.h>

#include "assay.h"
#include "bench.h"

static const char *assay_version(void)
{
    return VERSION;
}

static assay_input input_of(const bench_file *file)
{
    return (assay_input){file->file, file->head_size, file->file_size};
}

/* ---- Memory passed by the caller ----------------------------------------------------------------------- */

static assay_workspace given;
static assay_result given_result;

static bool given_prepare(const bench_file *file)
{
    const assay_input input = input_of(file);
    assay_result result;
    if (assay_measure(&input, NULL, &result) != ASSAY_OK)
        return false;
    const assay_need need = result.need;
    if (given.entry == NULL || given.entries < need.entries) {
        free(given.entry);
        given.entries = need.entries;
        given.entry = malloc((need.entries + 1) * sizeof *given.entry);
    }
    if (given.word == NULL || given.words < need.words) {
        free(given.word);
        given.words = need.words;
        given.word = malloc((need.words + 1) * sizeof *given.word);
    }
    return given.entry != NULL && given.word != NULL;
}

static void *given_open(const bench_file *file)
{
    const assay_input input = input_of(file);
    return assay_parse(&input, NULL, &given, &given_result) == ASSAY_OK ? &given_result.view : NULL;
}

/* ---- Reading the view ---------------------------------------------------------------------------------- */

static uint64_t view_count(void *parsed)
{
    return assay_tensor_count(parsed);
}

static uint64_t view_walk(void *parsed)
{
    const assay_view *view = parsed;
    assay_tensor tensor;
    uint64_t sum = 0, dim;
    uint32_t code_point;
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor); i++) {
        while (assay_text_next(view, &tensor.name, &code_point))
            sum += code_point;
        while (assay_dim_next(view, &tensor.dims, &dim))
            sum += dim;
    }
    return sum;
}

static bool view_find(void *parsed, const char *name, size_t size)
{
    assay_tensor tensor;
    return assay_tensor_find(parsed, (const uint8_t *)name, size, &tensor);
}

static const uint8_t *view_first(void *parsed, const char *name, size_t size)
{
    const assay_view *view = parsed;
    assay_tensor tensor;
    return assay_tensor_find(view, (const uint8_t *)name, size, &tensor) ? view->head + tensor.begin : NULL;
}

const bench_reader bench_assay = {"assay",    assay_version, NULL,      given_prepare, given_open, NULL,
                                  view_count, view_walk,     view_find, view_first};

/* ---- Memory allocated for each parse ------------------------------------------------------------------- */

typedef struct {
    assay_view view; /* the first member: a pointer to the struct is a pointer to the view */
    assay_workspace memory;
} owned;

static void owned_close(void *parsed)
{
    owned *own = parsed;
    free(own->memory.entry);
    free(own->memory.word);
    free(own);
}

static bool owned_take(owned *own, uint64_t entries, uint64_t words)
{
    free(own->memory.entry);
    free(own->memory.word);
    own->memory = (assay_workspace){malloc((entries + 1) * sizeof(assay_entry)), entries,
                                    malloc((words + 1) * sizeof(uint32_t)), words};
    return own->memory.entry != NULL && own->memory.word != NULL;
}

/* Parse with memory for one tensor for every 64 bytes of the header; if that is too little, with the reported need. */
static void *owned_open(const bench_file *file)
{
    owned *own = calloc(1, sizeof *own);
    const assay_input input = input_of(file);
    const uint64_t tensors = file->head_size / 64;
    assay_result result = {.need = {.entries = tensors, .words = 6 * tensors}};
    assay_status status = ASSAY_WORKSPACE;
    while (own != NULL && status == ASSAY_WORKSPACE && owned_take(own, result.need.entries, result.need.words))
        status = assay_parse(&input, NULL, &own->memory, &result);
    if (own == NULL)
        return NULL;
    own->view = result.view;
    if (status == ASSAY_OK)
        return own;
    owned_close(own);
    return NULL;
}

const bench_reader bench_assay_alloc = {"assay+memory", assay_version, NULL,      NULL,      owned_open, owned_close,
                                        view_count,     view_walk,     view_find, view_first};
