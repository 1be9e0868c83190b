/** Rows by position of sources over other sources, and over memory. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { Int32, type RecordBatch, Utf8 } from "apache-arrow";
import { concatSources } from "../../../../streams/source/concat_sources.ts";
import { readIpc } from "../../../support/files/ipc.ts";
import { memorySource } from "../../../../streams/source/memory.ts";
import { openSource } from "../../../../streams/files/read.ts";
import { MissingRowError } from "../../../../base/errors/step_error.ts";
import {
  allRows,
  isAllRows,
  type RowPick,
  type RowRequest,
} from "../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../streams/rows/row_slice.ts";
import { replaceInvalid } from "../../../../streams/text/valid_utf8.ts";
import type { OpenOptions, Source } from "../../../../streams/plan/source.ts";
import { write } from "../../../../streams/files/write.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import {
  batchOf,
  inFolder,
  readAll,
  rowsOf,
  wordsBatch,
  writeAll,
} from "../../../support/values/streams_samples.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const words = ["", "a", "é", "€uro", "𝄞", null, "longer than twelve bytes", "naïve", "São Paulo"];

/** Batches of which `id` is the position of the row, some without rows. */
function randomBatches(random: SeededRandom, numBatches: number, start = 0): RecordBatch[] {
  let id = start;
  return Array.from({ length: numBatches }, () => {
    const numRows = random.chance(0.2) ? 0 : random.below(9);
    const batch = wordsBatch(Array.from({ length: numRows }, () => random.pick(words)), id);
    id += numRows;
    return batch;
  });
}

/** A pick, and what it takes of an array. */
interface ModelPick {
  readonly pick: RowPick;
  of<T>(rows: readonly T[]): T[];
}

type Bounds = readonly [start: number | null, stop: number | null, step: number];

/** By the definition of Python's slices: positions are adjusted, and then counted. */
function pythonSlice<T>(rows: readonly T[], [start, stop, step]: Bounds): T[] {
  const { length } = rows;
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
  const adjusted = (bound: number) =>
    Math.min(most, Math.max(least, bound < 0 ? bound + length : bound));
  const from = start === null ? (step > 0 ? least : most) : adjusted(start);
  const to = stop === null ? (step > 0 ? most : least) : adjusted(stop);
  const taken: T[] = [];
  for (let at = from; step > 0 ? at < to : at > to; at += step) taken.push(rows[at]!);
  return taken;
}

function randomBounds(random: SeededRandom): Bounds {
  const bound = () => random.chance(0.3) ? null : random.below(60) - 30;
  return [bound(), bound(), random.pick([1, 1, 2, 7, -1, -3])];
}

const kinds = ["window", "steps", "backwards", "list", "two picks", "no rows"];

function randomPick(random: SeededRandom, numRows: number, draws: Draws): ModelPick {
  if (random.chance(0.7)) {
    const bounds = randomBounds(random);
    draws.add(bounds[2] < 0 ? "backwards" : bounds[2] === 1 ? "window" : "steps");
    return { pick: rowSlice(...bounds), of: (rows) => pythonSlice(rows, bounds) };
  }
  draws.add("list");
  const parts = Array.from({ length: random.below(6) }, () => {
    const isRange = numRows === 0 || random.chance(0.3);
    return isRange ? randomBounds(random) : random.below(2 * numRows) - numRows;
  });
  return {
    pick: {
      kind: "list",
      parts: parts.map((part) => typeof part === "number" ? part : rowSlice(...part)),
    },
    of: (rows) =>
      parts.flatMap((part) =>
        typeof part === "number" ? [rows.at(part)!] : pythonSlice(rows, part)
      ),
  };
}

/** Checks that random requests give what the same picks give of all rows. */
async function checkRequests(
  source: Source,
  all: readonly Record<string, unknown>[],
  random: SeededRandom,
  draws: Draws,
): Promise<void> {
  const first = randomPick(random, all.length, draws);
  let expected = first.of(all);
  let request: RowRequest = [first.pick];
  if (random.chance(0.3)) {
    draws.add("two picks");
    const second = randomPick(random, expected.length, draws);
    request = [first.pick, second.pick];
    expected = second.of(expected);
  }
  if (expected.length === 0) draws.add("no rows");
  const options = {
    ...(random.chance(0.3) ? { columns: ["id"] } : {}),
    ...(random.chance(0.5) ? { together: { rows: 1000, bytes: 1 << 20 } } : {}),
  };
  const wanted = options.columns === undefined ? expected : expected.map(({ id }) => ({ id }));
  assertEquals(await rowsOfRequest(source, request, all.length, options), wanted);
}

