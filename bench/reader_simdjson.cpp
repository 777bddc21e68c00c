/* reader_simdjson.cpp: simdjson as a reader: a document (DOM) by a reused parser. It reads the whole JSON text and
 * checks no rule of the format. The padding after the text, which it requires, is there before the clock starts. */
#include <simdjson.h>

#include "bench.h"

using namespace simdjson;

static dom::parser parser;
static dom::element root;

static const char *version(void)
{
    static std::string text = std::string(SIMDJSON_VERSION) + " (" + get_active_implementation()->name() + ")";
    return text.c_str();
}

static void *open(const bench_file *file)
{
    return parser.parse(file->json, file->json_size, false).get(root) == SUCCESS ? &root : nullptr;
}

static uint64_t count(void *)
{
    uint64_t sum = 0;
    for (auto member : dom::object(root))
        sum += member.key != "__metadata__";
    return sum;
}

static uint64_t walk(void *)
{
    uint64_t sum = 0;
    for (auto member : dom::object(root)) {
        if (member.key == "__metadata__")
            continue;
        for (char c : member.key)
            sum += (unsigned char)c;
        dom::array shape;
        if (member.value["shape"].get(shape) == SUCCESS)
            for (auto dim : shape)
                sum += uint64_t(dim);
    }
    return sum;
}

static_assert(SIMDJSON_PADDING <= BENCH_PADDING, "reader_main.c pads too little");

extern "C" const bench_reader bench_simdjson = {"simdjson", version, nullptr, nullptr, open,
                                                nullptr,    count,   walk,    nullptr, nullptr};
