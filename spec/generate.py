#!/usr/bin/env python3
"""Make every file that repeats the rule, status and dtype tables from the tables themselves.

    spec/generate.py            write the generated files
    spec/generate.py --check    exit 1 if a committed file differs from what would be written
    spec/generate.py --list     print the generated files

The tables are spec/rules.tsv (INVALID), spec/statuses.tsv (NOT JUDGED) and spec/dtypes.tsv; the tables in
spec/format.md are made from them and from spec/bytes.tsv. spec/write_statuses.tsv has the statuses of the writer,
which are no verdicts on files. The rules for models of several files are in
spec/model_rules.tsv; the tables in spec/index.md are made from it. The rules of policies are in
spec/program_rules.tsv; the table in spec/policy.md is made from it. spec/modelspec.tsv, modelspec_rules.tsv and
modelspec_ids.tsv hold what `assay modelspec` checks; the tables in spec/modelspec.md, and the keys in the manual, are
made from them. spec/help.tsv has the severity of each rule and
status, the CWE weakness of a reader that does not check it, and the advice.
"""
import itertools
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KEYWORDS = ["__metadata__", "dtype", "shape", "data_offsets"]
MEMBERS = KEYWORDS[1:]  # of a tensor
RETIRED = {4: ("N4", "seed")}  # codes with id and name that stood for something once and are never used again
WIDTH = 118
MADE = "Made by spec/generate.py from spec/rules.tsv, statuses.tsv and dtypes.tsv: do not edit."
MADE_TEXT = MADE.replace("statuses.tsv", "statuses.tsv, write_statuses.tsv").replace(": do", ":\n * do")
MADE_WRITE = "Made by spec/generate.py from spec/dtypes.tsv: do not edit."
MADE_MODEL = "Made by spec/generate.py from spec/model_rules.tsv: do not edit."
MADE_MODELSPEC = "Made by spec/generate.py from spec/modelspec.tsv, _rules and _ids: do not edit."
MADE_NOTES = "Made by spec/generate.py from spec/note_rules.tsv: do not edit."


class TableError(Exception):
    pass


def read_rows(name, columns):
    """Return the rows of spec/NAME as dicts. A column that the table lacks is empty."""
    with open(os.path.join(ROOT, "spec", name), encoding="ascii") as f:
        lines = f.read().split("\n")
    if lines[-1] != "":
        raise TableError(name + ": the last line has no line end")
    head = lines[0].split("\t")
    rows = []
    for number, line in enumerate(lines[1:-1], 2):
        cells = line.split("\t")
        if len(cells) > len(head):
            raise TableError("%s:%d: %d cells under %d columns" % (name, number, len(cells), len(head)))
        row = dict.fromkeys(columns, "")
        row.update(zip(head, cells))
        rows.append(row)
    return rows


def read_table(name, columns):
    """Return the same with code as a number."""
    return [dict(row, code=int(row["code"])) for row in read_rows(name, columns)]


def add_help(rules, statuses):
    """Add severity, cwe and advice from spec/help.tsv to each of these rows."""
    said = read_rows("help.tsv", ["id", "name"] + HELP)
    rows = statuses + rules
    if [(row["id"], row["name"]) for row in said] != [(row["id"], row["name"]) for row in rows]:
        raise TableError("help.tsv: its rows are not those of statuses.tsv and rules.tsv")
    for row, more in zip(rows, said):
        row.update(more)


def check_tables(rules, statuses, write, dtypes, model_rules, note_rules, program_rules):
    """Check that numbers are in order and none is retired, names are unique, and the core can multiply by widths."""
    codes = rules + statuses + model_rules + note_rules + program_rules
    for row in codes + write:
        for code, (known, name) in RETIRED.items():
            if row["code"] == code or row["id"] == known or row["name"] == name:
                raise TableError("%s %s, code %d: %s %s, code %d, is retired and never used again" % (
                    row["id"], row["name"], row["code"], known, name, code))
    for what, rows, first in (("rules", rules, 32), ("statuses", statuses, 1), ("write_statuses", write, 16),
                              ("dtypes", dtypes, 1), ("model_rules", model_rules, 64),
                              ("program_rules", program_rules, 112)):
        due = (code for code in itertools.count(first) if rows is dtypes or code not in RETIRED)
        for row, code in zip(rows, due):
            if row["code"] != code:
                raise TableError("%s: code %d where %d is due" % (what, row["code"], code))
    for rows, column in ((codes + write, "id"), (codes, "name"), (write, "name"), (dtypes, "name"), (dtypes, "order")):
        names = [row[column] for row in rows]
        if len(set(names)) != len(names) or "" in names:
            raise TableError("a %s is repeated or empty" % column)
    if rules[-1]["code"] > 63 or statuses[-1]["code"] > 15 or write[-1]["code"] > 31 or model_rules[-1]["code"] >= note_rules[0]["code"] or \
            note_rules[-1]["code"] > 111 or codes[-1]["code"] > 127:
        raise TableError("status codes end at 15, those of the writer at 31, rule codes at 63, those of notes at 111, the last at 127")
    for row in dtypes:
        if not 1 <= int(row["bits"]) <= 64 or len(row["name"]) > 12:
            raise TableError("dtype %s: bits or name length out of bounds" % row["name"])
    if sorted(int(row["order"]) for row in dtypes) != list(range(1, len(dtypes) + 1)):
        raise TableError("dtypes: the order is no permutation")
    for row in codes:
        if row["severity"] not in ("error", "note") or not row["advice"]:
            raise TableError("%s: severity is error or note, and advice is given" % row["id"])
        if not re.fullmatch(r"(CWE-[1-9][0-9]{1,3})?", row["cwe"]):
            raise TableError("%s: %s is no number of a weakness" % (row["id"], row["cwe"]))


