"""Ask about definitions that put others together: the writer, what a scan leaves, the view.

    for section in SECTIONS: section(space)    raises Wrong

What the others return is given, for exactly the arguments that the composition must pass: a header of its own, its
end, an offset. Whatever else is asked has no answer. Each question is put again with one of the given answers a little
smaller or larger, or the other one. Only what is stated about memory and texts is asked without that.
"""
import contextlib
import itertools
import re

import acsl
from questions import Box, NONE, altered, gives, holds, in_place, one

ROOTS = ("root_says", "member_says", "counts_say", "counts_right", "view_over", "found_says", "found_named",
         "pairs_say", "pairs_kept", "table_before", "tensor_keys", "tensors_kept", "view_finds", "view_says",
         "view_words", "word_apart", "text_lexed", "shape_of", "dims_say", "dims_stand", "dim_met", "dims_met",
         "dims_after", "entry_says", "entries_say", "tensor_says", "tensor_before", "order_says", "keys_say",
         "values_say", "text_behind", "new_tensor_readable", "readable_description", "order_below", "described_size",
         "laid_end", "laid_on", "tensor_described", "text_described", "pair_described", "tensors_described",
         "pairs_described", "sizes_described", "shape_nth", "dims_read", "dims_alike", "tensor_alike", "tensors_alike",
         "text_said", "pair_alike", "pair_named", "pairs_unchanged")


class Head:
    """A header of which some bytes are known."""

    def __init__(self, size=1000, **known):
        self.size, self.known = size, {int(at[1:]): byte for at, byte in known.items()}

    def __len__(self):
        return self.size

    def __getitem__(self, at):
        if at not in self.known:
            raise acsl.Fault("byte %d is not given" % at)
        return self.known[at]


def meant(argument):
    """Return a value that is the same for two pointers to the same structure, and for equal numbers."""
    if isinstance(argument, acsl.Cells) and argument.at == 0 and isinstance(argument.cells[0], Box):
        return argument.cells[0]
    return argument


@contextlib.contextmanager
def given(space, **answers):
    """Put answers in the place of definitions: of each name, {arguments: answer}."""
    def stub(name, known):
        def answer(*args):
            key = tuple(map(meant, args))
            if key not in known:
                raise acsl.Fault("%s%s is not given" % (name, args[1:]))
            return known[key]
        answer.__name__ = name
        return answer
    with in_place(space, {name: stub(name, known) for name, known in answers.items()}):
        yield


def near(*answers):
    """Yield the answers, then with one of them another."""
    yield answers
    for k, answer in enumerate(answers):
        for other in (not answer,) if isinstance(answer, bool) else (answer - 1, answer + 1):
            yield (*answers[:k], other, *answers[k + 1:])


# ---- What a scan states ---------------------------------------------------------------------------------------------

def plans(space):
    """The limits of a plan are passed on, each in its place."""
    for name, whole in (("root_says", "root_fields"), ("member_says", "root_member_fields")):
        b, plan = Head(), Box(max_tensors=11, max_rank=22, max_name=33, max_metadata=44)
        with given(space, **{whole: {(b, 9, 40, 3, 7, 11, 22, 33, 44): 1234}}):
            gives(1234, space[name], b, 9, 40, 3, 7, plan)


def counts_of_a_header(space):
    """The counts that a scan has made, and those that are handed on: of the header up to its end."""
    for byte, metadata in itertools.product((33, 34, 35, 125), (0, 1, 2)):
        for tensors, pairs in itertools.product((False, True), repeat=2):
            b, found = Head(x70=byte), one(Box(tensors=3, pairs=2, metadata=metadata))
            with given(space, tensor_count={(b, 300, 3): tensors}, pair_count={(b, 300, 2): pairs},
                       metadata_key={(b, 300): 70}, header_length={(b,): 292}):
                right = tensors and pairs and (byte == 34) == (metadata == 1)
                holds(right, space["counts_say"], found, b, 300)
                right = tensors and pairs and metadata == (byte == 34)
                holds(right, space["counts_right"], Box(end=300, tensors=3, pairs=2, metadata=metadata), b)
    for end, step in itertools.product((8, 9, 10, 11, 100000007, 100000008, 100000009), (-1, 0, 1)):
        b = Head(x5=125)
        with given(space, tensor_count={(b, end, 0): True}, pair_count={(b, end, 0): True}, metadata_key={(b, end): 5},
                   header_length={(b,): end - 8 + step}):
            right = 10 <= end <= 100000008 and step == 0
            holds(right, space["counts_right"], Box(end=end, tensors=0, pairs=0, metadata=0), b)
    for tensors, pairs, spare in itertools.product((0, 1, 2, 5), (0, 1, 2, 7), (-1, 0, 1, 2, 3)):
        end, b = 8 + 32 * tensors + 6 * pairs + spare, Head(x5=125)
        with given(space, tensor_count={(b, end, tensors): True}, pair_count={(b, end, pairs): True},
                   metadata_key={(b, end): 5}, header_length={(b,): end - 8}):
            right = spare >= 0 and end >= 10
            holds(right, space["counts_right"], Box(end=end, tensors=tensors, pairs=pairs, metadata=0), b)


