// The corpus: all that it states of each file, and what a valid file contains.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { open as openHandle } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { check, checkHead, open } from "assay-safetensors";
import { found, rowsOf, TREE, wanted } from "./support.mjs";

const rows = rowsOf("corpus/manifest.tsv");
const pathOf = (row) => join(TREE, "corpus", row.file);

test("verdict, rule, byte and every other field, however the file is given", async () => {
    assert.ok(rows.length > 1900);
    for (const row of rows) {
        const path = pathOf(row), bytes = readFileSync(path), handle = await openHandle(path);
        const buffer = Uint8Array.from(bytes).buffer;
        for (const given of [path, pathToFileURL(path), new Blob([bytes]), bytes, buffer, handle]) {
            assert.equal(await found(check(given)), wanted(row), row.file);
        }
        assert.equal(await found(checkHead(bytes, bytes.length)), wanted(row), row.file);
        await handle.close();
    }
});

test("options.tsv", async () => {
    let left = 0;
    for (const row of rowsOf("corpus/options.tsv")) {
        const bytes = readFileSync(pathOf(row)), options = {};
        let size = bytes.length, head = bytes, possible = true;
        for (const setting of row.options.split(" ")) {
            const [name, text] = setting.split("="), number = Number(text);
            const limit = { max_header: "maxHeader", max_tensors: "maxTensors", max_rank: "maxRank",
                max_name: "maxName", max_metadata: "maxMetadata" }[name];
            if (limit !== undefined) {
                options[limit] = number;
            } else if (name === "head") {
                head = bytes.subarray(0, number);
            } else if (name === "file_size" && Number.isSafeInteger(number)) {
                size = number;
            } else {
                possible = false; // api, relax, a size beyond 2^53
            }
        }
        left += possible ? 0 : 1;
        if (possible) {
            assert.equal(await found(checkHead(head, size, options)), wanted(row), `${row.options} ${row.file}`);
        }
    }
    assert.equal(left, 5);
});

test("tensors and metadata are those that JSON.parse reads", async () => {
    let count = 0;
    for (const row of rows.filter(({ verdict }) => verdict === "valid")) {
        const bytes = readFileSync(pathOf(row)), file = await open(pathOf(row));
        const begin = 8 + file.report.headerBytes;
        const header = new Map(Object.entries(JSON.parse(bytes.subarray(8, begin).toString())));
        const metadata = header.get("__metadata__");
        header.delete("__metadata__");
        assert.deepEqual(file.metadata, metadata ? new Map(Object.entries(metadata)) : null, row.file);
        assert.equal(file.tensors.size, header.size);
        assert.equal(file.report.tensors, header.size);
        let end = begin;
        for (const [name, tensor] of file.tensors) {
            const { dtype, shape, data_offsets: [from, to] } = header.get(name);
            assert.equal(tensor.name, name);
            assert.deepEqual([tensor.dtype, tensor.shape.map(Number), tensor.begin, tensor.end, tensor.size],
                [dtype, shape, begin + from, begin + to, to - from]);
            assert.equal(tensor.begin, end);
            const bits = tensor.shape.reduce((product, dim) => product * dim, BigInt(tensor.bits));
            assert.equal(bits, 8n * BigInt(tensor.size));
            const part = bytes.subarray(tensor.begin, tensor.end);
            assert.ok(part.equals(await tensor.bytes()) && part.equals(await tensor.bytes([])), `${row.file} ${name}`);
            end = tensor.end;
            count += 1;
        }
        assert.equal(end, bytes.length);
        assert.deepEqual([...file.tensors.values()].map(({ index }) => index).sort((a, b) => a - b),
            [...file.tensors.keys()].map((_, k) => k));
        await file.close();
    }
    assert.ok(count > 300, count);
});

test("every cut of a head", async () => {
    let cuts = 0;
    for (const row of rows.filter((_, k) => k % 7 === 0)) {
        const bytes = readFileSync(pathOf(row)), last = await found(checkHead(bytes, bytes.length));
        for (let cut = 0; cut < Math.min(bytes.length, 300); cut++) {
            const head = bytes.subarray(0, cut), said = await found(checkHead(head, bytes.length));
            const need = /rule=N1 .*expected=(\d+) found=(\d+)/.exec(said);
            const [, needed, had] = need?.map(Number) ?? [];
            assert.ok(need ? needed > cut && needed <= bytes.length && had === cut : said === last,
                `${row.file} cut at ${cut}: ${said}`);
            // The file itself cut short: it is then another file, and never valid.
            const short = await found(check(head));
            assert.ok(row.verdict !== "valid" || !short.includes("verdict=valid"), `${row.file} ${cut}`);
            cuts += 1;
        }
    }
    assert.ok(cuts > 20000, cuts);
});
