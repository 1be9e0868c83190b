/** Arrays of Zarr in folders, by `read` and `write`; zarrita writes and judges them. */

import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import FileSystemStore from "@zarrita/storage/fs";
import * as zarr from "zarrita";
import { countRows, expr, filter, read, select, slice, write } from "../../../../../mod.ts";
import { ChunkBatches } from "../../../../../streams/formats/zarr/rows/chunk_batch.ts";
import { createFixed } from "../../../../support/zarr/stored_arrays.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { formatOf } from "../../../../../streams/files/formats.ts";
import { openSource } from "../../../../../streams/files/read.ts";
import type { ZarrMetadata } from "../../../../../streams/formats/zarr/metadata/array_spec.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import { MemoryZarr } from "../../../../support/zarr/memory_zarr.ts";
import { sluice } from "../../../../support/processes/sluice.ts";
import { readAll, writeAll } from "../../../../support/values/streams_samples.ts";
import { writeItems } from "../../../../support/zarr/zarr_items.ts";

const shape = [5, 7, 4];
const values = Float32Array.from({ length: 140 }, (_, at) => at / 8);
const chunkFiles = (folder: string) => `${folder}/group.zarr/temperature/c`;

/** A group with two arrays, of one of which a chunk is missing: `temperature` and `deep/count`. */
async function makeGroup(folder: string): Promise<void> {
  const root = zarr.root(new FileSystemStore(`${folder}/group.zarr`));
  await zarr.create(root, { attributes: {} });
  const temperature = await zarr.create(root.resolve("temperature"), {
    shape,
    chunkShape: [2, 3, 4],
    dtype: "float32",
    fillValue: -1,
    attributes: { units: "K", nested: { list: [1, 2.5, null] } },
    dimensionNames: ["time", "lat", "lon"],
    codecs: [
      { name: "bytes", configuration: { endian: "big" } },
      { name: "zstd", configuration: { level: 3, checksum: false } },
    ],
  });
  await zarr.set(temperature, null, { data: values, shape, stride: [28, 4, 1] });
  await Deno.remove(`${chunkFiles(folder)}/1/1/0`);
  const deep = root.resolve("deep");
  await zarr.create(deep, { attributes: {} });
  await zarr.create(deep.resolve("count"), {
    shape: [3],
    chunkShape: [3],
    dtype: "uint8",
    codecs: [{ name: "bytes", configuration: {} }],
  });
}

/** The values, with fill values where the missing chunk is. */
const expected = values.map((value, at) => {
  const [time, lat] = [Math.floor(at / 28), Math.floor(at / 4) % 7];
  return time >= 2 && time < 4 && lat >= 3 && lat < 6 ? -1 : value;
});

async function valuesOf(path: string): Promise<Float32Array> {
  const root = zarr.root(new FileSystemStore(path));
  const array = await zarr.open.v3(root, { kind: "array" });
  return (await zarr.get(array as zarr.Array<"float32">)).data;
}

const metadataOf = (path: string) => JSON.parse(Deno.readTextFileSync(`${path}/zarr.json`));

Deno.test("an array goes through files of Arrow and Parquet and becomes the same array", () =>
  inFolder({}, async (folder) => {
    await makeGroup(folder);
    const from = `${folder}/group.zarr/temperature`;
    assertEquals(await valuesOf(from), expected);
    for (const name of ["", "chunks.arrow", "chunks.arrows", "chunks.parquet"]) {
      const path = `${folder}/${name}`;
      if (name !== "") await read(from).pipeTo(write(path));
      const to = `${folder}/from ${name}.zarr`;
      await read(name === "" ? from : path).pipeThrough(filter(expr("true"))).pipeTo(write(to));
      assertEquals(await valuesOf(to), expected, name);
      assertEquals(metadataOf(to), metadataOf(from), name);
      const missing = `${to}/c/1/1/0`;
      await assertRejects(() => Deno.stat(missing), Deno.errors.NotFound);
    }
  }));

Deno.test("a slice of three chunks reads the bytes of three chunks", () =>
  inFolder({}, async (folder) => {
    await makeGroup(folder);
    const source = openSource(`${folder}/group.zarr/temperature`);
    assertEquals(await source.numRows(), 9);
    assertEquals(source.bytesRead, 0);
    const batches = await readAll(source, { start: 1, stop: 4 });
    assertEquals(batches.map(({ numRows }) => numRows), [1, 1, 1]);
    const files = ["0/1/0", "0/2/0", "1/0/0"].map((name) => `${chunkFiles(folder)}/${name}`);
    const sizes = files.map((file) => Deno.statSync(file).size);
    assertEquals(source.bytesRead, sizes.reduce((sum, size) => sum + size));
    const part = `${folder}/part.zarr`;
    const stream = read(`${folder}/group.zarr/temperature`).pipeThrough(slice(1, 3));
    await stream.pipeTo(write(part));
    assertEquals(await valuesOf(part), values.filter((_, at) => at < 56 && at % 28 >= 12));
  }));

