#!/usr/bin/env python3
"""Build and run programs that use assay as each kind of package, and compare what they say of the corpus.

    packaging/check.py [NAME...]    all, or those named; what can't run here is skipped, with the reason
    packaging/check.py --fetch      install the Python packages that the checks need, into build/
    packaging/check.py --list       the names

Each check works in an empty folder, with the files of dist/ or a copy of the tree without what was built. The programs
are packaging/consumer/judge_files.c, which must agree with corpus/manifest.tsv in verdict, rule and byte, and
examples/list.c, which must print what docs/embedding.md shows. Exit status 77: nothing could run.
"""
import collections
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

import amalgamate
import release
import wasm

ROOT = amalgamate.ROOT
sys.path.insert(0, os.path.join(ROOT, "tests", "fixtures"))
import from_pip  # noqa: E402

CONSUMER = os.path.join(ROOT, "packaging", "consumer")
HEADERS = ["assay.h", "assay_text.h", "assay_flat.h", "assay_write.h"]
SHOWN = "corpus/valid/real/runai-test.safetensors"
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
PACKAGES = {"conan": "conan==2.34.0", "spdx": "spdx-tools==0.8.5", "zig": "ziglang==0.17.1"}
DIST = ["LICENSE", "SHA256SUMS", "assay-%s.tar.gz", "assay.c", "assay.h", "assay.spdx.json", "assay_flat.c",
        "assay_flat.h", "assay_flat_edit.c", "assay_flat_edit.h", "assay_flat_write.c", "assay_flat_write.h",
        "assay_index.c", "assay_index.h", "assay_notes.c", "assay_notes.h", "assay_write.c", "assay_write.h",
        "recipes/conan/conandata.yml", "recipes/conan/conanfile.py",
        "recipes/conan/test_package/CMakeLists.txt", "recipes/conan/test_package/conanfile.py",
        "recipes/conan/test_package/judge_files.c", "recipes/conan/test_package/list.c", "recipes/meson/assay.wrap",
        "recipes/vcpkg/portfile.cmake", "recipes/vcpkg/vcpkg.json"]
TARBALL = ["CMakeLists.txt", "LICENSE", "README.md", "assay.c", "assay.h", "assay.spdx.json", "assay_flat.c",
           "assay_flat.h", "assay_flat_edit.c", "assay_flat_edit.h", "assay_flat_write.c", "assay_flat_write.h",
           "assay_index.c", "assay_index.h", "assay_notes.c", "assay_notes.h", "assay_text.h", "assay_write.c",
           "assay_write.h",
           "examples/list.c", "meson.build", "packaging/assay.def", "packaging/assay.map", "packaging/assay.pc.in"]


class Failure(Exception):
    """Something is wrong with the package."""


class Skip(Exception):
    """The check can't run here."""


# ---- Tools ----------------------------------------------------------------------------------------------------------


def demand(holds, text, *args):
    if not holds:
        raise Failure(text % args if args else text)


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            raise Skip("%s is not installed: make deps-embed" % tool)


def run(*command, cwd, env=None, give="", status=0):
    """Run a command without the user's flags. Return its output; it must exit with the status."""
    clean = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    done = subprocess.run(command, cwd=cwd, env={**clean, "HOME": cwd, "LC_ALL": "C.UTF-8", **(env or {})}, input=give,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, check=False)
    demand(done.returncode == status, "exit status %d of: %s\n%s", done.returncode, " ".join(command),
           "\n".join(done.stdout.splitlines()[-30:]))
    return done.stdout


def python_of(name):
    python = from_pip.environment(name, PACKAGES[name])
    if python is None:
        raise Skip("Python package %s is missing: make deps-embed" % PACKAGES[name])
    return python


def dist(work):
    """Make dist/ in a folder. Return its path, the path of the tarball, and of what is in the tarball."""
    folder = os.path.join(work, "dist")
    release.release(folder)
    tarball = os.path.join(folder, release.tarball_name())
    with tarfile.open(tarball) as f:
        f.extractall(os.path.join(work, "unpacked"))
    return folder, tarball, os.path.join(work, "unpacked", release.tarball_name()[:-len(".tar.gz")])


