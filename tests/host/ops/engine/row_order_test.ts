import { assert, assertEquals, assertRejects } from "@std/assert";
import { readsOf } from "../../../../ops/engine/row_order.ts";
import { MissingRowError } from "../../../../base/errors/step_error.ts";
import {
  resolveRows,
  type RowList,
  type RowRequest,
} from "../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../streams/rows/row_slice.ts";
import { createEngine, fromBatches, StepError, take, toTable } from "../../../../mod.ts";
import { BatchStream } from "../../../../streams/plan/batch_stream.ts";
import {
  idsOf,
  numberedBatches,
  watchedSource,
} from "../../../support/pipelines/pipeline_streams.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

/** The rows of a request, one by one. */
function rowsOf(request: RowRequest, numRows: number): number[] {
  return resolveRows(request, numRows).flatMap(({ start, step, count }) =>
    Array.from({ length: count }, (_, index) => start + step * index)
  );
}

/** The rows that readings give, from what a source of so many rows gives. */
async function readRows(request: RowRequest, numRows: number, known = true): Promise<number[]> {
  const rows: number[] = [];
  for (const read of await readsOf(request, () => Promise.resolve(known ? numRows : undefined))) {
    if (read.ascending === undefined) rows.push(...rowsOf(read.request, numRows));
    else {
      const { request, order, places, missing, numRows: all } = read.ascending;
      const given = rowsOf(request, numRows);
      assertEquals(given, [...new Set(given)].sort((left, right) => left - right));
      const absent = missing === "first" ? all - given.length : 0;
      const wanted = [...order].map((index) => given[index - absent]);
      for (const [at, row] of wanted.entries()) {
        if (row === undefined) continue;
        assertEquals(places[at]! < 0 ? places[at]! + numRows : places[at], row);
        rows.push(row);
      }
    }
  }
  return rows;
}

const list = (...parts: RowList["parts"]): RowRequest => [{ kind: "list", parts }];

function randomList(random: SeededRandom, numRows: number): RowList {
  const side = random.pick(["front", "back", "both"]);
  const position = () => {
    const row = random.below(numRows);
    return side === "front" || (side === "both" && random.chance(0.5)) ? row : row - numRows;
  };
  // A range may begin and end where there is no row.
  const bound = () => {
    if (random.chance(0.2)) return null;
    const beyond = random.below(numRows + 6);
    return side === "front" || (side === "both" && random.chance(0.5)) ? beyond : -beyond - 1;
  };
  const parts = Array.from({ length: 1 + random.below(7) }, () => {
    if (numRows > 0 && random.chance(0.5)) return position();
    return rowSlice(bound(), bound(), random.pick([1, 1, 1, 2, 3, -1, -2]));
  });
  return { kind: "list", parts };
}

Deno.test("a list is read in ascending order, and its rows come in the order of the list", () =>
  forSeeds(2000, async (random) => {
    const numRows = random.below(20);
    const request: RowRequest = random.chance(0.8)
      ? [randomList(random, numRows)]
      : [rowSlice(null, null, random.pick([1, -1, 2])), { kind: "list", parts: [] }];
    assertEquals(await readRows(request, numRows), rowsOf(request, numRows));
  }));

Deno.test("a list behind another pick is read in ascending order too", async () => {
  const request: RowRequest = [rowSlice(null, null, -2), { kind: "list", parts: [0, 3, 1, -1] }];
  assertEquals(await readRows(request, 10), [9, 3, 7, 1]);
  const [read] = await readsOf(request, () => Promise.resolve(10));
  assertEquals(rowsOf(read!.ascending!.request, 10), [1, 3, 7, 9]);
});

Deno.test("rows are counted only where their order depends on their number", async () => {
  const cases: readonly [RowRequest, asked: boolean][] = [
    [[rowSlice(-5), rowSlice(1, null, 2)], false],
    [list(5, 1, 7), false],
    [list(-1, -5, -3), false],
    [list(7, rowSlice(2, 5), rowSlice(4, 1, -1), 0), false],
    [list(-7, rowSlice(-5, -2), rowSlice(-2, -9, -2), -9), false],
    [list(5, -1), true],
    [list(7, rowSlice(9, 2, -2)), true],
    [list(-1, rowSlice(-9, -2, 2)), true],
    [[rowSlice(1), { kind: "list", parts: [5, 1] }], true],
  ];
  for (const [request, asked] of cases) {
    let count = 0;
    await readsOf(request, () => Promise.resolve((count++, 20)));
    assertEquals(count > 0, asked, JSON.stringify(request));
  }
});

