/** Damaged chunks of text, and items that cannot be: errors of one line that name the place. */

import { assertEquals, assertThrows } from "@std/assert";
import type { ZarrMetadata } from "../../../../../../streams/formats/zarr/metadata/array_spec.ts";
import { createVariable } from "../../../../../support/zarr/stored_arrays.ts";
import { joinBoxes } from "../../../../../../streams/formats/zarr/items/variable_items.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { assertFileError } from "../../../../../support/zarr/zarr_errors.ts";
import {
  openTexts,
  readTexts,
  textItems,
  writeTexts,
} from "../../../../../support/zarr/zarr_texts.ts";

function metadataOf(dataType: string, ...codecs: unknown[]): ZarrMetadata {
  const packing = { name: dataType === "string" ? "vlen-utf8" : "vlen-bytes" };
  const array = JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape: [4],
    data_type: dataType,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: "default" },
    fill_value: "",
    codecs: [packing, ...codecs],
  });
  return { format: 3, array };
}

const [plain, gzip, zlib, zstd, lz4, blosc, crc32c] = [
  metadataOf("string"),
  metadataOf("string", { name: "gzip", configuration: { level: 1 } }),
  metadataOf("string", { name: "numcodecs.zlib", configuration: { level: 1 } }),
  metadataOf("string", { name: "zstd", configuration: { level: 1, checksum: true } }),
  metadataOf("string", { name: "numcodecs.lz4", configuration: { acceleration: 1 } }),
  metadataOf("string", {
    name: "blosc",
    configuration: { cname: "lz4", clevel: 5, shuffle: "noshuffle", typesize: 1, blocksize: 0 },
  }),
  metadataOf("string", { name: "crc32c" }),
];

// The first chunk of `plain`: 2, then 3 and the bytes of "né", from byte 11 on 4 and "abcd".
const items = ["né", "abcd", "x", ""].map((text) => new TextEncoder().encode(text));

const setAt = (at: number, ...values: number[]) => (bytes: Uint8Array) => {
  bytes.set(values, at);
  return bytes;
};
const cut = (left: number) => (bytes: Uint8Array) => bytes.slice(0, bytes.length - left);

const cases: [string, ZarrMetadata, (bytes: Uint8Array) => Uint8Array, string][] = [
  [
    "no number",
    plain,
    (bytes) => bytes.slice(0, 3),
    "has 3 bytes, too few for its number of items",
  ],
  ["an empty file", plain, () => new Uint8Array(), "has 0 bytes, too few for its number of items"],
  ["too few items", plain, setAt(0, 1), "states 1 items, but a chunk has 2"],
  [
    "far too many items",
    plain,
    setAt(0, 0, 0, 0, 255),
    "states 4278190080 items, but a chunk has 2",
  ],
  ["a cut number", plain, cut(5), "ends before item 1 of 2"],
  ["a cut item", plain, cut(1), "has an item 1 of 4 bytes, but only 3 are left"],
  [
    "a length beyond the chunk",
    plain,
    setAt(4, 255, 255, 255, 255),
    "has an item 0 of 4294967295 bytes, but only 11 are left",
  ],
  [
    "bytes behind the items",
    plain,
    (bytes) => new Uint8Array([...bytes, 1, 2]),
    "has 2 bytes after its last item",
  ],
  ["text that is not UTF-8", plain, setAt(15, 0x80), "has an item 1 that is not UTF-8"],
  [
    "a letter over two items",
    plain,
    // "n" with a part of "é", and the other part.
    () => Uint8Array.of(2, 0, 0, 0, 2, 0, 0, 0, 0x6e, 0xc3, 1, 0, 0, 0, 0xa9),
    "has an item 0 that is not UTF-8",
  ],
  ["a checksum", crc32c, setAt(15, 0x70), "has a checksum that does not match its bytes"],
  ["too short a checksum", crc32c, () => new Uint8Array(3), "has 3 bytes, too few for a checksum"],
  ["a cut gzip", gzip, cut(9), "has corrupt gzip data: "],
  ["no gzip", gzip, setAt(0, 1), "has corrupt gzip data: "],
  ["a cut zlib", zlib, cut(6), "has corrupt zlib data: "],
  ["a cut zstd", zstd, cut(3), "has corrupt zstd data: "],
  ["no zstd", zstd, setAt(0, 1), "has corrupt zstd data: not a zstd frame"],
  ["no lz4", lz4, () => Uint8Array.of(1), "has corrupt lz4 data: its header is incomplete"],
  ["an lz4 that says less", lz4, setAt(0, 3), "has corrupt lz4 data: "],
  ["a cut blosc", blosc, cut(1), "has corrupt blosc data: "],
];

