// Time and memory of check and open for headers of a hundred million bytes: of tensors, of metadata pairs, of dims. The
// memory is that of the whole process, which also makes the header.
//
//     largest.mjs [KIND check|open]    one measurement; without arguments each of them, in a process of its own
import { execFileSync } from "node:child_process";
import { check, open } from "assay-safetensors";
import { fileOf } from "./support.mjs";

const BYTES = 99_999_000;

/** Returns the header with as many members as there is room for. */
function filled(before, member, after) {
    const members = [];
    for (let k = 0, size = before.length + after.length; size < BYTES; k++) {
        members.push(member(k));
        size += members.at(-1).length + 1;
    }
    return `${before}${members}${after}`;
}

const HEADERS = {
    tensors: () => filled("{", (k) => `"${k}":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}`, "}"),
    pairs: () => filled('{"__metadata__":{', (k) => `"${k.toString(36)}":""`, "}}"),
    dims: () => filled('{"a":{"dtype":"U8","shape":[0,', () => "1", '],"data_offsets":[0,0]}}'),
};
const [, path, kind, call] = process.argv;
if (kind === undefined) {
    for (const each of Object.keys(HEADERS)) {
        for (const how of ["check", "open"]) {
            process.stdout.write(execFileSync(process.execPath, [path, each, how]));
        }
    }
} else {
    const head = fileOf(HEADERS[kind]()), begin = performance.now();
    await (call === "check" ? check : open)(head);
    const seconds = (performance.now() - begin) / 1000, peak = process.resourceUsage().maxRSS / 1000;
    console.log(`${call}, a header of ${head.length} bytes of ${kind}: ${seconds.toFixed(1)} s, process at its peak `
        + `${Math.round(peak)} MB`);
}
