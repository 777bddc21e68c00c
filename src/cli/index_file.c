/* index_file.c: see index_file.h. */
#include "index_file.h"

#include <stdlib.h>

void index_free(index_file *of)
{
    free(of->bytes);
    model_memory_free(&of->index.memory, free);
    *of = (index_file){.bytes = NULL};
}

/* The file's bytes, in memory of our own. */
static host_problem load(index_file *of, const host_memory *memory, const folder_hooks *hooks, const char *path,
                         finding *what)
{
    host_file file = {.fd = -1};
    host_problem problem = hooks->open(hooks->context, path, false, &file);
    if (problem == HOST_FINE) {
        what->file_size = file.size;
        problem = host_copy(&file, MODEL_SIZE_MAX, &of->bytes);
        host_problem after = host_close(&file);
        problem = problem == HOST_FINE ? after : problem;
    }
    what->system = file.system;
    what->fetch = file.fetch;
    if (problem == HOST_FINE && !memory->seeded)
        problem = HOST_RANDOM;
    of->size = of->bytes == NULL ? 0 : (size_t)file.size;
    return problem;
}

static void set_error(finding *what, const index_file *of, const model_error *error)
{
    what->rule = rule_by_code(error->code);
    what->offset = error->offset;
    what->expected = error->expected;
    what->found = error->found;
    what->bytes = of->bytes;
    what->size = of->size;
    if (error->tensor.at != 0) {
        what->name = of->bytes + error->tensor.at;
        what->name_size = error->tensor.size;
    }
}

bool index_read(index_file *of, const host_memory *memory, const folder_hooks *hooks, const char *path)
{
    finding what = finding_about(path);
    model_error error = {.code = MODEL_OK};
    model_need need;
    *of = (index_file){.bytes = NULL};
    what.problem = load(of, memory, hooks, path, &what);
    if (what.problem == HOST_FINE) {
        model_memory room;
        model_measure(of->bytes, of->size, &need);
        bool enough = model_memory_allocate(&room, &need, malloc);
        of->index.memory = room;
        if (enough)
            model_read(&of->index, of->bytes, what.file_size, memory->seed[0], &room, &error);
        else
            what.problem = HOST_MEMORY;
    }
    if (error.code != MODEL_OK) {
        set_error(&what, of, &error);
    } else if (what.problem == HOST_FINE) {
        what.tensors = of->index.tensors;
        what.shards = of->index.shards;
    }
    hooks->finding(hooks->context, &what);
    return what.problem == HOST_FINE && error.code == MODEL_OK;
}