def tree(work, name="tree"):
    """Copy the tree to a folder, without what git ignores; if it is no clone, without build/. Return its path."""
    target = os.path.join(work, name)
    if not os.path.exists(os.path.join(ROOT, ".git")):
        return shutil.copytree(ROOT, target, symlinks=True, ignore=shutil.ignore_patterns("build", "__pycache__"))
    names = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, check=True,
                           stdout=subprocess.PIPE).stdout
    for path in names.decode().split("\0")[:-1]:
        if os.path.lexists(os.path.join(ROOT, path)):
            os.makedirs(os.path.dirname(os.path.join(target, path)), exist_ok=True)
            shutil.copy2(os.path.join(ROOT, path), os.path.join(target, path), follow_symlinks=False)
    return target


def consumer(work, name="consumer"):
    """Copy the programs of a user to a folder. Return its path."""
    target = os.path.join(work, name)
    shutil.copytree(CONSUMER, target)
    shutil.copy(os.path.join(ROOT, "examples", "list.c"), target)
    return target


def manifest():
    """Return {path: answer} of the corpus."""
    with open(os.path.join(ROOT, "corpus", "manifest.tsv"), encoding="utf-8") as f:
        head, *rows = [line.split("\t") for line in f.read().splitlines()]
    rows = [dict(zip(head, row)) for row in rows]
    return {"corpus/" + row["file"]: "accept" if row["verdict"] == "valid" else
            ("reject %s %s" % (row["rule"], row["offset"])).strip() for row in rows}


def judge_corpus(command, env=None):
    """Let a program judge the corpus. Return what to report."""
    expected = manifest()
    said = run(*command, cwd=ROOT, env=env, give="".join(p + "\n" for p in expected))
    wrong = [(path, line, right) for (path, right), line in zip(expected.items(), said.splitlines()) if line != right]
    demand(len(said.splitlines()) == len(expected), "%d answers to %d files", len(said.splitlines()), len(expected))
    demand(not wrong, "%d answers are not those of the manifest: %s", len(wrong), wrong[:3])
    return "%d files" % len(expected)


def judge(folder, env=None, start=()):
    """Let the programs in a folder judge the corpus and list a file. Return what to report."""
    judged = judge_corpus([*start, os.path.join(folder, "judge_files")], env)
    shown = re.search(r"^\$ \./list %s\n(.*?)^```" % re.escape(SHOWN),
                      amalgamate.read("docs/embedding.md"), re.M | re.S)[1]
    demand(run(*start, os.path.join(folder, "list"), SHOWN, cwd=ROOT, env=env) == shown,
           "list does not print what docs/embedding.md shows")
    return judged


def page(work, path):
    """Write the files that a page shows to a folder. Return the folder, and what the page says that the program prints."""
    text, folder = amalgamate.read(path), os.path.join(work, "page")
    os.mkdir(folder)
    for name, body in re.findall(r"^`([\w.]+)`:\n\n```\w*\n(.*?)^```", text, re.M | re.S):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(body)
    shown = re.search(r"^\$ .* %s\n(.*?)^```" % re.escape(SHOWN), text, re.M | re.S)
    return folder, shown and shown[1]


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, stdout=subprocess.PIPE,
                           universal_newlines=True).stdout.splitlines()
    return sorted(line.split()[-1] for line in lines)


def functions():
    """Return the functions of the public headers."""
    text = "".join(re.sub(r"/\*.*?\*/", "", amalgamate.read("include/" + name), flags=re.S) for name in HEADERS)
    return sorted(re.findall(r"^[a-z][\w \*]*?\b(assay_\w+)\(", text, re.M))


