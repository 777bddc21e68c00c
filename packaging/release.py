#!/usr/bin/env python3
"""Make dist/: the files of amalgamate.py, licence, SBOM, tarball, their digests, and recipes for package managers.

    packaging/release.py [FOLDER]    write them to FOLDER, by default dist/; two calls write the same bytes

Everything in the tarball has the date SOURCE_DATE_EPOCH, by default that of RELEASED. packaging/README.md describes a
release.
"""
import calendar
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import amalgamate

RELEASED = "2026-11-24"  # the day of the release: no build sets another date
HOME = "https://github.com/OWNER/assay"  # OWNER as in README.md
SBOM = "assay.spdx.json"
# Files of the tree that are in the tarball, under the same paths.
SAME_PATH = ["LICENSE", "CMakeLists.txt", "meson.build", "packaging/assay.map", "packaging/assay.def",
             "packaging/assay.pc.in", "examples/list.c"]
ASSAY_TEXT = """/* assay_text.h: its functions are in assay.h. For programs that include both. */
#include "assay.h"
"""
# Recipes that name the tarball and its digests: path below packaging/ and below dist/recipes/.
RECIPES = [("assay.wrap", "meson/assay.wrap"), ("vcpkg/portfile.cmake", "vcpkg/portfile.cmake"),
           ("vcpkg/vcpkg.json", "vcpkg/vcpkg.json"), ("conan/conanfile.py", "conan/conanfile.py"),
           ("conan/conandata.yml", "conan/conandata.yml"),
           ("conan/test_package/conanfile.py", "conan/test_package/conanfile.py"),
           ("consumer/CMakeLists.txt", "conan/test_package/CMakeLists.txt"),
           ("consumer/judge_files.c", "conan/test_package/judge_files.c"),
           ("../examples/list.c", "conan/test_package/list.c")]


def digest(data, algorithm="sha256"):
    return hashlib.new(algorithm, data).hexdigest()


def epoch():
    """Return the date of what is in the tarball, in seconds since 1970."""
    text = os.environ.get("SOURCE_DATE_EPOCH") or str(calendar.timegm(time.strptime(RELEASED, "%Y-%m-%d")))
    if not text.isdigit():
        raise SystemExit("packaging/release.py: SOURCE_DATE_EPOCH is not a number of seconds: %s" % text)
    return int(text)


def filled(text, **more):
    """Return a template with its @NAMES@ replaced."""
    version = amalgamate.version()
    values = {"VERSION": version, "MINOR": version.rsplit(".", 1)[0], "HOME": HOME,
              "URL": "%s/releases/download/v%s/%s" % (HOME, version, tarball_name()), **more}
    for name, value in values.items():
        text = text.replace("@%s@" % name, value)
    return text


def tarball_name():
    return "assay-%s.tar.gz" % amalgamate.version()


def sbom(files):
    """Return the SBOM in SPDX 2.3 of {path: bytes}: a package of these files, which depends on nothing."""
    package, document = "SPDXRef-assay", "SPDXRef-DOCUMENT"
    sums = {path: digest(data, "sha1") for path, data in files.items()}
    content = digest("".join(digest(files[path]) for path in sorted(files)).encode())
    names = {path: "SPDXRef-File-" + path.replace("/", "-").replace("_", "-") for path in files}

    def relation(element, kind, other):
        return {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": other}

    return json.dumps({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": document,
        "name": "assay-" + amalgamate.version(),
        "documentNamespace": "https://spdx.org/spdxdocs/assay-%s-%s" % (amalgamate.version(), content),
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch())),
                         "creators": ["Tool: packaging/release.py-" + amalgamate.version()]},
        "packages": [{
            "SPDXID": package,
            "name": "assay",
            "versionInfo": amalgamate.version(),
            "packageFileName": tarball_name(),
            "primaryPackagePurpose": "LIBRARY",
            "downloadLocation": "NOASSERTION",
            "filesAnalyzed": True,
            "packageVerificationCode": {
                "packageVerificationCodeValue": digest("".join(sorted(sums.values())).encode(), "sha1"),
                "packageVerificationCodeExcludedFiles": ["./" + SBOM]},
            "licenseConcluded": "Apache-2.0",
            "licenseDeclared": "Apache-2.0",
            "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": "pkg:generic/assay@" + amalgamate.version()}]}],
        "files": [{
            "SPDXID": names[path],
            "fileName": "./" + path,
            "checksums": [{"algorithm": "SHA1", "checksumValue": sums[path]},
                          {"algorithm": "SHA256", "checksumValue": digest(files[path])}],
            "licenseConcluded": "Apache-2.0",
            "copyrightText": "NOASSERTION"} for path in sorted(files)],
        "relationships": [relation(document, "DESCRIBES", package), relation(package, "DEPENDS_ON", "NONE"),
                          *(relation(package, "CONTAINS", names[path]) for path in sorted(files))],
    }, indent=2) + "\n"


def contents():
    """Return {path: bytes} of the tarball."""
    files = {path: amalgamate.read(path) for path in SAME_PATH}
    files.update(amalgamate.made())
    files["assay_text.h"] = ASSAY_TEXT
    files["README.md"] = filled(amalgamate.read("packaging/tarball.md"))
    files = {path: text.encode() for path, text in files.items()}
    files[SBOM] = sbom(files).encode()
    return files


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def pack(files):
    """Return the tarball."""
    name = tarball_name()[:-len(".tar.gz")]
    with tempfile.TemporaryDirectory() as work:
        for path, data in files.items():
            write(os.path.join(work, name, path), data)
        tar = subprocess.run(["tar", "--format=ustar", "--sort=name", "--mtime=@%d" % epoch(), "--owner=0", "--group=0",
                              "--numeric-owner", "--mode=u=rwX,go=rX", "-cf", "-", name], cwd=work, check=True,
                             stdout=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"}).stdout
    return subprocess.run(["gzip", "-n", "-9"], input=tar, check=True, stdout=subprocess.PIPE).stdout


def release(folder):
    files = contents()
    shown = {path: files[path] for path in [*amalgamate.made(), "LICENSE", SBOM]}
    shown[tarball_name()] = pack(files)
    lines = ["%s  %s\n" % (digest(data), path) for path, data in sorted(shown.items())]
    tarball = shown[tarball_name()]
    shown["SHA256SUMS"] = "".join(lines).encode()
    for path, target in RECIPES:
        text = amalgamate.read(os.path.join("packaging", path))
        shown["recipes/" + target] = filled(text, SHA256=digest(tarball), SHA512=digest(tarball, "sha512")).encode()
    shutil.rmtree(os.path.join(folder, "recipes"), ignore_errors=True)
    for old in glob.glob(os.path.join(folder, "assay-*.tar.gz")):
        os.remove(old)
    for path, data in shown.items():
        write(os.path.join(folder, path), data)


def main(args):
    folder = os.path.abspath(args[0] if args else os.path.join(amalgamate.ROOT, "dist"))
    release(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
