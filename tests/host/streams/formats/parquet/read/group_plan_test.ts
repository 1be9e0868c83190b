/** The plan of the rows of a row group: what is decoded together, and what is skipped. */

import { assertEquals } from "@std/assert";
import {
  ForwardRuns,
  isForward,
  rangesOf,
  splitRuns,
  windowsOf,
} from "../../../../../../streams/formats/parquet/read/group_plan.ts";
import type { RowRun } from "../../../../../../streams/rows/row_run.ts";

/** Rows start, start + step and so on. */
function run(start: number, step: number, count: number): RowRun {
  return { start, step, count };
}

Deno.test("ranges cover the rows of runs, and skip gaps of an eighth of the group or 4096 rows", () => {
  const rangesFrom = (numRows: number, ...runs: RowRun[]) =>
    rangesOf(runs, numRows).map(({ start, stop }) => [start, stop]);
  assertEquals(rangesFrom(10, run(3, 1, 4)), [[3, 7]]);
  assertEquals(rangesFrom(10, run(6, -1, 4)), [[3, 7]]);
  assertEquals(rangesFrom(1e4, run(0, 1, 1), run(4096, 1, 1)), [[0, 4097]]);
  assertEquals(rangesFrom(1e4, run(0, 1, 1), run(4097, 1, 1)), [[0, 1], [4097, 4098]]);
  assertEquals(rangesFrom(80_000, run(0, 1, 1), run(10_000, 1, 1)), [[0, 10_001]]);
  assertEquals(rangesFrom(80_000, run(0, 1, 1), run(10_001, 1, 1)), [[0, 1], [10_001, 10_002]]);
  // A run with a short step is one range, with a long one a range for each row.
  assertEquals(rangesFrom(80_000, run(5, 10_000, 3)), [[5, 20_006]]);
  assertEquals(rangesFrom(80_000, run(5, 10_001, 3)), [[5, 6], [10_006, 10_007], [20_007, 20_008]]);
  assertEquals(rangesFrom(80_000, run(20_007, -10_001, 3)), [
    [5, 6],
    [10_006, 10_007],
    [20_007, 20_008],
  ]);
  // A range within another one does not shorten it.
  assertEquals(rangesFrom(10, run(0, 1, 9), run(2, 1, 3), run(9, 1, 1)), [[0, 10]]);
});

Deno.test("runs are forward where each row lies behind the one before it", () => {
  assertEquals(isForward([run(0, 1, 3), run(3, 2, 2)]), true);
  assertEquals(isForward([run(0, 1, 3), run(2, 1, 1)]), false);
  assertEquals(isForward([run(5, -1, 2)]), false);
  assertEquals(isForward([run(5, -1, 1), run(6, 1, 1)]), true);
});

Deno.test("runs that go back come in windows, in the order of the runs", () => {
  const windows = (runs: RowRun[], windowRows: number) =>
    [...windowsOf(runs, 10, windowRows)].map((own) =>
      own.map(({ start, step, count }) => [start, step, count])
    );
  assertEquals(windows([run(9, -1, 10)], 4), [[[9, -1, 2]], [[7, -1, 4]], [[3, -1, 4]]]);
  assertEquals(windows([run(1, 1, 1), run(0, 1, 1), run(9, 1, 1), run(2, 1, 1)], 4), [
    [[1, -1, 2]],
    [[9, 1, 1]],
    [[2, 1, 1]],
  ]);
});

Deno.test("runs are split where chunks begin; the last chunk has no end", () => {
  const split = (runs: RowRun[], ...starts: number[]) =>
    [...splitRuns(runs, starts)].map(({ chunk, runs }) => [
      chunk,
      ...runs.map(({ start, step, count }) => [start, step, count]),
    ]);
  assertEquals(split([run(2, 3, 5)], 0, 5, 8), [[0, [2, 1, 1]], [1, [0, 1, 1]], [2, [0, 3, 3]]]);
  assertEquals(split([run(9, -3, 4)], 0, 3, 6), [[2, [3, -3, 2]], [1, [0, 1, 1]], [0, [0, 1, 1]]]);
  // Runs of one chunk in a row come together, and a chunk comes as often as the runs return to it.
  assertEquals(split([run(0, 1, 1), run(2, 1, 1), run(7, 1, 1), run(1, 1, 1)], 0, 5), [
    [0, [0, 1, 1], [2, 1, 1]],
    [1, [2, 1, 1]],
    [0, [1, 1, 1]],
  ]);
});

Deno.test("forward runs are taken from the front, by positions from there", () => {
  const runs = new ForwardRuns([run(1, 2, 4), run(9, 1, 2)]);
  const taken = (start: number, stop: number) =>
    runs.take(start, stop).map(({ start, step, count }) => [start, step, count]);
  assertEquals(runs.next, 1);
  assertEquals(taken(0, 4), [[1, 2, 2]]);
  assertEquals(runs.next, 5);
  assertEquals(taken(4, 5), []);
  assertEquals(taken(5, 10), [[0, 2, 3]]);
  assertEquals(taken(10, 20), [[0, 1, 1]]);
  assertEquals(runs.next, undefined);
});