def found(space):
    """The table that a scan leaves: as far as there is room, of the header up to its end."""
    for (counts, entries, pairs), room in itertools.product(itertools.product((False, True), repeat=3), (2, 3, 4)):
        b, entry, word = Head(), acsl.Cells([0] * 5), acsl.Cells([0] * 9)
        left = one(Box(tensors=3, pairs=2))
        plan = Box(entry=entry, entries=room, word=word, words=9)
        with given(space, counts_say={(left[0], b, 300): counts}, entries_say={(entry, b, 300, 3): entries},
                   pairs_say={(word, 9, b, 300, 2): pairs}):
            holds(counts and (entries or room < 3) and pairs, space["found_says"], plan, left, b, 300)
    for (ok, says), room in itertools.product(itertools.product((False, True), repeat=2), range(3, 7)):
        b, entry, word = Head(), acsl.Cells([0] * 5), acsl.Cells([0] * 9)
        with given(space, entries_ok={(entry, 5, 300): ok}, entries_say={(entry, b, 300, 5): says}):
            holds(ok and says or room < 5, space["tensors_kept"], entry, room, b, 300, 5)
        with given(space, pairs_ok={(word, room, 2, 300): ok}, pairs_say={(word, room, b, 300, 2): says}):
            holds(ok and says, space["pairs_kept"], word, room, b, 300, 2)
        b, word = Head(), acsl.Cells([0] * 9)
        with given(space, keys_say={(word, b, 300, 2): ok}, values_say={(word, room, b, 300, 2): says}):
            holds(ok and says or room < 4, space["pairs_say"], word, room, b, 300, 2)


def names_found(space):
    """The name of the tensor that is being read: the text of that tensor, up to the end at most."""
    for text, name, name_end in itertools.product((False, True), range(47, 52), range(47, 52)):
        b, left = Head(), one(Box(tensor=3, name=name, name_end=name_end))
        with given(space, tensor_text={(b, 50, 3, name, name_end): text}):
            holds(text and name <= name_end <= 50, space["found_named"], left, b, 50)


def tables_before(space):
    """The table up to a key: the tensors before it, and the metadata, if it has been read."""
    for key, first, tensors, later, pairs in near(20, 20, True, 60, True):
        for metadata, m, other in itertools.product((-1, 0, 1, 2), (-1, 0, 1, 2), (59, 60, 61)):
            for byte in (33, 34, 125):
                b = Head(**{"x%d" % later: byte})
                with given(space, tensor_from={(b, 15, 300): key}, tensor_key={(b, 300, 4): first},
                           tensor_keys={(b, 300, 4): tensors}, metadata_key={(b, 300): later},
                           metadata_from={(b, 15, 300): other}, pair_count={(b, 300, m): pairs}):
                    meta = byte == 34 and pairs if metadata else m == 0 and other == later
                    holds(key == first and tensors and meta, space["table_before"], b, 300, 15, 4, metadata, m)
    for n, k, byte in itertools.product(range(4), range(3), (33, 34, 35, 125)):
        b = Head(**{"x%d" % (50 + i): byte if i == k else 34 for i in range(3)})
        with given(space, tensor_key={(b, 300, i): 50 + i for i in range(3)}):
            holds(k >= n or byte == 34, space["tensor_keys"], b, 300, n)


# ---- What a view states ---------------------------------------------------------------------------------------------

