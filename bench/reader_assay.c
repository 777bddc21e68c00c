/* reader_assay.c: the core as two readers: with memory that the caller passes, and with memory allocated for each
 * parse. */
#include <stdlib.h>

#include "assay.h"
#include "bench.h"

static const char *assay_version(void)
{
    return VERSION;
}

static assay_status parse(const bench_file *file, const assay_workspace *memory, assay_view *view, assay_need *need)
{
    assay_error error;
    return assay_parse(file->file, file->head_size, file->file_size, NULL, memory, view, need, &error);
}

/* ---- Memory passed by the caller ----------------------------------------------------------------------- */

static assay_workspace given;
static assay_view given_view;

static bool given_prepare(const bench_file *file)
{
    assay_need need;
    assay_error error;
    if (assay_measure(file->file, file->head_size, file->file_size, NULL, &need, &error) != ASSAY_OK)
        return false;
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
    assay_need need;
    return parse(file, &given, &given_view, &need) == ASSAY_OK ? &given_view : NULL;
}

/* ---- Reading the view ---------------------------------------------------------------------------------- */

static uint64_t view_count(void *parsed)
{
    return assay_count(parsed);
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
    return assay_find(parsed, (const uint8_t *)name, size, &tensor);
}

static const uint8_t *view_first(void *parsed, const char *name, size_t size)
{
    const assay_view *view = parsed;
    assay_tensor tensor;
    return assay_find(view, (const uint8_t *)name, size, &tensor) ? view->head + tensor.begin : NULL;
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
    assay_need need = {.entries = file->head_size / 64, .words = file->head_size / 16};
    assay_status status = ASSAY_WORKSPACE;
    while (own != NULL && status == ASSAY_WORKSPACE && owned_take(own, need.entries, need.words))
        status = parse(file, &own->memory, &own->view, &need);
    if (own == NULL || status == ASSAY_OK)
        return own;
    owned_close(own);
    return NULL;
}

const bench_reader bench_assay_alloc = {"assay+memory", assay_version, NULL,      NULL,      owned_open, owned_close,
                                        view_count,     view_walk,     view_find, view_first};
