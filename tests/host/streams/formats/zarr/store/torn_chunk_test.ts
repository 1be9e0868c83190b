import { assertEquals } from "@std/assert";
import { createFixed, createVariable } from "../../../../../support/zarr/stored_arrays.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { textItems } from "../../../../../support/zarr/zarr_texts.ts";

const little = { name: "bytes", configuration: { endian: "little" } };
const index = [little, { name: "crc32c" }];
const blosc = { cname: "zstd", clevel: 5, shuffle: "shuffle", typesize: 4, blocksize: 0 };

/** Codecs behind the one that makes bytes, or in its place. */
const CODECS: Readonly<Record<string, readonly unknown[]>> = {
  none: [little],
  "big endian": [{ name: "bytes", configuration: { endian: "big" } }],
  gzip: [little, { name: "gzip", configuration: { level: 1 } }],
  zstd: [little, { name: "zstd", configuration: { level: 1 } }],
  blosc: [little, { name: "blosc", configuration: blosc }],
  lz4: [little, { name: "numcodecs.lz4", configuration: {} }],
  crc32c: [little, { name: "crc32c" }],
  sharding: [{
    name: "sharding_indexed",
    configuration: { chunk_shape: [5, 10], codecs: [little], index_codecs: index },
  }],
};

function metadataOf(shape: readonly number[], type: string, codecs: readonly unknown[]) {
  const array = JSON.stringify({
    ...{ zarr_format: 3, node_type: "array", shape, data_type: type },
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
    chunk_key_encoding: { name: "default", configuration: { separator: "." } },
    ...{ fill_value: type === "string" ? "" : 0, attributes: {}, codecs },
  });
  return { format: 3 as const, array };
}

/** Asserts that a file is one that is there, and not once it is cut anywhere. */
async function assertTorn(path: string, hasChunk: () => Promise<boolean>): Promise<void> {
  const whole = Deno.readFileSync(path);
  assertEquals(await hasChunk(), true);
  for (const size of [0, 1, whole.length >> 1, whole.length - 1]) {
    Deno.writeFileSync(path, whole.subarray(0, size));
    assertEquals(await hasChunk(), false, `${size} of ${whole.length} bytes`);
  }
  Deno.writeFileSync(path, whole);
  assertEquals(await hasChunk(), true);
}

for (const [name, codecs] of Object.entries(CODECS)) {
  Deno.test(`a chunk that is cut is none that is there: ${name}`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/a.zarr`;
      const chunk = name === "sharding" ? [5, 10] : [10, 20];
      const writer = await createFixed(path, metadataOf([10, 20], "int32", codecs), { chunk });
      const items = Int32Array.from({ length: 200 }, (_, at) => 1 + Math.imul(at, 2_654_435_761));
      await writer.writeChunk([0, 0], new Uint8Array(items.buffer));
      const room = new Uint8Array(1000);
      await assertTorn(`${path}/c.0.0`, () => writer.hasChunk([0, 0], room));
      await assertTorn(`${path}/c.0.0`, () => writer.hasChunk([0, 0]));
    }));
}

for (const name of ["none", "gzip"]) {
  Deno.test(`a chunk of text that is cut is none that is there: ${name}`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/a.zarr`;
      const codecs = [{ name: "vlen-utf8" }, ...CODECS[name]!.slice(1)];
      const writer = await createVariable(path, metadataOf([3], "string", codecs), { chunk: [3] });
      const words = ["Zürich", "São Paulo", "東京"];
      await writer.writeChunk([0], textItems(words.map((word) => new TextEncoder().encode(word))));
      await assertTorn(`${path}/c.0`, () => writer.hasChunk([0]));
    }));
}
