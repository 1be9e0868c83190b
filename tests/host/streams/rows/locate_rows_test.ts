import { assert, assertEquals, assertRejects } from "@std/assert";
import { type ChunkLengths, knownLengths } from "../../../../streams/rows/chunk_lengths.ts";
import { boundsOfSlice, type ChunkRows, locateRows } from "../../../../streams/rows/locate_rows.ts";
import { MissingRowError } from "../../../../base/errors/step_error.ts";
import {
  resolveRows,
  type RowPick,
  type RowRequest,
} from "../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../streams/rows/row_slice.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

/** Lengths that are learnt one by one, and noted. */
class HiddenLengths implements ChunkLengths {
  readonly learnt: number[] = [];
  /** Calls of `learn`. */
  calls = 0;
  readonly numChunks: number;
  readonly #lengths: readonly number[];
  readonly #known: Set<number>;

  constructor(lengths: readonly number[], known: Iterable<number> = []) {
    this.#lengths = lengths;
    this.numChunks = lengths.length;
    this.#known = new Set(known);
  }

  known(chunk: number): number | undefined {
    return this.#known.has(chunk) ? this.#lengths[chunk] : undefined;
  }

  learn(start: number, stop: number): Promise<void> {
    this.calls++;
    assert(0 <= start && start <= stop && stop <= this.numChunks, `learns ${start} to ${stop}`);
    for (let chunk = start; chunk < stop; chunk++) {
      if (this.#known.has(chunk)) continue;
      this.#known.add(chunk);
      this.learnt.push(chunk);
    }
    return Promise.resolve();
  }
}

const bound = (random: SeededRandom) => random.chance(0.3) ? null : random.below(40) - 20;
const steps = [1, 2, 7, -1, -4];

function randomSlice(random: SeededRandom): RowPick {
  return rowSlice(bound(random), bound(random), random.pick(steps));
}

function randomPick(random: SeededRandom, numRows: number, draws: Draws): RowPick {
  if (numRows === 0 || random.chance(0.5)) {
    draws.add("slice");
    return randomSlice(random);
  }
  const end = random.pick(["front", "back", "both"]);
  draws.add(end);
  const row = () => {
    const isBack = end === "back" || end === "both" && random.chance(0.5);
    return random.below(numRows) - (isBack ? numRows : 0);
  };
  const range = () => {
    const start = row();
    const stop = start + random.below(5);
    return rowSlice(start, start < 0 && stop >= 0 ? null : stop, random.pick([1, 2]));
  };
  const parts = Array.from({ length: random.below(8) }, () => random.chance(0.7) ? row() : range());
  return { kind: "list", parts };
}

function rowsOf(runs: ReturnType<typeof resolveRows>): number[] {
  return runs.flatMap(({ start, step, count }) =>
    Array.from({ length: count }, (_, index) => start + index * step)
  );
}

Deno.test("rows of chunks are those of the whole, in order, whatever lengths are known", () => {
  const kinds = ["none known", "some known", "all known", "from the front", "from the end"];
  const draws = new Draws([...kinds, "slice", "front", "back", "both", "two picks"]);
  return forSeeds(600, async (random) => {
    const lengths = Array.from({ length: random.below(12) }, () => random.pick([0, 1, 3, 10]));
    const numRows = lengths.reduce((sum, length) => sum + length, 0);
    const pick = randomPick(random, numRows, draws);
    const isChain = random.chance(0.2);
    if (isChain) draws.add("two picks");
    const request: RowRequest = isChain ? [pick, randomSlice(random)] : [pick];
    const share = random.pick([0, 0.5, 1]);
    draws.add(share === 0 ? kinds[0]! : share < 1 ? kinds[1]! : kinds[2]!);
    const known = lengths.keys().filter(() => random.chance(share));
    const hidden = new HiddenLengths(lengths, known);

    const starts = lengths.map((_, chunk) =>
      lengths.slice(0, chunk).reduce((sum, length) => sum + length, 0)
    );
    const rows: number[] = [];
    let last = -1;
    for await (const { chunk, runs, firstRow } of locateRows(request, hidden)) {
      draws.add(firstRow < 0 ? "from the end" : "from the front");
      const exact = firstRow < 0 ? firstRow + numRows : firstRow;
      assertEquals(exact, starts[chunk]);
      assertEquals(chunk === last, false, "rows of one chunk come together");
      last = chunk;
      for (const row of rowsOf(runs)) {
        assert(row >= 0 && row < lengths[chunk]!);
        rows.push(exact + row);
      }
    }
    assertEquals(rows, rowsOf(resolveRows(request, numRows)));
    assertEquals(new Set(hidden.learnt).size, hidden.learnt.length);
  }, draws);
});

/** Chunks that have the wanted rows, or lie between them and the end from which they count. */
const needed: readonly (readonly [string, RowPick, needed: (number: number) => boolean])[] = [
  ["the front", rowSlice(0, 25), (chunk) => chunk < 3],
  ["a window", rowSlice(75, 95, 3), (chunk) => chunk < 10],
  ["the end", rowSlice(-25), (chunk) => chunk >= 97],
  ["a window of the end", rowSlice(-95, -75), (chunk) => chunk >= 90],
  ["the end backwards", rowSlice(null, -26, -1), (chunk) => chunk >= 97],
  ["the front backwards", rowSlice(24, null, -2), (chunk) => chunk < 3],
  ["a head of a tail", rowSlice(-25, 990), () => true],
  ["none", rowSlice(7, 7), () => false],
  ["positions from the front", { kind: "list", parts: [24, 3, rowSlice(5, 9)] }, (c) => c < 3],
  ["positions from the end", { kind: "list", parts: [-25, -1] }, (chunk) => chunk >= 97],
  ["positions from both", { kind: "list", parts: [0, -1] }, () => true],
];

Deno.test("only lengths up to the wanted rows are learnt, from the nearer end", async (t) => {
  for (const [name, pick, isNeeded] of needed) {
    await t.step(name, async () => {
      const hidden = new HiddenLengths(Array.from({ length: 100 }, () => 10));
      await Array.fromAsync(locateRows([pick], hidden));
      const { learnt } = hidden;
      const must = Array.from({ length: 100 }, (_, chunk) => chunk).filter(isNeeded);
      assertEquals(must.filter((chunk) => !learnt.includes(chunk)), []);
      // The first five are learnt at once, and later ones with a tenth more.
      const most = must.length === 0 ? 0 : Math.max(6, 1.1 * must.length + 1);
      assert(learnt.length <= most, `${learnt.length} where ${must.length} are needed`);
      assert(hidden.calls <= 2 * must.length && hidden.calls <= 6 + 2 * 3, `${hidden.calls} calls`);
    });
  }
});

Deno.test("lengths behind the start are learnt one by one, as the chunks are reached", async () => {
  const hidden = new HiddenLengths(Array.from({ length: 1000 }, () => 10));
  const chunks: ChunkRows[] = [];
  for await (const chunk of locateRows([rowSlice(15, null, 4)], hidden)) {
    chunks.push(chunk);
    assertEquals(Math.max(...hidden.learnt), Math.max(5, chunk.chunk));
    if (chunks.length === 20) break;
  }
  assertEquals(chunks[0], { chunk: 1, runs: [{ start: 5, step: 4, count: 2 }], firstRow: 10 });
  assertEquals(chunks[1], { chunk: 2, runs: [{ start: 3, step: 4, count: 2 }], firstRow: 20 });
});

Deno.test("many lengths are learnt with few calls", async () => {
  const hidden = new HiddenLengths(Array.from({ length: 100_000 }, () => 1000));
  const start = 50_000_500;
  const located = await Array.fromAsync(locateRows([rowSlice(start, start + 10)], hidden));
  assertEquals(located.length, 1);
  assertEquals(located[0]!.firstRow, 50_000_000);
  assert(hidden.calls <= 6, `${hidden.calls} calls`);
  assert(hidden.learnt.length <= 60_000, `${hidden.learnt.length} lengths`);
});

Deno.test("bounds of a slice are those of its rows", () =>
  forSeeds(300, async (random) => {
    const lengths = Array.from({ length: random.below(8) }, () => random.pick([0, 1, 3, 10]));
    const numRows = lengths.reduce((sum, length) => sum + length, 0);
    const slice = rowSlice(bound(random), bound(random));
    const expected = resolveRows([slice], numRows);
    const { start, stop, mostRows } = await boundsOfSlice(slice, new HiddenLengths(lengths));
    const rowAt = ({ chunk, row }: typeof start) =>
      lengths.slice(0, chunk).reduce((sum, length) => sum + length, row);
    const first = rowAt(start);
    const behind = Math.min(rowAt(stop), first + mostRows);
    const rows = Array.from({ length: Math.max(0, behind - first) }, (_, index) => first + index);
    assertEquals(rows, rowsOf(expected));
  }));

Deno.test("a row that does not exist is an error", async (t) => {
  const cases = [
    [6, [2, 3], "There is no row 6: the input has 5 rows"],
    [-7, [2, 3], "There is no row -7: the input has 5 rows"],
    [0, [0], "There is no row 0: the input has no rows"],
    [-1, [], "There is no row -1: the input has no rows"],
    [1, [1, 0], "There is no row 1: the input has 1 row"],
  ] as const;
  for (const [row, lengths, message] of cases) {
    for (const known of [knownLengths(lengths), new HiddenLengths(lengths)]) {
      await t.step(`${row} of ${lengths}`, async () => {
        const pick: RowPick = { kind: "list", parts: [row] };
        await assertRejects(
          () => Array.fromAsync(locateRows([pick], known)),
          MissingRowError,
          message,
        );
      });
    }
  }
});
