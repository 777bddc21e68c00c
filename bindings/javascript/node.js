// For Node: also paths.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { seeRedirections } from "./remote.js";
import { ofHandle, setOpenPath } from "./sources.js";

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0); // a pipe without a writer does not hold us
const TRIES = 500; // five seconds, while a program has a lease on the file, as `assay edit --in-place` for a moment

async function openPath(given) {
    const path = given instanceof URL ? fileURLToPath(given) : given;
    for (let tries = 0; ; tries++) {
        try {
            const handle = await open(path, FLAGS);
            try {
                return { ...await ofHandle(handle, path), close: () => handle.close() };
            } catch (error) {
                await handle.close();
                throw error;
            }
        } catch (error) {
            if (error.code !== "EAGAIN" || tries === TRIES) {
                throw error;
            }
            await setTimeout(10);
        }
    }
}

setOpenPath(openPath);
seeRedirections();

export * from "./index.js";
