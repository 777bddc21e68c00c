"""The logic of texts, definition by definition: UTF-8, escapes, values, hashes, beside Python's own.

    for section in SECTIONS: section(space)    raises Wrong
"""
import itertools

from logic_parser import STRINGS, places
from logic_ask import gives, holds
from logic_view import character, fingerprint, fold, hash_finish, hash_step, mix, secret

ROOTS = ("utf8_width", "utf8_byte", "spells", "unit", "escape_value", "escape", "utf8_value", "utf8", "character",
         "text_end", "digit", "digits", "text_value", "bytes_value", "value_order", "hash_fold", "hash_reduce",
         "hash_step", "hash_put", "hash_cube", "hash_finish", "hash_home", "hash_scatter", "hash_round", "hash_mixed",
         "hash_mix", "secret_low", "secret_first", "secret_second", "secret", "slot_place", "slot_tag", "hash_tag",
         "hash_value", "fingerprint")
POINTS = (1, 0x41, 0x7E, 0x7F, 0x80, 0x81, 0xBF, 0xC0, 0x7FE, 0x7FF, 0x800, 0x801, 0xFFF, 0x1000, 0x103F, 0xD7FF,
          0xE000,
          0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x10001, 0x1003F, 0x10FFF, 0x11000, 0x3FFFF, 0x40000, 0x10FFFE, 0x10FFFF)
M = (1 << 32) - 5


def value_of(data):
    value = 0
    for byte in reversed(data):
        value = 1 + byte + 257 * value
    return value


def code_points(space):
    """UTF-8 of code points: width, bytes, where it stands, its digits."""
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
        gives(fold(fold(fold(fold(fold(x * x))) * x)), space["hash_cube"], x)
        gives(hash_finish(x), space["hash_finish"], x)
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
        for key in (0, 1, 1 << 32, 5 << 32 | 3, M << 32 | M - 1, (1 << 61) + (1 << 29)):
            for group in (0, 1, 255, (1 << 32) - 1, 1 << 32, (7 << 32) + 9, (1 << 64) - 1):
                gives(hash_step(x, key, group), space["hash_step"], x, key, group)
        for byte, place in itertools.product((0, 1, 255), (1, 256, 1 << 56)):
            gives(x + byte * place, space["hash_put"], x, byte, place)
        for size in (1, 2, 3, 600):
            gives(x * size >> 31, space["hash_home"], x, size)
    for seed in SEEDS:
        low = mix(seed % (1 << 32) + 1)
        first = mix(low + (seed >> 32))
        gives(low, space["secret_low"], seed)
        gives(first, space["secret_first"], seed)
        gives(mix(mix(first + 3266489917) + low), space["secret_second"], seed)
        key = secret(seed)
        gives(key, space["secret"], seed)
        for data in (b"", b"a", b"\0", b"\xff\xfe", b"abcdefg", b"abcdefgh", b"abcdefghi", bytes(17), b"\xff" * 16):
            gives(fingerprint(data, key), space["fingerprint"], value_of(data), key)
            for start, first in itertools.product((0, 77), (b"", b"x", b"1234567")):
                hashed, whole = start, first + data + b"\1"
                for k in range(0, len(whole), 8):
                    hashed = hash_step(hashed, key, int.from_bytes(whole[k:k + 8], "little"))
                gives(hashed, space["hash_value"], value_of(data), key, start, int.from_bytes(first, "little"),
                      256**len(first))
    gives(hash_step(5, 7, 10), space["hash_value"], -1, 7, 5, 9, 1)


SECTIONS = (code_points, unescaped, compared, hashes)