for (const [title, metadata, damage, problem] of cases) {
  Deno.test(`damaged text is an error in one line: ${title}`, async () => {
    await inFolder(async (folder) => {
      const path = `${folder}/a.zarr`;
      await writeTexts(await createVariable(path, metadata, { chunk: [2] }), items);
      const file = `${path}/c/0`;
      Deno.writeFileSync(file, damage(Deno.readFileSync(file)));
      const error = await readTexts(await openTexts(path)).then(() => undefined, (error) => error);
      assertEquals([error?.name, error?.message.split("\n").length], ["FileError", 1]);
      assertEquals(error.message.slice(0, file.length + 2 + problem.length), `${file}: ${problem}`);
    });
  });
}

Deno.test("what decodes to more than is allowed is refused, by every codec and in shards", async () => {
  const index = [{ name: "bytes", configuration: { endian: "little" } }];
  const sharded = (...behind: unknown[]): ZarrMetadata => {
    const configuration = {
      ...{ chunk_shape: [1], index_codecs: index },
      codecs: [{ name: "vlen-utf8" }, { name: "gzip", configuration: { level: 1 } }],
    };
    const document = JSON.parse(plain.array);
    const codecs = [{ name: "sharding_indexed", configuration }, ...behind];
    return { format: 3, array: JSON.stringify({ ...document, codecs }) };
  };
  const kinds = { plain, gzip, zlib, zstd, lz4, blosc, crc32c, shard: sharded() };
  const packed = sharded({ name: "zstd", configuration: { level: 1 } });
  const texts = ["é".repeat(5000), "x".repeat(1000), "", "y"].map((text) =>
    new TextEncoder().encode(text)
  );
  for (const [kind, metadata] of Object.entries({ ...kinds, packed })) {
    await inFolder(async (folder) => {
      const path = `${folder}/a.zarr`;
      const isShard = kind === "shard";
      const shapes = isShard ? { chunk: [1], shard: [2] } : { chunk: [2] };
      await writeTexts(await createVariable(path, metadata, shapes), texts);
      const reader = await openTexts(path);
      // The number of items, the length of each, and their bytes.
      const numBytes = isShard ? 4 + 4 + 10_000 : 4 + 2 * 4 + 11_000;
      const items = await reader.readChunk([0], numBytes);
      assertEquals(items!.offsets.at(-1), isShard ? 10_000 : 11_000, kind);
      for (const most of [numBytes - 1, 5000, 100, 0]) {
        const error = await reader.readChunk([0], most).then(() => undefined, (error) => error);
        assertEquals(error?.cause?.name, "TooLargeError", `${kind}, ${most}: ${error?.message}`);
      }
    });
  }
});

Deno.test("a letter that goes over two items is no text, but bytes", async () => {
  await inFolder(async (folder) => {
    const halves = [Uint8Array.of(0x6e, 0xc3), Uint8Array.of(0xa9)];
    const writer = await createVariable(`${folder}/a.zarr`, plain, { chunk: [2] });
    const problem = `${folder}/a.zarr/c/0: has an item 0 that is not UTF-8`;
    await assertFileError(writer.writeChunk([0], textItems(halves)), problem);
    assertEquals(await writer.hasChunk([0]), false);
    const bytes = await createVariable(`${folder}/b.zarr`, metadataOf("bytes"), { chunk: [2] });
    await bytes.writeChunk([0], textItems(halves));
    Deno.mkdirSync(`${folder}/a.zarr/c`, { recursive: true });
    Deno.copyFileSync(`${folder}/b.zarr/c/0`, `${folder}/a.zarr/c/0`);
    await assertFileError((await openTexts(`${folder}/a.zarr`)).readChunk([0]), problem);
  });
});

