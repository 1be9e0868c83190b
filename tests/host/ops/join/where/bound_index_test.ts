import { assert, assertEquals } from "@std/assert";
import {
  BoundIndex,
  type BoundValue,
  type ProbeBounds,
} from "../../../../../ops/join/where/bound_index.ts";
import { candidatePairs, newPairSpace } from "../../../../../ops/join/where/candidate_pairs.ts";
import { GreatestTree } from "../../../../../ops/join/where/greatest_tree.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";

/** A random build side, as ranks. */
function randomRows(random: SeededRandom) {
  const numRows = random.pick([0, 1, 3, 20, 200]);
  const isSorted = random.chance(0.3);
  const numbers = (count: number) => {
    const drawn = Int32Array.from({ length: numRows }, () => random.below(count));
    return isSorted ? drawn.sort() : drawn;
  };
  const kept = random.pick([1, 0.7, 0]);
  const all = Array.from({ length: numRows }, (_, row) => row);
  const values = Array.from({ length: random.below(4) }, (): BoundValue => {
    const count = random.pick([1, 5, 300]);
    const sides = random.pick([[true, false], [false, true], [true, true]] as const);
    return { ranks: numbers(count), count, hasLower: sides[0], hasUpper: sides[1] };
  });
  const numGroups = random.pick([1, 4]);
  const groups = random.chance(0.5) ? { numbers: numbers(numGroups), count: numGroups } : null;
  return {
    numRows,
    rows: Int32Array.from(all.filter(() => random.chance(kept))),
    groups,
    values,
  };
}

/** Random bounds for it. */
function randomBounds(
  random: SeededRandom,
  { groups, values }: ReturnType<typeof randomRows>,
): ProbeBounds {
  const numRows = random.pick([0, 1, 10]);
  const numbers = (least: number, count: number) =>
    Int32Array.from({ length: numRows }, () => least + random.below(count - least));
  return {
    numRows,
    groups: groups === null
      ? random.chance(0.5) ? null : numbers(-1, 1)
      : numbers(-1, groups.count),
    ranges: values.map(({ count, hasLower, hasUpper }) => ({
      lower: hasLower ? numbers(0, count + 1) : null,
      upper: hasUpper ? numbers(0, count + 1) : null,
    })),
  };
}

function bruteForce(
  { rows, groups, values }: ReturnType<typeof randomRows>,
  bounds: ProbeBounds,
): [number, number][] {
  const probes = Array.from({ length: bounds.numRows }, (_, row) => row);
  return probes.flatMap((probe) =>
    [...rows].filter((row) => {
      const group = bounds.groups?.[probe] ?? 0;
      return group === (groups?.numbers[row] ?? 0) && values.every(({ ranks }, value) => {
        const { lower, upper } = bounds.ranges[value]!;
        const rank = ranks[row]!;
        return rank >= (lower?.[probe] ?? 0) && rank < (upper?.[probe] ?? Infinity);
      });
    }).map((row): [number, number] => [probe, row])
  );
}

Deno.test("an index finds every pair within its bounds, in the order of both sides", () => {
  const draws = new Draws([
    ...["0 values", "1 values", "2 values", "3 values"],
    ...["groups", "no groups", "pairs in pieces", "many pairs of a row"],
  ]);
  return forSeeds(2000, (random) => {
    const rows = randomRows(random);
    const index = new BoundIndex(rows);
    draws.add(`${rows.values.length} values`);
    draws.add(rows.groups === null ? "no groups" : "groups");
    for (let batch = 0; batch < 2; batch++) {
      const bounds = randomBounds(random, rows);
      const expected = bruteForce(rows, bounds);
      const maxPairs = random.pick([1, 7, 1000]);
      const pairs: [number, number][] = [];
      let numDone = 0;
      for (const piece of candidatePairs(index, bounds, newPairSpace(index, maxPairs))) {
        assert(piece.probeRows.length <= maxPairs);
        assert(piece.numDone >= numDone);
        if (pairs.length > 0) draws.add("pairs in pieces");
        piece.probeRows.forEach((row, at) => pairs.push([row, piece.buildRows[at]!]));
        numDone = piece.numDone;
        // What is done has no more pairs.
        const rest = expected.slice(pairs.length);
        assert(rest.every(([row]) => row >= numDone));
      }
      assertEquals(numDone, bounds.numRows);
      assertEquals(pairs, expected);
      if (expected.length > 32 * bounds.numRows) draws.add("many pairs of a row");
      if (!index.isRange) continue;
      for (let row = 0; row < bounds.numRows; row++) {
        const count = expected.filter(([probe]) => probe === row).length;
        assertEquals(index.countRange(bounds, row), count);
      }
    }
  }, draws);
});

Deno.test("searches of batches that overlap do not disturb each other", () => {
  const ranks = Int32Array.from({ length: 100 }, (_, row) => (37 * row) % 100);
  const rows = Int32Array.from({ length: 100 }, (_, row) => row);
  const values = [{ ranks, count: 100, hasLower: true, hasUpper: false }];
  const index = new BoundIndex({ numRows: 100, rows, groups: null, values });
  const pairsOf = (lower: number) =>
    candidatePairs(index, {
      numRows: 1,
      groups: null,
      ranges: [{ lower: Int32Array.of(lower), upper: null }],
    }, newPairSpace(index, 10));
  const [first, second] = [pairsOf(0), pairsOf(50)];
  const found: number[] = [];
  for (const { buildRows } of first) {
    second.next();
    found.push(...buildRows);
  }
  assertEquals(found, [...rows]);
});

Deno.test("a tree looks only at what reaches the bound", () => {
  const numPlaces = 100_000;
  const stops = Int32Array.from({ length: numPlaces }, (_, place) => place);
  const counted = new Proxy(stops, {
    get(target, key) {
      const value = Reflect.get(target, key);
      if (typeof key === "string" && /^\d+$/.test(key)) looks++;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  let looks = 0;
  const tree = new GreatestTree(counted);
  looks = 0;
  const found = new Int32Array(numPlaces);
  // The last ten of the first half: all before them are too small.
  assertEquals(tree.collect(0, 50_000, 49_990, found), 10);
  assertEquals([...found.subarray(0, 10)], Array.from({ length: 10 }, (_, at) => 49_990 + at));
  assert(looks < 100, `${looks} looks at the integers`);
  assertEquals(tree.collect(0, numPlaces, numPlaces, found), 0);
  assertEquals(tree.collect(5, 5, 0, found), 0);
});
