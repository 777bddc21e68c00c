"""Compare the logic of the error fields with the model: the tensor, what a rule or limit requires, what the file has.

    for section in SECTIONS: section(space)    raises Wrong

spec/model.py parses whole objects, and notes each key and each } on its way. From each of them on, with what has been
read before it, the logic must state the fields of the model's error, or none.
"""
import itertools

import acsl
import model
from questions import constant, gives, holds
from tensors_and_header import A, ARRAYS, LIMITED, LIMITED_TEXTS, META, OBJECTS, ROOTS_OF, limits
from texts_and_tokens import CODES, Reader, TOP, places, stopped

ROOTS = ("fields", "no_fields", "error_fields", "no_tensor", "shape_fields", "offsets_rest_fields", "offsets_fields",
         "member_fields", "size_fields", "tensor_fields", "members_fields", "object_fields", "pairs_fields",
         "metadata_fields", "named_fields", "root_member_fields", "root_fields", "header_fields", "frame_fields",
         "tensor_text", "SETS_OFFSET", "SETS_EXPECTED", "SETS_FOUND")
FIELDS = "offset", "expected", "found"


# ---- What the model's error states ----------------------------------------------------------------------------------

def packed(*numbers):
    """Return fields as one number: 64 bits each, all of them set in a field that is none."""
    return int.from_bytes(b"".join((TOP if n is None else n).to_bytes(8, "big") for n in numbers), "big")


def error(run):
    """Return (status, tensor, expected, found) of the error that stops a parse; of none if it does not stop."""
    try:
        run()
    except model.Stop as stop:
        name, _, tensor, _, expected, found = stop.fields
        return name, tensor, expected, found
    return "ok", None, None, None


def pair_of(run):
    return packed(*error(run)[2:])


class Noting(Reader):
    """The model's parser. It notes (level, offset, what has been read before) of each key and of each }."""

    def __init__(self, b, end, at, **options):
        super().__init__(b, end, at, **options)
        self.level, self.is_key, self.notes, self.found = "root", False, [], {}

    def note(self, at):
        before = {"root": (int(self.has_metadata), len(self.tensors)), "pairs": (len(self.pairs) + 1,),
                  "tensor": tuple(self.found.get(member, 0) for member in (1, 2, 4))}
        self.notes.append((self.level, at, before[self.level]))

    def members(self):
        level, self.is_key = self.level, True
        for key in super().members():
            self.is_key = False
            yield key
            self.level, self.is_key = level, True
        self.note(self.at - 1)

    def string(self):
        if self.is_key:
            self.note(self.at)
        return super().string()

    def root_member(self, key):
        self.level, self.found = "pairs" if key.text == "__metadata__" else "tensor", {}
        return super().root_member(key)

    def found_at(self, member, kind, read):
        at = self.value(kind)
        value = read()
        self.found[member] = at
        return value

    def dtype(self):
        return self.found_at(1, "string", super().dtype)

    def shape(self):
        return self.found_at(2, "array", super().shape)

    def offsets(self):
        return self.found_at(4, "array", super().offsets)


# ---- Numbers, arrays ------------------------------------------------------------------------------------------------

def fields_packed(space):
    for one, other in itertools.product((0, 1, 2, TOP), repeat=2):
        gives(packed(one, other), space["fields"], one, other)
        for tensor in (0, 1, 5, TOP):
            gives(packed(tensor, one, other), space["error_fields"], tensor, packed(one, other))
        gives(packed(None, one, other), space["no_tensor"], packed(one, other))
    constant(space, "no_fields", packed(None, None))
    for field in FIELDS:
        rows = [*model.RULES.values(), *model.STATUSES.values()]
        constant(space, "SETS_" + field.upper(), sum(1 << int(row["code"]) for row in rows if row[field]))


MORE_ARRAYS = (b"[1,2]", b"[12,34 ]", b"[1", b"[1,2", b"[1,2 ,3", b"[ ]", b"[\n", b"[1,2,x")
DTYPES_LIKE_ARRAYS = b'"1,2,3]"', b'"]"', b'"1]"', b'"0,1,2"', b'""', b'"U8"'


