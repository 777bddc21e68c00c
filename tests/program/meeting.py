"""Test completions, the guard for a loader, and the definitions for pre-commit and GitHub."""

import json
import os
import re
import shutil
import subprocess
import textwrap

import lib
from lib import ROOT, Skip, model, run, write

COMPLETIONS = os.path.join(ROOT, "completions")


def environment():
    os.makedirs("bin", exist_ok=True)
    if not os.path.exists("bin/assay"):
        os.symlink(lib.PROGRAM, "bin/assay")
    # With sanitizers, the search for leaks sometimes waits for itself forever in a child of zsh.
    return {**os.environ, "PATH": os.path.abspath("bin") + ":" + os.environ["PATH"], "ASAN_OPTIONS": "detect_leaks=0"}


def shell(words, **options):
    done = subprocess.run(
        words, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        timeout=lib.LIMIT, check=False, **options,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def options_of(command):
    return set(re.findall(r"(?<![\w-])--?[a-z0-9][a-z0-9-]*", run(command, "--help").out.split("Exit status")[0]))


def bash(*words):
    """Return the completions of bash for the last word."""
    if shutil.which("bash") is None:
        raise Skip("no bash")
    script = ". %s/assay.bash; COMP_WORDS=(assay \"$@\"); COMP_CWORD=$#; _assay; printf '%%s\\n' \"${COMPREPLY[@]}\""
    status, out, err = shell(["bash", "-c", script % COMPLETIONS, "bash", *words])
    assert status == 0 and err == "", err
    return set(out.split())


def test_bash():
    assert bash("") >= {"check", "ls", "meta", "modelspec", "rules", "--help", "--version"} and bash("che") == {"check"}
    for command in ("check", "ls", "meta", "modelspec"):
        assert options_of(command) <= bash(command, "-"), options_of(command) - bash(command, "-")
    assert len(options_of("check")) > 10 and "--no-sandbox" in bash("meta", "--n")
    assert bash("check", "--format", "") >= {"text", "json", "jsonl"}
    assert bash("check", "--format", "=", "jsonl") == {"jsonl"}
    assert bash("ls", "--format", "") == {"text", "json"}
    assert bash("rules", "G") >= {"G1", "G6"} and bash("check", "x") == set()


def test_fish_and_zsh():
    ran = 0
    if shutil.which("fish"):
        for command in ("check", "ls"):
            asked = "source %s/assay.fish; complete -C 'assay %s -'" % (COMPLETIONS, command)
            status, out, _ = shell(["fish", "-c", asked])
            assert status == 0 and options_of(command) <= {line.split("\t")[0] for line in out.splitlines()}, out
        ran += 1
    if shutil.which("zsh"):
        script = "compadd() { shift; print -l -- $@; }; _files() { :; }; words=(assay check -); CURRENT=3; . %s/_assay"
        status, out, _ = shell(["zsh", "-fc", script % COMPLETIONS])
        assert status == 0 and options_of("check") <= set(out.split()), out
        ran += 1
    if ran < 2:
        raise Skip("no fish or no zsh")


def guard(*words, before=()):
    return shell([*before, os.path.join(ROOT, "examples", "guard.sh"), *words])


def test_guard():
    model("x", data=b"abcd")
    model("bad", data=b"abc")
    with open("x", "rb") as f:
        whole = f.read().decode()
    status, out, err = guard("x", "cat", "{}")
    assert (status, out) == (0, whole) and ": valid: " in err
    assert guard("x", "sh", "-c", "exit 7")[0] == 7
    assert guard("x", "printf", "%s,", "a b", "*", "")[1] == "a b,*,,"
    status, out, err = guard("bad", "cat", "{}")
    assert (status, out) == (1, "") and "rule G3" in err
    assert guard("missing", "cat", "{}")[:2] == (2, "")
    status, out, _ = guard("x", "echo", "{}")  # a copy, which is removed
    assert status == 0 and out.strip() != "x" and not os.path.exists(out.strip())
    os.mkfifo("fifo")
    assert guard("fifo", "cat", "{}")[:2] == (2, "")
    assert guard("x", "cat", "{}", before=["env", "TMPDIR=/none"])[:2] == (2, "")  # without a position, and no other
    with open(os.path.join(ROOT, "examples", "guard.sh"), encoding="utf-8") as f:
        assert len(f.read().splitlines()) <= 10


def block(path, pattern):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return re.search(pattern, f.read(), re.S | re.M)


def test_pre_commit():
    wanted = re.compile(block(".pre-commit-hooks.yaml", r"^  files: (.*?)$").group(1))
    entry = block(".pre-commit-hooks.yaml", r"^  entry: (.*?)$").group(1).split()
    for name in ("a.safetensors", "A.SFT", "d/model.safetensors.index.json", "model.safetensors.index.fp16.json"):
        assert wanted.search(name), name
    for name in ("a.safetensors.md", "a.sft.md", "config.json", "safetensors", "sft", "a.safetensors.index.d/b.json"):
        assert not wanted.search(name), name
    assert entry[0] == "assay"
    model("-x.safetensors")
    assert run(*entry[1:], "-x.safetensors").status == 0


def test_action():
    """The steps of action.yml that check and exit, with what the others have built."""
    script = textwrap.dedent(block("action.yml", r"^      id: check$.*?^      run: \|\n(.*?)^    - name").group(1))
    last = block("action.yml", r"^      run: (exit .*?)$").group(1)
    os.makedirs("temp/assay")
    os.symlink(lib.PROGRAM, "temp/assay/assay")
    os.mkdir("d d")
    model("d d/a.safetensors")
    model("*.safetensors")

    def shell(words, **env):
        done = subprocess.run(["sh", "-e", "-c", words], env={**os.environ, **env}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=lib.LIMIT, check=False)
        return done.returncode, done.stdout.decode()

    def step(paths, arguments=""):
        """The exit status of the action, what it prints, and the results and notifications that it uploads."""
        write("outputs", b"")
        status, out = shell(script, RUNNER_TEMP=os.path.abspath("temp"), GITHUB_OUTPUT=os.path.abspath("outputs"),
                            PATHS=paths, ARGUMENTS=arguments)
        assert status == 0, (status, out)  # else nothing is uploaded
        with open("outputs", encoding="utf-8") as f:
            said = dict(line.rstrip("\n").split("=", 1) for line in f)
        if "sarif" not in said:
            return shell(last, STATUS=said["status"])[0], out, 0, 0
        with open(said["sarif"], encoding="utf-8") as f:
            (log,) = json.load(f)["runs"]
        os.remove(said["sarif"])
        return (shell(last, STATUS=said["status"])[0], out, len(log["results"]),
                len(log["invocations"][0]["toolExecutionNotifications"]))

    status, out, *found = step("d d\n*.safetensors\n\n", "--format jsonl")
    assert status == 0 and out.count('"verdict":"valid"') == 2 and found == [0, 0], out
    write("d d/b.safetensors", b"")
    status, out, *found = step("d d")
    assert status == 1 and "d d/b.safetensors: invalid: rule F1" in out and found == [1, 0], (status, out, found)
    status, out, *found = step("missing")
    assert status == 2 and found == [0, 1], (status, out, found)
    assert step("d d", "--help")[0] == 2  # nothing was checked
    assert shell(last, STATUS="")[0] == 2  # the check itself did not end
    first = block("action.yml", r"^      run: (make .*?)$").group(1)
    assert "B=" in first and "/assay/assay" in first
    order = [block("action.yml", pattern).start() for pattern in ("libseccomp-dev", "make -C", "id: check",
                                                                    "codeql-action/upload-sarif", 'exit "')]
    assert order == sorted(order), order


def test_container():
    """It copies, builds and starts existing files; docker itself is not run."""
    with open(os.path.join(ROOT, "Containerfile"), encoding="utf-8") as f:
        text = f.read()
    assert 'ENTRYPOINT ["/assay"]' in text and "USER 65534" in text and "FROM scratch" in text
    (target,) = re.findall(r"^RUN make .* B=(/\S+) \S+$", text, re.M)
    assert "--from=build %s/assay /assay" % target in text