def check_library(library):
    """Check name and symbols of a shared library."""
    said = run("readelf", "-d", library, cwd=ROOT)
    demand("[libassay.so.0]" in said, "%s has another soname than libassay.so.0", library)
    right = sorted(["ASSAY_0"] + [name + "@@ASSAY_0" for name in functions()])
    demand(exported(library) == right, "%s exports %s in place of %s", library,
           sorted(set(exported(library)) - set(right)), sorted(set(right) - set(exported(library))))


def files_in(folder):
    return sorted(os.path.relpath(os.path.join(at, name), folder)
                  for at, _, names in os.walk(folder) for name in names)


# ---- Checks ---------------------------------------------------------------------------------------------------------


def check_dist(work):
    """dist/: frozen lists, two builds with the same bytes, digests, SBOM, tokens, lists of symbols, versions."""
    digests = []
    for name, mask, more in ("one", 0o022, {}), ("two", 0o077, {"TZ": "Asia/Tokyo", "LC_ALL": "C"}):
        copy = tree(work, name)
        old = os.umask(mask)
        run(sys.executable, "packaging/release.py", "made", cwd=copy, env=more)
        os.umask(old)
        made = {}
        for path in files_in(os.path.join(copy, "made")):
            with open(os.path.join(copy, "made", path), "rb") as f:
                made[path] = hashlib.sha256(f.read()).hexdigest()
        digests.append(made)
        time.sleep(1.1)  # another second: no time of the build may be in it
    demand(digests[0] == digests[1], "two builds differ in %s",
           [path for path in digests[0] if digests[0][path] != digests[1].get(path)])
    version = amalgamate.version()
    demand(sorted(digests[0]) == sorted(name % version if "%" in name else name for name in DIST),
           "dist/ has other files than packaging/check.py lists: %s", sorted(digests[0]))
    folder, tarball, unpacked = dist(work)
    run("sha256sum", "--strict", "-c", "SHA256SUMS", cwd=folder)
    demand(files_in(unpacked) == sorted(TARBALL), "the tarball has other files than packaging/check.py lists: %s",
           files_in(unpacked))
    demand(os.path.getmtime(os.path.join(unpacked, "assay.c")) == release.epoch(), "the tarball has another date")
    check_sbom(unpacked)
    check_tokens(folder)
    run("gcc", "-O2", "-I.", *STRICT, "examples/list.c", "assay.c", "-o", "list", cwd=unpacked)  # as its README says
    check_lists()
    return "%s, two builds the same" % digests[0][os.path.basename(tarball)][:16]


def check_sbom(unpacked):
    with open(os.path.join(unpacked, release.SBOM), encoding="utf-8") as f:
        document = json.load(f)
    listed = {file["fileName"][2:]: {c["algorithm"]: c["checksumValue"] for c in file["checksums"]}
              for file in document["files"]}
    demand(sorted([*listed, release.SBOM]) == files_in(unpacked), "the SBOM lists other files than there are")
    for path, sums in listed.items():
        with open(os.path.join(unpacked, path), "rb") as f:
            data = f.read()
        demand(sums["SHA256"] == release.digest(data) and sums["SHA1"] == release.digest(data, "sha1"),
               "the SBOM has another digest of %s", path)
    python = from_pip.environment("spdx", PACKAGES["spdx"])
    if python is None:
        print("     dist: the SBOM is not validated: %s is missing: make deps-embed" % PACKAGES["spdx"])
    else:
        run(os.path.join(os.path.dirname(python), "pyspdxtools"), "--infile", release.SBOM, cwd=unpacked)


def check_tokens(folder):
    """Check that the library is token for token the proved core, and that a changed token is seen."""
    command = [sys.executable, os.path.join(ROOT, "packaging", "amalgamate.py"), "--check", folder]
    run(*command, cwd=folder)
    path = os.path.join(folder, "assay.c")
    with open(path, encoding="utf-8") as f:
        text = f.read()
    changed = re.sub(r" < ", " <= ", text, count=1)
    with open(path, "w", encoding="utf-8") as f:
        f.write(changed)
    said = run(*command, cwd=folder, status=1)
    demand(changed != text and "is not the proved one" in said, "a changed token is not seen:\n%s", said)


