import { assert, assertEquals, assertRejects } from "@std/assert";
import { Field, FixedSizeBinary, Int64, List, tableFromArrays, tableToIPC } from "apache-arrow";
import { readParquet, writeParquet } from "../../../../../streams/formats/parquet/parquet.ts";
import { loadParquetWasm } from "../../../../../streams/formats/parquet/module/module.ts";
import { MissingRowError } from "../../../../../base/errors/step_error.ts";
import type { RowList, RowPick, RowRequest } from "../../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../../streams/rows/row_slice.ts";
import type { OpenOptions, Source } from "../../../../../streams/plan/source.ts";
import { asInt96, int96 } from "../../../../support/files/parquet_files.ts";
import { loadPeer, queryDuckDb } from "../../../../support/judges/peers.ts";
import { RangeServer } from "../../../../support/files/range_server.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { batchOf, inFolder, plain, writeAll } from "../../../../support/values/streams_samples.ts";
import { fewOr } from "../../../../support/random/test_size.ts";
import { sourceBatches } from "../../../../support/pipelines/source_batches.ts";

const numRows = 25_000;
const query = `SELECT i AS id,
  CASE WHEN i % 11 = 0 THEN NULL ELSE (i * 7919) % 100003 END AS number,
  CASE WHEN i % 7 = 0 THEN NULL
    ELSE ['Zürich', 'Lima', 'Þórshöfn', '東京', 'São Tomé'][1 + (i * i) % 5] END AS city,
  'note ' || hash(i) || repeat('x', (i % 40)::INT) AS note,
  CASE WHEN i % 13 = 0 THEN NULL ELSE range(i, i + i % 4) END AS list,
  CASE WHEN i % 19 = 0 THEN NULL ELSE {'a': i, 'b': 'b' || (i % 100)} END AS pair,
  i / 3 AS part, CASE WHEN i % 5 = 0 THEN NULL ELSE i % 3 = 0 END AS flag,
  TIMESTAMP '2020-02-29' + to_seconds(i) AS seen FROM range(${numRows}) t(i)`;

/** Files of the same rows: row groups and pages as different writers lay them out. */
const files: Record<string, (path: string, folder: string) => Promise<void>> = {
  "of DuckDB, without a page index": async (path) => {
    await queryDuckDb(`COPY (${query}) TO '${path}' (ROW_GROUP_SIZE 4096)`);
  },
  "of DuckDB, of delta encodings": async (path) => {
    await queryDuckDb(`COPY (${query}) TO '${path}' (ROW_GROUP_SIZE 8192, PARQUET_VERSION V2)`);
  },
  "of Polars, of many pages": async (path, folder) => {
    await queryDuckDb(`COPY (${query}) TO '${folder}/polars.in' (FORMAT parquet)`);
    const { default: polars } = await loadPeer("polars");
    const options = { rowGroupSize: 9000, dataPagesizeLimit: 4096 };
    await polars.scanParquet(`${folder}/polars.in`).sinkParquet(path, options).collect();
  },
  "of Sluice": async (path, folder) => {
    await queryDuckDb(`COPY (${query}) TO '${folder}/sluice.in' (FORMAT parquet)`);
    const batches = ReadableStream.from(sourceBatches(readParquet(`${folder}/sluice.in`)));
    await batches.pipeTo(writeParquet(path, { rowGroupRows: 22_000 }));
  },
};

/** A row as text that can be compared. */
function textOfRow(row: unknown): string {
  return JSON.stringify(plain(row), (_, value) => typeof value === "bigint" ? `${value}` : value);
}

/** The rows of a request as texts: all in short answers, some in long ones, and of the others the id. */
async function readTexts(
  source: Source,
  request: RowRequest,
  options: OpenOptions = {},
): Promise<{ ids: number[]; texts: (string | undefined)[] }> {
  const ids: number[] = [];
  const texts: (string | undefined)[] = [];
  for await (const { batch, runs, firstRow, step = 1 } of source.rows(request, options)) {
    const idColumn = batch.getChild("id")!;
    for (const run of runs ?? [{ start: 0, step: 1, count: batch.numRows }]) {
      for (let i = 0; i < run.count; i++) {
        const row = run.start + i * run.step;
        const id = Number(idColumn.get(row));
        assertEquals(firstRow + row * step, id, "the row of the source");
        ids.push(id);
        const isShown = ids.length < 500 || ids.length % 101 === 0;
        texts.push(isShown ? textOfRow(batch.get(row)!.toJSON()) : undefined);
      }
    }
  }
  return { ids, texts };
}

