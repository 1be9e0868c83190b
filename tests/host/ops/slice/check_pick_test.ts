import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  at,
  type BatchStream,
  createEngine,
  expr,
  filter,
  fromBatches,
  head,
  type Operator,
  read,
  slice,
  StepError,
  tail,
  take,
  withColumns,
  write,
} from "../../../../mod.ts";
import { buffersAnyNumber, checkPick } from "../../../../ops/slice/check_pick.ts";
import { printPick, type RowList, type RowPick } from "../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../streams/rows/row_slice.ts";
import { numberedBatches } from "../../../support/pipelines/pipeline_streams.ts";
import { inFolder, rowsOf } from "../../../support/values/streams_samples.ts";

const list = (...parts: RowList["parts"]): RowPick => ({ kind: "list", parts });

/** The error of a pick, if there is one. */
function errorOf(
  pick: RowPick,
  { maxWaste = 0.99, hold = false, mostRows, mostBytes }:
    & Partial<Record<"maxWaste" | "mostRows" | "mostBytes", number>>
    & { hold?: boolean } = {},
  behind?: string,
): string | undefined {
  const facts = { source: "log.csv", mostRows, mostBytes };
  const input = behind === undefined ? facts : { ...facts, behind };
  try {
    checkPick(pick, `slice ${printPick(pick)}`, { maxWaste, hold }, input);
    return undefined;
  } catch (error) {
    return (error as RangeError).message;
  }
}

Deno.test("a pick that throws away nearly all rows that it reads is refused", () => {
  const far = rowSlice(1e8, 1e8 + 1e4);
  assertEquals(
    errorOf(far),
    "slice 100000000:100010000 would read 100,010,000 rows of log.csv to return 10,000 of them; " +
      "maxWaste: 1 allows it, and an Arrow or Parquet file would not need it",
  );
  assertEquals(
    errorOf(far, {}, "filter"),
    "slice 100000000:100010000 would read at least 100,010,000 rows after filter to return 10,000 " +
      "of them; maxWaste: 1 allows it",
  );
  assertEquals(
    errorOf(list(5, -1, 2_000_000)),
    "slice 5,-1,2000000 would read at least 2,000,001 rows of log.csv to return 3 of them; " +
      "maxWaste: 1 allows it, and an Arrow or Parquet file would not need it",
  );
  assertEquals(errorOf(far, { maxWaste: 1 }), undefined);
});

Deno.test("what is refused depends on the rows read and on those given", () => {
  const million = 1_000_000;
  const table: readonly [RowPick, number | undefined, boolean][] = [
    [rowSlice(1e8, 2e8), undefined, false],
    [rowSlice(99 * million, 100 * million), undefined, false],
    [rowSlice(99 * million + 1, 100 * million), undefined, true],
    [rowSlice(0, 1e9), undefined, false],
    [list(500), undefined, false],
    [list(million - 1), undefined, false],
    [list(million), undefined, true],
    [list(million, -1), undefined, true],
    [list(5, -1, million), undefined, true],
    [list(rowSlice(-10), 2 * million), undefined, true],
    [list(rowSlice(-1_000_000), 2 * million), undefined, false],
    [list(-1, -2 * million), undefined, false],
    [list(rowSlice(0, million), million), undefined, false],
    [list(5 * million, rowSlice(7, 9)), undefined, true],
    [list(5 * million, rowSlice(7)), undefined, false],
    [list(5 * million, rowSlice(3, 1)), undefined, true],
    [list(), undefined, false],
    // How many rows these read is not known.
    [rowSlice(1e8), undefined, false],
    [rowSlice(-5), undefined, false],
    [rowSlice(1e8, -5), undefined, false],
    [rowSlice(null, null, 1000), undefined, false],
    // A step throws rows away, too.
    [rowSlice(0, 2 * million, 100), undefined, false],
    [rowSlice(0, 2 * million, 101), undefined, true],
    [rowSlice(2 * million, 2 * million - 10, -1), undefined, true],
    // So many rows come at most.
    [rowSlice(1e8, 1e8 + 10), 1_000_000, false],
    [rowSlice(1e8, 1e8 + 10), 2_000_000, true],
    [rowSlice(1_500_000, 1e8), 2_000_000, false],
  ];
  for (const [pick, mostRows, isRefused] of table) {
    const options = mostRows === undefined ? {} : { mostRows };
    assertEquals(errorOf(pick, options) !== undefined, isRefused, printPick(pick));
    assertEquals(errorOf(pick, { ...options, maxWaste: 1 }), undefined);
  }
  assert(errorOf(rowSlice(1e6, 2e6), { maxWaste: 0.4 }) !== undefined);
  assertEquals(errorOf(rowSlice(1e6, 2e6), { maxWaste: 0.5 }), undefined);
});