def check_lists():
    """Check the lists of functions, and the numbers of the version."""
    public = functions()
    for path, pattern in (("packaging/assay.map", r"^    (assay_\w+);$"), ("packaging/assay.def", r"^    (assay_\w+)$"),
                          ("packaging/debian/libassay0.symbols", r"^ (assay_\w+)@ASSAY_0 ")):
        there = sorted(re.findall(pattern, amalgamate.read(path), re.M))
        demand(there == public, "%s: the functions of the headers are others: %s", path,
               sorted(set(there) ^ set(public)))
    version = re.escape(amalgamate.version())
    for path, pattern in (("Makefile", r"^VERSION  = %s$"), ("meson.build", r"version: '%s', license"),
                          ("packaging/debian/changelog", r"\Aassay \(%s-\d+\) "),
                          ("packaging/debian/libassay0.symbols", r" assay_bound@ASSAY_0 0\.1\.0$")):
        demand(re.search(pattern.replace("%s", version), amalgamate.read(path), re.M),
               "%s: the version is not %s, as in include/assay_text.h", path, amalgamate.version())


def check_wasm(_):
    """bindings/go/assay.wasm is made of the sources."""
    found, how = wasm.faults()
    demand(not found, "%s", "; ".join(found))
    return how


def check_make(work):
    """make install, pkg-config, shared and static; make uninstall."""
    need("make", "gcc", "pkg-config", "nm", "readelf")
    copy, user, root = tree(work), consumer(work), os.path.join(work, "root")
    where = ["PREFIX=/opt/assay", "DESTDIR=" + root, "LIBDIR=/opt/assay/lib64", "MANDIR=/opt/man"]
    run("make", "-s", "install", *where, cwd=copy)
    library = os.path.join(root, "opt/assay/lib64")
    check_library(os.path.join(library, "libassay.so"))
    demand(os.path.exists(os.path.join(root, "opt/man/man1/assay.1")), "MANDIR is ignored")
    env = {"PKG_CONFIG_LIBDIR": os.path.join(library, "pkgconfig"), "PKG_CONFIG_SYSROOT_DIR": root}
    demand(run("pkg-config", "--modversion", "assay", cwd=user, env=env).strip() == amalgamate.version(),
           "assay.pc has another version")
    flags = run("pkg-config", "--cflags", "--libs", "assay", cwd=user, env=env).split()
    for kind, more in ("shared", flags), ("static", [flag.replace("-lassay", "-l:libassay.a") for flag in flags]):
        out = os.path.join(work, kind)
        os.mkdir(out)
        for name in "judge_files", "list":
            run("gcc", *STRICT, name + ".c", *more, "-o", os.path.join(out, name), cwd=user)
        linked = "libassay.so.0" in run("readelf", "-d", os.path.join(out, "list"), cwd=user)
        demand(linked == (kind == "shared"), "the program is not %s", kind)
        said = judge(out, {"LD_LIBRARY_PATH": library} if linked else None)
    run(os.path.join(root, "opt/assay/bin/assay"), "check", "-q", SHOWN, cwd=ROOT)
    run("make", "-s", "uninstall", *where, cwd=copy)
    demand(files_in(root) == [], "make uninstall leaves %s", files_in(root))
    return said


def cmake(user, out, *options):
    run("cmake", "-S", user, "-B", out, "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_C_FLAGS=-Wall -Wextra -Wpedantic -Wconversion -Werror", *options, cwd=user)
    run("cmake", "--build", out, cwd=user)


