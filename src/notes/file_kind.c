/* file_kind.c: see file_kind.h. One row for each kind; the first that fits counts. Why not libmagic: docs/cli.md. */
#include "file_kind.h"

#include <string.h>

/* Is the text in the first `most` bytes? */
static bool contains(const uint8_t *start, size_t count, size_t most, const char *text)
{
    size_t length = strlen(text);
    count = count < most ? count : most;
    for (size_t at = 0; at + length <= count; at++)
        if (memcmp(start + at, text, length) == 0)
            return true;
    return false;
}

static bool is_word_byte(uint8_t byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_' || byte == '.';
}

/* ---- ZIP archives: the name of the first member follows after 30 bytes ------------------------------------ */

static bool has_data_pkl(const uint8_t *start, size_t count)
{
    return contains(start, count, 200, "data.pkl");
}

static bool has_npy(const uint8_t *start, size_t count)
{
    return contains(start, count, 200, ".npy");
}

static bool is_keras(const uint8_t *start, size_t count)
{
    return count > 43 && (memcmp(start + 30, "metadata.json", 13) == 0 || memcmp(start + 30, "config.json", 11) == 0);
}

/* ---- Binary formats --------------------------------------------------------------------------------------- */

/* The version, which is 2 or more, and an instruction. */
static bool is_pickle(const uint8_t *start, size_t count)
{
    static const char instructions[] = "().012BCFGIJKLMNPQRSTUVX]abcdeghijlopqrstu}";
    return count > 2 && start[0] == 0x80 && start[1] >= 2 && start[1] <= 5 &&
           ((start[2] >= 0x80 && start[2] <= 0x98) || memchr(instructions, start[2], sizeof instructions - 1) != NULL);
}

/* A line with the name of a module and one with the name of what is called; or a list or dict that is stored as 0. */
static bool is_pickle_old(const uint8_t *start, size_t count)
{
    size_t at = 1, lines = 0;
    if (count >= 3 && (memcmp(start, "(dp", 3) == 0 || memcmp(start, "(lp", 3) == 0 || memcmp(start, "}q\0", 3) == 0 ||
                       memcmp(start, "]q\0", 3) == 0))
        return true;
    for (; at < count && lines < 2 && (is_word_byte(start[at]) || (start[at] == '\n' && at > 1)); at++)
        lines += start[at] == '\n';
    return count > 0 && start[0] == 'c' && lines == 2;
}

/* ggml, ggmf, ggjt, ggla: written as little-endian numbers, so reversed. */
static bool is_ggml(const uint8_t *start, size_t count)
{
    return count >= 4 && (memcmp(start, "lm", 2) == 0 || memcmp(start, "fm", 2) == 0 || memcmp(start, "tj", 2) == 0 ||
                          memcmp(start, "al", 2) == 0);
}

/* A message of protobuf: a small number, the version, and then the producer, domain, graph or operator sets. */
static bool is_onnx(const uint8_t *start, size_t count)
{
    return count > 3 && start[0] == 0x08 && start[1] >= 3 && start[1] <= 0x20 &&
           (start[2] == 0x12 || start[2] == 0x1a || start[2] == 0x22 || start[2] == 0x3a || start[2] == 0x42);
}

/* A map whose first key is a string of at least one letter. */
static bool is_msgpack(const uint8_t *start, size_t count)
{
    size_t at = count > 0 && start[0] > 0x80 && start[0] < 0x90 ? 1
                : count > 0 && start[0] == 0xde                ? 3
                : count > 0 && start[0] == 0xdf                ? 5
                                                               : 0;
    if (at == 0 || at + 1 >= count)
        return false;
    size_t length = start[at] > 0xa0 && start[at] < 0xc0 ? start[at] - 0xa0u : start[at] == 0xd9 ? start[at + 1] : 0;
    at += start[at] == 0xd9 ? 2 : 1;
    if (length == 0 || length > count - at)
        return false;
    for (size_t i = 0; i < length; i++)
        if (start[at + i] < ' ' || start[at + i] > '~')
            return false;
    return true;
}

/* MZ alone is two letters, with which a text may begin: the next two bytes are a number below 512. */
static bool is_pe(const uint8_t *start, size_t count)
{
    return count > 3 && start[2] != 0 && start[3] < 2;
}

/* #! and a path, with or without a space between them. */
static bool is_script(const uint8_t *start, size_t count)
{
    return count > 3 && (start[2] == '/' || start[2] == ' ');
}

static bool is_mach_o(const uint8_t *start, size_t count)
{
    return count > 4 && (start[0] == 0xcf || start[0] == 0xce);
}

/* ---- Text --------------------------------------------------------------------------------------------------- */

/* Return the position after a byte order mark and white space. */
static size_t after_space(const uint8_t *start, size_t count)
{
    size_t at = count >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < count && (start[at] == ' ' || (start[at] >= '\t' && start[at] <= '\r')))
        at++;
    return at;
}

