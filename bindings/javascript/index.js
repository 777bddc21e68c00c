// For browsers, and whatever else has WebAssembly.
export { check, checkHead, open } from "./api.js";
export { InvalidError, NotJudgedError } from "./errors.js";
