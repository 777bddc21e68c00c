#!/usr/bin/env python3
"""Compare the specification in logic, spec/*.acsl, with the executable model, spec/model.py.

    assurance/logic/compare.py [COUNT [SEED]]   the corpus, COUNT generated files (8,000), a quarter as many with
                                                limits

The definitions are evaluated as they are written (acsl.py). Stages F and H must return the model's status and
offset. For a header that passes them, the tables of tensors and metadata must be the model's, and stage G must
hold for the model's rule and offset, and not for some others; `whole` must hold exactly if the file is valid.
Predicates on texts, entries, layout, view and workspace must hold for the same, and for nothing that is altered.
Then each definition is compared separately, on all small inputs: SECTIONS of the modules in MODULES. At the end,
both sides of each `? :` (except inside an operand) must have been taken, except those that no file can take.
"""
import csv
import os
import sys
import threading
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, name) for name in ("assurance/logic", "assurance/model", "spec")]
import acsl  # noqa: E402
import composed_definitions  # noqa: E402
import descriptions  # noqa: E402
import generate_cases  # noqa: E402
import dims_and_slices  # noqa: E402
import entries_and_view  # noqa: E402
import errors_and_names  # noqa: E402
import fields_of_errors  # noqa: E402
import layout_and_file  # noqa: E402
import model  # noqa: E402
import questions  # noqa: E402
import tensors_and_header  # noqa: E402
import texts_and_tokens  # noqa: E402
import texts_of_members  # noqa: E402
import two_headers  # noqa: E402

MODULES = [texts_and_tokens, tensors_and_header, layout_and_file, entries_and_view, dims_and_slices, descriptions,
           two_headers, composed_definitions, errors_and_names, fields_of_errors,
           texts_of_members]
STARTS = ["scan.acsl", "judge.acsl", "slice.acsl", "write.acsl"]
ROOTS = ("header_judged", "pair_count", "tensor_count", "judged_names", "judged_data", "whole",
         "object_shape", "object_rank", "dim_at", "integer_value", "object_dtype", "tensor_name_end", "tensor_object",
         "tensor_name", "tensor_begin", "tensor_finish", "pair_name", "pair_value", "metadata_key",
         *(root for module in MODULES for root in module.ROOTS))
SECTIONS = [section for module in MODULES for section in module.SECTIONS]  # questions that are not about a file
LARGE = 65536  # bytes of head: larger files of the corpus are left out
MANY = 60  # tensors or pairs: of more the tables are compared, but not stage G, whose quantifiers take long
LIMITS = ("max_header", "max_tensors", "max_rank", "max_name", "max_metadata")
NOT_LOGIC = ("usage", "workspace")  # statuses that do not depend on the bytes
# The number of sides of conditions that only make a definition total: earlier checks keep every file from them, and
# no question takes them.
TOTALITY = {"tensor_from": 1, "text_value": 1}
GROUP = [int(row["code"]) for name, row in model.RULES.items() if row["id"].startswith("G")]


# ---- Comparing -----------------------------------------------------------------------------------------

def count(predicate, head, end):
    """Return the count by pair_count or tensor_count, which exactly one number satisfies."""
    for n in range(end):
        if predicate(head, end, n):
            return n
    raise acsl.Fault("no number is the count")


def stated(value):
    """Return the text that a number represents: digits to the base 257, byte + 1, the first lowest."""
    if value < 0:
        raise acsl.Fault("no text has a negative value")
    out = bytearray()
    while value:
        value, digit = divmod(value, 257)
        out.append(digit - 1)
    return out.decode("utf-8")


def tables(space, head, end, m, n):
    """Return the tensors and metadata by the logic, in the form of the model."""
    dtype = {row["code"]: row["name"] for row in rows("spec/dtypes.tsv")}
    tensors = []
    for k in range(n):
        place = space["tensor_object"](head, end, k)
        name = stated(space["tensor_name"](head, end, k))
        quote, bracket = space["tensor_name_end"](head, end, k), space["object_shape"](head, place, end)
        if (acsl.read(head, quote), acsl.read(head, bracket)) != (ord('"'), ord("[")):
            raise acsl.Fault("tensor %d is elsewhere" % k)
        code, rank = (space["object_" + part](head, place, end) for part in ("dtype", "rank"))
        dims = [space["integer_value"](head, space["dim_at"](head, bracket, end, d), end) for d in range(rank)]
        begin, finish = (space["tensor_" + part](head, end, k) for part in ("begin", "finish"))
        tensors.append((name, dtype[str(code)], dims, begin, finish, k))
    pairs = [[stated(space["pair_name"](head, end, k)),
              stated(space["text_value"](head, space["pair_value"](head, end, k) + 1, end))] for k in range(m)]
    return sorted(tensors, key=lambda t: t[3:]), pairs if head[space["metadata_key"](head, end)] == ord('"') else None


def compare_tables(space, head, end, m, n, result):
    tensors, metadata = tables(space, head, end, m, n)
    if result.code == 0:
        wanted = [(t.name, t.dtype, list(t.shape), t.begin, t.end, t.place) for t in result.tensors]
        pairs = None if result.metadata is None else [list(pair) for pair in result.metadata]
        if (tensors, metadata) != (wanted, pairs):
            return "tables: logic %s, model %s" % ((tensors, metadata), (wanted, pairs))
    return ""