/* Does the text begin with this, in small letters or capitals? */
static bool begins(const uint8_t *start, size_t count, const char *lower)
{
    size_t at = after_space(start, count);
    for (; *lower != '\0'; lower++, at++)
        if (at >= count || (start[at] != (uint8_t)*lower && (start[at] | 0x20) != (uint8_t)*lower))
            return false;
    return true;
}

static bool is_html(const uint8_t *start, size_t count)
{
    return begins(start, count, "<!doctype") || begins(start, count, "<html") || begins(start, count, "<head");
}

static bool is_xml(const uint8_t *start, size_t count)
{
    return begins(start, count, "<?xml") || begins(start, count, "<error>");
}

static bool is_json(const uint8_t *start, size_t count)
{
    size_t at = after_space(start, count);
    return at + 1 < count && start[at] == '{' &&
           (start[at + 1] == '"' || start[at + 1] == '}' || after_space(start + at + 1, count - at - 1) > 0);
}

static bool is_json_error(const uint8_t *start, size_t count)
{
    return is_json(start, count) && count < 4096 &&
           (contains(start, count, 100, "\"error\"") || contains(start, count, 100, "\"message\"") ||
            contains(start, count, 100, "\"detail\""));
}

static bool is_json_index(const uint8_t *start, size_t count)
{
    return is_json(start, count) && contains(start, count, 4096, "\"weight_map\"");
}

static bool is_header_alone(const uint8_t *start, size_t count)
{
    return is_json(start, count) && contains(start, count, 4096, "\"data_offsets\"");
}

static bool is_utf_16(const uint8_t *start, size_t count)
{
    return count >= 4 && ((start[0] == 0xff && start[1] == 0xfe && start[3] == 0) ||
                          (start[0] == 0xfe && start[1] == 0xff && start[2] == 0));
}

static bool is_text(const uint8_t *start, size_t count)
{
    for (size_t i = 0; i < count && i < 64; i++)
        if (start[i] >= 0x7F || (start[i] < ' ' && (start[i] < '\t' || start[i] > '\r')))
            return false;
    return count >= 8;
}

/* ---- Almost safetensors -------------------------------------------------------------------------------------- */

/* If these are all the bytes of the file, the length must fit. */
static bool has_big_endian_length(const uint8_t *start, size_t count)
{
    if (count <= 8 || start[8] != '{' || memcmp(start, "\0\0\0\0", 4) != 0)
        return false;
    size_t length = (size_t)start[4] << 24 | (size_t)start[5] << 16 | (size_t)start[6] << 8 | start[7];
    return length >= 2 && length <= 100000000 && (length <= count - 8 || count >= 4096);
}

static bool has_32_bit_length(const uint8_t *start, size_t count)
{
    return count > 5 && start[4] == '{' && (start[5] == '"' || start[5] == '}') && start[3] < 6;
}

static bool is_zeros(const uint8_t *start, size_t count)
{
    for (size_t i = 0; i < count && i < 512; i++)
        if (start[i] != 0)
            return false;
    return count >= 8;
}

/* ---- The table -------------------------------------------------------------------------------------------- */

static const char RUNS[] =
    "loading it can run code from its author: use a safetensors version of the model instead";
static const char UNPACK[] = "unpack it first, then check the result";
static const char OTHER[] = "use a safetensors version of the model, or a program for this format";
static const char FAILED[] = "it is not the model: look at it with a text viewer, then get the file again";
static const char NO_MODEL[] = "it is not a model: find out why it has this name, and don't open it";
static const char AGAIN[] = "a faulty program wrote it: write it again with another program";

#define MARK(at, mark) at, mark, sizeof(mark) - 1
#define NO_MARK 0, NULL, 0

