/** Plans of rechunking as tests see them: what they have to keep to, and what rechunker counts. */

import { assert, assertEquals } from "@std/assert";
import type { PlanRechunkOptions, RechunkPlan } from "../../../ops/rechunk/plan/rechunk_plan.ts";
import type { SeededRandom } from "../random/seeded_random.ts";

/** A case of rechunker's: its limits, and the stages, reads and writes of its own plan. */
type RechunkerCase = readonly [
  shape: readonly number[],
  itemsize: number,
  source: readonly number[],
  target: readonly number[],
  minMem: number,
  maxMem: number,
  stages: number,
  reads: number,
  writes: number,
];

/**
 * What rechunker (at c553655) plans and counts by `multistage_rechunking_plan` and
 * `calculate_single_stage_io_ops`: ERA5, arrays of issues of Dask (11162, 10630) and of rechunker (115),
 * and random ones where rounding of its powers plays no part.
 */
export const rechunkerCases: readonly RechunkerCase[] = [
  [[350_640, 721, 1440], 4, [31, 721, 1440], [350_640, 10, 10], 10e6, 500e6, 3, 285_399, 274_088],
  [
    [350_640, 721, 1440],
    4,
    [31, 721, 1440],
    [350_640, 10, 10],
    0,
    500e6,
    1,
    13_235_407,
    13_224_096,
  ],
  [[96_432, 721, 1440], 4, [1, 721, 1440], [8760, 72, 144], 0, 500e6, 1, 186_192, 89_760],
  [[96_432, 721, 1440], 4, [1, 721, 1440], [8760, 72, 144], 10e6, 500e6, 2, 131_364, 34_932],
  [[96_432, 721, 1440], 4, [1, 721, 1440], [8760, 72, 144], 10e6, 1e9, 1, 120_192, 23_760],
  [[561_264, 721, 1440], 4, [1, 721, 1440], [8760, 72, 144], 10e6, 1e9, 1, 698_819, 137_555],
  [[30_000, 6000, 150], 8, [60, 6000, 150], [30_000, 6, 150], 0, 500e6, 1, 251_500, 251_000],
  [[30_000, 6000, 150], 8, [60, 6000, 150], [30_000, 6, 150], 50e6, 500e6, 3, 15_477, 14_977],
  [[30_000, 6000, 150], 8, [60, 6000, 150], [30_000, 6, 150], 10e6, 1e9, 2, 9980, 9480],
  [[175_320, 721, 1440], 4, [24, 721, 1440], [21_915, 103, 10], 0, 12e9, 1, 16_321, 9016],
  [[100, 100], 1, [100, 1], [1, 100], 1, 100, 1, 10_200, 10_100],
  [[100, 100], 1, [100, 1], [1, 100], 10, 100, 2, 2200, 2100],
  [[512], 1, [4], [200], 0, 200, 1, 134, 6],
  [[45, 40], 12, [21, 6], [15, 3], 108, 2_268, 1, 98, 77],
  [[500], 2, [72], [5], 28, 1_440, 1, 108, 101],
  [[38, 2, 77], 1, [24, 1, 49], [2, 1, 26], 86, 1_764, 1, 142, 134],
  [[695, 713, 889], 12, [217, 90, 452], [660, 672, 202], 1_235_080_891, 4_300_369_920, 1, 140, 32],
  [[375], 12, [17], [10], 0, 2_040, 1, 64, 41],
  [[200, 1000], 12, [100, 120], [20, 1000], 42_568, 240_000, 2, 136, 118],
  [[1794, 457, 742], 2, [14, 14, 1], [4, 107, 2], 499, 1_712, 2, 9_466_807, 6_308_113],
  [[352, 13, 13, 449], 1, [35, 1, 1, 15], [3, 1, 1, 4], 72, 577, 2, 2_836_496, 2_780_726],
  [[5382, 760], 1, [685, 137], [1644, 6], 46_269, 103_229, 2, 891, 843],
  [[97, 48], 4, [89, 8], [22, 42], 1_102, 5_544, 2, 69, 57],
  [[13, 260, 4954], 1, [2, 57, 4], [5, 1, 110], 40, 550, 2, 1_040_807, 997_442],
  [
    [37_740, 1829, 55_314],
    12,
    [106, 1181, 48],
    [35_131, 70, 61],
    737_530_484,
    1_980_123_684,
    3,
    1_825_516,
    368_242,
  ],
  [
    [202, 2051, 2879, 382],
    4,
    [64, 99, 1359, 2],
    [72, 72, 7, 262],
    5_096_478,
    75_773_491,
    3,
    2_683_020,
    2_634_888,
  ],
  [[113, 256], 1, [55, 1], [7, 4], 19, 60, 3, 6_848, 6_080],
  [[12, 10, 2], 2, [8, 1, 1], [1, 8, 2], 9, 48, 3, 160, 120],
  [[60, 64], 8, [50, 10], [4, 50], 1_789, 4_400, 3, 141, 127],
  [[870, 522], 12, [631, 1], [18, 77], 4_384, 16_632, 4, 7_433, 6_389],
];

