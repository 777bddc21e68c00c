"""What assay says of a file, and the exceptions that say it."""
import enum
import json
from dataclasses import asdict, dataclass
from typing import Any, Dict, Optional, Tuple, TypeVar

from . import _native
from ._notes import Note


class Verdict(enum.IntEnum):
    """The numbers are the exit statuses of the program."""

    VALID = 0
    INVALID = 1
    NOT_JUDGED = 2


NAME_SHOWN = 1000  # characters of a name in a message
WORDS = ("valid", "invalid", "not judged")  # of each verdict


def _safetensors_error():
    """Return the exception of the official package, so that its callers catch ours; Exception if it is not there."""
    try:
        from safetensors import SafetensorError
    except ImportError:
        return Exception
    return SafetensorError


class AssayError(Exception):
    """A file is not valid, or was not judged. report: the Report."""

    report: Any  # a Report or a ModelReport

    def __init__(self, report: Any) -> None:
        super().__init__(str(report))
        self.report = report

    def __reduce__(self):
        return _again, (self.report,)


def _again(report):
    return exception(report.verdict)(report)


class InvalidError(AssayError):
    """A file breaks a rule."""


class NotJudgedError(AssayError):
    """A file could not be judged: it can't be read, a limit was exceeded, it is not complete."""


_Judged = TypeVar("_Judged", bound="Judged")


class Judged:
    """What has a verdict. It has no truth value, because `if check(path):` would take a file that was not judged for a
    valid one. Use `report.valid`, or `report.require()`, which raises."""

    verdict: Verdict

    def __bool__(self) -> bool:
        raise TypeError("a %s has no truth value: use .valid, or .require(), which raises" % type(self).__name__)

    @property
    def valid(self) -> bool:
        """Whether it is valid. False too if it was not judged."""
        return self.verdict is Verdict.VALID

    @property
    def invalid(self) -> bool:
        """Whether it breaks a rule. False too if it was not judged."""
        return self.verdict is Verdict.INVALID

    def require(self: _Judged) -> _Judged:
        """Return the report if it is valid, else raise InvalidError or NotJudgedError."""
        if self.verdict is Verdict.VALID:
            return self
        raise exception(self.verdict)(self)


@dataclass(frozen=True, repr=False)
class Report(Judged):
    """The verdict on one file. Its fields are those of `assay check --format json`. It has no truth value."""

    path: Optional[str]
    verdict: Verdict
    rule: Optional[str] = None  # "G2": the rule that is broken, or why the file was not judged; spec/format.md
    rule_name: Optional[str] = None  # "name_twice"
    code: Optional[int] = None  # the same as a number
    offset: Optional[int] = None  # the byte of the file at which the rule is broken
    tensor: Optional[str] = None  # the name of the tensor that is concerned
    tensor_place: Optional[int] = None  # its index in the header
    other: Optional[str] = None  # the same of another tensor or metadata key
    other_place: Optional[int] = None
    expected: Optional[int] = None  # what the rule requires, and
    found: Optional[int] = None  # what the file has
    message: str = ""
    tensors: Optional[int] = None  # count of the tensors of a valid file
    header_bytes: Optional[int] = None
    file_bytes: Optional[int] = None
    notes: Optional[Tuple[Note, ...]] = None  # of a valid file, if check(..., notes=True) has looked for them

    def to_dict(self) -> Dict[str, Any]:
        """Return a record of `assay check --format json`; what only the program finds out is null or empty."""
        notes = None if self.notes is None else [
            {"rule": note.rule, "rule_name": note.rule_name, "message": note.message} for note in self.notes]
        return dict(asdict(self), verdict=("valid", "invalid", "error")[self.verdict], kind=None, notes=notes,
                    device=None, inode=None, modified=None, changed=None, sandbox=None, fetched=None, further=[], further_left=0,
                    findings=[])

    def to_json(self) -> str:
        return json.dumps(self.to_dict())

    def __repr__(self) -> str:
        return "<assay.Report %s>" % self

    def _repr_html_(self) -> str:
        from ._show import report_html
        return report_html(self)

    def __str__(self) -> str:
        begin = "" if self.path is None else printable(self.path) + ": "
        return "%s%s: %s" % (begin, WORDS[self.verdict], self.message)


