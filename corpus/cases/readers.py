"""Cases: files that show bugs from public reports about readers, each in its smallest form. Each file is named for
the project and thread; origins.tsv lists the threads of its class. No file is copied from a report."""
from cases import kit
from cases.kit import A, DATA, MEASURED, SIZE, doc, good, measured, raw, t


def body(*values):
    return kit.body(*values).replace('"a"', '"w"')


def framing():
    for file, n in [("ollama-16190-largest", 2**63 - 1), ("ollama-16190-minus-1", 2**64 - 1), ("fastllm-712-wraps-to-4",
        2**64 - 1 - 4),
                    ("qvac-4595-one-gib", 2**30), ("huggingface-js-254", 10**8 + 8)]:
        raw("W2", "header_large", file, n.to_bytes(8, "little"), 0, MEASURED, origin="header-length", expected=10**8,
            found=n)
    raw("W3", "header_cut", "modelaudit-1667-length-alone", (10**8).to_bytes(8, "little"), SIZE, MEASURED,
        origin="header-length", expected=10**8 + 8, found=8)
    measured("W3", "header_cut", "stable-diffusion-cpp-1754-counts-itself", "{}      ", n=16, at=SIZE,
        origin="header-length", expected=24, found=16, note="N is the file size: 8 bytes of it are not header")
    measured("W20", "trailing", "RuView-1522-nul", doc(A) + "^^\0\0\0", 4, origin="header-padding")
    measured("W20", "trailing", "safetensors-466-metadata-behind", '{}^^,"__metadata__":{"key":"value"}}  ',
        origin="header-padding")
    measured("W20", "trailing", "lattice-1468-tab", doc(A) + "^^\t", 4, origin="header-padding", decision="D2")
    measured("W11", "start", "safetensors-775-white-space", "^^\t\n{}\r ", origin="leading-space", decision="D1")


def shapes():
    more = {"tensor": 0}
    for file, dtype, shape, offsets, data, size, found in [
        ("mlx-3363", "F32", "[1000,1000]", "[0,4]", 4, 4000000, 4), ("fastllm-712-data", "F32", "[32,8]", "[0,65536]",
        16, 1024, 65536),
        ("stable-diffusion-cpp-1396", "F64", "[4]", "[0,16]", 16, 32, 16), ("ds4-543", "F8_E4M3", "[128,128]",
        "[0,128]", 128, 16384, 128),
        ("fak-12603", "F32", "[16,32]", "[0,512]", 512, 2048, 512), ("modelaudit-1607-not-empty", "F8_E4M3", "[1]",
        "[0,0]", 0, 1, 0),
        ("RuView-1101-i32-as-i64", "I64", "[3]", "[0,12]", 12, 24, 12)]:
        measured("W57", "offsets_size", file, body('"%s"' % dtype, shape, "^^" + offsets), data, origin="size-mismatch",
            expected=size, found=found, **more)
    for file, dtype, shape, offsets in [
        ("LiteRT-9255", "F32", "[4294967296,4294967296]", "[1099511627776,1099511627776]"),
        ("stable-diffusion-cpp-1876", "F32", "[4294967296,4294967296]", "[0,0]"), ("ferrox-30", "U8",
        "[9223372036854775810,2]", "[0,4]"),
        ("nurl-471", "F32", "[4611686018427387904,4]", "[0,16]")]:
        measured("W54", "shape_overflow", file, body('"%s"' % dtype, "^^" + shape, offsets), 4, origin="shape-wrap",
            **more)
    measured("W46", "number_form", "stable-diffusion-cpp-1876-negative", body('"U8"', "[^^-4]"), 4, origin="shape-wrap",
        **more)
    measured("W46", "number_form", "stable-diffusion-cpp-1876-two-negative", body('"U8"', "[^^-2,-2]"), 4,
        origin="shape-wrap", **more)
    measured("W49", "dtype_unknown", "imp-1603", body('^^"F99"', "[1]", "[18446744073709551000,0]"), 4,
        origin="unknown-dtype", **more)
    good("modelaudit-1607-empty", doc(t("scaled_fp8", "F8_E4M3", "[0]", 0, 0), A), 4, origin="empty-tensor")
    good("vllm-1696-scalar", doc(t("a", "F32", "[]", 0, 4)), 4, origin="empty-tensor")
    good("safetensors-442-empty-of-rank-2", doc(t("a", "F32", "[2,0]", 0, 0)), 0, origin="empty-tensor")
    good("safetensors-280-two-empty", doc(t("A", "F32", "[0]", 0, 0), t("B", "F32", "[0]", 0, 0)),
        origin="empty-tensor")


