"""The text that is proved is the text that ships: what no goal can show, since Frama-C reads each file of the core alone
and with annotations, and the compiler reads all of them as one unit and without.

    faults()    a macro that reaches from one file into another, C that only one of the two readers sees, and what could
                make an annotation say what its letters do not
"""
import os
import re
import subprocess

import source

FLAGS = ["-std=c11", "-ffreestanding", "-Iinclude", "-Isrc/core"]
MARKER = re.compile(r'^# \d+ "([^"]*)"')
DEFINE = re.compile(r"^[ \t]*#[ \t]*define\b((?:\\\n|[^\n])*)", re.M)
OURS = ("src/core/", "include/")
# Words that no macro may bring into an annotation: it would stand there unread by the checks of source.py.
ACSL = re.compile(r"\\(?!\n)|##|@|\b(?:admit|axiom\w*|inductive|assert|check|lemma|ghost|loop|invariant|variant|"
                  r"requires|ensures|assigns|terminates|exits|decreases|behavior|assumes|logic|predicate|global|import|include)\b")


def seen(path, *flags):
    """{file of ours: its words} as the preprocessor leaves them in what a run over this path reads."""
    run = subprocess.run(["cc", "-E", *FLAGS, *flags, path], cwd=source.ROOT, stdout=subprocess.PIPE, check=True,
                         universal_newlines=True)
    out, place = {}, ""
    for line in run.stdout.splitlines():
        marker = MARKER.match(line)
        if marker:
            place = marker.group(1)
        elif place.startswith(OURS) and line.strip():
            out.setdefault(place, []).extend(line.split())
    return out


def unlike(one, other):
    return sorted(path for path in set(one) & set(other) if one[path] != other[path])


def faults():
    out, unit = [], seen(source.UNIT)
    for path in source.files():
        alone, proved = seen(path), seen(path, "-D__FRAMAC__", "-Ispec")
        out += ["%s: %s is other C for the prover than for the compiler" % (path, name)
                for name in sorted(set(alone) ^ set(proved)) + unlike(alone, proved)]
        out += ["%s: %s is other C in %s: a macro of another file reaches into it" % (path, name, source.UNIT)
                for name in unlike(alone, unit)]
    for path in source.annotated():
        text = source.read(path)
        for body in DEFINE.findall(re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)):
            out += ["%s: a macro holds %s" % (path, word.strip()) for word in ACSL.findall(body)]
        bare = re.sub(r"/\*.*?\*/|//[^\n]*|^[ \t]*#(ifndef|define) \w+_ACSL$|^#endif$|^#include \"\w+\.acsl\"$", "", text,
                      flags=re.S | re.M)
        if path.endswith(".acsl") and bare.strip():
            out.append("%s: holds more than annotations: %s" % (path, bare.split("\n")[0].strip() or bare.strip()[:40]))
        out += ["%s: an annotation holds a directive: %s" % (path, line.strip())
                for line in source.annotations(text).splitlines() if re.match(r"\s*@?\s*#", line)]
        out += ["%s: a contract of one line, which the ledger does not keep: %s" % (path, line) for line in
                re.findall(r"//@\s*(?:requires|ensures|assigns|terminates|exits)\b.*", text)]
    return out
