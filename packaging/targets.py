#!/usr/bin/env python3
"""Compile dist/assay.c, assay_flat.c and the program for every target, and let what can run here judge the corpus.

    packaging/targets.py                      make docs/targets.md
    packaging/targets.py --check [NAME...]    compare the page with what is compiled and run now
    packaging/targets.py NAME...              only targets whose names begin so: print their rows

A target whose tools are missing is skipped; the page is then compared without its row, and not made. What runs is
tests/conformance/driver.c or the program, linked statically, under qemu-user or wine if need be.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import amalgamate
import check
import release

PAGE = "docs/targets.md"
ZIG_CACHE = os.path.join(check.from_pip.BUILD, "zig-cache")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wvla", "-Wcast-align", "-Wundef"]
COMMON = ["-std=c11", "-ffreestanding", "-Os", *WARNINGS]
DRIVER = ["-DFLAT", "tests/conformance/driver.c", "tests/conformance/flat_check.c", "src/cli/rules_table.c"]
NATIVE, NOT_RUN, LINKED = "", None, "links"
MINGW = "-D__USE_MINGW_ANSI_STDIO=1"
# name, compiler, its flags, what runs the driver (NATIVE; NOT_RUN: an object alone; LINKED: linked and not run), flags
# of the link, with zig before them if it links
TARGETS = [
    ("x86-64 Linux", "gcc", "", NATIVE, "-static"),
    ("x86-64 Linux, clang", "clang", "", NATIVE, "-static"),
    ("x86-64 Linux, musl", "musl-gcc", "", NATIVE, "-static"),
    ("i686 Linux", "i686-linux-gnu-gcc", "", "qemu-i386-static", "-static"),
    ("aarch64 Linux", "aarch64-linux-gnu-gcc", "", "qemu-aarch64-static", "-static"),
    ("armv7 Linux", "arm-linux-gnueabihf-gcc", "", "qemu-arm-static", "-static"),
    ("riscv64 Linux", "riscv64-linux-gnu-gcc", "", "qemu-riscv64-static", "-static"),
    ("ppc64le Linux", "powerpc64le-linux-gnu-gcc", "", "qemu-ppc64le-static", "-static"),
    ("s390x Linux, big-endian", "s390x-linux-gnu-gcc", "", "qemu-s390x-static", "-static"),
    ("Windows x64, mingw", "x86_64-w64-mingw32-gcc", "", "wine", "-static " + MINGW),
    ("Windows x86, mingw", "i686-w64-mingw32-gcc", "", LINKED, "-static " + MINGW),
    ("Windows x64, MSVC's ABI", "clang", "--target=x86_64-pc-windows-msvc", NOT_RUN, ""),
    ("Windows arm64, MSVC's ABI", "clang", "--target=aarch64-pc-windows-msvc", NOT_RUN, ""),
    ("Windows x86, MSVC's ABI", "clang", "--target=i686-pc-windows-msvc", NOT_RUN, ""),
    ("macOS arm64", "clang", "--target=arm64-apple-macos11", LINKED, "zig -target aarch64-macos"),
    ("macOS x86-64", "clang", "--target=x86_64-apple-macos11", LINKED, "zig -target x86_64-macos"),
    ("iOS arm64", "clang", "--target=arm64-apple-ios14", NOT_RUN, ""),
    ("Android aarch64", "clang", "--target=aarch64-linux-android24", NOT_RUN, ""),
    ("FreeBSD x86-64", "clang", "--target=x86_64-unknown-freebsd13", NOT_RUN, ""),
    ("wasm32", "clang", "--target=wasm32 -mbulk-memory", NOT_RUN, ""),
    ("wasm32, WASI", "clang", "--target=wasm32-wasi", LINKED, "zig -target wasm32-wasi"),
    ("Cortex-M0", "arm-none-eabi-gcc", "-mcpu=cortex-m0 -mthumb", NOT_RUN, ""),
    ("Cortex-M4", "arm-none-eabi-gcc", "-mcpu=cortex-m4 -mthumb", NOT_RUN, ""),
    ("Cortex-M33", "arm-none-eabi-gcc", "-mcpu=cortex-m33 -mthumb", NOT_RUN, ""),
    ("rv32imac", "riscv64-unknown-elf-gcc", "-march=rv32imac -mabi=ilp32", NOT_RUN, ""),
    ("rv64imac", "riscv64-unknown-elf-gcc", "-march=rv64imac -mabi=lp64 -mcmodel=medany", NOT_RUN, ""),
]
# The program: name, compiler, what runs it
PROGRAMS = [
    ("program, aarch64 Linux, musl", "zig -target aarch64-linux-musl", "qemu-aarch64-static"),
    ("program, riscv64 Linux, musl", "zig -target riscv64-linux-musl", "qemu-riscv64-static"),
    ("program, armv7 Linux, musl", "zig -target arm-linux-musleabihf", "qemu-arm-static"),
    ("program, s390x Linux, musl", "zig -target s390x-linux-musl", "qemu-s390x-static"),
    ("program, Linux without its own calls", "gcc -U__linux__ -Ulinux", NATIVE),
    ("program, macOS arm64", "zig -target aarch64-macos", LINKED),
    ("program, macOS x86-64", "zig -target x86_64-macos", LINKED),
    ("program, FreeBSD x86-64", "zig -target x86_64-freebsd", LINKED),
    ("program, NetBSD x86-64", "zig -target x86_64-netbsd", LINKED),
    ("program, OpenBSD x86-64", "zig -target x86_64-openbsd", LINKED),
]
SECTION = re.compile(r"\.?_*s?(text|rodata|rdata|data|const|cstring|literal)|CODE$|DATA$")  # code and constants
HEAD = """# Targets

