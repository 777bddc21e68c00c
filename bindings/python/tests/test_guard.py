"""The guard: each door of the official package, import orders, processes."""
import os
import subprocess
import sys

import pytest

import assay
import assay.guard

numpy = pytest.importorskip("numpy")
safetensors = pytest.importorskip("safetensors")
import safetensors.numpy  # noqa: E402


@pytest.fixture
def guard():
    yield assay.guard
    assay.guard.uninstall()


@pytest.fixture
def good(write):
    return write("good.safetensors", [("x", "F32", [2], 0, 8)], numpy.array([1, 2], "float32").tobytes())


DOORS = {
    "safe_open": lambda path: safetensors.safe_open(path, framework="np").keys(),
    "load_file": lambda path: list(safetensors.numpy.load_file(path)),
    "load": lambda path: list(safetensors.numpy.load(open(path, "rb").read())),
    "deserialize": lambda path: [name for name, _ in safetensors.deserialize(open(path, "rb").read())],
}


@pytest.mark.parametrize("door", sorted(DOORS))
def test_doors(guard, door, good, twice):
    assert "a" in DOORS[door](twice), "the official package loads it"
    guard.install()
    assert DOORS[door](good) == ["x"]
    with pytest.raises(safetensors.SafetensorError, match="rule G2 at byte 61") as raised:
        DOORS[door](twice)
    assert isinstance(raised.value, assay.InvalidError) and raised.value.report.rule == "G2"
    guard.uninstall()
    assert "a" in DOORS[door](twice)


def test_warn(guard, twice):
    guard.install("warn")
    with pytest.warns(guard.InvalidFileWarning, match="G2"):
        assert "a" in DOORS["safe_open"](twice)
    with pytest.raises(ValueError):
        guard.install("often")


def test_what_callers_expect(guard, good, tmp_path):
    official = safetensors.safe_open
    guard.install()
    with pytest.raises(FileNotFoundError, match="No such file or directory: .*none"):
        safetensors.safe_open(tmp_path / "none", framework="np")
    with pytest.raises(TypeError):
        safetensors.safe_open(good, framework="np", no_such_keyword=1)
    with safetensors.safe_open(good, framework="np") as file:
        assert isinstance(file, safetensors.safe_open) and isinstance(file, official)
        assert file.get_slice("x")[1:2] == [2]
    with pytest.raises(safetensors.SafetensorError):
        with safetensors.safe_open(str(good), framework="nothing"):
            pass


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no /proc")
def test_the_judged_file_is_read(guard, good, twice, monkeypatch):
    """A file that is exchanged between the judgement and the official open changes nothing."""
    judged = assay._check.judge_descriptor

    def exchange(*args):
        found = judged(*args)
        os.replace(twice, good)
        return found

    guard.install()
    monkeypatch.setattr(assay._check, "judge_descriptor", exchange)
    assert safetensors.safe_open(good, framework="np").keys() == ["x"]


def test_install_twice_and_from_threads(guard, twice):
    import threading
    threads = [threading.Thread(target=guard.install) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with pytest.raises(assay.InvalidError):
        DOORS["safe_open"](twice)
    guard.uninstall()
    guard.uninstall()
    assert not guard.status()["hooked"]


ORDERS = {
    "before": "import assay.guard; assay.guard.install(); from safetensors import safe_open",
    "after": "from safetensors import safe_open; import assay.guard; assay.guard.install()",
    "framework": "import safetensors.numpy; import assay.guard; assay.guard.install(); "
                 "from safetensors.numpy import safe_open",
}


@pytest.mark.parametrize("order", sorted(ORDERS))
def test_import_orders(order, twice):
    code = ORDERS[order] + "\ntry:\n    safe_open(%r, 'np'); print('loaded')\nexcept Exception as e: print(type(e))" % str(twice)
    said = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
    assert "InvalidError" in said


def test_program_under_guard(twice, tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import sys, safetensors\nsafetensors.safe_open(sys.argv[1], 'np')\nprint('loaded')\n")
    command = [sys.executable, "-m", "assay.guard", str(program), str(twice)]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    assert run.returncode == 1 and "rule G2" in run.stderr and "loaded" not in run.stdout
    command.insert(3, "--warn")
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=True)
    assert "rule G2" in run.stderr and "loaded" in run.stdout


def _load(path):
    try:
        safetensors.safe_open(path, framework="np")
        return "loaded"
    except assay.InvalidError as error:
        return error.report.rule


def test_environment(twice):
    """A start file installs the guard in every process, spawned ones too."""
    code = ("import os; os.environ.get('ASSAY_GUARD') and __import__('assay.guard').guard.from_environment()\n"
            "import safetensors\ntry:\n    safetensors.safe_open(%r, 'np'); print('loaded')\n"
            "except Exception as e: print(e)" % str(twice))
    for mode, word in (("refuse", "G2"), ("off", "loaded"), ("", "loaded")):
        said = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, universal_newlines=True, check=True,
                              env=dict(os.environ, ASSAY_GUARD=mode)).stdout
        assert word in said
    run = subprocess.run([sys.executable, "-c", code], env=dict(os.environ, ASSAY_GUARD="yes"), stderr=subprocess.PIPE,
                         universal_newlines=True)
    assert run.returncode != 0 and "ASSAY_GUARD" in run.stderr


