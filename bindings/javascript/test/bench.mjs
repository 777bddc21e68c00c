// The time of check and open beside JSON.parse, for headers like those of language models: the best of many runs.
import { check, open } from "assay-safetensors";
import { fileOf } from "./support.mjs";

const SECONDS = 2; // of each measurement
const NAMES = ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj",
    "mlp.up_proj", "mlp.down_proj", "input_layernorm", "post_attention_layernorm"];
const BYTES = 2048 * 2048 * 2;

/** Returns the head of a file with that many tensors, and a handle of the file, whose data are not there. */
function model(tensors) {
    const members = Array.from({ length: tensors }, (_, k) => (
        `"model.layers.${Math.floor(k / 9)}.${NAMES[k % 9]}.weight":{"dtype":"BF16","shape":[2048,2048],`
        + `"data_offsets":[${BYTES * k},${BYTES * (k + 1)}]}`));
    const head = fileOf(`{"__metadata__":{"format":"pt"},${members}}`), size = head.length + BYTES * tensors;
    return [head, {
        stat: async () => ({ size, isFile: () => true }),
        read: async (to, offset, count, position) => {
            to.set(head.subarray(position, position + count), offset);
            return { bytesRead: count };
        },
    }];
}

async function best(f) {
    let least = Infinity;
    for (const end = performance.now() + 1000 * SECONDS; performance.now() < end;) {
        const begin = performance.now();
        await f();
        least = Math.min(least, performance.now() - begin);
    }
    return least.toFixed(least < 10 ? 2 : 0).padStart(10);
}

console.log("   tensors     bytes  check, ms   open, ms  JSON.parse, ms");
for (const tensors of [257, 8258, 80590]) {
    const [head, handle] = model(tensors), text = new TextDecoder();
    const times = [await best(() => check(handle)), await best(() => open(handle)),
        await best(() => JSON.parse(text.decode(head.subarray(8))))];
    console.log(`${String(tensors).padStart(10)}${String(head.length).padStart(10)}${times.join(" ")}`);
}
