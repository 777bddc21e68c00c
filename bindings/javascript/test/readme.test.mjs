// The examples of README.md print what they say.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

const text = readFileSync(process.env.ASSAY_README, "utf8");
const blocks = [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);
const run = (name, code) => {
    writeFileSync(name, code);
    return execFileSync("node", [name], { encoding: "utf8" });
};

test("from CommonJS", () => {
    const code = 'import("assay-safetensors").then(({ check }) => check("model.safetensors")).then(console.log)';
    assert.match(run("first.cjs", code), /tensors: 10,/);
});

test("the examples", () => {
    assert.equal(blocks.length, 3);
    const said = run("first.mjs", blocks[0]);
    assert.match(said, /^10\ntensor1\.int64 I64 \[ 3n, 2n \]\n/);
    assert.match(said, /Float32Array\(6\).*Int16Array\(3\) \[ 12, 22, 32 \] Map\(1\) \{ 'format' => 'pt' \}/s);
    assert.equal(run("second.mjs", blocks[1]), "twice.safetensors: invalid: rule G2 at byte 61: two tensors have the "
        + 'same name: tensor "a" and "a"\nrule G2 at byte 61\n');
});