def check_cmake(work):
    """CMake: install and find_package, shared and static, from tree and tarball; add_subdirectory; FetchContent."""
    need("cmake", "make", "gcc", "pkg-config")
    _, tarball, unpacked = dist(work)
    user = consumer(work)
    for source, name in (tree(work), "tree"), (unpacked, "tarball"):
        for shared in "ON", "OFF":
            prefix = os.path.join(work, name + shared)
            cmake(source, prefix + "-build", "-DBUILD_SHARED_LIBS=" + shared)
            run("cmake", "--install", prefix + "-build", "--prefix", prefix, cwd=work)
            if shared == "ON":
                check_library(os.path.join(prefix, "lib/libassay.so"))
            cmake(user, prefix + "-user", "-DCMAKE_PREFIX_PATH=" + prefix)
            said = judge(prefix + "-user")
            env = {"PKG_CONFIG_LIBDIR": os.path.join(prefix, "lib/pkgconfig")}
            flags = run("pkg-config", "--cflags", "--libs", "assay", cwd=user, env=env).split()
            run("gcc", "list.c", *flags, "-o", prefix + "-list", cwd=user)
        cmake(user, prefix + "-sub", "-DASSAY_FOLDER=" + source)
        judge(prefix + "-sub")
    refuse_version(work, user, prefix)
    with open(tarball, "rb") as f:
        number = release.digest(f.read())
    cmake(user, os.path.join(work, "fetched"), "-DASSAY_TARBALL=" + tarball, "-DASSAY_SHA256=" + number)
    judge(os.path.join(work, "fetched"))
    return said


def refuse_version(work, user, prefix):
    """Check that a program which needs another minor version does not find this one."""
    other = os.path.join(work, "other")
    shutil.copytree(user, other)
    path = os.path.join(other, "CMakeLists.txt")
    with open(path, encoding="utf-8") as f:
        text = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace("assay 0.1 CONFIG", "assay 0.0 CONFIG"))
    said = run("cmake", "-S", other, "-B", os.path.join(work, "refused"), "-DCMAKE_PREFIX_PATH=" + prefix, cwd=other,
               status=1)
    demand("version" in said, "find_package fails for another reason:\n%s", said)


def check_meson(work):
    """Meson: the subproject of assay.wrap; install and dependency()."""
    need("meson", "ninja", "gcc", "pkg-config")
    folder, tarball, unpacked = dist(work)
    user = consumer(work)
    cache = os.path.join(user, "subprojects", "packagecache")
    os.makedirs(cache)
    shutil.copy(os.path.join(folder, "recipes/meson/assay.wrap"), os.path.join(user, "subprojects"))
    shutil.copy(tarball, cache)  # in place of a download: Meson compares its digest
    run("meson", "setup", "build", "--wrap-mode=forcefallback", cwd=user)
    run("meson", "compile", "-C", "build", cwd=user)
    judge(os.path.join(user, "build"))
    for source, name in (tree(work), "tree"), (unpacked, "tarball"):
        for kind in "shared", "static":
            prefix = os.path.join(work, name + "-" + kind)
            run("meson", "setup", prefix + "-build", "--prefix", prefix, "--libdir=lib", "--werror",
                "-Ddefault_library=" + kind, cwd=source)
            run("meson", "install", "-C", prefix + "-build", cwd=source)
            if kind == "shared":
                check_library(os.path.join(prefix, "lib/libassay.so"))
            other = consumer(work, name + "-" + kind + "-user")
            env = {"PKG_CONFIG_LIBDIR": os.path.join(prefix, "lib/pkgconfig")}
            run("meson", "setup", "build", "--wrap-mode=nofallback", cwd=other, env=env)
            run("meson", "compile", "-C", "build", cwd=other)
            said = judge(os.path.join(other, "build"), {"LD_LIBRARY_PATH": os.path.join(prefix, "lib")})
    return said