Made by `packaging/targets.py`; do not edit. `make check-embed` compares it.

Each row is `dist/assay.c` and `dist/assay_flat.c`, compiled with `-Os -ffreestanding` and these warnings, of which none
is printed: `{warnings}`.

Sizes are bytes of code and constants; there are no variables. The largest frame is that of one function; `make check`,
step `stack`, computes the whole stack on x86. The columns of calls have the functions that a compiler calls by itself,
which its run-time library has: the sources call nothing.

"Judged" means that a program with these objects judged the corpus, some files with limits too, and agreed with
the manifest in verdict, rule, byte and fields: under wine for Windows, under qemu for other processors. "Linked" means
that such a program was linked. Other rows are objects.

| target | compiler | assay.c | assay_flat.c | largest frame | assay.c calls | assay_flat.c also | corpus |
| --- | --- | ---: | ---: | ---: | --- | --- | --- |
"""

PROGRAM_HEAD = """
## The program

`assay` itself, built by `make SECCOMP=no CURL=no` without a warning. "Without its own calls" is what systems other than
Linux get, run on Linux: no Landlock, no `openat2`, no `statx`. `assay --version` says what a program lacks.

| program | compiler | corpus |
| --- | --- | --- |
"""


class Missing(Exception):
    """The compiler of a target is not here."""


def command_of(compiler):
    """Return the command of a compiler, and how the page names it."""
    if compiler == "zig":
        python = check.from_pip.environment("zig", check.PACKAGES["zig"])
        if python is None:
            raise Missing("Python package %s is missing: run make deps-embed" % check.PACKAGES["zig"])
        said = subprocess.run([python, "-m", "ziglang", "version"], stdout=subprocess.PIPE, check=True)
        return [python, "-m", "ziglang", "cc"], "zig " + said.stdout.decode().strip()
    if not shutil.which(compiler):
        raise Missing("%s is not installed: run make deps-embed" % compiler)
    said = subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode()
    found = re.search(r"(?:clang version |\) )(\d+)[.-]", said.splitlines()[0])
    return [compiler], ("clang" if "clang" in compiler else "gcc") + " " + (found[1] if found else "?")


def execute(command, cwd):
    """Run a compiler. Any output is a failure: there must be no warning."""
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          universal_newlines=True, env={**os.environ, "LC_ALL": "C", "ZIG_GLOBAL_CACHE_DIR": ZIG_CACHE})
    if done.returncode or done.stdout.strip():
        raise check.Failure("%s\n%s" % (" ".join(command), done.stdout[:2000]))


def size_of(path):
    """Return the bytes of code and constants of an object, after checking that it has no variable.

    A compiler may keep the image of an initializer in .data, without a symbol. WebAssembly has no constant memory, so
    nothing is found there.
    """
    with open(path, "rb") as f:
        magic = f.read(4)
    kinds = "" if magic == b"\0asm" else "DdBbCcSs" if magic == b"\x7fELF" else "DdBbCc"
    said = subprocess.run(["llvm-nm", path], stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
    variables = [name for kind, name in re.findall(r"^[0-9a-f]+ (\w) (?!\.)(\S+)$", said, re.M) if kind in kinds]
    if variables:
        raise check.Failure("%s has variables: %s" % (path, " ".join(variables)))
    said = subprocess.run(["llvm-size", "-A", path], stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
    return sum(int(size) for name, size in re.findall(r"^(\S+) +(\d+) +\d+$", said, re.M) if SECTION.match(name))


def calls_of(path):
    """Return the symbols that an object needs, without those of assay.h; a family of registers is one."""
    said = subprocess.run(["llvm-nm", "-u", path], stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
    used = {re.sub(r"^(_(?:save|rest)[gf]pr)\d*_\d+$", r"\1*", name) for name in re.findall(r"U (\S+)$", said, re.M)}
    used -= {"__stack_pointer", "_GLOBAL_OFFSET_TABLE_", ".TOC."}
    return {name for name in used if not re.match(r"_?assay_", name)}


def cell_of(symbols):
    return " ".join("`%s`" % symbol for symbol in sorted(symbols))


def frame_of(paths):
    """Return the bytes of the largest frame; 0 if the compiler does not report frames."""
    frames = [0]
    for path in paths:
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                frames += [int(size) for size in re.findall(r"\t(\d+)\t(?:static|dynamic,bounded)", f.read())]
    return max(frames)


def corpus(target, command, objects, work, unpacked):
    """Link the driver, and let it judge the corpus. Return the last cell of the row."""
    _, _, flags, runner, link = target
    if runner is NOT_RUN:
        return ""
    program = os.path.join(work, "driver.exe")
    link = shlex.split(link)
    if link[:1] == ["zig"]:
        command, flags, link = command_of("zig")[0], "", link[1:]
    execute([*command, *shlex.split(flags), "-std=c11", "-O1", "-I" + unpacked, "-Isrc/cli", "-Itests/conformance",
             *DRIVER, *objects, *link, "-o", program], amalgamate.ROOT)
    if runner == LINKED:
        return "linked"
    judge("--core", runner, program, work)
    return "judged"


def judge(what, runner, program, work):
    """Let a program judge the corpus. what: --core or --program."""
    if runner and not shutil.which(runner):
        raise Missing("%s is not installed: run make deps-embed" % runner)
    judges = [sys.executable, "tests/conformance/manifest.py", what, ("%s %s" % (runner, program)).strip()]
    done = subprocess.run(judges, cwd=amalgamate.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          universal_newlines=True,
                          env={**os.environ, "WINEPREFIX": os.path.join(work, "wine"), "WINEDEBUG": "-all"})
    if done.returncode:
        raise check.Failure("%s: %s" % (program, done.stdout[-2000:]))


def row(target, unpacked):
    """Return the row of a target."""
    name, compiler, flags, _, _ = target
    command, shown = command_of(compiler)
    with tempfile.TemporaryDirectory(prefix="assay-") as work:
        objects = []
        for unit in "assay", "assay_flat":
            objects.append(os.path.join(work, unit + ".o"))
            execute([*command, *shlex.split(flags), *COMMON, "-fstack-usage", "-I" + unpacked, "-c",
                     os.path.join(unpacked, unit + ".c"), "-o", objects[-1]], work)
        cells = [name, shown, *("{:,}".format(size_of(path)) for path in objects)]
        cells.append(frame_of(path[:-1] + "su" for path in objects) or "")
        core, flat = map(calls_of, objects)
        cells += [cell_of(core), cell_of(flat - core)]
        cells.append(corpus(target, command, objects, work, unpacked))
    return ("| " + " | ".join(str(cell) for cell in cells)).rstrip() + " |"


def program_row(target):
    """Return the row of a program."""
    name, compiler, runner = target
    first, *flags = shlex.split(compiler)
    command, shown = command_of(first)
    with tempfile.TemporaryDirectory(prefix="assay-") as work:
        cc = os.path.join(work, "cc")  # $(CC) of the Makefile is one word
        with open(cc, "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\nexec %s \"$@\"\n" % shlex.join([*command, *flags]))
        os.chmod(cc, 0o755)
        archive = shlex.join([*command[:-1], "ar"]) if first == "zig" else "ar"
        execute(["make", "-s", "B=" + work, "CC=" + cc, "AR=" + archive, "SECCOMP=no", "CURL=no",
                 os.path.join(work, "assay")], amalgamate.ROOT)
        if runner == LINKED:
            return "| %s | %s | linked |" % (name, shown)
        judge("--program", runner, os.path.join(work, "assay"), work)
    return "| %s | %s | judged |" % (name, shown)


def rows(targets):
    """Return {name: row}, the names of targets that failed, and those of targets whose tools are not here."""
    made, failed, skipped = {}, [], []
    with tempfile.TemporaryDirectory(prefix="assay-") as work:
        _, _, unpacked = check.dist(work)
        for target in targets:
            try:
                made[target[0]] = program_row(target) if target in PROGRAMS else row(target, unpacked)
                print(made[target[0]], flush=True)
            except Missing as reason:
                print("skip %s: %s" % (target[0], reason), flush=True)
                skipped.append(target[0])
            except check.Failure as reason:
                print("FAILED %s: %s" % (target[0], reason), flush=True)
                failed.append(target[0])
    return made, failed, skipped


def main(args):
    checking, names = args[:1] == ["--check"], tuple(args[args[:1] == ["--check"]:])
    chosen = [target for target in TARGETS + PROGRAMS if not names or target[0].startswith(names)]
    made, failed, skipped = rows(chosen)
    page = HEAD.format(warnings=" ".join(WARNINGS)) + "".join(
        ("" if name != PROGRAMS[0][0] else PROGRAM_HEAD) + line + "\n" for name, line in made.items())
    if checking:
        lines = amalgamate.read(PAGE).splitlines()
        stale = [name for name, line in made.items() if line not in lines]
        for name in stale:
            print("FAILED %s: %s has another row: run make targets" % (name, PAGE))
        failed += stale
    elif not names and not failed + skipped:
        release.write(os.path.join(amalgamate.ROOT, PAGE), page.encode())
    elif not names:
        print("packaging/targets.py: %s is not written: it would lack rows" % PAGE)
    print("%d passed, %d failed, %d skipped" % (len(chosen) - len(failed) - len(skipped), len(failed), len(skipped)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
