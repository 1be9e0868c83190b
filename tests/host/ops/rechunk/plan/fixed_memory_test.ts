import { assert, assertEquals } from "@std/assert";
import { inFolder } from "../../../../support/files/folder.ts";
import { codecNames, runJob, writeStack } from "../../../../support/zarr/rechunk_files.ts";
import { someOf } from "../../../../support/random/test_size.ts";
import { openFixed } from "../../../../support/zarr/stored_arrays.ts";

const MAX_MEM = 32e6;
/** What a process has besides, as `runRechunk` and docs/rechunking.md say, and each further thread. */
const CONSTANT_BYTES = 96 << 20;
const THREAD_BYTES = 24 << 20;
const CHUNK = [10, 80, 400];
/** Twice as many bytes as the memory has. */
const NUM_CHUNKS = 54;

for (const codec of someOf(codecNames, 1)) {
  Deno.test({
    name: `a process keeps to the memory that it may have, and a constant for a thread: ${codec}`,
    // Only Linux tells the peak of a process.
    ignore: Deno.build.os !== "linux",
    fn: () =>
      inFolder(async (folder) => {
        const from = `${folder}/in.zarr`;
        const items = await writeStack(from, { chunk: CHUNK, numChunks: NUM_CHUNKS, codec });
        assert(NUM_CHUNKS * items.byteLength >= 2 * MAX_MEM);
        const chunk = [10 * NUM_CHUNKS, 1, codec === "sharding" ? 100 : 8];
        // Workers have their part of all that is done.
        for (const threads of [1, 2]) {
          const [to, temp] = [`${folder}/${threads}.zarr`, `${folder}/temp`];
          const job = { from, to, temp, chunk, maxMem: MAX_MEM, stages: 1, threads };
          const { peakBytes } = await runJob(job);
          const most = MAX_MEM + CONSTANT_BYTES + (threads - 1) * THREAD_BYTES;
          assert(
            peakBytes < most,
            `${threads} threads had ${peakBytes} bytes, ${peakBytes - most} too many`,
          );
        }
        await assertColumn(`${folder}/2.zarr`, { items, index: [0, 3, 2] });
      }),
  });
}

/** Compares one chunk of the result, which has items of all chunks of the source. */
async function assertColumn(
  path: string,
  { items, index }: { items: Float32Array; index: readonly number[] },
): Promise<void> {
  const opened = await openFixed(path);
  const [length = 0, rows = 0, columns = 0] = opened.grid.chunk;
  const found = new Float32Array(length * rows * columns);
  assert(await opened.readChunk(index, new Uint8Array(found.buffer)));
  const expected = Float32Array.from(found, (_, at) => {
    const layer = Math.floor(at / (rows * columns)) % CHUNK[0]!;
    const row = index[1]! * rows + Math.floor(at / columns) % rows;
    const column = index[2]! * columns + at % columns;
    return items[(layer * CHUNK[1]! + row) * CHUNK[2]! + column]!;
  });
  assertEquals(found, expected);
}
