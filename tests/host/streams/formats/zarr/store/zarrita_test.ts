/** zarrita reads what is written here, and what it writes is read here. */

import { assertEquals } from "@std/assert";
import FileSystemStore from "@zarrita/storage/fs";
import * as zarr from "zarrita";
import {
  createFixed,
  createVariable,
  openFixed,
} from "../../../../../support/zarr/stored_arrays.ts";
import type { StoredFixedReader } from "../../../../../../streams/formats/zarr/store/open_array.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { readItems, writeItems } from "../../../../../support/zarr/zarr_items.ts";
import { openTexts, writeTexts } from "../../../../../support/zarr/zarr_texts.ts";

async function opened(path: string): Promise<StoredFixedReader> {
  const opened = await openFixed(path);
  return opened;
}

const compressors = {
  none: [],
  zstd: [{ name: "zstd", configuration: { level: 5, checksum: true } }],
  gzip: [{ name: "gzip", configuration: { level: 6 } }],
};
const endians = ["little", "big"] as const;

for (const [compressor, codecs] of Object.entries(compressors)) {
  for (const endian of endians) {
    Deno.test(`a chunk that is written is what zarrita reads: ${compressor}, ${endian}`, async () => {
      await inFolder(async (folder) => {
        const shape = [5, 7];
        const items = Float32Array.from({ length: 35 }, (_, i) => i === 11 ? NaN : i / 8);
        const like = JSON.stringify({
          zarr_format: 3,
          node_type: "array",
          shape,
          data_type: "float32",
          chunk_grid: { name: "regular", configuration: { chunk_shape: [5, 7] } },
          chunk_key_encoding: { name: "default" },
          fill_value: "NaN",
          codecs: [{ name: "bytes", configuration: { endian } }, ...codecs],
          attributes: { unit: "K" },
          dimension_names: ["y", null],
        });
        const path = `${folder}/a.zarr`;
        const writer = await createFixed(path, { format: 3, array: like }, { chunk: [2, 3] });
        await writeItems(writer, new Uint8Array(items.buffer));
        const array = await zarr.open.v3(zarr.root(new FileSystemStore(path)), { kind: "array" });
        assertEquals(array.shape, shape);
        assertEquals(array.chunks, [2, 3]);
        assertEquals(array.attrs, { unit: "K" });
        const region = await zarr.get(array as zarr.Array<"float32">);
        assertEquals(region.data, items);
        const reader = await opened(path);
        assertEquals(await readItems(reader), new Uint8Array(items.buffer));
        assertEquals(reader.dimensionNames, ["y", null]);
        assertEquals(reader.attributes, { unit: "K" });
        assertEquals([reader.dataType, reader.itemBytes], ["float32", 4]);
        assertEquals(reader.fill, new Uint8Array(Float32Array.of(NaN).buffer));
      });
    });
  }
}

for (const [compressor, codecs] of Object.entries(compressors)) {
  for (const shard of [undefined, [4, 6]]) {
    const title = `${compressor}${shard === undefined ? "" : ", in shards"}`;
    Deno.test(`text that is written is what zarrita reads: ${title}`, async () => {
      await inFolder(async (folder) => {
        const words = ["", "a", "née", "日本語", "🏔️", "none", "long ".repeat(50)];
        const texts = Array.from({ length: 35 }, (_, i) => words[(3 * i) % 7]!);
        const like = JSON.stringify({
          zarr_format: 3,
          node_type: "array",
          shape: [5, 7],
          data_type: "string",
          chunk_grid: { name: "regular", configuration: { chunk_shape: [5, 7] } },
          chunk_key_encoding: { name: "default" },
          fill_value: "none",
          codecs: [{ name: "vlen-utf8", configuration: {} }, ...codecs],
          attributes: { unit: "K" },
          dimension_names: ["y", null],
        });
        const path = `${folder}/a.zarr`;
        const changes = { chunk: [2, 3], shard };
        const writer = await createVariable(path, { format: 3, array: like }, changes);
        const encoder = new TextEncoder();
        await writeTexts(writer, texts.map((text) => encoder.encode(text)));
        const array = await zarr.open.v3(zarr.root(new FileSystemStore(path)), { kind: "array" });
        assertEquals([array.dtype, array.chunks], ["string", [2, 3]]);
        const region = await zarr.get(array as zarr.Array<"string">);
        assertEquals(region.data, texts);
        const reader = await openTexts(path);
        assertEquals([reader.dimensionNames, reader.attributes], [["y", null], { unit: "K" }]);
        assertEquals(reader.fill, encoder.encode("none"));
      });
    });
  }
}

Deno.test("an array that zarrita made without codecs is plain, and has its codec when rewritten", async () => {
  await inFolder(async (folder) => {
    const root = zarr.root(new FileSystemStore(`${folder}/a.zarr`));
    const dtype = "int16" as const;
    const array = await zarr.create(root, { shape: [4], chunkShape: [2], dtype, fillValue: 0 });
    await zarr.set(array, null, { data: Int16Array.of(1, 2, 3, 4), shape: [4], stride: [1] });
    const reader = await opened(`${folder}/a.zarr`);
    const items = new Uint8Array(Int16Array.of(1, 2, 3, 4).buffer);
    assertEquals(await readItems(reader), items);
    const writer = await createFixed(`${folder}/b.zarr`, reader.metadata, { chunk: [4] });
    await writeItems(writer, items);
    const { codecs } = JSON.parse(await Deno.readTextFile(`${folder}/b.zarr/zarr.json`));
    assertEquals(codecs, [{ name: "bytes", configuration: { endian: "little" } }]);
  });
});
