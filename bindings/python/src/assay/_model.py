"""Models of several files: an index and its shards, by spec/index.md."""
import os
import re
import secrets
import stat
from dataclasses import dataclass, field
from typing import List, Optional

from . import _check, _native, _notes, _report, _show
from ._model_rules import RULES
from ._report import Verdict, printable

INDEX_MAX = 1_000_000_000  # bytes: rule M1
MISSING, OUTSIDE, EXTRA, BESIDE = 83, 84, 89, 90  # rules M20, M21, M26, M27
INDEX_NAME = re.compile(r".\.safetensors\.index(\.[^/]+)?\.json\Z", re.S)
NUMBERED = re.compile(r"(.*)-[0-9]+-of-[0-9]+\.safetensors\Z", re.S)


@dataclass(frozen=True)
class Finding:
    """A contradiction between an index and its files. severity "error": the model is invalid; "note": it is not."""

    rule: str  # "M23"
    rule_name: str  # "tensor_missing"
    severity: str
    message: str
    path: Optional[str] = None  # the file
    other_path: Optional[str] = None  # another file that is concerned
    offset: Optional[int] = None  # in the index
    tensor: Optional[str] = None  # the first of the tensors
    count: Optional[int] = None  # how many they are
    expected: Optional[int] = None
    found: Optional[int] = None


@dataclass(frozen=True, repr=False)
class ModelReport(_report.Judged):
    """The verdict on a model: on its index, on each of its files, and on how they fit. It has no truth value."""

    path: str  # the index; without one, the folder
    verdict: Verdict
    message: str
    files: List[_report.Report] = field(default_factory=list)  # of each shard, and of other files in the folder
    findings: List[Finding] = field(default_factory=list)

    def __repr__(self):
        return "<assay.ModelReport %s>" % self

    def _repr_html_(self):
        return _show.model_html(self)

    def __str__(self):
        lines = ["%s: %s: %s" % (printable(self.path), _report.WORDS[self.verdict], self.message)]
        lines += [str(report) for report in self.files if not report.valid]
        lines += ["%s: %s: %s" % (printable(finding.path or self.path), finding.severity, finding.message)
                  for finding in self.findings]
        lines += ["%s: note %s: %s" % (printable(report.path), note.rule, note.message)
                  for report in self.files for note in report.notes or ()]
        return "\n".join(lines)


def check_model(folder, *, limits=None, threads=None, progress=False, notes=False):
    """Judge a model: a folder, or an index file. Each file is judged by itself, then compared with the index: rules M1
    to M28, M32 and M33 of spec/index.md. (M29 to M31, about a second copy of the model and numbered files without an
    index, are checked by the program `assay` alone.)

    Without an index, every *.safetensors file of the folder is judged. With several, each is. Return a ModelReport;
    raise nothing for what is invalid or can't be read. progress: show a bar, if tqdm is installed. notes: look for
    what is suspicious about each file, as check() does.
    """
    path, find = os.fspath(folder), _notes.find_inside if notes else None
    if not os.path.isdir(path):
        return _one_index(path, limits, threads, progress, find)
    try:
        names = sorted(os.listdir(path))
    except OSError as error:
        return ModelReport(path, Verdict.NOT_JUDGED, "can't be read: %s" % error.strerror)
    indexes = [name for name in names if INDEX_NAME.search(name)]
    if indexes:
        reports = [_one_index(os.path.join(path, name), limits, threads, progress, find) for name in indexes]
        return reports[0] if len(reports) == 1 else _together(path, reports)
    files = [os.path.join(path, name) for name in names if name.endswith(".safetensors")]
    if not files:
        return ModelReport(path, Verdict.NOT_JUDGED, "there is no *.safetensors file in this folder")
    reports = list(_check.judge_many(files, threads, limits, progress, find))
    return ModelReport(path, _worst(reports), "%d files without an index" % len(reports), reports)


def _together(path, reports):
    return ModelReport(path, _worst(reports), "%d indexes" % len(reports), [one for r in reports for one in r.files],
                       [one for r in reports for one in r.findings])


