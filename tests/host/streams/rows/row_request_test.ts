import { assertEquals, assertThrows } from "@std/assert";
import {
  isEmptyPick,
  printPick,
  requestOfRuns,
  resolveRows,
  type RowPick,
  type RowRequest,
} from "../../../../streams/rows/row_request.ts";
import { MissingRowError } from "../../../../base/errors/step_error.ts";
import { numRowsOf, type RowRun } from "../../../../streams/rows/row_run.ts";
import { rowSlice } from "../../../../streams/rows/row_slice.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

function rowsOf(runs: readonly RowRun[]): number[] {
  return runs.flatMap(({ start, step, count }) =>
    Array.from({ length: count }, (_, index) => start + step * index)
  );
}

function randomSlice(random: SeededRandom) {
  const bound = () => random.chance(0.3) ? null : random.below(24) - 12;
  return rowSlice(bound(), bound(), random.pick([1, 1, 2, 5, -1, -3]));
}

/** A slice, or a list of which the single rows exist. */
function randomPick(random: SeededRandom, numRows: number): RowPick {
  if (random.chance(0.5)) return randomSlice(random);
  const parts = Array.from(
    { length: random.below(6) },
    () =>
      numRows > 0 && random.chance(0.6) ? random.below(2 * numRows) - numRows : randomSlice(random),
  );
  return { kind: "list", parts };
}

/** The rows of a pick, by an array. */
function pickedOf(pick: RowPick, rows: readonly number[]): number[] {
  const parts = pick.kind === "slice" ? [pick] : pick.parts;
  return parts.flatMap((part) => {
    if (typeof part === "number") return [rows.at(part)!];
    const { skip, last, first, drop, step } = part;
    const [start, stop] = [
      Math.max(skip, rows.length - last, 0),
      Math.min(first, rows.length - drop),
    ];
    const window = rows.slice(start, Math.max(start, stop));
    if (step < 0) window.reverse();
    return window.filter((_, index) => index % Math.abs(step) === 0);
  });
}

Deno.test("picks one after the other give what arrays give", () =>
  forSeeds(500, (random) => {
    const numRows = random.below(30);
    let rows = Array.from({ length: numRows }, (_, row) => row);
    const picks = Array.from({ length: 1 + random.below(3) }, () => {
      const pick = randomPick(random, rows.length);
      rows = pickedOf(pick, rows);
      return pick;
    });
    const label = `${picks.map(printPick)} of ${numRows}`;
    const runs = resolveRows(picks as [RowPick], numRows);
    assertEquals(rowsOf(runs), rows, label);
    assertEquals(numRowsOf(runs), rows.length, label);
    if (isEmptyPick(picks[0]!)) assertEquals(rows, [], label);
    const again: RowRequest = requestOfRuns(runs);
    assertEquals(rowsOf(resolveRows(again, numRows)), rows, `${label} again`);
  }));

Deno.test("neighbouring rows are one run", () => {
  const pick: RowPick = { kind: "list", parts: [5, 6, 7, 3, 2, 1, 9, rowSlice(10, 12), -1] };
  assertEquals(resolveRows([pick], 20), [
    { start: 5, step: 1, count: 3 },
    { start: 3, step: -1, count: 3 },
    { start: 9, step: 1, count: 3 },
    { start: 19, step: 1, count: 1 },
  ]);
});

Deno.test("a single row that does not exist is an error that counts the rows", () => {
  const list = (row: number): RowPick => ({ kind: "list", parts: [row] });
  const missing = (picks: RowRequest, numRows: number) =>
    assertThrows(() => resolveRows(picks, numRows), MissingRowError);
  assertEquals(missing([list(7)], 5).message, "There is no row 7: the input has 5 rows");
  assertEquals(missing([list(-2)], 1).message, "There is no row -2: the input has 1 row");
  assertEquals(missing([list(0)], 0).message, "There is no row 0: the input has no rows");
  const second = missing([rowSlice(2), list(3)], 5);
  assertEquals([second.message, second.pick], ["There is no row 3: the input has 3 rows", 1]);
});

Deno.test("a pick prints as a person writes it", () => {
  const pick: RowPick = {
    kind: "list",
    parts: [5, -1, rowSlice(100, 110), rowSlice(null, null, -1)],
  };
  assertEquals(printPick(pick), "5,-1,100:110,::-1");
});
