/** Frames of blosc: numcodecs reads what is written here, and the other way round. */

import { assertEquals } from "@std/assert";
import blosc from "numcodecs/blosc";
import { createFixed, openFixed } from "../../../../../support/zarr/stored_arrays.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { SeededRandom } from "../../../../../support/random/seeded_random.ts";

interface Settings {
  readonly cname: string;
  readonly clevel?: number;
  readonly shuffle?: number;
  readonly blocksize?: number;
}

/** The metadata of an array of one chunk. */
function metadataOf(type: string, numBytes: number, settings: Settings): string {
  const itemBytes = Number(type.slice(1));
  const length = numBytes / itemBytes;
  return JSON.stringify({
    zarr_format: 2,
    shape: [length],
    chunks: [length],
    dtype: itemBytes === 1 ? `|${type}` : `<${type}`,
    compressor: { id: "blosc", clevel: 5, shuffle: 1, blocksize: 0, ...settings },
    fill_value: null,
    order: "C",
    filters: null,
  });
}

/** The bytes of a chunk as they are written here. */
async function written(type: string, items: Uint8Array, settings: Settings): Promise<Uint8Array> {
  let bytes = new Uint8Array(0);
  await inFolder(async (folder) => {
    const array = metadataOf(type, items.length, settings);
    const chunk = [items.length / Number(type.slice(1))];
    const writer = await createFixed(`${folder}/a`, { format: 2, array }, { chunk });
    await writer.writeChunk([0], items);
    bytes = Deno.readFileSync(`${folder}/a/0`);
  });
  return bytes;
}

/** A chunk of bytes that somebody wrote, as it is read here. */
async function read(frame: Uint8Array, numBytes: number): Promise<Uint8Array> {
  const into = new Uint8Array(numBytes);
  const array = metadataOf("i1", numBytes, { cname: "lz4" });
  await inFolder({ ".zarray": array, "0": frame }, async (folder) => {
    const opened = await openFixed(folder);
    await opened.readChunk([0], into);
  });
  return into;
}

const wave = (count: number) => Float64Array.from({ length: count }, (_, i) => Math.sin(i / 1000));

const random = new SeededRandom(14);
const noise = Uint8Array.from({ length: 80_000 }, () => random.below(256));
const smooth = new Uint8Array(wave(30_000).buffer);
const steps = Uint8Array.from({ length: 300_000 }, (_, i) => (i >> 12) * 3);
const sources = [smooth, noise, steps, smooth.subarray(0, 16), smooth.subarray(0, 4000)];

const types = ["i1", "i2", "f4", "i8", "c16"];
const compressors = ["lz4", "lz4hc", "zstd", "zlib", "blosclz", "snappy"];
/** Those that are written here; numcodecs says that items have four bytes. */
const ownFormats = new Set(["lz4", "lz4hc", "zstd", "zlib"]);
const variants: Omit<Settings, "cname">[] = [
  {},
  { shuffle: 0 },
  { shuffle: 2 },
  { shuffle: 2, blocksize: 9001 },
  { blocksize: 9001 },
  { clevel: 9 },
  { clevel: 0 },
];

for (const cname of compressors) {
  Deno.test(`frames of ${cname} are read by numcodecs, of items of every size`, async () => {
    for (const type of types) {
      for (const bytes of sources) {
        // Everything with everything for items of eight bytes, and a wave for the others.
        if (type !== "i8" && bytes !== smooth) continue;
        for (const settings of variants) {
          // The highest levels take long.
          if (settings.clevel === 9 && bytes.length > 4000) continue;
          const frame = await written(type, bytes, { cname, ...settings });
          const isOwn = ownFormats.has(cname) || settings.clevel === 0;
          assertEquals(frame[3], isOwn ? Number(type.slice(1)) : 4);
          const decoded = await blosc.fromConfig({ id: "blosc" }).decode(frame);
          assertEquals(decoded, bytes, `${type} ${JSON.stringify(settings)}`);
        }
      }
    }
  });

  Deno.test(`frames of ${cname} by numcodecs are read`, async () => {
    for (const bytes of sources) {
      for (const { clevel = 5, shuffle = 1, blocksize = 0 } of variants) {
        if (clevel === 9 && bytes.length > 4000) continue;
        const codec = blosc.fromConfig({ id: "blosc", cname, clevel, shuffle, blocksize });
        assertEquals(await read(await codec.encode(bytes), bytes.length), bytes);
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
    const { length } = await written(type, new Uint8Array(buffer), { cname });
    assertEquals(length < 1.1 * size, true, `${type} ${cname}: ${length} bytes, not ${size}`);
  }
});
