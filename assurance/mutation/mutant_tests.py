"""Run the tests on mutants: they are built once, without the core, and stopped at the first difference.

    bench = Bench(); bench.run(mutant) -> Outcome

The correct results of every stage are known before a mutant runs: those of the driver on the corpus and on
generated files are the model's, those of the slice driver are NumPy's, and a suite checks its own. The witness is
the first difference of a mutant: a file of the corpus, the seed and number of a generated file or slice, or a test
of a suite.
"""
import collections
import glob
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
FOLDERS = ("assurance/mutation", "assurance/model", "tests/conformance", "spec")
sys.path[:0] = [os.path.join(ROOT, name) for name in FOLDERS]
import generate_cases  # noqa: E402
import manifest  # noqa: E402
import model  # noqa: E402
import model_check  # noqa: E402
import mutate  # noqa: E402
import slices  # noqa: E402

BUILD = os.path.join(ROOT, "build", "mutants")
PARTS = sorted(os.path.basename(p)[:-2] for p in glob.glob(os.path.join(ROOT, "src/core/*.c")) if p[-7:] != "assay.c")
FLAGS = ["-std=c11", "-w", "-Iinclude", "-Isrc/core", "-Ispec", "-Isrc/cli", "-Itests/unit"]
CORE = ["-std=c11", "-w", "-ffreestanding", "-Dstatic=", "-Dinline=", "-Iinclude", "-Isrc/core", "-Ispec",
        "-c"]  # without static, so that tests can call internal functions and each file is an object
# How the core is compiled: to be built fast, to be compared with the core's own object file, to detect bad accesses.
KINDS = {"quick": ["clang", "-O0"], "plain": ["gcc", "-O1"],
         "safe": ["gcc", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]}
OTHERS = {"O2": ["gcc", "-O2"], "clang": ["clang", "-O2"]}  # they may also compile two texts to the same code
# Seconds of processor time for one program: no other work can use it up. A core that counts is not optimized.
SECONDS = {"quick": 2, "plain": 2, "safe": 20, "counted": 20}
WAIT = 1200  # seconds for one that sleeps
MEMORY, OUTPUT = 1 << 30, 1 << 26
FILES = [(1, 4000, False), (2, 1000, True)]  # seed, count, with limits
MORE_FILES = [(101, 30000, False), (102, 6000, True)]  # for what survives the others
SLICES = (11, 2000)

# status: "no build", "same code", "killed", "survived"; witness: the input that shows it; stage: the hash of the
# tests that killed it, or of all that it survived; object: the hash of the compiled core.
Outcome = collections.namedtuple("Outcome", "status witness stage object", defaults=("", "", ""))


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def limit(kind):
    def apply():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS[kind], SECONDS[kind]))
        resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT, OUTPUT))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if kind != "safe":  # the sanitizers reserve much
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    return apply


def call(program, kind, questions=os.devnull, words=()):
    """Return (exit status, lines of the output, why it failed)."""
    out, log = program + ".out", program + ".err"
    with open(questions, "rb") as given, open(out, "wb") as answers, open(log, "wb") as complaints:
        done = subprocess.Popen([program, *words], stdin=given, stdout=answers, stderr=complaints,
                                preexec_fn=limit(kind), cwd=BUILD,
                                env=dict(os.environ, ASAN_OPTIONS="max_allocation_size_mb=1024",
                                         CK_TIMEOUT_MULTIPLIER="10"))
        try:
            status = done.wait(WAIT)
        except subprocess.TimeoutExpired:
            status = None
        try:
            os.killpg(done.pid, signal.SIGKILL)  # the program, or what it has left running
        except ProcessLookupError:
            pass
        done.wait()
    with open(out, encoding="utf-8", errors="replace") as f:
        lines = f.read().split("\n")
    with open(log, encoding="utf-8", errors="replace") as f:
        text = f.read()
    return status, lines, reason(status, text)


def reason(status, text):
    found = re.search(r"AddressSanitizer: [\w-]+|runtime error: [^\n]{0,60}|driver: line \d+: ([^\n]*)", text)
    if found:
        return found.group(1) or found.group(0)
    if status is None or status == -signal.SIGXCPU or status == -signal.SIGKILL:
        return "does not end"
    return signal.Signals(-status).name if status < 0 else "exit status %d" % status if status else "another answer"