type Bounds = readonly [start: number | null, stop: number | null, step: number | null];

/** Rows as Python slices them. */
function sliced<T>(rows: readonly T[], [start, stop, step]: Bounds): T[] {
  const by = step ?? 1;
  const [least, most] = by > 0 ? [0, rows.length] : [-1, rows.length - 1];
  const place = (bound: number | null, open: number): number => {
    if (bound === null) return open;
    return Math.min(most, Math.max(least, bound < 0 ? bound + rows.length : bound));
  };
  const [from, to] = [place(start, by > 0 ? least : most), place(stop, by > 0 ? most : least)];
  const taken: T[] = [];
  for (let row = from; by > 0 ? row < to : row > to; row += by) taken.push(rows[row]!);
  return taken;
}

/** A pick, and what it takes of rows. */
interface Choice {
  readonly kind: string;
  readonly pick: RowPick;
  take<T>(rows: readonly T[]): T[];
}

function someSlice(random: SeededRandom): Choice {
  const bound = () => {
    const size = random.pick([0, 3, 50, 5000, numRows + 3]);
    return random.chance(0.2) ? null : random.below(size + 1) * random.pick([1, -1]) || 0;
  };
  const step = random.pick([1, 1, 2, 7, 1000, 6001]) * random.pick([1, -1]);
  const bounds = [bound(), bound(), step] as const;
  return {
    kind: step > 0 ? "forwards" : "backwards",
    pick: rowSlice(...bounds),
    take: (rows) => sliced(rows, bounds),
  };
}

function someList(random: SeededRandom): Choice {
  const first = random.below(numRows);
  const spread = random.pick([10, 1000, numRows]);
  const positions = Array.from({ length: random.pick([1, 3, 12, 2000]) }, () => {
    const row = (first + random.below(spread)) % numRows;
    return random.chance(0.2) ? row - numRows : row;
  });
  if (random.chance(0.5)) positions.sort((left, right) => left - right);
  const parts: { part: RowList["parts"][number]; bounds: Bounds }[] = positions.map((row) => ({
    part: row,
    bounds: [row, row === -1 ? null : row + 1, 1],
  }));
  if (random.chance(0.5)) {
    const bounds = [first, first + random.below(9000), random.pick([1, 3, 5000])] as const;
    parts.splice(random.below(parts.length), 0, { part: rowSlice(...bounds), bounds });
  }
  return {
    kind: "a list",
    pick: { kind: "list", parts: parts.map(({ part }) => part) },
    take: (rows) => parts.flatMap(({ bounds }) => sliced(rows, bounds)),
  };
}

Deno.test("rows() of Parquet gives the rows of any request, as DuckDB reads the files", () =>
  inFolder(async (folder) => {
    const sources = new Map<string, Source>();
    for (const [name, write] of Object.entries(files)) {
      const path = `${folder}/${sources.size}.parquet`;
      await write(path, folder);
      sources.set(name, readParquet(path));
    }
    const rows = await queryDuckDb(`SELECT * FROM '${folder}/0.parquet' ORDER BY id`);
    for (let file = 1; file < sources.size; file++) {
      const [{ differing }] = await queryDuckDb(`SELECT count(*)::INT AS differing FROM (
        SELECT * FROM '${folder}/0.parquet' EXCEPT SELECT * FROM '${folder}/${file}.parquet')`) as [
        { differing: number },
      ];
      assertEquals(differing, 0, `file ${file}`);
    }
    const texts = rows.map(textOfRow);
    const names = Object.keys(rows[0]!);
    const draws = new Draws([
      ...sources.keys(),
      "forwards",
      "backwards",
      "a list",
      "two picks",
      "columns",
    ]);
    await forSeeds(fewOr(8, 60), async (random) => {
      const [name, source] = random.pick([...sources]);
      draws.add(name);
      const choices = [random.chance(0.6) ? someSlice(random) : someList(random)];
      if (choices[0]!.kind !== "a list" && random.chance(0.2)) {
        choices.push(someSlice(random));
        draws.add("two picks");
      }
      choices.forEach(({ kind }) => draws.add(kind));
      const request = choices.map(({ pick }) => pick) as unknown as RowRequest;
      const ids = choices.reduce((left, { take }) => take(left), rows.map((_, id) => id));
      const isSelection = random.chance(0.4);
      const columns = names.filter((name) => name === "id" || !isSelection || random.chance(0.3));
      if (isSelection) draws.add("columns");
      const read = await readTexts(source, request, isSelection ? { columns } : {});
      const what = `${name}: ${JSON.stringify(choices.map(({ pick }) => pick)).slice(0, 400)}`;
      assertEquals(read.ids, ids, what);
      for (const [index, text] of read.texts.entries()) {
        if (text === undefined) continue;
        const row = rows[ids[index]!]!;
        const wanted = isSelection
          ? textOfRow(Object.fromEntries(columns.map((column) => [column, row[column]])))
          : texts[ids[index]!];
        assertEquals(text, wanted, `${what}, row ${ids[index]}`);
      }
    }, draws);
  }));

