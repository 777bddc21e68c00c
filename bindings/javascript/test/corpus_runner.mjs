// Judges the files whose paths are the lines of standard input, for corpus/run.py --batch.
import { text } from "node:stream/consumers";
import { check, InvalidError } from "assay-safetensors";

for (const path of (await text(process.stdin)).split("\n").slice(0, -1)) {
    try {
        await check(path);
        console.log("accept");
    } catch (error) {
        console.log(error instanceof InvalidError ? `reject ${error.rule}` : `error: ${error.message}`);
    }
}