Deno.test("a pick that holds any number of rows is refused", () => {
  const all = rowSlice(null, null, -1);
  assertEquals(
    errorOf(all),
    "slice ::-1 would hold every row of log.csv in memory, since it cannot be read backwards; " +
      "hold: true allows it, and an Arrow or Parquet file would not need it",
  );
  assertEquals(
    errorOf(all, {}, "filter"),
    "slice ::-1 would hold every row after filter in memory; hold: true allows it",
  );
  assertEquals(
    errorOf(list(-1, rowSlice(5))),
    "slice -1,5: would hold every row of log.csv in memory, since it cannot be read twice; " +
      "hold: true allows it, and an Arrow or Parquet file would not need it",
  );
  assertEquals(errorOf(all, { hold: true }), undefined);
  const table: readonly [RowPick, boolean][] = [
    [rowSlice(null, 5, -1), true],
    [rowSlice(-3, 5, -2), true],
    [rowSlice(-3, null, -1), true],
    [rowSlice(5, null, -1), false],
    [rowSlice(null, -5, -1), false],
    [rowSlice(5), false],
    [rowSlice(null, -5), false],
    [rowSlice(3, 3, -1), false],
    [list(9, rowSlice(0)), false],
    [list(rowSlice(0), rowSlice(0, 5)), false],
    [list(rowSlice(0), rowSlice(0)), true],
    [list(rowSlice(-5), rowSlice(0, -5)), true],
    [list(rowSlice(0), rowSlice(-5), -1), false],
    [list(5, all), true],
    [list(rowSlice(2, 1), rowSlice(0)), false],
  ];
  for (const [pick, holds] of table) assertEquals(buffersAnyNumber(pick), holds, printPick(pick));
  assertEquals(errorOf(all, { mostBytes: 64 << 20 }), undefined);
  assert(errorOf(all, { mostBytes: (64 << 20) + 1 }) !== undefined);
  assert(errorOf(rowSlice(1e8, 1e8 + 10), { mostBytes: 5 }) !== undefined);
});

const engine = createEngine({ device: "cpu" });
const keepAll = () => filter(expr("id >= 0"));

Deno.test("the source decides: what can seek is neither refused nor held", () =>
  inFolder(async (folder) => {
    const paths = ["arrow", "csv"].map((format) => `${folder}/log.${format}`);
    for (const path of paths) await fromBatches(numberedBatches(2, 3)).pipeTo(write(path));
    const [seeks, cannot] = paths.map((path) => () => read(path, { engine }));
    const backwards = () => slice(null, null, -1);
    const far = () => slice(2e6, 2e6 + 1);
    for (const operator of [backwards(), far()]) {
      await Array.fromAsync(
        seeks!().pipeThrough(withColumns({ two: expr("id") })).pipeThrough(operator),
      );
    }
    // A small file is held without asking.
    for (const stream of [cannot!(), cannot!().pipeThrough(keepAll())]) {
      const held = rowsOf(await Array.fromAsync(stream.pipeThrough(backwards())));
      assertEquals(held.map(({ id }) => Number(id)), [5, 4, 3, 2, 1, 0]);
    }
    for (const pick of [far, () => at(2e6), () => take([2e6, 3])]) {
      const message = await refused(cannot!().pipeThrough(pick()));
      assert(/^step 2, (slice|at|take): \1 .* rows? of .*log\.csv /.test(message), message);
      const behind = await refused(cannot!().pipeThrough(keepAll()).pipeThrough(pick()));
      assert(
        /^step 3, (slice|at|take): \1 .*after filter to/.test(behind),
        behind,
      );
    }
    // Metadata says that there are few rows, whatever the filter gives.
    const few = seeks!().pipeThrough(keepAll()).pipeThrough(backwards());
    const reversed = rowsOf(await Array.fromAsync(few));
    assertEquals(reversed.map(({ id }) => Number(id)), [5, 4, 3, 2, 1, 0]);
    const allowed = { hold: true, maxWaste: 1 };
    const held = cannot!().pipeThrough(slice(null, null, -1, allowed));
    const rows = rowsOf(await Array.fromAsync(held));
    assertEquals(rows.map(({ id }) => Number(id)), [5, 4, 3, 2, 1, 0]);
    const none = await Array.fromAsync(cannot!().pipeThrough(slice(2e6, 2e6 + 1, 1, allowed)));
    assertEquals(rowsOf(none), []);
  }));

