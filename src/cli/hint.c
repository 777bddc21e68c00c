/* hint.c: a guess, for people, at what a file is that is not safetensors. Never part of a verdict. */
#include "hint.h"

#include <stdbool.h>
#include <string.h>

typedef struct {
    const char *magic;
    size_t length;
    const char *what;
} signature;

#define SIGNATURE(magic, what) {magic, sizeof(magic) - 1, what}

static const signature signatures[] = {
    SIGNATURE("PK\003\004",
              "this is a ZIP archive, probably a PyTorch pickle: convert it, and don't unpickle it"),
    SIGNATURE("PK\005\006", "this is an empty ZIP archive"),
    SIGNATURE("\x80\x02", "this is a Python pickle, which can run code when it is loaded: don't load it"),
    SIGNATURE("\x80\x03", "this is a Python pickle, which can run code when it is loaded: don't load it"),
    SIGNATURE("\x80\x04\x95", "this is a Python pickle, which can run code when it is loaded: don't load it"),
    SIGNATURE("\x80\x05\x95", "this is a Python pickle, which can run code when it is loaded: don't load it"),
    SIGNATURE("GGUF", "this is a GGUF file, for llama.cpp and its kin"),
    SIGNATURE("GGML", "this is a GGML file, the forerunner of GGUF"),
    SIGNATURE("ggjt", "this is a GGML file, the forerunner of GGUF"),
    SIGNATURE("\x89HDF\r\n\x1a\n", "this is an HDF5 file, probably of Keras"),
    SIGNATURE("\x93NUMPY", "this is a NumPy array file"),
    SIGNATURE("\x1f\x8b", "this is compressed with gzip: unpack it first"),
    SIGNATURE("\x28\xb5\x2f\xfd", "this is compressed with Zstandard: unpack it first"),
    SIGNATURE("\3757zXZ", "this is compressed with xz: unpack it first"),
    SIGNATURE("BZh", "this is compressed with bzip2: unpack it first"),
    SIGNATURE("7z\xbc\xaf\x27\x1c", "this is a 7-Zip archive: unpack it first"),
    SIGNATURE("version https://git-lfs",
              "this is a Git LFS pointer, not the file: fetch it with `git lfs pull`"),
    SIGNATURE("{",
              "this is JSON text without the 8 bytes of header length: perhaps an index or a configuration"),
    SIGNATURE("\177ELF", "this is a program"),
    SIGNATURE("MZ", "this is a Windows program"),
};

static bool same_letters(const uint8_t *bytes, const char *lower)
{
    for (size_t i = 0; lower[i] != '\0'; i++)
        if ((bytes[i] | 0x20) != (uint8_t)(lower[i] | 0x20))
            return false;
    return true;
}

/* Error pages that a downloader has saved under the file's name. */
static bool is_page(const uint8_t *start, size_t count)
{
    static const char *const opening[] = {"<!doctype", "<html", "<head", "<?xml"};
    size_t at = 0;
    while (at < count && (start[at] == ' ' || (start[at] >= '\t' && start[at] <= '\r')))
        at++;
    for (size_t i = 0; i < sizeof opening / sizeof *opening; i++)
        if (count - at >= strlen(opening[i]) && same_letters(start + at, opening[i]))
            return true;
    return false;
}

static bool is_text(const uint8_t *start, size_t count)
{
    for (size_t i = 0; i < count && i < 64; i++)
        if (start[i] >= 0x7F || (start[i] < ' ' && (start[i] < '\t' || start[i] > '\r')))
            return false;
    return count >= 8;
}

static bool is_zero(const uint8_t *start, size_t count)
{
    for (size_t i = 0; i < count && i < 64; i++)
        if (start[i] != 0)
            return false;
    return count >= 8;
}

const char *hint(const uint8_t *start, size_t count, uint64_t file_size)
{
    if (file_size == 0)
        return "the file is empty: the download failed, or was never begun";
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (count >= signatures[i].length && memcmp(start, signatures[i].magic, signatures[i].length) == 0)
            return signatures[i].what;
    if (count >= 262 && memcmp(start + 257, "ustar", 5) == 0)
        return "this is a tar archive: unpack it first";
    if (is_zero(start, count))
        return "the file begins with zeros: room was made for a download that never came";
    if (is_page(start, count))
        return "this is a web page, perhaps an error message or a login: the download failed";
    if (is_text(start, count))
        return "this is plain text, perhaps an error message: the download failed";
    return NULL;
}
