/* modelspec_hash.c: see modelspec_hash.h. */
#include "modelspec_hash.h"

#include <stdlib.h>
#include <string.h>

#include "sha256.h"

#define CHUNK ((size_t)1 << 20) /* bytes that are read at once */

/* The bytes of a tensor, as file offsets. */
typedef struct {
    uint64_t begin, end;
} byte_range;

/* Read bytes of a file, and add them to one or two hashes. */
static host_problem add_range(host_file *file, byte_range range, uint8_t *chunk, sha256 *one, sha256 *two)
{
    host_problem problem = HOST_FINE;
    while (problem == HOST_FINE && range.begin < range.end) {
        size_t count = range.end - range.begin < CHUNK ? (size_t)(range.end - range.begin) : CHUNK;
        problem = host_read(file, range.begin, chunk, count);
        if (problem == HOST_FINE) {
            sha256_add(one, chunk, count);
            sha256_add(two, chunk, count);
        }
        range.begin += count;
    }
    return problem;
}

/* End a hash, and write it in hexadecimal. */
static bool finish(sha256 *hash, char to[MODELSPEC_DIGITS + 1])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t out[SHA256_SIZE];
    if (!sha256_end(hash, out))
        return false;
    for (size_t i = 0; i < SHA256_SIZE; i++) {
        to[2 * i] = digits[out[i] >> 4];
        to[2 * i + 1] = digits[out[i] & 15];
    }
    to[MODELSPEC_DIGITS] = '\0';
    return true;
}

/* Hash the file, whose beginning is known, and its data. */
static host_problem hash_all(modelspec_hashes *to, host_file *file, const assay_view *view, uint8_t *chunk)
{
    sha256 *all = sha256_begin(), *data = sha256_begin();
    const byte_range range = {view->data_begin, view->data_begin + view->data_size};
    sha256_add(all, view->head, (size_t)view->data_begin);
    host_problem problem = add_range(file, range, chunk, all, data);
    bool whole = finish(all, to->file), fine = finish(data, to->data);
    return problem != HOST_FINE ? problem : whole && fine ? HOST_FINE : HOST_MEMORY;
}

/* Is this order that of the data? */
static bool is_data_order(const byte_range *range, uint64_t tensors)
{
    for (uint64_t i = 1; i < tensors; i++)
        if (range[i].begin < range[i - 1].begin)
            return false;
    return true;
}

/* Hash the tensors in an order. *fits: the hash is that of the metadata. */
static host_problem hash_order(host_file *file, const byte_range *range, uint64_t tensors, uint8_t *chunk,
                               const char *right, bool *fits)
{
    char found[MODELSPEC_DIGITS + 1];
    host_problem problem = HOST_FINE;
    *fits = false;
    if (is_data_order(range, tensors))
        return HOST_FINE;
    sha256 *hash = sha256_begin();
    for (uint64_t i = 0; problem == HOST_FINE && i < tensors; i++)
        problem = add_range(file, range[i], chunk, hash, NULL);
    if (!finish(hash, found))
        return problem != HOST_FINE ? problem : HOST_MEMORY;
    *fits = strcmp(found, right) == 0;
    return problem;
}

/* Find the order of tensors in which the hash of the metadata was computed. */
static host_problem find_order(modelspec_hashes *to, host_file *file, const assay_view *view, uint8_t *chunk,
                               const char *right)
{
    assay_tensor tensor;
    bool fits = false;
    size_t tensors = (size_t)view->tensors;
    byte_range *range = calloc(2 * tensors + 1, sizeof *range), *by_name = range + tensors;
    if (range == NULL)
        return HOST_MEMORY;
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor); i++)
        range[tensor.index] = (byte_range){tensor.begin, tensor.end};
    for (size_t i = 0; i < tensors; i++)
        by_name[i] = range[view->by_name[i]]; /* which the core has sorted already */
    host_problem problem = hash_order(file, by_name, tensors, chunk, right, &fits);
    to->convention = fits ? "names" : NULL;
    if (problem == HOST_FINE && !fits) {
        problem = hash_order(file, range, tensors, chunk, right, &fits);
        to->convention = fits ? "header" : NULL;
    }
    free(range);
    return problem;
}

host_problem modelspec_hash(void *context, host_file *file, const assay_view *view)
{
    static modelspec_report report;
    modelspec_hashes *to = context;
    *to = (modelspec_hashes){.done = false};
    if (file->fetch.requests > 0)
        return HOST_FINE; /* only its header is here */
    uint8_t *chunk = malloc(CHUNK);
    if (chunk == NULL)
        return HOST_MEMORY;
    modelspec_check(view, &report);
    host_problem problem = hash_all(to, file, view, chunk);
    if (problem == HOST_FINE && report.has_sha256 && strcmp(report.sha256, to->data) == 0)
        to->convention = "data";
    else if (problem == HOST_FINE && report.has_sha256)
        problem = find_order(to, file, view, chunk, report.sha256);
    to->done = problem == HOST_FINE;
    free(chunk);
    return problem;
}