class Stage:
    """A program and its expected output; its hash covers everything it consists of."""

    def __init__(self, name, sources, kind, names=None, questions="", answers=""):
        self.name, self.sources, self.kind, self.names = name, sources, kind, names
        self.program = os.path.join(BUILD, "bin", name + "-" + kind)
        self.input = os.path.join(BUILD, "cases", name) if names else os.devnull
        self.answers = answers.split("\n")
        if names:
            with open(self.input, "w", encoding="ascii") as f:
                f.write(questions)
        shared = [read("tests/unit/" + p) for p in ("view_of.h", "suite.h", "simple_text.h")]
        self.hash = digest(name, kind, " ".join(KINDS[kind]), questions, answers, *shared, *map(read, sources))
        self.objects, self.reached = [], set()

    def prepare(self):
        for source in self.sources:
            made = "%s-%s.o" % (self.program, os.path.basename(source))
            subprocess.run(KINDS[self.kind] + FLAGS + ["-c", "-o", made, source], cwd=ROOT, check=True)
            self.objects.append(made)

    def link(self, core, command=None):
        libraries = [] if self.names else suite_libraries()
        subprocess.run([*(command or KINDS[self.kind]), "-o", self.program, *self.objects, *core, *libraries],
                       check=True)

    def witness(self, core):
        """Return the first input on which the core of these object files is wrong, and how; "" if there is none."""
        self.link(core)
        status, lines, why = call(self.program, self.kind, self.input)
        if self.names is None:
            failed = [re.search(r":[FE]:all:(\w+):", line) for line in lines]
            test = next((found.group(1) for found in failed if found), "")
            return "" if status == 0 else "test %s of suite %s%s" % (test, self.name, "" if test else ": " + why)
        for name, line, answer in zip(self.names, lines, self.answers):
            if line != answer:
                return "%s: %s" % (name, why)
        return "" if status == 0 and lines == self.answers else "%s: %s" % (self.names[-1], why)


def suite_libraries():
    return subprocess.run(["pkg-config", "--libs", "check"], stdout=subprocess.PIPE, check=True,
                          universal_newlines=True).stdout.split()


# ---- What the answers are ------------------------------------------------------------------------------

def corpus_cases():
    rows = manifest.read_table("corpus/manifest.tsv") + manifest.read_table("corpus/options.tsv")
    names = ["corpus/%s %s" % (row["file"], row.get("options", "")) for row in rows]
    return [name.strip() for name in names], manifest.questions(rows)


def generated_cases(chosen):
    names, lines = [], []
    for seed, count, limited in chosen:
        made = generate_cases.cases(seed, count) if limited else (c + ({},) for c in generate_cases.files(seed, count))
        names += ["generated%s %d/%d" % (" with limits" if limited else "", seed, number) for number in range(count)]
        lines += [model_check.line_of(*case) for case in made]
    return names, lines


def answers(source, lines):
    """Return the results of the original core in this driver."""
    program = os.path.join(BUILD, "bin", "answers")
    sources = [source, "src/cli/rules_table.c", "src/core/assay.c"]
    subprocess.run(["gcc", *FLAGS, "-O1", "-o", program, *sources], cwd=ROOT, check=True)
    done = subprocess.run([program], input="\n".join(lines) + "\n", stdout=subprocess.PIPE, check=True,
                          universal_newlines=True)
    return program, done.stdout


def judged_answers(cases):
    """Return the core's results, where they equal the model's."""
    names, lines = cases
    said = answers("tests/conformance/driver.c", lines)[1]
    for name, line, answer in zip(names, lines, said.splitlines()):
        if json.loads(answer) != json.loads(json.dumps(model.judge_line(line).as_dict())):
            raise SystemExit("%s: the core differs from the model" % name)
    return names, lines, said


def sliced_answers():
    """Return the core's results, where they equal NumPy's; none if NumPy is not available."""
    seed, count = SLICES
    lines = list(map(slices.line, slices.made(count, seed)[0]))
    program, said = answers("tests/conformance/slice_driver.c", lines)
    done = subprocess.run([sys.executable, "tests/conformance/slices.py", program, str(count), str(seed)], cwd=ROOT,
                          check=False)
    if done.returncode not in (0, 77):
        raise SystemExit("tests/conformance/slices.py does not pass")
    return ([], [], "") if done.returncode == 77 else (["slice %d/%d" % (seed, k) for k in range(count)], lines, said)