Deno.test("plans without rewrites refuse nothing, and hold what they must", async () => {
  const plain = createEngine({ device: "cpu", fuse: false, memory: 10 });
  const stream = () => fromBatches(ReadableStream.from(numberedBatches(3)), { engine: plain });
  const rows = await Array.fromAsync(stream().pipeThrough(slice(null, null, -1)));
  assertEquals(rowsOf(rows).map(({ id }) => id), [2, 1, 0]);
  assertEquals(rowsOf(await Array.fromAsync(stream().pipeThrough(slice(2e6, 2e6 + 1)))), []);
});

Deno.test("slices that become one allow what one of them allows", async () => {
  const stream = () => fromBatches(ReadableStream.from(numberedBatches(3)), { engine });
  await refused(stream().pipeThrough(slice(2e6)).pipeThrough(head(1)));
  const both = stream().pipeThrough(slice(2e6, null, 1, { maxWaste: 1 })).pipeThrough(head(1));
  assertEquals(rowsOf(await Array.fromAsync(both)), []);
  const turned = stream().pipeThrough(slice(null, null, -1)).pipeThrough(slice(null, null, -1));
  assertEquals(rowsOf(await Array.fromAsync(turned)).map(({ id }) => id), [0, 1, 2]);
});

Deno.test("what is held without a limit stays below the memory of the engine", async () => {
  const batches = numberedBatches(100, 50);
  const small = (memory: number) => createEngine({ device: "cpu", memory });
  const reversed = (memory: number, operator: Operator) =>
    Array.fromAsync(
      fromBatches(ReadableStream.from(batches), { engine: small(memory) }).pipeThrough(operator),
    );
  const all = () => slice(null, null, -1, { hold: true });
  const error = await assertRejects(() => reversed(1 << 15, all()), StepError);
  assertEquals(
    error.message,
    "step 2, slice: slice ::-1 holds more than the 32.0 KiB of memory that the engine may use; " +
      "write the rows to an Arrow file first, and slice that",
  );
  assert(error.cause instanceof RangeError);
  assertEquals(rowsOf(await reversed(1 << 20, all())).length, 5000);
  // The bounds of these say how much is held.
  assertEquals(rowsOf(await reversed(1000, tail(4000))).length, 4000);
  assertEquals(rowsOf(await reversed(1000, slice(4000, null, -1))).length, 4001);
});

Deno.test("options of slices are checked when they are given", () => {
  for (const maxWaste of [-0.1, 2, NaN, "x", null]) {
    const options = { maxWaste } as { maxWaste: number };
    assertThrows(
      () => slice(0, 1, 1, options),
      RangeError,
      `maxWaste is a number from 0 to 1, not ${Deno.inspect(maxWaste)}`,
    );
  }
  const hold = "yes" as unknown as boolean;
  assertThrows(() => take([0], { hold }), TypeError, 'hold is true or false, not "yes"');
  for (const operator of [head, tail, at]) {
    assertThrows(() => operator(1, { hold }), TypeError, 'hold is true or false, not "yes"');
  }
  const misspelt = (options: object) => () => head(5, options);
  assertThrows(
    misspelt({ hodl: true }),
    TypeError,
    "head() has no option hodl; did you mean hold?",
  );
  assertThrows(() => take([0], { rows: 5 } as never), TypeError, "take() has no option rows");
  head(5, { rows: undefined } as never);
});

async function refused(stream: BatchStream): Promise<string> {
  const error = await assertRejects(() => Array.fromAsync(stream), StepError);
  assert(error.cause instanceof RangeError);
  return error.message;
}
