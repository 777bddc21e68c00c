"""Test that each command on the pages in PAGES prints what the page shows. "..." matches anything within a line; a
line "..." matches any lines. Addresses hf://example/model lead to a server of the test. On all pages of the
repository, each link leads to a file, and to a heading of it. As a program:

    tests/program/pages.py PROGRAM    replaces what a page shows where the command now prints something else
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys

import lib
from hub import Hub

PAGES = {"README.md": 2, "docs/tour.md": 20, "docs/cli.md": 30}  # and their minimum numbers of commands
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.M | re.S)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
# What differs between runs: temporary folders, times and numbers of a file, sandbox layers, the size of responses.
VARIES = [
    (r"/[^ :]*/tmp\.[^/]*/", ".../"),
    (r"[0-9.]+ (?:k|M)?B(?:ytes)? fetched|[0-9]+ bytes fetched", "... fetched"),
    (r'("(?:device|inode)":)\d+', r"\1..."),
    (r'("(?:modified|changed)":)"[0-9.]+"', r"\1..."),
    (r'("sandbox":)\[[^]]*\]', r"\1[...]"),
]
INDEX, SHARDS = "model.safetensors.index.json", ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]


def read(path):
    with open(os.path.join(lib.ROOT, path), encoding="utf-8") as f:
        return f.read()


def commands(block):
    """Yield pairs of a command and the output on the page."""
    return [part.split("\n", 1) for part in re.split(r"^\$ ", block, flags=re.M)[1:]]


def bytes_of(path):
    with open(os.path.join(lib.ROOT, "corpus/valid/real", path), "rb") as f:
        return f.read()


def names(content):
    length = int.from_bytes(content[:8], "little")
    return [name for name in json.loads(content[8 : 8 + length]) if name != "__metadata__"]


def hub():
    """Serve a model of two shards, and one whose only file is cut off."""
    one, two = bytes_of("runai-test.safetensors"), bytes_of("safetensors-cpp-model.safetensors")
    places = {name: shard for shard, content in zip(SHARDS, (one, two)) for name in names(content)}
    files = dict(zip(SHARDS, (one, two)), **{INDEX: json.dumps({"weight_map": places}, indent=1).encode()})
    return Hub({**files, "adapter.safetensors": one[:900]}, owner="example/model")


@contextlib.contextmanager
def prepared():
    """Make an empty folder with links to corpus/ and examples/, and the Hub's server."""
    os.symlink(os.path.join(lib.ROOT, "corpus"), "corpus")
    os.symlink(os.path.join(lib.ROOT, "examples"), "examples")
    os.mkdir(".bin")
    os.symlink(lib.PROGRAM, ".bin/assay")
    with hub() as server:
        path = os.path.abspath(".bin") + ":" + os.environ["PATH"]
        home = {"HOME": os.path.abspath(".bin"), "HF_ENDPOINT": server.endpoint}
        yield {**os.environ, "PATH": path, "LC_ALL": "C", **home}


def output(command, env):
    done = subprocess.run(
        ["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env,
        timeout=lib.LIMIT, check=False,
    )
    lib.safe(done.stdout.decode())
    return done.stdout.decode()


def like(shown):
    pattern = re.escape(shown)
    pattern = re.sub(r"(?m)^\\\.\\\.\\\.(?:\\)?\n", "(?:.*\n)*", pattern)
    return re.compile(pattern.replace(r"\.\.\.", ".*"))


def remote():
    return "libcurl" in lib.run("--version").out.partition("addresses: ")[2].partition("none")[0]


def run_page(page):
    ran = 0
    with prepared() as env:
        fetches = remote()
        for block in BLOCK.findall(read(page)):
            for command, shown in commands(block):
                if "hf://" in command and not fetches:
                    continue
                got = output(command, env)
                assert like(shown).fullmatch(got), (page, command, got)
                ran += 1
    assert ran >= PAGES[page], ran


def test_tour():
    run_page("docs/tour.md")


def test_cli():
    run_page("docs/cli.md")


def test_every_command_is_run():
    """Everything on a page that looks like a command is in a block that is run."""
    for page in PAGES:
        text = read(page)
        assert text.count("\n$ ") == sum(len(commands(block)) for block in BLOCK.findall(text)), page
        assert not re.search(r"^    \$ ", text, re.M), page


def pages():
    """Return all pages of the repository except those of a build or a package manager."""
    found = []
    for top, folders, files in os.walk(lib.ROOT):
        folders[:] = [name for name in folders if name not in ("build", ".git", ".venv", "node_modules", "target")]
        found += [os.path.relpath(os.path.join(top, name), lib.ROOT) for name in files if name.endswith(".md")]
    return sorted(found)


def anchors(text):
    """Return the anchor that a forge makes of each heading."""
    headings = re.findall(r"^#+ +(.*?) *$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links():
    seen, broken = 0, []
    for page in pages():
        for link in LINK.findall(CODE.sub("", read(page))):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            full = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            seen += 1
            if not os.path.exists(os.path.join(lib.ROOT, full)):
                broken.append("%s: no file: %s" % (page, link))
            elif anchor and full.endswith(".md") and anchor not in anchors(read(full)):
                broken.append("%s: no heading: %s" % (page, link))
    assert not broken, "\n".join(broken)
    assert seen > 50, seen


def test_glossary_is_in_order():
    terms = re.findall(r"^\*\*(.+?)\*\*", read("GLOSSARY.md"), re.M)
    assert terms == sorted(terms, key=str.lower) and len(terms) == len(set(terms)) > 30, terms


def write(page):
    def fill(block):
        out = ""
        for command, shown in commands(block.group(1)):
            got = output(command, env)
            if not like(shown).fullmatch(got):
                for varies, instead in VARIES:
                    got = re.sub(varies, instead, got)
                shown = got
            out += "$ %s\n%s" % (command, shown)
        return "```console\n%s```" % out

    with lib.folder(), prepared() as env:
        text = BLOCK.sub(fill, read(page))
    with open(os.path.join(lib.ROOT, page), "w", encoding="utf-8") as f:
        f.write(text)


if __name__ == "__main__":
    lib.PROGRAM = shutil.which(os.path.abspath(sys.argv[1]))
    lib.settle()
    for name in PAGES:
        write(name)