def check_windows(work):
    """CMake for Windows: assay.dll by mingw, which exports what assay.def lists; programs under wine."""
    compiler = "x86_64-w64-mingw32-gcc"
    need("cmake", "make", compiler, "x86_64-w64-mingw32-objdump", "wine")
    _, _, unpacked = dist(work)
    user, prefix = consumer(work), os.path.join(work, "prefix")
    options = ["-DCMAKE_SYSTEM_NAME=Windows", "-DCMAKE_C_COMPILER=" + compiler,
               "-DCMAKE_EXE_LINKER_FLAGS=-static-libgcc"]
    cmake(unpacked, prefix + "-build", "-DBUILD_SHARED_LIBS=ON", *options)
    run("cmake", "--install", prefix + "-build", "--prefix", prefix, cwd=work)
    library = os.path.join(prefix, "bin", "libassay.dll")
    table = run("x86_64-w64-mingw32-objdump", "-p", library, cwd=work).split("[Ordinal/Name Pointer] Table")[1]
    names = sorted(re.findall(r"^\s*\[ *\d+\](?: \+base\[ *\d+\] +\w+)? (\w+)$", table, re.M))
    demand(names == functions(), "libassay.dll exports %s", names)
    cmake(user, prefix + "-user", "-DCMAKE_PREFIX_PATH=" + prefix, *options)
    folder = prefix + "-user"
    for name in "judge_files", "list":
        os.rename(os.path.join(folder, name + ".exe"), os.path.join(folder, name))
    shutil.copy(library, folder)
    env = {"WINEPREFIX": os.path.join(work, "wine"), "WINEDEBUG": "-all"}
    run("wine", os.path.join(folder, "list"), SHOWN, cwd=ROOT, env=env)  # the first call reports a new WINEPREFIX
    return judge(folder, env, ["wine"])


def check_conan(work):
    """Conan: the recipe, with the tarball at a file:// address, shared and static, and its test package."""
    need("cmake", "make", "gcc")
    conan = os.path.join(os.path.dirname(python_of("conan")), "conan")
    folder, tarball, _ = dist(work)
    recipe = os.path.join(folder, "recipes", "conan")
    path = os.path.join(recipe, "conandata.yml")
    with open(path, encoding="utf-8") as f:
        text = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(re.sub(r'url: ".*"', 'url: "file://%s"' % tarball, text))
    env = {"CONAN_HOME": os.path.join(work, "conan")}
    run(conan, "profile", "detect", cwd=work, env=env)
    for shared in "True", "False":
        run(conan, "create", recipe, "--version", amalgamate.version(), "-o", "assay/*:shared=" + shared, cwd=work,
            env=env)
        built = [at for at, _, names in os.walk(os.path.join(recipe, "test_package")) if "judge_files" in names]
        demand(len(built) == 1, "conan's test package was built %d times", len(built))
        libraries = run("find", os.path.join(work, "conan", "p"), "-name", "libassay.so.0", cwd=work).split()
        said = judge(built[0], {"LD_LIBRARY_PATH": os.path.dirname(libraries[0])} if libraries else None)
        shutil.rmtree(os.path.join(recipe, "test_package", "build"))
    return said


def check_vcpkg(work):
    """vcpkg: the port; vcpkg itself can't be had from a package registry."""
    folder, tarball, _ = dist(work)
    port = os.path.join(folder, "recipes", "vcpkg")
    with open(os.path.join(port, "vcpkg.json"), encoding="utf-8") as f:
        demand(json.load(f)["version-semver"] == amalgamate.version(), "vcpkg.json has another version")
    with open(os.path.join(port, "portfile.cmake"), encoding="utf-8") as f, open(tarball, "rb") as packed:
        demand(release.digest(packed.read(), "sha512") in f.read(), "portfile.cmake has another digest")
    if not shutil.which("vcpkg"):
        raise Skip("vcpkg is not installed, and no package registry has it; digest and version of the port are right")
    run("vcpkg", "install", "assay", "--overlay-ports=" + port, cwd=work)
    return "installed"


def debian_build(work, name):
    """Build the Debian packages of a copy of the tree. Return the folder that has them."""
    folder = os.path.join(work, name)
    os.mkdir(folder)
    source = tree(folder, "assay-" + amalgamate.version())
    run("tar", "-czf", "assay_%s.orig.tar.gz" % amalgamate.version(), os.path.basename(source), cwd=folder)
    shutil.copytree(os.path.join(source, "packaging", "debian"), os.path.join(source, "debian"))
    run("dpkg-buildpackage", "-us", "-uc", cwd=source)
    return folder