def names_and_keys(space):
    """The names are list 1, the keys list 0; both are of the header up to the data."""
    for names, keys, by_name, by_key in itertools.product((False, True), repeat=4):
        b, v = Head(), Box(data_begin=300, tensors=5, pairs=4, by_name=acsl.Cells([0] * 5), by_key=acsl.Cells([0] * 4))
        v.head = b
        with given(space, names_differ={(b, 300, 5): names}, keys_differ={(b, 300, 4): keys},
                   names_order={(b, 300, 1, v.by_name, 5): by_name, (b, 300, 0, v.by_key, 4): by_key}):
            holds(names and keys and by_name and by_key, space["view_finds"], one(v))


def views_stated(space):
    """Each part of a view is of its header up to the data."""
    parts = (True,) * 6
    for (length, *parts), metadata, byte in itertools.product(near(292, *parts), (0, 1, 2), (33, 34, 125)):
        b = Head(x70=byte)
        v = Box(head=b, data_begin=300, tensors=5, pairs=4, metadata=metadata, entry=acsl.Cells([0] * 5),
                order=acsl.Cells([0] * 5), key=acsl.Cells([0] * 4), value=acsl.Cells([0] * 4))
        with given(space, header_length={(b,): length}, tensor_count={(b, 300, 5): parts[0]},
                   pair_count={(b, 300, 4): parts[1]}, metadata_key={(b, 300): 70},
                   entries_say={(v.entry, b, 300, 5): parts[2]}, order_says={(v.order, b, 300, 5): parts[3]},
                   keys_say={(v.key, b, 300, 4): parts[4]}, values_say={(v.value, 4, b, 300, 4): parts[5]}):
            right = length == 292 and all(parts) and metadata == (byte == 34)
            holds(right, space["view_says"], one(v))


def entries_stated(space):
    """The entry of a tensor: its key, its object, and what is in it."""
    right = (True, 51, 57, 71, 4, 9, 100, 160, True)
    for flagged, name, close, shape, rank, dtype, begin, end, judged in near(*right):
        for plain in (False, True):
            b, e = Head(), Box(name=51 | 6 << 32 | flagged << 63, shape=71 | 4 << 32 | 9 << 59, begin=100, end=160)
            with given(space, tensor_key={(b, 300, 3): name - 1}, tensor_name_end={(b, 300, 3): close},
                       tensor_object={(b, 300, 3): 60}, object_shape={(b, 60, 300): shape - 1},
                       object_rank={(b, 60, 300): rank}, object_dtype={(b, 60, 300): dtype},
                       tensor_begin={(b, 300, 3): begin}, tensor_finish={(b, 300, 3): end},
                       text_plain={(b, 51, 57): plain}, shape_judged={(b, 70, 300): judged}):
                same = (name, close, shape, rank, dtype, begin, end, judged) == right[1:]
                holds(same and (plain or not flagged), space["entry_says"], one(e), b, 300, 3)
    for n, k in itertools.product(range(4), range(3)):
        b, cells = Head(), [Box(name=i) for i in range(3)]
        with given(space, entry_says={(cells[0], b, 300, 0): k != 0,
                                      (acsl.Cells(cells, 1), b, 300, 1): k != 1,
                                      (acsl.Cells(cells, 2), b, 300, 2): k != 2}):
            holds(k >= n, space["entries_say"], acsl.Cells(cells), b, 300, n)


def tensors_stated(space):
    """A tensor that is handed out: what its object states, with the data section after the end."""
    right = 400, 460, 9, 32, 4, 51, 57, True, True
    for begin, finish, dtype, bits, rank, name, close, judged, dims in near(*right):
        b = Head()
        t = Box(index=3, begin=400, end=460, dtype=9, bits=32, rank=4, name=Box(at=51, end=57), dims=Box(at=71, left=4))
        with given(space, tensor_key={(b, 300, 3): name - 1}, tensor_name_end={(b, 300, 3): close},
                   tensor_object={(b, 300, 3): 60}, object_shape={(b, 60, 300): 70}, object_rank={(b, 60, 300): rank},
                   object_dtype={(b, 60, 300): dtype}, dtype_bits={(9,): bits, (8,): 32, (10,): 32},
                   tensor_begin={(b, 300, 3): begin - 300}, tensor_finish={(b, 300, 3): finish - 300},
                   shape_judged={(b, 70, 300): judged}, dims_stand={(t.dims, b, 70, 300, 0): dims}):
            same = (begin, finish, dtype, bits, rank, name, close, judged, dims) == right
            holds(same, space["tensor_says"], one(t), b, 300)
    b, t = Head(), one(Box(index=3))
    with given(space, tensor_object={(b, 300, 3): 60}, object_shape={(b, 60, 300): 70}):
        gives(70, space["shape_of"], t, b, 300)
        gives(70, space["shape_nth"], b, 300, 3)
    for text_at, close in itertools.product((20, 21, 22), (25, 26, 27)):
        b = Head()
        with given(space, text_end={(b, 21, 300): 26}):
            holds((text_at, close) == (21, 26), space["text_behind"], one(Box(at=text_at, end=close)), b, 300, 20)


