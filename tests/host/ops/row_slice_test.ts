import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  composeSlices,
  isEmptySlice,
  printSlice,
  resolveSlice,
  type RowSlice,
  rowSlice,
  sliceLength,
} from "../../../ops/slice/row_slice.ts";
import { SliceMachine } from "../../../ops/slice/slice_machine.ts";
import { forSeeds } from "../../support/seeded_random.ts";

const BOUNDS = [undefined, 0, 1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6] as const;
const SLICES = BOUNDS.flatMap((start) =>
  BOUNDS.flatMap((stop) => [1, 2, 3].map((step) => rowSlice(start, stop, step)))
);

/** Python's rule, spelled out one position at a time. */
function pythonPositions({ start, stop, step }: RowSlice, numRows: number): number[] {
  const fromFront = (position: number) => position < 0 ? position + numRows : position;
  const first = Math.max(0, fromFront(start));
  const last = stop === undefined ? numRows : fromFront(stop);
  const taken: number[] = [];
  for (let row = first; row < Math.min(last, numRows); row += step) taken.push(row);
  return taken;
}

Deno.test("resolveSlice() takes the rows that Python takes, by positions from the front", () => {
  for (const slice of SLICES) {
    for (let numRows = 0; numRows <= 7; numRows++) {
      const label = `${printSlice(slice)} of ${numRows}`;
      const resolved = resolveSlice(slice, numRows);
      const expected = pythonPositions(slice, numRows);
      assert(0 <= resolved.start && resolved.start <= resolved.stop, label);
      assert(resolved.stop <= numRows, label);
      assertEquals(pythonPositions(resolved, numRows), expected, label);
      assertEquals(sliceLength(slice, numRows), expected.length, label);
      if (isEmptySlice(slice)) assertEquals(expected, [], label);
    }
  }
});

Deno.test("isEmptySlice() finds every slice that takes no row of any number of rows", () => {
  for (const slice of SLICES) {
    const takesSome = Array.from({ length: 30 }, (_, numRows) => sliceLength(slice, numRows))
      .some((length) => length > 0);
    assertEquals(isEmptySlice(slice), !takesSome, printSlice(slice));
  }
});

Deno.test("composeSlices() takes what one slice takes after the other", () => {
  let composed = 0;
  for (const first of SLICES) {
    for (const second of SLICES) {
      const both = composeSlices(first, second);
      const fromFront = [first, second].every(({ start, stop = 0 }) => start >= 0 && stop >= 0);
      assertEquals(both !== undefined, fromFront);
      if (both === undefined) continue;
      composed++;
      for (let numRows = 0; numRows <= 9; numRows++) {
        const rows = pythonPositions(first, numRows);
        const expected = pythonPositions(second, rows.length).map((position) => rows[position]!);
        const label = `${printSlice(first)} then ${printSlice(second)} of ${numRows}`;
        assertEquals(pythonPositions(both, numRows), expected, label);
      }
    }
  }
  assertEquals(composed, (8 * 8 * 3) ** 2);
});

Deno.test("rowSlice() refuses steps below 1 and what is no integer", () => {
  assertThrows(() => rowSlice(0, 1, 0), RangeError, "The step of a slice cannot be 0");
  assertThrows(() => rowSlice(0, 1, -1), RangeError, "must be positive");
  assertThrows(() => rowSlice(0, 1, NaN), RangeError, "The step of a slice is an integer, not NaN");
  assertThrows(() => rowSlice(0.5, 1, 1), RangeError, "The start of a slice is an integer");
  assertThrows(() => rowSlice(0, Infinity, 1), RangeError, "The stop of a slice is an integer");
});

Deno.test("a slice prints as a person writes it", () => {
  assertEquals(
    [rowSlice(-1000, null, null), rowSlice(null, null, null), rowSlice(10, -5, 2)].map(printSlice),
    ["-1000:", ":", "10:-5:2"],
  );
});

/** Feeds a machine, and checks what it says against the rows. */
function runMachine(slice: RowSlice, sizes: readonly number[]) {
  const machine = new SliceMachine(slice);
  const taken: number[] = [];
  const take = ({ start, stop }: { start: number; stop: number }) => {
    for (let row = start; row < stop; row++) {
      if ((row - machine.origin) % slice.step === 0) taken.push(row);
    }
  };
  let seen = 0;
  let mostHeld = 0;
  for (const size of sizes) {
    seen += size;
    const { give, keepFrom, done } = machine.push(size);
    take(give);
    assert(give.stop <= give.start || give.stop <= keepFrom, "rows are given once");
    if (done) return { taken, seen, mostHeld };
    mostHeld = Math.max(mostHeld, seen - keepFrom);
  }
  take(machine.end());
  return { taken, seen, mostHeld };
}

Deno.test("SliceMachine gives Python's rows whatever the batches, holds few, and stops early", () =>
  forSeeds(40, (random) => {
    const sizes = Array.from({ length: random.below(6) }, () => random.below(5));
    const numRows = sizes.reduce((sum, size) => sum + size, 0);
    for (const slice of SLICES) {
      const label = `${printSlice(slice)} over ${sizes}`;
      const { taken, seen, mostHeld } = runMachine(slice, sizes);
      assertEquals(taken, pythonPositions(slice, numRows), label);
      const anchor = slice.start < 0 ? -slice.start : Math.max(0, -(slice.stop ?? 0));
      assert(mostHeld <= anchor, `${label} holds ${mostHeld} rows`);
      if (slice.start >= 0 && slice.stop !== undefined && slice.stop >= 0) {
        let needed = 0;
        for (const size of sizes) if (needed < slice.stop) needed += size;
        assert(seen <= Math.max(needed, sizes[0] ?? 0), `${label} reads ${seen} rows`);
      }
    }
  }));

Deno.test("SliceMachine holds nothing of what it skips", () => {
  const machine = new SliceMachine(rowSlice(100, null, null));
  assertEquals(machine.push(60), { give: { start: 0, stop: 0 }, keepFrom: 100, done: false });
  assertEquals(machine.push(60), { give: { start: 100, stop: 120 }, keepFrom: 120, done: false });
  const lag = new SliceMachine(rowSlice(0, -5, null));
  assertEquals(lag.push(7).give, { start: 0, stop: 2 });
  assertEquals(lag.push(1).keepFrom, 3);
});
