#!/usr/bin/env python3
"""Search for the headers that cost the most instructions a byte (make bench-worst).

    bench/worst.py [--minutes M] [--seed S]    search for M minutes (10) from bench/worst.json; print what was found
    bench/worst.py --write ...                 also rewrite that file, and its table in bench/SCALING.md
    bench/worst.py --table                     do not search: measure the recipes of the file

A recipe (header_recipe.py) becomes a header of 30 kB or more, whose instructions are counted exactly (counted.py).
The search mutates recipes and keeps the worst of each kind. The kind is what most of the header consists of, so that
one bad kind does not displace the others. There are two questions: the worst legal header; the worst input of any sort.
The seed S makes a search repeatable; M limits it. What was found is then measured at a megabyte. Callgrind counts the
worst of each question again and must agree.
"""
import argparse
import copy
import json
import os
import random
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import counted  # noqa: E402
import header_recipe as recipes  # noqa: E402
import instructions  # noqa: E402
import report  # noqa: E402
import table  # noqa: E402
import workloads  # noqa: E402

QUESTIONS = {"legal": "any legal header", "any": "any input at all"}
SEARCH = 30_000  # bytes of a header
FULL = 1_000_000
PADDING = 0.03  # the share by which the count of callgrind may be larger
OK, INVALID = 0, 32  # statuses: from 32 on a file is invalid (include/assay_codes.h)


def seeds():
    """Return the hand-made attacks, as recipes."""
    of, tensor, pair, text = recipes.of, recipes.tensor, recipes.pair, recipes.text
    empty, short = text([], 0, ""), text([], 0, "plain")
    records = [tensor(text([])), tensor(text(["n"]), [1], 10 ** 9), tensor(text([], 0), [1], 10 ** 9),
               tensor(text(["n"])), tensor(text(["\\u0061"])), tensor(text(["\\ud83d\\ude00"])),
               tensor(text(["n"], 90)), tensor(text(["n"], 1000)), pair(short, empty),
               pair(text([]), text(["\U0001f600"], 10 ** 9, ""))]
    return [of(record) for record in records] + [
        of(tensor(text([]), [1]), order="backwards"), of(tensor(text([])), space=90),
        *(of(record, names="shuffled") for record in (
            pair(short, empty), tensor(short), tensor(text(["n"], 90)), pair(text(["\\u0061"], 4, "escaped"), empty)))]


class Search:
    def __init__(self, minutes, seed):
        self.chance, self.end, self.counter = random.Random(seed), time.time() + 60 * minutes, counted.Counter()
        self.elite = {question: {} for question in QUESTIONS}  # {kind: (instructions a byte, recipe)}
        self.tried = self.counted = 0

    def cost(self, question, recipe, size):
        """Return (instructions a byte, kind); 0 if the header does not fit the question."""
        made = recipes.build(recipe, size)
        answer = None if made is None else self.counter.parse(*made[:2])
        self.counted += answer is not None
        if answer is None or question == "legal" and answer[0] != OK:
            return 0, ""
        return answer[1] / max(len(made[0]), size // 2), made[2]

    def offer(self, question, recipe):
        self.tried += 1
        cost, kind = self.cost(question, recipe, SEARCH)
        if cost > self.elite[question].get(kind, (0, None))[0]:
            self.elite[question][kind] = (cost, recipe)

    def one_of(self, question):
        kinds = self.elite[question]
        return copy.deepcopy(kinds[self.chance.choice(sorted(kinds))][1])

    def child(self, question):
        """Return a mutated recipe of the elite; sometimes a new one, or one with a member of another."""
        recipe = recipes.new(self.chance) if self.chance.random() < 0.05 else self.one_of(question)
        if self.chance.random() < 0.1:
            recipe["records"].append(self.chance.choice(self.one_of(question)["records"]))
        for _ in range(self.chance.choice((1, 1, 1, 2, 2, 3, 6))):
            recipes.change(recipe, self.chance, question == "legal")
        return recipe

    def run(self, known):
        for question in QUESTIONS:
            for recipe in seeds() + known[question]:
                self.offer(question, recipe)
        while time.time() < self.end:
            question = self.chance.choice(("legal", "legal", "legal", "any"))
            self.offer(question, self.child(question))

    def full(self):
        """Return [(question, kind, instructions a byte at a megabyte, recipe)], the worst first."""
        rows = []
        for question, kinds in self.elite.items():
            for kind, (_, recipe) in kinds.items():
                rows.append((question, kind, self.cost(question, recipe, FULL)[0], recipe))
        return sorted(rows, key=lambda row: (list(QUESTIONS).index(row[0]), -row[2]))


# ---- What was found -----------------------------------------------------------------------------------------

def by_callgrind(question, recipe):
    """Compare with the count of callgrind, which includes the padding before loops that is executed."""
    path = os.path.join(counted.OUT, "worst." + question)
    header, data, _ = recipes.build(recipe, FULL // 10)
    workloads.write(path, header, data)
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=assay_parse",
               os.path.join(counted.OUT, "assay"), "assay", path]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=False)
    theirs = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or theirs is None:
        sys.exit("callgrind: " + run.stderr[-500:])
    counter = counted.Counter()
    mine = counter.parse(header, data)[1]
    counter.close()
    apart = int(theirs.group(1)) / mine - 1
    if not 0 <= apart <= PADDING:
        sys.exit("%d instructions were counted, callgrind counts %s" % (mine, theirs.group(1)))
    return "callgrind counts %.2f %% more: padding" % (100 * apart)