def packages(folder):
    return {name: os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".deb")}


def check_debian(work):
    """Debian: dpkg-buildpackage twice, lintian, and the tests of autopkgtest on what dpkg unpacks."""
    need("dpkg-buildpackage", "dh", "lintian", "gcc", "pkg-config", "nm", "readelf")
    try:
        run("dpkg-checkbuilddeps", os.path.join(ROOT, "packaging/debian/control"), cwd=work)
    except Failure as reason:
        raise Skip("%s: make deps-embed" % str(reason).splitlines()[-1])
    folder = debian_build(work, "one")
    changes = [name for name in os.listdir(folder) if name.endswith(".changes")]
    # There is no bug to close: the packages are built here, and nobody uploads them to Debian.
    run("lintian", "--allow-root", "--fail-on", "error,warning", "--suppress-tags", "initial-upload-closes-no-bugs",
        *changes, cwd=folder)
    again = packages(debian_build(work, "two"))
    root = os.path.join(work, "root")
    for name, path in packages(folder).items():
        with open(path, "rb") as one, open(again[name], "rb") as other:
            demand(one.read() == other.read(), "%s: two builds differ", name)
        run("dpkg", "-x", path, root, cwd=work)
    library = os.path.join(root, "usr/lib", run("gcc", "-print-multiarch", cwd=work).strip())
    check_library(os.path.join(library, "libassay.so"))
    env = {"PATH": os.path.join(root, "usr/bin") + ":" + os.environ["PATH"], "LD_LIBRARY_PATH": library,
           "PKG_CONFIG_LIBDIR": os.path.join(library, "pkgconfig"), "PKG_CONFIG_SYSROOT_DIR": root,
           "AUTOPKGTEST_TMP": work}
    for test in "library", "program":
        run("sh", "packaging/debian/tests/" + test, cwd=ROOT, env=env)
    judge(work, env)
    return "%d packages" % len(again)


def check_java(work):
    """docs/java.md: compiled, with the libraries of Maven Central that it names."""
    need("java", "javac", "mvn")
    folder, shown = page(work, "docs/java.md")
    dependency = re.search(r"^<dependency>.*?^</dependency>", amalgamate.read("docs/java.md"), re.M | re.S)[0]
    with open(os.path.join(work, "pom.xml"), "w", encoding="utf-8") as f:
        f.write("<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId>"
                "<version>1</version><dependencies>%s</dependencies></project>" % dependency)
    try:
        run("mvn", "-q", "-B", "-Dmaven.repo.local=" + os.path.join(from_pip.BUILD, "maven"),
            "dependency:copy-dependencies", "-DoutputDirectory=jars", cwd=work)
    except Failure as reason:
        raise Skip("the libraries of docs/java.md can't be had by mvn: %s" % str(reason).splitlines()[-1])
    jars = {}
    for name in files_in(os.path.join(work, "jars")):
        with open(os.path.join(work, "jars", name), "rb") as f:
            jars[name] = release.digest(f.read())
    listed = dict(line.split("  ")[::-1] for line in amalgamate.read("packaging/consumer/java/SHA256SUMS").splitlines())
    demand(jars == listed, "the libraries are not those of packaging/consumer/java/SHA256SUMS: %s", jars)
    shutil.copy(os.path.join(CONSUMER, "java", "JudgeFiles.java"), folder)
    run("javac", "-Xlint:all", "-Werror", "-cp", "../jars/*", "-d", ".",
        *(name for name in files_in(folder) if name.endswith(".java")), cwd=folder)
    shutil.copy(wasm.MODULE, folder)
    java = ["java", "-cp", "%s/jars/*:%s" % (work, folder)]
    said = run(*java, "ListTensors", os.path.join(ROOT, SHOWN), cwd=folder)
    demand(said == shown, "ListTensors prints something else than docs/java.md shows:\n%s", said)
    return judge_corpus([*java, "JudgeFiles", os.path.join(folder, "assay.wasm")])


