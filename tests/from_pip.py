"""What a test wants of a package that Python comes without."""
import importlib
import os
import subprocess
import sys
import venv

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("B", os.path.join(ROOT, "build"))
SKIP = 77


def pip(python, *words):
    subprocess.run([python, "-m", "pip", *words, "-q"], check=True, timeout=300, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def module_or_skip(name, wanted, has=""):
    """The module, which has this attribute, as it is here; else the test begins again in a virtual environment that is
    made for it with what is wanted; if that can't be had, it ends with 77."""
    try:
        module = importlib.import_module(name)
        if not has or hasattr(module, has):
            return module
    except ImportError:
        pass
    if os.environ.get("ASSAY_VENV") == name:
        sys.exit("%s was installed but can't be imported" % name)
    where = os.path.join(BUILD, "venv-" + name)
    python = os.path.join(where, "bin", "python")
    try:
        if not os.path.exists(python):
            venv.create(where, with_pip=True)
        pip(python, "install", wanted)
    except (OSError, subprocess.SubprocessError):
        print("SKIP: %s is not there and can't be installed" % name)
        sys.exit(SKIP)
    os.environ["ASSAY_VENV"] = name
    os.execv(python, [python, *sys.argv])