def by_hand(counter):
    """Return {workload: instructions a byte} of the attacks of workloads.py, at a megabyte."""
    folder, costs = os.path.join(instructions.OUT, instructions.SCALE), {}
    for w in workloads.WORKLOADS:
        if w.kind == "attack" and not w.name.startswith("attack-found"):
            with open(workloads.paths(folder, w.name)[0], "rb") as f:
                size = int.from_bytes(f.read(8), "little")
                header = f.read(size)
                data = os.fstat(f.fileno()).st_size - 8 - size
            costs[w.name] = counter.parse(header, data)[1] / size
    return costs


def beyond_recipes():
    """Return [(question, made of, header, bytes of data)]: hand-made headers of a megabyte that no recipe describes."""
    dims = '{"a":{"dtype":"U8","shape":[%d,' + "1," * (FULL // 2 - 50) + '1],"data_offsets":[0,%d]}}'
    # Neighbours in the order of the names share all but the last character.
    names = ["\\n" * (FULL // 20 - 50) + last for last in "bdace"]
    pairs, tensors = (",".join(form % name for name in names)
                      for form in ('"%s":""', '"%s":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}'))
    return [("any", "dims after one that no file can have", (dims % (10 ** 19, 1)).encode(), 1),
            ("legal", "dims after one of 2^33", (dims % (2 ** 33, 2 ** 33)).encode(), 2 ** 33),
            ("legal", "keys, and names, of escapes that differ late",
             ('{"__metadata__":{%s},%s}' % (pairs, tensors)).encode(), 0)]


def lines_of(rows, counter):
    """Return [(question, made of, instructions a byte, beginning)] of all that was found or made by hand, the worst
    first."""
    lines = [(question, kind, cost, shown(recipe)) for question, kind, cost, recipe in rows]
    for question, kind, header, data in beyond_recipes():
        status, instructions_of = counter.parse(header, data)
        if (status < INVALID) != (question != "any"):
            sys.exit("%s: status %d" % (kind, status))
        lines.append((question, kind + " (by hand)", instructions_of / len(header), visible(header)))
    return sorted(lines, key=lambda line: (list(QUESTIONS).index(line[0]), -line[2]))


def visible(header):
    """Return the beginning of a header, with its control characters visible."""
    return header[:120].decode("utf-8", "replace").translate({9: "\u2409", 10: "\u240a", 13: "\u240d", 127: "\u2421"})


def shown(recipe):
    return visible(recipes.build(recipe, SEARCH)[0])


def show(rows, lines, counter):
    """Print the table, and whether the search beats the hand-made attacks."""
    hand = by_hand(counter)
    for question, title in QUESTIONS.items():
        mine = [row for row in rows if row[0] == question]
        print("\n%s; instructions a byte:" % title)
        for _, kind, cost, start in (line for line in lines if line[0] == question):
            print("  %7.2f  %-19s %s" % (cost, kind, start))
        if question != "any":
            name = max(hand, key=hand.get)
            print("  %7.2f  made by hand: %s: %s; %s" % (
                hand[name], name, "beaten" if mine[0][2] >= hand[name] else "NOT beaten",
                by_callgrind(question, mine[0][3])))


def table_of(found):
    """Return the table of SCALING.md."""
    lines = ["Of assay %s, compiled by %s." % (table.commit(), instructions.compiler()), "",
             "| question | made of | instructions a byte | how its header begins |", "| --- | --- | ---: | --- |"]
    for question, kind, cost, start in found:
        start = start[:60].replace("|", "\\|").replace("`", "'")
        lines.append("| %s | %s | %.1f | `%s` |" % (QUESTIONS[question], kind, cost, start))
    return "\n".join(lines)


def write(rows, found):
    """Write bench/worst.json, and the table in bench/SCALING.md."""
    lines = [json.dumps(dict(question=q, kind=k, per_byte=round(c, 2), recipe=g)) for q, k, c, g in rows]
    with open(recipes.FOUND, "w", encoding="utf-8") as f:
        f.write("[\n%s\n]\n" % ",\n".join(lines))
    report.fill(os.path.join(HERE, "SCALING.md"), {"worst": table_of(found)})


def main():
    parser = argparse.ArgumentParser(usage=__doc__.strip())
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    counted.build()
    subprocess.run([os.path.join(HERE, "build.sh"), "assay"], check=True)
    workloads.make_all(os.path.join(instructions.OUT, instructions.SCALE), instructions.SCALE)
    search = Search(0 if args.table else args.minutes, args.seed)
    search.run(recipes.found())
    rows = search.full()
    print("%d recipes tried, %d headers counted" % (search.tried, search.counted))
    lines = lines_of(rows, search.counter)
    show(rows, lines, search.counter)
    search.counter.close()
    if args.write:
        write(rows, lines)


if __name__ == "__main__":
    sys.exit(main())
