#!/usr/bin/env python3
"""Pack the module as the go command does when it takes a tag of the repository: the files of this folder, and LICENSE.

    bindings/go/pack.py [FOLDER]    into FOLDER, by default build/go/packed/: a folder that GOPROXY=file://FOLDER reads

Two calls write the same bytes. A frozen list, contents.txt, states what is in it.
"""
import os
import re
import shutil
import subprocess
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "packaging"))
import amalgamate  # noqa: E402

VERSION = "v" + amalgamate.version()
DATE = "2026-11-24T00:00:00Z"  # any: a tag has its own


def read(path):
    with open(path, "rb") as f:
        return f.read()


def names():
    """Return the files of this folder that git knows or would add; all of them, if there is no git here."""
    done = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "--deduplicate"], cwd=HERE, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True)
    if done.returncode == 0:
        found = done.stdout.splitlines()
    else:
        found = [os.path.relpath(os.path.join(at, name), HERE) for at, _, files in os.walk(HERE) for name in files]
    return sorted(name for name in found if os.path.isfile(os.path.join(HERE, name)))


def main(args):
    folder = os.path.abspath(args[0] if args else os.path.join(ROOT, "build", "go", "packed"))
    module = re.match(r"module (\S+)\n", read(os.path.join(HERE, "go.mod")).decode())[1]
    files = {name: read(os.path.join(HERE, name)) for name in names()}
    files["LICENSE"] = read(os.path.join(ROOT, "LICENSE"))
    listed = read(os.path.join(HERE, "contents.txt")).decode().split("\n")[:-1]
    if sorted(files) != listed:
        sys.exit("bindings/go/pack.py: the contents are not those of bindings/go/contents.txt:%s" % "".join(
            "\n    %s %s" % pair for pair in [("missing:", n) for n in listed if n not in files]
            + [("not listed:", n) for n in sorted(files) if n not in listed]))
    escaped = re.sub(r"[A-Z]", lambda letter: "!" + letter[0].lower(), module)  # as in the names of a module proxy
    shutil.rmtree(folder, ignore_errors=True)
    target = os.path.join(folder, escaped, "@v")
    os.makedirs(target)
    with zipfile.ZipFile(os.path.join(target, VERSION + ".zip"), "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo("%s@%s/%s" % (module, VERSION, name), (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            archive.writestr(entry, files[name])
    for name, text in (("list", VERSION + "\n"), (VERSION + ".mod", files["go.mod"].decode()),
                       (VERSION + ".info", '{"Version":"%s","Time":"%s"}\n' % (VERSION, DATE))):
        with open(os.path.join(target, name), "w", encoding="utf-8") as f:
            f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
