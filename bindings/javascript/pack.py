#!/usr/bin/env python3
"""Pack the npm package: the files of contents.txt, with assay.wasm in base64, by `npm pack`.

    bindings/javascript/pack.py [FOLDER]    into FOLDER, by default build/javascript/

Writes FOLDER/package/ and the archive FOLDER/assay-safetensors-VERSION.tgz. Two calls write the same bytes.
"""
import base64
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "packaging"))
import amalgamate  # noqa: E402
import wasm  # noqa: E402

MADE = {"LICENSE", "wasm.js"}


def read(path):
    with open(path, "rb") as f:
        return f.read()


def main(args):
    folder = os.path.abspath(args[0] if args else os.path.join(ROOT, "build", "javascript"))
    package = os.path.join(folder, "package")
    shutil.rmtree(package, ignore_errors=True)
    os.makedirs(package)
    about = json.loads(read(os.path.join(HERE, "package.json")))
    if about["version"] != amalgamate.version():
        sys.exit("bindings/javascript/pack.py: package.json has another version than include/assay_text.h")
    files = {"LICENSE": read(os.path.join(ROOT, "LICENSE")),
             "wasm.js": b'export const WASM = "%s";\n' % base64.b64encode(read(wasm.MODULE))}
    names = read(os.path.join(HERE, "contents.txt")).decode().split()
    for name in names:
        path = os.path.join(package, name)
        with open(path, "wb") as f:
            f.write(files.pop(name) if name in files else read(os.path.join(HERE, name)))
        os.chmod(path, 0o644)
    done = subprocess.run(["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", folder, package],
                          check=True, stdout=subprocess.PIPE, universal_newlines=True)
    archive = os.path.join(folder, done.stdout.strip())
    packed = subprocess.run(["tar", "-tzf", archive], check=True, stdout=subprocess.PIPE, universal_newlines=True)
    found = sorted(name[len("package/"):] for name in packed.stdout.split())
    if files or found != names:
        sys.exit("bindings/javascript/pack.py: the archive holds %s, contents.txt lists %s" % (found, names))
    print(archive)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
