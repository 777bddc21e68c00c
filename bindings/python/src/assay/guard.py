"""assay in front of the official package: every file is judged before `safetensors` reads it.

    import assay.guard
    assay.guard.install()          # or: python -m assay.guard PROGRAM ARGS...

`safe_open`, `load_file`, `load(bytes)` of all frameworks pass through three functions of `safetensors`. Each
judges first. A file that is not valid is refused by an exception that is a SafetensorError. A valid one is read by the
official code from the same open file, so that nobody can exchange it in between. (Somebody who has the file open for
writing can still change it; on Windows, it is opened again by its path. Code of this process can remove the guard: a
finder that it puts in front of sys.meta_path later, for example.)

Without a changed line: `python -m assay.guard --enable` makes every start of this Python install the guard if the
environment variable ASSAY_GUARD is "refuse" or "warn". vLLM finds it by its plugin entry point.
"""
import functools
import importlib
import importlib.abc
import os
import sys
import threading
import warnings
from typing import Any, Dict, Optional

from . import _check, _report

REFUSE, WARN = "refuse", "warn"
MODULE = "safetensors._safetensors_rust"  # has the functions that are guarded
_lock = threading.RLock()
_state = {"invalid": None, "unjudged": None, "judged": 0, "refused": 0}
_originals = {}  # the name of a function of safetensors: the official one, and ours


class InvalidFileWarning(UserWarning):
    """A file that is not valid was read all the same: the guard is in the mode "warn"."""


def install(mode: str = REFUSE, unjudged: Optional[str] = None) -> None:
    """Put the guard in front of `safetensors`, now or as soon as it is imported. Calls may repeat; the last one counts.

    mode: "refuse" or "warn", for files that are invalid. unjudged: the same for files that could not be judged; by
    default as mode. A path that can't be opened is left to the official package, whose error the caller expects.
    """
    unjudged = mode if unjudged is None else unjudged
    if mode not in (REFUSE, WARN) or unjudged not in (REFUSE, WARN):
        raise ValueError('a mode is "refuse" or "warn"')
    if "safetensors" in sys.modules:
        try:  # without the lock: another thread may be importing it, and wait for the lock in the end
            importlib.import_module(MODULE)
        except ImportError:
            pass
    with _lock:
        _state.update(invalid=mode, unjudged=unjudged)
        _hook()
        if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
            sys.meta_path.insert(0, _Finder())  # it stays: a first import may fail, or the package be imported again


def uninstall() -> None:
    """Put the official functions back, wherever ours are."""
    with _lock:
        sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]
        _replace({id(ours): official for official, ours in _originals.values()})
        _originals.clear()
        _state.update(invalid=None, unjudged=None)


def status() -> Dict[str, Any]:
    """Return a dict: the modes ("invalid", "unjudged"; None: not installed), whether the functions are hooked, and how
    many files this process has judged and refused."""
    return dict(_state, hooked=bool(_originals))


def _decide(report):
    mode = _state["invalid" if report.invalid else "unjudged"]
    with _lock:
        _state["judged"] += 1
        _state["refused"] += not report.valid and mode == REFUSE
    if report.valid:
        return
    if mode == REFUSE:
        report.require()
    elif mode is not None:
        warnings.warn("assay: %s" % report, InvalidFileWarning, stacklevel=4)


@functools.lru_cache(maxsize=None)
def _descriptor_folder():
    """Return the folder in which this process finds its open files, or None."""
    return next((folder for folder in ("/proc/self/fd", "/dev/fd") if os.path.isdir(folder)), None)


def _own_path(descriptor):
    """Return a path by which this process can open the same file again, or None."""
    folder = _descriptor_folder()
    return None if folder is None else "%s/%d" % (folder, descriptor)


