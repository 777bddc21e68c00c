// Judge files with parseSafetensorsMetadata of huggingface.js. ../python_reader.py describes the records and lines. A
// fetch function serves the file range by range, like the Hub; after the bytes of a record come zeros.
import { readFileSync, writeFileSync } from "node:fs";
import { parseSafetensorsMetadata } from "@huggingface/hub";

function serve(head, size) {
  return async (_url, options) => {
    const [first, last] = new Headers(options.headers).get("range").match(/\d+/g).map(Number);
    const end = Math.min(last + 1, size);
    const body = new Uint8Array(Math.max(0, end - first));
    body.set(head.subarray(first, Math.min(end, head.length)));
    return new Response(body, {
      status: 206,
      headers: { "content-range": `bytes ${first}-${end - 1}/${size}`, etag: "0" },
    });
  };
}

// Return the digits of a number: JSON would round them again.
function exact(number) {
  return String(BigInt(number));
}

async function judge(head, size) {
  if (size === 0) {
    return "skip a server has no range of it";
  }
  try {
    const { header } = await parseSafetensorsMetadata({
      repo: "owner/name",
      path: "model.safetensors",
      fetch: serve(head, size),
    });
    const { __metadata__: pairs = {}, ...tensors } = header;
    const entries = Object.entries(tensors).map(([name, { dtype, shape, data_offsets: [begin, end] }]) => {
      return { name, dtype, shape: shape.map(exact), begin: exact(begin), end: exact(end) };
    });
    return "accept " + JSON.stringify({ tensors: entries, pairs });
  } catch (error) {
    return `reject ${error}`.replace(/\s+/g, " ").slice(0, 20_000);
  }
}

const AT_ONCE = 1000; // lines: writing them one by one costs more than judging the files

const records = readFileSync(0);
let lines = "";
for (let at = 0, count = 0; at < records.length; count++) {
  const size = records.readBigUInt64LE(at);
  const length = Number(records.readBigUInt64LE(at + 8));
  const head = records.subarray(at + 16, at + 16 + length);
  at += 16 + length;
  lines += (await judge(head, Number(size))) + "\n";
  if (count % AT_ONCE === AT_ONCE - 1 || at >= records.length) {
    writeFileSync(1, lines);
    lines = "";
  }
}