def orders_stated(space):
    """By begin, by end, by index; each place once."""
    for begins, ends in itertools.product(itertools.product((5, 6, 7), repeat=2), repeat=2):
        for i, j in ((2, 3), (3, 2), (2, 2)):
            b = Head()
            with given(space, tensor_begin={(b, 300, 2): begins[0], (b, 300, 3): begins[1]},
                       tensor_finish={(b, 300, 2): ends[0], (b, 300, 3): ends[1]}):
                right = (begins[i - 2], ends[i - 2], i) < (begins[j - 2], ends[j - 2], j)
                holds(right, space["tensor_before"], b, 300, i, j)
    for n, once in itertools.product(range(4), (False, True)):
        for wrong in [None, *itertools.combinations(range(3), 2)]:
            b, a = Head(), [12, 10, 11]
            order = acsl.Cells(a)
            before = {(b, 300, a[p], a[q]): (p, q) != wrong for p, q in itertools.combinations(range(3), 2)}
            with given(space, permutation={(order, n): once}, tensor_before=before):
                holds(once and (wrong is None or wrong[1] >= n), space["order_says"], order, b, 300, n)


def words_stated(space):
    """The words of a view: from after the quotes of the keys, and of the values, these from the last word on."""
    for n, k, step in itertools.product(range(4), range(3), (-1, 0, 1)):
        places = [31, 41, 51]
        words = [at + step * (i == k) for i, at in enumerate(places)]
        b, right = Head(), step == 0 or k >= n
        with given(space, pair_key={(b, 300, i): at - 1 for i, at in enumerate(places)},
                   pair_value={(b, 300, i): at - 1 for i, at in enumerate(places)}):
            holds(right, space["keys_say"], acsl.Cells(words), b, 300, n)
            holds(right, space["values_say"], acsl.Cells([7, *words[::-1], 8]), 4, b, 300, n)


def dims_stated(space):
    """The dims of a shape: the numbers, where each begins, and where a cursor is between them."""
    for n, k, step in itertools.product(range(4), range(3), (-1, 0, 1)):
        dims = [5, 6, 7]
        stated = [dim + step * (i == k) for i, dim in enumerate(dims)]
        b = Head()
        with given(space, dim_at={(b, 70, 300, i): 80 + i for i in range(3)},
                   integer_value={(b, 80 + i, 300): dim for i, dim in enumerate(dims)}):
            holds(step == 0 or k >= n, space["dims_say"], acsl.Cells(stated), b, 70, 300, n)
    for judged, at, rank in near(True, 85, 9):
        b, dims = Head(), Box(at=85, left=4)
        with given(space, shape_judged={(b, 70, 300): judged}, dims_after={(b, 71, 300, 5): at},
                   shape_rank={(b, 70, 300): rank}):
            holds(judged and (at, rank) == (85, 9), space["dims_read"], dims, b, 70, 300, 5)
            holds((at, rank) == (85, 9), space["dims_stand"], one(dims), b, 70, 300, 5)
    for there, start, at in near(True, 87, 87):
        b = Head()
        with given(space, dims_after={(b, 71, 300, 5): 85}, dim_there={(b, 85, 300): there},
                   dim_start={(b, 85, 300): start}, dim_at={(b, 70, 300, 5): at}):
            holds(there and start == at, space["dim_met"], b, 70, 300, 5)
    for rank, k in itertools.product(range(4), range(3)):
        b = Head()
        with given(space, shape_rank={(b, 70, 300): rank}, dim_met={(b, 70, 300, i): i != k for i in range(3)}):
            holds(k >= rank, space["dims_met"], b, 70, 300)
    b = Head()
    with given(space, dim_stop={(b, 71, 300): 75, (b, 75, 300): 82, (b, 82, 300): 90}):
        for k, at in enumerate((71, 71, 75, 82, 90), -1):
            gives(at, space["dims_after"], b, 71, 300, k)


