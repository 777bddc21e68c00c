#!/usr/bin/env python3
"""Make the files that `make bench` reads: the same bytes on every machine.

    bench/workloads.py DIR SCALE [NAME...]    SCALE: full, quick, or small (for callgrind)

Headers are laid out as by the official writer: descending dtype, then name, no white space, spaces up to a multiple
of 8. Data sections are holes: they have a size, but take no space on the disk.
"""
import collections
import hashlib
import itertools
import json
import os
import random
import shutil
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path[:0] = [HERE, os.path.join(ROOT, "corpus")]
import header_recipe  # noqa: E402
import large  # noqa: E402

BITS = {"F8_E4M3": 8, "U8": 8, "BF16": 16, "F16": 16, "F32": 32, "I64": 64}
WRITER = ["I64", "F32", "BF16", "F16", "F8_E4M3", "U8"]  # the official writer's order of dtypes

# kind: ordinary (its targets are those of ordinary models), other, attack (assay alone)
Workload = collections.namedtuple("Workload", "name kind title make")
WORKLOADS = []


def workload(kind, title):
    def register(function):
        WORKLOADS.append(Workload(function.__name__.replace("_", "-"), kind, title, function))
        return function
    return register


# ---- Models -----------------------------------------------------------------------------------------------

def laid_out(tensors, metadata=None):
    """Return [(key, value)] of a header in the order of the official writer. tensors: {name: (dtype, shape)}."""
    members, begin = [] if metadata is None else [("__metadata__", metadata)], 0
    for name, (dtype, shape) in sorted(tensors.items(), key=lambda t: (WRITER.index(t[1][0]), t[0])):
        bits = BITS[dtype]
        for dim in shape:
            bits *= dim
        end = begin + bits // 8
        members.append((name, {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}))
        begin = end
    return members


def written(members, separators=(",", ":")):
    """Return the header's bytes."""
    text = json.dumps(dict(members), separators=separators, ensure_ascii=False).encode()
    return text + b" " * (-len(text) % 8)


def data_size(members):
    return max((value["data_offsets"][1] for name, value in members if name != "__metadata__"), default=0)


def write(path, header, data):
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(header)))
        f.write(header)
        f.truncate(8 + len(header) + data)


def write_members(path, members, separators=(",", ":")):
    write(path, written(members, separators), data_size(members))


def llama(layers, hidden, inner, keys, vocabulary):
    """Return the tensors of a model with the sizes of SmolLM."""
    tensors = {"model.embed_tokens.weight": ("BF16", [vocabulary, hidden]), "model.norm.weight": ("BF16", [hidden])}
    for i in range(layers):
        parts = {"input_layernorm": [hidden], "post_attention_layernorm": [hidden], "mlp.down_proj": [hidden, inner],
                 "mlp.gate_proj": [inner, hidden], "mlp.up_proj": [inner, hidden], "self_attn.q_proj": [hidden, hidden],
                 "self_attn.o_proj": [hidden, hidden], "self_attn.k_proj": [keys, hidden],
                 "self_attn.v_proj": [keys, hidden]}
        for part, shape in parts.items():
            tensors["model.layers.%d.%s.weight" % (i, part)] = ("BF16", shape)
    return tensors


