/** Damaged chunks, and chunks that cannot be: errors of one line that name the place. */

import { assertEquals } from "@std/assert";
import type { ZarrMetadata } from "../../../../../../streams/formats/zarr/metadata/array_spec.ts";
import { createFixed, openFixed } from "../../../../../support/zarr/stored_arrays.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { document, documentOf2 } from "../../../../../support/zarr/zarr_documents.ts";
import { assertFileError } from "../../../../../support/zarr/zarr_errors.ts";
import { readItems, writeItems } from "../../../../../support/zarr/zarr_items.ts";

const items = new Uint8Array(Uint16Array.from({ length: 2400 }, (_, i) => i * 7).buffer);

function like3(changes: Partial<Record<keyof typeof document, unknown>>): ZarrMetadata {
  return { format: 3, array: JSON.stringify({ ...document, ...changes }) };
}

function withCodecs(...codecs: unknown[]): ZarrMetadata {
  return like3({ codecs: [...document.codecs, ...codecs] });
}

const sharded = like3({
  codecs: [{
    name: "sharding_indexed",
    configuration: {
      chunk_shape: [1, 300],
      codecs: document.codecs,
      index_codecs: [...document.codecs, { name: "crc32c" }],
    },
  }],
});

/** Reads all of an array whose first file was changed. */
async function readDamaged(
  metadata: ZarrMetadata,
  damage: (bytes: Uint8Array, path: string) => Uint8Array | void,
  use: (reading: Promise<unknown>, path: string) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const path = `${folder}/a.zarr`;
    const isSharded = metadata.array.includes("sharding");
    const changes = isSharded ? { chunk: [1, 300], shard: [2, 600] } : { chunk: [2, 600] };
    await writeItems(await createFixed(path, metadata, changes), items);
    const file = `${path}/${metadata.format === 2 ? "0.0" : "c/0/0"}`;
    const bytes = damage(Deno.readFileSync(file), file);
    if (bytes !== undefined) Deno.writeFileSync(file, bytes);
    const opened = await openFixed(path);
    await use(readItems(opened), file);
  });
}

const flipped = (at: number) => (bytes: Uint8Array) => {
  const place = at < 0 ? bytes.length + at : at;
  bytes[place] = bytes[place]! ^ 0x55;
  return bytes;
};
const cut = (left: number) => (bytes: Uint8Array) => bytes.slice(0, bytes.length - left);
const longer = (bytes: Uint8Array) => new Uint8Array([...bytes, 0]);

const plain = like3({});
const crc32c = withCodecs({ name: "crc32c" });
const gzip = withCodecs({ name: "gzip", configuration: { level: 1 } });
const zstd = withCodecs({ name: "zstd", configuration: { level: 1, checksum: true } });
const blosc = withCodecs({
  name: "blosc",
  configuration: { cname: "lz4", clevel: 5, shuffle: "shuffle", typesize: 2, blocksize: 0 },
});
const lz4: ZarrMetadata = {
  format: 2,
  array: JSON.stringify({ ...documentOf2, compressor: { id: "lz4", acceleration: 1 } }),
};

const damages: [string, ZarrMetadata, (bytes: Uint8Array) => Uint8Array, RegExp][] = [
  ["a plain chunk that is cut", plain, cut(1), /^has 2399 bytes, but a chunk has 2400$/],
  ["a plain chunk that is empty", plain, cut(2400), /^has 0 bytes, but a chunk has 2400$/],
  ["a plain chunk that is longer", plain, longer, /^has 2401 bytes, but a chunk has 2400$/],
  ["a checksum", crc32c, flipped(-1), /^has a checksum that does not match its bytes$/],
  [
    "bytes under a checksum",
    crc32c,
    flipped(100),
    /^has a checksum that does not match its bytes$/,
  ],
  ["a checksum that is cut", crc32c, cut(2402), /^has 2 bytes, too few for a checksum$/],
  ["gzip that is cut", gzip, cut(9), /^has corrupt gzip data: unexpected end of file$/],
  ["gzip that is not", gzip, flipped(0), /^has corrupt gzip data: incorrect header check$/],
  ["zstd that is cut", zstd, cut(5), /^has corrupt zstd data: a truncated zstd frame$/],
  ["zstd that is not", zstd, flipped(0), /^has corrupt zstd data: not a zstd frame$/],
  ["zstd with a wrong checksum", zstd, flipped(-1), /^has corrupt zstd data: .*checksum$/],
  [
    "blosc that is cut",
    blosc,
    cut(3),
    /^has corrupt blosc data: it has \d+ bytes, but its header states \d+$/,
  ],
  [
    "blosc without a header",
    blosc,
    () => new Uint8Array(7),
    /^has corrupt blosc data: its header is incomplete$/,
  ],
  ["blosc that is too large", blosc, flipped(7), /data: it decodes to more than 2400 bytes$/],
  ["lz4 that is too large", lz4, flipped(3), /lz4 data: it decodes to more than 2400 bytes$/],
  ["lz4 that is cut", lz4, cut(40), /^has corrupt lz4 data: /],
  [
    "much more than a chunk",
    gzip,
    () => new Uint8Array(9000),
    /^has 9000 bytes, but a chunk has at most \d+$/,
  ],
];

