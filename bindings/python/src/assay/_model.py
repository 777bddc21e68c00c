"""Models: an index, its shards, and the files beside them, by spec/index.md."""
import os
import re
import secrets
import stat
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Iterator, List, Optional, Protocol, Set, Tuple, Union

from . import _check, _native, _notes, _report, _show
from ._model_rules import RULES
from ._report import Verdict, printable

INDEX_MAX = 1_000_000_000  # bytes: rule M1
USES_MOST = 4  # times that a file is judged: a folder may have many indexes that name it
NUMBER_MOST = 10**18  # larger numbers in names of files are taken for this one
MISSING, OUTSIDE, EXTRA, BESIDE, SINGLE_DIFFERS, SINGLE_BESIDE, PART_MISSING = 83, 84, 89, 90, 92, 93, 94
SUFFIX, INDEX_MARK = ".safetensors", ".safetensors.index."
HUB_NAME = "model.safetensors"  # of a model in one file, on the Hub
SUFFIXES = (SUFFIX, ".sft")  # ComfyUI loads both
NUMBERED = re.compile(r"(.+)-([0-9]+)-of-([0-9]+)\.safetensors\Z", re.S)


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
    code: Optional[int] = None  # the rule as a number

    def report(self) -> _report.Report:
        """Return the Report of a file, or of an index, of which nothing else is said."""
        return _report.Report(self.path, Verdict.INVALID, rule=self.rule, rule_name=self.rule_name, code=self.code,
                              offset=self.offset, tensor=self.tensor, other=None, expected=self.expected,
                              found=self.found, message=self.message)


@dataclass(frozen=True, repr=False)
class ModelReport(_report.Judged):
    """The verdict on a model: on its index, on each of its files, and on how they fit. It has no truth value."""

    path: str  # the index, if there is one; else the folder or the file
    verdict: Verdict
    message: str
    files: List[_report.Report] = field(default_factory=list)  # in the order in which they were judged
    findings: List[Finding] = field(default_factory=list)
    indexes: List[_report.Report] = field(default_factory=list)  # each with the verdict of its model
    commit: Optional[str] = None  # of the Hub: that of the files, if it is known (check_model_url)

    def __repr__(self) -> str:
        return "<assay.ModelReport %s>" % self

    def _repr_html_(self) -> str:
        return _show.model_html(self)

    def __str__(self) -> str:
        lines = ["%s: %s: %s" % (printable(self.path), _report.WORDS[self.verdict], self.message)]
        lines += [str(report) for report in self.indexes + self.files if not report.valid and report.path != self.path]
        lines += ["%s: %s: %s" % (printable(finding.path or self.path), finding.severity, finding.message)
                  for finding in self.findings]
        lines += ["%s: note %s: %s" % (printable(report.path), note.rule, note.message)
                  for report in self.files for note in report.notes or ()]
        return "\n".join(lines)


def check_model(folder: Union[str, "os.PathLike[str]"], *, limits: Optional[_check.Limits] = None,
                threads: Optional[int] = None, progress: bool = False, notes: bool = False) -> ModelReport:
    """Judge a model: a folder and all folders below it, one index, or one file. Each file is judged by itself; then
    what belongs to one model is compared: rules M1 to M33 of spec/index.md. So do the models of a folder with several
    indexes, or of several folders (unet/, vae/).

    Of an index that is named, it, its shards and the model in one file are judged, and no other file of its folder.
    Links to folders are not followed. Return a ModelReport; raise nothing for what is invalid or can't be read. progress:
    show a bar, if tqdm is installed. notes: look for what is suspicious about each file, as check() does.
    O(bytes of all headers and indexes).
    """
    path = os.fsdecode(folder)
    if _check.ADDRESS.match(path) and not os.path.exists(path):
        return unjudged(path, "there is no such folder: models at addresses are judged by assay.check_model_url()")
    reports = list(judge_tree(path, limits, threads, progress, notes))
    if not reports:
        return unjudged(path, NO_FILE)
    if len(reports) == 1:
        return reports[0]
    files = [one for report in reports for one in report.files]
    return ModelReport(path, _worst(reports), "%s in %s" % (_show.plural(len(files), "file"),
                                                           _show.plural(len(reports), "folder")),
                       files, [one for report in reports for one in report.findings],
                       [one for report in reports for one in report.indexes])


