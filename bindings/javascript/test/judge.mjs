// Judges the files whose paths are the lines of standard input, for corpus/run.py --batch.
import { createInterface } from "node:readline";
import { check, InvalidError } from "assay-safetensors";

for await (const path of createInterface({ input: process.stdin })) {
    try {
        await check(path);
        console.log("accept");
    } catch (error) {
        console.log(error instanceof InvalidError ? `reject ${error.rule}` : `error: ${error.message}`);
    }
}