/** The options of a case. */
export function optionsOfCase(
  [shape, itemsize, source, target, minMem, maxMem]: RechunkerCase,
): PlanRechunkOptions {
  return { shape, itemsize, source, target, minMem, maxMem };
}

/** Arrays of up to five axes with chunks of any length, and limits that their chunks keep to. */
export function randomRechunk(random: SeededRandom): PlanRechunkOptions {
  const numAxes = random.chance(0.1) ? 4 + random.below(2) : 1 + random.below(3);
  const most = numAxes > 3 ? 60 : random.pick([100, 1000, 20_000]);
  const isRound = random.chance(0.3);
  const length = (limit: number) =>
    isRound
      ? random.pick(roundLengths.filter((length) => length <= limit))
      : 1 + Math.floor(limit ** random.next() - 1 + random.next());
  const shape = Array.from({ length: numAxes }, () => length(most));
  const source = shape.map((limit) => Math.min(limit, length(limit)));
  const target = shape.map((limit) => Math.min(limit, length(limit)));
  const itemsize = random.pick([1, 2, 4, 8, 12]);
  const largest = Math.max(product(source), product(target)) * itemsize;
  const maxMem = Math.floor(largest * random.pick([1, 1.5, 2, 4, 10, 30, 100]));
  const minMem = random.chance(0.5) ? 0 : Math.floor(maxMem / random.pick([4, 10, 50, 1000]));
  return { shape, itemsize, source, target, minMem, maxMem };
}

const roundLengths = [
  1,
  2,
  4,
  5,
  8,
  10,
  12,
  16,
  20,
  24,
  30,
  50,
  60,
  64,
  72,
  100,
  144,
  180,
  200,
  256,
]
  .concat([360, 365, 500, 512, 720, 721, 1000, 1024, 1440, 2000, 4096, 8760, 10_000]);

/** Asserts all that a plan promises but how few operations it has. */
export function assertKeepsTo(plan: RechunkPlan, options: PlanRechunkOptions): void {
  const { shape, itemsize, minMem = 0, maxMem } = options;
  const source = options.source.map((length, axis) => Math.min(length, shape[axis]!));
  const target = options.target.map((length, axis) => Math.min(length, shape[axis]!));
  const boxes = plan.direct === undefined
    ? [plan.stages[0]!.read, ...plan.stages.map(({ write }) => write)]
    : [plan.direct];
  assertEquals(plan.direct === undefined, plan.stages.length > 0);
  plan.stages.slice(1).forEach(({ read }, at) => assertEquals(read, plan.stages[at]!.write));
  const bytesOf = (lengths: readonly number[]) => product(lengths) * itemsize;
  const least = Math.min(minMem, bytesOf(shape));
  for (const chunk of [...boxes, ...plan.stages.map(({ intermediate }) => intermediate)]) {
    assert(chunk.every((length, axis) => length >= 1 && length <= shape[axis]!), `chunk ${chunk}`);
    assert(bytesOf(chunk) <= maxMem, `${chunk} has more than maxMem`);
    assert(bytesOf(chunk) >= least, `${chunk} has less than minMem`);
  }
  assertMadeOf(boxes.at(-1)!, target, shape);
  for (const { read, intermediate, write, operations } of plan.stages) {
    assertMadeOf(read, intermediate, shape);
    assert(intermediate.every((length, axis) => length >= Math.min(read[axis]!, write[axis]!)));
    assertEquals(operations, pairs(shape, read, write));
  }
  const between = plan.stages.reduce((sum, { operations }) => sum + operations, 0);
  const head = pairs(shape, source, boxes[0]!);
  const tail = pairs(shape, boxes.at(-1)!, target);
  const numStages = plan.stages.length;
  assertEquals(plan.writes, between + tail);
  assertEquals(plan.reads, numStages === 0 ? head : head + between + tail);
  assertEquals(plan.bytes, 2 * bytesOf(shape) * (numStages + 1));
  assertEquals(plan.peakMemory, Math.max(...boxes.map(bytesOf)));
  assert(plan.lowerBound <= between, `${between} pieces, fewer than ${plan.lowerBound}`);
}

/** Every box is made of whole chunks, or has all of the axis. */
function assertMadeOf(
  box: readonly number[],
  chunk: readonly number[],
  shape: readonly number[],
): void {
  const isMade = box.every((length, axis) => length === shape[axis] || length % chunk[axis]! === 0);
  assert(isMade, `${box} is not made of chunks of ${chunk}`);
}

/** Pairs of chunks that share items, counted boundary by boundary. */
function pairs(shape: readonly number[], a: readonly number[], b: readonly number[]): number {
  return product(shape.map((length, axis) => {
    let count = 0;
    for (let at = 0; at < length; count++) {
      at = Math.min(nextMultiple(at, a[axis]!), nextMultiple(at, b[axis]!));
    }
    return count;
  }));
}

function nextMultiple(at: number, of: number): number {
  return (Math.floor(at / of) + 1) * of;
}

function product(lengths: readonly number[]): number {
  return lengths.reduce((items, length) => items * length, 1);
}