def cut(texts):
    """Each text up to each byte, and nothing after it: every position."""
    for text in texts:
        for end in range(1, len(text) + 1):
            acsl.forget()
            for at in range(end):
                yield text[:end], at, end


def arrays_stopped(space):
    for b, at, end in [*places(ARRAYS + MORE_ARRAYS), *cut(MORE_ARRAYS)]:
        def rest():
            reader = Reader(b, end, at)
            reader.integer()
            if reader.expect(b",]") == 0x2C:
                reader.stop("offsets_count", reader.at - 1, expected=2, found=3)
        gives(pair_of(rest), space["offsets_rest_fields"], b, at, end)
        if at < end and b[at] == 91:
            offsets = pair_of(Reader(b, end, at).offsets)
            gives(offsets, space["offsets_fields"], b, at, end)
            for most in (0, 1, 2, 3, TOP):
                shape = pair_of(Reader(b, end, at, max_rank=most).shape)
                gives(shape, space["shape_fields"], b, at, end, most)
                for member in range(6):
                    wanted = {2: shape, 4: offsets}.get(member, packed(None, None))
                    gives(wanted, space["member_fields"], b, at, end, member, most)
    for b, at, end in places(DTYPES_LIKE_ARRAYS):
        gives(packed(None, None), space["member_fields"], b, at, end, 1, 1)


# ---- A tensor -------------------------------------------------------------------------------------------------------

