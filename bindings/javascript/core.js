// The core and its flat interface, include/assay_flat.h, as WebAssembly. It imports nothing and allocates nothing: this
// file lays out its memory.
import { InvalidError, NotJudgedError } from "./errors.js";
import { WASM } from "./wasm.js"; // assay.wasm in base64: made by pack.py

const FLAT_API = 1;
export const OK = 0, FIRST_RULE = 32; // statuses
const OUT = 21, ROW = 9, PAIR = 4; // numbers of 8 bytes
const HAS_OFFSET = 1n, HAS_TENSOR = 2n, HAS_OTHER = 4n, HAS_EXPECTED = 8n, HAS_FOUND = 16n;
const WORD_STATUS = 0, WORD_RULE = 1, WORD_MEANING = 2, WORD_DTYPE = 3;
const WORD_MOST = 4096; // bytes of a word of the library
const ROWS_AT_ONCE = 4096, RUNS_AT_ONCE = 256;
export const NO_LIMITS = [-1n, -1n, -1n, -1n, -1n];
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }); // a name may begin with a byte order mark

const dtypes = []; // their names
let compiled;

/** Compiles the module, once. */
function compile() {
    compiled ??= WebAssembly.compile(Uint8Array.from(atob(WASM), (letter) => letter.charCodeAt(0)));
    return compiled;
}

/** An instance of the core, with memory of its own, for one file. */
export class Core {
    #exports;
    #memory;
    #free;

    static async start() {
        const core = new Core();
        const { exports } = await WebAssembly.instantiate(await compile());
        core.#exports = exports;
        core.#memory = exports.memory;
        core.#free = exports.__heap_base.value;
        if (exports.assay_flat_api() !== FLAT_API) {
            throw new Error(`wasm.js has interface ${exports.assay_flat_api()} in place of ${FLAT_API}`);
        }
        return core;
    }

    // ---- Memory ----------------------------------------------------------------------------------------------------

