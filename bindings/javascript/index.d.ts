/**
 * Checks safetensors files before you load them. A file that assay accepts obeys every rule of the format, and programs
 * that follow the format read the same tensors from it.
 *
 * The parser is a C core that Frama-C proves (theorem T5 of spec/theorems.md: it accepts exactly the files that
 * spec/format.md calls valid). It runs as WebAssembly: that compilers and engines translate it correctly, and what this
 * package does around it, is tested, not proved.
 *
 * Names, metadata and the texts of errors other than `message` are untrusted: in a page use textContent.
 */

/**
 * A file: a Blob, such as a File that the user has chosen; its bytes, all of them; or an address, https://, http:// or
 * hf://OWNER/MODEL[@REVISION]/PATH for the Hugging Face Hub. In Node also a path, a file: URL, or a FileHandle, which
 * stays open.
 */
export type Source = Blob | ArrayBufferLike | ArrayBufferView | URL | string | ReadableFile;

/** What is used of a FileHandle of Node. */
export interface ReadableFile {
    read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
    stat(): Promise<{ size: number; isFile(): boolean }>;
}

/** Limits: a file beyond one is not judged. Without them all is read that the format allows: headers of 100 MB. */
export interface Options {
    /** Bytes of the header, without the 8 bytes of its length. */
    maxHeader?: number;
    /** Number of tensors. */
    maxTensors?: number;
    /** Dims of one shape. */
    maxRank?: number;
    /** Bytes of one tensor name, as they are in the header. */
    maxName?: number;
    /** Number of metadata pairs. */
    maxMetadata?: number;
    /** Sends the requests for an address, for example with a token. It also decides which hosts are reached. */
    fetch?: typeof fetch;
    /** Ends requests, also those for data later. A file whose judgement it ends is not judged. */
    signal?: AbortSignal;
}

/** What was found in a valid file. Of another file there is no report, but an error. */
export interface Report {
    /** The path, the name of the Blob, or the address; null if there is none. */
    readonly path: string | null;
    /** Number of tensors. */
    readonly tensors: number;
    /** Bytes of the header, without the 8 bytes of its length. */
    readonly headerBytes: number;
    /** Bytes of the file. */
    readonly fileBytes: number;
}

/**
 * Judges a file. Only its header is read: 8 + N bytes, once, into memory of its own. So it does not matter if somebody
 * changes the file meanwhile; the verdict is on what was read.
 *
 * Resolves if and only if the file is valid.
 * Rejects with an InvalidError if it breaks a rule (spec/format.md); with a NotJudgedError if it could not be judged:
 * it can't be read, is larger than 2^53 - 1 bytes, is beyond a limit, or there is too little memory; with a TypeError
 * or RangeError if an option is wrong.
 * Cost: time in the order of N (n log n for n names in no order), in which the thread is blocked: one or two seconds
 * for the largest headers, of 100 MB. Memory for two copies of the header (three of a Blob), and up to 5.4 times as
 * much for tables.
 */
export function check(file: Source, options?: Options): Promise<Report>;

/**
 * Judges a file by its first bytes and its size in bytes, for callers that read the bytes themselves. The head is
 * copied. If these are too few bytes, rejects with a NotJudgedError of rule N1, and `expected` is how many are needed:
 * 8, then 8 + N. Otherwise as check.
 */
export function checkHead(head: Uint8Array, size: number, options?: Options): Promise<Report>;

/**
 * Judges a file as check does, and resolves with its tensors. Memory for these comes on top. The largest headers, of
 * 100 MB, block the thread for 4 to 12 seconds, and the process then has up to 1.6 GB: `check.sh bench` measures both.
 *
 * Close the file if you gave a path. Bytes are not copied: do not change them while the file is in use. Data are read
 * from the same open file or Blob as was judged; a file on a server has to keep its size and its ETag or date.
 */
export function open(file: Source, options?: Options): Promise<SafetensorsFile>;

/** A valid file. It keeps no part of the header. */
export interface SafetensorsFile {
    readonly report: Report;
    /** By name, in the order of their bytes in the file. For another name, `get` returns undefined. */
    readonly tensors: ReadonlyMap<string, Tensor>;
    /** Null if the header has no __metadata__. */
    readonly metadata: ReadonlyMap<string, string> | null;
    /** Closes the file if it was opened by its path. */
    close(): Promise<void>;
}

