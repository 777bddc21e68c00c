// A file on a server, by ranges.
import { printable } from "./errors.js";

const FIRST_BYTES = 49152; // of the first request: most headers are within
const SECONDS = 300; // of each request, and one more for each of these bytes:
const BYTES_PER_SECOND = 1 << 20;
const REDIRECTIONS_MAX = 10;
const HUB = "https://huggingface.co";
const HUB_ADDRESS = /^hf:\/\/(\w[\w.-]*\/\w[\w.-]*)(?:@(refs\/[^/]+\/[^/]+|[^/]+))?\/(.+)$/is;
const CONTENT_RANGE = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/;
let seesRedirections = false; // set by node.js: a browser follows them by itself

/** Makes each step of a redirection visible. */
export function seeRedirections() {
    seesRedirections = true;
}

/** Returns the URL of an address: hf://OWNER/MODEL[@REVISION]/PATH is on the Hugging Face Hub. */
export function addressOf(address) {
    if (!/^hf:/i.test(address)) {
        const { protocol, href } = new URL(address);
        if (protocol !== "https:" && protocol !== "http:") {
            throw new TypeError("not an address that is read here: it begins with https://, http:// or hf://");
        }
        return href;
    }
    const [, model, given = "main", path = ""] = HUB_ADDRESS.exec(address) ?? [];
    const revision = given.replace(/%2f/gi, "/"), parts = path.split("/"), all = [...revision.split("/"), ...parts];
    if (all.some((part) => part === "" || part === "." || part === "..")) {
        throw new TypeError("not the address of a file on the Hub: hf://OWNER/MODEL[@REVISION]/PATH");
    }
    return `${HUB}/${model}/resolve/${[revision, ...parts].map(encodeURIComponent).join("/")}`;
}

/** Throws if a redirection leads from https to http, or from one of them to another scheme. */
function demandScheme(from, to) {
    if (!to.startsWith("https:") && (from.startsWith("https:") || !to.startsWith("http:"))) {
        throw new Error(`the server redirects from ${from.slice(0, from.indexOf(":"))} to another scheme`);
    }
}

/** Fetches with fetch of Node, which returns each redirection. */
async function fetchByHand(address, how) {
    for (let count = 0; count <= REDIRECTIONS_MAX; count++) {
        const response = await globalThis.fetch(address, { ...how, redirect: "manual" });
        const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
        if (location === null) {
            return response;
        }
        await response.body?.cancel().catch(() => {});
        const next = new URL(location, address).href;
        demandScheme(address, next);
        address = next;
    }
    throw new Error(`the server redirects more than ${REDIRECTIONS_MAX} times`);
}

export class RemoteFile {
    #address;
    #fetch;
    #signal;
    #first;
    #version;

    constructor(address, path, { fetch, signal }) {
        this.path = path;
        this.#address = address;
        this.#fetch = fetch ?? (seesRedirections ? fetchByHand : globalThis.fetch);
        this.#signal = signal;
    }

    /** Fetches the first bytes. */
    async begin() {
        const first = new Uint8Array(FIRST_BYTES);
        const { count, size, version } = await this.#get(first, 0);
        this.#first = first.slice(0, count);
        this.size = size;
        this.#version = version;
        return this;
    }

    async fill(bytes, begin) {
        const first = this.#first.subarray(begin, begin + bytes.length);
        bytes.set(first);
        if (first.length === bytes.length) {
            return;
        }
        // Without a strong ETag, which a browser may not see, bytes of two answers could be of two versions.
        const joined = first.length === 0 || this.#version.startsWith('"');
        const wanted = joined ? bytes.subarray(first.length) : new Uint8Array(begin + bytes.length);
        const { size, version } = await this.#get(wanted, joined ? begin + first.length : 0);
        const same = joined || this.#first.subarray(0, 8).every((byte, k) => byte === wanted[k]);
        if (size !== this.size || version !== this.#version || !same) {
            throw new Error("the file on the server has changed");
        }
        if (!joined) {
            bytes.set(wanted.subarray(begin));
        }
    }

    async close() {}

    /** Fetches bytes from begin on, fewer if the file ends before. */
    async #get(bytes, begin) {
        const limit = AbortSignal.timeout(1000 * (SECONDS + Math.ceil(bytes.length / BYTES_PER_SECOND)));
        const fetch = this.#fetch; // a browser's is no method of this
        const response = await fetch(this.#address, {
            headers: { range: `bytes=${begin}-${begin + bytes.length - 1}` }, // fetch adds: accept-encoding: identity
            signal: this.#signal ? AbortSignal.any([this.#signal, limit]) : limit,
            cache: "no-store",
        });
        const reader = response.body?.getReader();
        try {
            demandScheme(this.#address, response.url || this.#address);
            const size = sizeOf(response, begin, begin + bytes.length);
            const version = `${response.headers.get("etag")}\n${response.headers.get("last-modified")}`;
            const count = Math.max(Math.min(bytes.length, size - begin), 0);
            await readBody(reader, bytes.subarray(0, count));
            return { count, size, version };
        } finally {
            await reader?.cancel().catch(() => {});
        }
    }
}

/** Fills an array with the beginning of a body, of which no more is read. */
async function readBody(reader, bytes) {
    for (let at = 0; at < bytes.length;) {
        const { done, value } = await reader?.read() ?? { done: true };
        if (done) {
            throw new Error(`the server sent ${at} of ${bytes.length} bytes`);
        }
        const part = value.subarray(0, bytes.length - at);
        bytes.set(part, at);
        at += part.length;
    }
}

/** Returns the size of the file, if the response has the bytes from begin to end - 1 of it. */
function sizeOf(response, begin, end) {
    const encoding = response.headers.get("content-encoding") ?? "identity";
    if (encoding !== "identity") {
        throw new Error(`the server encodes the file: ${printable(encoding)}`);
    }
    const { status } = response, text = response.headers.get("content-range"), found = CONTENT_RANGE.exec(text ?? "");
    if (status === 206) {
        if (text === null) {
            throw new Error("the server sends no Content-Range, or hides it: a page can read it if the server names it "
                + "in Access-Control-Expose-Headers");
        }
        const [from, to, size] = found?.slice(1).map(Number) ?? [];
        if (from !== begin || to !== Math.min(end, size) - 1) {
            throw new Error(`the server sent another range than that requested: ${printable(text)}`);
        }
        return size;
    }
    const length = response.headers.get("content-length") ?? "";
    if (status === 200 && begin === 0 && /^\d{1,15}$/.test(length)) {
        return Number(length); // the whole file: no more than its beginning is read
    }
    if (status === 416 && begin === 0 && found?.[3] === "0") {
        return 0;
    }
    throw new Error(status === 200 ? "the server sends no ranges of the file: download it, and check it then"
        : `the server responds with status ${status}${
            status === 401 || status === 403 ? ": send a token by a fetch of yours in the options" : ""}`);
}