def experts(count, first=0):
    """Return `count` tensors of a mixture of experts, quantized weights and scales: about 110 bytes of header each."""
    tensors = {}
    for k in range(first, first + count):
        layer, expert, part = k // 6 // 256, k // 6 % 256, k % 6
        name = "layers.%d.ffn.experts.%d.w%d.%s" % (layer, expert, part // 2 + 1, ("weight", "scale")[part % 2])
        tensors[name] = ("F32", [16, 56]) if part % 2 else ("F8_E4M3", [2048, 7168])
    return tensors


@workload("ordinary", "SmolLM-like, 272 tensors")
def smollm(path, scale):
    del scale
    write_members(path, laid_out(llama(30, 576, 1536, 192, 49152), {"format": "pt"}))


@workload("ordinary", "GPT-2-like, 160 tensors")
def gpt2(path, scale):
    del scale
    tensors = {"wte.weight": [50257, 768], "wpe.weight": [1024, 768], "ln_f.weight": [768], "ln_f.bias": [768]}
    for i in range(12):
        for part, shape in {"ln_1.weight": [768], "ln_1.bias": [768], "attn.bias": [1, 1, 1024, 1024],
                            "attn.c_attn.weight": [768, 2304], "attn.c_attn.bias": [2304],
                            "attn.c_proj.weight": [768, 768], "attn.c_proj.bias": [768], "ln_2.weight": [768],
                            "ln_2.bias": [768], "mlp.c_fc.weight": [768, 3072], "mlp.c_fc.bias": [3072],
                            "mlp.c_proj.weight": [3072, 768], "mlp.c_proj.bias": [768]}.items():
            tensors["h.%d.%s" % (i, part)] = shape
    write_members(path, laid_out({name: ("F32", shape) for name, shape in tensors.items()}, {"format": "pt"}))


@workload("ordinary", "10,000 tensors")
def tensors_10k(path, scale):
    del scale
    write_members(path, laid_out(experts(10_000), {"format": "pt"}))


@workload("ordinary", "expert shards, 5,000 tensors each")
def shards(path, scale):
    """Make a folder of 100 files."""
    os.makedirs(path, exist_ok=True)
    for k in range({"full": 100, "quick": 10, "small": 1}[scale]):
        name = os.path.join(path, "model-%05d-of-00100.safetensors" % (k + 1))
        write_members(name, laid_out(experts(5_000, 5_000 * k), {"format": "pt"}))


def scaled(count, scale):
    return {"full": count, "quick": count // 10, "small": count // 40}[scale]


@workload("ordinary", "500 thousand tensors")
def tensors_500k(path, scale):
    write_members(path, laid_out(experts(scaled(500_000, scale)), {"format": "pt"}))


@workload("ordinary", "800 thousand tensors")
def tensors_800k(path, scale):
    write_members(path, laid_out(experts(scaled(800_000, scale)), {"format": "pt"}))


@workload("other", "800 thousand tensors, shuffled")
def shuffled_800k(path, scale):
    members = laid_out(experts(scaled(800_000, scale)))
    random.Random(1).shuffle(members)
    write_members(path, members)


@workload("other", "10,000 tensors in the order of the layers")
def layers_10k(path, scale):
    del scale
    write_members(path, in_layer_order(experts(10_000)))


def in_layer_order(tensors):
    """Return a header's members in the order of the model: layers 1, 2, ..., 10, and data in that order."""
    members, begin = [], 0
    for name, (dtype, shape) in tensors.items():
        size = BITS[dtype] * shape[0] * shape[1] // 8
        members.append((name, {"dtype": dtype, "shape": shape, "data_offsets": [begin, begin + size]}))
        begin += size
    return members


@workload("other", "10,000 tensors with white space (json.dumps)")
def spaces(path, scale):
    del scale
    write_members(path, laid_out(experts(10_000), {"format": "pt"}), (", ", ": "))


@workload("other", "LoRA with heavy metadata (kohya), escapes")
def metadata(path, scale):
    del scale
    chance = random.Random(2)
    words = ["1girl", "solo", "blue_eyes", "smile", "outdoors", "\u6c34\u5f69", "\u00e9t\u00e9", "looking at viewer"]
    counts = {"img/10_%d" % d: {"%s %d" % (chance.choice(words), k): chance.randrange(1, 500) for k in range(800)}
              for d in range(8)}
    pairs = {"ss_tag_frequency": json.dumps(counts), "ss_dataset_dirs": json.dumps(
        {d: {"n_repeats": 10, "img_count": 40} for d in counts}), "ss_datasets": json.dumps([{"tags": counts}] * 2),
             "ss_output_name": "style \u6c34\u5f69", "modelspec.title": "two\nlines\twith \"quotes\" and C:\\paths"}
    pairs.update(("ss_parameter_%d" % k, str(chance.random())) for k in range(80))
    tensors = {}
    for block, part in itertools.product(range(72), ("attn1_to_q", "attn1_to_k", "ff_net_0_proj", "ff_net_2")):
        name = "lora_unet_down_blocks_%d_attentions_0_transformer_blocks_0_%s" % (block, part)
        tensors[name + ".lora_down.weight"] = ("F16", [32, 640])
        tensors[name + ".lora_up.weight"] = ("F16", [640, 32])
        tensors[name + ".alpha"] = ("F16", [])
    write_members(path, laid_out(tensors, pairs))


# ---- Attacks: legal headers that are made to cost time --------------------------------------------------------

def attack_size(scale):
    return {"full": large.LIMIT, "quick": 1_000_000, "small": 1_000_000}[scale]


def from_corpus(name, title):
    """Register a case of corpus/large.py as a workload."""
    def make(path, scale):
        large.write(path, name, attack_size(scale))
    make.__name__ = "attack_" + name.replace("-", "_")
    workload("attack", title)(make)


from_corpus("many-pairs", "metadata pairs, as many as fit")
from_corpus("many-tensors", "empty tensors, as many as fit")
from_corpus("many-dims", "dims of one shape, as many as fit")
from_corpus("one-name", "one name, as long as fits")
from_corpus("one-name-escaped", "one name, every character an escape")
from_corpus("one-name-of-pairs", "one name, every character an escaped surrogate pair")
from_corpus("one-metadata-value", "one metadata value of 4-byte characters")
from_corpus("names-that-differ-late", "names that share 1,000 bytes")
from_corpus("downwards", "tensors of a byte, offsets reversed")
from_corpus("spaces-inside", "only white space")


def write_pieces(path, pieces):
    header = b"".join(pieces)
    write(path, header, 0)


@workload("attack", "names that share 90 bytes")
def attack_prefix_90(path, scale):
    form = lambda k: large.tensor(b"n" * 90 + b"%08d" % k, b"0", 0, 0)  # noqa: E731
    write_pieces(path, large.around(b"{", large.numbered(form, attack_size(scale) - 2), b"}"))


def from_recipe(path, scale, recipe):
    header, data, _ = header_recipe.build(recipe, attack_size(scale))
    write(path, header, data)


@workload("attack", "names that share 90 bytes, shuffled")
def attack_prefix_90_shuffled(path, scale):
    form = lambda k: large.tensor(b"n" * 90 + b"%08d" % k, b"0", 0, 0)  # noqa: E731
    write_pieces(path, shuffled_pieces(form, attack_size(scale)))


def shuffled_pieces(form, size):
    """Return the pieces of a header of that size, its members in a random order."""
    members = [member.lstrip(b",") for member in large.numbered(form, size - 2)]
    random.Random(1).shuffle(members)
    return [b"{", b",".join(members), b"}"]


def random_keys(path, scale, form):
    """Write metadata keys in a random order."""
    recipe = header_recipe.of(header_recipe.pair(form, header_recipe.text([], 0, "")), names="shuffled")
    from_recipe(path, scale, recipe)


@workload("attack", "metadata keys of 4 bytes, shuffled")
def attack_short_keys(path, scale):
    random_keys(path, scale, header_recipe.text([], 0, "plain"))


SIGNS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"  # of numbered keys, 6 bits each


def numbered_keys(path, scale, form, others=b""):
    """Write form(four signs) as metadata keys, in a random order, after one key that differs in its first byte.
    others: more pairs, before these."""
    chance = random.Random(1)
    count = (attack_size(scale) - 30 - len(others)) // (len(form(b"AAAA")) + len(b'"":"",'))
    numbers = chance.sample(range(len(SIGNS) ** 4), count)
    keys = (form(bytes(SIGNS[number >> shift & 63] for shift in (18, 12, 6, 0))) for number in numbers)
    write_pieces(path, [b'{"__metadata__":{"b":"",', others, b",".join(b'"%s":""' % key for key in keys), b"}}"])


@workload("attack", "metadata keys of 8 bytes, shuffled, of which all but one share the first 4")
def attack_shared_keys(path, scale):
    numbered_keys(path, scale, lambda signs: b"aaaa" + signs)


@workload("attack", "metadata keys of 6 bytes, shuffled, of which all but one share the first 2")
def attack_split_keys(path, scale):
    numbered_keys(path, scale, lambda signs: b"aa" + signs)


@workload("attack", "the same, and pairs of long keys that share all bytes but the last, in descending order")
def attack_long_pairs(path, scale):
    chance = random.Random(2)
    starts = (b"aa%08x" % chance.getrandbits(32) + b"x" * 51 for _ in range(attack_size(scale) // 24000))
    others = b"".join(b'"%sb":"","%sa":"",' % (start, start) for start in starts)
    numbered_keys(path, scale, lambda signs: b"aa" + signs, others)


@workload("attack", "metadata keys of 2 escapes and 4 bytes, shuffled: raw, they are in another order")
def attack_mixed_escapes(path, scale):
    escapes = [first + second for first in (b"\\/", b"\\b", b"\\f", b"\\n") for second in (b"\\t", b"\\r")]
    numbered_keys(path, scale, lambda signs: escapes[sum(signs) % 8] + signs)


def grouped_keys(path, scale, each, group, start):
    """Write metadata keys, shuffled, each of `each` bytes of the header on average: long ones, in groups that share
    start(number of the group), and keys of 6 bytes."""
    chance, size = random.Random(1), attack_size(scale)
    word = lambda number, count: "".join(chr(SIGNS[number >> 6 * k & 63]) for k in range(count))  # noqa: E731
    short, long, count = len('"aa0123":"",'), len('"%s012":"",' % start(word(0, 5))), size // each
    longs = (size - 40 - count * short) // (long - short) // group * group
    keys = [start(word(k // group, 5)) + word(k % group, 3) for k in range(longs)]
    keys += ["aa" + word(number, 4) for number in chance.sample(range(64 ** 4), count - longs)]
    chance.shuffle(keys)
    write_pieces(path, [b'{"__metadata__":{', ",".join('"%s":""' % key for key in keys).encode(), b"}}"])


@workload("attack", "short metadata keys, and long ones in groups of 8 that share 84 bytes")
def attack_long_groups(path, scale):
    grouped_keys(path, scale, 20, 8, lambda word: word + "x" * 79)


@workload("attack", "short metadata keys, and long ones in groups of 64 that share 140 escapes")
def attack_escaped_groups(path, scale):
    grouped_keys(path, scale, 250, 64, lambda word: "".join("\\u4e%02x" % ord(c) for c in word) + "\\u4e00" * 135)


@workload("attack", "short metadata keys, and long ones in groups of 1,024 that share 22 escapes")
def attack_escaped_large_groups(path, scale):
    grouped_keys(path, scale, 65, 1024, lambda word: "".join("\\u4e%02x" % ord(c) for c in word) + "\\u4e00" * 17)


@workload("attack", "metadata keys of escapes, shuffled")
def attack_escaped_keys(path, scale):
    random_keys(path, scale, header_recipe.text(["\\u0061"], 4, "escaped"))


@workload("attack", "found by search: the worst legal header")
def attack_found(path, scale):
    from_recipe(path, scale, header_recipe.found()["legal"][0])


# ---- Many small files -------------------------------------------------------------------------------------------

def small_files(folder, count):
    """Make two folders of small models, 20 tensors each: one folder for each core."""
    for half in "ab":
        os.makedirs(os.path.join(folder, half), exist_ok=True)
    for k in range(count):
        path = os.path.join(folder, "ab"[k % 2], "model-%05d.safetensors" % k)
        write_members(path, laid_out(llama(2, 8 + k % 8, 16, 8, 32), {"format": "pt"}))


def paths(folder, name):
    """Return the files of a workload."""
    path = os.path.join(folder, name)
    return sorted(os.path.join(path, f) for f in os.listdir(path)) if os.path.isdir(path) else [path]


def digest():
    """Return a digest of the programs that make the files."""
    said = hashlib.sha256()
    for path in (os.path.abspath(__file__), large.__file__, header_recipe.__file__, header_recipe.FOUND):
        with open(path, "rb") as f:
            said.update(f.read())
    return said.hexdigest()


def make_all(folder, scale, names=()):
    """Make the files that are missing, or all if another version of this program made them."""
    stamp = os.path.join(folder, ".made-by")
    if not os.path.exists(stamp) or open(stamp, encoding="ascii").read() != digest():
        shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder, exist_ok=True)
    with open(stamp, "w", encoding="ascii") as f:
        f.write(digest())
    for w in WORKLOADS:
        path = os.path.join(folder, w.name)
        if (not names or w.name in names) and not os.path.exists(path):
            w.make(path + ".part", scale)
            os.rename(path + ".part", path)


def main(args):
    if len(args) < 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    make_all(args[0], args[1], args[2:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