def pack(word):
    """Return (lo, hi): the first 8 bytes and the rest, each read as a little-endian number."""
    data = word.encode("ascii")
    return int.from_bytes(data[:8], "little"), int.from_bytes(data[8:], "little")


def upper(name):
    return name.strip("_").upper()


def c_string(text):
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def filled(items, indent, end):
    """Return lines of items with commas between them. Lines after the first are indented by one more column. A string
    that is longer than a line is split, as C joins the pieces."""
    lines = [" " * indent + items[0]]
    for item in items[1:]:
        if len(lines[-1]) + len(item) + 2 + len(end) <= WIDTH:
            lines[-1] += ", " + item
            continue
        lines[-1] += ","
        lines.append(" " * (indent + 1) + item)
        while len(lines[-1]) + len(end) > WIDTH:
            cut = lines[-1].rindex(" ", 0, WIDTH) + 1
            lines[-1:] = [lines[-1][:cut] + '"', " " * (indent + 2) + '"' + lines[-1][cut:]]
    return lines[:-1] + [lines[-1] + end]


def enum(title, items):
    """Return one anonymous enum. Items are (name, value, comment)."""
    out = ["/* %s */" % title, "enum {"]
    for place, (name, value, comment) in enumerate(items):
        comma = "," if place + 1 < len(items) else ""
        out.append("    %s = %d%s /* %s */" % (name, value, comma, comment))
    return out + ["};", ""]


def codes_h(rules, statuses, dtypes):
    out = ["/* assay_codes.h: the numbers of verdicts and dtypes.",
           " * They are frozen: a number never changes its meaning and is never used again.",
           " * %s */" % MADE,
           "#ifndef ASSAY_CODES_H", "#define ASSAY_CODES_H", ""]
    items = [("ASSAY_OK", 0, "VALID, or done")]
    items += [("ASSAY_" + upper(r["name"]), r["code"], r["id"] + " " + r["title"]) for r in statuses]
    out += enum("NOT JUDGED: the bytes broke no rule that was looked at", items)
    items = [("ASSAY_E_FIRST", rules[0]["code"], "the first code that says INVALID")]
    items += [("ASSAY_E_" + upper(r["name"]), r["code"], r["id"] + " " + r["title"]) for r in rules]
    out += enum("INVALID: one code a rule of spec/format.md", items)
    items = [("ASSAY_DTYPE_" + upper(d["name"]), d["code"], d["bits"] + " bits") for d in dtypes]
    items.append(("ASSAY_DTYPE_LAST", dtypes[-1]["code"], "the greatest dtype number"))
    out += enum("dtypes; 0 is none", items)
    return out + ["#endif"]


FIELDS = ["offset", "expected", "found"]  # of an error, as columns of rules.tsv and statuses.tsv


def statuses_that_set(field, rows):
    """Return a number whose bit n is set if the error of status n has this field."""
    return sum(1 << int(row["code"]) for row in rows if row[field])


def words_h(rules, statuses, dtypes):
    out = ["/* words.h: the words that the format knows, packed for comparison as numbers; which fields an error sets.",
           " * LO is the number that the first 8 bytes make (least significant first), HI that of the",
           " * others, LEN the count of bytes. A key has its quotes and its colon.",
           " * %s */" % MADE,
           "#ifndef ASSAY_WORDS_H", "#define ASSAY_WORDS_H", "", "#include <stdint.h>", ""]
    words = [("ASSAY_WORD_" + upper(w), w) for w in KEYWORDS]
    words += [("ASSAY_WORD_DTYPE_" + upper(d["name"]), d["name"]) for d in dtypes]
    for macro, word in words:
        lo, hi = pack(word)
        out += ["/* %s */" % word,
                "#define %s_LO UINT64_C(0x%x)" % (macro, lo),
                "#define %s_HI UINT64_C(0x%x)" % (macro, hi),
                "#define %s_LEN %du" % (macro, len(word))]
    for macro, key in [("ASSAY_KEY_" + upper(w), '"%s":' % w) for w in MEMBERS]:
        out += ["/* %s: its first 8 bytes and, if it has more, its last 8 */" % key,
                "#define %s_FIRST UINT64_C(0x%x)" % (macro, pack(key[:8])[0])]
        if len(key) > 8:
            out += ["#define %s_LAST UINT64_C(0x%x)" % (macro, pack(key[-8:])[0])]
        out += ["#define %s_LEN %du" % (macro, len(key))]
    for field in FIELDS:
        out += ["", "/* The statuses whose errors set `%s`: bit n is set for status n. */" % field,
                "#define ASSAY_SETS_%s UINT64_C(0x%x)" % (upper(field), statuses_that_set(field, rules + statuses))]
    longest = max(len(word) for _, word in words)
    out += ["", "/* No word is longer. */", "#define ASSAY_WORD_LONGEST %du" % longest]
    return out + ["", "#endif"]