/** The rows of a request, each checked to be where the source says that it is. */
async function rowsOfRequest(
  source: Source,
  request: RowRequest,
  numRows: number,
  options: OpenOptions = {},
): Promise<Record<string, unknown>[]> {
  const taken: Record<string, unknown>[] = [];
  for await (const { batch, runs, firstRow } of source.rows(request, options)) {
    const rows = rowsOf([batch]);
    for (const run of runs ?? [{ start: 0, step: 1, count: rows.length }]) {
      for (let index = 0; index < run.count; index++) {
        const place = run.start + run.step * index;
        const row = rows[place]!;
        assertEquals(Number(row.id), (firstRow < 0 ? numRows : 0) + firstRow + place);
        taken.push(row);
      }
    }
  }
  return taken;
}

Deno.test("any rows of batches in memory are those of the array, joined or not", () => {
  const draws = new Draws([...kinds, "no batch", "joined"]);
  return forSeeds(fewOr(150, 400), async (random) => {
    const batches = randomBatches(random, random.chance(0.1) ? 0 : random.below(60));
    if (batches.length === 0) draws.add("no batch");
    const source = memorySource(batches);
    const all = rowsOf(batches);
    await checkRequests(source, all, random, draws);
    const together = { rows: 1000, bytes: 1 << 20 };
    const joined = await Array.fromAsync(source.rows([rowSlice(3)], { together }));
    const apart = await Array.fromAsync(source.rows([rowSlice(3)], {}));
    if (joined.length < apart.length) draws.add("joined");
  }, draws);
});

Deno.test("any rows of sources of any lengths are those of all rows in a row", () => {
  const draws = new Draws([...kinds, "source without rows"]);
  return forSeeds(fewOr(100, 300), async (random) => {
    const sources: [Source, ...Source[]] = [memorySource([wordsBatch([])], { name: "first" })];
    const batches: RecordBatch[] = [];
    const numSources = 1 + random.below(20);
    for (let index = 0; index < numSources; index++) {
      const own = randomBatches(random, 1 + random.below(4), rowsOf(batches).length);
      if (own.every(({ numRows }) => numRows === 0)) draws.add("source without rows");
      batches.push(...own);
      sources.push(new CountedSource(memorySource(own), { countsFromEnd: random.chance(0.5) }));
    }
    const source = concatSources(sources);
    const all = rowsOf(batches);
    assertEquals([await source.canSeek(), await source.numRows()], [true, all.length]);
    await checkRequests(source, all, random, draws);
  }, draws);
});

/** A source that counts what it is asked for; it can say its rows from its end too. */
class CountedSource implements Source {
  readonly name = "counted";
  readonly bytesRead = 0;
  opened = 0;
  counted = 0;
  readonly #source: Source;
  readonly #countsFromEnd: boolean;

  constructor(source: Source, { countsFromEnd = false } = {}) {
    this.#source = source;
    this.#countsFromEnd = countsFromEnd;
  }

  schema() {
    return this.#source.schema();
  }

  canSeek() {
    return Promise.resolve(true);
  }

  numRows() {
    this.counted++;
    return this.#source.numRows();
  }

