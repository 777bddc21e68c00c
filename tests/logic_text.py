"""The logic of texts, definition by definition: UTF-8, escapes, values, hashes, beside Python's own.

    for section in SECTIONS: section(space)    raises Wrong
"""
import itertools

from logic_parser import STRINGS, places
from logic_ask import gives, holds
from logic_view import character, fingerprint, fold, mix, secret

ROOTS = ("utf8_width", "utf8_byte", "spells", "unit", "escape_value", "escape", "utf8_value", "utf8", "character",
         "text_end",
         "digit", "digits", "text_value", "bytes_value", "value_order", "hash_fold", "hash_reduce", "hash_step",
         "hash_fifth", "hash_finish", "hash_home", "hash_scatter", "hash_round", "hash_mixed", "hash_mix", "secret_low",
         "secret_first", "secret_second", "secret", "slot_place", "slot_tag", "hash_tag", "hash_value", "hash_code",
         "fingerprint")
POINTS = (1, 0x41, 0x7E, 0x7F, 0x80, 0x81, 0xBF, 0xC0, 0x7FE, 0x7FF, 0x800, 0x801, 0xFFF, 0x1000, 0x103F, 0xD7FF,
          0xE000,
          0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x10001, 0x1003F, 0x10FFF, 0x11000, 0x3FFFF, 0x40000, 0x10FFFE, 0x10FFFF)
M = (1 << 31) - 1


def value_of(data):
    value = 0
    for byte in reversed(data):
        value = 1 + byte + 257 * value
    return value


def code_points(space):
    """UTF-8 of code points: width, bytes, where it stands, its digits, its hash."""
    for code in POINTS:
        data = chr(code).encode()
        gives(len(data), space["utf8_width"], code)
        for k, byte in enumerate(data):
            gives(byte, space["utf8_byte"], code, k)
        for rest in (0, 5):
            gives(value_of(data) + rest * 257**len(data), space["digits"], code, rest)
        for before, behind in itertools.product((b"", b"x"), (b"", b"y")):
            b, at = before + data + behind + b"zzzz", len(before)
            for size in range(at, at + len(data) + 3):
                holds(size - at >= len(data), space["spells"], b, at, size, code)
            for k, change in itertools.product(range(len(data)), (1, 0x40)):
                wrong = bytearray(b)
                wrong[at + k] ^= change
                holds(False, space["spells"], bytes(wrong), at, at + len(data) + 1, code)
        for point, start in ((7, 0), (M, 9), (1 << 30, M)):
            hashed = start
            for byte in data:
                hashed = fold(hashed * point + byte + 1)
            gives(hashed, space["hash_code"], code, point, start)
        gives(code << 32 | 9, space["unit"], code, 9)
    for byte, rest in itertools.product((0, 1, 255), (0, 1, 257)):
        gives(1 + byte + 257 * rest, space["digit"], byte, rest)


TEXTS = STRINGS + (b'a\\"b\\\\"c', b"\\\\\\\\", b'\\"', b"ab\\", b'\\u0022"', b"\\ud83d\\ude00\"",
                   b"\xf0\x90\x80\x80\"", b"")


def unescaped(space):
    """Each character and each text of small bytes, cut and whole."""
    for b, at, end in places(TEXTS):
        if at >= end:
            gives(0, space["text_value"], b, at, end)
            gives(end, space["text_end"], b, at, end)
            continue
        code, behind = character(b, at, end)
        gives(code << 32 | behind, space["character"], b, at, end)
        if b[at] == 0x5C:
            gives(code << 32 | behind, space["escape"], b, at, end)
            if behind > at + 1:
                gives(code, space["escape_value"], b, at)
        elif b[at] >= 0x80:
            gives(code << 32 | behind, space["utf8"], b, at, end)
            if behind > at + 1:
                gives(code, space["utf8_value"], b, at)
        close = at
        while close < end and b[close] != 34:
            close += 2 if b[close] == 0x5C and close + 1 < end else 1
        gives(min(close, end), space["text_end"], b, at, end)
        said, place = bytearray(), at
        while place < end and b[place] != 34:
            code, behind = character(b, place, end)
            said += chr(code).encode() if b[place] == 0x5C else b[place:place + 1]
            place = behind if b[place] == 0x5C else place + 1
        gives(value_of(said), space["text_value"], b, at, end)
        gives(value_of(b[at:end]), space["bytes_value"], b, at, end)