def dtypes_h(dtypes):
    last = dtypes[-1]["code"]
    widths = [int(d["bits"]) for d in dtypes]
    return [
        "/* dtypes.h: dtype names and widths.", " * %s */" % MADE,
        "#ifndef ASSAY_DTYPES_H", "#define ASSAY_DTYPES_H", "", "#include <stdint.h>", "",
        '#ifdef __FRAMAC__', '#include "codes.acsl"', '#endif', "",
        "/* The dtype of the name whose bytes pack to lo and hi (see words.h), or 0. */",
        "/*@ terminates \\true;", "    exits \\false;", "    assigns \\nothing;",
        "    ensures known: \\result <= %d;" % last,
        "    ensures exact: \\result == dtype_of(lo, hi);", "*/",
        "static uint32_t assay_dtype_of(uint64_t lo, uint64_t hi);", "",
        "/* The width of one element in bits, or 0 for a number that is no dtype. */",
        "/*@ terminates \\true;", "    exits \\false;", "    assigns \\nothing;",
        "    ensures width: \\result <= %d;" % max(widths),
        "    ensures some: 1 <= dtype <= %d ==> \\result >= %d;" % (last, min(widths)),
        "    ensures exact: \\result == dtype_bits(dtype);", "*/",
        "static uint32_t assay_dtype_bits(uint32_t dtype);", "", "#endif"]


def by_hi(dtypes):
    """Return the dtypes grouped by the packed rest of their names, short names first."""
    groups = {}
    for d in dtypes:
        groups.setdefault(pack(d["name"])[1], []).append(d)
    return sorted(groups.items())


def dtypes_c(dtypes):
    out = ["/* dtypes.c: dtype names and widths.", " * %s */" % MADE, "",
           '#include "dtypes.h"', "", '#include "assay_codes.h"', '#include "words.h"', ""]
    for place, (hi, group) in enumerate(by_hi(dtypes)):
        if hi == 0:
            out += ["/* Names of at most 8 bytes. */"]
        else:
            out += ["/* Names of more than 8 bytes: %s. */" % ", ".join(d["name"] for d in group)]
        out += ["/*@ terminates \\true;", "    exits \\false;", "    assigns \\nothing;",
                "    ensures exact: \\result == dtype_of(lo, 0x%x);" % hi, "*/",
                "static uint32_t dtype_group_%d(uint64_t lo)" % place, "{", "    switch (lo) {"]
        for d in group:
            name = upper(d["name"])
            out += ["    case ASSAY_WORD_DTYPE_%s_LO: return ASSAY_DTYPE_%s;" % (name, name)]
        out += ["    default: return 0;", "    }", "}", ""]
    out += ["static uint32_t assay_dtype_of(uint64_t lo, uint64_t hi)", "{"]
    for place, (hi, group) in enumerate(by_hi(dtypes)):
        word = "0" if hi == 0 else "ASSAY_WORD_DTYPE_%s_HI" % upper(group[0]["name"])
        out += ["    if (hi == %s) {" % word, "        return dtype_group_%d(lo);" % place, "    }"]
    out += ["    return 0;", "}", ""]
    out += ["static uint32_t assay_dtype_bits(uint32_t dtype)", "{", "    switch (dtype) {"]
    for d in dtypes:
        out += ["    case ASSAY_DTYPE_%s: return %s;" % (upper(d["name"]), d["bits"])]
    return out + ["    default: return 0;", "    }", "}"]


def codes_acsl(rules, statuses, dtypes):
    out = ["/* codes.acsl: the numbers of verdicts and dtypes as logic constants.",
           " * %s */" % MADE, "#ifndef ASSAY_CODES_ACSL", "#define ASSAY_CODES_ACSL", "", "/*@"]
    out += ["logic integer N_%s = %d;" % (upper(r["name"]), r["code"]) for r in statuses] + [""]
    out += ["logic integer E_%s = %d;" % (upper(r["name"]), r["code"]) for r in rules] + [""]
    out += ["logic integer DT_%s = %d;" % (upper(d["name"]), d["code"]) for d in dtypes] + [""]
    out += ["logic integer SETS_%s = 0x%x;" % (upper(field), statuses_that_set(field, rules + statuses)) for field in FIELDS]
    out += [""]
    for name, word in [(upper(w), w) for w in KEYWORDS]:
        lo, hi = pack(word)
        out += ["logic integer WORD_%s_LO = 0x%x;" % (name, lo)]
        out += ["logic integer WORD_%s_HI = 0x%x;" % (name, hi)]
    out += ["", "// The dtype of the name whose bytes pack to lo and hi, or 0.",
            "logic integer dtype_of(integer lo, integer hi) ="]
    for hi, group in by_hi(dtypes):
        out += ["  hi == 0x%x ?" % hi, "   ("]
        for d in group:
            out += ["    lo == 0x%x ? %d : // %s" % (pack(d["name"])[0], d["code"], d["name"])]
        out += ["    0) :"]
    out += ["  0;", "", "// Bits of one element, or 0.", "logic integer dtype_bits(integer dtype) ="]
    out += ["  dtype == %d ? %s : // %s" % (d["code"], d["bits"], d["name"]) for d in dtypes]
    return out + ["  0;", "*/", "", "#endif"]


PHRASES = [("digits", "0123456789"), ("invalid", "invalid: rule "), ("not_judged", "not judged: rule "),
           ("not_written", "not written: rule "), ("unknown", "unknown status "), ("at_byte", " at byte "), ("colon", ": "), ("first_tensor", " (tensor "),
           ("first_other", " (other "), ("other", ", other "), ("first_expected", " (expected "), ("expected", ", expected "),
           ("first_found", " (found "), ("found", ", found "), ("close", ")")]


