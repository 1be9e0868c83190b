/** Shards where they are rare: in shards, behind a transpose, and under other codecs. */

import { assertEquals } from "@std/assert";
import type { ZarrMetadata } from "../../../../../../streams/formats/zarr/metadata/array_spec.ts";
import { createFixed, openFixed } from "../../../../../support/zarr/stored_arrays.ts";
import type { StoredFixedReader } from "../../../../../../streams/formats/zarr/store/open_array.ts";
import { codecNamed } from "../../../../../../streams/formats/zarr/codecs/registry.ts";
import { dataTypeOf } from "../../../../../../streams/formats/zarr/metadata/data_type.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { pythonTest } from "../../../../../support/judges/python.ts";
import { zarrOfPython } from "../../../../../support/judges/python_zarr.ts";
import { readItems, writeItems } from "../../../../../support/zarr/zarr_items.ts";

const bytes = { name: "bytes", configuration: { endian: "little" } };
const gzip = { name: "gzip", configuration: { level: 1 } };
const transpose = { name: "transpose", configuration: { order: [1, 0] } };

function sharding(chunk: readonly number[], codecs: readonly unknown[], location = "end") {
  return {
    name: "sharding_indexed",
    configuration: {
      chunk_shape: chunk,
      codecs,
      index_codecs: [bytes, { name: "crc32c" }],
      index_location: location,
    },
  };
}

const chains: Readonly<Record<string, readonly unknown[]>> = {
  "shards in shards": [sharding([6, 4], [sharding([2, 2], [bytes, gzip])], "start")],
  "shards behind a transpose": [transpose, sharding([4, 3], [bytes])],
  "shards under gzip and a checksum": [sharding([3, 8], [bytes]), gzip, { name: "crc32c" }],
  "transposed chunks in shards": [sharding([6, 2], [transpose, bytes, gzip])],
};

const shape = [13, 15];
const items = new Uint8Array(
  Int32Array.from({ length: 13 * 15 }, (_, i) => i % 15 < 9 ? i : -1).buffer,
);

function metadataOf(codecs: readonly unknown[]): ZarrMetadata {
  const array = JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: "int32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [12, 8] } },
    chunk_key_encoding: { name: "default" },
    fill_value: -1,
    codecs,
    attributes: {},
  });
  return { format: 3, array };
}

async function opened(path: string): Promise<StoredFixedReader> {
  const opened = await openFixed(path);
  return opened;
}

for (const [title, codecs] of Object.entries(chains)) {
  pythonTest(`what is written in one Zarr is read in the other: ${title}`, async () => {
    await inFolder(async (folder) => {
      const metadata = metadataOf(codecs);
      await zarrOfPython([{ path: `${folder}/a`, metadata: metadata.array, items }]);
      const reader = await opened(`${folder}/a`);
      assertEquals(await readItems(reader), items);
      const { grid: { chunk }, writeGrid: { chunk: shard } } = reader;
      const changes = chunk.join() === shard.join() ? { chunk } : { chunk, shard };
      await writeItems(await createFixed(`${folder}/b`, reader.metadata, changes), items);
      assertEquals(
        JSON.parse(Deno.readTextFileSync(`${folder}/b/zarr.json`)),
        JSON.parse(metadata.array),
      );
      // Other chunks: shards inside are fitted where they do not divide them.
      const writer = await createFixed(`${folder}/c`, reader.metadata, { chunk: [5, 6] });
      await writeItems(writer, items);
      const [b, c] = await zarrOfPython([{ path: `${folder}/b` }, { path: `${folder}/c` }]);
      assertEquals(b, items);
      assertEquals(c, items);
      assertEquals(await readItems(await opened(`${folder}/c`)), items);
    });
  });
}

const zstd = { name: "zstd", configuration: { level: 1, checksum: true } };
const lz4 = { name: "numcodecs.lz4", configuration: { acceleration: 1 } };
const blosc = {
  name: "blosc",
  configuration: { cname: "zstd", clevel: 5, shuffle: "shuffle", typesize: 4, blocksize: 0 },
};

pythonTest("shards may have unused bytes around their chunks, wherever they are", async () => {
  for (const [title, codecs] of Object.entries(chains)) {
    await inFolder(async (folder) => {
      const { array: metadata } = metadataOf(codecs);
      await zarrOfPython([{ path: `${folder}/a`, metadata, items, gap: 3000 }]);
      assertEquals(await readItems(await opened(`${folder}/a`)), items, title);
    });
  }
});

pythonTest("unused bytes come out of every codec that shards lie behind", async () => {
  for (const codec of [gzip, zstd, lz4, blosc]) {
    await inFolder(async (folder) => {
      // What is written has no unused bytes: the shards of another array lend theirs.
      const plain = metadataOf([transpose, sharding([4, 3], [bytes])]);
      const packed = metadataOf([transpose, sharding([4, 3], [bytes]), codec]);
      const path = `${folder}/a`;
      await zarrOfPython([{ path, metadata: plain.array, items, gap: 5000 }]);
      const named = await codecNamed(codec.name);
      if (named.kind !== "bytes->bytes") throw new Error(`${codec.name} is ${named.kind}`);
      const bytesCodec = await named.make(codec.configuration, dataTypeOf("int32"), 1 << 20);
      for (const place of ["0/0", "0/1", "1/0", "1/1"]) {
        const file = `${path}/c/${place}`;
        const shard = Deno.readFileSync(file);
        const room = new Uint8Array(bytesCodec.encodedBytes(shard.length));
        Deno.writeFileSync(file, await bytesCodec.encode(shard, room));
      }
      Deno.writeTextFileSync(`${path}/zarr.json`, packed.array);
      assertEquals(await readItems(await opened(path)), items, codec.name);
    });
  }
});

Deno.test("chunks of a shard are read alone, and its index once", async () => {
  await inFolder(async (folder) => {
    const metadata = metadataOf([sharding([2, 2], [bytes])]);
    const shards = { chunk: [2, 2], shard: [12, 8] };
    const writer = await createFixed(`${folder}/a`, metadata, shards);
    await writeItems(writer, items);
    const reader = await opened(`${folder}/a`);
    const into = new Uint8Array(16);
    assertEquals(await reader.readChunk([0, 0], into), true);
    assertEquals(new Int32Array(into.buffer), Int32Array.of(0, 1, 15, 16));
    assertEquals(reader.bytesRead, 16 + 24 * 16 + 4);
    assertEquals(await reader.readChunk([5, 3], into), true);
    assertEquals(new Int32Array(into.buffer), Int32Array.of(156, 157, 171, 172));
    assertEquals(reader.bytesRead, 2 * 16 + 24 * 16 + 4);
    // Of nothing but the fill value.
    assertEquals(await reader.readChunk([0, 5], into), false);
    assertEquals(new Int32Array(into.buffer), Int32Array.of(156, 157, 171, 172));
    assertEquals(reader.bytesRead, 2 * 16 + 2 * (24 * 16 + 4));
  });
});

pythonTest(
  "chunks become shards where they are asked for",
  async () => {
    await inFolder(async (folder) => {
      const metadata = metadataOf([bytes, gzip]);
      const shards = { chunk: [3, 4], shard: [6, 8] };
      const writer = await createFixed(`${folder}/a`, metadata, shards);
      await writeItems(writer, items);
      const [read] = await zarrOfPython([{ path: `${folder}/a` }]);
      assertEquals(read, items);
      const { metadata: sharded } = await opened(`${folder}/a`);
      assertEquals(JSON.parse(sharded.array).codecs, [sharding([3, 4], [bytes, gzip])]);
    });
  },
);
