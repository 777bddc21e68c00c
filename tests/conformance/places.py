"""Find the position of a byte in a header, for matrix.py: walk over the tokens up to the first that does not fit.

The walk does not judge: it reads strings and numbers in any form, and does not decode escapes in keys.
"""
import collections
import re

PLACES = ["frame", "root", "root key", "metadata", "metadata key", "metadata value", "tensor", "tensor key", "dtype",
          "shape", "dim", "offsets", "begin", "end", "tail", "data"]
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"?|[-+.eE0-9]+|[^ \t\r\n]', re.S)
NUMBER = b"-+.eE0123456789"
KEY_OF = {"root": "root key", "metadata": "metadata key", "tensor": "tensor key"}
MEMBER = {b"dtype": "dtype", b"shape": "shape", b"data_offsets": "offsets"}

# start and end in the header; position; what the grammar requires there.
Token = collections.namedtuple("Token", "start end text place wanted")


class Walk:
    """The tokens of a header; `inside` are the open objects and arrays, outermost first."""

    def __init__(self, header):
        self.header, self.inside, self.wanted, self.key, self.item = header, [], "{", b"", 0
        self.tokens = []
        for match in TOKEN.finditer(header):
            self.tokens.append(self.token(match.start(), match.end(), match.group()))
            if not self.step(match.group()):
                break

    def token(self, start, end, text):
        return Token(start, end, text, self.place(text), self.wanted)

    def place(self, text):
        """Return the position of a token that begins so, or of the one that should come."""
        here = self.inside[-1] if self.inside else "tail" if self.wanted == "end" else "root"
        if self.wanted.startswith("key"):
            return KEY_OF[here] if text[:1] == b'"' else here
        if not self.wanted.startswith("value") or self.wanted == "value or ]" and text == b"]":
            return here
        return {"root": "metadata" if self.key == b"__metadata__" else "tensor", "metadata": "metadata value",
                "tensor": MEMBER.get(self.key, "tensor"), "shape": "dim",
                "offsets": "begin" if self.item == 0 else "end"}[here]

    def step(self, text):
        """Advance past the token; False if it does not fit."""
        if self.wanted == "{" and text == b"{":
            self.inside, self.wanted = ["root"], "key or }"
        elif self.wanted.startswith("key") and text[:1] == b'"':
            self.key, self.wanted = text[1:-1], ":"
        elif self.wanted == ":" and text == b":":
            self.wanted = "value"
        elif self.wanted.startswith("value") and (text[:1] == b'"' or text[:1] in NUMBER):
            self.value_read()
        elif self.wanted.startswith("value") and text in (b"{", b"["):
            return self.opened(text)
        elif "or " + text.decode("latin-1") in self.wanted and text in (b"}", b"]"):
            self.inside.pop()
            self.value_read()
        elif self.wanted.startswith(",") and text == b",":
            self.item += 1
            self.wanted = "value" if self.inside[-1] in ("shape", "offsets") else "key"
        else:
            return False
        return True

    def value_read(self):
        here = self.inside[-1] if self.inside else ""
        self.wanted = ", or ]" if here in ("shape", "offsets") else ", or }" if here else "end"

    def opened(self, text):
        place = self.place(text)
        if text == b"{" and place in ("metadata", "tensor") and self.inside[-1] == "root":
            self.inside.append(place)
            self.wanted = "key or }"
        elif text == b"[" and place in ("shape", "offsets") and self.inside[-1] == "tensor":
            self.inside.append(place)
            self.wanted, self.item = "value or ]", 0
        else:
            return False
        return True

    def at(self, offset):
        """Return the token at this offset of the header; what should come if there is white space or the end."""
        for token in self.tokens:
            if token.start <= offset < token.end:
                return token
        last = self.tokens[-1] if self.tokens else None
        if last and last.end == offset and open_at_end(last.text):
            return last
        return self.token(offset, offset, b"")


def open_at_end(text):
    """Return whether the token could continue after its last byte."""
    if text[:1] == b'"':
        return re.fullmatch(rb'"(?:[^"\\]|\\.)*"', text, re.S) is None
    return text != b"" and text[:1] in NUMBER