class Words:
    """Words in one array of characters. A word is 256 * its position + its length."""
    def __init__(self):
        self.lines, self.size, self.known = [c_string("") + " /* none */"], 1, {"": 0}

    def add(self, word):
        if word not in self.known:
            self.known[word] = 256 * self.size + len(word)
            self.lines.append('%s "\\0"' % c_string(word))
            self.size += len(word) + 1
        return self.known[word]


def word_function(words, title, name, parameter, rows):
    """Return a function that maps each code to its word. rows: (constant, word)."""
    longest = max(len(word) for _, word in rows)
    out = ["/* %s; 0 if there is none. */" % title,
           "/*@ terminates \\true;", "    exits \\false;", "    assigns \\nothing;",
           "    ensures word: \\result / 256 + \\result %% 256 < WORDS_SIZE && \\result %% 256 <= %d;" % longest, "*/",
           "static uint32_t %s(%s)" % (name, parameter), "{", "    switch (%s) {" % parameter.split()[-1]]
    out += ["    case %s: return %du; /* %s */" % (constant, words.add(word), word) for constant, word in rows
            if word]
    return out + ["    default: return 0;", "    }", "}", ""]


def code_words_h(rules, statuses, write, dtypes):
    words = Words()
    codes = [("ASSAY_OK", {"name": "ok", "id": "", "title": "no rule is broken"}, "")]
    codes += [("ASSAY_" + upper(row["name"]), row, "") for row in statuses]
    codes += [("%du" % row["code"], row, "W_") for row in write]
    codes += [("ASSAY_E_" + upper(row["name"]), row, "E_") for row in rules]
    macros = ["#define FIRST_NOT_WRITTEN %du /* the first status of the writer */" % write[0]["code"], ""] + ["#define WORD_%s %du /* %s */" % (name.upper(), words.add(phrase), phrase) for name, phrase in PHRASES]
    functions = word_function(words, "The identifier of a status", "status_name", "uint32_t status",
                              [(constant, stem + upper(row["name"])) for constant, row, stem in codes])
    functions += word_function(words, "The rule of a status", "status_rule", "uint32_t status",
                               [(constant, row["id"]) for constant, row, _ in codes])
    functions += word_function(words, "What a status means", "status_text", "uint32_t status",
                               [(constant, row["title"]) for constant, row, _ in codes])
    functions += word_function(words, "The name of a dtype", "dtype_name", "uint64_t dtype",
                               [("ASSAY_DTYPE_" + upper(row["name"]), row["name"]) for row in dtypes])
    return ["/* code_words.h: the words for statuses and dtypes, in one array. A word is 256 * its position + its length.",
            " * Only assay_text.c includes it.", " * %s */" % MADE_TEXT,
            "#ifndef ASSAY_CODE_WORDS_H", "#define ASSAY_CODE_WORDS_H", "", "#include <stdint.h>", "",
            '#include "assay_codes.h"', "", "#define WORDS_SIZE %du" % (words.size + 1), ""] + macros + ["",
            "static const char words[WORDS_SIZE] ="] + ['    %s' % line for line in
            ['"\\0" /* none */'] + words.lines[1:-1]] + ["    %s;" % words.lines[-1], "",
            "/* Return the character at this position. */",
            "/*@ requires at: at < WORDS_SIZE;", "    terminates \\true;", "    exits \\false;", "    assigns \\nothing;", "*/",
            "static char character_of(uint32_t at)", "{", "    return words[at];", "}", ""] + functions + ["#endif"]


TOKENS = [("open_metadata", '{"__metadata__":{'), ("key", '":"'), ("dtype", '":{"dtype":"'), ("shape", '","shape":['),
          ("offsets", '],"data_offsets":['), ("close", "]}")]  # what the writer writes between texts and numbers


def write_words_h(dtypes):
    """Return the words of the writer, and what it must know of each dtype."""
    words = Words()
    macros = ["#define TOKEN_%s %du /* %s */" % (name.upper(), words.add(token), token) for name, token in TOKENS]

    def number_function(title, name, column):
        out = ["/* %s; 0 if there is no such dtype. */" % title,
               "/*@ terminates \\true;", "    exits \\false;", "    assigns \\nothing;",
               "    ensures most: \\result <= %d;" % max(int(row[column]) for row in dtypes)]
        out += ["    ensures exact: \\result == dtype_bits(dtype);"] * (column == "bits")
        out += ["*/",
               "static uint32_t %s(uint64_t dtype)" % name, "{", "    switch (dtype) {"]
        out += ["    case ASSAY_DTYPE_%s: return %su;" % (upper(row["name"]), row[column]) for row in dtypes]
        return out + ["    default: return 0;", "    }", "}", ""]

    functions = word_function(words, "The name of a dtype", "write_dtype_word", "uint64_t dtype",
                              [("ASSAY_DTYPE_" + upper(row["name"]), row["name"]) for row in dtypes])
    functions += number_function("Bits of one element", "write_dtype_bits", "bits")
    functions += number_function("Its position in the order of dtypes, from 1", "write_dtype_order", "order")
    functions = [line.replace("WORDS_SIZE", "WRITE_WORDS_SIZE") for line in functions]
    functions = ["/* Return the byte at this position. */", "/*@ requires at: at < WRITE_WORDS_SIZE;", "    terminates \\true;",
                 "    exits \\false;", "    assigns \\nothing;", "*/", "static uint8_t write_word_byte(uint32_t at)", "{",
                 "    return write_words[at];", "}", ""] + functions
    return ["/* write_words.h: what the writer writes, in one array, and the dtypes. A word is 256 * its position + its length.",
            " * Only assay_write.c includes it.", " * %s */" % MADE_WRITE,
            "#ifndef ASSAY_WRITE_WORDS_H", "#define ASSAY_WRITE_WORDS_H", "", "#include <stdint.h>", "",
            '#include "assay_codes.h"', "", "#define WRITE_WORDS_SIZE %du" % (words.size + 1), ""] + macros + ["",
            "static const uint8_t write_words[WRITE_WORDS_SIZE] ="] + ["    %s" % line for line in
            ['"\\0" /* none */'] + words.lines[1:-1]] + ["    %s;" % words.lines[-1], ""] + functions + ["#endif"]


