"""Models of transformers, diffusers and accelerate, random and small: under the guard they load, tampered they do not."""
import json
import os

import pytest
import safetensors
import torch

import assay
import assay.guard

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")


@pytest.fixture
def guard():
    assay.guard.install()
    yield assay.guard
    assay.guard.uninstall()


def tampered(path):
    """Give a file a second tensor with the name of the first: the official package loads it all the same."""
    with open(path, "rb") as file:
        content = file.read()
    size = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:size])
    header.pop("__metadata__", None)
    name, first = next(iter(header.items()))
    text = content[8:size].rstrip(b" ")[:-1] + b"," + json.dumps(name).encode() + b":" + json.dumps(first).encode() + b"}"
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + content[size:])
    with safetensors.safe_open(path, framework="pt") as file:
        assert name in file.keys(), "the official package still opens it"
    return name


def files_in(folder):
    return sorted(os.path.join(below, name) for below, _, names in os.walk(folder) for name in names
                  if name.endswith(".safetensors"))


def same(one, other):
    one, other = one.state_dict(), other.state_dict()
    return set(one) == set(other) and all(torch.equal(one[name], other[name]) for name in one)


def small_gpt2():
    import transformers
    config = transformers.GPT2Config(n_layer=2, n_head=2, n_embd=32, vocab_size=100, n_positions=16,
                                     bos_token_id=0, eos_token_id=0)
    torch.manual_seed(0)
    return transformers.GPT2LMHeadModel(config)


def small_unet():
    import diffusers
    torch.manual_seed(0)
    return diffusers.UNet2DModel(sample_size=8, block_out_channels=(8, 16), layers_per_block=1, norm_num_groups=4,
                                 down_block_types=("DownBlock2D", "DownBlock2D"),
                                 up_block_types=("UpBlock2D", "UpBlock2D"))


MODELS = {"transformers": small_gpt2, "diffusers": small_unet}


def refused(load):
    """The guard refuses, whatever the library makes of the exception: rule and byte are in what the user reads."""
    before = assay.guard.status()["refused"]
    with pytest.raises(Exception) as raised:
        load()
    text, error = "", raised.value
    while error is not None:
        text, error = text + str(error), error.__cause__ or error.__context__
    assert "rule G2 at byte" in text, text
    assert assay.guard.status()["refused"] == before + 1


@pytest.mark.parametrize("kind", sorted(MODELS))
def test_sharded(kind, tmp_path, guard):
    model = MODELS[kind]()
    model.save_pretrained(tmp_path, max_shard_size="30kB", safe_serialization=True)
    files = files_in(tmp_path)
    assert len(files) > 2
    assay.check_model(tmp_path).require()
    judged = guard.status()["judged"]
    loaded = type(model).from_pretrained(tmp_path, local_files_only=True)
    assert same(model, loaded) and guard.status()["judged"] >= judged + len(files)
    assay.guard.uninstall()
    tampered(files[1])
    type(model).from_pretrained(tmp_path, local_files_only=True)  # the official package sees nothing
    assert assay.check_model(tmp_path).invalid
    assay.guard.install()
    refused(lambda: type(model).from_pretrained(tmp_path, local_files_only=True))


def test_transformers_one_file(tmp_path, guard):
    model = small_gpt2()
    model.save_pretrained(tmp_path)
    assert same(model, type(model).from_pretrained(tmp_path, local_files_only=True))
    tampered_under_warning(tmp_path / "model.safetensors")
    refused(lambda: type(model).from_pretrained(tmp_path, local_files_only=True))


def tampered_under_warning(path):
    assay.guard.uninstall()
    tampered(path)
    assay.guard.install()


def test_diffusers_without_mapping(tmp_path, guard):
    """diffusers reads the bytes by itself if mapping is off: load(bytes)."""
    model = small_unet()
    model.save_pretrained(tmp_path)
    assert same(model, type(model).from_pretrained(tmp_path, disable_mmap=True))
    tampered_under_warning(files_in(tmp_path)[0])
    refused(lambda: type(model).from_pretrained(tmp_path, disable_mmap=True))


def test_diffusers_pipeline(tmp_path, guard):
    """A pipeline of several models."""
    import diffusers
    pipeline = diffusers.DDPMPipeline(unet=small_unet(), scheduler=diffusers.DDPMScheduler())
    pipeline.save_pretrained(tmp_path)
    loaded = diffusers.DDPMPipeline.from_pretrained(tmp_path, local_files_only=True)
    assert same(pipeline.unet, loaded.unet)
    tampered_under_warning(files_in(tmp_path)[0])
    refused(lambda: diffusers.DDPMPipeline.from_pretrained(tmp_path, local_files_only=True))


def test_accelerate_dispatch(tmp_path, guard):
    import accelerate
    model = small_gpt2()
    model.save_pretrained(tmp_path, max_shard_size="30kB")

    def load():
        with accelerate.init_empty_weights():
            empty = type(model)(model.config)
        empty.tie_weights()
        return accelerate.load_checkpoint_and_dispatch(empty, tmp_path, device_map={"": "cpu"})

    loaded = load()
    assert torch.equal(loaded.transformer.h[1].mlp.c_fc.weight, model.transformer.h[1].mlp.c_fc.weight)
    tampered_under_warning(files_in(tmp_path)[1])
    refused(load)


def test_accelerate_state(tmp_path, guard):
    """What a training run has saved of itself, with tied weights."""
    import accelerate
    accelerator = accelerate.Accelerator(cpu=True)
    model = accelerator.prepare(small_gpt2())
    accelerator.save_state(tmp_path)
    expected = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    accelerator.load_state(tmp_path)
    assert all(torch.equal(tensor, expected[name]) for name, tensor in model.state_dict().items())
    tampered_under_warning(files_in(tmp_path)[0])
    refused(lambda: accelerator.load_state(tmp_path))


def test_assay_model_in_transformers(tmp_path, guard):
    """What assay.torch.save_model writes, transformers loads."""
    import assay.torch
    model = small_gpt2()
    model.config.save_pretrained(tmp_path)
    assay.torch.save_model(model, tmp_path / "model.safetensors", {"format": "pt"})
    assert same(model, type(model).from_pretrained(tmp_path, local_files_only=True))
    other = small_gpt2()
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.zero_()
    assert assay.torch.load_model(other, tmp_path / "model.safetensors") == ([], [])
    assert same(model, other)