/** The names of dtypes. Others may be added. */
export type DType = "BOOL" | "U8" | "I8" | "F8_E5M2" | "F8_E4M3" | "F8_E8M0" | "F8_E4M3FNUZ" | "F8_E5M2FNUZ" | "F4"
    | "F6_E2M3" | "F6_E3M2" | "I16" | "U16" | "F16" | "BF16" | "I32" | "U32" | "F32" | "I64" | "U64" | "F64" | "C64";

/** The arrays that hold elements. */
export type TensorArray = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | BigUint64Array
    | BigInt64Array | Float32Array | Float64Array;

/** Indices of an axis: start, start + step and so on, below stop. By default 0, the dim, and 1. */
export interface Axis {
    start?: number | bigint;
    stop?: number | bigint;
    step?: number | bigint;
}

/** The axes of a slice, outermost first. One that is null, undefined or left out is whole. */
export type Axes = readonly (Axis | null | undefined)[];

/** A tensor of a valid file. */
export interface Tensor {
    readonly name: string;
    readonly dtype: DType;
    /** Bits of one element. */
    readonly bits: number;
    /** Dims in elements, outermost first. BigInts, because those of an empty tensor can be 2^53 and more. */
    readonly shape: readonly bigint[];
    /** Its bytes are from `begin` to the one before `end` of the file: exact, because a file is below 2^53 bytes. */
    readonly begin: number;
    readonly end: number;
    /** Its position in the header. */
    readonly index: number;
    /** Number of its bytes. */
    readonly size: number;

    /**
     * Reads its elements, or those of a slice, as an array that is yours: row-major, in the byte order of the machine.
     * F16 and BF16 become a Float32Array, which holds each of their numbers exactly; BOOL becomes a Uint8Array with the
     * bytes of the file. For one kind of array, narrow the type: `if (array instanceof Float32Array)`.
     * Rejects with a TypeError for a dtype that JavaScript has no array for (floats below 16 bits, and C64) and for an
     * axis with other properties; with a RangeError if the tensor has no such slice, has more than 65,536 dims and is
     * sliced, or is too large for an array; with another Error if the bytes can't be read, or the file has become
     * shorter. Cost: reads the bytes of the elements, and gaps of up to 4 KiB between them.
     */
    array(axes?: Axes): Promise<TensorArray>;

    /** Reads its bytes, or those of a slice: little-endian, in memory that is yours. Errors are those of array, but for
     * the dtype: a RangeError can also mean that a slice does not begin and end at bytes. */
    bytes(axes?: Axes): Promise<Uint8Array<ArrayBuffer>>;

    /** Reads its bytes in parts of 1 MiB. Rejects as bytes does, if one can't be read. */
    chunks(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>;

    /**
     * Yields where the elements of a slice are in the file, in their order, without reading them: `bits` bits from the
     * byte at `offset` on, without its first `skip` bits. Proved of the core: these are exactly the bits of the slice
     * (T9). Rejects with a TypeError or RangeError as array does, and with a RangeError for a run of 2^53 bits or more.
     */
    runs(axes?: Axes): AsyncGenerator<{ offset: number; skip: number; bits: number }, void, undefined>;
}

/** Which rule, and where. The fields are as those of `assay check --format json`; an index is there called a place. */
export interface Refusal extends Error {
    readonly path: string | null;
    /** "G2", as in spec/format.md; null if the core was not asked: then `cause` is why. */
    readonly rule: string | null;
    /** "name_twice" */
    readonly ruleName: string | null;
    /** The same as a number, which never changes. */
    readonly code: number | null;
    /** "two tensors have the same name" */
    readonly meaning: string | null;
    /** Byte of the file at which the rule is broken; null if there is none. */
    readonly offset: number | null;
    /** Name and index in the header of the tensor concerned; null if there is none, or the name is not known. */
    readonly tensor: string | null;
    readonly tensorIndex: number | null;
    /** The same of another tensor, or of a metadata key. */
    readonly other: string | null;
    readonly otherIndex: number | null;
    /** What the rule requires, and what the file has: up to 2^64 - 1. */
    readonly expected: bigint | null;
    readonly found: bigint | null;
}

/** The file breaks a rule. No call will accept it. Its message has no control characters, and is cut if it is long. */
export interface InvalidError extends Refusal {}
export const InvalidError: { new(): never; readonly prototype: InvalidError };

/** The file was not judged: it is neither valid nor invalid. If the core was not asked, `cause` is why. */
export interface NotJudgedError extends Refusal {}
export const NotJudgedError: { new(): never; readonly prototype: NotJudgedError };
