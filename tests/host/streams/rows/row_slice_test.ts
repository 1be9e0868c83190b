import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  composeSlices,
  isEmptySlice,
  isWholeSlice,
  mostRows,
  printSlice,
  resolveSlice,
  type RowSlice,
  rowSlice,
} from "../../../../streams/rows/row_slice.ts";
import type { RowRun } from "../../../../streams/rows/row_run.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { someOf } from "../../../support/random/test_size.ts";

const BOUNDS = [null, 0, 1, 2, 3, 5, 7, -1, -2, -3, -5, -7] as const;
const STEPS = [1, 2, 3, -1, -2] as const;

interface Written {
  readonly bounds: readonly [number | null, number | null, number];
  readonly slice: RowSlice;
}

const SLICES: readonly Written[] = BOUNDS.flatMap((start) =>
  BOUNDS.flatMap((stop) =>
    STEPS.map((step): Written => ({
      bounds: [start, stop, step],
      slice: rowSlice(start, stop, step),
    }))
  )
);

/** Python's rule for the positions of a slice (`slice.indices`), one after the other. */
function pythonRows([start, stop, step]: Written["bounds"], numRows: number): number[] {
  const [least, most] = step > 0 ? [0, numRows] : [-1, numRows - 1];
  const clamp = (position: number) =>
    Math.min(Math.max(position < 0 ? position + numRows : position, least), most);
  const first = start === null ? (step > 0 ? least : most) : clamp(start);
  const end = stop === null ? (step > 0 ? most : least) : clamp(stop);
  const rows: number[] = [];
  for (let row = first; step > 0 ? row < end : row > end; row += step) rows.push(row);
  return rows;
}

function rowsOf({ start, step, count }: RowRun): number[] {
  return Array.from({ length: count }, (_, index) => start + step * index);
}

function taken(slice: RowSlice, numRows: number): number[] {
  return rowsOf(resolveSlice(slice, numRows));
}

Deno.test("a slice takes the rows that Python takes", () => {
  for (const { bounds, slice } of SLICES) {
    for (let numRows = 0; numRows <= 9; numRows++) {
      const expected = pythonRows(bounds, numRows);
      const label = `${bounds} of ${numRows}`;
      assertEquals(taken(slice, numRows), expected, label);
      assertEquals(resolveSlice(slice, numRows).count, expected.length, label);
      assert(expected.length <= mostRows(slice), label);
    }
  }
});

Deno.test("a slice is known to be empty, or whole, where it always is", () => {
  for (const { bounds, slice } of SLICES) {
    const lengths = Array.from({ length: 30 }, (_, numRows) => resolveSlice(slice, numRows).count);
    assertEquals(isEmptySlice(slice), lengths.every((length) => length === 0), `${bounds}`);
    assertEquals(Math.max(...lengths) === mostRows(slice), mostRows(slice) < Infinity);
    const isWhole = slice.step > 0 && lengths.every((length, numRows) => length === numRows);
    assertEquals(isWholeSlice(slice), isWhole, `${bounds}`);
  }
});

Deno.test("a slice of a slice takes what one takes after the other", () => {
  const laters = someOf(SLICES, Math.ceil(SLICES.length / 3));
  let numComposed = 0;
  for (const { bounds, slice: first } of SLICES) {
    for (const { bounds: later, slice: second } of laters) {
      const both = composeSlices(first, second);
      if (both === undefined) continue;
      numComposed++;
      for (let numRows = 0; numRows <= 9; numRows++) {
        const rows = pythonRows(bounds, numRows);
        const expected = pythonRows(later, rows.length).map((position) => rows[position]!);
        assertEquals(taken(both, numRows), expected, `${bounds} then ${later} of ${numRows}`);
      }
    }
  }
  const numPairs = SLICES.length * laters.length;
  assert(numComposed > numPairs / 5, `${numComposed} of ${numPairs}`);
});