for (const [title, metadata, damage, problem] of damages) {
  Deno.test(`a damaged chunk is an error that names its file: ${title}`, async () => {
    await readDamaged(metadata, damage, async (reading, path) => {
      const error = await reading.then(() => undefined, (error) => error as Error);
      assertEquals(error?.name, "FileError");
      const [, said = "nothing"] = /^.*?: (.*)$/.exec(error!.message) ?? [];
      assertEquals(error!.message.startsWith(`${path}: `), true, error!.message);
      assertEquals(problem.test(said), true, said);
    });
  });
}

Deno.test("a chunk that decodes to another length is an error, with every codec", async () => {
  const short = withCodecs({ name: "gzip", configuration: { level: 1 } });
  const encode = async (bytes: Uint8Array<ArrayBuffer>) =>
    new Uint8Array(
      await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip")))
        .arrayBuffer(),
    );
  const [less, more] = [await encode(new Uint8Array(2399)), await encode(new Uint8Array(2402))];
  await readDamaged(short, () => less, async (reading, path) => {
    await assertFileError(reading, `${path}: decodes to 2399 bytes, but a chunk has 2400`);
  });
  await readDamaged(short, () => more, async (reading, path) => {
    const error = await reading.then(() => undefined, (error) => error as Error);
    assertEquals(error?.message.startsWith(`${path}: `), true);
  });
});

Deno.test("a shard whose index is damaged is an error that names it", async () => {
  await readDamaged(sharded, cut(60), async (reading, path) => {
    await assertFileError(
      reading,
      `${path}: has an index that has a checksum that does not match its bytes`,
    );
  });
  await readDamaged(sharded, () => new Uint8Array(10), async (reading, path) => {
    await assertFileError(reading, `${path}: has 10 bytes, fewer than its index of 68`);
  });
  const unchecked: ZarrMetadata = {
    format: 3,
    array: sharded.array.replace(/,\{"name":"crc32c"\}/, ""),
  };
  // The high byte of the first offset.
  await readDamaged(unchecked, flipped(-57), async (reading, path) => {
    await assertFileError(
      reading,
      `${path}: has an index that puts chunk [0,0] at 6124895493223874560 to 6124895493223875160`,
    );
  });
});

Deno.test("a chunk that is a folder, and one that may not be read, are errors", async () => {
  const asFolder = (_: Uint8Array, path: string) => {
    Deno.removeSync(path);
    Deno.mkdirSync(path);
  };
  await readDamaged(
    plain,
    asFolder,
    (reading, path) => assertFileError(reading, `${path}: is a folder, not a file`),
  );
});

Deno.test("chunks appear whole or not at all, and one of nothing but the fill value goes", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.zarr`;
    const writer = await createFixed(path, sharded, { chunk: [1, 300], shard: [2, 600] });
    const shard = items.subarray(0, 2400);
    await writer.writeChunk([0, 0], shard);
    assertEquals(await writer.hasChunk([0, 0]), true);
    assertEquals(await writer.hasChunk([1, 0]), false);
    assertEquals([...Deno.readDirSync(`${path}/c/0`)].map(({ name }) => name), ["0"]);
    await assertFileError(
      writer.writeChunk([0, 0], new Uint8Array(3)),
      `${path}/c/0/0: gets 3 bytes, but a chunk has 2400`,
    );
    assertEquals(await writer.hasChunk([0, 0]), true);
    await writer.writeChunk([0, 0], new Uint8Array(2400));
    assertEquals(await writer.hasChunk([0, 0]), false);
    assertEquals([...Deno.readDirSync(`${path}/c/0`)], []);
    await writer.writeChunk([0, 0], new Uint8Array(2400));
    // What cannot get its name leaves nothing.
    Deno.mkdirSync(`${path}/c/1/0/in the way`, { recursive: true });
    const error = await writer.writeChunk([1, 0], shard).then(() => undefined, (error) => error);
    assertEquals(error?.name, "FileError");
    assertEquals([...Deno.readDirSync(`${path}/c/1`)].map(({ name }) => name), ["0"]);
  });
});

Deno.test("the null of version 2 is no fill value: zeros are written", async () => {
  await inFolder(async (folder) => {
    const metadata: ZarrMetadata = {
      format: 2,
      array: JSON.stringify({ ...documentOf2, fill_value: null }),
    };
    const writer = await createFixed(`${folder}/a.zarr`, metadata, { chunk: [2, 600] });
    await writer.writeChunk([0, 0], new Uint8Array(2400));
    assertEquals(await writer.hasChunk([0, 0]), true);
    assertEquals(JSON.parse(writer.metadata.array).fill_value, null);
  });
});

Deno.test("chunks and shards that an array cannot have are refused", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.zarr`;
    const create = (changes: Parameters<typeof createFixed>[2], metadata = plain) =>
      createFixed(path, metadata, changes);
    await assertFileError(create({ chunk: [1] }), `${path}: cannot have chunks [1]: it has 2 axes`);
    await assertFileError(
      create({ chunk: [0, 1] }),
      `${path}: cannot have chunks [0,1]: lengths must be at least 1`,
    );
    await assertFileError(
      create({ chunk: [2, 2], shard: [4, 3] }),
      `${path}: cannot have shards [4,3]: they are not whole chunks [2,2]`,
    );
    await assertFileError(
      create({ chunk: [2, 2], shard: [4, 4] }, lz4),
      `${path}: cannot have shards: it is of Zarr version 2`,
    );
    assertEquals([...Deno.readDirSync(folder)], []);
    // Shards are about as large as they were, and no larger.
    const { grid, writeGrid } = await create({ chunk: [3, 7] }, sharded);
    assertEquals([grid.chunk, writeGrid.chunk], [[3, 7], [3, 399]]);
  });
});
