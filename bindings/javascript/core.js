// The core and its flat interface, include/assay_flat.h, as WebAssembly. It imports nothing and allocates nothing: this
// file lays out its memory.
import { InvalidError, NotJudgedError } from "./errors.js";
import { WASM } from "./wasm.js"; // assay.wasm in base64: made by pack.py

// As in assay_flat.h; a test compares them. Numbers of 8 bytes:
export const FLAT = {
    API: 1, OUT: 21, STATUS: 0, OFFSET: 1, TENSOR: 2, OTHER: 3, EXPECTED: 4, FOUND: 5, HAS: 6, NAME: 7, OTHER_NAME: 9,
    NEED_HEAD: 11, TENSORS: 12, PAIRS: 13, ARENA: 14, METADATA: 18,
    ROW: 9, ROW_INDEX: 0, ROW_BEGIN: 1, ROW_END: 2, ROW_DTYPE: 3, ROW_BITS: 4, ROW_RANK: 5, ROW_NAME: 6,
    PAIR: 4,
};
export const HAS = { OFFSET: 1n, TENSOR: 2n, OTHER: 4n, EXPECTED: 8n, FOUND: 16n };
const WORD = { STATUS: 0, RULE: 1, MEANING: 2, DTYPE: 3 };
const PAIR_VALUE = 2;
export const SLICE = { STATE: 40, AXIS: 56 }; // bytes
export const OK = 0, FIRST_RULE = 32; // statuses
export const NO_LIMITS = [-1n, -1n, -1n, -1n, -1n];

const WORD_BYTES_MAX = 4096;
const ROWS_AT_ONCE = 4096, RUNS_AT_ONCE = 256, RUNNING_MAX = 16;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }); // a name may begin with a byte order mark
const PAGE = 65536;

let compiled;
let dtypes = null; // the names of all dtypes

/** Compiles the module, once. */
function compile() {
    compiled ??= WebAssembly.compile(Uint8Array.from(atob(WASM), (letter) => letter.charCodeAt(0))).catch((error) => {
        compiled = undefined; // the next call tries again
        throw error;
    });
    return compiled;
}

let running = 0;
const waiting = [];

/** Returns what f returns of a new core. Not many run at a time: each reserves gigabytes of addresses. */
export async function withCore(f) {
    if (running === RUNNING_MAX) {
        await new Promise((resolve) => { waiting.push(resolve); });
    } else {
        running += 1;
    }
    try {
        return await f(await Core.start());
    } finally {
        const next = waiting.shift();
        if (next === undefined) {
            running -= 1;
        } else {
            next(); // in place of this one
        }
    }
}

/** Returns a number of 8 bytes. All but 63 dims of a shape are 0 or 1, of which there is one BigInt each. */
function bigintAt(view, at) {
    const low = view.getUint32(at, true);
    return low < 2 && view.getUint32(at + 4, true) === 0 ? (low === 0 ? 0n : 1n) : view.getBigUint64(at, true);
}

/** An instance of the core, with memory of its own, for one file. */
export class Core {
    #exports;
    #memory;
    #free; // the first byte of the memory that is not in use
    #head;
    #headSize;
    #arena;
    #arenaSize;
    #out;

    static async start() {
        const core = new Core();
        const { exports } = await WebAssembly.instantiate(await compile());
        core.#exports = exports;
        core.#memory = exports.memory;
        core.#free = exports.__heap_base.value;
        if (exports.assay_flat_api() !== FLAT.API) {
            throw new Error(`wasm.js has interface ${exports.assay_flat_api()} in place of ${FLAT.API}`);
        }
        return core;
    }

    // ---- Memory ----------------------------------------------------------------------------------------------------

