/** Arrays of text and bytes in folders, by `read` and `write`; zarrita judges the text. */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import FileSystemStore from "@zarrita/storage/fs";
import {
  type Data,
  LargeList,
  LargeUtf8,
  makeData,
  RecordBatch,
  Schema,
  Struct,
} from "apache-arrow";
import * as zarr from "zarrita";
import { countRows, expr, filter, read, select, slice, write } from "../../../../../mod.ts";
import type { VariableArray } from "../../../../../streams/formats/zarr/items/array.ts";
import { ChunkBatches, ChunkFinder } from "../../../../../streams/formats/zarr/rows/chunk_batch.ts";
import { createVariable } from "../../../../support/zarr/stored_arrays.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { openSource } from "../../../../../streams/files/read.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import { randomTextZarr, textKinds } from "../../../../support/random/random_text_zarr.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { sluice } from "../../../../support/processes/sluice.ts";
import { surroundBatch } from "../../../../support/values/surround_data.ts";
import { readAll, writeAll } from "../../../../support/values/streams_samples.ts";
import {
  listOf,
  openTexts,
  readTexts,
  textItems,
  writeTexts,
} from "../../../../support/zarr/zarr_texts.ts";

const words = ["", "a", "née", "日本語", "🏔️", "none", "long ".repeat(50)];
const texts = Array.from({ length: 35 }, (_, at) => words[(3 * at) % 7]!);
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** An array of text in chunks [2, 3], of which that at [2, 3] is missing. */
async function makeArray(path: string, shard?: readonly number[]): Promise<void> {
  const array = JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape: [5, 7],
    data_type: "string",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [5, 7] } },
    chunk_key_encoding: { name: "default" },
    fill_value: "none",
    codecs: [{ name: "vlen-utf8", configuration: {} }, {
      name: "zstd",
      configuration: { level: 1 },
    }],
    attributes: { units: "words" },
    dimension_names: ["y", "x"],
  });
  const writer = await createVariable(path, { format: 3, array }, { chunk: [2, 3], shard });
  await writeTexts(writer, expected.map(bytesOf));
}

const expected = texts.map((text, at) => {
  const [y, x] = [Math.floor(at / 7), at % 7];
  return y >= 2 && y < 4 && x >= 3 && x < 6 ? "none" : text;
});

async function textsOf(path: string): Promise<unknown> {
  const array = await zarr.open.v3(zarr.root(new FileSystemStore(path)), { kind: "array" });
  return (await zarr.get(array as zarr.Array<"string">)).data;
}

const metadataOf = (path: string) => JSON.parse(Deno.readTextFileSync(`${path}/zarr.json`));

Deno.test("an array of text goes through files of Arrow and Parquet and becomes the same array", () =>
  inFolder({}, async (folder) => {
    for (const shard of [undefined, [4, 6]]) {
      const from = `${folder}/words${shard?.length ?? 0}.zarr`;
      await makeArray(from, shard);
      assertEquals(await textsOf(from), expected);
      for (const name of ["", "chunks.arrow", "chunks.arrows", "chunks.parquet"]) {
        const path = `${from}.${name}`;
        if (name !== "") await read(from).pipeTo(write(path));
        const to = `${from} from ${name}.zarr`;
        await read(name === "" ? from : path).pipeThrough(filter(expr("true"))).pipeTo(write(to));
        assertEquals(await textsOf(to), expected, name);
        assertEquals(metadataOf(to), metadataOf(from), name);
        const files = (path: string) =>
          [...Deno.readDirSync(`${path}/c`)].flatMap((row) =>
            [...Deno.readDirSync(`${path}/c/${row.name}`)].map(({ name }) => `${row.name}/${name}`)
          ).sort();
        assertEquals(files(to), files(from), name);
      }
    }
  }));