def compare_whole(space, head, file_size, m, n, result):
    """Compare stage G: it holds for what the model reports, and for nothing else."""
    end = len(head)
    acsl.points[:] = sorted({space["tensor_%s" % side](head, end, k) for side in ("begin", "finish") for k in range(n)}
                            | {0, file_size - end})
    if space["whole"](head, end, m, n, file_size - end) != (result.code == 0):
        return "whole, model %s" % result.name
    for code in GROUP:
        near = {result.offset + d for d in (-1, 0, 1)} if result.offset else set()
        for offset in {end, end + 1, file_size} | near:
            held = any([space["judged_names"](head, end, m, n, code, offset),
                        space["keys_differ"](head, end, m) and space["names_differ"](head, end, n)
                        and space["judged_data"](head, end, n, file_size - end, code, offset)])
            for name, args in ("whole_broken", (end, m, n, file_size - end)), ("broken_whole", (file_size,)):
                if space[name](head, *args, code, offset) != held:
                    return "%s differs, %d at %d" % (name, code, offset)
            if held != ((code, offset) == (result.code, result.offset)):
                return "%d at %d holds: %s, model %s at %s" % (code, offset, held, result.code, result.offset)
    return ""


def rows(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        yield from csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)


def corpus():
    """Yield (name, data, file size, options, expected code and offset): the manifest, then the rows with options."""
    for row in [*rows("corpus/manifest.tsv"), *rows("corpus/options.tsv")]:
        if row["name"] in NOT_LOGIC:
            continue
        with open(os.path.join(ROOT, "corpus", row["file"]), "rb") as f:
            data = f.read()
        settings = [setting.split("=") for setting in row.get("options", "").split()]
        options = {name: int(number) for name, number in settings}
        size = options.pop("file_size", len(data))
        data = data[:options.pop("head", len(data))]
        wanted = int(row["code"]), int(row["offset"]) if row["offset"] else None
        yield row["file"], data, size, options, wanted


def made(count, seed):
    for number, (data, size) in enumerate(generate_cases.files(seed, count)):
        yield "generated %d/%d" % (seed, number), data, size, {}, None
    for number, (data, size, options) in enumerate(generate_cases.cases(seed + 1, count // 4)):
        yield "generated with limits %d/%d" % (seed + 1, number), data, size, options, None


def compare(space, name, data, size, options, listed):
    """Return what is wrong with the logic's verdict on one file, or ""; and whether stage G was left out."""
    acsl.forget()
    options = {**model.OPTIONS, **options}
    result = model.judge(data, size, options)
    wanted = result.code, result.offset
    if listed not in (None, wanted):
        return "%s: manifest %s, model %s" % (name, listed, wanted), False
    try:
        text, skipped = compare_stages(space, data, size, options, result)
    except (acsl.Fault, questions.Wrong) as fault:
        text, skipped = "%s; model %s" % (fault, wanted), False
    return text and "%s: %s %s" % (name, text, data[:200].hex()), skipped


def compare_stages(space, data, size, options, result):
    head = data[:8 + int.from_bytes(data[:8], "little")]  # the logic does not get the bytes after 8 + N
    acsl.counts[:] = [0, 0]
    if zlib.crc32(head) % 4 == 0:
        texts_and_tokens.texts_of_head(space, head, len(head))
    number = space["header_judged"](head, len(data), size, *(options[limit] for limit in LIMITS))
    if number != 0:
        code, offset = divmod(number, 1 << 64)
        given = code, None if offset == model.MAX_U64 else offset
        wanted = result.code, result.offset
        layout_and_file.judgement(space, head, size, options, result)
        return "" if given == wanted else "logic %s, model %s" % (given, wanted), False
    if result.code != 0 and result.code not in GROUP:
        return "logic passes it, model %s" % result.name, False
    end = len(head)
    m, n = (count(space[kind + "_count"], head, end) for kind in ("pair", "tensor"))
    text = compare_tables(space, head, end, m, n, result)
    if text or max(m, n) > MANY:
        return text, not text
    acsl.counts[:] = [m, n]
    text = compare_whole(space, head, size, m, n, result)
    if not text:
        layout_and_file.judgement(space, head, size, options, result)
        layout_and_file.file_says(space, head, end, m, n, size - end, result, GROUP)
    return text, False


def never_taken():
    out = []
    left = [acsl.sides[k] for k in sorted(set(range(len(acsl.sides))) - acsl.taken)]
    for name in sorted({side.split(",")[0] for side in left} | set(TOTALITY)):
        mine = [side for side in left if side.startswith(name + ",")]
        if len(mine) != TOTALITY.get(name, 0):
            count = TOTALITY.get(name, 0)
            out += ["%d sides of %s are not taken, not %d: %s" % (len(mine), name, count, mine)]
    return out


def main(args):
    space, known = acsl.load(STARTS, ROOTS)
    number, seed = (list(map(int, args)) + [8000, 1][len(args):])[:2]
    passed, failures, large, skipped = 0, [], 0, 0
    try:
        for section in SECTIONS:
            section(space)
    except (acsl.Fault, questions.Wrong) as wrong:
        failures.append("without a file: %s" % wrong)
    for case in [*corpus(), *made(number, seed)]:
        if min(len(case[1]), 8 + int.from_bytes(case[1][:8], "little")) > LARGE:
            large += 1
            continue
        text, left_out = compare(space, *case)
        passed += not text
        skipped += left_out
        failures += [text] if text else []
    failures += never_taken()
    for text in failures[:20]:
        print(text[:2000])
    print("%d definitions, %d sides of conditions" % (len(known), len(acsl.sides)))
    print("%d files left out, above %d bytes" % (large, LARGE))
    print("%d files with over %d tensors or pairs, without stage G" % (skipped, MANY))
    print("%d passed, %d failed" % (passed, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.setrecursionlimit(1 << 20)
    threading.stack_size(1 << 29)
    status = []
    thread = threading.Thread(target=lambda: status.append(main(sys.argv[1:])))
    thread.start()
    thread.join()
    sys.exit(status[0] if status else 1)