def check_csharp(work):
    """docs/csharp.md: compiled and run by Mono, with the shared library."""
    need("mcs", "mono", "gcc")
    folder, shown = page(work, "docs/csharp.md")
    _, _, unpacked = dist(work)
    run("gcc", "-O2", "-shared", "-fPIC", "assay.c", "assay_flat.c", "-o", os.path.join(folder, "libassay.so"), cwd=unpacked)
    shutil.copy(os.path.join(CONSUMER, "csharp", "JudgeFiles.cs"), folder)
    for name in "ListTensors", "JudgeFiles":
        run("mcs", "-warnaserror", "-warn:4", "Assay.cs", name + ".cs", "-out:%s.exe" % name, cwd=folder)
    env = {"LD_LIBRARY_PATH": folder}
    said = run("mono", os.path.join(folder, "ListTensors.exe"), SHOWN, cwd=ROOT, env=env)
    demand(said == shown, "ListTensors prints something else than docs/csharp.md shows:\n%s", said)
    return judge_corpus(["mono", os.path.join(folder, "JudgeFiles.exe")], env)


def check_swift(work):
    """docs/swift.md: clang makes the module of its module map, and a program makes its calls. There is no Swift."""
    need("clang")
    folder, _ = page(work, "docs/swift.md")
    _, _, unpacked = dist(work)
    include = os.path.join(work, "CAssay", "include")
    os.makedirs(include)
    shutil.copy(os.path.join(unpacked, "assay.h"), include)
    shutil.copy(os.path.join(folder, "module.modulemap"), include)
    shutil.copy(os.path.join(unpacked, "assay.c"), os.path.dirname(include))
    program = os.path.join(work, "judge_files")
    run("clang", "-fmodules", "-fmodules-cache-path=" + os.path.join(work, "modules"), "-Wall", "-Wextra", "-Werror",
        "-I" + include, os.path.join(CONSUMER, "swift", "judge_files.m"), "CAssay/assay.c", "-o", program, cwd=work)
    with open(os.path.join(folder, "main.swift"), encoding="utf-8") as f:
        used = set(re.findall(r"\bassay_\w+", f.read()))
    with open(os.path.join(CONSUMER, "swift", "judge_files.m"), encoding="utf-8") as f:
        called = set(re.findall(r"\bassay_\w+", f.read()))
    demand(used == called, "main.swift of docs/swift.md and judge_files.m use other names of assay.h: %s", used ^ called)
    return judge_corpus([program]) + " by its C module; main.swift is compiled by nothing"


CHECKS = {check.__name__[len("check_"):]: check for check in (
    check_dist, check_wasm, check_make, check_cmake, check_meson, check_windows, check_conan, check_vcpkg, check_debian,
    check_java, check_csharp, check_swift)}


def main(args):
    if args == ["--list"]:
        print("\n".join(CHECKS))
        return 0
    if args == ["--fetch"]:
        from_pip.FETCH = True
        missing = [wanted for name, wanted in PACKAGES.items() if from_pip.environment(name, wanted) is None]
        print("".join("packaging/check.py: Python package %s can't be fetched: its check is skipped\n" % wanted
                      for wanted in missing), end="")
        return 0
    unknown = set(args) - set(CHECKS)
    if unknown:
        sys.exit("packaging/check.py: no check %s: --list prints the names" % ", ".join(sorted(unknown)))
    count = collections.Counter()
    for name in args or CHECKS:
        start = time.time()
        with tempfile.TemporaryDirectory(prefix="assay-") as work:
            try:
                result, said = "ok", CHECKS[name](work)
            except Skip as reason:
                result, said = "skip", reason
            except Failure as reason:
                result, said = "FAILED", reason
        count[result] += 1
        print("%s %s: %s (%.0f s)" % (result, name, said, time.time() - start), flush=True)
    print("%d passed, %d failed, %d skipped" % (count["ok"], count["FAILED"], count["skip"]))
    return 1 if count["FAILED"] else 0 if count["ok"] else from_pip.SKIP


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