def _worst(reports):
    """Return INVALID if one is, else NOT_JUDGED if one is not judged, else VALID."""
    verdicts = {report.verdict for report in reports}
    return next((v for v in (Verdict.INVALID, Verdict.NOT_JUDGED) if v in verdicts), Verdict.VALID)


def _read(path):
    """Return the bytes of an index, at most one more than are allowed."""
    descriptor = _check.open_descriptor(path)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "is not a file")
        return file.read(INDEX_MAX + 1)


def _is_inside(path, root):
    """Whether a shard's path leads to a file in the folder; in a snapshot of the Hugging Face cache, also in blobs/."""
    real, base = os.path.realpath(path), os.path.realpath(root)
    allowed = [base]
    if os.path.basename(os.path.dirname(base)) == "snapshots":
        allowed.append(os.path.join(os.path.dirname(os.path.dirname(base)), "blobs"))
    return any(real.startswith(one + os.sep) for one in allowed)


def _one_index(path, limits, threads, progress, find):
    try:
        data = _read(path)
    except OSError as error:
        return ModelReport(path, Verdict.NOT_JUDGED, "can't be read: %s" % error.strerror)
    index = _native.Index(data, secrets.randbits(64))
    if index.code != 0:
        if index.code < _native.FIRST_RULE:
            return ModelReport(path, Verdict.NOT_JUDGED, "there is not enough memory for it")
        finding = _finding(index.code, path, offset=index.offset, tensor=index.tensor, expected=index.expected,
                           found=index.found)
        return ModelReport(path, Verdict.INVALID, finding.message, [], [finding])
    root = os.path.dirname(path)
    shards = [(name, number, os.path.join(root, *name.split("/"))) for name, number in index.paths()]
    paths = {number: shown for _, number, shown in shards}
    raw, files = [], []
    for name, number, shown in _check.with_bar(shards, len(shards), progress):
        dangling = os.path.islink(shown) and not os.path.exists(shown)
        if not os.path.lexists(shown) or dangling and _is_inside(shown, root):
            raw += index.unread(number, MISSING)
        elif not _is_inside(shown, root):
            raw += index.unread(number, OUTSIDE)
        else:
            judged = _check.judge_path(shown, limits, find)
            files.append(judged.report)
            raw += index.shard(number, judged.view) if judged.view else index.unread(number, 0)
    raw += index.end()
    findings = [_finding(code, paths.get(shard), paths.get(other), offset, tensor, count, expected, found)
                for code, shard, other, offset, count, expected, found, tensor in raw]
    beside, more = _beside(root, [name for name, _, _ in shards], limits, threads, find)
    files, findings = files + more, findings + beside
    verdict = _worst(files)
    if any(finding.severity == "error" for finding in findings):
        verdict = Verdict.INVALID
    message = "%d tensors in %d shards" % (index.tensors, index.shards)
    if verdict is not Verdict.VALID:
        message += ": %s not valid, %s" % (_show.plural(sum(not one.valid for one in files), "file"),
                                          _show.plural(len(findings), "finding"))
    return ModelReport(path, verdict, message, files, findings)


def _beside(root, shards, limits, threads, find):
    """Return findings on the files of the folder that the index does not name, and their reports."""
    stems = {NUMBERED.match(name)[1] for name in shards if "/" not in name and NUMBERED.match(name)}
    others = [name for name in sorted(os.listdir(root or ".")) if name.endswith(".safetensors") and name not in shards]
    findings = []
    for name in others:
        numbered = NUMBERED.match(name)
        findings.append(_finding(EXTRA if numbered and numbered[1] in stems else BESIDE, os.path.join(root, name)))
    paths = [os.path.join(root, name) for name in others]
    return findings, list(_check.judge_many(paths, threads, limits, find=find))


def _finding(code, path, other_path=None, offset=None, tensor=None, count=None, expected=None, found=None):
    rule, name, severity, title = RULES[code]
    message = "rule %s: %s" % (rule, title)
    if other_path is not None:
        message += ": %s" % printable(other_path)
    if tensor is not None:
        more = "" if not count or count == 1 else " and %d more" % (count - 1)
        message += ': tensor "%s"%s' % (printable(tensor), more)
    message += _report.numbers_text(expected, found)
    return Finding(rule, name, severity, message, path, other_path, offset, tensor, count, expected, found)