def compared(space):
    """Texts as numbers: the order of two."""
    known = (b"", b"\0", b"a", b"b", b"ab", b"aa", b"\xff", b"\xff\0", b"\0\xff", b"a\xff", b"b\0", b"aab", b"aaa")
    for a, b in itertools.product(known, repeat=2):
        gives((a > b) - (a < b), space["value_order"], value_of(a), value_of(b))
    gives(0, space["value_order"], -1, 0)
    gives(-1, space["value_order"], -1, 1)
    gives(1, space["value_order"], 1, -1)


SEEDS = (0, 1, 2, 0xFFFFFFFF, 0x100000000, 0x123456789ABCDEF, (1 << 64) - 1, (1 << 64) - 2, 0xFFFFFFFE00000000)
NUMBERS = (0, 1, 2, 255, 256, M - 1, M, M + 1, M + 2, 2 * M, 2 * M + 1, 1 << 61, (1 << 62) - 1, 12345678901234567)


def hashes(space):
    """The hash step by step."""
    for x in NUMBERS:
        gives(fold(x), space["hash_fold"], x)
        gives(fold(fold(x)), space["hash_reduce"], x)
        square = fold(fold(x * x))
        fifth = fold(fold(fold(fold(square * square)) * x))
        gives(fifth, space["hash_fifth"], x)
        y = (x * 2654435769 + 2246822519) % (1 << 32)
        gives(y, space["hash_scatter"], x)
        y = (y + (y >> 16) * 40503 + (y >> 15)) % (1 << 32)
        gives(y, space["hash_round"], x)
        gives(x % (1 << 32), space["hash_mixed"], x, 0)
        gives(x % (1 << 32), space["hash_mixed"], x, -1)
        gives(y, space["hash_mixed"], x % (1 << 32), 1)
        gives(mix(x % (1 << 32)), space["hash_mix"], x % (1 << 32))
        gives(x % 256, space["hash_tag"], x)
        gives(x % (1 << 24) - 1, space["slot_place"], x)
        gives(x >> 24, space["slot_tag"], x)
        for factor in (0, 1, 5, M, M - 1, 1 << 30):
            gives(fingerprint_end(x, factor), space["hash_finish"], x, factor)
            for byte in (0, 1, 255):
                gives(fold(x * factor + byte + 1), space["hash_step"], x, factor, byte)
        for size in (1, 2, 3, 600):
            gives(x * size >> 31, space["hash_home"], x, size)
    for seed in SEEDS:
        low = mix(seed % (1 << 32) + 1)
        first = mix(low + (seed >> 32))
        gives(low, space["secret_low"], seed)
        gives(first, space["secret_first"], seed)
        gives(mix(mix(first + 3266489917) + low), space["secret_second"], seed)
        point, factor = secret(seed)
        gives(point << 32 | factor, space["secret"], seed)
        for data in (b"", b"a", b"\0", b"\xff\xfe", b"abcdefgh"):
            gives(fingerprint(data, point, factor), space["fingerprint"], value_of(data), point << 32 | factor)
            for start in (0, 77):
                hashed = start
                for byte in data:
                    hashed = fold(hashed * point + byte + 1)
                gives(hashed, space["hash_value"], value_of(data), point, start)
    gives(5, space["hash_value"], -1, 7, 5)


def fingerprint_end(value, factor):
    x = fold(fold(value * factor))
    square = fold(fold(x * x))
    return fold(fold(fold(fold(square * square)) * x)) % (1 << 31)


SECTIONS = (code_points, unescaped, compared, hashes)
