"""The guard: every door of the official package, with the frameworks that load through it."""
import multiprocessing
import os
import subprocess
import sys
import threading

import numpy
import pytest
import safetensors
import safetensors.numpy
import safetensors.torch
import torch

import assay
import assay.guard


@pytest.fixture
def guard():
    yield assay.guard
    assay.guard.uninstall()


@pytest.fixture
def good(write):
    return write("good.safetensors", [("a", "U8", [1], 0, 1)], b"x")


def by_handle(path):
    with open(path, "rb") as file:
        return safetensors._safetensors_rust._safe_open_handle(file, framework="np").keys()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def framework(module):
    """Return the module of the official package for a framework; skip if that is not here."""
    return pytest.importorskip("safetensors." + module, exc_type=ImportError)


DOORS = {
    "safe_open np": lambda path: safetensors.safe_open(path, "np").keys(),
    "safe_open pt": lambda path: safetensors.safe_open(path, framework="pt", device="cpu").keys(),
    "safe_open pt, pread": lambda path: safetensors.safe_open(path, framework="pt", backend="pread").keys(),
    "safe_open flax": lambda path: framework("flax").safe_open(path, framework="flax").keys(),
    "safe_open mlx": lambda path: framework("mlx").safe_open(path, framework="mlx").keys(),
    "safe_open by bytes": lambda path: safetensors.safe_open(os.fspath(path), "np").offset_keys(),
    "_safe_open_handle": by_handle,
    "deserialize": lambda path: [name for name, _ in safetensors.deserialize(read(path))],
    "load_file numpy": lambda path: list(safetensors.numpy.load_file(path)),
    "load_file torch": lambda path: list(safetensors.torch.load_file(path)),
    "load_file torch, pread": lambda path: list(safetensors.torch.load_file(path, backend="pread")),
    "load_file flax": lambda path: list(framework("flax").load_file(path)),
    "load_file mlx": lambda path: list(framework("mlx").load_file(os.fspath(path))),
    "load numpy": lambda path: list(safetensors.numpy.load(read(path))),
    "load torch": lambda path: list(safetensors.torch.load(read(path))),
    "load flax": lambda path: list(framework("flax").load(read(path))),
    "load mlx": lambda path: list(framework("mlx").load(read(path))),
    "load_model": lambda path: load_model(path),
}


def load_model(path):
    model = torch.nn.Module()
    model.register_buffer("a", torch.zeros(1, dtype=torch.uint8))
    safetensors.torch.load_model(model, path)
    return list(model.state_dict())


@pytest.mark.parametrize("door", sorted(DOORS))
def test_doors(guard, door, good, twice):
    assert set(DOORS[door](twice)) == {"a"}, "the official package loads it"
    guard.install()
    assert list(DOORS[door](good)) == ["a"]
    with pytest.raises(safetensors.SafetensorError, match="rule G2 at byte 61") as raised:
        DOORS[door](twice)
    assert isinstance(raised.value, assay.InvalidError)


def test_keywords_pass(guard, good):
    """A keyword that this version of the official package does not know reaches it."""
    guard.install()
    with pytest.raises(TypeError, match="prefetch"):
        safetensors.safe_open(good, framework="pt", prefetch=True)
    with safetensors.safe_open(good, framework="pt", device="cpu", backend="pread") as file:
        assert file.get_tensor("a").tolist() == [120]


def test_data_of_the_judged_file(guard, write, monkeypatch):
    """The official package opens the path a second time for torch's storage: it must be the same file."""
    one = write("one.safetensors", [("a", "U8", [4], 0, 4)], b"good")
    other = write("other.safetensors", [("a", "U8", [4], 0, 4)], b"evil")
    judged = assay._check.judge_descriptor

    def exchange(*args):
        found = judged(*args)
        os.replace(other, one)
        return found

    guard.install()
    monkeypatch.setattr(assay._check, "judge_descriptor", exchange)
    assert bytes(safetensors.torch.load_file(one)["a"].tolist()) == b"good"


def test_threads(guard, good, twice):
    guard.install()
    found, barrier, before = [], threading.Barrier(8), guard.status()

    def work():
        barrier.wait()
        for _ in range(200):
            list(safetensors.torch.load_file(good))
            try:
                safetensors.torch.load_file(twice)
                found.append("loaded")
            except assay.InvalidError:
                found.append("refused")

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["refused"] * 1600
    assert [guard.status()[key] - before[key] for key in ("judged", "refused")] == [3200, 1600]


def load_in_worker(path):
    """For other processes, whose modules are imported anew: nothing here installs the guard."""
    try:
        return list(safetensors.torch.load_file(path))
    except Exception as error:
        return type(error).__name__, error.report.rule


@pytest.fixture
def switched_on(monkeypatch):
    """The start file of this environment, and the variable."""
    command = [sys.executable, "-m", "assay.guard"]
    subprocess.run(command + ["--enable"], check=True, stdout=subprocess.DEVNULL)
    monkeypatch.setenv("ASSAY_GUARD", "refuse")
    yield
    subprocess.run(command + ["--disable"], check=True)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_workers(switched_on, twice, good, method):
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(load_in_worker, [str(good), str(twice)]) == [["a"], ("SafetensorInvalidError", "G2")]


def test_data_loader(switched_on, twice):
    """Workers of torch, spawned: the error reaches the caller."""
    loader = torch.utils.data.DataLoader(Files([str(twice)]), num_workers=1, multiprocessing_context="spawn")
    with pytest.raises(Exception, match="rule G2"):
        list(loader)


class Files(torch.utils.data.Dataset):
    def __init__(self, paths):
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return safetensors.torch.load_file(self.paths[index])["a"]


RAY = """
import sys, ray, assay.guard

@ray.remote
def load(path):
    import safetensors.torch
    try:
        return list(safetensors.torch.load_file(path))
    except Exception as error:
        return str(error)

ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, configure_logging=False, runtime_env=%s)
print(ray.get([load.remote(path) for path in sys.argv[1:]]))
"""
RAY_WAYS = {"variable": '{"env_vars": {"ASSAY_GUARD": "refuse"}}',
            "hook": '{"worker_process_setup_hook": assay.guard.install}'}


@pytest.mark.parametrize("way", sorted(RAY_WAYS))
def test_ray(way, request, twice, good, tmp_path):
    pytest.importorskip("ray")
    if way == "variable":
        request.getfixturevalue("switched_on")
    program = tmp_path / "program.py"
    program.write_text(RAY % RAY_WAYS[way])
    run = subprocess.run([sys.executable, str(program), str(good), str(twice)], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, universal_newlines=True, timeout=300,
                         env=dict({k: v for k, v in os.environ.items() if k != "ASSAY_GUARD"},
                                  RAY_USAGE_STATS_ENABLED="0", RAY_ENABLE_UV_RUN_RUNTIME_ENV="0"))
    assert "['a']" in run.stdout and "rule G2 at byte 61" in run.stdout, run.stdout + run.stderr[-2000:]


def test_big_tensors(guard, tmp_path):
    """Not only headers: what is loaded under the guard is what was written."""
    tensors = {"x": torch.randn(1000, 1000), "y": torch.arange(10, dtype=torch.bfloat16)}
    safetensors.torch.save_file(tensors, tmp_path / "x.safetensors")
    guard.install()
    loaded = safetensors.torch.load_file(tmp_path / "x.safetensors")
    assert all(torch.equal(loaded[name], tensors[name]) for name in tensors)
    assert numpy.array_equal(assay.open(tmp_path / "x.safetensors")["x"].numpy(), tensors["x"].numpy())
