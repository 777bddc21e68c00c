// The functions of the package.
import { NO_LIMITS, OK, withCore } from "./core.js";
import { InvalidError, NotJudgedError, printable } from "./errors.js";
import { SafetensorsFile } from "./file.js";
import { kindOf, read, sourceOf, viewBytes } from "./sources.js";

const HEAD_MAX = 100_000_008; // bytes of the longest legal head: a longer one is not read, and the core says why
const LIMITS = ["maxHeader", "maxTensors", "maxRank", "maxName", "maxMetadata"];
const OPTIONS = new Set([...LIMITS, "fetch", "signal"]);

export class Report {
    constructor(path, { tensors, headerBytes }, fileBytes) {
        Object.assign(this, { path, tensors, headerBytes, fileBytes });
        Object.freeze(this);
    }
}

/** Returns the five limits of assay_flat.h. */
function limitsOf(options) {
    for (const name of Object.keys(options)) {
        if (!OPTIONS.has(name)) {
            throw new TypeError(`there is no option ${printable(name)}; the options are ${[...OPTIONS].join(", ")}`);
        }
    }
    return LIMITS.map((name, k) => {
        const limit = options[name];
        if (limit === undefined) {
            return NO_LIMITS[k];
        }
        if (!Number.isSafeInteger(limit) || limit < 0) {
            throw new RangeError(`${name} has to be a whole number, and not negative`);
        }
        return BigInt(limit);
    });
}

/** Returns the first 8 + N bytes of a file, or the first 8 if the length alone decides. */
async function readHead(source, limit) {
    const start = await read(source, 0, Math.min(8, source.size));
    if (start.length < 8) {
        return start;
    }
    const length = new DataView(start.buffer).getBigUint64(0, true), need = 8n + length;
    if (need > HEAD_MAX || need > source.size || (limit >= 0n && length > limit)) {
        return start;
    }
    const head = new Uint8Array(Number(need));
    head.set(start); // the length is read once: a file that changes meanwhile has one
    await source.fill(head.subarray(8), 8);
    return head;
}

/** Calls f. An error that is no InvalidError and no NotJudgedError becomes the cause of a NotJudgedError. */
async function judging(path, f) {
    try {
        return await f();
    } catch (error) {
        throw error instanceof InvalidError || error instanceof NotJudgedError ? error
            : new NotJudgedError(path, null, error);
    }
}

/** Judges a file by its head, and returns what f returns of the core that has its view. */
function judgeHead(path, head, size, limits, f) {
    return judging(path, () => withCore((core) => {
        if (!Number.isSafeInteger(size) || size < 0) {
            throw new RangeError("a file of 2^53 bytes or more");
        }
        if (core.judge(head, BigInt(size), limits) !== OK) {
            throw core.refusal(path);
        }
        return f(core);
    }));
}

/** Judges a file, and returns what f returns of the core that has its view, and the source. */
async function judge(file, options, f) {
    const limits = limitsOf(options);
    const path = typeof file === "string" || kindOf(file) === "URL" ? String(file) : null;
    const source = await judging(path, () => sourceOf(file, options));
    try {
        return await judging(source.path, async () => {
            options.signal?.throwIfAborted();
            const head = await readHead(source, limits[0]);
            return judgeHead(source.path, head, source.size, limits, (core) => f(core, source));
        });
    } catch (error) {
        await source.close();
        throw error;
    }
}

export function check(file, options) {
    return judge(file, options ?? {}, async (core, source) => {
        await source.close();
        return new Report(source.path, core.counts, source.size);
    });
}

export async function checkHead(head, size, options) {
    if (!ArrayBuffer.isView(head)) {
        throw new TypeError("the head has to be a Uint8Array");
    }
    if (typeof size !== "number" || !(size >= 0) || (size < 2 ** 53 && !Number.isInteger(size))) {
        throw new RangeError("the size has to be a number of bytes");
    }
    const limits = limitsOf(options ?? {}), needed = viewBytes(head).subarray(0, HEAD_MAX); // no more can be needed
    return judgeHead(null, needed, size, limits, (core) => new Report(null, core.counts, size));
}

export function open(file, options) {
    return judge(file, options ?? {}, (core, source) => {
        const report = new Report(source.path, core.counts, source.size);
        return new SafetensorsFile(report, core.tensors(), core.metadata(), source);
    });
}
