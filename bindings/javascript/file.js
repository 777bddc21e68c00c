// A valid file: its tensors, and how their data are read.
import { Core, NO_LIMITS, OK } from "./core.js";
import { printable } from "./errors.js";
import { read } from "./sources.js";

const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
const PART = 1 << 20; // bytes of a chunk
const GAP = 4096; // bytes between two runs of a slice that are read along with them
const RANK_MAX = 65536; // of a tensor that is sliced: a legal one may have fifty million dims
const AXIS = ["start", "stop", "step"];

const ARRAYS = { BOOL: Uint8Array, U8: Uint8Array, I8: Int8Array, U16: Uint16Array, I16: Int16Array, U32: Uint32Array,
    I32: Int32Array, U64: BigUint64Array, I64: BigInt64Array, F32: Float32Array, F64: Float64Array,
    F16: Uint16Array, BF16: Uint16Array };

/** Turns the elements of that many bytes each from the order of the file to that of the machine. */
function toMachineOrder(bytes, width) {
    for (let k = 0; k < bytes.length && width > 1 && !LITTLE_ENDIAN; k += width) {
        bytes.subarray(k, k + width).reverse();
    }
}

/** Returns the values of F16 elements, exactly: each is also one of a float32. */
function floatsOfF16(halves) {
    const floats = new Float32Array(halves.length);
    for (let k = 0; k < halves.length; k++) {
        const exponent = (halves[k] >> 10) & 31, fraction = halves[k] & 1023;
        const size = exponent === 31 ? (fraction === 0 ? Infinity : NaN)
            : exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
        floats[k] = halves[k] & 0x8000 ? -size : size;
    }
    return floats;
}

/** Returns the values of BF16 elements, exactly: these are the first half of the bits of a float32. */
function floatsOfBF16(halves) {
    const bits = new Uint32Array(halves.length);
    for (let k = 0; k < halves.length; k++) {
        bits[k] = halves[k] << 16;
    }
    return new Float32Array(bits.buffer);
}

/** Returns the bytes of all parts. */
function joined(parts) {
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}

export class Tensor {
    #source;

    constructor(fields, source) {
        Object.assign(this, fields);
        Object.freeze(this.shape);
        this.#source = source;
        Object.freeze(this);
    }

    get size() {
        return this.end - this.begin;
    }

    async *chunks() {
        for (let at = this.begin; at < this.end; at += PART) {
            yield await read(this.#source, at, Math.min(at + PART, this.end));
        }
    }

    async bytes(axes) {
        if (axes === undefined || (Array.isArray(axes) && axes.length === 0)) {
            return read(this.#source, this.begin, this.end);
        }
        const parts = [];
        let near = [], count = 0; // runs that are read at once: begin, end, begin, end, ...; and their bytes
        const readNear = async () => {
            const [begin] = near, bytes = await read(this.#source, begin, near.at(-1)), part = new Uint8Array(count);
            for (let k = 0, at = 0; k < near.length; at += near[k + 1] - near[k], k += 2) {
                part.set(bytes.subarray(near[k] - begin, near[k + 1] - begin), at);
            }
            parts.push(part);
            near = [];
            count = 0;
        };
        for await (const { offset, skip, bits } of this.runs(axes)) {
            if (skip !== 0 || bits % 8 !== 0) {
                throw new RangeError(`a slice of ${this.dtype} does not begin and end at bytes: use runs`);
            }
            const end = offset + bits / 8;
            if (near.length > 0 && (offset - near.at(-1) > GAP || end - near[0] > PART)) {
                await readNear();
            }
            near.push(offset, end);
            count += end - offset;
        }
        if (near.length > 0) {
            await readNear();
        }
        return joined(parts);
    }

    async array(axes) {
        const Type = ARRAYS[this.dtype];
        if (Type === undefined) {
            throw new TypeError(`JavaScript has no array of ${this.dtype}: use bytes`);
        }
        const bytes = await this.bytes(axes);
        toMachineOrder(bytes, Type.BYTES_PER_ELEMENT);
        const array = new Type(bytes.buffer, bytes.byteOffset, bytes.length / Type.BYTES_PER_ELEMENT);
        return this.dtype === "F16" ? floatsOfF16(array) : this.dtype === "BF16" ? floatsOfBF16(array) : array;
    }

    async *runs(axes = []) {
        const wanted = axesOf(this, axes), core = await Core.start();
        // The core computes a slice from a header, which is gone. So it gets one with this tensor alone.
        const text = `{"":{"dtype":"${this.dtype}","shape":[${this.shape}],"data_offsets":[0,${this.size}]}}`;
        const head = new Uint8Array(8 + text.length);
        new DataView(head.buffer).setBigUint64(0, BigInt(text.length), true);
        new TextEncoder().encodeInto(text, head.subarray(8));
        if (core.judge(head, BigInt(head.length + this.size), NO_LIMITS) !== OK) {
            throw new Error("assay.wasm does not accept a tensor that it has accepted");
        }
        yield* core.runs(wanted, BigInt(this.begin), BigInt(this.end));
    }
}

/** Returns start, stop and step of each axis. Axes that are left out are whole. */
function axesOf({ shape }, axes) {
    if (!Array.isArray(axes) || axes.length > shape.length) {
        throw new RangeError(`a slice needs an array with one axis for each dim, at most ${shape.length}, for example `
            + "[null, { start: 1 }]");
    }
    if (shape.length > RANK_MAX) {
        throw new RangeError(`a slice of a tensor of more than ${RANK_MAX} dims: read all of it`);
    }
    const number = (given, other) => {
        const value = given ?? other;
        if (typeof value !== "bigint" && !Number.isSafeInteger(value)) {
            throw new RangeError("start, stop and step are whole numbers");
        }
        const exact = BigInt(value);
        if (exact < 0n || exact >= 2n ** 64n) {
            throw new RangeError("start, stop and step are not negative, and below 2^64");
        }
        return exact;
    };
    return shape.flatMap((dim, k) => {
        const axis = axes[k] ?? {};
        const unknown = Object.keys(axis).find((key) => !AXIS.includes(key));
        if (typeof axis !== "object" || unknown !== undefined) {
            const fault = typeof axis !== "object" ? `is a ${typeof axis}` : `has "${printable(unknown)}"`;
            throw new TypeError(`axis ${k} ${fault}: pass null or { start, stop, step }, such as { start: 2, stop: 3 } `
                + "for index 2");
        }
        const { start, stop, step } = axis;
        return [number(start, 0n), number(stop, dim), number(step, 1n)];
    });
}

export class SafetensorsFile {
    #source;

    constructor(report, tensors, metadata, source) {
        this.report = report;
        this.tensors = new Map();
        this.metadata = metadata;
        for (const fields of tensors) {
            this.tensors.set(fields.name, new Tensor(fields, source));
        }
        this.#source = source;
        Object.freeze(this);
    }

    async close() {
        await this.#source.close();
    }
}
