import { assert, assertEquals } from "@std/assert";
import { openZarr } from "../../../../../streams/zarr/open_zarr.ts";
import { inFolder } from "../../../../support/folder.ts";
import { runJob, writeStack } from "../../../../support/rechunk_files.ts";

const MAX_MEM = 32e6;
/** What a process has besides, as `runRechunk` says. */
const CONSTANT_BYTES = { plain: 80 << 20, gzip: 80 << 20, zstd: 80 << 20, blosc: 144 << 20 };
/** Each worker takes this much more. */
const WORKER_BYTES = 24 << 20;
const NUM_WORKERS = Math.min(navigator.hardwareConcurrency, 8) - 1;
const CHUNK = [10, 160, 800];
/** 20 times as many bytes as the memory has. */
const NUM_CHUNKS = 125;

for (const codec of ["plain", "gzip", "zstd", "blosc"] as const) {
  Deno.test({
    name: `an array 20 times as large as the memory is rechunked within it: ${codec}`,
    // Only Linux tells the peak of a process.
    ignore: Deno.build.os !== "linux",
    fn: () =>
      inFolder(async (folder) => {
        const [from, to] = [`${folder}/in.zarr`, `${folder}/out.zarr`];
        const items = await writeStack(from, { chunk: CHUNK, numChunks: NUM_CHUNKS, codec });
        assert(NUM_CHUNKS * items.byteLength >= 20 * MAX_MEM);
        const chunk = [10 * NUM_CHUNKS, 8, 16];
        const temp = `${folder}/temp`;
        const { peakBytes } = await runJob({ from, to, temp, chunk, maxMem: MAX_MEM, stages: 1 });
        assert(
          peakBytes < MAX_MEM + CONSTANT_BYTES[codec] + NUM_WORKERS * WORKER_BYTES,
          `The process had ${peakBytes} bytes, with ${MAX_MEM} for boxes`,
        );
        await assertColumn(to, { items, index: [0, 3, 2] });
      }),
  });
}

/** Compares one chunk of the result, which has items of all chunks of the source. */
async function assertColumn(
  path: string,
  { items, index }: { items: Float32Array; index: readonly number[] },
): Promise<void> {
  const node = await openZarr(path);
  if (node.kind !== "array") throw new Error(`${path} is no array`);
  const [length = 0, rows = 0, columns = 0] = node.array.grid.chunk;
  const found = new Float32Array(length * rows * columns);
  assert(await node.array.readChunk(index, new Uint8Array(found.buffer)));
  const expected = Float32Array.from(found, (_, at) => {
    const layer = Math.floor(at / (rows * columns)) % CHUNK[0]!;
    const row = index[1]! * rows + Math.floor(at / columns) % rows;
    const column = index[2]! * columns + at % columns;
    return items[(layer * CHUNK[1]! + row) * CHUNK[2]! + column]!;
  });
  assertEquals(found, expected);
}