  async *rows(request: RowRequest = allRows, options: OpenOptions = {}) {
    this.opened++;
    const numRows = (await this.#source.numRows())!;
    for await (const rows of this.#source.rows(request, options)) {
      yield this.#countsFromEnd && !isAllRows(request)
        ? { ...rows, firstRow: rows.firstRow - numRows }
        : rows;
    }
  }
}

/** Twenty sources of ten rows, and which of them are opened and counted for a request. */
async function usedOf(...picks: [RowPick, ...RowPick[]]) {
  const sources = Array.from({ length: 20 }, (_, index) => {
    const ten = Array.from({ length: 10 }, (_, row) => `${row}`);
    return new CountedSource(memorySource([wordsBatch(ten, 10 * index)]));
  });
  const source = concatSources(sources as [CountedSource, ...CountedSource[]]);
  const rows = await rowsOfRequest(source, picks, 200);
  const indices = (name: "opened" | "counted") =>
    sources.flatMap((source, index) => source[name] > 0 ? [index] : []);
  assert(sources.every(({ counted }) => counted < 2), "a source was counted twice");
  return {
    ids: rows.map(({ id }) => id),
    opened: indices("opened"),
    counted: indices("counted"),
  };
}

Deno.test("only the sources that have the rows are opened, and no more counted than lie before", async () => {
  assertEquals(await usedOf(rowSlice(0, 3)), { ids: [0, 1, 2], opened: [0], counted: [0] });
  assertEquals(await usedOf(rowSlice(-2)), { ids: [198, 199], opened: [19], counted: [19] });
  const window = await usedOf(rowSlice(38, 42));
  assertEquals([window.ids, window.opened], [[38, 39, 40, 41], [3, 4]]);
  assert(Math.max(...window.counted) < 8, `counted ${window.counted}`);
  const back = await usedOf(rowSlice(-1, -22, -10));
  assertEquals([back.ids, back.opened], [[199, 189, 179], [17, 18, 19]]);
  assert(Math.min(...back.counted) > 11, `counted ${back.counted}`);
  const list: RowPick = { kind: "list", parts: [3, 25, rowSlice(11, 12)] };
  const some = await usedOf(list);
  assertEquals([some.ids, some.opened], [[3, 25, 11], [0, 1, 2]]);
  const both = await usedOf({ kind: "list", parts: [5, -1] });
  assertEquals([both.ids, both.opened], [[5, 199], [0, 19]]);
  assertEquals((await usedOf(rowSlice(5, 5))).opened, []);
});

Deno.test("files that are not needed are not opened again once their columns are known", () =>
  inFolder(async (folder) => {
    const paths = Array.from({ length: 4 }, (_, index) => `${folder}/${index}.arrow`);
    for (const [index, path] of paths.entries()) {
      await writeAll(write(path), [wordsBatch(["x", "y", "z"], 3 * index)]);
    }
    const source = openSource(paths);
    await source.schema();
    for (const path of paths.slice(0, 3)) await Deno.remove(path);
    assertEquals((await rowsOfRequest(source, [rowSlice(-2)], 12)).map(({ id }) => id), [10, 11]);
    assertEquals(await source.describeRows?.([rowSlice(-2)]), await lastFile(paths[3]!));
    await assertRejects(() => rowsOfRequest(source, [rowSlice(0, 2)], 12), Error, "0.arrow");
  }));

/** What is said about the last rows of the last of four files. */
async function lastFile(path: string): Promise<string> {
  const part = await readIpc(path).describeRows?.([rowSlice(1)]);
  return part === undefined ? "1 of 4 files" : `1 of 4 files, ${part}`;
}

Deno.test("any rows of files of several formats, with an empty one in between", () => {
  const draws = new Draws(kinds);
  const names = ["a.arrow", "b.arrows", "c.parquet", "d.feather"];
  return forSeeds(3, (random) =>
    inFolder(async (folder) => {
      const batches: RecordBatch[] = [];
      for (const name of names) {
        const own = randomBatches(random, 5, rowsOf(batches).length);
        batches.push(...own);
        await writeAll(write(`${folder}/${name}`), own);
      }
      await Deno.writeTextFile(`${folder}/empty.ndjson`, "");
      const paths = names.toSpliced(1, 0, "empty.ndjson").map((name) => `${folder}/${name}`);
      const source = openSource(paths);
      const all = rowsOf(batches);
      assertEquals([await source.canSeek(), await source.numRows()], [true, all.length]);
      for (let round = 0; round < 30; round++) await checkRequests(source, all, random, draws);
    }), draws);
});

Deno.test("any rows of text that is not UTF-8 have U+FFFD in the place of its bytes", () => {
  const draws = new Draws(kinds);
  const batch = batchOf({
    id: [new Int32(), [0, 1, 2, 3, 4, 5]],
    word: [new Utf8(), ["a", "xy", null, "xy", "é", "xy"]],
  });
  const { values, valueOffsets } = batch.data.children[1]!;
  for (const row of [1, 3, 5]) (values as Uint8Array)[valueOffsets[row]!] = 0xff;
  const source = replaceInvalid(memorySource([batch, batch]));
  const once = ["a", "\ufffdy", null, "\ufffdy", "é", "\ufffdy"];
  const all = [...once, ...once].map((word, index) => ({ id: index % 6, word }));
  return forSeeds(100, async (random) => {
    const { pick, of } = randomPick(random, all.length, draws);
    const words: unknown[] = [];
    for await (const { batch, runs } of source.rows([pick], {})) {
      const rows = rowsOf([batch]);
      for (const { start, step, count } of runs ?? [{ start: 0, step: 1, count: rows.length }]) {
        for (let index = 0; index < count; index++) words.push(rows[start + index * step]!.word);
      }
    }
    assertEquals(words, of(all).map(({ word }) => word));
  });
});

Deno.test("a row that does not exist is one of all sources together", async () => {
  const sources = [3, 0, 2].map((numRows) =>
    memorySource([wordsBatch(Array.from({ length: numRows }, () => "x"))])
  );
  const source = concatSources(sources as [Source, ...Source[]]);
  for (const row of [5, -6]) {
    const request: RowRequest = [rowSlice(), { kind: "list", parts: [0, row] }];
    const error = await assertRejects(
      () => Array.fromAsync(source.rows(request, {})),
      MissingRowError,
      `There is no row ${row}: the input has 5 rows`,
    );
    assertEquals(error.pick, 1);
    assertEquals(await source.describeRows?.(request), undefined);
  }
  assertEquals(await source.describeRows?.([rowSlice(1, 4)]), "2 of 3 files");
});

Deno.test("sources are asked eight at once, and the first of several errors is told", async () => {
  let asked = 0;
  let most = 0;
  const names = Array.from({ length: 30 }, (_, index) => `s${index}`);
  const source = concatSources(
    names.map((name, index): Source => ({
      ...memorySource([wordsBatch(["x"])]),
      name,
      canSeek: () => Promise.resolve(true),
      numRows: () => Promise.resolve(1),
      async schema() {
        most = Math.max(most, ++asked);
        // Later ones answer first.
        for (let turn = 0; turn < 40 - index; turn++) await Promise.resolve();
        asked--;
        if (index === 18 || index === 20) throw new TypeError(`${name} fails`);
        return wordsBatch(["x"]).schema;
      },
    })) as unknown as [Source, ...Source[]],
  );
  await assertRejects(() => source.schema(), TypeError, "s18 fails");
  assertEquals([most, asked], [8, 0]);
});

Deno.test("files of text and foreign streams are read only from their first row on", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.csv`, "id,word\n1,x\n");
    await Deno.writeTextFile(`${folder}/b.ndjson`, '{"id":1,"word":"x"}\n');
    await writeAll(write(`${folder}/c.arrow`), [wordsBatch(["x"])]);
    const texts = [`${folder}/a.csv`, `${folder}/b.ndjson`];
    const sources = [
      ...texts.map((path) => openSource(path)),
      openSource(texts),
      replaceInvalid(openSource(texts[0]!)),
      memorySource(ReadableStream.from([wordsBatch(["x"])])),
    ];
    for (const source of sources) {
      await source.schema();
      assertEquals([await source.canSeek(), await source.numRows()], [false, undefined]);
    }
    for (const source of [sources[0]!, sources.at(-1)!]) {
      const open = () => source.rows([rowSlice(0, 1)]).next();
      await assertRejects(open, TypeError, "can be read only from its first row on");
    }
    for (const source of sources) await readAll(source);
    assertEquals(await openSource(`${folder}/c.arrow`).canSeek(), true);
  }));

Deno.test("all rows come with the row at which each batch begins, whatever the source", () =>
  inFolder(async (folder) => {
    const numbers = (start: number, count: number) =>
      batchOf({ id: [new Int32(), Array.from({ length: count }, (_, index) => start + index)] });
    const batches = [numbers(0, 70_000), numbers(70_000, 1000), numbers(71_000, 70_000)];
    const paths = ["a.arrow", "a.arrows", "a.parquet", "a.csv", "a.tsv", "a.ndjson"]
      .map((name) => `${folder}/${name}`);
    for (const path of paths) await writeAll(write(path), batches);
    const sources: Record<string, Source> = Object.fromEntries(
      paths.map((path) => [path, openSource(path)]),
    );
    sources.memory = memorySource(batches);
    sources.stream = memorySource(ReadableStream.from(batches));
    sources.replaced = replaceInvalid(openSource(paths[2]!));
    sources.two = openSource([paths[3]!, paths[3]!]);
    for (const [name, source] of Object.entries(sources)) {
      let numRows = 0;
      let numBatches = 0;
      for await (const { batch, firstRow, runs, step = 1 } of source.rows()) {
        assertEquals([firstRow, runs, step], [numRows, undefined, 1], name);
        // The numbers begin again in the second of two files.
        assertEquals(Number(batch.getChildAt(0)!.get(0)), firstRow % 141_000, name);
        numRows += batch.numRows;
        numBatches++;
      }
      assertEquals(numRows, name === "two" ? 282_000 : 141_000, name);
      assert(numBatches > 1, name);
    }
  }));