Deno.test("a row is a chunk: its origin, and a list of its items", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/words.zarr`;
    await makeArray(path);
    const source = openSource(path);
    const schema = await source.schema();
    assertEquals(schema!.fields.map(({ name, type }) => `${name}: ${type}`), [
      "origin: FixedSizeList[2]<Int64>",
      "words: List<Utf8>",
    ]);
    assertEquals([await source.numRows(), source.bytesRead], [9, 0]);
    const batches = await readAll(source, { start: 3, stop: 5, together: { rows: 9, bytes: 999 } });
    const rows = batches.flatMap((batch) => [...batch].map(({ words }) => [...words]));
    assertEquals(rows, [
      [14, 15, 16, 21, 22, 23].map((at) => texts[at]!),
      new Array(6).fill("none"),
    ]);
    assertEquals(source.bytesRead, Deno.statSync(`${path}/c/1/0`).size);
    Deno.removeSync(`${path}/c`, { recursive: true });
    Deno.writeTextFileSync(`${path}/c`, "no folder of chunks");
    assertEquals(await countRows(read(path)), 9);
    const origins = await Array.fromAsync(read(path).pipeThrough(select("origin")));
    assertEquals(origins.flatMap((batch) => [...batch]).length, 9);
    await assertRejects(() => Array.fromAsync(read(path)), FileError, `${path}/c/0/0: `);
  }));

Deno.test("a group of text and numbers names its arrays, and verbs take those of text", () =>
  inFolder({}, async (folder) => {
    const group = `${folder}/group.zarr`;
    await makeArray(`${group}/words`);
    Deno.writeTextFileSync(`${group}/zarr.json`, `{"zarr_format": 3, "node_type": "group"}`);
    await assertRejects(
      () => Array.fromAsync(read(group)),
      FileError,
      `${group}: is a group, but only one array can be read: ${group}/words`,
    );
    const to = `${folder}/to.zarr`;
    const line = ["read", `${group}/words`, "then", "slice", "0:1", "then", "write", to];
    const { status, err } = await sluice(line);
    assertEquals([status, err], [0, ""]);
    assertEquals(await textsOf(to), texts.filter((_, at) => at < 14 && at % 7 < 3));
    const shown = await sluice(["read", to, "then", "head", "1", "then", "show"]);
    assertEquals(shown.status, 0);
    assertStringIncludes(shown.out, "list<utf8>");
    assertStringIncludes(shown.out, "日本語");
  }));

Deno.test("some chunks are an array of those", () =>
  inFolder({}, async (folder) => {
    for (const shard of [undefined, [4, 6]]) {
      const path = `${folder}/words${shard?.length ?? 0}.zarr`;
      await makeArray(path, shard);
      const part = `${path}.part.zarr`;
      await read(path).pipeThrough(slice(0, 2)).pipeTo(write(part));
      assertEquals(await textsOf(part), texts.filter((_, at) => at < 14 && at % 7 < 6));
    }
  }));

Deno.test("arrays of all kinds come out of batches, turned, surrounded, and in 64 bits", () => {
  const draws = new Draws([...textKinds, "64 bits", "surrounded"]);
  return forSeeds(150, async (random) => {
    const { metadata, chunk, shard, items } = randomTextZarr(random, draws);
    await inFolder({}, async (folder) => {
      const [from, to] = [`${folder}/a.zarr`, `${folder}/b.zarr`];
      await writeTexts(await createVariable(from, metadata, { chunk, shard }), items);
      let batches = (await readAll(openSource(from))).toSorted(() => random.next() - 0.5);
      if (random.chance(0.4)) {
        draws.add("64 bits");
        batches = batches.map(widened);
      } else if (random.chance(0.5)) {
        draws.add("surrounded");
        batches = batches.map((batch) => surroundBatch(batch, random));
      }
      const output = write(to);
      await writeAll(output, batches);
      const reader = await openTexts(to);
      assertEquals(await readTexts(reader), [...items], metadata.array);
      assertEquals(reader.writeGrid.chunk, shard ?? chunk);
      assertEquals([...Deno.readDirSync(to)].some(({ name }) => name === ".shards"), false);
    });
  }, draws);
});

/** A batch with offsets of 64 bits, of lists and of text. */
function widened(batch: RecordBatch): RecordBatch {
  const [origin, lists] = batch.data.children as [Data, Data];
  const wide = (offsets: Int32Array) => BigInt64Array.from(offsets, BigInt);
  const [child] = lists.children as [Data];
  if (String(child.type) !== "Utf8") return batch;
  const { length, values: data } = child;
  const text = makeData({
    type: new LargeUtf8(),
    length,
    nullCount: 0,
    data,
    valueOffsets: wide(child.valueOffsets),
  });
  const [originField, field] = batch.schema.fields;
  const type = new LargeList(field!.type.children[0]!.clone({ type: text.type }));
  const list = makeData({
    type,
    length: lists.length,
    nullCount: 0,
    child: text,
    valueOffsets: wide(lists.valueOffsets),
  });
  const schema = new Schema([originField!, field!.clone({ type })]);
  const children = [origin, list];
  const rows = makeData({ type: new Struct(schema.fields), length: batch.numRows, children });
  return new RecordBatch(schema, rows);
}

Deno.test("chunks that are none of the array are one clear line", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/words.zarr`;
    await makeArray(path);
    const { array } = new ChunkFinder<VariableArray>((await openSource(path).schema())!);
    const rows = new ChunkBatches<VariableArray>(array);
    const to = `${folder}/b.zarr`;
    const problemOf = async (...batches: RecordBatch[]) => {
      const error = await assertRejects(() => writeAll(write(to), batches), FileError);
      return error.message;
    };
    const list = (count: number) => textItems(new Array(count).fill(bytesOf("née")));
    const batchOf = (count: number) => rows.batch([[0, 0]], list(count));
    const short = batchOf(6).data.children[1]!;
    short.valueOffsets[1] = 5;
    const [origins] = batchOf(6).data.children;
    const { schema } = rows;
    const type = new Struct(schema.fields);
    const few = makeData({ type, length: 1, nullCount: 0, children: [origins!, short] });
    assertEquals(
      await problemOf(new RecordBatch(schema, few)),
      `${to}: the chunk at [0, 0] has 5 items, but chunks have 6`,
    );
    assertEquals(
      await problemOf(batchOf(6), batchOf(6)),
      `${to}: the chunk of words at [0, 0] occurs twice`,
    );
    const other = { ...array, dataType: "bytes" as const };
    assertEquals(
      await problemOf(new ChunkBatches<VariableArray>(other).batch([[0, 0]], list(6))),
      `${to}: the chunks of words do not match the array that their metadata describes`,
    );
    const [noItem] = batchOf(6).data.children[1]!.children;
    const nulls = noItem!.clone(noItem!.type, 0, 6, 1, {
      ...noItem!.buffers,
      2: Uint8Array.of(0b111101),
    } as never);
    const lists = short.clone(short.type, 0, 1, 0, undefined, [nulls]);
    lists.valueOffsets[1] = 6;
    const withNull = makeData({ type, length: 1, nullCount: 0, children: [origins!, lists] });
    assertEquals(
      await problemOf(new RecordBatch(schema, withNull)),
      `${to}: column words has nulls, but items of an array cannot be null`,
    );
    const invalid = textItems([Uint8Array.of(0x80), ...new Array(5).fill(bytesOf("x"))]);
    assertEquals(
      await problemOf(rows.batch([[0, 0]], invalid)),
      `${to}/c/0/0: has an item 0 that is not UTF-8`,
    );
    const [origin, words] = schema.fields;
    const wrong = words!.clone({ type: origin!.type });
    const problem = await assertRejects(
      // deno-lint-ignore require-await
      async () => new ChunkFinder<VariableArray>(new Schema([origin!, wrong])),
      TypeError,
    );
    assertEquals(
      problem.message,
      "column words is fixed_size_list<int64, 2>, but its chunks must be list<utf8>",
    );
  }));

Deno.test("chunks lie in a batch without a copy, and come out of it", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/words.zarr`;
    await makeArray(path);
    const { array } = new ChunkFinder<VariableArray>((await openSource(path).schema())!);
    const items = textItems(Array.from({ length: 12 }, (_, at) => bytesOf(texts[at]!)));
    const rows = new ChunkBatches<VariableArray>(array);
    const batch = rows.batch([[0, 0], [1, 2]], items);
    const chunks = [...new ChunkFinder<VariableArray>(batch.schema).chunks(batch)];
    assertEquals(chunks.map(({ index }) => index), [[0, 0], [1, 2]]);
    assertEquals(chunks.flatMap(({ items }) => listOf(items)), texts.slice(0, 12).map(bytesOf));
    assertEquals(chunks.every(({ items: { data } }) => data.buffer === items.data.buffer), true);
  }));
