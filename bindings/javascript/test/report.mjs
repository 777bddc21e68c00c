// For against_model.py: each line of standard input has a head in base64, the size of the file, and options. Prints for
// each a line of JSON with all that the package finds. (An iterator of node:readline hung now and then.)
import { text } from "node:stream/consumers";
import { checkHead, open } from "assay-safetensors";

const exact = (key, value) => (typeof value === "bigint" ? String(value) : value);
for (const line of (await text(process.stdin)).split("\n").slice(0, -1)) {
    const { head, size, options } = JSON.parse(line), bytes = new Uint8Array(Buffer.from(head, "base64"));
    const handle = {
        stat: async () => ({ size, isFile: () => true }),
        read: async (to, offset, count, position) => {
            const part = bytes.subarray(position, position + count);
            to.set(part, offset);
            return { bytesRead: part.length };
        },
    };
    let said;
    try {
        await checkHead(bytes, size, options);
        const file = await open(handle, options), base = file.report.headerBytes + 8;
        const tensors = [...file.tensors.values()].map(({ name, dtype, shape, begin, end, index }) => (
            [name, dtype, shape, begin - base, end - base, index]));
        said = { code: 0, metadata: file.metadata && [...file.metadata], tensors };
    } catch (error) {
        said = { ...error, message: error.message, verdict: error.name };
    }
    console.log(JSON.stringify(said, exact));
}
