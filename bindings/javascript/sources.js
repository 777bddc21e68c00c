// Where the bytes of a file come from: read(begin, end) returns a promise of exactly bytes begin to end - 1.
import { RemoteFile, addressOf } from "./remote.js";

const ADDRESS = /^(https?|hf):\/\//i;
let openPath = null; // in Node

/** Makes paths possible. */
export function setOpenPath(open) {
    openPath = open;
}

function whole(bytes, count) {
    if (bytes.byteLength !== count) {
        throw new Error(`${bytes.byteLength} of ${count} bytes could be read: the file became shorter, or its size is `
            + "wrong");
    }
    return bytes;
}

function ofBlob(blob) {
    const read = async (begin, end) => whole(new Uint8Array(await blob.slice(begin, end).arrayBuffer()), end - begin);
    return { path: typeof blob.name === "string" ? blob.name : null, size: blob.size, read };
}

function ofBytes(bytes) {
    const read = async (begin, end) => whole(bytes.slice(begin, end), end - begin);
    return { path: null, size: bytes.length, read };
}

/** Of a FileHandle of Node, which the caller closes. */
export async function ofHandle(handle, path = null) {
    const status = await handle.stat();
    if (!status.isFile()) {
        throw new Error("it is no regular file");
    }
    const read = async (begin, end) => {
        const bytes = new Uint8Array(end - begin);
        for (let at = 0; at < bytes.length;) {
            const part = Math.min(bytes.length - at, 1 << 30); // more is not read at once
            const { bytesRead } = await handle.read(bytes, at, part, begin + at);
            if (bytesRead === 0) {
                return whole(bytes.subarray(0, at), end - begin);
            }
            at += bytesRead;
        }
        return bytes;
    };
    return { path, size: status.size, read };
}

/** Returns the name of a class, also of another window or context, of which it is no instance here. */
export function kindOf(given) {
    return Object.prototype.toString.call(given).slice("[object ".length, -1);
}

/** Returns the bytes of a view. */
export function bytesOf(view) {
    return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** Returns what reads a file. close: closes what was opened here. */
export async function sourceOf(given, options) {
    const close = async () => {}, kind = kindOf(given);
    if (kind === "Blob" || kind === "File") {
        return { close, ...ofBlob(given) };
    }
    if (ArrayBuffer.isView(given)) {
        return { close, ...ofBytes(bytesOf(given)) };
    }
    if (kind === "ArrayBuffer" || kind === "SharedArrayBuffer") {
        return { close, ...ofBytes(new Uint8Array(given)) };
    }
    const isUrl = kind === "URL";
    if ((isUrl && given.protocol !== "file:") || (typeof given === "string" && ADDRESS.test(given))) {
        return new RemoteFile(addressOf(String(given)), String(given), options).begin();
    }
    if ((isUrl || typeof given === "string") && openPath !== null) {
        return openPath(given);
    }
    if (typeof given?.read === "function" && typeof given?.stat === "function") {
        return { close, ...await ofHandle(given) };
    }
    throw new TypeError(`a file is a Blob, bytes or an address${openPath === null ? "" : ", a path or a FileHandle"}`);
}
