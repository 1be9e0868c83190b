import { assert, assertEquals, assertThrows } from "@std/assert";
import { TakeMachine } from "../../../../ops/slice/take_machine.ts";
import { MissingRowError } from "../../../../base/errors/step_error.ts";
import { printPick, type RowList, type RowPick } from "../../../../streams/rows/row_request.ts";
import type { RowRun } from "../../../../streams/rows/row_run.ts";
import {
  composeSlices,
  isEmptySlice,
  type RowSlice,
  rowSlice,
} from "../../../../streams/rows/row_slice.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

type Part = RowList["parts"][number];

function rowsOf(runs: readonly RowRun[]): number[] {
  return runs.flatMap(({ start, step, count }) =>
    Array.from({ length: count }, (_, index) => start + step * index)
  );
}

/** What a part takes of so many rows, row by row; undefined for a row that does not exist. */
function taken(part: Part, numRows: number): (number | undefined)[] {
  const all = Array.from({ length: numRows }, (_, row) => row);
  if (typeof part === "number") return [all.at(part)];
  const { skip, last, first, drop, step } = part;
  const inside = all.filter((row) =>
    row >= skip && row >= numRows - last && row < first && row < numRows - drop
  );
  const ordered = step > 0 ? inside : inside.reverse();
  return ordered.filter((_, index) => index % Math.abs(step) === 0);
}

function takenOf(pick: RowPick, numRows: number): (number | undefined)[] {
  const parts = pick.kind === "slice" ? [pick] : pick.parts;
  return parts.flatMap((part) => taken(part, numRows));
}

/** Rows that a pick has to keep at most, by its bounds. */
function anchorOf(pick: RowPick): number {
  if (pick.kind === "slice") {
    const { skip, last, first, drop, step } = pick;
    return last < Infinity ? last : step > 0 ? drop : Math.max(0, first - skip);
  }
  let [front, back] = [0, 0];
  for (const part of pick.parts) {
    if (typeof part === "number") {
      if (part < 0) back = Math.max(back, -part);
      else front++;
    } else if (!isEmptySlice(part)) {
      front += part.last < Infinity ? 0 : part.first - part.skip;
      back = Math.max(back, part.last < Infinity ? part.last : part.drop);
    }
  }
  return front + back;
}

/** Runs a machine; checks that each row that it gives was kept, and that it keeps no more than it may. */
function run(pick: RowPick, sizes: readonly number[]): { rows: number[]; read: number } {
  const machine = new TakeMachine(pick);
  const rows: number[] = [];
  let pinned = new Set<number>();
  let [seen, ringStart] = [0, 0];
  const note = (given: readonly RowRun[], newest: number) => {
    for (const row of rowsOf(given)) {
      assert(row < seen && (row >= newest || row >= ringStart || pinned.has(row)), `row ${row}`);
      rows.push(row);
    }
  };
  for (const size of sizes) {
    const start = seen;
    seen += size;
    const step = machine.push(size);
    const pins = rowsOf(step.pins);
    assertEquals(
      pins,
      [...new Set(pins)].filter((row) => row >= start && row < seen).sort(ascending),
    );
    note(step.ready, start);
    if (step.done) return { rows, read: seen };
    for (const row of pins) pinned.add(row);
    if (!step.keepsPins) pinned = new Set();
    assert(seen - step.lastRows >= ringStart || step.lastRows >= seen, "forgotten rows come back");
    ringStart = Math.max(0, seen - step.lastRows);
    const kept = pinned.size + Math.min(seen, step.lastRows);
    assert(kept <= anchorOf(pick), `${kept} rows are kept of ${seen}`);
  }
  note(machine.end(), seen);
  return { rows, read: seen };
}

const ascending = (left: number, right: number) => left - right;

/**
 * Whether the rows of each part are certain after so many rows: they are the same for all longer
 * streams. Those of all parts together may be so before, by chance.
 */
function isCertain(pick: RowPick, seen: number): boolean {
  if (pick.kind === "list" && pick.parts.length !== 1) {
    return pick.parts.every((part) => isCertain({ kind: "list", parts: [part] }, seen));
  }
  const text = (numRows: number) => JSON.stringify(takenOf(pick, numRows));
  // Bounds of composed slices reach three times as far as those of one.
  return Array.from({ length: 150 }, (_, more) => seen + more).every((n) => text(n) === text(seen));
}