def unjudged(path: str, message: str) -> ModelReport:
    """Return the report of a model that was not judged."""
    return ModelReport(path, Verdict.NOT_JUDGED, message, [_report.not_judged(path, message)])


NO_FILE = "there is no *.safetensors or *.sft file in this folder or below it"


def judge_tree(path: str, limits: Optional[_check.Limits] = None, threads: Optional[int] = None,
               progress: bool = False, notes: bool = False) -> Iterator[ModelReport]:
    """Yield a ModelReport for each folder that has files, or for the one index or file that is named."""
    find = _notes.find_inside if notes else None
    if os.path.isdir(path):
        for root, names, error in walk(path):
            # Where the file system ignores case, loaders do too.
            files = LocalFiles(root, [name for name in names if name.lower().endswith(SUFFIXES)], limits, threads, find)
            folder = _Folder(root, files, progress)
            if error is not None:
                yield folder.unread(error)
                continue
            for name in names:
                if is_index(name):
                    folder.judge_index(name)
            folder.judge_beside()
            folder.judge_numbered()
            if folder.files or folder.findings or folder.indexes:
                yield folder.report()
        return
    root, name = os.path.split(path)
    if is_index(name):
        yield judge_named(name, LocalFiles(root, [], limits, threads, find), progress)
    else:
        report = _check.judge_path(path, limits, _notes.find if notes else None).only_report()
        yield of_file(report)


def of_file(report: _report.Report) -> ModelReport:
    """Return the report of a model that is one file."""
    return ModelReport(report.path or "", report.verdict, report.message, [report])


class Files(Protocol):
    """Where the files of a folder come from."""

    names: List[str]  # those that are listed

    def path_of(self, name: str) -> str:
        """Return the path of a file in reports."""

    def read(self, name: str) -> bytes:
        """Return the bytes of an index, at most one more than are allowed. Raise FileNotFoundError if there is none,
        OSError if it can't be read."""

    def expect(self, names: Iterable[str]) -> None:
        """Learn which files will be judged next."""

    def lacks(self, name: str) -> bool:
        """Whether there is certainly no such file."""

    def judge(self, name: str, listed: bool = False) -> Any:
        """Judge a file. Return MISSING or OUTSIDE if that is what is wrong with it. listed: it may be a link that leads
        out of the folder, since it is judged as a file of the folder, too."""

    def judge_many(self, names: List[str], progress: bool) -> Iterator[_report.Report]:
        """Judge files that are listed."""


def judge_named(name: str, files: Files, progress: bool) -> ModelReport:
    """Judge the model of an index, or one file."""
    if is_index(name):
        folder = _Folder(files.path_of(name), files, progress)
        folder.judge_index(name)
        return folder.report()
    judged = files.judge(name)
    if judged == MISSING:
        return unjudged(files.path_of(name), "there is no such file")
    return of_file(judged.only_report())


def judge_repository(path: str, files: Files, progress: bool) -> ModelReport:
    """Judge the model of a repository of the Hub: its index and what belongs to it, or else its model in one file."""
    folder = _Folder(path, files, progress)
    if folder.judge_index(HUB_NAME + ".index.json", required=False):
        return folder.report()
    judged = files.judge(HUB_NAME)
    if judged == MISSING:
        return unjudged(path, "the repository has neither %s.index.json nor %s: add the path of a file" % (
            HUB_NAME, HUB_NAME))
    return of_file(judged.only_report())


def walk(path: str) -> Iterator[Tuple[str, List[str], Optional[OSError]]]:
    """Yield each folder, sorted, without recursion: its path, the sorted names of its files, and the error if it can't
    be read. Links to folders are not followed."""
    todo = [path]
    while todo:
        root = todo.pop()
        names, below, failed = [], [], None
        try:
            with os.scandir(root) as entries:
                for entry in entries:
                    if not _is_folder(entry):
                        names.append(entry.name)
                    elif not entry.is_symlink():
                        below.append(entry.name)
        except OSError as error:
            failed = error
        yield root, sorted(names), failed
        todo += [os.path.join(root, name) for name in sorted(below, reverse=True)]


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself, for example: opening it says so
        return False


def is_index(name: str) -> bool:
    """Whether a file is named like an index: STEM.safetensors.index.json, or with a variant before json."""
    return INDEX_MARK in name and name.endswith(".json")


def single_name(index: str) -> Optional[str]:
    """Return the name of the file that holds the whole model of an index, with its variant."""
    if not is_index(index):
        return None
    stem, _, variant = index.partition(INDEX_MARK)
    return stem + ("" if variant == "json" else "." + variant[:-len(".json")]) + SUFFIX