Deno.test("a chunk of other items than it has is refused, and a fill value takes what was there", async () => {
  await inFolder(async (folder) => {
    const writer = await createVariable(`${folder}/a.zarr`, plain, { chunk: [2] });
    const three = textItems([items[0]!, items[1]!, items[2]!]);
    await assertFileError(
      writer.writeChunk([0], three),
      `${folder}/a.zarr/c/0: gets 3 items, but a chunk has 2`,
    );
    await writer.writeChunk([0], textItems(items.slice(0, 2)));
    assertEquals(await writer.hasChunk([0]), true);
    assertEquals(writer.bytesWritten, Deno.statSync(`${folder}/a.zarr/c/0`).size);
    await writer.writeChunk([0], textItems([new Uint8Array(), new Uint8Array()]));
    assertEquals(await writer.hasChunk([0]), false);
  });
});

Deno.test("items of 2 GiB are refused before they are put together", async () => {
  await inFolder(async (folder) => {
    const most = 2 ** 31 - 1;
    // Nothing lies at these offsets, and nothing is looked at.
    const huge = { offsets: Int32Array.of(0, most), data: new Uint8Array() };
    const box = (start: number) => ({ start: [start], stop: [start + 1] });
    assertThrows(
      () => joinBoxes([2], [{ box: box(0), items: huge }, { box: box(1), items: huge }]),
      Error,
      "gets items of 2 GiB or more",
    );
    const bytes = metadataOf("bytes");
    const writer = await createVariable(`${folder}/a.zarr`, bytes, { chunk: [1] });
    await assertFileError(
      writer.writeChunk([0], huge),
      `${folder}/a.zarr/c/0: gets 2147483655 bytes, but a chunk must have less than 2 GiB`,
    );
  });
});

Deno.test("shards whose chunks lie anywhere in them are read, and indices that lie are said", async () => {
  const index = [{ name: "bytes", configuration: { endian: "little" } }];
  const sharding = {
    name: "sharding_indexed",
    configuration: { chunk_shape: [1], codecs: [{ name: "vlen-utf8" }], index_codecs: index },
  };
  const array = JSON.parse(plain.array);
  const metadata = { format: 3 as const, array: JSON.stringify({ ...array, codecs: [sharding] }) };
  await inFolder(async (folder) => {
    const path = `${folder}/a.zarr`;
    await createVariable(path, metadata, { chunk: [1], shard: [2] });
    const file = `${path}/c/0`;
    Deno.mkdirSync(`${path}/c`);
    // Unused bytes before, between and behind the chunks, and the second one first.
    const chunks = [
      ...[9, 9, 9],
      ...[1, 0, 0, 0, 1, 0, 0, 0, 0x62],
      ...[9, 9],
      ...[1, 0, 0, 0, 1, 0, 0, 0, 0x61],
      9,
    ];
    const shard = (...places: number[]) =>
      new Uint8Array([...chunks, ...new Uint8Array(new BigUint64Array(places.map(BigInt)).buffer)]);
    Deno.writeFileSync(file, shard(14, 9, 3, 9));
    const texts = (await readTexts(await openTexts(path))).map((item) => [...item]);
    assertEquals(texts, [[0x61], [0x62], [], []]);
    for (
      const [places, problem] of [
        [[3, 9, 3, 9], "two chunks, at 3 to 12"],
        [[14, 9, 3, 12], "two chunks, at 14 to 15"],
        [[15, 10, 3, 9], "a chunk over itself, at 24 to 25"],
        [[20, 36, 3, 9], "a chunk over itself, at 24 to 56"],
      ] as const
    ) {
      Deno.writeFileSync(file, shard(...places));
      const reading = readTexts(await openTexts(path));
      await assertFileError(reading, `${file}: has an index that puts ${problem}`);
    }
    Deno.writeFileSync(file, shard(14, 100, 3, 9));
    const problem = `${file}: has an index that puts chunk [0] at 14 to 114`;
    await assertFileError(readTexts(await openTexts(path)), problem);
  });
});