# ---- What a writer states -------------------------------------------------------------------------------------------

def texts_described(space):
    """A text from a quote to the next one, and what a caller gives: the same number for the same text."""
    for end, text, other in near(40, 99, 99):
        b, byte = Head(), acsl.Cells([0] * 9)
        with given(space, text_end={(b, 31, 300): end}, text_value={(b, 31, 40): text, (b, 31, 39): 7, (b, 31, 41): 7},
                   bytes_value={(byte, 0, 6): other}):
            said = text if end == 40 else 7
            gives(said, space["text_said"], b, 300, 31)
            holds(said == other, space["text_described"], b, 300, 31, byte, 6)
    for key, value in itertools.product((False, True), repeat=2):
        b, p = Head(), Box(key=Box(byte=acsl.Cells([0] * 5), size=5), value=Box(byte=acsl.Cells([0] * 6), size=6))
        with given(space, pair_key={(b, 300, 3): 30}, pair_value={(b, 300, 3): 40},
                   text_described={(b, 300, 31, p.key.byte, 5): key, (b, 300, 41, p.value.byte, 6): value}):
            holds(key and value, space["pair_described"], b, 300, 3, one(p))
            holds(key, space["pair_named"], b, 300, 3, one(p.key))


def tensors_as_described(space):
    """A tensor: name, dtype, rank and dims of its object."""
    for name, text, dtype, rank, dims in near(99, 99, 9, 4, True):
        b, t = Head(), Box(name=Box(byte=acsl.Cells([0] * 6), size=6), dtype=9, rank=4, dim=acsl.Cells([0] * 4))
        with given(space, tensor_object={(b, 300, 3): 60}, tensor_name={(b, 300, 3): name},
                   bytes_value={(t.name.byte, 0, 6): text}, object_dtype={(b, 60, 300): dtype},
                   object_rank={(b, 60, 300): rank}, object_shape={(b, 60, 300): 70},
                   dims_say={(t.dim, b, 70, 300, 4): dims}):
            holds(name == text and (dtype, rank, dims) == (9, 4, True), space["tensor_described"], b, 300, 3, one(t))
    for wrong, n in itertools.product(range(3), range(3)):
        b = Head()
        v, tensors, pairs = one(Box(head=b, data_begin=300, order=acsl.Cells([8, 9]))), [Box(), Box()], [Box(), Box()]
        d = one(Box(tensor=acsl.Cells(tensors), tensors=2, pair=acsl.Cells(pairs), pairs=2))
        order = acsl.Cells([1, 0])
        stated = {(b, 300, 8, d[0].tensor + 1): wrong != 0, (b, 300, 9, tensors[0]): wrong != 1}
        stated_pairs = {(b, 300, 0, d[0].pair + 1): wrong != 0, (b, 300, 1, pairs[0]): wrong != 1}
        with given(space, tensor_described=stated, pair_described=stated_pairs):
            holds(wrong >= n, space["tensors_described"], v, d, order, n)
            holds(wrong >= n, space["pairs_described"], v, d, order, n)


def data_as_described(space):
    """The data of the tensors in layout order: their sizes, and each begins where the one before ends."""
    for begin, end, other_begin, other_end in near(0, 20, 20, 55):
        b = Head()
        v, tensors = one(Box(head=b, data_begin=300, order=acsl.Cells([8, 7]))), [Box(), Box()]
        d, order = one(Box(tensor=acsl.Cells(tensors), tensors=2)), acsl.Cells([1, 0])
        sizes = {(d[0].tensor + 1, size): size == 20 for size in range(18, 23)}
        sizes.update({(tensors[0], size): size == 35 for size in range(33, 38)})
        with given(space, tensor_begin={(b, 300, 8): begin, (b, 300, 7): other_begin},
                   tensor_finish={(b, 300, 8): end, (b, 300, 7): other_end}, described_size=sizes):
            for n in range(3):
                right = (n < 1 or end - begin == 20) and (n < 2 or other_end - other_begin == 35)
                holds(right, space["sizes_described"], v, d, order, n)
                holds((n < 1 or begin == 0) and (n < 2 or other_begin == end), space["laid_on"], v, n)
                gives((0, end, other_end)[n], space["laid_end"], v, n)
            gives(0, space["laid_end"], v, -1)
    for dims, size in itertools.product(((0,), (2, 0), (3,), ()), (-3, -1, 0, 1, 3)):
        t = one(Box(dtype=4, dim=acsl.Cells(list(dims)), rank=len(dims)))
        wanted = 0 if 0 in dims else 3 if dims else 1
        with given(space, dtype_bits={(4,): 8}):
            holds(size == wanted, space["described_size"], t, size)