def assay_write_h(write):
    with open(os.path.join(ROOT, "include", "assay_write.h"), encoding="utf-8") as f:
        text = f.read()
    items = [("ASSAY_W_FIRST", write[0]["code"], "the first of them")]
    items += [("ASSAY_W_" + upper(row["name"]), row["code"], row["id"] + " " + row["title"]) for row in write]
    lines = enum("Why a head was not written; made by spec/generate.py from spec/write_statuses.tsv", items)[:-1]
    return splice(text, "statuses", lines, "/* %s: %s */")


def canonical_md(write, dtypes):
    with open(os.path.join(ROOT, "spec", "canonical.md"), encoding="utf-8") as f:
        text = f.read()
    order = " ".join(row["name"] for row in sorted(dtypes, key=lambda row: -int(row["order"])))
    return splice(splice(text, "order", ["    " + line for line in textwrap.wrap(order, 100)]),
                  "statuses", md_table(write, STATUS_COLUMNS[:4]))


def model_rules_h(model_rules):
    out = ["/* model_rules.h: the numbers of the rules for models of several files. They are frozen, as those in",
           " * assay_codes.h, and none of them is one of those.", " * %s */" % MADE_MODEL,
           "#ifndef ASSAY_MODEL_RULES_H", "#define ASSAY_MODEL_RULES_H", ""]
    items = [("MODEL_OK", 0, "no rule is broken")]
    items += [("MODEL_" + upper(r["name"]), r["code"], r["id"] + " " + r["title"]) for r in model_rules]
    items.append(("MODEL_FIRST", model_rules[0]["code"], "the first of them"))
    return out + enum("One code a rule of spec/index.md", items) + ["#endif"]


def rules_py(title, made, rows, columns):
    out = ['"""%s: code: (%s).' % (title, ", ".join(columns)), "", made, '"""', "RULES = {"]
    for row in rows:
        texts = ['"%s"' % row[column].replace("\\", "\\\\").replace('"', '\\"') for column in columns]
        line = "    %d: (%s)," % (row["code"], ", ".join(texts))
        out += [line] if len(line) <= 120 else ["    %d: (%s," % (row["code"], ", ".join(texts[:-1])),
                                                "         %s)," % texts[-1]]
    return out + ["}"]


def note_rules_h(note_rules):
    out = ["/* note_rules.h: the numbers of the notes on valid files. They are frozen, as those in assay_codes.h.",
           " * %s */" % MADE_NOTES, "#ifndef ASSAY_NOTE_RULES_H", "#define ASSAY_NOTE_RULES_H", ""]
    items = [("NOTE_" + upper(r["name"]), r["code"], r["id"] + " " + r["title"]) for r in note_rules]
    return out + enum("One code a rule of spec/note_rules.tsv", items) + ["#endif"]


def program_rules_h(program_rules):
    out = ["/* program_rules.h: the codes of the rules of policies, and of what was not judged.",
           " * Made by spec/generate.py from spec/program_rules.tsv: do not edit. */",
           "#ifndef ASSAY_PROGRAM_RULES_H", "#define ASSAY_PROGRAM_RULES_H", ""]
    items = [("RULE_" + upper(r["name"]), r["code"], r["id"] + " " + r["title"]) for r in program_rules]
    return out + enum("Why it was not judged, and the rules of a policy", items) + ["#endif"]


KEY_CLASSES, CATEGORIES = ["MUST", "SHOULD", "CAN"], ["all", "image", "text"]
PATTERNS = ["any", "text", "version", "resolution", "date", "hash", "thumbnail", "range", "integer", "boolean", "dtypes",
            "prediction"]
LEVELS = ["error", "warning", "info"]


def check_modelspec(keys, rules, ids, codes):
    """Check that every word of the tables of ModelSpec is known, and that the rules are numbered. `assay rules` finds
    them by their ids and names, so no other rule, of those in codes, may have these."""
    for place, row in enumerate(rules, 1):
        if row["id"] != "MS%d" % place or row["level"] not in LEVELS:
            raise TableError("modelspec_rules.tsv: %s: number or level is wrong" % row["id"])
    known = {row["id"] for row in rules} | {""}
    for row in keys:
        if row["class"] not in KEY_CLASSES or row["category"] not in CATEGORIES or row["pattern"] not in PATTERNS or \
                row["rule"] not in known or (row["rule"] == "") != (row["class"] == "CAN" and row["pattern"] == "any"):
            raise TableError("modelspec.tsv: %s: a word is unknown, or the rule is missing" % row["key"])
    names = [row[column] for row in codes + rules for column in ("id", "name")]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise TableError("modelspec_rules.tsv: two rules are called %s" % twice[0])
    if len({row["key"] for row in keys}) != len(keys) or any(row["category"] not in CATEGORIES[1:] for row in ids):
        raise TableError("modelspec: a key twice, or an unknown category")