const draws = new Draws(["composed", "forwards", "backwards", "list", "missing", "early"]);

function randomSlice(random: SeededRandom): RowSlice {
  const bound = () => random.chance(0.3) ? null : random.below(25) - 12;
  const one = rowSlice(bound(), bound(), random.pick([1, 1, 2, 3, -1, -2, -4]));
  if (random.chance(0.5)) return one;
  const both = composeSlices(one, rowSlice(bound(), bound(), random.pick([1, 2, -1])));
  if (both !== undefined) draws.add("composed");
  return both ?? one;
}

function randomPick(random: SeededRandom): RowPick {
  if (random.chance(0.5)) {
    const slice = randomSlice(random);
    draws.add(slice.step > 0 ? "forwards" : "backwards");
    return slice;
  }
  draws.add("list");
  const part = () => random.chance(0.6) ? random.below(20) - 8 : randomSlice(random);
  return { kind: "list", parts: Array.from({ length: random.below(6) }, part) };
}

Deno.test("a pick of a stream gives what it takes of an array, in any batches", () =>
  forSeeds(fewOr(800, 3000), (random) => {
    const pick = randomPick(random);
    const sizes = Array.from({ length: random.below(12) }, () => random.pick([0, 1, 1, 2, 5, 9]));
    const numRows = sizes.reduce((sum, size) => sum + size, 0);
    const label = `${printPick(pick)} of ${sizes}`;
    const expected = takenOf(pick, numRows);
    try {
      if (expected.includes(undefined)) {
        draws.add("missing");
        assertThrows(() => run(pick, sizes), MissingRowError);
        return;
      }
      const { rows, read } = run(pick, sizes);
      assertEquals(rows, expected);
      if (read < numRows) draws.add("early");
    } catch (error) {
      throw new Error(`${label}: ${(error as Error).message}`);
    }
  }, draws));

Deno.test("a pick is done as soon as no further row can change it", () =>
  forSeeds(fewOr(100, 300), (random) => {
    const pick = randomPick(random);
    const machine = new TakeMachine(pick);
    for (let seen = 1; seen <= 60; seen++) {
      const { done } = machine.push(1);
      assertEquals(done, isCertain(pick, seen), `${printPick(pick)} after ${seen} rows`);
      if (done) return;
    }
  }));

Deno.test("ascending positions keep no row, and each comes with its batch", () => {
  const machine = new TakeMachine({ kind: "list", parts: [2, 2, 5, 11, -1] });
  const steps = [machine.push(4), machine.push(4), machine.push(4)];
  assertEquals(steps.map(({ ready }) => rowsOf(ready)), [[2, 2], [5], [11]]);
  assertEquals(steps.map(({ pins, lastRows }) => [pins.length, lastRows]), [[0, 1], [0, 1], [
    0,
    1,
  ]]);
  assertEquals(rowsOf(machine.end()), [11]);
});

Deno.test("rows before a later one are kept only until that has come", () => {
  const machine = new TakeMachine({ kind: "list", parts: [6, rowSlice(0)] });
  const first = machine.push(4);
  assertEquals([rowsOf(first.pins), first.keepsPins], [[0, 1, 2, 3], true]);
  const second = machine.push(4);
  assertEquals(rowsOf(second.ready), [6, 0, 1, 2, 3, 4, 5, 6, 7]);
  assertEquals([second.pins, second.keepsPins], [[], false]);
  assertEquals(rowsOf(machine.push(4).ready), [8, 9, 10, 11]);
});

Deno.test("of many positions in any order only those are pinned that come before their turn", () => {
  const count = 100_000;
  // 7919 has no factor in common with the number of rows, so that each row comes once.
  const parts = Array.from({ length: count }, (_, index) => index * 7919 % count);
  const machine = new TakeMachine({ kind: "list", parts });
  let pinned = 0;
  for (let batch = 0; batch < 9; batch++) pinned += rowsOf(machine.push(count / 10).pins).length;
  const { ready, done } = machine.push(count / 10);
  assert(done);
  assert(pinned > 0 && pinned < count);
  assertEquals(rowsOf(ready).at(-1), parts.at(-1));
});

Deno.test("a slice without rows is none of its parts", () => {
  const empty = rowSlice(3, 1);
  assert(isEmptySlice(empty));
  assert(new TakeMachine(empty).push(1).done);
  assert(new TakeMachine({ kind: "list", parts: [empty, empty] }).push(0).done);
});