# ---- Two headers ----------------------------------------------------------------------------------------------------

def tensors_of_two(space):
    """The same tensor of two headers with other ends: each part is that of its own header."""
    for mine in near(99, 9, 4, 6, 20, 55, True):
        others = (99, 9, 4, 6, 20, 55)
        b, c = Head(), Head()
        parts = {name: {(b, 300, 3): mine[k], (c, 400, 3): others[k]}
                 for k, name in ((0, "tensor_name"), (4, "tensor_begin"), (5, "tensor_finish"))}
        parts.update({name: {(b, 60, 300): mine[k], (c, 65, 400): others[k]}
                      for k, name in ((1, "object_dtype"), (2, "object_rank"))})
        with given(space, **parts, tensor_object={(b, 300, 3): 60, (c, 400, 3): 65},
                   shape_nth={(b, 300, 3): 70, (c, 400, 3): 75},
                   shape_rank={(b, 70, 300): mine[3], (c, 75, 400): others[3]},
                   dims_alike={(b, 300, c, 400, 3, mine[3]): mine[6]}):
            holds(mine == (*others, True), space["tensor_alike"], b, 300, c, 400, 3)
    for n, k, step in itertools.product(range(4), range(3), (-1, 0, 1)):
        b, c, dims = Head(), Head(), (5, 6, 7)
        values = {(b, 80 + i, 300): dim for i, dim in enumerate(dims)}
        values.update({(c, 90 + i, 400): dim + step * (i == k) for i, dim in enumerate(dims)})
        with given(space, shape_nth={(b, 300, 3): 70, (c, 400, 3): 75}, integer_value=values,
                   dim_at={**{(b, 70, 300, i): 80 + i for i in range(3)},
                           **{(c, 75, 400, i): 90 + i for i in range(3)}}):
            holds(step == 0 or k >= n, space["dims_alike"], b, 300, c, 400, 3, n)
    for wrong, n, step in itertools.product(range(3), range(3), (-1, 0, 1)):
        b, c = Head(), Head()
        v = one(Box(head=b, data_begin=300, order=acsl.Cells([8, 7])))
        w = one(Box(head=c, data_begin=400, order=acsl.Cells([8, 7 + step])))
        with given(space, tensor_alike={(b, 300, c, 400, 8): wrong != 0, (b, 300, c, 400, 7): wrong != 1}):
            holds(wrong >= n and (n < 2 or step == 0), space["tensors_alike"], v, w, n)


def pairs_of_two(space):
    """A pair of each of two headers with other ends; what is kept, and what is named."""
    for key, other_key, value, other_value in near(98, 98, 99, 99):
        b, c = Head(), Head()
        with given(space, pair_key={(b, 300, 3): 30, (c, 400, 5): 50}, pair_value={(b, 300, 3): 40, (c, 400, 5): 60},
                   text_said={(b, 300, 31): key, (b, 300, 41): value, (c, 400, 51): other_key,
                              (c, 400, 61): other_value}):
            holds(key == other_key and value == other_value, space["pair_alike"], b, 300, 3, c, 400, 5)
    for where, (alike, named) in itertools.product(itertools.product(range(5), repeat=2),
                                                   itertools.product((False, True), repeat=2)):
        for n, keys in itertools.product(range(3), range(3)):
            b, c, key = Head(), Head(), acsl.Cells([Box(), Box()])
            v, w = one(Box(head=b, data_begin=300)), one(Box(head=c, data_begin=400, pairs=2))
            same = {(b, 300, k, c, 400, at): alike or k != 1 for k in range(2) for at in range(2)}
            name = {(b, 300, k, meant(key + at)): named or k != 1 for k in range(2) for at in range(2)}
            with given(space, pair_alike=same, pair_named=name):
                right = all(at < 2 + keys and (k != 1 or (alike if at < 2 else named))
                            for k, at in enumerate(where[:n]))
                holds(right, space["pairs_unchanged"], v, w, acsl.Cells(list(where)), key, keys, n)


