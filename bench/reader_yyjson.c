/* reader_yyjson.c: yyjson as a reader: a document in reused memory. It reads the whole JSON text and checks no rule
 * of the format. */
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "bench.h"

static void *pool;
static size_t pool_size;

static const char *yyjson_version_text(void)
{
    return YYJSON_VERSION_STRING;
}

static bool prepare(const bench_file *file)
{
    size_t size = yyjson_read_max_memory_usage(file->json_size, YYJSON_READ_NOFLAG);
    if (size > pool_size) {
        free(pool);
        pool = malloc(size);
        pool_size = size;
    }
    return pool != NULL;
}

static void *open(const bench_file *file)
{
    yyjson_alc memory;
    if (!yyjson_alc_pool_init(&memory, pool, pool_size))
        return NULL;
    return yyjson_read_opts((char *)(uintptr_t)file->json, file->json_size, YYJSON_READ_NOFLAG, &memory, NULL);
}

static void close(void *parsed)
{
    yyjson_doc_free(parsed);
}

static bool is_tensor(yyjson_val *key)
{
    return !yyjson_equals_str(key, "__metadata__");
}

static uint64_t count(void *parsed)
{
    size_t at, max;
    yyjson_val *key, *value;
    uint64_t sum = 0;
    yyjson_obj_foreach(yyjson_doc_get_root(parsed), at, max, key, value) sum += is_tensor(key);
    return sum;
}

static uint64_t walk(void *parsed)
{
    size_t at, max, dim_at, dim_max;
    yyjson_val *key, *value, *dim;
    uint64_t sum = 0;
    yyjson_obj_foreach(yyjson_doc_get_root(parsed), at, max, key, value) {
        if (is_tensor(key)) {
            const char *name = yyjson_get_str(key);
            for (size_t i = 0; i < yyjson_get_len(key); i++)
                sum += (unsigned char)name[i];
            yyjson_val *shape = yyjson_obj_get(value, "shape");
            yyjson_arr_foreach(shape, dim_at, dim_max, dim) sum += yyjson_get_uint(dim);
        }
    }
    return sum;
}

const bench_reader bench_yyjson = {"yyjson", yyjson_version_text, NULL, prepare, open, close, count, walk, NULL, NULL};
