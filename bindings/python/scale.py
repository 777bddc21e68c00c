#!/usr/bin/env python3
"""Run the recipes of docs/hub-scale.md on many files and addresses; measure what they cost.

    bindings/python/scale.py [--files N] [--addresses N] [--write] [RECIPE...]

Each recipe runs as it is in the page: on a folder, on addresses of a server on this machine, and once more, killed in
the middle and started again. Every path must then have its right verdict once. --write: write the cost to the page.
Everything is in build/scale. Needs the network for requirements-scale.txt, and Java 17 for Spark.
"""
import argparse
import glob
import hashlib
import http.server
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

import check
import prepare

HERE, ROOT = check.HERE, check.ROOT
OUT = os.path.join(ROOT, "build", "scale")
PAGE = os.path.join(ROOT, "docs", "hub-scale.md")
RECIPES = ["Python alone", "Ray Data", "Spark", "pandas"]
LIMIT = 1800  # seconds of one recipe
TENSORS = 24  # of each file: a header of about 2 kB


# ---- Files and their server ------------------------------------------------------------------------------------------

def kind_of(k):
    """Return what file number k is: 1 % is cut, 1 % has a name twice, 0.1 % is not there."""
    return {7: "cut", 13: "twice"}.get(k % 100, "missing" if k % 1000 == 21 else "valid")


VERDICTS = {"cut": ("invalid", "G3"), "twice": ("invalid", "G2"), "missing": ("not judged", None),
            "valid": ("valid", None)}


def file_of(k):
    """Return the bytes of file number k."""
    kind = kind_of(k)
    names = ["model.layers.%d.self_attn.q_proj.weight.%d" % (number, k) for number in range(TENSORS)]
    if kind == "twice":
        names[1] = names[0]
    text = ",".join('"%s":{"dtype":"F32","shape":[2,4],"data_offsets":[%d,%d]}' % (name, 32 * n, 32 * n + 32)
                    for n, name in enumerate(names))
    header = ("{%s}" % text).encode()
    data = struct.pack("<Q", len(header)) + header + bytes(32 * TENSORS)
    return data[:-5] if kind == "cut" else data


