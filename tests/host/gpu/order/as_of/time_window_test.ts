import { assert, assertEquals } from "@std/assert";
import type { Tolerance } from "../../../../../gpu/order/as_of/distance.ts";
import type { AsOfDirection } from "../../../../../gpu/order/as_of/match_times.ts";
import { GroupedTimes } from "../../../../../gpu/order/as_of/grouped_times.ts";
import { RowGrouper } from "../../../../../gpu/order/group_rows.ts";
import { GroupOrder, TimeOrder } from "../../../../../gpu/order/as_of/time_order.ts";
import { type TimeForm, Times } from "../../../../../gpu/order/as_of/times.ts";
import { TimeWindow } from "../../../../../gpu/order/as_of/time_window.ts";
import {
  compareTimes,
  modelMatch,
  type ModelRule,
  type ModelTime,
} from "../../../../support/models/as_of_model.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";

const directions: readonly AsOfDirection[] = ["backward", "forward", "nearest"];

function timesOf(values: readonly ModelTime[], form: TimeForm): Times {
  const times = Times.zeros(values.length, form);
  for (const [row, value] of values.entries()) {
    if (form === "float") times.high[row] = Number(value);
    else {
      const low = BigInt.asUintN(32, value as bigint);
      times.low![row] = Number(low);
      times.high[row] = Number((value as bigint) - low);
    }
  }
  return times;
}

function toleranceOf(tolerance: ModelTime | null): Tolerance | null {
  if (tolerance === null) return null;
  if (typeof tolerance === "number") return { high: tolerance, low: 0 };
  const low = BigInt.asUintN(32, tolerance);
  return { high: Number(tolerance - low), low: Number(low) };
}

const floats = [
  -Infinity,
  -Number.MAX_VALUE,
  -1e308,
  -(2 ** 60),
  -1,
  -1e-30,
  -0,
  0,
  5e-324,
  0.1,
  0.3,
  1,
  1 + 2 ** -52,
  2,
  2 ** 53,
  2 ** 60,
  1e308,
  Number.MAX_VALUE,
  Infinity,
  NaN,
];

const integers = [
  -(2n ** 63n),
  -(2n ** 63n) + 1n,
  -(2n ** 60n) - 1n,
  -(2n ** 32n),
  -1n,
  0n,
  1n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 60n + 1n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n - 1n,
];

function randomTime(random: SeededRandom, form: TimeForm): ModelTime {
  if (form === "float") {
    return random.chance(0.5) ? random.pick(floats) : random.below(20) / 2;
  }
  const near = BigInt(random.below(12));
  return random.chance(0.4)
    ? random.pick(integers)
    : 2n ** 60n + near * random.pick([1n, 2n ** 31n]);
}

function randomTolerance(random: SeededRandom, form: TimeForm): ModelTime | null {
  if (random.chance(0.4)) return null;
  return form === "float"
    ? random.pick([0, 0.5, 1, 2 ** -60, 1e300, Number.MAX_VALUE])
    : random.pick([0n, 1n, 3n, 2n ** 31n, 2n ** 53n + 1n, 2n ** 64n]);
}

/** Sorted, at times with many rows of one time. */
function randomTimes(random: SeededRandom, form: TimeForm): ModelTime[] {
  const most = random.pick([0, 1, 3, 12, 40]);
  const times = Array.from({ length: most }, () => randomTime(random, form));
  return times.sort(compareTimes);
}

/** Cut at random into parts, some of them empty. */
function partsOf<T>(random: SeededRandom, items: readonly T[]): T[][] {
  const cuts = Array.from({ length: random.below(5) }, () => random.below(items.length + 1));
  const bounds = [0, ...cuts.sort((left, right) => left - right), items.length];
  return bounds.slice(1).map((stop, index) => items.slice(bounds[index]!, stop));
}

/** The number of pieces that are to be seen before the row of a time is known. */
function piecesNeeded(rule: ModelRule, time: ModelTime, pieces: readonly ModelTime[][]): number {
  for (let count = 0; count <= pieces.length; count++) {
    const seen = pieces.slice(0, count).flat();
    const last = seen.at(-1);
    const after = seen.find((other) => compareTimes(other, time) > 0);
    switch (rule.direction) {
      case "backward":
        if (after !== undefined) return count;
        break;
      case "forward":
        if (last !== undefined && compareTimes(last, time) >= 0) return count;
        break;
      case "nearest": {
        if (after === undefined) break;
        // Rows of the time of `after` may follow, and are met if that is the nearest.
        const met = modelMatch(rule, time, seen);
        const isMet = met >= 0 && compareTimes(seen[met]!, after) === 0;
        if (!isMet || compareTimes(last!, after) > 0) return count;
      }
    }
  }
  // Only the end tells.
  return pieces.length + 1;
}

