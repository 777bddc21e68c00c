/* kind_looks.c: see kind_looks.h. */
#include "kind_looks.h"

#include <string.h>

/* Does text stand in the first `most` bytes? */
static bool holds(const uint8_t *start, size_t count, size_t most, const char *text)
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

/* ---- ZIP archives: behind 30 bytes stands the name of the first member ----------------------------------- */

LOOK(data_pkl)
{
    return holds(start, count, 200, "data.pkl");
}

LOOK(npy)
{
    return holds(start, count, 200, ".npy");
}

LOOK(keras)
{
    return count > 43 && (memcmp(start + 30, "metadata.json", 13) == 0 || memcmp(start + 30, "config.json", 11) == 0);
}

/* ---- Binary formats --------------------------------------------------------------------------------------- */

/* Its version, from 2 on, and an instruction. */
LOOK(pickle)
{
    static const char instructions[] = "().012BCFGIJKLMNPQRSTUVX]abcdeghijlopqrstu}";
    return count > 2 && start[0] == 0x80 && start[1] >= 2 && start[1] <= 5 &&
           ((start[2] >= 0x80 && start[2] <= 0x98) || memchr(instructions, start[2], sizeof instructions - 1) != NULL);
}

/* A line with the name of a module and one with that of what is called; or a list or dict that is stored under 0. */
LOOK(pickle_old)
{
    size_t at = 1, lines = 0;
    if (count >= 3 && (memcmp(start, "(dp", 3) == 0 || memcmp(start, "(lp", 3) == 0 || memcmp(start, "}q\0", 3) == 0 ||
                       memcmp(start, "]q\0", 3) == 0))
        return true;
    for (; at < count && lines < 2 && (is_word_byte(start[at]) || (start[at] == '\n' && at > 1)); at++)
        lines += start[at] == '\n';
    return count > 0 && start[0] == 'c' && lines == 2;
}

/* ggml, ggmf, ggjt, ggla: written as numbers, so back to front. */
LOOK(ggml)
{
    return count >= 4 && (memcmp(start, "lm", 2) == 0 || memcmp(start, "fm", 2) == 0 || memcmp(start, "tj", 2) == 0 ||
                          memcmp(start, "al", 2) == 0);
}

/* A message of protobuf: a small number, the version, and then the producer, domain, graph or operator sets. */
LOOK(onnx)
{
    return count > 3 && start[0] == 0x08 && start[1] >= 3 && start[1] <= 0x20 &&
           (start[2] == 0x12 || start[2] == 0x1a || start[2] == 0x22 || start[2] == 0x3a || start[2] == 0x42);
}

/* A map whose first key is a string of at least one letter. */
LOOK(msgpack)
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

/* MZ alone is two letters, which text may begin with: behind them stand two bytes of a number below 512. */
LOOK(pe)
{
    return count > 3 && start[2] != 0 && start[3] < 2;
}

/* #! and the program that reads the rest, on a line of text. */
LOOK(script)
{
    return count > 3 && (start[2] == '/' || start[2] == ' ');
}

LOOK(mach_o)
{
    return count > 4 && (start[0] == 0xcf || start[0] == 0xce);
}

/* ---- Text --------------------------------------------------------------------------------------------------- */

static size_t behind_space(const uint8_t *start, size_t count)
{
    size_t at = count >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < count && (start[at] == ' ' || (start[at] >= '\t' && start[at] <= '\r')))
        at++;
    return at;
}

/* Does it begin so, in small letters or capitals? */
static bool begins(const uint8_t *start, size_t count, const char *lower)
{
    size_t at = behind_space(start, count);
    for (; *lower != '\0'; lower++, at++)
        if (at >= count || (start[at] != (uint8_t)*lower && (start[at] | 0x20) != (uint8_t)*lower))
            return false;
    return true;
}

LOOK(html)
{
    return begins(start, count, "<!doctype") || begins(start, count, "<html") || begins(start, count, "<head");
}

LOOK(xml)
{
    return begins(start, count, "<?xml") || begins(start, count, "<error>");
}

LOOK(json)
{
    size_t at = behind_space(start, count);
    return at + 1 < count && start[at] == '{' &&
           (start[at + 1] == '"' || start[at + 1] == '}' || behind_space(start + at + 1, count - at - 1) > 0);
}

LOOK(json_error)
{
    return look_json(start, count) && count < 4096 &&
           (holds(start, count, 100, "\"error\"") || holds(start, count, 100, "\"message\"") ||
            holds(start, count, 100, "\"detail\""));
}

LOOK(json_index)
{
    return look_json(start, count) && holds(start, count, 4096, "\"weight_map\"");
}

LOOK(header_alone)
{
    return look_json(start, count) && holds(start, count, 4096, "\"data_offsets\"");
}

LOOK(utf_16)
{
    return count >= 4 && ((start[0] == 0xff && start[1] == 0xfe && start[3] == 0) ||
                          (start[0] == 0xfe && start[1] == 0xff && start[2] == 0));
}

LOOK(text)
{
    for (size_t i = 0; i < count && i < 64; i++)
        if (start[i] >= 0x7F || (start[i] < ' ' && (start[i] < '\t' || start[i] > '\r')))
            return false;
    return count >= 8;
}

/* ---- Almost safetensors -------------------------------------------------------------------------------------- */

/* Of a file that is given whole, the length must fit. */
LOOK(big_endian)
{
    if (count <= 8 || start[8] != '{' || memcmp(start, "\0\0\0\0", 4) != 0)
        return false;
    size_t length = (size_t)start[4] << 24 | (size_t)start[5] << 16 | (size_t)start[6] << 8 | start[7];
    return length >= 2 && length <= 100000000 && (length <= count - 8 || count >= 4096);
}

LOOK(32_bit)
{
    return count > 5 && start[4] == '{' && (start[5] == '"' || start[5] == '}') && start[3] < 6;
}

LOOK(zeros)
{
    for (size_t i = 0; i < count && i < 512; i++)
        if (start[i] != 0)
            return false;
    return count >= 8;
}