def remembered(name, make):
    """Return the result of make(), kept as JSON for the next run with the same sources."""
    sources = [*("tests/conformance/" + name for name in ("driver.c", "slice_driver.c", "slices.py")),
               *("assurance/model/%s.py" % name for name in ("generate_cases", "random_defects", "random_document")),
               *("spec/" + name for name in ("model.py", "rules.tsv", "dtypes.tsv", "statuses.tsv"))]
    made_of = digest(repr((FILES, MORE_FILES, SLICES)), *map(read, sources))
    path = os.path.join(BUILD, "cases", "%s-%s.json" % (name, made_of))
    if not os.path.exists(path):
        with open(path, "w", encoding="ascii") as f:
            json.dump(make(), f)
    with open(path, encoding="ascii") as f:
        return json.load(f)


def stages():
    """Return all stages: first those that end most mutants; then those that examine the rest more closely."""
    driver = ["tests/conformance/driver.c", "src/cli/rules_table.c"]
    files = [name for name in os.listdir(os.path.join(ROOT, "tests", "unit")) if name.endswith(".c")]
    suites = {name[len("test_"):-len(".c")] for name in files}
    others = re.compile(r"src/remote/|assay_text\.h")  # what suites of other code include
    suites = {name for name in suites if not others.search(read("tests/unit/test_%s.c" % name))}
    suites = sorted(suites, key=lambda name: (name in ("layout", "index"), name))  # the longest last
    sets = {"corpus": judged_answers(corpus_cases()),
            "generated": remembered("generated", lambda: judged_answers(generated_cases(FILES))),
            "more": remembered("more", lambda: judged_answers(generated_cases(MORE_FILES))),
            "slices": remembered("slices", sliced_answers)}

    def asked(name, kind):
        names, lines, answers = sets[name]
        sources = ["tests/conformance/slice_driver.c"] if name == "slices" else driver
        return [Stage(name, sources, kind, names, "\n".join(lines) + "\n", answers)] if names else []

    out = asked("corpus", "quick") + asked("generated", "quick") + asked("slices", "quick")
    out += [Stage(name, ["tests/unit/test_%s.c" % name], "plain") for name in suites] + asked("more", "plain")
    out += asked("corpus", "safe") + asked("generated", "safe") + asked("slices", "safe")
    return out + [Stage(name, ["tests/unit/test_%s.c" % name], "safe") for name in suites]