def ranges():
    more = {"tensor": 0}
    for file, offsets, found in [("empty", "[^^]", 0), ("one", "[0^^]", 1)]:
        measured("W50" if found == 0 else "W51", "offsets_count", "ollama-17148-" + file, body('"U8"', "[4]", offsets),
            4, expected=2, found=found, **more)
    measured("W56", "offsets_order", "ollama-17148-inverted", body('"U8"', "[4]", "^^[8,4]"), 8, expected=8, found=4,
        **more)
    measured("W56", "offsets_order", "audio-cpp-138-inverted", doc(A, t("b", begin=4, end=0).replace("[4,0]",
        "^^[4,0]")), 8, tensor=1, expected=4, found=0)
    measured("W46", "number_form", "go-huggingface-57-negative", body("\"F32\"", "[4]", "[^^-16,0]"), 16,
        origin="offsets-inverted", **more)
    measured("W63", "truncated", "go-huggingface-57-far", body('"F32"', "[4]", "[1099511627776,1099511627792]"), 16,
        at=SIZE, expected=1099511627792, found=16, origin="range-beyond", **more)
    measured("W63", "truncated", "vmlx-swift-217-short-shard", doc(A, t("b", begin=4, end=8)), 3, at=SIZE, tensor=1,
        expected=8, found=3)
    measured("W63", "truncated", "mlverse-safetensors-14", body('"F32"', "[1073741824]", "[0,4294967296]"), 4, at=SIZE,
        expected=2**32, found=4, origin="number-border", **more)
    measured("W64", "overlap", "lattice-752-aliased", doc(t("k_proj.weight"), t("v_proj.weight")), 4, at=DATA + 0,
        tensor=1, other=0, expected=4, found=0)
    measured("W64", "overlap", "safetensors-586-tied", doc(t("lm_head.weight"), t("model.embed_tokens.weight")), 4,
        at=DATA + 0, tensor=1, other=0, expected=4, found=0)
    measured("W65", "hole", "safetensors-254-aligned", doc(t("A", "BF16", "[1]", 0, 2), t("B", "F32", "[1]", 4, 8)), 8,
        at=DATA + 2, tensor=1, other=0, expected=2, found=4, note="padding for alignment")
    good("safetensors-254-unaligned", doc(t("A", "BF16", "[1]", 0, 2), t("B", "F32", "[1]", 2, 6)), 6, origin="hole")
    measured("W66", "hole", "ComfyUI-15602-trailing", doc(A), b"abcd" + bytes(16), at=DATA + 4, other=0, expected=4,
        found=20)


def words():
    measured("W41", "type", "safetensors-278-number", '{"__metadata__":{"unquoted_int":^^0}}')
    measured("W40", "type", "safetensors-823-null", '{"__metadata__":^^null,' + A + "}", 4, decision="D3")
    measured("W41", "type", "safetensors-849-tensor-as-metadata",
        '{"__metadata__":{"dtype":"I32","shape":^^[2],"data_offsets":[0,8]}}', 8)
    measured("W31", "nul", "safetensors-748-hidden-tensor", doc(t("weight"), t("weight^^\\u0000x", begin=4, end=8)), 8,
        decision="D6")
    measured("W61", "name_twice", "safetensors-401", doc(t("key00"), "^^" + t("key00", begin=4, end=8)), 8, tensor=1,
        other=0)
    measured("W37", "member_unknown", "imp-1613-deep", '{"a":{^^"x":' + "[" * 400 + "]" * 400 + "}}", 4, tensor=0,
        origin="deep-nesting")
    measured("W39", "type", "modelaudit-244-deep", '{"a":^^' + "[" * 2000 + "]" * 2000 + "}", 4,
        tensor=0, origin="deep-nesting")
    measured("W45", "type", "deep-and-open", '{"__metadata__":^^' + "[" * 2000, origin="deep-nesting")
    measured("W53", "member_missing", "deep-objects", '{"a":{' + "^^}" + "}" * 100, tensor=0, expected=7, found=0,
        origin="deep-nesting")
    good("fastsafetensors-88-empty-metadata", '{"__metadata__":{},' + A + "}", 4, origin="refused")
    good("mediapipe-6278-name", doc(t("../../../tmp/x")), 4, origin="name-as-path")


framing()
shapes()
ranges()
words()
