// Where the bytes of a file come from: fill(bytes, begin) fills all of an array with the bytes of the file from begin
// on, or rejects.
import { RemoteFile, addressOf } from "./remote.js";

const ADDRESS = /^[a-z][a-z0-9+.-]+:\/\//i;
const PART = 1 << 30; // bytes that are read at once from a FileHandle, at most
let openPath = null; // set by node.js

/** Makes paths possible. */
export function setOpenPath(open) {
    openPath = open;
}

/** Reads bytes begin to end - 1, into an array of their own. */
export async function read(source, begin, end) {
    const bytes = new Uint8Array(end - begin);
    await source.fill(bytes, begin);
    return bytes;
}

/** Throws if fewer bytes could be read than were to be. */
function demandAll(count, wanted) {
    if (count !== wanted) {
        throw new Error(`${count} of ${wanted} bytes could be read: the file became shorter, or its size is wrong`);
    }
}

function copy(from, bytes) {
    demandAll(from.length, bytes.length);
    bytes.set(from);
}

function ofBlob(blob) {
    const fill = async (bytes, begin) => (
        copy(new Uint8Array(await blob.slice(begin, begin + bytes.length).arrayBuffer()), bytes));
    return { path: typeof blob.name === "string" ? blob.name : null, size: blob.size, fill };
}

function ofBytes(all) {
    const fill = async (bytes, begin) => copy(all.subarray(begin, begin + bytes.length), bytes);
    return { path: null, size: all.length, fill };
}

/** Of a FileHandle of Node, which the caller closes. */
export async function ofHandle(handle, path = null) {
    const status = await handle.stat();
    if (!status.isFile()) {
        throw new Error("not a regular file: pass a file, not a folder, pipe or device");
    }
    const fill = async (bytes, begin) => {
        for (let at = 0; at < bytes.length;) {
            const part = Math.min(bytes.length - at, PART);
            const { bytesRead } = await handle.read(bytes, at, part, begin + at);
            if (!(bytesRead >= 1 && bytesRead <= part)) {
                return demandAll(at, bytes.length);
            }
            at += bytesRead;
        }
    };
    return { path, size: status.size, fill };
}

/** Returns the name of a class, also of another window or context, of which it is no instance here. */
export function kindOf(given) {
    return Object.prototype.toString.call(given).slice("[object ".length, -1);
}

/** Returns the bytes of a view. */
export function viewBytes(view) {
    return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** Returns what reads a file. close: closes what was opened here. */
export async function sourceOf(given, options) {
    const close = async () => {}, kind = kindOf(given);
    if (kind === "Blob" || kind === "File") {
        return { close, ...ofBlob(given) };
    }
    if (ArrayBuffer.isView(given)) {
        return { close, ...ofBytes(viewBytes(given)) };
    }
    if (kind === "ArrayBuffer" || kind === "SharedArrayBuffer") {
        return { close, ...ofBytes(new Uint8Array(given)) };
    }
    if (kind === "URL" || (typeof given === "string" && ADDRESS.test(given))) {
        const address = String(given);
        return openPath !== null && /^file:/i.test(address) ? openPath(new URL(address))
            : new RemoteFile(addressOf(address), address, options).begin();
    }
    if (typeof given === "string" && openPath !== null) {
        return openPath(given);
    }
    if (typeof given?.read === "function" && typeof given?.stat === "function") {
        return { close, ...await ofHandle(given) };
    }
    throw new TypeError(complaint(given, kind));
}

/** Returns why something is not a file. */
function complaint(given, kind) {
    if (typeof given?.then === "function") {
        return "a promise is not a file: await it first";
    }
    if (typeof given === "string") {
        return "there are no paths here: an address relative to the page is new URL(path, location)";
    }
    const here = openPath === null ? "" : "a path, a FileHandle, ";
    return `${kind} is not a file: pass ${here}a Blob, bytes, or an address`;
}
