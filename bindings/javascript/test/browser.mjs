// Judges a part of the corpus in a headless Chromium, and tries the page of README.md there.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { text } from "node:stream/consumers";
import { rowsOf, TREE } from "./support.mjs";

const SECONDS = 120;
const POLICY = "default-src 'self' blob:; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'";
const TYPES = { ".js": "text/javascript", ".html": "text/html" };
const PAGE = `<!doctype html><meta charset="utf-8"><iframe src="/example.html"></iframe><script type="module">
import { check, open, InvalidError } from "/node_modules/assay-safetensors/index.js";

async function judged(name) {
    const blob = await (await fetch("/corpus/" + name)).blob();
    try {
        const { tensors } = await check(blob), file = await open(new URL("/corpus/" + name, location));
        for (const tensor of file.tensors.values()) {
            const own = new Uint8Array(await blob.slice(tensor.begin, tensor.end).arrayBuffer());
            if ((await tensor.bytes()).some((byte, k) => byte !== own[k])) {
                return "other bytes";
            }
        }
        return file.tensors.size === tensors ? "valid" : "other tensors";
    } catch (error) {
        return error instanceof InvalidError ? error.rule + " " + error.offset : error.message;
    }
}

/** Chooses a file in the page of README.md, and returns what it says. */
async function chosen(name) {
    const page = document.querySelector("iframe").contentDocument, files = new DataTransfer();
    files.items.add(new File([await (await fetch(name)).blob()], "a file"));
    page.getElementById("chosen").files = files.files;
    page.getElementById("verdict").textContent = "";
    page.getElementById("chosen").dispatchEvent(new Event("change"));
    while (page.getElementById("verdict").textContent === "") {
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return page.getElementById("verdict").textContent;
}

const said = [];
for (const name of (await (await fetch("/names")).text()).split("\\n")) {
    said.push(await judged(name));
}
const path = await check("a path").catch((error) => error.message);
const example = [await chosen("/model.safetensors"), await chosen("/twice.safetensors")];
await fetch("/said", { method: "POST", body: JSON.stringify({ said, path, example }) });
</script>`;

function answer(request, response, bytes, kind) {
    const type = TYPES[kind] ?? "text/plain", last = bytes.length - 1;
    const [, begin, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    if (begin === undefined) {
        response.writeHead(200, { "content-type": type, "content-security-policy": POLICY }).end(bytes);
    } else if (bytes.length === 0) {
        response.writeHead(416, { "content-range": "bytes */0" }).end();
    } else {
        const to = Math.min(Number(end), last), range = `bytes ${begin}-${to}/${bytes.length}`;
        response.writeHead(206, { "content-type": type, "content-range": range });
        response.end(bytes.subarray(Number(begin), to + 1));
    }
}

const rows = rowsOf("corpus/manifest.tsv").filter((_, k) => k % 4 === 0);
const example = /^```html\n(.*?)^```/ms.exec(readFileSync(process.env.ASSAY_README, "utf8"))[1];
const names = rows.map(({ file }) => file).join("\n");
const made = { "/": PAGE, "/example.html": example, "/names": names, "/favicon.ico": "" };
const profile = mkdtempSync(join(tmpdir(), "assay-"));
const found = await new Promise((resolve, reject) => {
    const server = createServer(async (request, response) => {
        const path = decodeURIComponent(request.url);
        const file = path.startsWith("/corpus/") ? join(TREE, path) : `.${path}`;
        if (path === "/said") {
            resolve(JSON.parse(await text(request)));
        }
        const bytes = path === "/said" ? "" : made[path] ?? readFileSync(file);
        answer(request, response, Buffer.from(bytes), path === "/" ? ".html" : extname(path));
    });
    server.listen(0, "127.0.0.1", () => {
        const chromium = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`,
            `http://127.0.0.1:${server.address().port}/`], { stdio: "ignore" });
        process.on("exit", () => chromium.kill("SIGKILL"));
        chromium.on("error", reject);
        setTimeout(() => reject(new Error(`the page has not answered in ${SECONDS} s`)), 1000 * SECONDS);
    });
});
rmSync(profile, { recursive: true, force: true, maxRetries: 9 });
const right = rows.map(({ verdict, rule, offset }) => (verdict === "valid" ? "valid" : `${rule} ${offset}`));
assert.deepEqual(found.said, right);
assert.match(found.path, /not judged: there are no paths here/);
assert.deepEqual(found.example, ["valid: 10 tensors",
    'a file: invalid: rule G2 at byte 61: two tensors have the same name: tensor "a" and "a"']);
console.log(`# pass ${right.length}`);
process.exit(0);
