// The declarations, as a program uses them. Each line after @ts-expect-error has to be refused.
import { check, checkHead, InvalidError, NotJudgedError, open } from "assay-safetensors";
import type { DType, Report, Tensor, TensorArray } from "assay-safetensors";

export async function use(blob: Blob, bytes: Uint8Array, url: URL): Promise<bigint[]> {
    const report: Report = await check(blob, { maxHeader: 1000, signal: AbortSignal.timeout(10) });
    await checkHead(bytes, report.fileBytes);
    const file = await open(url, { fetch: (address, how) => fetch(address, how) });
    const dims: bigint[] = [];
    for (const [name, tensor] of file.tensors) {
        const dtype: DType = tensor.dtype;
        const array: TensorArray = await tensor.array([null, { start: 1, stop: 2n }]);
        dims.push(...tensor.shape, BigInt(name.length + dtype.length + array.length));
        dims.push(BigInt(new Blob([await tensor.bytes()]).size));
        for await (const chunk of tensor.chunks()) {
            dims.push(BigInt(chunk.length));
        }
        for await (const { offset, skip, bits } of tensor.runs()) {
            dims.push(BigInt(offset + skip + bits));
        }
    }
    const first: Tensor | undefined = file.tensors.get("a");
    const metadata: string | undefined = file.metadata?.get("format");
    try {
        await check("model.safetensors");
    } catch (error) {
        if (error instanceof InvalidError) {
            const rule: string | null = error.rule, expected: bigint | null = error.expected;
            console.log(rule, expected, error.offset);
        } else if (error instanceof NotJudgedError) {
            console.log(error.message, error.cause, first, metadata);
        }
    }
    await file.close();
    return dims;
}

export async function misuse(blob: Blob) {
    // @ts-expect-error: a promise is no verdict
    if (check(blob)) { return; }
    // @ts-expect-error: there is no such option
    await check(blob, { maxHeadr: 1 });
    // @ts-expect-error: a dim is no number
    const dim: number = (await open(blob)).tensors.get("a")!.shape[0]!;
    // @ts-expect-error: a tensor can be missing
    (await open(blob)).tensors.get("a").dtype;
    // @ts-expect-error: only the package makes these
    new InvalidError("");
    return dim;
}
