#!/usr/bin/env python3
"""Build a wheel for every platform on one machine, look into each, and run what can run here.

    bindings/python/wheels.py            build, check, run; compare with WHEELS.md
    bindings/python/wheels.py --write    the same; write WHEELS.md
    bindings/python/wheels.py TAG...     only platforms whose tags begin so: print their rows; with --write, take the
                                         others from earlier runs

The package is Python and one library without a Python API, so a wheel is what scikit-build-core builds here, with the
library that zig has compiled for another platform (requirements-wheels.txt). Everything is in build/wheels: the wheels
in dist/. Needs the network for zig, and for the Pythons of other machines, which are Debian's and run under qemu.
"""
import base64
import email
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

import check
import prepare

HERE, ROOT = check.HERE, check.ROOT
OUT = os.path.join(ROOT, "build", "wheels")
DIST = os.path.join(OUT, "dist")
PAGE = os.path.join(HERE, "WHEELS.md")
CACHE = os.path.join(OUT, "zig-cache")
CORPUS = os.path.join(ROOT, "corpus")
DATE = (2026, 1, 1, 0, 0, 0)  # of the files in a wheel: check.py's SOURCE_DATE_EPOCH
FLAGS = ["-std=c99", "-O2", "-fPIC", "-fvisibility=hidden", "-g0"]
SOURCES = ["assay.c", "assay_flat.c", "assay_index.c", "assay_notes.c", "assay_write.c", "assay_flat_write.c"]
ZIG_SHOWS = {"__dso_handle", "_mh_dylib_header"}  # zig adds these to each library for macOS
GENERATED = 500  # files that a Python under qemu compares with the model
# The tags of a wheel; the target of zig; where it can run: the C library of Debian that qemu finds by -L, or one of
# Debian's architectures, whose Python or musl is fetched; "native"; "wine"; or "".
PLATFORMS = [
    ("manylinux_2_17_x86_64.manylinux2014_x86_64", "x86_64-linux-gnu.2.17", "native"),
    ("manylinux_2_17_i686.manylinux2014_i686", "x86-linux-gnu.2.17", "i386"),
    ("manylinux_2_17_aarch64.manylinux2014_aarch64", "aarch64-linux-gnu.2.17", "arm64"),
    ("manylinux_2_17_armv7l.manylinux2014_armv7l", "arm-linux-gnueabihf.2.17", "armhf"),
    ("manylinux_2_17_ppc64le.manylinux2014_ppc64le", "powerpc64le-linux-gnu.2.19", "ppc64el"),
    ("manylinux_2_17_s390x.manylinux2014_s390x", "s390x-linux-gnu.2.17", "s390x"),
    ("manylinux_2_31_riscv64", "riscv64-linux-gnu.2.31", "/usr/riscv64-linux-gnu"),
    ("musllinux_1_2_x86_64", "x86_64-linux-musl", "amd64"),
    ("musllinux_1_2_i686", "x86-linux-musl", "i386"),
    ("musllinux_1_2_aarch64", "aarch64-linux-musl", "arm64"),
    ("musllinux_1_2_armv7l", "arm-linux-musleabihf", "armhf"),
    ("musllinux_1_2_ppc64le", "powerpc64le-linux-musl", "ppc64el"),
    ("musllinux_1_2_s390x", "s390x-linux-musl", "s390x"),
    ("musllinux_1_2_riscv64", "riscv64-linux-musl", ""),
    ("macosx_11_0_x86_64", "x86_64-macos.11.0", ""),
    ("macosx_11_0_arm64", "aarch64-macos.11.0", ""),
    ("win_amd64", "x86_64-windows-gnu", "wine"),
    ("win_arm64", "aarch64-windows-gnu", ""),
    ("win32", "x86-windows-gnu", ""),
]
QEMU = {"i386": "i386", "arm64": "aarch64", "armhf": "arm", "ppc64el": "ppc64le", "s390x": "s390x", "amd64": "x86_64",
        "/usr/riscv64-linux-gnu": "riscv64"}
# What Debian's Python needs to start, to load a library, and to make a temporary file.
PYTHON = ["libc6", "libcrypt1", "libexpat1", "libffi8", "libgcc-s1", "libpython3.11-minimal", "libpython3.11-stdlib",
          "libssl3", "python3.11-minimal", "zlib1g"]
