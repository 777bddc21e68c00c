"""Run the tests of the writer on mutants of src/core_write, as mutant_tests.py does for the core.

    bench = WriterBench(); bench.run(mutant) -> Outcome

First the writer's own certificate, at run time: writer_driver.c makes heads of generated descriptions. A mutant that
refuses one without a defect has been seen by the certificate, or by the checks before it; one that makes another head,
or reports another cause, by the comparison with the writer itself, whose heads are those of the reference (make
write-check). Then the unit tests, and both again under the sanitizers.
"""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "assurance", "mutation"))
import mutant_tests  # noqa: E402
from mutant_tests import BUILD, KINDS, OTHERS, Bench, Outcome, Stage, Trial  # noqa: E402

FOLDER, SOURCE, PART = "src/core_write", "src/core_write/assay_write.c", "assay_write"
DRIVER, COUNT, MORE = "assurance/mutation/writer_driver.c", 400, 20000  # descriptions: first, and for what survives
UNIT = ["tests/unit/test_assay_write.c"]
mutant_tests.SECONDS.update(unit=60)
KINDS.setdefault("unit", ["gcc", "-O1"])  # the unit tests: headers of 100 MB take a while
CERTIFICATE = "the certificate: description %d is refused"


class Descriptions(Stage):
    """The driver with its number of descriptions, and the lines of the writer itself."""

    def __init__(self, name, kind, count):
        super().__init__(name, [DRIVER], kind, ["description %d" % number for number in range(count)])
        self.names = ["description %d" % number for number in range(count)]
        self.hash = mutant_tests.digest(self.hash, str(count))
        self.count = count

    def witness(self, core):
        self.link(core)
        status, lines, why = mutant_tests.call(self.program, self.kind, words=[str(self.count)])
        for number, (line, answer) in enumerate(zip(lines, self.answers)):
            if line != answer:
                refused = answer.startswith("fine 0 ") and line.startswith("fine ") and not line.startswith("fine 0 ")
                return CERTIFICATE % number if refused else "description %d: %s" % (number, why)
        return "" if status == 0 and lines == self.answers else "description %d: %s" % (len(lines), why)


class WriterBench(Bench):
    """The writer is one part: assay_write.c includes its headers."""

    folder, copied, parts = FOLDER, ("src/core", "src/core_text", FOLDER, "include", "spec"), [PART]

    def __init__(self):
        for name in ("bin", "cases"):
            os.makedirs(os.path.join(BUILD, name), exist_ok=True)
        self.move("-writer")
        self.objects, self.likely, self.core = {}, {}, {}
        for kind in KINDS:
            self.core[kind] = [self.built(kind, name) for name in ("src/core/assay.c", "src/core_text/assay_text.c")]
        self.same = {kind: {PART: self.compile(command, kind, PART)}
                     for kind, command in [*KINDS.items(), *OTHERS.items()]}
        self.stages = [Descriptions("descriptions", "quick", COUNT), Stage("unit", UNIT, "unit"),
                       Descriptions("descriptions-more", "plain", MORE), Descriptions("descriptions", "safe", COUNT),
                       Stage("unit", UNIT, "safe")]
        self.hash = " ".join(stage.hash for stage in self.stages)
        for stage in self.stages:
            stage.prepare()
            core = self.core[stage.kind] + [self.same[stage.kind][PART][0]]
            if isinstance(stage, Descriptions):
                stage.link(core)
                stage.answers = mutant_tests.call(stage.program, stage.kind, words=[str(stage.count)])[1]
                if len(stage.answers) != stage.count + 1 or any(
                        line.startswith("fine ") and not line.startswith("fine 0 ") for line in stage.answers):
                    raise SystemExit("%s: the writer itself refuses a description without a defect" % stage.name)
            if stage.witness(core):
                raise SystemExit("the writer itself: %s: %s" % (stage.name, stage.witness(core)))

    def built(self, kind, source):
        """Return the object file of a part that no mutant changes."""
        out = os.path.join(BUILD, "bin", "writer-%s-%s.o" % (kind, os.path.basename(source)[:-2]))
        subprocess.run([*KINDS[kind], "-std=c11", "-w", "-Iinclude", "-Isrc/core", "-Ispec", "-c", "-o", out, source],
                       cwd=ROOT, check=True)
        return out

    def trial(self, mutant):
        return WriterTrial(self, mutant, [PART])


class WriterTrial(Trial):
    """One mutant of the writer."""

    def core(self, kind):
        self.compiled(kind)
        return self.bench.core[kind] + [self.made[kind][PART][0]]

    def judge(self, passed):
        if not self.compiled("quick"):
            return Outcome("no build")
        compared = ""
        for stage in self.bench.stages:
            if not compared and stage.kind != "quick":
                compared = self.compiled("plain")
                if compared in self.bench.objects:
                    return self.bench.objects[compared]
                if self.same_code("plain") or any(map(self.same_code, OTHERS)):
                    return Outcome("same code", object=compared)
            witness = stage.witness(self.core(stage.kind)) if stage.hash not in passed else ""
            if witness:
                return self.bench.keep(Outcome("killed", witness, stage.hash, compared))
        return self.bench.keep(Outcome("survived", "", self.bench.hash, compared))
