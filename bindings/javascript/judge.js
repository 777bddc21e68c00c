// The functions of the package.
import { Core, NO_LIMITS, OK } from "./core.js";
import { InvalidError, NotJudgedError } from "./errors.js";
import { SafetensorsFile } from "./file.js";
import { bytesOf, kindOf, sourceOf } from "./sources.js";

const HEAD_MAX = 100_000_008; // bytes of the longest legal head: length and header
const LIMITS = ["maxHeader", "maxTensors", "maxRank", "maxName", "maxMetadata"];
const OPTIONS = new Set([...LIMITS, "fetch", "signal"]);

export class Report {
    constructor(path, core, fileBytes) {
        const { tensors, headerBytes } = core.counts;
        Object.assign(this, { path, tensors, headerBytes, fileBytes });
        Object.freeze(this);
    }
}

/** Returns the five limits of assay_flat.h. */
function limitsOf(options) {
    for (const name of Object.keys(options)) {
        if (!OPTIONS.has(name)) {
            throw new TypeError(`there is no option ${name}: ${[...OPTIONS].join(", ")}`);
        }
    }
    return LIMITS.map((name, k) => {
        const limit = options[name];
        if (limit === undefined) {
            return NO_LIMITS[k];
        }
        if (!Number.isSafeInteger(limit) || limit < 0) {
            throw new RangeError(`${name} is a whole number from 0 on`);
        }
        return BigInt(limit);
    });
}

/** Returns the first 8 + N bytes of a file, or the first 8 if the length alone decides. */
async function readHead(source, limit) {
    const start = await source.read(0, Math.min(8, source.size));
    if (start.length < 8) {
        return start;
    }
    const length = new DataView(start.buffer, start.byteOffset).getBigUint64(0, true), need = 8n + length;
    if (need > HEAD_MAX || need > source.size || (limit >= 0n && length > limit)) {
        return start;
    }
    const head = new Uint8Array(Number(need));
    head.set(await source.read(8, head.length), 8);
    head.set(start); // the length is read once: a file that changes meanwhile has one
    return head;
}

/** Calls f; what it throws is a TypeError, an InvalidError or a NotJudgedError. */
async function judging(path, f) {
    try {
        return await f();
    } catch (error) {
        throw error instanceof InvalidError || error instanceof NotJudgedError ? error
            : new NotJudgedError(path, null, error);
    }
}

async function judgeHead(path, head, size, limits) {
    return judging(path, async () => {
        if (!Number.isSafeInteger(size) || size < 0) {
            throw new RangeError("the size of a file is a whole number below 2^53");
        }
        const core = await Core.start();
        if (core.judge(head, BigInt(size), limits) !== OK) {
            throw core.refusal(path);
        }
        return core;
    });
}

/** Judges a file, and returns its source and the core with its view. */
async function judged(file, options) {
    const limits = limitsOf(options), path = typeof file === "string" || kindOf(file) === "URL" ? String(file) : null;
    const source = await judging(path, () => sourceOf(file, options));
    try {
        const head = await judging(source.path, () => {
            options.signal?.throwIfAborted();
            return readHead(source, limits[0]);
        });
        return [source, await judgeHead(source.path, head, source.size, limits)];
    } catch (error) {
        await source.close();
        throw error;
    }
}

export async function check(file, options = {}) {
    const [source, core] = await judged(file, options);
    await source.close();
    return new Report(source.path, core, source.size);
}

export async function checkHead(head, size, options = {}) {
    if (!ArrayBuffer.isView(head)) {
        throw new TypeError("a head is a Uint8Array");
    }
    return new Report(null, await judgeHead(null, bytesOf(head).subarray(0, HEAD_MAX), size, limitsOf(options)), size);
}

export async function open(file, options = {}) {
    const [source, core] = await judged(file, options);
    try {
        return await judging(source.path, () => (
            new SafetensorsFile(new Report(source.path, core, source.size), core.tensors(), core.metadata(), source)));
    } catch (error) {
        await source.close();
        throw error;
    }
}
