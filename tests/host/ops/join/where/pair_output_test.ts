import { assert, assertEquals } from "@std/assert";
import { newPairRows } from "../../../../../ops/join/where/candidate_pairs.ts";
import { PairOutput } from "../../../../../ops/join/where/pair_output.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";

Deno.test("results have all pairs, and rows without one where they are kept", () => {
  const draws = new Draws([
    "a piece without pairs",
    "a row in two pieces",
    "a row without a match",
  ]);
  return forSeeds(500, (random) => {
    const numRows = random.below(20);
    const all: [number, number][] = [];
    for (let row = 0; row < numRows; row++) {
      const count = random.pick([0, 0, 1, 2, 9]);
      if (count === 0) draws.add("a row without a match");
      for (let at = 0; at < count; at++) all.push([row, random.below(100)]);
    }
    const keepsAll = random.chance(0.5);
    const maxRows = random.pick([1, 3, 50]);
    const output = new PairOutput(newPairRows(maxRows), keepsAll);
    const results: [number, number][] = [];
    const take = (found: Iterable<{ probeRows: Int32Array; buildRows: Int32Array }>) => {
      for (const { probeRows, buildRows } of found) {
        assert(probeRows.length > 0 && probeRows.length <= maxRows);
        probeRows.forEach((row, at) => results.push([row, buildRows[at]!]));
      }
    };
    for (let start = 0; start < all.length;) {
      const stop = Math.min(all.length, start + random.below(6));
      if (stop === start) draws.add("a piece without pairs");
      const pairs = all.slice(start, stop);
      const [last, next] = [all[stop - 1]?.[0] ?? 0, all[stop]?.[0] ?? numRows];
      if (stop > 0 && last === next) draws.add("a row in two pieces");
      take(output.add({
        probeRows: Int32Array.from(pairs, ([row]) => row),
        buildRows: Int32Array.from(pairs, ([, row]) => row),
        // What is known to be done is any row up to that of the next pair.
        numDone: random.pick([Math.min(last, next), next]),
      }));
      start = stop;
    }
    take(
      output.add({ probeRows: new Int32Array(0), buildRows: new Int32Array(0), numDone: numRows }),
    );
    take(output.end());

    const rows = Array.from({ length: numRows }, (_, row) => row);
    const expected = rows.flatMap((row): [number, number][] => {
      const pairs = all.filter(([probe]) => probe === row);
      return pairs.length === 0 && keepsAll ? [[row, -1]] : pairs;
    });
    assertEquals(results, expected);
  }, draws);
});