Deno.test("slices from the front compose always, and those from the end where no row count matters", () => {
  const composed = ([a, b, c]: Written["bounds"], [d, e, f]: Written["bounds"]) => {
    const slice = composeSlices(rowSlice(a, b, c), rowSlice(d, e, f));
    return slice && printSlice(slice);
  };
  assertEquals(composed([10, 20, 2], [1, 3, 1]), "12:16:2");
  assertEquals(composed([5, null, 1], [-3, null, 1]), "max(5, -3):");
  assertEquals(composed([-10, null, 1], [-3, null, 1]), "-3:");
  assertEquals(composed([null, null, -1], [0, 3, 1]), ":-4:-1");
  assertEquals(composed([null, null, -1], [null, null, -1]), ":");
  assertEquals(composed([null, -5, 1], [2, -5, 1]), "2:-10");
  // Of how many rows the last three are, or the first three begin, depends on their number.
  assertEquals(composed([0, 10, 1], [-3, null, 1]), undefined);
  assertEquals(composed([-10, null, 1], [0, 3, 1]), undefined);
  assertEquals(composed([0, 5, 1], [-7, null, 1]), ":5");
});

Deno.test("chains of slices compose to what they take in turn", () =>
  forSeeds(300, (random) => {
    const chain = Array.from({ length: 2 + random.below(4) }, () => random.pick(SLICES));
    const numRows = random.below(40);
    let rows = Array.from({ length: numRows }, (_, row) => row);
    let both: RowSlice | undefined = rowSlice();
    for (const { bounds, slice } of chain) {
      rows = pythonRows(bounds, rows.length).map((position) => rows[position]!);
      both = both && composeSlices(both, slice);
    }
    if (both !== undefined) {
      assertEquals(taken(both, numRows), rows, `${chain.map(({ bounds }) => `${bounds}`)}`);
    }
  }));

Deno.test("positions beyond what numbers hold exactly are not composed", () => {
  const far = rowSlice(Number.MAX_SAFE_INTEGER, null, 1);
  assertEquals(composeSlices(far, far), undefined);
  assertEquals(composeSlices(rowSlice(0, null, 2 ** 40), rowSlice(2 ** 20, null, 1)), undefined);
});

Deno.test("a slice prints as a person writes it, and means the same when it is read again", () => {
  for (const { slice } of SLICES) {
    const [start, stop, step] = printSlice(slice).split(":")
      .map((part) => part === "" ? undefined : Number(part));
    const again = rowSlice(start, stop, step);
    for (let numRows = 0; numRows <= 9; numRows++) {
      assertEquals(taken(again, numRows), taken(slice, numRows), printSlice(slice));
    }
  }
  const printed = (...bounds: Written["bounds"]) => printSlice(rowSlice(...bounds));
  assertEquals(
    [printed(-1000, null, 1), printed(null, null, 1), printed(10, -5, 2), printed(9, 4, -1)],
    ["-1000:", ":", "10:-5:2", "9:4:-1"],
  );
  assertEquals([printed(-0, -0, 1), printed(-0, null, 1)], ["0:0", ":"]);
  const bounds = { kind: "slice", skip: 5, last: 10, first: 20, drop: 3 } as const;
  assertEquals(printSlice({ ...bounds, step: 2 }), "max(5, -10):min(20, -3):2");
  assertEquals(printSlice({ ...bounds, step: -2 }), "min(19, -4):max(4, -11):-2");
});

Deno.test("rowSlice() refuses a step of 0 and what is no integer", () => {
  assertThrows(() => rowSlice(0, 1, 0), RangeError, "The step of a slice cannot be 0");
  assertThrows(() => rowSlice(0, 1, NaN), RangeError, "The step of a slice is an integer, not NaN");
  assertThrows(() => rowSlice(0.5, 1, 1), RangeError, "The start of a slice is an integer");
  assertThrows(() => rowSlice(0, Infinity, 1), RangeError, "The stop of a slice is an integer");
  assertThrows(
    () => rowSlice(-(2 ** 53)),
    RangeError,
    "The start of a slice is an integer below 2^53",
  );
});
