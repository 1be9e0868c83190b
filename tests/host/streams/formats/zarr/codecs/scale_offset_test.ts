/** The tables in the documentation of numcodecs: bytes of the chunk, and what is read again. */

import { assertEquals } from "@std/assert";
import { createFixed, openFixed } from "../../../../../support/zarr/stored_arrays.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { readItems, writeItems } from "../../../../../support/zarr/zarr_items.ts";

const numbers = Float64Array.from({ length: 10 }, (_, at) => 1000 + at / 9);

const tables: [scale: number, astype: string, encoded: Uint8Array | Uint16Array][] = [
  [10, "|u1", Uint8Array.of(0, 1, 2, 3, 4, 6, 7, 8, 9, 10)],
  [100, "|u1", Uint8Array.of(0, 11, 22, 33, 44, 56, 67, 78, 89, 100)],
  [1000, "<u2", Uint16Array.of(0, 111, 222, 333, 444, 556, 667, 778, 889, 1000)],
];

for (const [scale, astype, encoded] of tables) {
  Deno.test(`numbers from 1000 to 1001 at a scale of ${scale} are those of numcodecs`, () =>
    inFolder(async (folder) => {
      const array = JSON.stringify({
        zarr_format: 2,
        shape: [10],
        chunks: [10],
        dtype: "<f8",
        compressor: null,
        fill_value: null,
        order: "C",
        filters: [{ id: "fixedscaleoffset", offset: 1000, scale, dtype: "<f8", astype }],
      });
      const path = `${folder}/a.zarr`;
      const writer = await createFixed(path, { format: 2, array }, { chunk: [10] });
      await writeItems(writer, new Uint8Array(numbers.buffer));
      assertEquals(Deno.readFileSync(`${path}/0`), new Uint8Array(encoded.buffer));
      const opened = await openFixed(path);
      const read = new Float64Array((await readItems(opened)).buffer);
      assertEquals(read, Float64Array.from(encoded, (step) => step / scale + 1000));
    }));
}