_exceptions = {}  # by the name that they have in this module


def exception(verdict):
    """Return InvalidError or NotJudgedError, as a subclass of the official SafetensorError if that can be imported."""
    base = InvalidError if verdict is Verdict.INVALID else NotJudgedError
    return base if _safetensors_error() is Exception else __getattr__("Safetensor" + base.__name__)


def __getattr__(name):
    """Return an exception that is a SafetensorError too: SafetensorInvalidError or SafetensorNotJudgedError. It has a
    name in this module, because workers of torch send the class of an exception to the main process by its name."""
    base = {"SafetensorInvalidError": InvalidError, "SafetensorNotJudgedError": NotJudgedError}.get(name)
    if base is None:
        raise AttributeError("module %r has no attribute %r" % (__name__, name))
    other = _safetensors_error()
    if other is Exception:
        return base
    made = _exceptions.get(name) or type(name, (base, other), {"__doc__": base.__doc__, "__module__": __name__})
    return _exceptions.setdefault(name, made)  # one for all threads


def printable(text):
    """Return a text without characters that a terminal obeys or that change the order of others."""
    try:
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")  # bytes of a path
    except UnicodeEncodeError:
        pass  # half a surrogate pair
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode("ascii") for c in text)


def shortened(name):
    """Return a name as it can be shown, if it is a long one only its beginning: the field of the report has all of it."""
    return printable(name[:NAME_SHOWN]) + "..." * (len(name) > NAME_SHOWN)


def numbers_text(expected, found):
    """Return " (expected 1, found 2)", without those that are None."""
    shown = ["%s %d" % pair for pair in (("expected", expected), ("found", found)) if pair[1] is not None]
    return " (%s)" % ", ".join(shown) if shown else ""


def not_judged(path, message, **fields):
    return Report(path, Verdict.NOT_JUDGED, message=message, **fields)


def of_numbers(path, head, file_bytes, out):
    """Return the Report of what the library has found in a head."""
    status, has = out[_native.STATUS], out[_native.HAS]
    if status == _native.OK:
        count, header = out[_native.TENSORS], out[_native.NEED_HEAD] - 8
        report = object.__new__(Report)  # without a call for each field; the others are the defaults of the class
        report.__dict__.update(path=path, verdict=Verdict.VALID, code=0, tensors=count, header_bytes=header,
                               file_bytes=file_bytes,
                               message="%d tensor%s, %d bytes" % (count, "" if count == 1 else "s", file_bytes))
        return report
    verdict = Verdict.INVALID if status >= _native.FIRST_RULE else Verdict.NOT_JUDGED

    def number(field, bit):
        return out[field] if has & bit else None

    def name(field, bit):
        return _native.text(head, out[field], out[field + 1]) if has & bit and out[field + 1] else None

    rule, meaning = _native.word(_native.WORD_RULE, status), _native.word(_native.WORD_MEANING, status)
    offset = number(_native.OFFSET, 1)
    tensor, other = name(_native.NAME, 2), name(_native.OTHER_NAME, 4)
    expected, found = number(_native.EXPECTED, 8), number(_native.FOUND, 16)
    message = "rule %s%s: %s" % (rule, "" if offset is None else " at byte %d" % offset, meaning)
    if tensor is not None:
        message += ': tensor "%s"' % shortened(tensor)
    if other is not None:
        message += '%s "%s"' % (" and" if tensor is not None else ":", shortened(other))
    message += numbers_text(expected, found)
    return Report(path, verdict, rule=rule, code=status, offset=offset, tensor=tensor, other=other, expected=expected,
                  found=found, message=message, tensor_place=number(_native.TENSOR, 2),
                  other_place=number(_native.OTHER, 4), file_bytes=file_bytes,
                  rule_name=_rule_name(status))


def _rule_name(status):
    name = _native.word(_native.WORD_STATUS, status)
    return (name[2:] if name.startswith("E_") else name).lower()