def _worst(reports: Any) -> Verdict:
    """Return INVALID if one is, else NOT_JUDGED if one is not judged, else VALID."""
    verdicts = {report.verdict for report in reports}
    return next((v for v in (Verdict.INVALID, Verdict.NOT_JUDGED) if v in verdicts), Verdict.VALID)


def _is_inside(path: str, root: str) -> bool:
    """Whether a shard's path leads to a file in the folder; in a snapshot of the Hugging Face cache, also in blobs/."""
    real, base = os.path.realpath(path), os.path.realpath(root)
    blobs, _ = os.path.split(real)
    repository, name = os.path.split(blobs)
    snapshots = os.path.join(repository, "snapshots") + os.sep  # of a revision, or a folder below one
    return real.startswith(os.path.join(base, "")) or name == "blobs" and base.startswith(snapshots)


def _exists(path: str) -> Optional[bool]:
    """Whether there is such a file. None: it is unknown, and opening the file says why."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return None
    return True


class LocalFiles:
    """The files of a folder."""

    def __init__(self, root: str, names: List[str], limits: Optional[_check.Limits], threads: Optional[int],
                 find: Any) -> None:
        self.root, self.names, self.limits, self.threads, self.find = root, names, limits, threads, find

    def path_of(self, name: str) -> str:
        return os.path.join(self.root, *name.split("/"))

    def read(self, name: str) -> bytes:
        descriptor = _check.open_descriptor(self.path_of(name))
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(0, "is not a file")
            data = file.read(min(status.st_size, INDEX_MAX) + 1)
            if len(data) != min(status.st_size, INDEX_MAX + 1):
                raise OSError(0, "changed while it was read")
            return data

    def expect(self, names: Iterable[str]) -> None:
        pass

    def lacks(self, name: str) -> bool:
        path = self.path_of(name)
        return _exists(path) is False or name not in self.names and os.path.isdir(path)

    def judge(self, name: str, listed: bool = False) -> Any:
        path = self.path_of(name)
        exists = None if listed else _exists(path)  # None: opening it says what is wrong
        if exists is not None and not _is_inside(path, self.root):
            return OUTSIDE
        if exists is False:
            return MISSING
        return _check.judge_path(path, self.limits, self.find)

    def judge_many(self, names: List[str], progress: bool) -> Iterator[_report.Report]:
        return _check.judge_many([self.path_of(name) for name in names], self.threads, self.limits, progress, self.find)


class _Single:
    """The whole model of an index in one file, and how the shards differ from it: rules M29 and M30."""

    def __init__(self, path: str, view: Any) -> None:
        self.path = path
        self.tensors = {name: row[:2] for name, row in view.table().items()}  # dtype and shape
        self.left = set(self.tensors)  # those that no shard has
        self.shards = self.held = self.differ = 0
        self.tensor: Optional[str] = None  # the first that differs,
        self.shard: Optional[str] = None  # and the shard that has it

    def _count(self, name: str, shard: Optional[str]) -> None:
        if self.differ == 0:
            self.tensor, self.shard = name, shard
        self.differ += 1

    def compare(self, shard: str, view: Any) -> None:
        """Compare a valid shard."""
        self.shards += 1
        for name, row in view.table().items():
            self.left.discard(name)
            self.held += 1
            if self.tensors.get(name) != row[:2]:
                self._count(name, shard)

    def end(self, shards: int) -> List[Finding]:
        """Return the finding after the last shard. If not all could be compared: only what is certain."""
        whole = self.shards == shards
        for name in self.tensors if whole else ():
            if name in self.left:
                self._count(name, None)
        if self.differ > 0:
            return [_finding(SINGLE_DIFFERS, self.path, self.shard, None, self.tensor, self.differ,
                             self.held if whole else None, len(self.tensors))]
        return [_finding(SINGLE_BESIDE, self.path)] if whole else []


class _Folder:
    """The files of one folder, which are judged in this order: each index with what belongs to it; the files that no
    index names; sets of numbered files."""

    def __init__(self, root: str, source: Files, progress: bool) -> None:
        self.root, self.source, self.progress = root, source, progress
        self.files: List[_report.Report] = []
        self.findings: List[Finding] = []
        self.indexes: List[_report.Report] = []
        self.faults: Dict[str, _report.Report] = {}  # by the path of an index: its first file of the worst verdict
        self.first: Optional[str] = None  # the path of the first index that could be read
        self.judged: Set[str] = set()  # names of files of the folder
        self.uses: Dict[str, int] = {}  # of the files that indexes name
        self.stems: Set[str] = set()  # of the numbered shards of all indexes

    def unread(self, error: OSError) -> ModelReport:
        message = "can't be read: %s" % error.strerror
        return ModelReport(self.root, Verdict.NOT_JUDGED, message, [_report.not_judged(self.root, message)])

    def report(self) -> ModelReport:
        verdict = _worst(self.files + self.indexes)
        if any(finding.severity == "error" for finding in self.findings):
            verdict = Verdict.INVALID
        indexes = [self.with_faults(index) for index in self.indexes]
        path, message = self.root, "%s without an index" % _show.plural(len(self.files), "file")
        if len(indexes) == 1:
            path, message = indexes[0].path or "", self.indexes[0].message
        elif indexes:
            message = "%d indexes" % len(indexes)
        if verdict is not Verdict.VALID and (self.first is not None or len(indexes) != 1):
            bad = sum(not one.valid for one in self.files + self.indexes)
            errors = sum(finding.severity == "error" for finding in self.findings)
            parts = ["%s not valid" % _show.plural(bad, "file")] * (bad > 0)
            message += ": " + ", ".join(parts + [_show.plural(errors, "contradiction")] * (errors > 0))
        return ModelReport(path, verdict, message, self.files, self.findings, indexes)

    def fault(self, index: Optional[str], report: _report.Report) -> None:
        """Note that a model has a file that is not valid, or does not fit."""
        if index is not None and (index not in self.faults or report.invalid and not self.faults[index].invalid):
            self.faults[index] = report

    def with_faults(self, index: _report.Report) -> _report.Report:
        """Return the report of an index with the verdict of its model."""
        fault = self.faults.get(index.path or "")
        if fault is None or not index.valid:
            return index
        return _report.Report(index.path, fault.verdict, rule=fault.rule, rule_name=fault.rule_name, code=fault.code,
                              message="%s: %s" % (index.message, fault))

    def keep_finding(self, index: Optional[str], finding: Finding) -> None:
        """Keep a finding about a model."""
        self.findings.append(finding)
        if finding.severity == "error":
            self.fault(index, finding.report())

    def judge_index(self, name: str, required: bool = True) -> bool:
        """Judge an index and all that belongs to it. Return False if there is no such index, unless it is required."""
        path = self.source.path_of(name)
        try:
            index = _native.Index(self.source.read(name), secrets.randbits(64))
            message = "there is not enough memory for it" if 0 < index.code < _native.FIRST_RULE else ""
        except (OSError, ValueError) as error:  # ValueError: a NUL in the path
            if not required and isinstance(error, FileNotFoundError):
                return False
            message = "can't be read: %s" % (getattr(error, "strerror", None) or error)
        except MemoryError:
            message = "there is not enough memory for it"
        if message:
            self.indexes.append(_report.not_judged(path, message))
            return True
        if index.code != 0:
            self.findings.append(_finding(index.code, path, None, index.offset, index.tensor, None, index.expected,
                                          index.found))
            self.indexes.append(self.findings[-1].report())
            return True
        self.indexes.append(_report.Report(path, Verdict.VALID, code=0, message="%s in %s" % (
            _show.plural(index.tensors, "tensor"), _show.plural(index.shards, "shard"))))
        self.first = self.first or path
        shards = [(shard, number, self.source.path_of(shard)) for shard, number in index.paths()]
        self.stems.update(found[1] for found in (NUMBERED.match(shard) for shard, _, _ in shards) if found)
        single = self.judge_single(name, path, [shard for shard, _, _ in shards])
        self.source.expect(shard for shard, _, _ in shards)
        raw: List[Any] = []
        for shard, number, shown in _check.with_bar(shards, len(shards), self.progress):
            raw += self.judge_shard(index, path, shard, number, shown, single)
        raw += index.end()
        paths = {number: shown for _, number, shown in shards}
        for code, number, other, offset, tensor_count, expected, found, tensor in raw:
            self.keep_finding(path, _finding(code, paths.get(number, path), paths.get(other), offset, tensor, tensor_count,
                                           expected, found))
        for finding in [] if single is None else single.end(len(shards)):
            self.keep_finding(path, finding)
        return True

    def judge_single(self, index: str, path: str, shards: List[str]) -> Optional[_Single]:
        """Judge the file that a loader may take in place of the index, if there is one."""
        name = single_name(index)
        if name is None or shards == [name]:
            return None
        shown = self.source.path_of(name)
        if self.source.lacks(name) or not self.use(path, shown):
            return None
        self.judged.add(name)
        judged = self.source.judge(name, listed=name in self.source.names)
        if judged == OUTSIDE:
            self.files.append(_report.not_judged(shown, "a link leads out of the folder"))
        if judged in (MISSING, OUTSIDE):
            return None
        self.files.append(judged.report)
        single = None if judged.view is None else _Single(shown, judged.view)
        judged.only_report()
        return single

    def use(self, index: str, path: str) -> bool:
        """Count one more use of a file that an index names. False: it is not judged again, nor all of the index."""
        self.uses[path] = self.uses.get(path, 0) + 1
        if self.uses[path] <= USES_MOST:
            return True
        if self.indexes[-1].valid:
            self.indexes[-1] = _report.not_judged(index, "it can't be compared with a file that more than %d indexes "
                                                  "name: %s" % (USES_MOST, printable(path)))
        return False

    def judge_shard(self, index: Any, path: str, shard: str, number: int, shown: str,
                    single: Optional[_Single]) -> List[Any]:
        """Judge a shard, and return what the index says of it."""
        if not self.use(path, shown):
            return index.unread(number, 0)
        self.judged.add(shard)
        judged = self.source.judge(shard)
        if judged in (MISSING, OUTSIDE):
            return index.unread(number, judged)
        self.files.append(judged.report)
        if judged.view is None:
            self.fault(path, judged.report)
            return index.unread(number, 0)
        found = index.shard(number, judged.view)
        if single is not None:
            single.compare(shown, judged.view)
        judged.only_report()
        return found

    def judge_beside(self) -> None:
        """Judge the files that no index names; first those that are named like shards."""
        others = [name for name in self.source.names if name not in self.judged]
        extra = {name for name in others if self.first is not None and self.stem_of(name) in self.stems}
        others.sort(key=lambda name: name not in extra)
        for name in others if self.first is not None else ():
            self.keep_finding(self.first, _finding(EXTRA if name in extra else BESIDE, self.source.path_of(name)))
        self.files += self.source.judge_many(others, self.progress and not self.indexes)

    @staticmethod
    def stem_of(name: str) -> Optional[str]:
        found = NUMBERED.match(name)
        return None if found is None else found[1]

    def judge_numbered(self) -> None:
        """Look for missing files of numbered sets that are of no index: rule M31."""
        sets: Dict[Tuple[str, int], List[Tuple[int, str]]] = {}
        for name in self.source.names:
            found = NUMBERED.match(name)
            if found is not None and found[1] not in self.stems:
                number, count = (min(int(digits), NUMBER_MOST) for digits in found.group(2, 3))
                sets.setdefault((found[1], count), []).append((number, name))
        for (stem, last), parts in sorted(sets.items()):
            numbers = {number for number, _ in parts}
            first = 0 if 0 in numbers else 1
            if first == 0 and max(numbers) != last and last > 0:
                last -= 1
            missing = next((number for number in range(first, last + 1) if number not in numbers), None)
            if missing is None:
                continue
            _, name = min(parts)
            digits, _, rest = name[len(stem) + 1:].partition("-of-")
            gone = "%s-%0*d-of-%s" % (stem, len(digits), missing, rest)
            self.findings.append(_finding(PART_MISSING, self.source.path_of(gone), expected=last - first + 1,
                                          found=sum(number <= last for number in numbers)))


def _finding(code: int, path: str, other_path: Optional[str] = None, offset: Optional[int] = None,
             tensor: Optional[str] = None, count: Optional[int] = None, expected: Optional[int] = None,
             found: Optional[int] = None) -> Finding:
    rule, name, severity, title = RULES[code]
    message = "rule %s: %s" % (rule, title)
    if other_path is not None:
        message += ": %s" % printable(other_path)
    if tensor is not None:
        more = "" if not count or count == 1 else " and %d more" % (count - 1)
        message += ': tensor "%s"%s' % (_report.shortened(tensor), more)
    message += _report.numbers_text(expected, found)
    return Finding(rule, name, severity, message, path, other_path, offset, tensor, count, expected, found, code)