def test_plugin(guard, twice, monkeypatch):
    """The entry point warns, or refuses if ASSAY_GUARD is "refuse"."""
    monkeypatch.delenv("ASSAY_GUARD", raising=False)
    guard.plugin()
    with pytest.warns(guard.InvalidFileWarning):
        assert "a" in DOORS["safe_open"](twice)
    monkeypatch.setenv("ASSAY_GUARD", "refuse")
    guard.plugin()
    with pytest.raises(assay.InvalidError):
        DOORS["safe_open"](twice)


def test_handle(guard, good, twice):
    """The private door by an open file, if this version of the official package has it."""
    module = safetensors._safetensors_rust
    if not hasattr(module, "_safe_open_handle"):
        pytest.skip("no such door")
    guard.install()
    with open(twice, "rb") as file, pytest.raises(assay.InvalidError):
        module._safe_open_handle(file, framework="np")
    with open(good, "rb") as file:
        assert module._safe_open_handle(file, framework="np").keys() == ["x"]


def test_enable(twice):
    path = assay.guard._start_path()
    if not os.access(os.path.dirname(path), os.W_OK) or sys.prefix == sys.base_prefix:
        pytest.skip("not in a virtual environment")
    python = [sys.executable, "-m", "assay.guard"]
    try:
        subprocess.run(python + ["--enable"], check=True, stdout=subprocess.DEVNULL)
        code = "import safetensors; safetensors.safe_open(%r, 'np')" % str(twice)
        run = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, universal_newlines=True,
                             env=dict(os.environ, ASSAY_GUARD="refuse"))
        assert "rule G2" in run.stderr
    finally:
        subprocess.run(python + ["--disable"], check=True)
    assert not os.path.exists(path)


def comfyui_starts(folder):
    """Return what ComfyUI's main.py does with custom nodes before it loads anything, as a program."""
    return """
import importlib.util, os, sys
for name in os.listdir(%r):
    script = os.path.join(%r, name, "prestartup_script.py")
    try:
        spec = importlib.util.spec_from_file_location(os.path.splitext(script)[0], script)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except Exception as error:
        print("Failed to execute startup-script:", error)
    spec = importlib.util.spec_from_file_location("node", os.path.join(%r, name, "__init__.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.NODE_CLASS_MAPPINGS == {}
import safetensors
try:
    safetensors.safe_open(sys.argv[1], framework="np")
    print("loaded")
except safetensors.SafetensorError as error:
    print(error)
""" % ((str(folder),) * 3)


