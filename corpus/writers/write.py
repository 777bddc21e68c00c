#!/usr/bin/env python3
"""Write corpus/valid/written/python-*: small files by the Python writer of the reference.

    pip install -r requirements.txt && python3 write.py DIRECTORY

The files in the corpus were made once; the writer orders metadata pairs randomly, so another run makes other bytes
with the same meaning.
"""
import os
import sys

import numpy as np
from safetensors import TensorSpec, serialize
from safetensors.numpy import save


def ramp(shape, dtype):
    return np.arange(int(np.prod(shape)), dtype=np.float64).reshape(shape).astype(dtype)


def save_raw(tensors, metadata):
    """Save tensors of types that numpy lacks: {name: (dtype in torch, shape, bytes)}."""
    data = {name: np.arange(size, dtype=np.uint8) for name, (_, _, size) in tensors.items()}
    return serialize(
        {
            name: TensorSpec(dtype=dtype, shape=shape, data_ptr=data[name].ctypes.data, data_len=size)
            for name, (dtype, shape, size) in tensors.items()
        }, metadata)


def bert():
    """Names as in torch modules."""
    tensors = {
        "bert.embeddings.position_ids": np.arange(4, dtype=np.int64).reshape(1, 4),
        "bert.embeddings.word_embeddings.weight": ramp((6, 4), np.float32)
    }
    for layer in range(2):
        stem = "bert.encoder.layer.%d." % layer
        for part in ("query", "key", "value"):
            tensors[stem + "attention.self.%s.weight" % part] = ramp((4, 4), np.float32)
            tensors[stem + "attention.self.%s.bias" % part] = ramp((4, ), np.float32)
        tensors[stem + "output.LayerNorm.weight"] = ramp((4, ), np.float32)
    return save(tensors, {"format": "pt"})


def files():
    yield "torch-names", bert()
    yield "half", save(
        {"lm_head.weight": ramp((3, 5), np.float16), "model.norm.weight": ramp((5, ), np.float16)},
        {"format": "pt"})
    # save_model of torch keeps one of two tensors that share memory, and notes the other in the metadata.
    yield "shared-tensors", save({"encoder.embed.weight": ramp((2, 3), np.float32)},
                                 {"decoder.embed.weight": "encoder.embed.weight", "format": "pt"})
    yield "non-ascii-names", save(
        {
            "слой.вес": ramp((2, ), np.float32), "層.重み": ramp((2, ), np.float64), "weights_\U0001f600": ramp(
                (3, ), np.uint8)
        }, {"автор": "Łukasz \u0007\t\""})
    yield "all-numpy-dtypes", save({
        np.dtype(d).name: ramp((2, 3), d)
        for d in (np.bool_, np.uint8, np.int8, np.uint16, np.int16, np.float16, np.uint32, np.int32,
                  np.float32, np.uint64, np.int64, np.float64, np.complex64)
    })
    yield "shapes", save({
        "scalar": np.array(3.5, np.float32), "empty": ramp((0, 7), np.float32), "rank-9": ramp(
            (1, 1, 2, 1, 1, 2, 1, 1, 1), np.int16)
    })
    yield "no-tensors", save({})
    yield "metadata-alone", save({}, {"note": "nothing here"})
    yield "metadata-empty", save({"a": ramp((2, ), np.int32)}, {})
    yield "fp8", save_raw(
        {
            "q.weight": ("float8_e4m3fn", (4, 4), 16), "k.weight": ("float8_e5m2",
                                                                    (4, 4), 16), "q.scale": ("float32",
                                                                                             (1, ), 4)
        }, {"format": "pt"})
    yield "fp4", save_raw(
        {"w.blocks": ("float4_e2m1fn_x2", (2, 16), 32), "w.scales": ("float8_e8m0fnu", (2, ), 2)},
        {"format": "pt"})
    yield "bf16", save_raw({"model.embed_tokens.weight": ("bfloat16", (3, 3), 18)}, {"format": "pt"})


def main(folder):
    for name, data in files():
        with open(os.path.join(folder, "python-%s.safetensors" % name), "wb") as f:
            f.write(data)


if __name__ == "__main__":
    main(sys.argv[1])
