/* file_kind.c: see file_kind.h. One row a kind; the first that fits counts. Why not libmagic: docs/cli.md. */
#include "file_kind.h"

#include <string.h>

#include "kind_looks.h"

static const char RUNS[] =
    "loading it can run code from its author: use a safetensors version of the model instead";
static const char UNPACK[] = "unpack it first, then check the result";
static const char OTHER[] = "use a safetensors version of the model, or a program for this format";
static const char FAILED[] = "it is not the model: look at it with a text viewer, then get the file again";
static const char NO_MODEL[] = "it is not a model: find out why it has this name, and don't open it";
static const char AGAIN[] = "a faulty program wrote it: write it again with another program";

#define MARK(at, mark) at, mark, sizeof(mark) - 1
#define NO_MARK 0, NULL, 0

static const kind kinds[] = {
    /* Models in other formats. */
    {"pytorch_zip", "a PyTorch checkpoint, a pickle in a ZIP archive", RUNS, MARK(0, "PK\003\004"), look_data_pkl,
     true},
    {"npz", "a NumPy archive, .npz", "convert it with a program you trust", MARK(0, "PK\003\004"), look_npy,
     true},
    {"keras", "a Keras model, a ZIP archive", RUNS, MARK(0, "PK\003\004"), look_keras, true},
    {"zip", "a ZIP archive, maybe a PyTorch checkpoint", "find out what is in it before you load it",
     MARK(0, "PK\003\004"), NULL, true},
    {"zip_empty", "an empty ZIP archive", "it contains nothing: get the file again", MARK(0, "PK\005\006"), NULL, true},
    {"pytorch_legacy", "an old PyTorch checkpoint, which is a Python pickle", RUNS,
     MARK(2, "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"), look_pickle, true},
    {"pickle", "a Python pickle", RUNS, NO_MARK, look_pickle, true},
    {"pickle_old", "a Python pickle (protocol 0)", RUNS, NO_MARK, look_pickle_old, true},
    {"gguf", "a GGUF file, for llama.cpp and similar programs", OTHER, MARK(0, "GGUF"), NULL, true},
    {"ggml", "a GGML file, the predecessor of GGUF", OTHER, MARK(2, "gg"), look_ggml, true},
    {"hdf5", "an HDF5 file, probably from Keras", OTHER, MARK(0, "\x89HDF\r\n\x1a\n"), NULL, true},
    {"npy", "a NumPy array, .npy", "convert it with a program you trust", MARK(0, "\x93NUMPY"), NULL, true},
    {"tflite", "a TensorFlow Lite model", OTHER, MARK(4, "TFL3"), NULL, false},
    {"onnx", "an ONNX model", OTHER, NO_MARK, look_onnx, false},
    {"tensorflow", "a TensorFlow SavedModel", OTHER, MARK(0, "\x08\x01\x12"), NULL, false},
    {"arrow", "an Arrow file", "it holds a table, not a model: look for the model file", MARK(0, "ARROW1"), NULL,
     false},
    {"parquet", "a Parquet file", "it holds a table, not a model: look for the model file", MARK(0, "PAR1"), NULL,
     false},
    {"sqlite", "an SQLite database", "it holds tables, not a model: look for the model file",
     MARK(0, "SQLite format 3"), NULL, true},
    {"msgpack", "MessagePack, maybe from Flax", OTHER, NO_MARK, look_msgpack, false},
    /* Archives and compressed files. */
    {"tar", "a tar archive", UNPACK, MARK(257, "ustar"), NULL, true},
    {"gzip", "compressed with gzip", UNPACK, MARK(0, "\x1f\x8b\x08"), NULL, true},
    {"zstd", "compressed with Zstandard", UNPACK, MARK(0, "\x28\xb5\x2f\xfd"), NULL, true},
    {"xz", "compressed with xz", UNPACK, MARK(0, "\xfd" "7zXZ"), NULL, true},
    {"bzip2", "compressed with bzip2", UNPACK, MARK(0, "BZh"), NULL, true},
    {"lz4", "compressed with LZ4", UNPACK, MARK(0, "\x04\x22\x4d\x18"), NULL, true},
    {"7z", "a 7-Zip archive", UNPACK, MARK(0, "7z\xbc\xaf\x27\x1c"), NULL, true},
    {"rar", "a RAR archive", UNPACK, MARK(0, "Rar!\x1a\x07"), NULL, true},
    /* Programs and documents. */
    {"elf", "a program for Linux", NO_MODEL, MARK(0, "\177ELF"), NULL, true},
    {"pe", "a program for Windows", NO_MODEL, MARK(0, "MZ"), look_pe, true},
    {"mach_o", "a program for macOS", NO_MODEL, MARK(1, "\xfa\xed\xfe"), look_mach_o, true},
    {"java", "a Java class, or a program for macOS", NO_MODEL, MARK(0, "\xca\xfe\xba\xbe"), NULL, true},
    {"script", "a script, which a shell would run", NO_MODEL, MARK(0, "#!"), look_script, true},
    {"pdf", "a PDF document", NO_MODEL, MARK(0, "%PDF-"), NULL, true},
    {"png", "a PNG picture", NO_MODEL, MARK(0, "\x89PNG\r\n\x1a\n"), NULL, true},
    {"jpeg", "a JPEG picture", NO_MODEL, MARK(0, "\xff\xd8\xff"), NULL, true},
    /* What a download leaves. */
    {"lfs_pointer", "a Git LFS pointer, not the file itself", "get the file with `git lfs pull`",
     MARK(0, "version https://git-lfs"), NULL, true},
    {"http", "an HTTP response with its header", FAILED, MARK(0, "HTTP/"), NULL, false},
    {"html", "a web page, perhaps an error or a login form", FAILED, NO_MARK, look_html, true},
    {"xml", "an XML document, perhaps an error from a storage server", FAILED, NO_MARK, look_xml, true},
    {"json_error", "an error message in JSON", FAILED, NO_MARK, look_json_error, false},
    {"json_index", "the index of a model in several files",
     "its name should end in .safetensors.index.json: check its folder instead", NO_MARK, look_json_index, false},
    {"header_alone", "the header of a safetensors file without the 8 bytes of its length", AGAIN, NO_MARK,
     look_header_alone, false},
    {"json", "JSON, perhaps a model's configuration", "look for the model file", NO_MARK, look_json, false},
    {"length_big_endian", "like a safetensors file with a big-endian header length", AGAIN, NO_MARK,
     look_big_endian, false},
    {"length_32_bit", "like a safetensors file with a header length of 4 bytes instead of 8", AGAIN, NO_MARK,
     look_32_bit, false},
    {"zeros", "a file that begins with zeros", "space was probably reserved but never written: get the file again",
     NO_MARK, look_zeros, false},
    {"utf_16", "text in UTF-16", FAILED, NO_MARK, look_utf_16, false},
    {"text", "plain text, perhaps an error message", FAILED, NO_MARK, look_text, false},
};

static const kind empty = {"empty", "an empty file", "nothing was written: get the file again",
                           NO_MARK, NULL, false};

#define KINDS (sizeof kinds / sizeof *kinds)

static bool fits(const kind *row, const uint8_t *start, size_t count)
{
    if (row->mark != NULL &&
        (count < row->at + row->length || memcmp(start + row->at, row->mark, row->length) != 0))
        return false;
    return row->also == NULL || row->also(start, count);
}

/* A header length that is possible, and behind it the { of a header: that is safetensors, maybe cut, even if the
 * length is written as another format begins. */
static bool is_safetensors(const uint8_t *start, size_t count)
{
    return count > 8 && start[8] == '{' && start[3] < 6 && memcmp(start + 4, "\0\0\0\0", 4) == 0;
}

const kind *kind_of(const uint8_t *start, size_t count, uint64_t file_size)
{
    if (file_size == 0)
        return &empty;
    for (size_t i = 0; i < KINDS && !is_safetensors(start, count); i++)
        if (fits(&kinds[i], start, count))
            return &kinds[i];
    return NULL;
}

const kind *kind_inside(const uint8_t *start, size_t count)
{
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].opens && fits(&kinds[i], start, count))
            return &kinds[i];
    return NULL;
}