    /** Returns where that many bytes begin, at a multiple of 8. Throws a RangeError if there is too little memory. */
    #take(bytes) {
        const begin = Math.ceil(this.#free / 8) * 8, end = begin + bytes;
        const pages = Math.ceil((end - this.#memory.buffer.byteLength) / 65536);
        if (pages > 0) {
            this.#memory.grow(pages);
        }
        this.#free = end;
        return begin;
    }

    /** Calls f, and releases what it has taken. */
    #within(f) {
        const free = this.#free, result = f();
        this.#free = free;
        return result;
    }

    /** Returns numbers of the memory. Its bytes are in the order of WebAssembly, whatever that of the machine is. */
    #numbers(at, count) {
        const view = new DataView(this.#memory.buffer, at, 8 * count), numbers = [];
        for (let k = 0; k < count; k++) {
            numbers.push(view.getBigUint64(8 * k, true));
        }
        return numbers;
    }

    /** Returns what reads one of these numbers, if it is a position in a file: below 2^53. */
    #places(at, count) {
        const view = new DataView(this.#memory.buffer, at, 8 * count);
        return (k) => view.getUint32(8 * k, true) + 2 ** 32 * view.getUint32(8 * k + 4, true);
    }

    #store(at, numbers) {
        const view = new DataView(this.#memory.buffer, at, 8 * numbers.length);
        numbers.forEach((number, k) => view.setBigUint64(8 * k, BigInt.asUintN(64, number), true));
    }

    #bytes(at, count) {
        return new Uint8Array(this.#memory.buffer, at, count);
    }

    #word(kind, number) {
        return this.#within(() => {
            const at = this.#take(WORD_MOST), size = this.#exports.assay_flat_word(kind, number, at, BigInt(WORD_MOST));
            return UTF8.decode(this.#bytes(at, Number(size)));
        });
    }

    /** Returns texts of the head without their escapes. Text k is from byte spans[stride * k] of the head to
     * spans[stride * k + 1]; a text has no more bytes without its escapes than with them. */
    #texts(spans, stride, count) {
        return this.#within(() => {
            const place = this.#places(spans, stride * (count - 1) + 2);
            let most = 1;
            for (let k = 0; k < count; k++) {
                most += place(stride * k + 1) - place(stride * k);
            }
            const ends = this.#take(8 * count), to = this.#take(most);
            this.#exports.assay_flat_texts(this.head, this.size, spans, BigInt(stride), BigInt(count), to, BigInt(most),
                ends);
            const end = this.#places(ends, count), bytes = this.#bytes(to, end(count - 1)), all = UTF8.decode(bytes);
            const ascii = all.length === bytes.length, texts = [];
            for (let k = 0, begin = 0; k < count; begin = end(k++)) {
                texts.push(ascii ? all.slice(begin, end(k)) : UTF8.decode(bytes.subarray(begin, end(k))));
            }
            return texts;
        });
    }

    // ---- Judgement -------------------------------------------------------------------------------------------------

    /**
     * Judges a file by its first bytes and its size. Afterwards the memory has its view.
     * @param {Uint8Array} head copied: what happens to it afterwards does not matter
     * @param {bigint} fileSize
     * @param {bigint[]} limits five numbers; -1n: none
     */
    judge(head, fileSize, limits) {
        this.size = BigInt(head.length);
        this.head = this.#take(head.length);
        this.#bytes(this.head, head.length).set(head);
        const limit = this.#take(8 * limits.length), out = this.#take(8 * OUT);
        this.#store(limit, limits);
        let status = this.#exports.assay_flat_measure(this.head, this.size, fileSize, limit, out);
        if (status === OK) {
            this.room = this.#numbers(out, OUT)[14]; // ASSAY_FLAT_ARENA
            this.arena = this.#take(Number(this.room));
            status = this.#exports.assay_flat_parse(this.head, this.size, fileSize, limit, this.arena, this.room, out);
        }
        this.out = this.#numbers(out, OUT);
        if (BigInt(status) !== this.out[0]) {
            throw new Error("assay.wasm returned two statuses");
        }
        return status;
    }

    get counts() {
        const [needHead, tensors, pairs] = this.out.slice(11, 14).map(Number);
        return { headerBytes: needHead - 8, tensors, pairs };
    }

    /** Returns why the file that was judged is not valid. */
    refusal(path) {
        const { out } = this, code = Number(out[0]), has = out[6];
        const number = (place, bit) => (has & bit ? out[place] : null);
        const name = (place, bit) => (has & bit && out[place + 1] !== 0n ? this.#within(() => {
            const spans = this.#take(16);
            this.#store(spans, out.slice(place, place + 2));
            return this.#texts(spans, 2, 1)[0];
        }) : null);
        const place = (number) => (number === null ? null : Number(number));
        const fault = {
            rule: this.#word(WORD_RULE, out[0]),
            ruleName: this.#word(WORD_STATUS, out[0]).toLowerCase().replace(/^e_/, ""),
            code,
            meaning: this.#word(WORD_MEANING, out[0]),
            offset: place(number(1, HAS_OFFSET)),
            tensor: name(7, HAS_TENSOR),
            tensorPlace: place(number(2, HAS_TENSOR)),
            other: name(9, HAS_OTHER),
            otherPlace: place(number(3, HAS_OTHER)),
            expected: number(4, HAS_EXPECTED),
            found: number(5, HAS_FOUND),
        };
        return code < FIRST_RULE ? new NotJudgedError(path, fault) : new InvalidError(path, fault);
    }

    // ---- What a valid file contains --------------------------------------------------------------------------------

    #view(name, ...rest) {
        return this.#exports[name](this.head, this.size, this.arena, this.room, ...rest);
    }

    /** Yields the fields of each tensor, in the order of their bytes. */
    *tensors() {
        const { tensors } = this.counts;
        while (dtypes.at(-1) !== "") { // the one after the last has no name
            dtypes.push(this.#word(WORD_DTYPE, BigInt(dtypes.length)) || (dtypes.length === 0 ? null : ""));
        }
        for (let first = 0; first < tensors; first += ROWS_AT_ONCE) {
            const count = Math.min(ROWS_AT_ONCE, tensors - first);
            yield* this.#within(() => {
                const at = this.#take(8 * ROW * count);
                this.#view("assay_flat_tensors", BigInt(first), BigInt(count), at);
                const names = this.#texts(at + 8 * 6, ROW, count), rank = this.#places(at + 8 * 5, ROW * (count - 1) + 1);
                let many = 0;
                for (let k = 0; k < count; k++) {
                    many += rank(ROW * k);
                }
                const to = this.#take(8 * many);
                this.#view("assay_flat_dims", at, BigInt(count), to, BigInt(many));
                const dims = this.#numbers(to, many), field = this.#places(at, ROW * count);
                let dim = 0;
                return names.map((name, k) => {
                    const row = ROW * k, dtype = dtypes[field(row + 3)], shape = dims.slice(dim, dim += field(row + 5));
                    return { name, dtype, bits: field(row + 4), shape, begin: field(row + 1),
                        end: field(row + 2), index: field(row) };
                });
            });
        }
    }

    /** Returns the metadata as a Map, or null if the header has none. */
    metadata() {
        if (this.out[18] === 0n) { // ASSAY_FLAT_METADATA
            return null;
        }
        const found = new Map(), { pairs } = this.counts;
        for (let first = 0; first < pairs; first += ROWS_AT_ONCE) {
            this.#within(() => {
                const count = Math.min(ROWS_AT_ONCE, pairs - first), at = this.#take(8 * PAIR * count);
                this.#view("assay_flat_pairs", BigInt(first), BigInt(count), at);
                const values = this.#texts(at + 16, PAIR, count);
                this.#texts(at, PAIR, count).forEach((key, k) => found.set(key, values[k]));
            });
        }
        return found;
    }

    /**
     * Yields the runs of a slice of the only tensor, with its bytes beginning at that offset: [offset, skip, bits].
     * @param {bigint[]} axes start, stop and step of each axis
     * @returns {Generator<[bigint, bigint, bigint]>} nothing but `false` if the tensor has no such slice
     */
    *runs(axes, begin, end) {
        const row = this.#take(8 * ROW), axis = this.#take(8 * axes.length), rank = axes.length / 3;
        this.#view("assay_flat_tensors", 0n, 1n, row);
        this.#store(row + 8, [begin, end]);
        this.#store(axis, axes);
        const size = 40 + 56 * rank, state = this.#take(size), to = this.#take(24 * RUNS_AT_ONCE);
        if (this.#view("assay_flat_slice_begin", row, axis, BigInt(rank), state, BigInt(size)) !== OK) {
            yield false;
            return;
        }
        for (let count = RUNS_AT_ONCE; count === RUNS_AT_ONCE;) {
            count = Number(this.#exports.assay_flat_slice_next(state, BigInt(size), BigInt(RUNS_AT_ONCE), to));
            const runs = this.#numbers(to, 3 * count);
            for (let k = 0; k < 3 * count; k += 3) {
                yield runs.slice(k, k + 3);
            }
        }
    }
}
