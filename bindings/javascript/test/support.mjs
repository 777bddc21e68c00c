// What the tests share.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InvalidError, NotJudgedError } from "assay-safetensors";

export const TREE = process.env.ASSAY_TREE;

/** Returns the rows of a table with a line of names. */
export function rowsOf(path) {
    const lines = readFileSync(join(TREE, path), "utf8").trimEnd().split("\n");
    const [names, ...rows] = lines.map((line) => line.split("\t"));
    return rows.map((cells) => Object.fromEntries(names.map((name, k) => [name, cells[k]])));
}

const COLUMNS = { verdict: "verdict", code: "code", rule: "rule", name: "ruleName", offset: "offset",
    tensor: "tensorIndex", other: "otherIndex", expected: "expected", found: "found" };

/** Returns what a row of the corpus states, in the form of found. */
export function wanted(row) {
    return Object.keys(COLUMNS).map((name) => `${name}=${row[name]}`).join(" ");
}

/** Returns the same of a judgement. */
export async function found(judgement) {
    let fields = { verdict: "valid", code: 0, ruleName: "ok" };
    try {
        await judgement;
    } catch (error) {
        assert.ok(error instanceof InvalidError !== error instanceof NotJudgedError, error);
        assert.doesNotMatch(error.message, /[^\P{C} ]|[\p{Zl}\p{Zp}]/u);
        fields = Object.assign({ verdict: error instanceof InvalidError ? "invalid" : "not judged" }, error);
        if (fields.rule === null) {
            return error.message;
        }
    }
    return Object.entries(COLUMNS).map(([name, field]) => `${name}=${fields[field] ?? ""}`).join(" ");
}

/** Returns the bytes of a file with this header and these data. */
export function fileOf(header, data = []) {
    const text = new TextEncoder().encode(header), bytes = new Uint8Array(8 + text.length + data.length);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
    bytes.set(text, 8);
    bytes.set(data, 8 + text.length);
    return bytes;
}

/** Returns the bytes of a file with tensors one after the other: [name, dtype, shape, bytes]. */
export function fileWith(tensors) {
    let begin = 0;
    const members = tensors.map(([name, dtype, shape, data]) => {
        const offsets = [begin, begin += data.length];
        return `${JSON.stringify(name)}:{"dtype":"${dtype}","shape":[${shape}],"data_offsets":[${offsets}]}`;
    });
    return fileOf(`{${members}}`, tensors.flatMap(([, , , data]) => [...data]));
}