def modelspec_table_h(keys, rules, ids):
    out = ["/* modelspec_table.h: the keys and rules of ModelSpec. modelspec_check.c includes it.",
           " * %s */" % MADE_MODELSPEC, "#ifndef ASSAY_MODELSPEC_TABLE_H", "#define ASSAY_MODELSPEC_TABLE_H", "",
           '#include "modelspec_rules.h"', "",
           "typedef enum { %s } key_class;" % ", ".join("CLASS_" + word for word in KEY_CLASSES), "",
           "/* What a value has to look like. */",
           *filled(["typedef enum { PATTERN_" + PATTERNS[0].upper()] + ["PATTERN_" + p.upper() for p in PATTERNS[1:]], 0,
                   " } key_pattern;"), "",
           "typedef struct {", "    const char *key; /* after modelspec. */", "    key_class class;",
           "    modelspec_category category;", "    key_pattern pattern;", "    modelspec_rule rule;", "} key_row;", "",
           "static const key_row key_rows[] = {"]
    for row in keys:
        out += ["    {%s, CLASS_%s, MODELSPEC_%s, PATTERN_%s, MODELSPEC_%s}," % (
            c_string(row["key"].replace("*", "")), row["class"], row["category"].upper(), row["pattern"].upper(),
            row["rule"] or "NONE")]
    out += ["};", "", "typedef struct {", "    const char *prefix;", "    modelspec_category category;", "} id_row;", "",
            "/* The ids of architectures whose category is known begin so. */", "static const id_row id_rows[] = {"]
    out += ["    {%s, MODELSPEC_%s}," % (c_string(row["prefix"]), row["category"].upper()) for row in ids]
    return out + ["};", "", "#endif"]


def modelspec_rules_h(rules):
    out = ["/* modelspec_rules.h: the rules of ModelSpec. modelspec_rules[MODELSPEC_MS1] is that of MS1.",
           " * %s */" % MADE_MODELSPEC, "#ifndef ASSAY_MODELSPEC_RULES_H", "#define ASSAY_MODELSPEC_RULES_H", "",
           "typedef enum { %s } modelspec_category;" % ", ".join("MODELSPEC_" + word.upper() for word in CATEGORIES), "",
           "typedef enum { %s } modelspec_level;" % ", ".join("MODELSPEC_" + word.upper() for word in LEVELS), ""]
    items = [("MODELSPEC_NONE", 0, "no rule")]
    items += [("MODELSPEC_" + row["id"], place, row["name"]) for place, row in enumerate(rules, 1)]
    lines = enum("The rules", items)
    out += [lines[0], "typedef enum {"] + lines[2:-2] + ["} modelspec_rule;", ""]
    return out + ["typedef struct {", "    const char *id, *name, *title, *statement, *advice;", "    modelspec_level level;",
                  "} modelspec_rule_row;", "", "/* [1 + MODELSPEC_RULES] */",
                  "extern const modelspec_rule_row modelspec_rules[];", "",
                  "#define MODELSPEC_RULES %du" % len(rules), "", "#endif"]


def modelspec_rules_c(rules):
    out = ["/* modelspec_rules.c: see modelspec_rules.h.", " * %s */" % MADE_MODELSPEC, '#include "modelspec_rules.h"', "",
           "const modelspec_rule_row modelspec_rules[] = {", '    {"", "", "", "", "", MODELSPEC_INFO},']
    for row in rules:
        items = [c_string(row[column]) for column in ("id", "name", "title", "statement", "advice")]
        out += filled(["{" + items[0]] + items[1:] + ["MODELSPEC_" + row["level"].upper()], 4, "},")
    return out + ["};"]


def rules_table_h():
    return ["/* rules_table.h: the rules, statuses and dtypes as text for the program.", " * %s" % MADE,
            " * The rows also come from help.tsv, model_rules.tsv, note_rules.tsv and program_rules.tsv there. */",
            "#ifndef ASSAY_RULES_TABLE_H", "#define ASSAY_RULES_TABLE_H", "", "#include <stdint.h>", "",
            "typedef struct {", "    uint32_t code;",
            "    const char *id, *name, *title, *statement, *offset, *expected, *found, *reason, *reference;",
            "    const char *severity; /* error, note */",
            "    const char *advice;",
            "    const char *cwe; /* CWE-190 */",
            "} rule_row; /* a text that there is none of is NULL */", "",
            "typedef struct {", "    uint32_t code, bits;", "    const char *name, *since;", "} dtype_row;",
            "",
            "/* Statuses, rules, rules for models, what the program adds: in the order of their codes. */",
            "extern const rule_row rules_table[];", "extern const uint32_t rules_table_count;",
            "/* dtypes_table[i] has code i + 1. */",
            "extern const dtype_row dtypes_table[];", "extern const uint32_t dtypes_table_count;",
            "", "#endif"]