class _Guarded(type):
    """So that isinstance(x, safe_open) holds for what the official class has made."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, cls.official)

    def __subclasscheck__(cls, other):
        return other is cls or issubclass(other, cls.official)


def guard_open(official, decide=_decide):
    """Return a class in place of safe_open. decide(report) raises if the file is to be refused."""
    def new(cls, filename, *args, **kwargs):
        try:
            path = os.fspath(filename)
            descriptor = _check.open_descriptor(path)
        except (OSError, TypeError, ValueError):
            official(filename, *args, **kwargs)  # raises what its callers expect
            raise RuntimeError("assay: %r could not be opened, but the official package has opened it" % (filename,))
        try:
            decide(_check.judge_descriptor(descriptor, None, os.fsdecode(path)).only_report())
            same = _own_path(descriptor)
            try:
                return official(filename if same is None else same, *args, **kwargs)
            except Exception as error:
                if same is not None and same in str(error):
                    raise _renamed(error, same, os.fsdecode(path)) from None
                raise
        finally:
            os.close(descriptor)

    # The name and module of the official class: pickles and messages show no difference.
    return _Guarded(official.__name__, (), {"__new__": new, "official": official, "__doc__": official.__doc__,
                                            "__module__": official.__module__, "__qualname__": official.__qualname__})


def _renamed(error, same, path):
    """Return an error with the path of the caller in its text."""
    try:
        return type(error)(*(a.replace(same, path) if isinstance(a, str) else a for a in error.args))
    except Exception:
        return error


def guard_bytes(official, decide=_decide):
    """Return a function in place of one that reads bytes."""
    @functools.wraps(official)
    def read(*args, **kwargs):
        for data in (*args[:1], *kwargs.values()):
            data = data if isinstance(data, (bytes, bytearray, memoryview)) else bytes(data)
            decide(_check.judge(data).only_report())
        return official(*args, **kwargs)
    return read


def _guard_handle(official):
    @functools.wraps(official)
    def _safe_open_handle(f, *args, **kwargs):
        name = getattr(f, "name", None)  # a number, if it was opened by its descriptor
        _decide(_check.judge_descriptor(f.fileno(), None, name if isinstance(name, str) else None).only_report())
        return official(f, *args, **kwargs)
    return _safe_open_handle


def official(name):
    """Return a function of the official package, without the guard."""
    from safetensors import _safetensors_rust as module
    with _lock:
        return _originals[name][0] if name in _originals else getattr(module, name)


GUARDS = {"safe_open": guard_open, "deserialize": guard_bytes, "_safe_open_handle": _guard_handle}


def _hook():
    """Replace the official functions, in whatever module they are, if the package is there. Nothing is imported here: the
    lock is held."""
    module = sys.modules.get(MODULE)
    if module is None:
        return
    for name, guarded in GUARDS.items():
        official = getattr(module, name, None)
        if official is not None and not any(official is known for known in _originals.get(name, ())):
            _originals[name] = official, guarded(official)
    _replace({id(official): ours for official, ours in _originals.values()})


def _replace(by_identity):
    for module in list(sys.modules.values()):
        names = getattr(module, "__dict__", None)
        if not isinstance(names, dict) or names is globals():
            continue
        for name, value in list(names.items()):
            if id(value) in by_identity:
                names[name] = by_identity[id(value)]


class _Finder(importlib.abc.MetaPathFinder):
    """Hooks the official package whenever it is imported. To look for it (importlib.util.find_spec) changes nothing."""

    def find_spec(self, name, path=None, target=None):
        if name != "safetensors":
            return None
        for finder in sys.meta_path:
            find = None if isinstance(finder, _Finder) else getattr(finder, "find_spec", None)
            spec = None if find is None else find(name, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(spec.loader)
                return spec
        return None


class _Loader(importlib.abc.Loader):
    def __init__(self, loader):
        self._loader = loader

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        with _lock:
            if _state["invalid"] is not None:
                _hook()

    def __getattr__(self, name):
        return getattr(self._loader, name)


# ---- Without a changed line ------------------------------------------------------------------------------------------

START_FILE = "assay_guard.pth"
START_LINE = "import os; os.environ.get('ASSAY_GUARD') and __import__('assay.guard').guard.from_environment()\n"


def from_environment():
    """Install the guard as ASSAY_GUARD says: "refuse" or "warn"; anything else but "" and "off" is an error, since a
    guard that was asked for and is not there would be believed in."""
    mode = _mode()
    if mode in (REFUSE, WARN):
        install(mode)


def _mode():
    mode = os.environ.get("ASSAY_GUARD", "")
    if mode not in (REFUSE, WARN, "", "off"):
        raise SystemExit('assay: ASSAY_GUARD is %r: use "refuse", "warn" or "off"' % mode)
    return mode


def plugin():
    """The entry point for vLLM, which calls it in every process: as ASSAY_GUARD says, by default "warn". A guard that was
    installed before stays as it is, unless ASSAY_GUARD is "refuse"."""
    mode = _mode()
    if mode == REFUSE:
        install(REFUSE)
    elif mode != "off" and _state["invalid"] is None:
        install(WARN)


COMFYUI = {
    "prestartup_script.py": """# ComfyUI runs this before it loads anything: from here on, assay judges every safetensors file first.