HEAD = """# Wheels

Made by `make wheels`, which also compares it; do not edit.

Each wheel has the same files but for the library, which [zig](https://ziglang.org) {zig} compiles: two builds from
different folders are the same bytes. Checked in each: the files are those of [`contents.txt`](contents.txt); the tags
are well-formed for `packaging`, and for glibc no older than what `auditwheel` finds in the library; the library needs
the C library alone, and shows the flat interface and nothing else (on macOS, `__dso_handle` and `_mh_dylib_header`
too). "Needs" is the newest version of a symbol of glibc, or the first system.

"As specified" means that this Python installed or imported the wheel, and read the corpus and generated files as
`spec/model.py` does. "Corpus" means that there is no Python for this platform here: a C program loaded the library and
judged the corpus as the manifest states. Other processors are under qemu, Windows is under wine. "Built" means that
nothing has run. No Mac, no real Windows, no Python for Windows or musl, and no free-threaded Python has run a wheel
yet.

| wheel `py3-none-` | library, bytes | needs | undefined symbols | run |
| --- | ---: | --- | --- | --- |
"""


def zig(python, *arguments, cwd=None):
    """Run zig; with the same folders for every user, so that its output is the same."""
    return check.must(python, "-m", "ziglang", *arguments, cwd=cwd,
                      env=dict(os.environ, ZIG_GLOBAL_CACHE_DIR=CACHE, ZIG_LOCAL_CACHE_DIR=CACHE))


def library_name(tag):
    return "_assay.dylib" if tag.startswith("macosx") else "_assay.dll" if tag.startswith("win") else "_assay.so"


def interface():
    """Return the names of the functions that a library shows."""
    names = set()
    for header in ("assay_flat.h", "assay_index.h", "assay_notes.h", "assay_flat_write.h"):
        with open(os.path.join(HERE, "native", header), encoding="ascii") as file:
            names.update(re.findall(r"^\w[\w ]* \**(assay_flat_\w+)\(", file.read(), re.M))
    return names


def compile_library(python, tag, target, work):
    """Compile the library for a platform in a folder; return its path."""
    path = os.path.join(work, library_name(tag))
    link = ["-shared", "-s"]
    if tag.startswith("win"):
        with open(os.path.join(work, "assay.def"), "w", encoding="ascii") as file:
            file.write("LIBRARY _assay.dll\nEXPORTS\n" + "".join("    %s\n" % name for name in sorted(interface())))
        link += ["assay.def"]
    elif tag.startswith("macosx"):
        link += ["-Wl,-install_name,@rpath/_assay.dylib"]
    else:
        link += ["-Wl,--build-id=none", "-Wl,-soname,_assay.so", "-Wl,-z,noexecstack", "-Wl,-z,relro", "-Wl,-z,now"]
    zig(python, "cc", "-target", target, *FLAGS, "-ffile-prefix-map=%s=." % work, "-include", "exports.h",
        *(os.path.join("native", name) for name in SOURCES), *link, "-o", path, cwd=work)
    return path


def built(python, tag, target, base, name):
    """Build the wheel of a platform from a copy of the sources in a folder; return its path."""
    work = os.path.join(OUT, name)
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    shutil.copytree(os.path.join(HERE, "native"), os.path.join(work, "native"))
    shutil.copy(os.path.join(HERE, "exports.h"), work)
    with open(compile_library(python, tag, target, work), "rb") as file:
        return write_wheel(base, tag, file.read(), os.path.join(work, "dist"))