Deno.test("positions may lie as far from each other as numbers are exact", async () => {
  const [far, near] = [2 ** 51, 2 ** 33];
  const request = list(far, 3, near, near - 1, 3, near + 1, far - 1, 0);
  const [read] = await readsOf(request, () => Promise.resolve(undefined));
  const { order, request: ascending } = read!.ascending!;
  const rows = rowsOf(ascending, 2 ** 52);
  assertEquals(rows, [0, 3, near - 1, near, near + 1, far - 1, far]);
  assertEquals([...order].map((index) => rows[index]), rowsOf(request, 2 ** 52));
});

Deno.test("rows in one direction are read as they come", async () => {
  const requests = [
    list(1, 5, 5, 7),
    list(9, 5, rowSlice(4, 1, -1)),
    list(2, rowSlice(5)),
    list(4),
  ];
  for (const request of requests) {
    assertEquals(await readsOf(request, () => Promise.resolve(20)), [{ request }]);
  }
});

Deno.test("more than a million rows are read as the list is written", async () => {
  const million = rowSlice(0, 1_048_577);
  const last = list(5, 1, 3, million);
  const [first, second, ...others] = await readsOf(last, () => Promise.resolve(2 ** 40));
  assertEquals(rowsOf(first!.ascending!.request, 100), [1, 3, 5]);
  assertEquals([second, others], [{ request: [million] }, []]);
  for (const request of [list(million, 5, 1), list(rowSlice(5), 1), list(rowSlice(9), 2, 1)]) {
    assertEquals(await readsOf(request, () => Promise.resolve(2 ** 40)), [{ request }]);
  }
  const open = await readsOf(list(5, -1, 3, rowSlice(7)), () => Promise.resolve(2 ** 40));
  assertEquals(open.map(({ ascending }) => ascending !== undefined), [true, false]);
});

Deno.test("without a number of rows a list is read as it is written", async () => {
  assertEquals(await readRows(list(5, -1, 2), 10, false), [5, 9, 2]);
});

Deno.test("a row that is missing is an error of the request that is read", async () => {
  for (const request of [list(3, 1, 9), list(-1, -9, -2), list(2, -1, 9)]) {
    await assertRejects(() => readRows(request, 5), MissingRowError, "9: the input has 5 rows");
  }
  // A range that touches the last single row asks for no more than there is.
  assertEquals(await readRows(list(4, 0, rowSlice(3, 99)), 5), [4, 0, 3, 4]);
  await assertRejects(() => readRows(list(5, 0, rowSlice(3, 99)), 5), MissingRowError);
});

const engine = createEngine({ device: "cpu", threads: 1 });

Deno.test("each batch of a source is read once, whatever the order of a list", () =>
  forSeeds(20, async (random) => {
    const { source, given } = watchedSource(numberedBatches(10, 8));
    const rows = Array.from({ length: 60 }, () => random.below(80));
    const stream = new BatchStream({ source, nodes: [], engine: engine.plans });
    const table = await toTable(stream.pipeThrough(take(rows)));
    assertEquals(idsOf(table), rows);
    assertEquals(given.ids, new Set(rows).size);
    assert(given.batches <= 10, `${given.batches} batches were read`);
  }));

Deno.test("a list that would fill the memory is read as it is written", async () => {
  const { source, given } = watchedSource(numberedBatches(10, 8));
  const small = createEngine({ device: "cpu", threads: 1, memory: 40 });
  const rows = [5, 70, 6, 69, 40, 0];
  const stream = new BatchStream({ source, nodes: [], engine: small.plans });
  assertEquals(idsOf(await toTable(stream.pipeThrough(take(rows)))), rows);
  // Some of three batches before, then six times the batch of a row.
  assert(given.batches > 6, `${given.batches} batches were read`);
});

Deno.test("of several rows that are missing the error names the first of the list", async () => {
  for (const rows of [[1, 9, 0, 7], [-1, -9, -2, -7], [0, -9, 7, 1]]) {
    const stream = fromBatches(numberedBatches(1, 5), { engine }).pipeThrough(take(rows));
    const error = await assertRejects(() => toTable(stream), StepError);
    const missing = rows.find((row) => row >= 5 || row < -5);
    assertEquals(error.message, `step 2, take: There is no row ${missing}: the input has 5 rows`);
  }
});