/** Bytes that a request reads of a file, the metadata included, and the ids of its rows. */
async function bytesOf(path: string, request: RowRequest, options: OpenOptions = {}) {
  const source = readParquet(path);
  const ids: number[] = [];
  for await (const { batch, runs } of source.rows(request, options)) {
    const column = batch.getChild("id")!;
    for (const { start, step, count } of runs ?? [{ start: 0, step: 1, count: batch.numRows }]) {
      for (let i = 0; i < count; i++) ids.push(Number(column.get(start + i * step)));
    }
  }
  return { ids, bytes: source.bytesRead };
}

/** Bytes at the end of a file that are read at once, in search of the footer. */
const endBytes = 64 << 10;
const noisy =
  `SELECT i AS id, hash(i) AS noise, 'note ' || hash(i + 7) AS note FROM range(200000) t(i)`;
const middle = { slice: [rowSlice(123_456, 123_466)], ids: idsFrom(123_456, 10) } as const;

function idsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

Deno.test("a slice of a Parquet file of Polars reads the pages of its rows, of the wanted columns", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await queryDuckDb(`COPY (${noisy}) TO '${folder}/duck.parquet'`);
    const { default: polars } = await loadPeer("polars");
    const options = { rowGroupSize: 200_000, dataPagesizeLimit: 1 << 14 };
    await polars.scanParquet(`${folder}/duck.parquet`).sinkParquet(path, options).collect();
    const { size } = await Deno.stat(path);
    const all = await bytesOf(path, middle.slice);
    assertEquals(all.ids, middle.ids);
    assert(all.bytes < endBytes + (1 << 18), `${all.bytes} of ${size} bytes`);
    const one = await bytesOf(path, middle.slice, { columns: ["id"] });
    assertEquals(one.ids, middle.ids);
    assert(one.bytes <= 2 * endBytes, `${one.bytes} of ${size} bytes`);
    const last = await bytesOf(path, [rowSlice(-10)]);
    assertEquals(last.ids, idsFrom(199_990, 10));
    assert(last.bytes < endBytes + (1 << 18), `${last.bytes} of ${size} bytes`);
  }));

Deno.test("a slice of a Parquet file of ours reads a page of each column, and its dictionary", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await queryDuckDb(`COPY (${noisy}) TO '${folder}/duck.parquet'`);
    const batches = ReadableStream.from(sourceBatches(readParquet(`${folder}/duck.parquet`)));
    await batches.pipeTo(writeParquet(path, { compression: "none" }));
    const { ids, bytes } = await bytesOf(path, middle.slice);
    assertEquals(ids, middle.ids);
    // Both are closed when they have 256 KiB, after up to 1024 values more.
    assert(bytes < 2 * endBytes + 6 * 330_000, `${bytes} bytes`);
  }));

Deno.test("a slice of a Parquet file without a page index reads its row groups, of the wanted columns", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await queryDuckDb(`COPY (${noisy}) TO '${path}' (ROW_GROUP_SIZE 20480)`);
    const { size } = await Deno.stat(path);
    const group = 1.1 * size * 20_480 / 200_000;
    const across = await bytesOf(path, [rowSlice(122_870, 122_890)]);
    assertEquals(across.ids, idsFrom(122_870, 20));
    assert(across.bytes < endBytes + 2 * group, `${across.bytes} of ${size} bytes`);
    const inOne = await bytesOf(path, middle.slice);
    assertEquals(inOne.ids, middle.ids);
    assert(inOne.bytes < endBytes + group, `${inOne.bytes} of ${size} bytes`);
    const column = await bytesOf(path, middle.slice, { columns: ["id"] });
    assert(column.bytes < endBytes + group / 3, `${column.bytes} of ${size} bytes`);
  }));