# ---- Memory and texts -----------------------------------------------------------------------------------------------

def arrays_of_a_description(space):
    """The first cell must exist, too; an order has an index of each tensor, then of each pair."""
    none, text = acsl.Cells([]), Box(byte=acsl.Cells([]), size=0)
    holds(False, space["new_tensor_readable"], one(Box(name=text, dim=none, rank=1)))
    for tensors, pairs in ((1, 0), (0, 1), (0, 0)):
        d = one(Box(tensor=none, tensors=tensors, pair=none, pairs=pairs))
        holds(not tensors and not pairs, space["readable_description"], d)
    for tensors, pairs in itertools.product(range(3), repeat=2):
        for order in itertools.product(range(3), repeat=tensors + pairs):
            right = all(at < (tensors if k < tensors else pairs) for k, at in enumerate(order))
            d = one(Box(tensors=tensors, pairs=pairs))
            holds(right, space["order_below"], d, acsl.Cells(list(order)))


def arrays_of_a_view(space):
    """Where each array of a view begins in the words, and which words are none of it."""
    for tensors, pairs, spare in itertools.product((0, 1, 2), (0, 1, 2, 3), (-1, 0, 1)):
        words = 8 * pairs + 6 * tensors + spare
        if words < 0:
            continue
        word = acsl.Cells([0] * 60)
        at = {"key": 0, "by_key": pairs, "by_name": 7 * pairs, "order": 7 * pairs + tensors, "value": words - pairs}
        for name, step in [("", 0), *itertools.product(at, (-1, 1))]:
            starts = {other: word + (place + step * (other == name)) for other, place in at.items()}
            v = one(Box(tensors=tensors, pairs=pairs, **starts))
            holds(not name and spare >= 0, space["view_words"], v, word, words)
            counts = Box(end=300, tensors=tensors, pairs=pairs, metadata=1)
            head, entry = Head(), acsl.Cells([Box()])
            work = one(Box(entry=entry, entries=3, word=word, words=words))
            view = altered(v[0], head=head, data_begin=300, data_size=6, metadata=1, entry=entry)
            holds(not name, space["view_over"], one(view), head, counts, 6, work)
            for field in ("data_begin", "data_size", "tensors", "pairs", "metadata") if not name else ():
                for change in (-1, 1):
                    other = altered(view, **{field: getattr(view, field) + change})
                    holds(False, space["view_over"], one(other), head, counts, 6, work)
    for name, many in (("order", 2), ("by_name", 2), ("key", 1), ("by_key", 1), ("value", 1)):
        for at in range(5):
            cells = {other: acsl.Cells([0] * 5, 1) for other in ("order", "by_name", "key", "by_key", "value")}
            word = acsl.Cells(cells[name].cells, at)
            holds(not 1 <= at < 1 + many, space["word_apart"], word, one(Box(tensors=2, pairs=1, **cells)))


# A text up to its closing quote; without bytes above 127 and surrogates.
TEXT = re.compile(rb'(?:[^"\\\0-\x1f]|\\["\\/bfnrt]|\\u(?!0000)[0-9a-cA-C][0-9a-fA-F]{3})*"')


def texts_lexed(space):
    """Every text of up to four of these bytes, and an escape: from each offset to each, in a header that ends there."""
    bytes_of_texts = [bytes(text) for text in itertools.product(b'a"\\n\x1f', repeat=4)]
    for b in bytes_of_texts + [b'\\u0041a"', b'\\u00410"', b'"\\u00e9"', b'\\u0000"', b'\\u004"b']:
        acsl.forget()
        for at, close, end in itertools.product(range(len(b)), range(len(b)), range(len(b) + 1)):
            match = TEXT.match(b, at, end)
            right = match is not None and match.end() - 1 == close
            holds(right, space["text_lexed"], b, at, close, end)
            if match is None:  # where it stops is an error, not an offset
                holds(False, space["text_lexed"], b, at, space["string_end"](b, at, end), end)
    acsl.forget()


SECTIONS = (plans, counts_of_a_header, found, names_found, tables_before, names_and_keys, views_stated, entries_stated,
            tensors_stated, orders_stated, words_stated, dims_stated, texts_described, tensors_as_described,
            data_as_described, tensors_of_two, pairs_of_two, arrays_of_a_description, arrays_of_a_view, texts_lexed)
