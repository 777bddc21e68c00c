#!/usr/bin/env python3
"""Write measured figures into pages, between <!-- NAME --> and <!-- /NAME -->.

    bench/report.py            copy build/bench/results.json, of a full run of `make bench`, to bench/results.json, and
                               make the tables of README.md and bench/RESULTS.md from it
    bench/report.py --pages    only make the tables from bench/results.json
    bench/report.py --check    compare the pages with bench/results.json (a part of tests/docs/readme.py)
"""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import table  # noqa: E402

ROOT = os.path.dirname(HERE)
RESULTS = os.path.join(HERE, "results.json")
README = os.path.join(ROOT, "README.md")
DETAILS = os.path.join(HERE, "RESULTS.md")
READERS = {"crate": "the Rust crate", "python": "the Python package", "simdjson": "simdjson, DOM", "yyjson": "yyjson",
           "bintensors": "`bintensors`, its own format", "huggingface_hub": "huggingface_hub", "gguf": "gguf"}
NONE = "No full run of `make bench` on an idle machine is recorded yet."


def filled(text, parts):
    """Return the text with its marked parts replaced."""
    for name, words in parts.items():
        marks = ("<!-- %s -->" % name, "<!-- /%s -->" % name)
        if text.count(marks[0]) != 1 or text.count(marks[1]) != 1:
            raise SystemExit("the page needs exactly one <!-- %s --> and one end mark" % name)
        start, rest = text.split(marks[0])
        text = start + marks[0] + "\n" + words + "\n" + marks[1] + rest.split(marks[1])[1]
    return text


def fill(path, parts):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(filled(text, parts))


def speed(nanoseconds, size):
    """Return the speed in header bytes a second."""
    return "%.2f GB/s" % (size / nanoseconds) if size >= nanoseconds else "%.0f MB/s" % (1000 * size / nanoseconds)


def speeds(results):
    """Return a table: a row for each workload that is not an attack, a column for each reader."""
    of = {(r["workload"], r["reader"]): r for r in results["rows"] if r["operation"] == "parse" and r["median"]}
    names = list(dict.fromkeys(workload for workload, _ in of if not workload.startswith("attack")))
    readers = [r for r in ["assay", "assay+memory"] + list(READERS) if any(reader == r for _, reader in of)]
    titles = " | ".join(READERS.get(r, r) for r in readers)
    lines = ["| header | %s |" % titles, "| --- |" + " ---: |" * len(readers)]
    for name in names:
        cells = [of.get((name, reader)) for reader in readers]
        figures = ["" if cell is None else speed(cell["median"], cell["bytes"]) for cell in cells]
        lines.append("| %s | %s |" % (name, " | ".join(figures)))
    return "\n".join(lines)


ACCESS = {"find": "one look-up by name", "walk": "all names and dims",
          "first": "from the path to a tensor's first byte", "memory": "memory of the first parse"}


def access(results):
    """Return the table of look-up, iteration, opening and memory: a row for each operation and workload."""
    of = {(r["operation"], r["workload"], r["reader"]): r for r in results["rows"] if r["median"] is not None}
    readers = ["assay", "assay+memory", "crate", "python"]
    lines = ["| what | header | %s |" % " | ".join(READERS.get(r, r) for r in readers), "| --- | --- |" + " ---: |" * 4]
    for operation, words in ACCESS.items():
        for name in ("smollm", "tensors-10k", "tensors-800k"):
            cells = [of.get((operation, name, reader)) for reader in readers]
            figures = ["" if c is None else table.human(c["median"], c["unit"]) for c in cells]
            lines.append("| %s | %s | %s |" % (words, name, " | ".join(figures)))
    return "\n".join(lines)