/** The rows that the times of the parts meet, by a window on the pieces; checks what it pulls. */
function matchesOfWindow(
  rule: ModelRule,
  form: TimeForm,
  parts: readonly ModelTime[][],
  pieces: readonly ModelTime[][],
): number[] {
  const window = new TimeWindow(
    { direction: rule.direction, tolerance: toleranceOf(rule.tolerance) },
    form,
  );
  const found: number[] = [];
  let rows: number[] = [];
  let pulled = 0;
  let numSeen = 0;
  for (const part of parts) {
    const probe = timesOf(part, form);
    const matches = new Int32Array(part.length);
    for (let at = 0;;) {
      const stop = window.match(probe, at, part.length, matches);
      for (const row of matches.subarray(at, stop)) found.push(row < 0 ? -1 : rows[row]!);
      at = stop;
      if (at === part.length) break;
      const needed = piecesNeeded(rule, part[at]!, pieces);
      assert(pulled < needed, `pulled ${pulled + 1} pieces where ${needed} are enough`);
      const piece = pieces[pulled++];
      if (piece === undefined) window.end();
      else {
        // One row of earlier pieces is enough.
        const kept = window.push(timesOf(piece, form)) ? rows.slice(-1) : [];
        rows = [...kept, ...piece.map((_, row) => numSeen + row)];
        numSeen += piece.length;
      }
    }
  }
  return found;
}

const draws = () =>
  new Draws([
    ...directions.flatMap((direction) =>
      (["float", "wide"] as const).map((form) => `${direction} ${form}`)
    ),
    ...[
      "no probe rows",
      "no build rows",
      "a tolerance of 0",
      "equal build times",
      "NaN",
      "-Infinity",
    ],
  ]);

Deno.test("a window of pieces finds the rows that a search of all rows finds, and pulls no more than it must", async () => {
  const drawn = draws();
  await forSeeds(3000, (random) => {
    const form = random.pick(["float", "wide"] as const);
    const rule: ModelRule = {
      direction: random.pick(directions),
      tolerance: randomTolerance(random, form),
    };
    const probe = randomTimes(random, form);
    const build = randomTimes(random, form);
    drawn.add(`${rule.direction} ${form}`);
    if (probe.length === 0) drawn.add("no probe rows");
    if (build.length === 0) drawn.add("no build rows");
    if (Number(rule.tolerance ?? 1) === 0) drawn.add("a tolerance of 0");
    if (new Set(build).size < build.length) drawn.add("equal build times");
    for (const time of [...probe, ...build]) drawn.add(String(time));
    const found = matchesOfWindow(rule, form, partsOf(random, probe), partsOf(random, build));
    assertEquals(found, probe.map((time) => modelMatch(rule, time, build)));
  }, drawn);
});

Deno.test("times by group meet the rows of their group only", async () => {
  await forSeeds(500, (random) => {
    const form = random.pick(["float", "wide"] as const);
    const rule: ModelRule = {
      direction: random.pick(directions),
      tolerance: randomTolerance(random, form),
    };
    const numGroups = 1 + random.below(4);
    const buildGroups = Math.max(1, numGroups - random.below(2));
    const sides = [randomTimes(random, form), randomTimes(random, form)] as const;
    const [probe, build] = sides;
    const probeGroups = probe.map(() => random.below(numGroups));
    const groupsOfBuild = build.map(() => random.below(buildGroups));
    const grouper = new RowGrouper();
    const buildRows = grouper.group(Int32Array.from(groupsOfBuild), buildGroups);
    const grouped = new GroupedTimes(
      { direction: rule.direction, tolerance: toleranceOf(rule.tolerance) },
      timesOf(build, form).pick(buildRows.order),
      buildRows,
      buildGroups,
    );
    const found: number[] = [];
    for (const part of partsOf(random, probe.map((_, row) => row))) {
      const rows = grouper.group(Int32Array.from(part, (row) => probeGroups[row]!), numGroups);
      const times = timesOf(part.map((row) => probe[row]!), form);
      const matches = new Int32Array(part.length);
      grouped.match(times.pick(rows.order), rows, matches);
      found.push(...matches);
    }
    const expected = probe.map((time, row) =>
      modelMatch(
        rule,
        time,
        build.map((other, at) => groupsOfBuild[at] === probeGroups[row] ? other : null),
      )
    );
    assertEquals(found, expected);
  });
});

Deno.test("the first row that is not sorted is found in every place, across batches and groups", async () => {
  await forSeeds(1000, (random) => {
    const form = random.pick(["float", "wide"] as const);
    const numGroups = 1 + random.below(3);
    const numRows = random.below(30);
    // Few distinct times, so that some draws are sorted by chance and most of the others nearly so.
    const values = Array.from({ length: numRows }, () => randomTime(random, form));
    if (random.chance(0.8)) values.sort(compareTimes);
    const groups = values.map(() => random.below(numGroups));
    const firstUnsorted = (sameGroup: boolean): unknown => {
      for (const [row, time] of values.entries()) {
        const before = values.slice(0, row)
          .filter((_, at) => !sameGroup || groups[at] === groups[row]).at(-1);
        if (before !== undefined && compareTimes(time, before) < 0) return { row, time, before };
      }
      return null;
    };
    const order = new TimeOrder();
    const grouper = new RowGrouper();
    const groupOrder = new GroupOrder(form);
    const found: [unknown, unknown] = [null, null];
    for (const part of partsOf(random, values.map((_, row) => row))) {
      const times = timesOf(part.map((row) => values[row]!), form);
      const rows = grouper.group(Int32Array.from(part, (row) => groups[row]!), numGroups);
      const checks = [
        order.check(times),
        groupOrder.check(times.pick(rows.order), rows, numGroups),
      ];
      checks.forEach((unsorted, index) => {
        if (unsorted === null || found[index] !== null) return;
        found[index] = { ...unsorted, row: part[unsorted.row] };
      });
    }
    assertEquals(found[0], firstUnsorted(false), "all rows");
    assertEquals(found[1], firstUnsorted(true), "by group");
  });
});
