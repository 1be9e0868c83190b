/** gzip, zlib and zstd as others may write them: in several members or frames, small and large. */

import { assertEquals } from "@std/assert";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { inFolder } from "../../../../../support/files/folder.ts";
import { assertFileError } from "../../../../../support/zarr/zarr_errors.ts";
import { openFixed } from "../../../../../support/zarr/stored_arrays.ts";

/** Reads a chunk of bytes by a compressor of version 2. */
async function read(
  id: string,
  encoded: Uint8Array,
  numBytes: number,
  use: (reading: Promise<unknown>, into: Uint8Array, path: string) => Promise<void>,
): Promise<void> {
  const array = JSON.stringify({
    zarr_format: 2,
    shape: [numBytes],
    chunks: [numBytes],
    dtype: "|u1",
    compressor: { id, level: 1 },
    fill_value: 0,
    order: "C",
    filters: null,
  });
  await inFolder({ ".zarray": array, "0": encoded }, async (folder) => {
    const opened = await openFixed(folder);
    const into = new Uint8Array(numBytes);
    await use(opened.readChunk([0], into), into, `${folder}/0`);
  });
}

const coders = { gzip: gzipSync, zstd: zstdCompressSync };

for (const [id, encode] of Object.entries(coders)) {
  for (const numBytes of [1000, 3 << 20]) {
    Deno.test(`several parts of ${id} are read one after the other: ${numBytes} bytes`, async () => {
      const items = Uint8Array.from({ length: numBytes }, (_, at) => at * 7919 >>> 4);
      const cuts = [0, numBytes >> 2, numBytes >> 1, numBytes];
      const parts = cuts.slice(1).map((stop, i) => encode(items.subarray(cuts[i]!, stop)));
      const encoded = new Uint8Array(await new Blob(parts).arrayBuffer());
      await read(id, encoded, numBytes, async (reading, into) => {
        assertEquals(await reading, true);
        assertEquals(into, items);
      });
      const fewer = new Uint8Array(await new Blob(parts.slice(1)).arrayBuffer());
      const left = numBytes - (numBytes >> 2);
      await read(
        id,
        fewer,
        numBytes,
        (reading, _, path) =>
          assertFileError(
            reading,
            `${path}: decodes to ${left} bytes, but a chunk has ${numBytes}`,
          ),
      );
      await read(id, encoded, left, async (reading, _, path) => {
        const error = await reading.then(() => undefined, (error) => error as Error);
        assertEquals(error?.message.startsWith(`${path}: has `), true, error?.message);
      });
    });
  }
}
