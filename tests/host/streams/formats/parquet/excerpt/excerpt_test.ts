import { assert, assertEquals } from "@std/assert";
import { readParquet } from "../../../../../../streams/formats/parquet/parquet.ts";
import type { RowPick } from "../../../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../../../streams/rows/row_slice.ts";
import type { Source } from "../../../../../../streams/plan/source.ts";
import { loadPeer, queryDuckDb } from "../../../../../support/judges/peers.ts";
import { Draws, forSeeds } from "../../../../../support/random/seeded_random.ts";
import { inFolder, plain } from "../../../../../support/values/streams_samples.ts";
import { fewOr } from "../../../../../support/random/test_size.ts";
import { sourceBatches } from "../../../../../support/pipelines/source_batches.ts";

const numRows = 50_000;
/** Columns of which rows are taken out of their pages, and what they are of. */
const columns: Readonly<Record<string, string>> = {
  id: "i",
  price: "(hash(i) % 100000)::DOUBLE / 100",
  small: "CASE WHEN hash(i, 1) % 3 = 0 THEN NULL ELSE (i % 1000)::SMALLINT END",
  ratio: "CASE WHEN i < 9000 THEN NULL ELSE i::FLOAT / 7 END",
  city: "CASE WHEN i % 7 = 0 THEN NULL ELSE ['Zürich', 'Lima', '', '東京'][1 + (i * i) % 4] END",
  same: "'always'",
  note: "'note ' || i || ' of ' || hash(i) || repeat('x', (i % 40)::INT)",
  rare: "CASE WHEN i % 5 = 0 THEN NULL ELSE 'r' || hash(i, 2) END",
  bytes: "CASE WHEN i % 4 = 0 THEN NULL ELSE ('b' || i)::BLOB END",
  amount: "CASE WHEN i % 9 = 0 THEN NULL ELSE (i * 31)::DECIMAL(30, 3) END",
  seen: "TIMESTAMP '2020-02-29' + to_seconds(i)",
  day: "CASE WHEN i % 2 = 0 THEN NULL ELSE DATE '1969-01-01' + (i % 3000)::INT END",
  none: "NULL::BIGINT",
};
const query = `SELECT ${Object.entries(columns).map(([name, sql]) => `${sql} AS ${name}`)}
  FROM range(${numRows}) t(i)`;

/** Files of the same rows, by how they are written. */
const files: Record<string, (path: string) => Promise<void>> = {
  "one page of Snappy": async (path) => {
    await queryDuckDb(`COPY (${query}) TO '${path}' (ROW_GROUP_SIZE 30000)`);
  },
  "pages that are not compressed": async (path) => {
    await queryDuckDb(
      `COPY (${query}) TO '${path}' (ROW_GROUP_SIZE 30000, COMPRESSION uncompressed)`,
    );
  },
  "many pages of Snappy": async (path) => {
    await queryDuckDb(`COPY (${query}) TO '${path}.in' (FORMAT parquet)`);
    const { default: polars } = await loadPeer("polars");
    const options = { rowGroupSize: 30_000, dataPagesizeLimit: 16_384, compression: "snappy" };
    await polars.scanParquet(`${path}.in`).sinkParquet(path, options).collect();
  },
};

/** The rows of a pick as texts, and the places that the source says they have. */
async function rowsOf(source: Source, pick: RowPick, wanted: readonly string[]) {
  const found: { place: number; text: string }[] = [];
  for await (
    const { batch, runs, firstRow, step = 1 } of source.rows([pick], { columns: wanted })
  ) {
    for (const run of runs ?? [{ start: 0, step: 1, count: batch.numRows }]) {
      for (let i = 0; i < run.count; i++) {
        const row = run.start + i * run.step;
        const text = textOf(batch.get(row)!.toJSON());
        found.push({ place: firstRow + row * step, text });
      }
    }
  }
  return found;
}

function textOf(row: unknown): string {
  return JSON.stringify(plain(row), (_, value) => typeof value === "bigint" ? `${value}` : value);
}