TEXTS = ["id", "name", "title", "statement", "offset", "expected", "found", "reason", "reference"]
HELP = ["severity", "advice", "cwe"]
ALL_TEXTS = TEXTS + HELP


def rules_table_c(rules, statuses, dtypes, more_rules):
    rows = statuses + rules + more_rules
    out = ["/* rules_table.c: the rules, statuses and dtypes as text for the program.", " * %s" % MADE,
           " * The rows also come from help.tsv, model_rules.tsv, note_rules.tsv and program_rules.tsv there. */", "",
           '#include "rules_table.h"', "", "const rule_row rules_table[] = {"]
    for row in rows:
        members = ["{.code = %d" % row["code"]]
        members += [".%s = %s" % (column, c_string(row[column])) for column in ALL_TEXTS if row[column]]
        out += filled(members, 4, "},")
    out += ["};", "", "const uint32_t rules_table_count = %du;" % len(rows), "",
            "const dtype_row dtypes_table[] = {"]
    for d in dtypes:
        name, since = c_string(d["name"]), c_string(d["since"])
        out += ["    {%du, %su, %s, %s}," % (d["code"], d["bits"], name, since)]
    return out + ["};", "", "const uint32_t dtypes_table_count = %du;" % len(dtypes)]


def md_cell(text):
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("_", "\\_").replace("*", "\\*") or "-"


def md_table(rows, columns):
    out = ["| " + " | ".join(title for title, _ in columns) + " |", "|" + " --- |" * len(columns)]
    for row in rows:
        out.append("| " + " | ".join(md_cell(str(row[column])) for _, column in columns) + " |")
    return out


RULE_COLUMNS = [(c, c) for c in ("id", "code", "name", "statement", "reason", "reference")]
PLACE_COLUMNS = [(c, c) for c in ("id", "name", "offset", "expected", "found")]
STATUS_COLUMNS = [(c, c) for c in ("id", "code", "name", "title", "offset", "expected", "found")]
BYTE_COLUMNS = [(c, c) for c in ("row", "rule", "situation", "offset")]
DTYPE_COLUMNS = [(c, c) for c in ("code", "name", "bits", "since")]


MODEL_COLUMNS = [(c, c) for c in ("id", "code", "name", "severity", "statement", "reason", "reference")]
PROGRAM_COLUMNS = [(c, c) for c in ("id", "code", "name", "statement", "expected", "found", "reason")]


def splice(text, name, lines, marker="<!-- %s: %s -->"):
    """Put lines between the two markers of that name."""
    begin, end = marker % (name, "begin") + "\n", marker % (name, "end")
    if text.count(begin) != 1 or text.count(end) != 1:
        raise TableError("spec/*.md, assay_write.h: the markers of %s are not there, or twice" % name)
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    return before + begin + "\n".join(lines) + "\n" + end + after


def format_md(rules, statuses, dtypes):
    with open(os.path.join(ROOT, "spec", "format.md"), encoding="utf-8") as f:
        text = f.read()
    for stage in "FHG":
        of_stage = [r for r in rules if r["id"][0] == stage]
        text = splice(text, "rules-" + stage, md_table(of_stage, RULE_COLUMNS))
    text = splice(text, "places", md_table(rules, PLACE_COLUMNS))
    situations = read_rows("bytes.tsv", ["row", "rule", "situation", "offset"])
    text = splice(text, "bytes", md_table(situations, BYTE_COLUMNS))
    text = splice(text, "statuses", md_table(statuses, STATUS_COLUMNS))
    return splice(text, "dtypes", md_table(dtypes, DTYPE_COLUMNS))


def index_md(model_rules):
    with open(os.path.join(ROOT, "spec", "index.md"), encoding="utf-8") as f:
        text = f.read()
    first = next(row["code"] for row in model_rules if row["name"] == "shard_missing")
    alone = [row for row in model_rules if row["code"] < first or row["name"].startswith("index_")]
    joined = [row for row in model_rules if row not in alone]
    text = splice(text, "rules-index", md_table(alone, MODEL_COLUMNS))
    text = splice(text, "rules-model", md_table(joined, MODEL_COLUMNS))
    return splice(text, "places-model", md_table(model_rules, PLACE_COLUMNS))


MODELSPEC_COLUMNS = [(c, c) for c in ("id", "name", "level", "statement")]
KEY_COLUMNS = [(c, c) for c in ("key", "class", "category", "pattern", "rule")]
ID_COLUMNS = [(c, c) for c in ("prefix", "category", "source")]


def modelspec_md(keys, rules, ids):
    with open(os.path.join(ROOT, "spec", "modelspec.md"), encoding="utf-8") as f:
        text = f.read()
    text = splice(text, "modelspec-keys", md_table(keys, KEY_COLUMNS))
    text = splice(text, "modelspec-ids", md_table(ids, ID_COLUMNS))
    return splice(text, "modelspec-rules", md_table([dict(row, statement=row["statement"].replace("`", ""))
                                                     for row in rules], MODELSPEC_COLUMNS))