def test_comfyui(tmp_path, twice):
    nodes = tmp_path / "ComfyUI" / "custom_nodes"
    command = [sys.executable, "-m", "assay.guard", "--comfyui", str(tmp_path / "ComfyUI")]
    run = subprocess.run(command, stderr=subprocess.PIPE, universal_newlines=True)
    assert run.returncode == 1 and "has no folder custom_nodes: name the folder of ComfyUI" in run.stderr
    nodes.mkdir(parents=True)
    for _ in range(2):
        made = subprocess.run(command, stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout.strip()
        assert made == str(nodes / "assay-guard")
    program = comfyui_starts(nodes)
    run = subprocess.run([sys.executable, "-c", program, str(twice)], stdout=subprocess.PIPE, universal_newlines=True,
                         check=True)
    assert "rule G2" in run.stdout and "loaded" not in run.stdout
    gone = "import sys\nsys.modules['assay'] = None\n" + program
    run = subprocess.run([sys.executable, "-c", gone, str(twice)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         universal_newlines=True)
    assert run.returncode == 1 and "assay can't guard ComfyUI" in run.stderr and "loaded" not in run.stdout


AFTERWARDS = """
from safetensors.numpy import load_file
try:
    load_file(sys.argv[1])
except assay.InvalidError:
    assert assay.guard.status()["hooked"]
    print("refused")
"""
BEFORE = {
    "somebody looks for it": "importlib.util.find_spec('safetensors')",
    "a first import fails": """
path = list(sys.path)
sys.path[:] = [folder for folder in path if not os.path.isdir(os.path.join(folder, 'safetensors'))]
try:
    import safetensors
    print("it is there")
except ImportError:
    sys.path[:] = path
    importlib.invalidate_caches()
""",
    "it is found by another finder": """
class Finder:
    where = [folder for folder in sys.path if os.path.isdir(os.path.join(folder, 'safetensors'))]
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return importlib.machinery.PathFinder.find_spec(name, path or cls.where)
sys.path[:] = [folder for folder in sys.path if folder not in Finder.where]
sys.meta_path.append(Finder)
""",
    "it is imported twice": """
import safetensors
del sys.modules['safetensors']
""",
    "vLLM calls the plugin": "assay.guard.plugin()",
}


@pytest.mark.parametrize("what", sorted(BEFORE))
def test_the_guard_stays(what, twice):
    """Whatever happens between install() and the first file."""
    program = ("import importlib.machinery, importlib.util, os, sys, assay.guard\nassay.guard.install()\n" + BEFORE[what]
               + AFTERWARDS)
    environment = {name: value for name, value in os.environ.items() if name != "ASSAY_GUARD"}
    run = subprocess.run([sys.executable, "-c", program, str(twice)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         universal_newlines=True, env=environment)
    assert run.stdout == "refused\n", run.stdout


def test_two_threads(twice):
    """One imports the package while the other installs the guard: neither waits for the other for ever."""
    program = """
import importlib.machinery, os, sys, threading, time, assay.guard
assay.guard.install()
loader = importlib.machinery.SourceFileLoader
real = loader.exec_module
def slow(self, module):
    if module.__name__ == 'safetensors':
        begun.set()
        time.sleep(0.3)
    real(self, module)
loader.exec_module, begun = slow, threading.Event()
def load():
    import safetensors
threads = [threading.Thread(target=load, daemon=True)]
threads[0].start()
begun.wait()
threads.append(threading.Thread(target=assay.guard.install, daemon=True))
threads[1].start()
for thread in threads:
    thread.join(20)
print("stuck" if any(thread.is_alive() for thread in threads) else "done", flush=True)
os._exit(0)
"""
    run = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, universal_newlines=True, timeout=60)
    assert run.stdout == "done\n"


@pytest.mark.parametrize("value, mode", [("off", "None"), ("warn", "warn"), ("refuse", "refuse"), ("Refuse", "")])
def test_what_the_plugin_installs(value, mode):
    run = subprocess.run([sys.executable, "-c", "import assay.guard\nassay.guard.plugin()\nprint(assay.guard.status()['invalid'])"],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                         env=dict(os.environ, ASSAY_GUARD=value))
    assert run.stdout.strip() == mode and (run.returncode == 0) == bool(mode), run.stderr


def test_keywords_and_names(guard, good, twice):
    """The guarded functions take what the official ones take."""
    guard.install()
    assert [name for name, _ in safetensors.deserialize(bytes=good.read_bytes())] == ["x"]
    with pytest.raises(assay.InvalidError):
        safetensors.deserialize(bytes=twice.read_bytes())
    handle = getattr(safetensors._safetensors_rust, "_safe_open_handle", None)
    with open(os.open(twice, os.O_RDONLY), "rb") as file, pytest.raises(assay.InvalidError):  # its name is a number
        handle(file, "np") if handle is not None else safetensors.deserialize(twice.read_bytes())
    assert issubclass(safetensors.safe_open, safetensors.safe_open)


def test_usage(capsys):
    """An unknown option is no program."""
    for args in ([], ["--foo"], ["--comfyui"], ["-m"]):
        assert assay.guard.main(args) == 2 and "usage: python -m assay.guard" in capsys.readouterr().err
    assert assay.guard.main(["--help"]) == 0 and "usage:" in capsys.readouterr().out