def judged(results):
    """Return the table of targets and verdicts; bench/results.json has each measurement."""
    lines = ["| subject | target | measured | verdict |", "| --- | --- | --- | --- |"]
    for target in results["targets"]:
        a_list = len(target["measured"]) >= 60 and "(" not in target["measured"]
        figures = extreme(target["measured"]) if a_list else target["measured"]
        lines.append("| %s | %s | %s | %s |" % (target["name"], target["target"], figures, target["verdict"]))
    return "\n".join(lines)


def extreme(measured):
    """Return the least and the largest of a list of workloads and figures."""
    pairs = [pair for pair in re.findall(r"([\w-]+) (-?[\d.]+)", measured) if pair[0] != "mean"]
    if not pairs or "not measured" in measured:
        return "a measurement is missing"
    mean = re.match(r"mean [\d.]+", measured)
    ends = [end(pairs, key=lambda pair: float(pair[1])) for end in (min, max)]
    return (mean.group(0) + ", " if mean else "") + " to ".join("%s (%s)" % (figure, name) for name, figure in ends)


HEADERS = {"smollm": "272 tensors, SmolLM", "gpt2": "160 tensors, GPT-2", "tensors-10k": "10,000 tensors",
           "tensors-800k": "800,000 tensors", "shuffled-800k": "800,000 tensors, shuffled"}


def duration(nanoseconds):
    """Format a duration with two or three significant digits."""
    for unit, size in (("s", 1e9), ("ms", 1e6)):
        if nanoseconds >= size:
            return "%.3g %s" % (nanoseconds / size, unit)
    return "%.3g µs" % (nanoseconds / 1e3)


def speed_table(results):
    """Return the table of README.md."""
    of = {(r["workload"], r["reader"]): r for r in results["rows"] if r["operation"] == "parse" and r["median"]}
    lines = ["| header | assay | the Rust crate | the Python package | simdjson, JSON only |",
             "| --- | ---: | ---: | ---: | ---: |"]
    for name, words in HEADERS.items():
        readers = "assay+memory", "crate", "python", "simdjson"
        lines.append("| %s | %s |" % (words, " | ".join(duration(of[name, reader]["median"]) for reader in readers)))
    return "\n".join(lines)


def performance(results):
    """Return all figures, for bench/RESULTS.md."""
    versions = ", ".join("%s %s" % pair for pair in results["versions"].items())
    return "\n\n".join(["Medians of `make bench` with assay %s on %s: %s. Header bytes a second:" % (
        results["assay"], results["machine"], versions), speeds(results), access(results), judged(results)])


def pages():
    """Return the tables of each page."""
    if not os.path.exists(RESULTS):
        return {README: {"speed": NONE}, DETAILS: {"performance": NONE}}
    with open(RESULTS, encoding="utf-8") as f:
        results = json.load(f)
    return {README: {"speed": speed_table(results)}, DETAILS: {"performance": performance(results)}}


def is_current():
    """Compare the pages with the results."""
    for path, parts in pages().items():
        with open(path, encoding="utf-8") as f:
            text = f.read()
        if text != filled(text, parts):
            return False
    return True


def main(args):
    if args == ["--check"]:
        print("%d passed, %d failed" % (is_current(), not is_current()))
        return 0 if is_current() else 1
    if args != ["--pages"]:
        keep()
    for path, parts in pages().items():
        fill(path, parts)
    return 0


def keep():
    """Copy the results of a full run, one row a line."""
    with open(os.path.join(ROOT, "build", "bench", "results.json"), encoding="utf-8") as f:
        results = json.load(f)
    if results["scale"] != "full":
        raise SystemExit("build/bench/results.json is of a quick run: the pages need a full run")
    for key in ("rows", "instructions", "targets"):
        results[key] = [json.dumps(row) for row in results[key]]
    lines = ['"%s": %s' % (key, "[\n%s\n]" % ",\n".join(value) if isinstance(value, list) else json.dumps(value))
             for key, value in results.items()]
    with open(RESULTS, "w", encoding="utf-8") as f:
        f.write("{%s}\n" % ",\n".join(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