static const file_kind kinds[] = {
    /* Models in other formats. */
    {"pytorch_zip", "a PyTorch checkpoint, a pickle in a ZIP archive", RUNS, MARK(0, "PK\003\004"), has_data_pkl,
     true},
    {"npz", "a NumPy archive, .npz", "convert it with a program you trust", MARK(0, "PK\003\004"), has_npy,
     true},
    {"keras", "a Keras model, a ZIP archive", RUNS, MARK(0, "PK\003\004"), is_keras, true},
    {"zip", "a ZIP archive, maybe a PyTorch checkpoint", "find out what is in it before you load it",
     MARK(0, "PK\003\004"), NULL, true},
    {"zip_empty", "an empty ZIP archive", "it contains nothing: get the file again", MARK(0, "PK\005\006"), NULL, true},
    {"pytorch_legacy", "an old PyTorch checkpoint, which is a Python pickle", RUNS,
     MARK(2, "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"), is_pickle, true},
    {"pickle", "a Python pickle", RUNS, NO_MARK, is_pickle, true},
    {"pickle_old", "a Python pickle (protocol 0)", RUNS, NO_MARK, is_pickle_old, true},
    {"gguf", "a GGUF file, for llama.cpp and similar programs", OTHER, MARK(0, "GGUF"), NULL, true},
    {"ggml", "a GGML file, the predecessor of GGUF", OTHER, MARK(2, "gg"), is_ggml, true},
    {"hdf5", "an HDF5 file, probably from Keras", OTHER, MARK(0, "\x89HDF\r\n\x1a\n"), NULL, true},
    {"npy", "a NumPy array, .npy", "convert it with a program you trust", MARK(0, "\x93NUMPY"), NULL, true},
    {"tflite", "a TensorFlow Lite model", OTHER, MARK(4, "TFL3"), NULL, false},
    {"onnx", "an ONNX model", OTHER, NO_MARK, is_onnx, false},
    {"tensorflow", "a TensorFlow SavedModel", OTHER, MARK(0, "\x08\x01\x12"), NULL, false},
    {"arrow", "an Arrow file", "it holds a table, not a model: look for the model file", MARK(0, "ARROW1"), NULL,
     false},
    {"parquet", "a Parquet file", "it holds a table, not a model: look for the model file", MARK(0, "PAR1"), NULL,
     false},
    {"sqlite", "an SQLite database", "it holds tables, not a model: look for the model file",
     MARK(0, "SQLite format 3"), NULL, true},
    {"msgpack", "MessagePack, maybe from Flax", OTHER, NO_MARK, is_msgpack, false},
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
    {"pe", "a program for Windows", NO_MODEL, MARK(0, "MZ"), is_pe, true},
    {"mach_o", "a program for macOS", NO_MODEL, MARK(1, "\xfa\xed\xfe"), is_mach_o, true},
    {"java", "a Java class, or a program for macOS", NO_MODEL, MARK(0, "\xca\xfe\xba\xbe"), NULL, true},
    {"script", "a script, which a shell would run", NO_MODEL, MARK(0, "#!"), is_script, true},
    {"pdf", "a PDF document", NO_MODEL, MARK(0, "%PDF-"), NULL, true},
    {"png", "a PNG picture", NO_MODEL, MARK(0, "\x89PNG\r\n\x1a\n"), NULL, true},
    {"jpeg", "a JPEG picture", NO_MODEL, MARK(0, "\xff\xd8\xff"), NULL, true},
    /* What a download leaves. */
    {"lfs_pointer", "a Git LFS pointer, not the file itself", "get the file with `git lfs pull`",
     MARK(0, "version https://git-lfs"), NULL, true},
    {"http", "an HTTP response with its header", FAILED, MARK(0, "HTTP/"), NULL, false},
    {"html", "a web page, perhaps an error or a login form", FAILED, NO_MARK, is_html, true},
    {"xml", "an XML document, perhaps an error from a storage server", FAILED, NO_MARK, is_xml, true},
    {"json_error", "an error message in JSON", FAILED, NO_MARK, is_json_error, false},
    {"json_index", "the index of a model in several files",
     "its name should end in .safetensors.index.json: check its folder instead", NO_MARK, is_json_index, false},
    {"header_alone", "the header of a safetensors file without the 8 bytes of its length", AGAIN, NO_MARK,
     is_header_alone, false},
    {"json", "JSON, perhaps a model's configuration", "look for the model file", NO_MARK, is_json, false},
    {"length_big_endian", "like a safetensors file with a big-endian header length", AGAIN, NO_MARK,
     has_big_endian_length, false},
    {"length_32_bit", "like a safetensors file with a header length of 4 bytes instead of 8", AGAIN, NO_MARK,
     has_32_bit_length, false},
    {"zeros", "a file that begins with zeros", "space was probably reserved but never written: get the file again",
     NO_MARK, is_zeros, false},
    {"utf_16", "text in UTF-16", FAILED, NO_MARK, is_utf_16, false},
    {"text", "plain text, perhaps an error message", FAILED, NO_MARK, is_text, false},
};

static const file_kind empty = {"empty", "an empty file", "nothing was written: get the file again",
                                NO_MARK, NULL, false};

#define KINDS (sizeof kinds / sizeof *kinds)

static bool fits(const file_kind *row, const uint8_t *start, size_t count)
{
    if (row->mark != NULL &&
        (count < row->at + row->length || memcmp(start + row->at, row->mark, row->length) != 0))
        return false;
    return row->check == NULL || row->check(start, count);
}

/* Is this a possible header length and the { of a header? That is safetensors, perhaps incomplete, even if the length
 * looks like the mark of another format. */
static bool is_safetensors(const uint8_t *start, size_t count)
{
    return count > 8 && start[8] == '{' && start[3] < 6 && memcmp(start + 4, "\0\0\0\0", 4) == 0;
}

const file_kind *file_kind_of(const uint8_t *start, size_t count, uint64_t file_size)
{
    if (file_size == 0)
        return &empty;
    for (size_t i = 0; i < KINDS && !is_safetensors(start, count); i++)
        if (fits(&kinds[i], start, count))
            return &kinds[i];
    return NULL;
}

uint32_t file_kind_inside(const uint8_t *start, size_t count)
{
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].opens && fits(&kinds[i], start, count))
            return (uint32_t)i;
    return FILE_KIND_NONE;
}

const char *file_kind_what(uint64_t number)
{
    return number < KINDS ? kinds[number].what : "";
}
