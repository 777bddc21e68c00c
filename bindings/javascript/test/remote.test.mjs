// Files on servers, right and wrong.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { check, NotJudgedError, open } from "assay-safetensors";
import { fileWith } from "./support.mjs";

const small = fileWith([["a", "U8", [4], [1, 2, 3, 4]]]);
const large = fileWith(Array.from({ length: 2000 }, (_, k) => [`tensor.${k}`, "U8", [4], [k, 2, 3, 4]]));

/** Answers a request for a range as a good server does. */
function range(bytes, request, response, { etag = '"1"', date = "Sat, 31 Oct 2026 00:00:00 GMT" } = {}) {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range).map(Number);
    const part = bytes.subarray(from, to + 1);
    const sent = `bytes ${from}-${from + part.length - 1}/${bytes.length}`;
    response.writeHead(206, { "content-range": sent, etag, "last-modified": date }).end(part);
}

/** Calls f with the address of a server that answers so; returns its requests. */
async function served(answer, f) {
    const requests = [], server = createServer((request, response) => {
        requests.push(request);
        answer(request, response, requests.length);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
        await f(`http://127.0.0.1:${server.address().port}/m.safetensors`);
    } finally {
        server.closeAllConnections();
        server.close();
    }
    return requests;
}

test("a small file in one request, a large header in two", async () => {
    for (const [bytes, count] of [[small, 1], [large, 2]]) {
        const requests = await served((request, response) => range(bytes, request, response), async (address) => {
            const report = await check(address);
            assert.deepEqual([report.path, report.fileBytes], [address, bytes.length]);
            assert.equal((await check(new URL(address))).tensors, report.tensors);
        });
        assert.equal(requests.length, 2 * count);
        assert.equal(requests[0].headers["accept-encoding"], "identity");
    }
});

test("tensors by ranges, of the version that was judged", async () => {
    let etag = '"1"';
    await served((request, response) => range(large, request, response, { etag }), async (address) => {
        const file = await open(address), tensor = file.tensors.get("tensor.1999");
        assert.deepEqual(await tensor.bytes(), Uint8Array.of(1999 & 255, 2, 3, 4));
        assert.deepEqual(await tensor.bytes([{ start: 1, stop: 3 }]), Uint8Array.of(2, 3));
        const data = await tensor.bytes();
        data.fill(9);
        assert.deepEqual(await tensor.bytes(), Uint8Array.of(1999 & 255, 2, 3, 4));
        etag = '"2"';
        await assert.rejects(tensor.bytes(), /has changed/);
        await file.close();
    });
});

test("another version: by its size alone, by its date alone; all of it in place of a range", async () => {
    const longer = Buffer.concat([large, Buffer.alloc(1)]);
    for (const [bytes, how] of [[longer, {}], [large, { date: "Sun, 01 Nov 2026 00:00:00 GMT" }]]) {
        await served((request, response, count) => (
            count < 3 ? range(large, request, response) : range(bytes, request, response, how)), async (address) => {
            const tensor = (await open(address)).tensors.get("tensor.1999");
            await assert.rejects(tensor.bytes(), /has changed/);
        });
    }
    await served((request, response, count) => {
        if (count < 3) {
            range(large, request, response);
        } else {
            response.writeHead(200, { "content-length": large.length, etag: '"1"' }).end(large);
        }
    }, async (address) => {
        const tensor = (await open(address)).tensors.get("tensor.1999");
        await assert.rejects(tensor.bytes(), /sends no ranges/);
    });
});

test("reading is given up later", async () => {
    const stop = new AbortController();
    await served((request, response) => range(large, request, response), async (address) => {
        const tensor = (await open(address, { signal: stop.signal })).tensors.get("tensor.1999");
        stop.abort();
        await assert.rejects(tensor.bytes(), { name: "AbortError" });
    });
});

test("a file that changes between two requests of a judgement", async () => {
    await served((request, response, count) => range(large, request, response, { etag: `"${count}"` }),
        (address) => assert.rejects(check(address), /has changed/));
});

test("a large header comes in one answer, unless a strong ETag shows that two are of one version", async () => {
    for (const [etag, from] of [['"1"', 49152], ['W/"1"', 0], [[], 0]]) {
        const requests = await served((request, response) => range(large, request, response, { etag }), check);
        assert.ok(requests[1].headers.range.startsWith(`bytes=${from}-`), requests[1].headers.range);
    }
    await served((request, response, count) => {
        const other = Buffer.from(large);
        other[0] += count; // another length
        range(other, request, response, { etag: [] });
    }, (address) => assert.rejects(check(address), /has changed/));
});

test("a server without ranges: no more than the beginning is read", async () => {
    let sent = 0;
    await served((request, response) => {
        response.writeHead(200, { "content-length": 10_000_000_000 });
        response.write(small);
        const more = () => {
            sent += 65536;
            response.write(Buffer.alloc(65536), () => sent < 1e8 && setImmediate(more));
        };
        more();
    }, async (address) => assert.rejects(check(address), { rule: "G5" }));
    assert.ok(sent < 5e7, sent);
});

test("an empty file", async () => {
    await served((request, response) => {
        response.writeHead(416, { "content-range": "bytes */0" });
        response.end();
    }, (address) => assert.rejects(check(address), { rule: "F1" }));
});

const all = `bytes 0-${small.length - 1}/${small.length}`;
const cut = (request, response) => {
    response.writeHead(206, { "content-range": all, "content-length": small.length });
    response.write(small.subarray(0, 10), () => response.destroy());
};
const answer = (status, headers, bytes = small) => (request, response) => {
    response.writeHead(status, headers);
    response.end(bytes);
};
const shifted = { "content-range": `bytes 1-${small.length - 1}/${small.length}` };
const short = { "content-range": `bytes 0-9/${small.length}` };
const WRONG = [
    ["another range", /another range/, answer(206, shifted)],
    ["a range of no size", /another range/, answer(206, { "content-range": `bytes 0-${small.length - 1}/*` })],
    ["no range", /no Content-Range/, answer(206, {})],
    ["a range that is too short", /another range/, answer(206, short, small.subarray(0, 10))],
    ["fewer bytes than the range", /sent 9 of 65 bytes/, answer(206, { "content-range": all }, small.subarray(0, 9))],
    ["a size beyond 2^53", /another range/, answer(206, { "content-range": "bytes 0-49151/9999999999999999999" })],
    ["an encoding", /encodes the file: zzz/, answer(206, { "content-range": all, "content-encoding": "zzz" })],
    ["no length", /sends no ranges/, (request, response) => response.writeHead(200).write(small, () => response.end())],
    ["not found", /status 404$/, answer(404, {})],
    ["no token", /status 401: send a token/, answer(401, {})],
    ["an error", /status 500$/, answer(500, {})],
    ["a redirection without end", /redirects more than 10 times/, (request, response) => (
        response.writeHead(302, { location: request.url }).end())],
    ["a redirection to a file", /to another scheme/, answer(302, { location: "file:///etc/passwd" })],
    ["a redirection to its data", /to another scheme/, answer(302, { location: "data:,x" })],
    ["control characters", /another range than that requested: bytes \\u\{9b\}2J$/,
        answer(206, { "content-range": "bytes \u009b2J" })],
    ["a connection that ends", /terminated: /, cut],
];
for (const [name, message, wrong] of WRONG) {
    test(`not judged: ${name}`, () => served(wrong, (address) => assert.rejects(check(address), (error) => {
        assert.match(error.message, message);
        return error instanceof NotJudgedError && error.rule === null;
    })));
}

test("no server, no address", async () => {
    for (const [address, message] of [["http://127.0.0.1:1/x", /fetch failed: .+/], ["http://", /Invalid URL/],
        [new URL("ftp://x/y"), /begins with https/], [new URL("data:,x"), /begins with https/]]) {
        await assert.rejects(check(address), { name: "NotJudgedError", message }, String(address));
    }
    for (const address of ["hf://owner", "hf://owner/model", "hf://owner/model/../../../other/x", "hf://owner/../x",
        "hf://owner/mo?del/x", "hf://owner/model@a%2F..%2F..%2Fb/x", "hf://owner/model@/x", "hf://owner/model/a//x"]) {
        await assert.rejects(check(address), { name: "NotJudgedError", message: /not the address of a file/ }, address);
    }
});

test("an address of the Hub, and a function in place of fetch", async () => {
    const asked = [];
    const fetch = async (address, { headers }) => {
        asked.push(address);
        assert.equal(headers.range, "bytes=0-49151");
        return new Response(small, { status: 206, headers: { "content-range": all } });
    };
    await check("hf://owner/model/a b/m.safetensors", { fetch });
    await check("hf://owner/model@refs%2Fpr%2F1/m#1.safetensors", { fetch });
    await check("HF://Owner/model@refs/pr/1/m.safetensors", { fetch });
    assert.deepEqual(asked, ["https://huggingface.co/owner/model/resolve/main/a%20b/m.safetensors",
        "https://huggingface.co/owner/model/resolve/refs%2Fpr%2F1/m%231.safetensors",
        "https://huggingface.co/Owner/model/resolve/refs%2Fpr%2F1/m.safetensors"]);
    const elsewhere = async (...how) => Object.defineProperty(await fetch(...how), "url", { value: "http://plain/" });
    await assert.rejects(check("https://x/m.safetensors", { fetch: elsewhere }), /redirects from https/);
    await assert.rejects(check("HTTPS://x/m.safetensors", { fetch: elsewhere }), /redirects from https/);
});

test("no step of a redirection leads from https to http", async () => {
    const own = globalThis.fetch, asked = [];
    globalThis.fetch = async (address, { redirect }) => {
        asked.push(`${address} ${redirect}`);
        const location = address.startsWith("https:") ? "http://b/" : "https://c/";
        return new Response(null, { status: 302, headers: { location } });
    };
    try {
        await assert.rejects(check("https://a/m.safetensors"), /redirects from https/);
    } finally {
        globalThis.fetch = own;
    }
    assert.deepEqual(asked, ["https://a/m.safetensors manual"]);
});

test("a judgement that is given up", async () => {
    const signal = AbortSignal.timeout(50);
    await served(() => {}, (address) => (
        assert.rejects(check(address, { signal }), { name: "NotJudgedError", message: /time/ })));
});