def reached(stage, core):
    """Return the functions of the core that this stage calls, by gcov: no other can change its result."""
    stage.link(core, ["gcc", "--coverage"])
    status, _, why = call(stage.program, "counted", stage.input)
    if status != 0:
        raise SystemExit("the core itself: %s: %s" % (stage.name, why))
    counts = [path[:-2] + ".gcda" for path in core]
    said = subprocess.run(["gcov", "--json-format", "--stdout"] + [path for path in counts if os.path.exists(path)],
                          cwd=BUILD, stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
    for path in filter(os.path.exists, counts):
        os.remove(path)
    return {function["name"] for line in said.splitlines() for file in json.loads(line)["files"]
            for function in file["functions"] if function["execution_count"] > 0}


class Bench:
    """The parts of the core are compiled one by one, so that a mutant costs only its own part."""

    folder, copied, parts = "src/core", ("src/core", "include", "spec"), PARTS

    def __init__(self):
        for name in ("bin", "cases"):
            os.makedirs(os.path.join(BUILD, name), exist_ok=True)
        self.move("")
        self.stages = stages()
        self.hash = " ".join(stage.hash for stage in self.stages)
        self.objects = {}  # the result for each object file
        self.likely = {}  # the stage that detected the last mutant of a function is run first
        self.same = {kind: {name: self.compile(command, kind, name) for name in PARTS}
                     for kind, command in [*KINDS.items(), *OTHERS.items()]}
        counted = [self.compile(["gcc", "-O0", "--coverage"], "counted", name)[0] for name in PARTS]
        for stage in self.stages:
            stage.prepare()
            wrong = stage.witness([path for path, _ in self.same[stage.kind].values()])
            if wrong:
                raise SystemExit("the core itself: %s" % wrong)
            if stage.kind != "safe":
                stage.reached = reached(stage, counted)
        for stage in self.stages:
            stage.reached = stage.reached or next(s.reached for s in self.stages if s.name == stage.name and s.reached)

    def move(self, worker):
        """Prepare the files that a mutant changes, separately for this worker: the sources, objects and programs."""
        self.tree, self.mark = os.path.join(BUILD, "tree" + worker), "-mutant" + worker
        shutil.rmtree(self.tree, ignore_errors=True)
        for name in self.copied:
            shutil.copytree(os.path.join(ROOT, name), os.path.join(self.tree, name))
        for stage in getattr(self, "stages", []):
            stage.program += worker

    def holds(self, outcome):
        """Return whether the tests of today have the same result."""
        before, now = set(outcome.stage.split()), {stage.hash for stage in self.stages}
        return before >= now if outcome.status == "survived" else before <= now

    def compile(self, command, kind, name, mutated=""):
        """Return the object file of a part and its hash, or "" if there is none."""
        out = os.path.join(BUILD, "bin", "%s-%s%s.o" % (kind, name, mutated))
        command = [*command, *CORE, "-o", out, os.path.join(self.folder, name + ".c")]
        if subprocess.run(command, cwd=self.tree, stderr=subprocess.DEVNULL, check=False).returncode:
            return out, ""
        with open(out, "rb") as f:
            return out, hashlib.sha256(f.read()).hexdigest()[:16]

    def keep(self, outcome):
        if outcome.object:
            self.objects[outcome.object] = outcome
        return outcome

    def trial(self, mutant):
        return Trial(self, mutant, users(mutant.path))

    def run(self, mutant, passed=frozenset()):
        """Return the result for this mutant, which is known to survive the stages `passed`."""
        with open(os.path.join(self.tree, mutant.path), "w", encoding="utf-8") as f:
            f.write(mutant.apply(read(mutant.path)))
        try:
            return self.trial(mutant).judge(passed)
        finally:
            shutil.copy(os.path.join(ROOT, mutant.path), os.path.join(self.tree, mutant.path))


def users(path):
    """Return the parts that use a file: itself, or those that include this header, directly or not."""
    found, known = {path}, set()
    while found != known:
        known = set(found)
        for p in glob.glob(os.path.join(ROOT, "src/core/*.[ch]")):
            if {os.path.join("src/core", name) for name in re.findall(r'#include "(\w+\.h)"', read(p))} & known:
                found.add(os.path.relpath(p, ROOT))
    return [name for name in PARTS if "src/core/%s.c" % name in found]


class Trial:
    """One mutant on the bench."""

    def __init__(self, bench, mutant, parts):
        self.bench, self.made, self.parts = bench, {}, parts
        self.functions = frozenset([mutant.function] if mutant.in_function else [])

    def compiled(self, kind):
        """Compile the changed parts once for each kind; return the hash of their object files."""
        if kind not in self.made:
            command = KINDS.get(kind) or OTHERS[kind]
            self.made[kind] = {name: self.bench.compile(command, kind, name, self.bench.mark) for name in self.parts}
        hashes = [made for _, made in self.made[kind].values()]
        return "" if "" in hashes else digest(*hashes)

    def same_code(self, kind):
        return self.compiled(kind) == digest(*(self.bench.same[kind][name][1] for name in self.parts))

    def core(self, kind):
        self.compiled(kind)
        return [path for path, _ in {**self.bench.same[kind], **self.made[kind]}.values()]

    def judge(self, passed):
        if not self.compiled("quick"):
            return Outcome("no build")
        likely = [stage for stage in self.bench.stages if stage.hash == self.bench.likely.get(self.functions)]
        compared = False
        for stage in likely + self.bench.stages:
            if not compared and stage.kind != "quick" and stage not in likely:
                compared = True
                if self.compiled("plain") in self.bench.objects:
                    return self.bench.objects[self.compiled("plain")]
                if self.same_code("plain") or any(map(self.same_code, OTHERS)):
                    return Outcome("same code", object=self.compiled("plain"))
            called = stage.reached >= self.functions and stage.hash not in passed
            witness = stage.witness(self.core(stage.kind)) if called else ""
            if witness:
                self.bench.likely[self.functions] = stage.hash
                made = self.compiled("plain") if compared else ""
                return self.bench.keep(Outcome("killed", witness, stage.hash, made))
        return self.bench.keep(Outcome("survived", "", self.bench.hash, self.compiled("plain")))