def manual(keys):
    """Return man/assay.1 with the keys of ModelSpec, one paragraph for each class."""
    begin, end = '.\\" modelspec: begin\n', '.\\" modelspec: end\n'
    with open(os.path.join(ROOT, "man", "assay.1"), encoding="ascii") as f:
        text = f.read()
    if text.count(begin) != 1 or text.count(end) != 1:
        raise TableError("man/assay.1: the markers of modelspec are not there, or twice")
    out = []
    for word in KEY_CLASSES:
        out += [".It " + word]
        for category, words in zip(CATEGORIES, ("of every model:", "of image models:", "of text models:")):
            names = [row["key"] for row in keys if row["class"] == word and row["category"] == category]
            if names:
                out += [words] + [".Li %s%s" % (name, " ," if name != names[-1] else " ;") for name in names]
        out[-1] = out[-1][:-1] + "."
    before, rest = text.split(begin)
    return before + begin + "\n".join(out) + "\n" + end + rest.split(end)[1]


def policy_md(program_rules):
    with open(os.path.join(ROOT, "spec", "policy.md"), encoding="utf-8") as f:
        text = f.read()
    return splice(text, "rules-program", md_table(program_rules, PROGRAM_COLUMNS))


def generated():
    """Return {path: text} of every generated file."""
    rules = read_table("rules.tsv", ["code"] + TEXTS)
    statuses = read_table("statuses.tsv", ["code"] + TEXTS)
    write = read_table("write_statuses.tsv", ["code", "id", "name", "title"])
    dtypes = read_table("dtypes.tsv", ["code", "name", "bits", "since", "order"])
    model_rules = read_table("model_rules.tsv", ["code"] + ALL_TEXTS)
    note_rules = read_table("note_rules.tsv", ["code"] + ALL_TEXTS)
    program_rules = read_table("program_rules.tsv", ["code"] + ALL_TEXTS)
    keys = read_rows("modelspec.tsv", ["key", "class", "category", "pattern", "rule"])
    spec_rules = read_rows("modelspec_rules.tsv", ["id", "name", "level", "title", "statement", "advice"])
    ids = read_rows("modelspec_ids.tsv", ["prefix", "category", "source"])
    check_modelspec(keys, spec_rules, ids, rules + statuses + model_rules + note_rules + program_rules)
    add_help(rules, statuses)
    check_tables(rules, statuses, write, dtypes, model_rules, note_rules, program_rules)
    files = {
        "include/assay_codes.h": codes_h(rules, statuses, dtypes),
        "src/core/words.h": words_h(rules, statuses, dtypes),
        "src/core/dtypes.h": dtypes_h(dtypes),
        "src/core/dtypes.c": dtypes_c(dtypes),
        "src/core_text/code_words.h": code_words_h(rules, statuses, write, dtypes),
        "src/core_write/write_words.h": write_words_h(dtypes),
        "spec/codes.acsl": codes_acsl(rules, statuses, dtypes),
        "src/cli/rules_table.h": rules_table_h(),
        "src/cli/rules_table.c": rules_table_c(rules, statuses, dtypes, model_rules + note_rules + program_rules),
        "src/model/model_rules.h": model_rules_h(model_rules),
        "bindings/python/src/assay/_model_rules.py": rules_py("The rules for models of several files", MADE_MODEL,
                                                              model_rules, ["id", "name", "severity", "title"]),
        "src/notes/note_rules.h": note_rules_h(note_rules),
        "bindings/python/src/assay/_note_rules.py": rules_py("The notes on valid files", MADE_NOTES, note_rules,
                                                             ["id", "name", "title", "advice"]),
        "src/cli/program_rules.h": program_rules_h(program_rules),
        "src/modelspec/modelspec_table.h": modelspec_table_h(keys, spec_rules, ids),
        "src/modelspec/modelspec_rules.h": modelspec_rules_h(spec_rules),
        "src/modelspec/modelspec_rules.c": modelspec_rules_c(spec_rules),
    }
    texts = {path: "\n".join(lines) + "\n" for path, lines in files.items()}
    texts["include/assay_write.h"] = assay_write_h(write)
    if os.path.exists(os.path.join(ROOT, "spec", "canonical.md")):
        texts["spec/canonical.md"] = canonical_md(write, dtypes)
    if os.path.exists(os.path.join(ROOT, "spec", "format.md")):
        texts["spec/format.md"] = format_md(rules, statuses, dtypes)
    if os.path.exists(os.path.join(ROOT, "spec", "index.md")):
        texts["spec/index.md"] = index_md(model_rules)
    if os.path.exists(os.path.join(ROOT, "spec", "policy.md")):
        texts["spec/policy.md"] = policy_md(program_rules)
    if os.path.exists(os.path.join(ROOT, "spec", "modelspec.md")):
        texts["spec/modelspec.md"] = modelspec_md(keys, spec_rules, ids)
    if os.path.exists(os.path.join(ROOT, "man", "assay.1")):
        texts["man/assay.1"] = manual(keys)
    return texts


def read_or_none(path):
    try:
        with open(path, encoding="utf-8", newline="") as f:
            return f.read()
    except FileNotFoundError:
        return None


def main(args):
    try:
        files = generated()
    except TableError as e:
        print("spec/generate.py: %s" % e, file=sys.stderr)
        return 1
    if args == ["--list"]:
        print("\n".join(files))
        return 0
    if args not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    stale = [path for path, text in files.items() if read_or_none(os.path.join(ROOT, path)) != text]
    if args == ["--check"]:
        for path in stale:
            print("%s is not what spec/generate.py makes" % path, file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        os.makedirs(os.path.dirname(os.path.join(ROOT, path)), exist_ok=True)
        with open(os.path.join(ROOT, path), "w", encoding="utf-8", newline="") as f:
            f.write(files[path])
        print("wrote " + path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