    /** Returns where that many bytes begin, at a multiple of 8. Throws a RangeError if there is too little memory.
     * Memory that grows moves: views of it that were made before can't be used any more. */
    #allocate(bytes) {
        const begin = Math.ceil(this.#free / 8) * 8, end = begin + bytes;
        const pages = Math.ceil((end - this.#memory.buffer.byteLength) / PAGE);
        if (pages > 0) {
            this.#memory.grow(pages);
        }
        this.#free = end;
        return begin;
    }

    /** Calls f, and releases what it has allocated. */
    #releasing(f) {
        const free = this.#free, result = f();
        this.#free = free;
        return result;
    }

    /** Returns numbers of the memory. Their bytes are in the order of WebAssembly, whatever that of the machine is. */
    #uint64s(at, count) {
        const view = new DataView(this.#memory.buffer, at, 8 * count), numbers = [];
        for (let k = 0; k < count; k++) {
            numbers.push(bigintAt(view, 8 * k));
        }
        return numbers;
    }

    /** Returns a function that reads one of these numbers, if it is below 2^53, as positions in a file are. */
    #positions(at, count) {
        const view = new DataView(this.#memory.buffer, at, 8 * count);
        return (k) => view.getUint32(8 * k, true) + 2 ** 32 * view.getUint32(8 * k + 4, true);
    }

    #storeUint64s(at, numbers) {
        const view = new DataView(this.#memory.buffer, at, 8 * numbers.length);
        numbers.forEach((number, k) => view.setBigUint64(8 * k, BigInt.asUintN(64, number), true));
    }

    #bytes(at, count) {
        return new Uint8Array(this.#memory.buffer, at, count);
    }

    #word(kind, number) {
        return this.#releasing(() => {
            const at = this.#allocate(WORD_BYTES_MAX);
            const size = this.#exports.assay_flat_word(kind, BigInt(number), at, BigInt(WORD_BYTES_MAX));
            return UTF8.decode(this.#bytes(at, Number(size)));
        });
    }

    /** Returns texts of the head without their escapes. Text k is from byte spans[stride * k] of the head to
     * spans[stride * k + 1]. A text has no more bytes without its escapes than with them. */
    #texts(spans, stride, count) {
        return this.#releasing(() => {
            const position = this.#positions(spans, stride * (count - 1) + 2);
            let most = 1;
            for (let k = 0; k < count; k++) {
                most += position(stride * k + 1) - position(stride * k);
            }
            const ends = this.#allocate(8 * count), to = this.#allocate(most);
            this.#exports.assay_flat_texts(this.#head, this.#headSize, spans, BigInt(stride), BigInt(count), to,
                BigInt(most), ends);
            const end = this.#positions(ends, count), bytes = this.#bytes(to, end(count - 1)), all = UTF8.decode(bytes);
            const ascii = all.length === bytes.length, texts = [];
            for (let k = 0, begin = 0; k < count; begin = end(k++)) {
                texts.push(ascii ? all.slice(begin, end(k)) : UTF8.decode(bytes.subarray(begin, end(k))));
            }
            return texts;
        });
    }

    // ---- Judgement -------------------------------------------------------------------------------------------------

    /**
     * Judges a file by its first bytes and its size, and returns the status. Afterwards the memory has its view.
     * @param {Uint8Array} head copied: what happens to it afterwards does not matter
     * @param {bigint} fileSize
     * @param {bigint[]} limits five numbers; -1n: none
     */
    judge(head, fileSize, limits) {
        this.#headSize = BigInt(head.length);
        this.#head = this.#allocate(head.length);
        this.#bytes(this.#head, head.length).set(head);
        const limit = this.#allocate(8 * limits.length), out = this.#allocate(8 * FLAT.OUT);
        this.#storeUint64s(limit, limits);
        let status = this.#exports.assay_flat_measure(this.#head, this.#headSize, fileSize, limit, out);
        if (status === OK) {
            this.#arenaSize = this.#uint64s(out, FLAT.OUT)[FLAT.ARENA];
            this.#arena = this.#allocate(Number(this.#arenaSize));
            status = this.#exports.assay_flat_parse(this.#head, this.#headSize, fileSize, limit, this.#arena,
                this.#arenaSize, out);
        }
        this.#out = this.#uint64s(out, FLAT.OUT);
        if (BigInt(status) !== this.#out[FLAT.STATUS]) {
            throw new Error("assay.wasm returned two statuses");
        }
        return status;
    }

    get counts() {
        const [needHead, tensors, pairs] = [FLAT.NEED_HEAD, FLAT.TENSORS, FLAT.PAIRS].map((k) => Number(this.#out[k]));
        return { headerBytes: needHead - 8, tensors, pairs };
    }

    /** Returns why the file that was judged is not valid. */
    refusal(path) {
        const out = this.#out, code = Number(out[FLAT.STATUS]), has = out[FLAT.HAS];
        const number = (k, bit) => (has & bit ? out[k] : null);
        const index = (k, bit) => (has & bit ? Number(out[k]) : null); // or an offset: below 2^53
        const name = (k, bit) => (has & bit && out[k + 1] !== 0n ? this.#releasing(() => {
            const spans = this.#allocate(16);
            this.#storeUint64s(spans, out.slice(k, k + 2));
            return this.#texts(spans, 2, 1)[0];
        }) : null);
        const fault = {
            rule: this.#word(WORD.RULE, code),
            ruleName: this.#word(WORD.STATUS, code).toLowerCase().replace(/^e_/, ""),
            code,
            meaning: this.#word(WORD.MEANING, code),
            offset: index(FLAT.OFFSET, HAS.OFFSET),
            tensor: name(FLAT.NAME, HAS.TENSOR),
            tensorIndex: index(FLAT.TENSOR, HAS.TENSOR),
            other: name(FLAT.OTHER_NAME, HAS.OTHER),
            otherIndex: index(FLAT.OTHER, HAS.OTHER),
            expected: number(FLAT.EXPECTED, HAS.EXPECTED),
            found: number(FLAT.FOUND, HAS.FOUND),
        };
        return code < FIRST_RULE ? new NotJudgedError(path, fault) : new InvalidError(path, fault);
    }

    // ---- What a valid file contains --------------------------------------------------------------------------------

    #view(name, ...rest) {
        return this.#exports[name](this.#head, this.#headSize, this.#arena, this.#arenaSize, ...rest);
    }

    #dtypes() {
        if (dtypes === null) {
            const names = [null]; // no dtype has number 0
            for (let name; (name = this.#word(WORD.DTYPE, names.length)) !== "";) {
                names.push(name);
            }
            dtypes = names;
        }
        return dtypes;
    }

    /** Yields the fields of each tensor, in the order of their bytes. */
    *tensors() {
        const { tensors } = this.counts, names = this.#dtypes();
        for (let first = 0; first < tensors; first += ROWS_AT_ONCE) {
            yield* this.#releasing(() => this.#rows(first, Math.min(ROWS_AT_ONCE, tensors - first), names));
        }
    }

    /** Returns the fields of that many tensors. dtypeNames: by number. */
    #rows(first, count, dtypeNames) {
        const rows = this.#allocate(8 * FLAT.ROW * count);
        this.#view("assay_flat_tensors", BigInt(first), BigInt(count), rows);
        const names = this.#texts(rows + 8 * FLAT.ROW_NAME, FLAT.ROW, count);
        const rank = this.#positions(rows, FLAT.ROW * count);
        let many = 0;
        for (let k = 0; k < count; k++) {
            many += rank(FLAT.ROW * k + FLAT.ROW_RANK);
        }
        const to = this.#allocate(8 * many);
        this.#view("assay_flat_dims", rows, BigInt(count), to, BigInt(many));
        const field = this.#positions(rows, FLAT.ROW * count); // again: the memory may have grown
        let dim = to;
        return names.map((name, k) => {
            const row = FLAT.ROW * k, shape = this.#uint64s(dim, field(row + FLAT.ROW_RANK));
            dim += 8 * shape.length;
            const [index, begin, end] = [FLAT.ROW_INDEX, FLAT.ROW_BEGIN, FLAT.ROW_END].map((k) => field(row + k));
            const dtype = dtypeNames[field(row + FLAT.ROW_DTYPE)], bits = field(row + FLAT.ROW_BITS);
            return { name, dtype, bits, shape, begin, end, index };
        });
    }

    /** Returns the metadata as a Map, or null if the header has none. */
    metadata() {
        if (this.#out[FLAT.METADATA] === 0n) {
            return null;
        }
        const found = new Map(), { pairs } = this.counts;
        for (let first = 0; first < pairs; first += ROWS_AT_ONCE) {
            this.#releasing(() => {
                const count = Math.min(ROWS_AT_ONCE, pairs - first), at = this.#allocate(8 * FLAT.PAIR * count);
                this.#view("assay_flat_pairs", BigInt(first), BigInt(count), at);
                const values = this.#texts(at + 8 * PAIR_VALUE, FLAT.PAIR, count);
                this.#texts(at, FLAT.PAIR, count).forEach((key, k) => found.set(key, values[k]));
            });
        }
        return found;
    }

    /**
     * Yields the runs of a slice of the only tensor. Throws a RangeError if there is no such slice.
     * @param {bigint[]} axes start, stop and step of each axis
     * @param {bigint} begin where the bytes of the tensor begin in the caller's file
     * @param {bigint} end
     */
    *runs(axes, begin, end) {
        const row = this.#allocate(8 * FLAT.ROW), axis = this.#allocate(8 * axes.length), rank = axes.length / 3;
        this.#view("assay_flat_tensors", 0n, 1n, row);
        this.#storeUint64s(row + 8 * FLAT.ROW_BEGIN, [begin, end]);
        this.#storeUint64s(axis, axes);
        const size = SLICE.STATE + SLICE.AXIS * rank, state = this.#allocate(size);
        const to = this.#allocate(24 * RUNS_AT_ONCE);
        if (this.#view("assay_flat_slice_begin", row, axis, BigInt(rank), state, BigInt(size)) !== OK) {
            throw new RangeError("not a slice: each axis needs start <= stop <= dim, and a step of at least 1");
        }
        for (let count = RUNS_AT_ONCE; count === RUNS_AT_ONCE;) {
            count = Number(this.#exports.assay_flat_slice_next(state, BigInt(size), BigInt(RUNS_AT_ONCE), to));
            const number = this.#positions(to, 3 * count), runs = [];
            for (let k = 0; k < 3 * count; k += 3) {
                runs.push({ offset: number(k), skip: number(k + 1), bits: number(k + 2) });
            }
            if (runs.some(({ bits }) => bits >= 2 ** 53)) {
                throw new RangeError("a run of 2^53 bits or more");
            }
            yield* runs;
        }
    }
}