Deno.test("a count and origins need no chunk, not even one that is there", () =>
  inFolder({}, async (folder) => {
    await makeGroup(folder);
    await Deno.remove(chunkFiles(folder), { recursive: true });
    await Deno.writeTextFile(chunkFiles(folder), "no folder of chunks");
    const path = `${folder}/group.zarr/temperature`;
    assertEquals(await countRows(read(path)), 9);
    const origins = await Array.fromAsync(read(path).pipeThrough(select("origin")));
    assertEquals(origins.flatMap((batch) => [...batch]).length, 9);
    const named = await Array.fromAsync(read(path, { columns: ["origin"] }));
    assertEquals(named.flatMap((batch) => [...batch]).length, 9);
  }));

Deno.test("version 2, in F order and the other byte order, is read as it means", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/old.zarr`;
    await Deno.mkdir(path);
    const metadata = {
      ...{ zarr_format: 2, shape: [3, 2], chunks: [2, 2], dtype: ">i2", fill_value: 7 },
      ...{ order: "F", filters: null, compressor: null },
    };
    await Deno.writeTextFile(`${path}/.zarray`, JSON.stringify(metadata));
    await Deno.writeTextFile(`${path}/.zattrs`, `{"_ARRAY_DIMENSIONS": ["y", "x"]}`);
    // Items [[1, 2], [3, 4]] column by column, the high byte first.
    await Deno.writeFile(`${path}/0.0`, Uint8Array.of(0, 1, 0, 3, 0, 2, 0, 4));
    const batches = await readAll(openSource(path));
    const rows = batches.flatMap((batch) => [...batch].map(({ old }) => [...old]));
    assertEquals(rows, [[1, 2, 3, 4], [7, 7, 7, 7]]);
    const to = `${folder}/new.zarr`;
    await read(path).pipeTo(write(to));
    assertEquals(await Deno.readFile(`${to}/0.0`), await Deno.readFile(`${path}/0.0`));
    assertEquals([...Deno.readDirSync(to)].map(({ name }) => name).toSorted(), [
      ...[".zarray", ".zattrs", "0.0"],
    ]);
  }));

Deno.test("shards are read chunk by chunk, and written whole again", () =>
  inFolder({}, async (folder) => {
    await makeGroup(folder);
    const plain = `${folder}/group.zarr/temperature`;
    const like = { format: 3, array: Deno.readTextFileSync(`${plain}/zarr.json`) } as const;
    const sharded = `${folder}/sharded.zarr`;
    const shapes = { chunk: [2, 3, 2], shard: [4, 6, 4] };
    await writeItems(
      await createFixed(sharded, like, shapes),
      new Uint8Array(values.buffer),
    );
    const source = openSource(sharded);
    assertEquals(await source.numRows(), 3 * 3 * 2);
    const to = `${folder}/to.zarr`;
    await read(sharded).pipeTo(write(to));
    assertEquals(await valuesOf(to), values);
    assertEquals(metadataOf(to), metadataOf(sharded));
    const filesOf = (path: string) =>
      [...Deno.readDirSync(`${path}/c/1`)].map(({ name }) => name).toSorted();
    assertEquals(filesOf(to), filesOf(sharded));
    assertEquals(filesOf(to), ["0", "1"]);
    // One chunk of a shard.
    const part = `${folder}/part.zarr`;
    await read(sharded).pipeThrough(slice(17, 18)).pipeTo(write(part));
    assertEquals(await valuesOf(part), values.slice(-2));
    assertEquals([...Deno.readDirSync(part)].map(({ name }) => name).toSorted(), [
      "c",
      "zarr.json",
    ]);
  }));

Deno.test("files with chunks of one array are read together, of two arrays not", () =>
  inFolder({}, async (folder) => {
    await makeGroup(folder);
    const from = `${folder}/group.zarr/temperature`;
    const parts = [slice(0, 4), slice(4, 9)];
    const files = parts.map((_, part) => `${folder}/part${part}.arrow`);
    for (const [part, operator] of parts.entries()) {
      await read(from).pipeThrough(operator).pipeTo(write(files[part]!));
    }
    const together = `${folder}/together.zarr`;
    await read(files.toReversed()).pipeTo(write(together));
    assertEquals(await valuesOf(together), expected);
    const other = `${folder}/other/temperature`;
    const array = Deno.readTextFileSync(`${from}/zarr.json`).replace('"K"', '"C"');
    await createFixed(other, { format: 3, array }, { chunk: [2, 3, 4] });
    const both = read([from, other], { format: "zarr" });
    const problem = `${other}: column temperature has chunks of another array`;
    await assertRejects(() => both.schema(), FileError, problem);
  }));

Deno.test("rows whose metadata is missing or of another type are an error", () =>
  inFolder({}, async (folder) => {
    await makeGroup(folder);
    const like = Deno.readTextFileSync(`${folder}/group.zarr/temperature/zarr.json`);
    const options = { name: "t", shape, chunk: [2, 3, 4], dataType: "int32" };
    const bare = new MemoryZarr(options);
    const cases: [metadata: ZarrMetadata | undefined, problem: string][] = [
      [undefined, "the metadata of column t lacks the description of the stored array"],
      [
        { format: 3, array: like },
        "the chunks of t do not match the array that their metadata describes",
      ],
      [{ format: 3, array: "{}" }, "its shape (missing) is not a list of lengths"],
    ];
    for (const [metadata, problem] of cases) {
      const { name, grid, writeGrid, dataType, itemBytes, fill, attributes } = bare;
      const info = { name, grid, writeGrid, dataType, itemBytes, fill, attributes, metadata };
      const batches = new ChunkBatches({ ...info, dimensionNames: undefined });
      const batch = batches.batch([[0, 0, 0]], new Uint8Array(96));
      const path = `${folder}/b.zarr`;
      const error = await assertRejects(() => writeAll(write(path), [batch]), FileError);
      assertEquals(error.message.slice(0, path.length + 2), `${path}: `);
      assertStringIncludes(error.message, problem);
      await assertRejects(() => Deno.stat(path), Deno.errors.NotFound);
    }
  }));

Deno.test("what is no array is a FileError that says what it is", () =>
  inFolder({ "a.zarr": "a file" }, async (folder) => {
    await makeGroup(folder);
    await Deno.mkdir(`${folder}/empty.zarr`);
    const group = `${folder}/group.zarr`;
    const cases: [path: string, problem: string][] = [
      [
        group,
        `is a group, but only one array can be read: ${group}/deep/count, ${group}/temperature`,
      ],
      [`${folder}/none.zarr`, "no such file"],
      [`${folder}/a.zarr`, "is a file, not a folder with a Zarr array or group"],
      [
        `${folder}/empty.zarr`,
        "is not a Zarr array or group: it has no zarr.json, .zarray or .zgroup",
      ],
    ];
    for (const [path, problem] of cases) {
      const error = await assertRejects(() => readAll(openSource(path)), FileError);
      assertEquals(error.message, `${path}: ${problem}`);
    }
    const url = "https://example.org/a.zarr/t";
    const noUrl = `${url}: is a URL, but Zarr arrays are read from folders`;
    assertThrows(() => read(url), FileError, noUrl);
    assertThrows(() => write(url), FileError, "is a URL, but only files here can be written");
    const stream = "-: is a stream, but a Zarr array is a folder";
    assertThrows(() => read("-", { format: "zarr" }), FileError, stream);
    const option = "b.zarr: zarr has no compression";
    assertThrows(() => write("b.zarr", { compression: "zstd" }), TypeError, option);
  }));

Deno.test("the format is that of the suffix, also of a folder around the array", () => {
  const cases: [path: string, format: string][] = [
    ["a.zarr", "zarr"],
    ["a.ZARR/", "zarr"],
    ["a/b.zarr/c", "zarr"],
    ["a/b.zarr/c.d/", "zarr"],
    ["a.zarr/notes.csv", "csv"],
    ["a.zarr.parquet", "parquet"],
  ];
  for (const [path, format] of cases) assertEquals(formatOf(path), format, path);
  assertThrows(() => formatOf("a.zarr.zip"), FileError, "is a ZIP archive");
  assertThrows(() => formatOf("zarr/a"), FileError, "has an unknown format");
});

Deno.test("the command line reads and writes arrays, and goes on from them", () =>
  inFolder({}, async (folder) => {
    await makeGroup(folder);
    const steps = [
      ...["read", "group.zarr/temperature", "then", "slice", "3:6", "then", "write", "mid.zarr"],
      ...["then", "select", "origin", "then", "write", "origins.ndjson"],
    ];
    const { err } = await sluice(steps, { cwd: folder });
    assertEquals(err, "");
    const lines = await Deno.readTextFile(`${folder}/origins.ndjson`);
    const origins = lines.trim().split("\n").map((line) => JSON.parse(line).origin);
    assertEquals(origins, [[2, 0, 0], [2, 3, 0], [2, 6, 0]]);
    assertEquals(await valuesOf(`${folder}/mid.zarr`), expected.slice(56, 112));
    const again = await sluice(["read", "mid.zarr", "then", "write", "group.zarr"], {
      cwd: folder,
    });
    assertEquals(again.status, 1);
    assertEquals(
      again.err.trim(),
      "sluice: error: step 2, write: group.zarr: exists already, and is not replaced; remove it first",
    );
  }));