# ComfyUI goes on without a script that fails. This one stops it, since the guard would be believed in.
try:
    import assay.guard
    assay.guard.install()
except Exception as error:
    raise SystemExit("assay can't guard ComfyUI: %s: pip install assay-safetensors, or remove this folder" % error)
""",
    "__init__.py": """# No nodes: prestartup_script.py is what is used.
NODE_CLASS_MAPPINGS = {}
""",
}


def comfyui(folder):
    """Make the folder custom_nodes/assay-guard of a ComfyUI; return its path."""
    nodes = os.path.join(folder, "custom_nodes")
    if not os.path.isdir(nodes):
        raise SystemExit("%s: has no folder custom_nodes: name the folder of ComfyUI" % _report.printable(folder))
    path = os.path.join(nodes, "assay-guard")
    os.makedirs(path, exist_ok=True)
    for name, text in COMFYUI.items():
        with open(os.path.join(path, name), "w", encoding="utf-8") as file:
            file.write(text)
    return path


def _start_path():
    import sysconfig
    return os.path.join(sysconfig.get_path("purelib"), START_FILE)


def main(args):
    """usage: python -m assay.guard [--warn] PROGRAM ARGS...
       python -m assay.guard --enable | --disable
       python -m assay.guard --comfyui FOLDER

Run a Python program, a file or -m MODULE, with the guard installed. --enable: from now on every start of this Python
installs it if the environment variable ASSAY_GUARD is "refuse" or "warn"; --disable takes that back. --comfyui: make a
folder of custom nodes in a ComfyUI that installs it whenever it starts."""
    if args[:1] == ["--enable"]:
        with open(_start_path(), "w", encoding="utf-8") as file:
            file.write(START_LINE)
        print("set ASSAY_GUARD=refuse or ASSAY_GUARD=warn; %s" % _start_path())
        return 0
    if args[:1] == ["--comfyui"] and len(args) == 2:
        print(comfyui(args[1]))
        return 0
    if args[:1] == ["--disable"]:
        if os.path.exists(_start_path()):
            os.remove(_start_path())
        return 0
    mode = WARN if args[:1] == ["--warn"] else REFUSE
    args = args[1:] if args[:1] == ["--warn"] else args
    if args[:1] in (["-h"], ["--help"]):
        print(main.__doc__)
        return 0
    if not args or args == ["-m"] or args[0].startswith("-") and args[0] != "-m":
        print(main.__doc__, file=sys.stderr)
        return 2
    import runpy
    install(mode)
    if args[0] == "-m" and len(args) > 1:
        sys.argv[:] = args[1:]
        runpy.run_module(args[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv[:] = args
        sys.path.insert(0, os.path.dirname(os.path.abspath(args[0])))
        runpy.run_path(args[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    from assay.guard import main as run  # the module that others import, not this copy of it
    sys.exit(run(sys.argv[1:]))
