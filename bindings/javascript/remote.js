// A file on a server, by ranges.

const FIRST_BYTES = 49152; // of the first request: most headers are within
const SECONDS = 300; // of the judgement, and of each reading later
const HUB = "https://huggingface.co";
const HUB_ADDRESS = /^hf:\/\/([^/@]+\/[^/@]+)(?:@([^/]+))?\/(.+)$/s;
const CONTENT_RANGE = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/;

/** Returns the URL of an address: hf://OWNER/MODEL[@REVISION]/PATH is on the Hugging Face Hub. */
export function addressOf(address) {
    if (!/^hf:/i.test(address)) {
        const { protocol } = new URL(address);
        if (protocol !== "https:" && protocol !== "http:") {
            throw new TypeError("an address begins with https://, http:// or hf://");
        }
        return address;
    }
    const found = HUB_ADDRESS.exec(address);
    if (found === null) {
        throw new TypeError("this is no address of a file on the Hub: hf://OWNER/MODEL[@REVISION]/PATH");
    }
    const [, model, revision = "main", path] = found;
    const parts = [revision, ...path.split("/")].map(encodeURIComponent);
    return `${HUB}/${model}/resolve/${parts.join("/")}`;
}

export class RemoteFile {
    #address;
    #fetch;
    #signal;
    #first;
    #version;

    constructor(address, path, { fetch = globalThis.fetch, signal } = {}) {
        this.path = path;
        this.#address = address;
        this.#fetch = fetch;
        this.#signal = signal;
    }

    /** Fetches the first bytes. */
    async begin() {
        const { bytes, size, version } = await this.#get(0, FIRST_BYTES);
        this.#first = bytes;
        this.size = size;
        this.#version = version;
        return this;
    }

    async read(begin, end) {
        const first = this.#first.slice(begin, end);
        if (first.length === end - begin) {
            return first;
        }
        const { bytes, size, version } = await this.#get(begin + first.length, end);
        if (size !== this.size || version !== this.#version) {
            throw new Error("the file on the server has changed");
        }
        const all = new Uint8Array(end - begin);
        all.set(first);
        all.set(bytes, first.length);
        return all;
    }

    async close() {}

    /** Fetches the bytes from begin to end - 1, fewer if the file ends before. */
    async #get(begin, end) {
        const limit = AbortSignal.timeout(1000 * SECONDS), fetch = this.#fetch; // a browser's is no method of this
        const response = await fetch(this.#address, {
            headers: { range: `bytes=${begin}-${end - 1}` }, // fetch adds: accept-encoding: identity
            signal: this.#signal ? AbortSignal.any([this.#signal, limit]) : limit,
            cache: "no-store",
        });
        const reader = response.body?.getReader();
        try {
            const size = sizeOf(response, this.#address, begin, end);
            const version = `${response.headers.get("etag")}\n${response.headers.get("last-modified")}`;
            return { bytes: await bytesOf(reader, Math.max(Math.min(end, size) - begin, 0)), size, version };
        } finally {
            await reader?.cancel().catch(() => {});
        }
    }
}

/** Returns that many bytes of a body, of which no more is read. */
async function bytesOf(reader, count) {
    const parts = [];
    let have = 0;
    while (have < count) {
        const { done, value } = await reader?.read() ?? { done: true };
        if (done) {
            throw new Error(`the server sent ${have} of ${count} bytes`);
        }
        parts.push(value);
        have += value.length;
    }
    const all = new Uint8Array(count);
    let at = 0;
    for (const part of parts) {
        all.set(part.subarray(0, count - at), at);
        at += part.length;
    }
    return all;
}

/** Returns the size of the file, if the response has the bytes from begin to end - 1 of it. */
function sizeOf(response, address, begin, end) {
    if (address.startsWith("https:") && response.url !== "" && !response.url.startsWith("https:")) {
        throw new Error("the server redirects from https to another scheme");
    }
    const encoding = response.headers.get("content-encoding") ?? "identity";
    if (encoding !== "identity") {
        throw new Error(`the server encodes the file: ${encoding}`);
    }
    const text = response.headers.get("content-range"), found = CONTENT_RANGE.exec(text ?? "");
    if (response.status === 206) {
        if (text === null) {
            throw new Error("the server sends no Content-Range, or hides it: a page can read it if the server names it "
                + "in Access-Control-Expose-Headers");
        }
        const [from, to, size] = found?.slice(1).map(Number) ?? [];
        if (from !== begin || to !== Math.min(end, size) - 1) {
            throw new Error(`the server sent another range than that requested: ${text}`);
        }
        return size;
    }
    const length = response.headers.get("content-length") ?? "";
    if (response.status === 200 && begin === 0 && /^\d{1,15}$/.test(length)) {
        return Number(length); // the whole file: no more than its beginning is read
    }
    if (response.status === 416 && begin === 0 && found?.[3] === "0") {
        return 0;
    }
    throw new Error(response.status === 200 ? "the server sends no ranges of the file"
        : `the server responds with status ${response.status}`);
}