def sizes_stopped(space):
    """The first condition on the numbers of a tensor that fails."""
    for product in (0, 1, 4, 8, 12, 15, 16, 24, 1 << 63, TOP - 7, TOP - 1, TOP, 1 << 64, 1 << 70):
        for bits, begin, length in itertools.product({0, product}, (0, 1, 5), (-1, 0, 1, 2, product // 8)):
            conditions = ((product < 1 << 64, (None, None)), (bits & 7 == 0, (None, bits)),
                          (length >= 0, (begin, begin + length)), (8 * length == bits, (bits >> 3, length)))
            failed = [fields for right, fields in conditions if not right] + [(None, None)]
            if begin + length >= 0 and bits <= TOP:
                gives(packed(*failed[0]), space["size_fields"], product, bits, begin, begin + length)


MORE_OBJECTS = (b'{"dtype":"1,2,3]","shape":[1],"data_offsets":[0,1]}', b'{"dtype":"]","shape":[1]}', b"{}", b"{ }",
                b'{"data_offsets":[]}', b'{"data_offsets":[7]}', b'{"data_offsets":[7,8,9]}', b'{"shape":[1,2,3]}',
                b'{"dtype":"F4","shape":[3],"data_offsets":[0,2]}',
                b'{"dtype":"F4","shape":[3,0],"data_offsets":[2,1]}',
                b'{"shape":[3,3],"dtype":"F6_E2M3","data_offsets":[0,2]}',
                b'{"shape":[4294967296,4294967296],"dtype":"U8","data_offsets":[3,2]}')
NEVER = b'"0]}'  # follows the end of the header


def tensors_stopped(space):
    for text in dict.fromkeys(OBJECTS + list(MORE_OBJECTS)):
        if text[:1] != b"{":
            continue
        b, last = b"01234567" + text + NEVER, 8 + len(text)
        for end, most in itertools.product({last, last + 2, last - 1, last - 9}, (TOP, 2, 1)):
            tensor(space, b, end, most)
    for text in (OBJECTS[0], OBJECTS[3], *MORE_OBJECTS[:8]):
        for end, most in itertools.product(range(9, 9 + len(text)), (TOP, 1)):
            tensor(space, (b"01234567" + text)[:end], end, most)


def tensor(space, b, end, most):
    acsl.forget()
    reader = Noting(b, end, 8, max_rank=most)
    reader.level = "tensor"
    wanted = pair_of(lambda: reader.tensor_object(model.Token("", 8, 0, False)))
    gives(wanted, space["object_fields"], b, 8, end, most)
    for _, at, found in reader.notes:
        gives(wanted, space["members_fields"], b, at, end, most, *found)
        if b[at] == 125:
            gives(wanted, space["tensor_fields"], b, end, *found)


# ---- The root and the metadata --------------------------------------------------------------------------------------

SAFE = b'"__metadata__":{"k":"v","l":"w"}'
ESCAPED = [SAFE.replace(b"__metadata__", name) for name in (
    b"\\u005f_metadata__", b"_\\u005fmetadata__", b"__metadata_\\u005f", b"__met\\u0061data__")]
MORE_ROOTS = [b"{%s,%s}" % (A, SAFE), b"{%s,%s}" % (SAFE, SAFE), b'{"__metadata__":{}}', b'{"__metadata__":{},%s}' % A,
              b'{"__metadata__":{"k":"v","l":2}}', b'{"__metadata__" :{"k":"v" ', b'{"__metadata__": ', b'{"a":',
              b'{"__metadata__":{"":"","":""', b'{"__metadata__":{x', b'{"a":x', b'{"__metadata__":[{"k":"v"}]}',
              b'{"a":[{"shape":[1]}]}', b'{"a":"{}"}', b'{"__metadata__":"k\\"l"}', b'{"__metadata__":{"k\x01":"v"}}',
              b'{"__metadata__":{"k', b'{"a', b'{"\x01"', b'{"__metadata__":{"k\\u00', b'{"__metadata__":{"k":"v","']
MORE_ROOTS += [b"{%s}" % text for text in ESCAPED]
OF_A_TENSOR = b'{"dtype":"U8","shape":[1,2,3],"data_offsets":[0,7]}'
MORE_ROOTS += [b'{%s"x":%s}' % (before, text) for before in (b"", A + b",", META + b",")
               for text in (OF_A_TENSOR, MORE_OBJECTS[1], OBJECTS[3])]
MORE_ROOTS += [b'{}":{"shape":[1]}}', b'["a":{"shape":[1]}}', b'|"a":{"shape":[1]}}', b'{%s,%s,"x":{}}' % (META, SAFE),
               b'{"__metadata__":{},%s}' % SAFE, b'{%s,"x":{}' % A]


def roots_stopped(space):
    for text in dict.fromkeys(ROOTS_OF + MORE_ROOTS):
        b, last = b"01234567" + text + NEVER, 8 + len(text)
        for limit in limits() if text in [*LIMITED_TEXTS[:3], *MORE_ROOTS] else [{name: TOP for name in LIMITED}]:
            for end in {last, max(last - 3, 8)} if limit == {name: TOP for name in LIMITED} else {last}:
                header(space, b, end, limit)
    for text in (ROOTS_OF[8], MORE_ROOTS[0], MORE_ROOTS[1], ROOTS_OF[-2]):
        for end, most in itertools.product(range(8, 9 + len(text)), (TOP, 1)):
            limit = {"max_tensors": TOP, "max_rank": most, "max_name": TOP, "max_metadata": most}
            header(space, (b"01234567" + text)[:end], end, limit)


def header(space, b, end, limit):
    acsl.forget()
    reader, order = Noting(b, end, 8, **limit), [limit[name] for name in LIMITED]
    wanted = packed(*error(reader.parse)[1:])
    gives(wanted, space["header_fields"], b, end, *order)
    for level, at, before in reader.notes:
        if level == "root":
            gives(wanted, space["root_fields"], b, at, end, *before, *order)
            if b[at] == 34:
                for seen, count in {before, (1, 0), (0, 0), (0, 2)}:
                    root_key(space, b, at, end, seen, count, limit)
        elif level == "pairs":
            pairs(space, b, at, end, limit["max_metadata"])


def root_key(space, b, at, end, seen, count, limit):
    """One member of the root, whatever was met before it."""
    order = [limit[name] for name in LIMITED]
    reader, keys = Reader(b, end, at, **limit), []
    reader.has_metadata, reader.tensors = bool(seen), [None] * count

    def member():
        keys.append(reader.string())
        reader.root_member(keys[0])
    status, *found = error(member)
    if status != "ok":
        gives(packed(*found), space["root_member_fields"], b, at, end, seen, count, *order)
    if not keys:
        return
    close = at + 1 + keys[0].size
    if keys[0].text != "__metadata__":
        gives(packed(*found[1:]), space["named_fields"], b, at, close, end, count, *order[:3])
    elif not seen and not keys[0].escaped:
        gives(packed(*found[1:]), space["metadata_fields"], b, close, end, limit["max_metadata"])


def pairs(space, b, at, end, limit):
    """The metadata from a key or its } on."""
    for count, most in itertools.product((1, 2, 3), {0, 1, 2, limit}):
        def rest():
            reader = Reader(b, end, at, max_metadata=most)
            reader.pairs = [None] * (count - 1)
            for key in reader.keys():
                reader.pair(key)
        gives(pair_of(rest), space["pairs_fields"], b, at, end, count, most)


def stops_for_keys(space):
    """A stop, where a key could be."""
    b = b"01234567" + ROOTS_OF[8]
    for stop in (stopped("unexpected", 9), stopped("header_early", len(b))):
        gives(packed(None, None), space["pairs_fields"], b, stop, len(b), 1, 0)
        gives(packed(None, None, None), space["root_fields"], b, stop, len(b), 0, 0, 0, 0, 0, 0)


# ---- Stage F, names -------------------------------------------------------------------------------------------------

def frames_stopped(space):
    """What stage F requires of the first bytes, with one field that is another, and with the status of a later
    stage."""
    for n, most in itertools.product((0, 2, 300, model.MAX_HEADER + 1), (TOP, 100)):
        data = n.to_bytes(8, "little") + b"{"
        for size, file_size in itertools.product((0, 7, 8, 9), (0, 7, 8, 9 + n, TOP)):
            given = data[:size]
            try:
                model.stage_f(given, file_size, {**model.OPTIONS, "max_header": most})
                continue
            except model.Stop as stop:
                name, _, _, _, *numbers_of = stop.fields
            for wrong in itertools.product((0, 1, -1), repeat=2):
                said = [number + step for number, step in zip(numbers_of, wrong)]
                holds(wrong == (0, 0), space["frame_fields"], given, size, file_size, most, CODES[name], *said)
    of_frame = {"file_short", "header_large", "limit_header", "header_cut", "need_more"}
    for name, code in {**CODES, "ok": 0}.items():
        holds(name not in of_frame, space["frame_fields"], bytes(8), 8, 8, TOP, code, 77, 78)


NAMED = (b"{%s,%s}" % (A, SAFE), b"{%s,%s,%s}" % (META, A.replace(b'"a"', b'"b\\"c"'), A), b"{}", b'{"":1',
         b'{%s,"" : ' % A, b'{%s,"\\"": ' % META)


def names_of_errors(space):
    """The text of a tensor's name, which is that of no other tensor; in headers that are cut after any byte too."""
    for text in NAMED:
        for end in range(9, 9 + len(text)):
            b = (b"01234567" + text)[:end]
            acsl.forget()
            reader = Reader(b, end, 8)
            error(reader.parse)
            tokens = [(k, token.at + 1, token.at + 1 + token.size) for k, token in enumerate(reader.name_tokens)]
            for index, at, stop in [*tokens, (TOP, 0, 0)]:
                for x, y in itertools.product((0, 1, -1), repeat=2):
                    holds((x, y) == (0, 0), space["tensor_text"], b, end, index, at + x, stop + y)
            for index, (_, at, stop) in itertools.product([TOP, *range(len(tokens))], tokens):
                right = index < len(tokens) and tokens[index] == (index, at, stop)
                holds(right, space["tensor_text"], b, end, index, at, stop)


SECTIONS = (fields_packed, arrays_stopped, sizes_stopped, tensors_stopped, roots_stopped, stops_for_keys,
            frames_stopped, names_of_errors)
