// Judges the files whose paths are the lines of standard input, with the class of docs/javascript.md: by parts, and as a
// Blob, with the same result.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Assay } from "./assay.mjs";

const assay = await Assay.load(readFileSync(new URL("assay.wasm", import.meta.url)));

const head = (length, text = "") => {
    const bytes = new Uint8Array(8 + Buffer.byteLength(text));
    new DataView(bytes.buffer).setBigUint64(0, length, true);
    bytes.set(Buffer.from(text), 8);
    return bytes;
};
const empty = '{"dtype":"U8","shape":[0],"data_offsets":[0,0]}', two = `{"a":${empty},"\uFEFFa":${empty}}`;
const marked = await assay.checkBlob(new Blob([head(BigInt(Buffer.byteLength(two)), two)]));
assert.deepEqual(marked.tensors.map(({ name }) => name).sort(), ["a", "\uFEFFa"]);
const long = await assay.check((begin, end) => head(200_000_000n).subarray(begin, end), 300_000_000); // reads 8 bytes
assert.deepEqual([long.rule, long.offset], ["F2", 0n]);
assert.throws(() => long.tensors, /F2/);
await assert.rejects(assay.check(() => new Uint8Array(8), 2 ** 53), RangeError);
await assert.rejects(assay.check(() => new Uint8Array(7), 100), /7 of 8 bytes/);

const said = ({ valid, invalid, rule, offset }) => valid ? "accept" : invalid ? `reject ${rule} ${offset}` : "error";
for (const path of readFileSync(0, "utf8").split("\n").slice(0, -1)) {
    const bytes = readFileSync(path);
    const result = await assay.check((begin, end) => bytes.subarray(begin, end), bytes.length);
    const other = await assay.checkBlob(new Blob([bytes]));
    const names = result.valid && new Set(result.tensors.map(({ name }) => name));
    const same = said(result) === said(other) && (!result.valid || names.size === other.tensors.length);
    console.log(same ? said(result) : "two results");
}