def write_wheel(base, tag, library, folder):
    """Write a wheel: the files of another one, with this library, these tags and a new record."""
    with zipfile.ZipFile(base) as archive:
        files = {info.filename: archive.read(info) for info in archive.infolist()}
    name = os.path.basename(base).split("-py3-none-")[0]
    del files["assay/_assay.so"]
    files["assay/" + library_name(tag)] = library
    wheel, record = "%s.dist-info/WHEEL" % name, "%s.dist-info/RECORD" % name
    kept = [line for line in files[wheel].decode().rstrip("\n").split("\n") if not line.startswith("Tag: ")]
    files[wheel] = "\n".join(kept + ["Tag: py3-none-" + one for one in tag.split(".")] + [""]).encode()
    del files[record]
    rows = [record_row(path, data) for path, data in sorted(files.items())]
    files[record] = "\n".join(rows + [record + ",,", ""]).encode()
    os.makedirs(folder, exist_ok=True)
    target = os.path.join(folder, "%s-py3-none-%s.whl" % (name, tag))
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files, key=lambda path: (".dist-info/" in path, path)):
            info = zipfile.ZipInfo(path, DATE)
            info.external_attr = (0o100755 if path.startswith("assay/_assay.") else 0o100644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            archive.writestr(info, files[path], compresslevel=9)
    return target


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def record_row(path, data):
    return "%s,%s,%d" % (path, digest(data), len(data))


# ---- What is in a wheel ----------------------------------------------------------------------------------------------

def faults_of_record(path):
    """Compare the files of a wheel with its record and with contents.txt."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    record = next(name for name in files if name.endswith("/RECORD"))
    rows = files[record].decode().splitlines()
    if sorted(rows) != sorted([record_row(n, d) for n, d in files.items() if n != record] + [record + ",,"]):
        yield "RECORD is not that of its files"
    with open(os.path.join(HERE, "contents.txt"), encoding="utf-8") as file:
        want = [line[6:] for line in file.read().splitlines() if line.startswith("wheel ")]
    tag = os.path.basename(path).split("-")[-1][:-len(".whl")]
    found = [re.sub(r"assay_safetensors-[^/]+\.dist-info/", "assay_safetensors.dist-info/", name) for name in files]
    if sorted(found) != sorted(n.replace("assay/_assay.so", "assay/" + library_name(tag)) for n in want):
        yield "the files are not those of contents.txt: %s" % sorted(set(found) ^ set(want))


def faults_of_tags(path):
    """Compare the tags in the name with those in the wheel, and with what `packaging` reads of the name."""
    from packaging import tags, utils
    name = os.path.basename(path)
    with zipfile.ZipFile(path) as archive:
        metadata = next(n for n in archive.namelist() if n.endswith("/WHEEL"))
        inside = set(email.message_from_bytes(archive.read(metadata)).get_all("Tag"))
        pure = email.message_from_bytes(archive.read(metadata))["Root-Is-Purelib"]
    read = {str(tag) for tag in utils.parse_wheel_filename(name)[3]}
    if inside != read or pure != "false":
        yield "tags: %s in the name, %s in the wheel, Root-Is-Purelib %s" % (sorted(read), sorted(inside), pure)
    found = re.search(r"-macosx_11_0_(\w+)\.whl", name)
    if found and "macosx_11_0_" + found[1] not in tags.mac_platforms((14, 0), found[1]):
        yield "a Mac does not take it"


def readobj(path, *options):
    return check.must("llvm-readobj", *options, path)


def faults_of_library(path, tag):
    """Look into a library; yield faults, then at the end a tuple: what it needs, and its undefined symbols."""
    if tag.startswith("win"):
        shown = set(re.findall(r"^  Name: (\S+)", readobj(path, "--coff-exports"), re.M))
        undefined = re.findall(r"Symbol: (\w+)", readobj(path, "--coff-imports"))
        libraries = re.findall(r"^  Name: (\S+)", readobj(path, "--coff-imports"), re.M)
        unknown = [name for name in libraries if not re.match(r"KERNEL32\.dll|api-ms-win-crt-", name)]
        need = "Windows 10"
    elif tag.startswith("macosx"):
        listed = check.must("llvm-nm", "-g", path)
        trie = check.must("llvm-objdump", "--macho", "--exports-trie", path)
        shown = {name[1:] for name in re.findall(r"^0x\w+ +(\S+)$", trie, re.M)} - ZIG_SHOWS
        undefined = re.findall(r"^ +U (\w+)$", listed, re.M)
        used = check.must("llvm-objdump", "--macho", "--dylibs-used", path)
        unknown = [name for name in re.findall(r"^\t(\S+)", used, re.M)
                   if name not in ("/usr/lib/libSystem.B.dylib", "@rpath/_assay.dylib")]
        version = re.search(r"  Version: (\S+)", readobj(path, "--macho-version-min"))
        need = "macOS %s" % (version[1] if version else "?")
        if need != "macOS 11.0":
            yield "it is for " + need
        headers = check.must("llvm-objdump", "--macho", "--private-headers", path)
        if tag.endswith("arm64") and "LC_CODE_SIGNATURE" not in headers:
            yield "it is not signed"
    else:
        from elftools.elf.elffile import ELFFile
        with open(path, "rb") as file:
            symbols = [(symbol.name, symbol["st_shndx"]) for symbol in
                       ELFFile(file).get_section_by_name(".dynsym").iter_symbols() if symbol.name]
        shown = {name for name, section in symbols if section != "SHN_UNDEF"}
        undefined = [name for name, section in symbols if section == "SHN_UNDEF"]
        unknown = [n for n in re.findall(r"\(NEEDED\).*\[(.*)\]", check.must("readelf", "-W", "-d", path))
                   if not re.match(r"libc\.so(\.6)?$|ld-linux|ld64|ld-musl", n)]
        if re.search(r"GNU_STACK.*E ", check.must("readelf", "-W", "-l", path)):
            yield "its stack can be executed"
        versions = re.findall(r"GLIBC_(\d+)\.(\d+)(?:\.(\d+))?", check.must("readelf", "-W", "-V", path))
        newest = max((tuple(int(n) for n in version if n) for version in versions), default=None)
        need = "musl" if "musl" in tag else "glibc " + ".".join(map(str, newest)) if newest else "glibc"
        most = re.match(r"manylinux_(\d+)_(\d+)", tag)
        if most and newest and newest[:2] > (int(most[1]), int(most[2])):
            yield "it needs %s" % need
    if shown != interface():
        yield "it shows other functions than the flat interface: %s" % sorted(shown ^ interface())
    if unknown:
        yield "it needs libraries: %s" % unknown
    yield need, sorted(set(undefined))


def fault_of_auditwheel(python, path, tag):
    """Ask auditwheel which tag the library allows; return what is wrong. For musl it looks for libc.so on this machine,
    and so can't be asked."""
    if not tag.startswith("manylinux"):
        return None
    done = check.run(python, "-m", "auditwheel", "show", path)
    found = re.search(r'following platform tag: "(\S+?)"', done.stdout.replace("\n", " "))
    wanted = tag.split(".")[0]
    if found and (found[1] == wanted or newer(wanted, found[1])):
        return None
    return "auditwheel: %s" % (found[1] if found else done.stdout.strip()[-300:])


def newer(one, other):
    """Whether a tag demands a newer C library than another for the same machine: then it promises less."""
    found = [re.match(r"(many|musl)linux_(\d+)_(\d+)_(\w+)$", tag) for tag in (one, other)]
    if None in found:
        return False
    (kind, *version, machine), (kind_b, *version_b, machine_b) = [m.groups() for m in found]
    return (kind, machine) == (kind_b, machine_b) and [int(v) for v in version] >= [int(v) for v in version_b]


# ---- What runs -------------------------------------------------------------------------------------------------------

def unpacked(path, name):
    folder = os.path.join(OUT, name)
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    return folder


def debian(architecture, packages):
    """Unpack packages of Debian for another architecture; return the folder, or None if they can't be had."""
    folder = os.path.join(OUT, "debian-" + architecture)
    state = os.path.join(folder, "apt")
    done = os.path.join(folder, "done")
    if os.path.exists(done):
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("lists/partial", "cache/archives/partial", "etc", "debs"):
        os.makedirs(os.path.join(state, part))
    with open(os.path.join(state, "etc", "sources.list"), "w", encoding="ascii") as file:
        file.write("deb http://deb.debian.org/debian bookworm main\n")
    with open(os.path.join(state, "status"), "w", encoding="ascii"):
        pass
    settings = ["Dir::State=" + state, "Dir::State::status=" + os.path.join(state, "status"),
                "Dir::Cache=" + os.path.join(state, "cache"),
                "Dir::Etc::sourcelist=" + os.path.join(state, "etc", "sources.list"), "Dir::Etc::sourceparts=-",
                "APT::Architecture=" + architecture, "APT::Architectures=" + architecture,
                "APT::Sandbox::User=root", "Acquire::Languages=none"]
    options = [word for setting in settings for word in ("-o", setting)]
    debs = os.path.join(state, "debs")
    if check.run("apt-get", *options, "update").returncode != 0 or check.run(
            "apt-get", *options, "download", *packages, cwd=debs).returncode != 0:
        return None
    for deb in sorted(os.listdir(debs)):
        check.must("dpkg-deb", "-x", os.path.join(debs, deb), folder)
    for inside, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(inside, name)
            if os.path.islink(path) and os.readlink(path).startswith("/"):  # else it leads to a file of this machine
                target = os.path.relpath(folder + os.readlink(path), inside)
                os.remove(path)
                os.symlink(target, path)
    with open(done, "w", encoding="ascii"):
        pass
    return folder


def corpus_rows():
    with open(os.path.join(CORPUS, "manifest.tsv"), encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split("\t")
        return [dict(zip(names, line.rstrip("\n").split("\t"))) for line in file]


def run_consumer(command, library):
    """Let a C program with this library judge the corpus; return an error, or ""."""
    rows = corpus_rows()
    names = "".join(row["file"] + "\n" for row in rows)
    done = subprocess.run([*command, library], input=names, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, check=False, cwd=CORPUS,
                          env=dict(os.environ, WINEDEBUG="-all"))
    want = ["%s %s" % (row["code"], row["offset"] or "-") for row in rows]
    found = done.stdout.split("\n")[:-1]
    if done.returncode != 0 or found != want:
        different = [(row["file"], a, b) for row, a, b in zip(rows, want, found) if a != b]
        return "exit status %d, %d of %d files: %s %s" % (done.returncode, len(found), len(want), different[:3],
                                                          done.stderr[-300:])
    return ""


def consumer(python, tag, target):
    """Compile the C program for a platform."""
    path = os.path.join(OUT, "consumer-" + tag.split(".")[0] + (".exe" if tag.startswith("win") else ""))
    more = ["-dynamic"] if "musl" in target else []
    source = os.path.join(HERE, "tests", "consumer.c")
    zig(python, "cc", "-target", target, "-std=c99", "-O2", "-g0", *more, source, "-o", path)
    return path


def run_native(path):
    """Install the wheel into an empty environment; run it under every Python."""
    python = check.environment("wheels-native")
    check.install(python, "--no-index", path)
    folder, shown = unpacked(path, "native"), []
    for name, more in [(python, {})] + [(other, {"PYTHONPATH": folder}) for other in check.other_pythons()]:
        done = check.run(name, "against_model.py", str(GENERATED), cwd=check.work_folder(), env=check.settings(**more))
        if done.returncode != 0:
            return None, done.stdout
        shown.append(re.match(r"(\S+ \d+\.\d+)", done.stdout)[1])
    return "as specified: %s" % ", ".join(sorted(set(shown), key=lambda v: [int(n) if n.isdigit() else n for n in
                                                                      re.split(r"[ .]", v)])), ""


def run_python(python, path, where, root):
    """Run the wheel in Debian's Python of another machine; it must take the tag, too."""
    tag = os.path.basename(path).split("-")[-1][:-len(".whl")].split(".")[0]
    folder = unpacked(path, "foreign")
    command = ["qemu-%s-static" % QEMU[where], "-L", root, os.path.join(root, "usr", "bin", "python3.11")]
    where_it_is = "import packaging, os; print(os.path.dirname(os.path.dirname(packaging.__file__)))"
    packaging = check.must(python, "-c", where_it_is)
    takes = check.run(*command, "-c", "from packaging import tags; print(%r in {str(t) for t in tags.sys_tags()})"
                      % ("py3-none-" + tag), env=check.settings(PYTHONPATH=packaging.strip()))
    if takes.stdout.strip() != "True":
        return None, "this Python does not take the tag: %s" % takes.stdout[-500:]
    done = check.run(*command, "against_model.py", str(GENERATED), cwd=check.work_folder(),
                     env=check.settings(PYTHONPATH=folder))
    if done.returncode != 0:
        return None, done.stdout[-1000:]
    return "as specified: %s%s" % (re.match(r"(\S+ \d+\.\d+)", done.stdout)[1],
                                   ", big-endian" if "big-endian" in done.stdout else ""), ""


def run_wheel(python, path, tag, target, where):
    """Return (what has run, ""), or (None, what went wrong); ("", why) if a tool is missing."""
    if where == "":
        return "built", ""
    if where == "native":
        return run_native(path)
    library = os.path.join(unpacked(path, "library"), "assay", library_name(tag))
    if where == "wine":
        if not shutil.which("wine"):
            return "", "wine is missing"
        fault = run_consumer(["wine", consumer(python, tag, target)], os.path.relpath(library, CORPUS))
        return (None, fault) if fault else ("corpus, wine", "")
    if not shutil.which("qemu-%s-static" % QEMU[where]):
        return "", "qemu-user-static is missing"
    root = where if where.startswith("/") else debian(where, PYTHON + ["musl"] if where != "amd64" else ["musl"])
    if root is None or not os.path.isdir(root):
        return "", "packages of Debian for %s can't be had" % where
    if where.startswith("/") or "musl" in target:
        command = ["qemu-%s-static" % QEMU[where], "-L", root, consumer(python, tag, target)]
        fault = run_consumer(command, library)
        return (None, fault) if fault else ("corpus", "")
    return run_python(python, path, where, root)


# ---- All of them -----------------------------------------------------------------------------------------------------

def row_of(python, base, tag, target, where):
    """Build and check one wheel; return its row of the page, or None if it could not be run here."""
    path = built(python, tag, target, base, "one")
    again = built(python, tag, target, base, "another-folder")
    check.tell(check.same(path, again), "%s: two builds are the same" % tag)
    os.makedirs(DIST, exist_ok=True)
    path = shutil.copy(path, DIST)
    faults = list(faults_of_record(path)) + list(faults_of_tags(path))
    library = os.path.join(unpacked(path, "library"), "assay", library_name(tag))
    *more, (need, undefined) = faults_of_library(library, tag)
    faults += more + [fault for fault in [fault_of_auditwheel(python, path, tag)] if fault]
    check.tell(not faults, "%s: files, record, tags, symbols%s" % (tag, "".join("\n    " + fault for fault in faults)))
    ran, why = run_wheel(python, path, tag, target, where)
    if ran == "":
        print("skipped: %s: %s" % (tag, why), flush=True)
        return None
    if ran != "built":
        check.tell(ran is not None, "%s: %s" % (tag, ran or why))
    if ran is None or faults:
        return None
    return "| `%s` | %s | %s | %s | %s |\n" % (tag.split(".")[0], format(os.path.getsize(library), ","), need,
                                               " ".join("`%s`" % name for name in undefined), ran)


def digest_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def known_rows(base):
    """Return the rows of earlier runs with the same sources, by tag: --write can go on where it was stopped."""
    try:
        with open(os.path.join(OUT, "rows.json"), encoding="utf-8") as file:
            key, rows = json.load(file)
    except OSError:
        return {}
    return rows if key == digest_of(base) else {}


def in_environment(arguments):
    """Start this program again in the environment that has what it needs."""
    wanted = [os.path.join(HERE, "requirements-%s.txt" % name) for name in ("wheels", "test")]
    key = hashlib.sha256(b"".join(open(path, "rb").read() for path in wanted)).hexdigest()
    python, mark = os.path.join(OUT, "wheels", "bin", "python"), os.path.join(OUT, "wheels", key)
    if not os.path.exists(mark):
        python = check.environment("wheels")
        check.install(python, "--require-hashes", *(option for path in wanted for option in ("-r", path)))
        with open(mark, "w", encoding="ascii"):
            pass
    os.execv(python, [python, os.path.abspath(__file__), "--here", *arguments])


def main(arguments):
    for tool in ("llvm-readobj", "llvm-nm", "llvm-objdump", "readelf"):
        if not shutil.which(tool):
            print("%s is missing: install llvm and binutils" % tool)
            return 77
    check.OUT = OUT
    os.makedirs(OUT, exist_ok=True)
    if arguments[:1] != ["--here"]:
        in_environment(arguments)
    arguments = arguments[1:]
    prepare.main()
    shutil.rmtree(DIST, ignore_errors=True)
    base, _ = check.built(sys.executable, "base")
    chosen = [one for one in PLATFORMS if not [a for a in arguments if not a.startswith("-")]
              or any(one[0].startswith(a) for a in arguments)]
    if not chosen:
        print("no platform has such a tag: %s" % " ".join(one[0] for one in PLATFORMS))
        return 2
    rows = known_rows(base)
    for platform in chosen:
        rows[platform[0]] = row_of(sys.executable, base, *platform)
        with open(os.path.join(OUT, "rows.json"), "w", encoding="utf-8") as file:
            json.dump([digest_of(base), rows], file)
    rows = [rows.get(platform[0]) for platform in (PLATFORMS if "--write" in arguments else chosen)]
    page = HEAD.format(zig=zig(sys.executable, "version").strip()) + "".join(row for row in rows if row)
    if "--write" in arguments:
        if None in rows:
            raise SystemExit("not every wheel has been built and run from these sources: the page is not written")
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(page)
    elif len(chosen) < len(PLATFORMS):
        print("".join(row for row in rows if row), end="")
    else:
        with open(PAGE, encoding="utf-8") as file:
            lines = file.read().splitlines()
        left = [line for line in page.splitlines() if line not in lines]
        check.tell(not left, "WHEELS.md" + "".join("\n    not there: " + line for line in left))
    print("\n".join("FAILED: " + what for what in check.failed))
    print("%d passed, %d failed" % (check.passed, len(check.failed)))
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