def path_of(k):
    return os.path.join(OUT, "files", "%03d" % (k // 1000), "%06d.safetensors" % k)


def make_files(count):
    """Write the files that are not there yet."""
    for k in range(count):
        if k % 1000 == 0:
            os.makedirs(os.path.dirname(path_of(k)), exist_ok=True)
        if kind_of(k) != "missing" and not os.path.exists(path_of(k)):
            with open(path_of(k), "wb") as file:
                file.write(file_of(k))


class Handler(http.server.SimpleHTTPRequestHandler):
    """Sends ranges of the files, as a hub does; 404 for what is missing."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = os.path.join(OUT, "files", self.path.lstrip("/"))
        asked = re.match(r"bytes=(\d+)-(\d+)$", self.headers.get("Range", ""))
        if not os.path.isfile(path) or not asked:
            return self.send_error(404)
        with open(path, "rb") as file:
            data = file.read()
        part = data[int(asked[1]):int(asked[2]) + 1]
        self.send_response(206)
        self.send_header("Content-Range", "bytes %s-%d/%d" % (asked[1], int(asked[1]) + len(part) - 1, len(data)))
        self.send_header("Content-Length", str(len(part)))
        self.send_header("ETag", '"1"')
        self.end_headers()
        self.wfile.write(part)
        return None

    def log_message(self, *_):
        pass


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()


# ---- Recipes ---------------------------------------------------------------------------------------------------------

def recipes():
    """Return {title: code} of the page."""
    with open(PAGE, encoding="utf-8") as file:
        return dict(re.findall(r"^## ([^\n]*)\n\n```python\n(.*?)```", file.read(), re.S | re.M))


def table_of(python, paths, target):
    """Write paths as a Parquet file, by the Python of the environment."""
    program = ("import json, sys, pyarrow, pyarrow.parquet\n"
               "table = pyarrow.table({'path': json.load(sys.stdin)})\n"
               "pyarrow.parquet.write_table(table, sys.argv[1], compression='zstd')\n")
    subprocess.run([python, "-c", program, target], input=json.dumps(paths), universal_newlines=True, check=True)


def found(python, folder):
    """Return [[path, verdict, rule]] of all verdicts in a folder."""
    program = ("import json, sys, urllib.parse, pyarrow.dataset as d\n"
               "t = d.dataset(sys.argv[1], format='parquet', partitioning='hive')\n"
               "t = t.to_table(['path', 'verdict', 'rule'])\n"
               "json.dump(list(zip(*(c.to_pylist() for c in t.columns))), sys.stdout)\n")
    return json.loads(check.must(python, "-c", program, folder))


def start(python, code, work):
    with open(os.path.join(work, "recipe.py"), "w", encoding="utf-8") as file:
        file.write(code)
    with open(os.path.join(work, "log"), "ab") as log:
        return subprocess.Popen([python, "recipe.py"], cwd=work, stdout=log, stderr=log, start_new_session=True,
                                env=dict(os.environ, PYSPARK_PYTHON=python, RAY_USAGE_STATS_ENABLED="0",
                                         PATH=os.path.dirname(python) + ":" + os.environ["PATH"]))


def fresh(python, name, paths):
    work = os.path.join(OUT, "work", re.sub(r"\W+", "-", name))
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    table_of(python, paths, os.path.join(work, "paths.parquet"))
    return work


def end_of_log(work):
    with open(os.path.join(work, "log"), encoding="utf-8", errors="replace") as file:
        return file.read()[-2000:]


def run_whole(python, code, work):
    """Run a recipe to its end; return the seconds that it took."""
    began = time.monotonic()
    process = start(python, code, work)
    try:
        status = process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        status = "more than %d s" % LIMIT
    if status != 0:
        raise SystemExit("the recipe ended with %s:\n%s" % (status, end_of_log(work)))
    return time.monotonic() - began


def run_killed(python, code, work):
    """Run a recipe, and kill it as soon as it has written something; return how many verdicts there are then."""
    process = start(python, code, work)
    until = time.monotonic() + LIMIT
    while not glob.glob(os.path.join(work, "verdicts", "verdict=*", "*.parquet")):
        if process.poll() is not None or time.monotonic() > until:
            raise SystemExit("the recipe ended before it wrote anything:\n%s" % end_of_log(work))
        time.sleep(0.02)
    process.terminate()
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return len(found(python, os.path.join(work, "verdicts")))


def differences(python, work, wanted):
    """Compare the verdicts with those wanted: {path: (verdict, rule)}."""
    rows = found(python, os.path.join(work, "verdicts"))
    seen = {}
    for path, verdict, rule in rows:
        if path in seen:
            return "%s was judged twice" % path
        seen[path] = verdict.replace("%20", " "), rule
    wrong = [(path, seen.get(path), right) for path, right in wanted.items() if seen.get(path) != right]
    return "%d of %d differ: %s" % (len(wrong), len(wanted), wrong[:2]) if wrong or len(seen) != len(wanted) else ""


# ---- All of them -----------------------------------------------------------------------------------------------------

def environment():
    """Return the Python of an environment with the engines and the package of this tree."""
    wanted = os.path.join(HERE, "requirements-scale.txt")
    with open(wanted, "rb") as file:
        mark = os.path.join(OUT, "scale", hashlib.sha256(file.read()).hexdigest())
    if not os.path.exists(mark):
        check.environment("scale")
        check.install(os.path.join(OUT, "scale", "bin", "python"), "--require-hashes", "-r", wanted)
        with open(mark, "w", encoding="ascii"):
            pass
    return os.path.join(OUT, "scale", "bin", "python")


def install_package(python):
    prepare.main()
    target = os.path.join(OUT, "wheel")
    shutil.rmtree(target, ignore_errors=True)
    check.must(python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", target, HERE)
    check.install(python, "--no-index", "--no-deps", "--force-reinstall", *glob.glob(os.path.join(target, "*.whl")))


def times(work):
    """Return when each file of verdicts was written."""
    found_there = glob.glob(os.path.join(work, "verdicts", "verdict=*", "*.parquet"))
    return {path: os.stat(path).st_mtime_ns for path in found_there}


def measure(python, title, code, wanted, what):
    """Run a recipe, and again when there is nothing left to judge; return the seconds of the first run."""
    work = fresh(python, title + " " + what, list(wanted))
    seconds = run_whole(python, code, work)
    if title == "pandas":
        counts = {verdict: int(count) for verdict, count in re.findall(r"^(valid|invalid|not judged) +(\d+)$",
                                                                       end_of_log(work), re.M)}
        right = {v: sum(one[0] == v for one in wanted.values()) for v in ("valid", "invalid", "not judged")}
        good = counts == {verdict: count for verdict, count in right.items() if count}
        check.tell(good, "%s, %d %s in %.1f s" % (title, len(wanted), what, seconds))
        return seconds
    fault = differences(python, work, wanted)
    check.tell(not fault, "%s, %d %s in %.1f s %s" % (title, len(wanted), what, seconds, fault))
    before = times(work)
    idle = run_whole(python, code, work)
    fault = differences(python, work, wanted) or ("" if times(work) == before else "files were judged again")
    check.tell(not fault, "%s again, nothing left to judge, in %.1f s %s" % (title, idle, fault))
    return seconds


def resume(python, title, code, wanted):
    work = fresh(python, title + " killed", list(wanted))
    there = run_killed(python, code, work)
    run_whole(python, code, work)
    fault = differences(python, work, wanted) or ("" if 0 < there < len(wanted) else "it was not killed in the middle")
    check.tell(not fault, "%s, killed after %d of %d files, then started again %s" % (title, there, len(wanted), fault))


def per_million(seconds, count):
    return "%.0f s" % (seconds / count * 1e6)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--addresses", type=int, default=5000)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("recipe", nargs="*")
    args = parser.parse_args(arguments)
    if args.serve:
        return serve()
    check.OUT = OUT
    os.makedirs(OUT, exist_ok=True)
    if not shutil.which("java"):
        print("java is missing, which Spark needs: install default-jre-headless")
        return 77
    python = environment()
    install_package(python)
    make_files(args.files)
    server = subprocess.Popen([sys.executable, os.path.abspath(__file__), "--serve"], stdout=subprocess.PIPE)
    try:
        rows = all_recipes(python, args, "http://127.0.0.1:%d/" % int(server.stdout.readline()))
    finally:
        server.terminate()
        server.wait()
    if args.write:
        write(rows, args)
    print("".join(rows), end="")
    print("%d passed, %d failed" % (check.passed, len(check.failed)))
    return 1 if check.failed else 0


def all_recipes(python, args, server):
    files = {path_of(k): VERDICTS[kind_of(k)] for k in range(args.files)}
    addresses = {server + os.path.relpath(path_of(k), os.path.join(OUT, "files")): VERDICTS[kind_of(k)]
                 for k in range(args.addresses)}
    rows, code = [], recipes()
    for title in args.recipe or RECIPES:
        seconds = measure(python, title, code[title], files, "files")
        cells = [title, "%.1f s" % seconds, per_million(seconds, len(files))]
        if title == "pandas":
            cells += ["", ""]
        else:
            resume(python, title, code[title], files)
            seconds = measure(python, title, code[title], addresses, "addresses")
            cells += ["%.1f s" % seconds, per_million(seconds, len(addresses))]
        rows.append("| %s |\n" % " | ".join(cells))
    return rows


def write(rows, args):
    """Write the cost to the page."""
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    head = ("<!-- begin -->\n| recipe | %s files | per million | %s addresses, loopback | per million |\n"
            "| --- | ---: | ---: | ---: | ---: |\n" % (format(args.files, ","), format(args.addresses, ",")))
    text = re.sub(r"<!-- begin -->\n.*?(?=<!-- end -->)", lambda _: head + "".join(rows), text, flags=re.S)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
