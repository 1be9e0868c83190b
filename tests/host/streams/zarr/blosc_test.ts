/** Frames of blosc that are written here: numcodecs reads them, and they are as small as its own. */

import { assertEquals } from "@std/assert";
import blosc from "numcodecs/blosc";
import { createZarrArray } from "../../../../streams/zarr/create_zarr_array.ts";
import { inFolder } from "../../../support/folder.ts";
import { SeededRandom } from "../../../support/seeded_random.ts";

/** The bytes of one chunk in a file, as blosc wrote it. */
async function encoded(type: string, items: Uint8Array, settings: object): Promise<Uint8Array> {
  let bytes = new Uint8Array(0);
  await inFolder(async (folder) => {
    const itemBytes = Number(type.slice(1));
    const length = items.length / itemBytes;
    const array = JSON.stringify({
      zarr_format: 2,
      shape: [length],
      chunks: [length],
      dtype: itemBytes === 1 ? `|${type}` : `<${type}`,
      compressor: { id: "blosc", cname: "lz4", clevel: 5, shuffle: 1, blocksize: 0, ...settings },
      fill_value: null,
      order: "C",
      filters: null,
    });
    const writer = await createZarrArray(`${folder}/a`, { format: 2, array }, { chunk: [length] });
    await writer.writeChunk([0], items);
    bytes = Deno.readFileSync(`${folder}/a/0`);
  });
  return bytes;
}

async function decoded(frame: Uint8Array): Promise<Uint8Array> {
  return await blosc.fromConfig({ id: "blosc" }).decode(frame);
}

const wave = (count: number) => Float64Array.from({ length: count }, (_, i) => Math.sin(i / 1000));
const types = ["i1", "i2", "f4", "i8", "c16"];
/** Those that are written here; numcodecs says 4 of all items. */
const ownFormats = new Set(["lz4", "lz4hc", "zstd", "zlib"]);
const variants: { blocksize?: number; clevel?: number }[] = [
  {},
  { blocksize: 9001 },
  { clevel: 9 },
  { clevel: 0 },
];
const compressors = ["lz4", "lz4hc", "zstd", "zlib", "blosclz", "snappy"];

for (const cname of compressors) {
  Deno.test(`frames of ${cname} are read by numcodecs, of items of every size`, async () => {
    const random = new SeededRandom(14);
    const noise = Uint8Array.from({ length: 80_000 }, () => random.below(256));
    const smooth = new Uint8Array(wave(70_000).buffer);
    const sources = [smooth, noise, smooth.subarray(0, 16), smooth.subarray(0, 4000)];
    for (const type of types) {
      for (const bytes of sources) {
        for (const settings of variants) {
          // The highest levels take long.
          if (settings.clevel === 9 && bytes.length > 4000) continue;
          const frame = await encoded(type, bytes, { cname, ...settings });
          const itemBytes = Number(type.slice(1));
          const isOwn = ownFormats.has(cname) && itemBytes > 1 && settings.clevel !== 0;
          assertEquals(frame[3], isOwn ? itemBytes : 4);
          assertEquals(await decoded(frame), bytes, `${type} ${JSON.stringify(settings)}`);
        }
      }
    }
  });
}

Deno.test("items of eight bytes become about as small as blosc makes them", async () => {
  // What c-blosc 1.21 makes of 200,000 of these with level 5 and its shuffle, by numcodecs 0.11.
  const waves = wave(200_000);
  const integers = BigInt64Array.from(waves, (value) => BigInt(Math.trunc(value * 30_000)));
  const expected = [
    ["f8", waves.buffer, "lz4", 1_191_329],
    ["f8", waves.buffer, "zstd", 1_121_832],
    ["i8", integers.buffer, "lz4", 219_648],
    ["i8", integers.buffer, "zstd", 172_942],
  ] as const;
  for (const [type, buffer, cname, size] of expected) {
    const { length } = await encoded(type, new Uint8Array(buffer), { cname });
    assertEquals(length < 1.1 * size, true, `${type} ${cname}: ${length} bytes, not ${size}`);
  }
});