const once: Record<string, readonly [RowRequest, readonly number[]]> = {
  "backwards": [[rowSlice(null, null, -1)], idsFrom(0, 200_000).reverse()],
  "every thousandth": [[rowSlice(7, null, 1000)], idsFrom(0, 200).map((i) => 7 + i * 1000)],
  "every thousandth, backwards": [
    [rowSlice(null, null, -1000)],
    idsFrom(0, 200).map((i) => 199_999 - i * 1000),
  ],
  "rows in any order, of one group after the other": [
    [{ kind: "list", parts: [9, 5, 5, 20_000, 0, rowSlice(90_010, 90_005, -1), -1, -3] }],
    [9, 5, 5, 20_000, 0, 90_010, 90_009, 90_008, 90_007, 90_006, 199_999, 199_997],
  ],
};

for (const [what, [request, wanted]] of Object.entries(once)) {
  Deno.test(`a Parquet file without a page index is read once: ${what}`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.parquet`;
      await queryDuckDb(`COPY (${noisy}) TO '${path}' (ROW_GROUP_SIZE 20480)`);
      const { size } = await Deno.stat(path);
      const { ids, bytes } = await bytesOf(path, request);
      assertEquals(ids, wanted);
      assert(bytes < size + endBytes, `${bytes} of ${size} bytes`);
    }));
}

Deno.test("a row group of long texts comes backwards in windows that fit the memory", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    // 100 MB of text, of ten values.
    await queryDuckDb(`COPY (SELECT i AS id, repeat(chr(97 + (i % 10)::INT), 20000) AS text
      FROM range(5000) t(i)) TO '${path}' (ROW_GROUP_SIZE 5000, COMPRESSION zstd)`);
    let next = 4999;
    let mostBytes = 0;
    const held = new Set<object>();
    for await (
      const { batch, runs } of readParquet(path).rows([rowSlice(null, null, -1)], {})
    ) {
      const [id, text] = batch.data.children;
      mostBytes = Math.max(mostBytes, (text!.values as Uint8Array).length);
      held.add(batch);
      for (const { start, step, count } of runs!) {
        for (let row = start; row !== start + step * count; row += step, next--) {
          assertEquals(Number((id!.values as BigInt64Array)[row]), next);
          assertEquals((text!.values as Uint8Array)[row * 20_000], 97 + next % 10);
        }
      }
    }
    assertEquals(next, -1);
    assert(
      held.size > 1 && mostBytes <= 65 << 20,
      `${held.size} batches of up to ${mostBytes} bytes`,
    );
  }));

Deno.test("slices of INT96 are exact, in lists too", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    const newYear = 2_440_588;
    const days = Array.from({ length: 3000 }, (_, id) =>
      id % 9 === 0 ? null : int96(newYear + id, 5n));
    const type = new FixedSizeBinary(12);
    const batch = batchOf({
      id: [
        new Int64(),
        days.map((_, id) =>
          BigInt(id)
        ),
      ],
      seen: [type, days],
      all: [
        new List(new Field("item", type, true)),
        days.map((day) => day === null ? [] : [day, day]),
      ],
    });
    await writeAll(writeParquet(path, { rowGroupRows: 1100 }), [batch]);
    await asInt96(path);
    const wanted = await queryDuckDb(
      `SELECT id::INT AS id, epoch_ms(seen)::DOUBLE AS seen FROM '${path}'`,
    );
    for (const request of [rowSlice(1095, 1110), rowSlice(-3), rowSlice(2000, 900, -250)]) {
      const rows: { id: number; seen: number | null }[] = [];
      for await (const { batch, runs } of readParquet(path).rows([request], {})) {
        for (
          const { start, step, count } of runs ?? [{ start: 0, step: 1, count: batch.numRows }]
        ) {
          for (let row = start; row !== start + step * count; row += step) {
            const { id, seen, all } = batch.get(row)!.toJSON();
            assertEquals(plain(all), seen === null ? [] : [seen, seen]);
            rows.push({ id: Number(id), seen: seen === null ? null : Math.floor(seen) });
          }
        }
      }
      assertEquals(rows, rows.map(({ id }) => wanted[id] as typeof rows[0]));
      assert(rows.length > 2);
    }
  }));

Deno.test("a single row that a Parquet file does not have is an error with the number of its rows", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await queryDuckDb(`COPY (SELECT i AS id FROM range(5) t(i)) TO '${path}'`);
    const rows = readParquet(path).rows([{ kind: "list", parts: [2, -6] }], {});
    const error = await assertRejects(() => Array.fromAsync(rows), MissingRowError);
    assertEquals(error.message, "There is no row -6: the input has 5 rows");
  }));

Deno.test("a Parquet file says how many of its row groups a request reads, and how many rows no column has", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await queryDuckDb(`COPY (${noisy}) TO '${path}' (ROW_GROUP_SIZE 20480)`);
    const source = readParquet(path);
    const says = (...request: RowRequest) => source.describeRows!(request);
    assertEquals(await says(rowSlice(-10)), "1 of 10 row groups");
    assertEquals(await says(rowSlice(null, null, -50_000)), "4 of 10 row groups");
    assertEquals(await says({ kind: "list", parts: [0, -1, 0] }), "2 of 10 row groups");
    assertEquals(await says(rowSlice(5, 5)), "0 of 10 row groups");
    assert(source.bytesRead < 5 * endBytes, `${source.bytesRead} bytes`);
    const rows = await Array.fromAsync(source.rows([rowSlice(-70_000)], { columns: [] }));
    assertEquals(rows.reduce((sum, { batch }) => sum + batch.numRows, 0), 70_000);
  }));

Deno.test("a slice of a Parquet file on a server takes two requests, three where pages lie apart, and each byte comes once", () =>
  inFolder(async (folder) => {
    await queryDuckDb(`COPY (${noisy}) TO '${folder}/duck.parquet' (ROW_GROUP_SIZE 20480)`);
    const { default: polars } = await loadPeer("polars");
    const options = { rowGroupSize: 50_000, dataPagesizeLimit: 1 << 14 };
    await polars.scanParquet(`${folder}/duck.parquet`).sinkParquet(
      `${folder}/polars.parquet`,
      options,
    )
      .collect();
    const files = Object.fromEntries(
      await Promise.all(
        ["duck.parquet", "polars.parquet"].map(async (name) =>
          [name, await Deno.readFile(`${folder}/${name}`)] as const
        ),
      ),
    );
    await using server = new RangeServer(files, {});
    for (const [name, bytes] of Object.entries(files)) {
      const most = name === "duck.parquet" ? 2 : 3;
      for (const request of [[rowSlice(-10)], middle.slice] as const) {
        server.log.length = 0;
        const here = await bytesOf(`${folder}/${name}`, request);
        const there = await bytesOf(server.url(name), request);
        assertEquals(there.ids, here.ids);
        assert(server.log.length <= most, `${name}: ${server.log.map(({ range }) => range)}`);
      }
      const all = await bytesOf(server.url(name), [rowSlice()]);
      assertEquals(all.ids, idsFrom(0, 200_000));
      assert(all.bytes < bytes.length + 2 * endBytes, `${all.bytes} of ${bytes.length} bytes`);
    }
  }));

Deno.test("integers packed by 64 at a time are skipped, so that a slice of them reads its pages", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    const wasm = await loadParquetWasm();
    const ids = BigInt64Array.from({ length: 100_000 }, (_, id) => BigInt(id));
    const noise = ids.map((id) => id * 0x9e3779b97f4a7c15n);
    const table = wasm.Table.fromIPCStream(tableToIPC(tableFromArrays({ id: ids, noise })));
    const properties = new wasm.WriterPropertiesBuilder()
      .setDictionaryEnabled(false)
      .setEncoding(wasm.Encoding.DELTA_BINARY_PACKED)
      .setDataPageSizeLimit(1 << 14)
      .build();
    await Deno.writeFile(path, wasm.writeParquet(table, properties));
    const [{ encodings }] = await queryDuckDb(
      `SELECT encodings FROM parquet_metadata('${path}')`,
    ) as [{ encodings: string }];
    assert(encodings.includes("DELTA_BINARY_PACKED"), encodings);
    const { size } = await Deno.stat(path);
    for (const first of [0, 1, 31, 64, 65, 12_345, 99_990]) {
      const { ids, bytes } = await bytesOf(path, [rowSlice(first, first + 10)]);
      assertEquals(ids, idsFrom(first, 10));
      assert(bytes < 2 * endBytes, `${bytes} of ${size} bytes`);
    }
  }));