Deno.test("few rows that are taken out of pages are those of the whole file", () =>
  inFolder(async (folder) => {
    const sources = new Map<string, { source: Source; rows: Record<string, unknown>[] }>();
    for (const [name, write] of Object.entries(files)) {
      const path = `${folder}/${sources.size}.parquet`;
      await write(path);
      // Many rows are read whole, which other tests compare with DuckDB.
      const rows: Record<string, unknown>[] = [];
      for await (const batch of sourceBatches(readParquet(path))) {
        for (const row of batch.toArray()) rows.push(plain(row!.toJSON()) as never);
      }
      assertEquals(rows.length, numRows);
      const [{ differing }] = await queryDuckDb(`SELECT count(*)::INT AS differing FROM (
        SELECT * FROM (${query}) EXCEPT SELECT * FROM '${path}')`) as [{ differing: number }];
      assertEquals(differing, 0, name);
      sources.set(name, { source: readParquet(path), rows });
    }
    const draws = new Draws([...sources.keys(), "forwards", "backwards", "a list"]);
    await forSeeds(fewOr(10, 80), async (random) => {
      const [name, { source, rows }] = random.pick([...sources]);
      draws.add(name);
      const step = random.pick([1, 1, 7, 1000]);
      const start = random.pick([0, random.below(numRows), numRows - 200]);
      const places = Array.from({ length: 1 + random.below(100) }, (_, i) => start + i * step)
        .filter((row) => row < numRows);
      let pick: RowPick = rowSlice(start, places.at(-1)! + 1, step);
      if (random.chance(0.3)) {
        draws.add("backwards");
        places.reverse();
        const last = places.at(-1)!;
        pick = rowSlice(places[0], last === 0 ? null : last - 1, -step);
      } else if (random.chance(0.4)) {
        draws.add("a list");
        pick = { kind: "list", parts: places };
      } else draws.add("forwards");
      const wanted = Object.keys(columns).filter((column) => column === "id" || random.chance(0.5));
      const found = await rowsOf(source, pick, wanted);
      assertEquals(found.map(({ place }) => place), places, `${name}, ${wanted}`);
      for (const [index, place] of places.entries()) {
        const row = Object.fromEntries(wanted.map((column) => [column, rows[place]![column]]));
        assertEquals(found[index]!.text, textOf(row), `${name}, row ${place}`);
      }
    }, draws);
  }));

Deno.test("the first rows of a page cost no more of it than they need", () =>
  inFolder(async (folder) => {
    const path = `${folder}/parcels.parquet`;
    await files["one page of Snappy"]!(path);
    const source = readParquet(path);
    await source.schema();
    const bytesOf = async (pick: RowPick) => {
      const before = source.bytesRead;
      assertEquals((await rowsOf(source, pick, ["id", "price", "note"])).length, 10);
      return source.bytesRead - before;
    };
    const first = await bytesOf(rowSlice(0, 10));
    const last = await bytesOf(rowSlice(29_990, 30_000));
    assert(first < 300_000, `${first} bytes`);
    assert(last > 2 * first, `${last} bytes for the last rows, ${first} for the first ones`);
  }));

Deno.test("a damaged page is found as if it were read whole", () =>
  inFolder(async (folder) => {
    const path = `${folder}/whole.parquet`;
    await files["one page of Snappy"]!(path);
    const bytes = await Deno.readFile(path);
    const all = await rowsOf(readParquet(path), rowSlice(20_000, 20_010), ["id", "note"]);
    const draws = new Draws(["an error", "rows"]);
    await forSeeds(fewOr(15, 40), async (random) => {
      const copy = bytes.slice();
      // Of much damage some is always found.
      for (let left = random.pick([1, 4, 20]); left > 0; left--) {
        copy[4 + random.below(2 ** 20)] = random.below(256);
      }
      const damaged = `${folder}/damaged.parquet`;
      await Deno.writeFile(damaged, copy);
      try {
        const rows = await rowsOf(readParquet(damaged), rowSlice(20_000, 20_010), ["id", "note"]);
        assertEquals(rows.length, all.length);
        draws.add("rows");
      } catch (error) {
        draws.add("an error");
        assertEquals((error as Error).name, "FileError");
        assert((error as Error).message.startsWith(damaged), (error as Error).message);
      }
    }, draws);
  }));
