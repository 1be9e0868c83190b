/** Random arrays and plans of rechunking. */

import { product } from "../../../streams/formats/zarr/grid/grid.ts";
import type { RechunkPlan } from "../../../ops/rechunk/plan/rechunk_plan.ts";
import { MemoryZarr } from "./memory_zarr.ts";
import type { Draws, SeededRandom } from "../random/seeded_random.ts";

/** Types with their bytes; others are "r24" and the like. */
const TYPES: Readonly<Record<string, number>> = {
  bool: 1,
  uint8: 1,
  int16: 2,
  float32: 4,
  int64: 8,
  complex128: 16,
  r24: 3,
  r80: 10,
};

/** An array, what it is to become, and a plan for that. */
interface RechunkCase {
  readonly source: MemoryZarr;
  /** Without chunks. */
  readonly target: MemoryZarr;
  /** What the target is to be, by brute force. */
  readonly expected: MemoryZarr;
  readonly plan: RechunkPlan;
}

/** A plan of boxes and chunks in between; the rest of a plan does not matter to a run. */
export function handMadePlan(
  stages: readonly (readonly [read: number[], intermediate: number[], write: number[]])[],
  direct?: readonly number[],
): RechunkPlan {
  return {
    stages: stages.map(([read, intermediate, write]) => ({
      ...{ read, intermediate, write },
      operations: 1,
    })),
    ...(direct === undefined ? {} : { direct }),
    ...{ reads: 0, writes: 0, bytes: 0, lowerBound: 0, peakMemory: 0, cost: 0 },
  };
}

/** An array with 0 to 4 axes, some of whose chunks are missing, and a plan with 0 to 3 stages. */
export function randomCase(random: SeededRandom, draws: Draws): RechunkCase {
  const numAxes = random.below(5);
  const most = [1, 60, 20, 9, 6][numAxes]!;
  const shape = Array.from({ length: numAxes }, () => 1 + random.below(most));
  if (numAxes > 0 && random.chance(0.03)) shape[random.below(numAxes)] = 0;
  const lengths = () => shape.map((length) => 1 + random.below(Math.max(1, length + 2)));
  /** Multiples of chunks, or as long as the array or longer. */
  const around = (chunk: readonly number[]) =>
    chunk.map((length, axis) =>
      random.chance(0.2)
        ? shape[axis]! + 1 + random.below(3)
        : length * (1 + random.below(Math.ceil(shape[axis]! / length) + 1))
    );
  const dataType = random.pick(Object.keys(TYPES));
  const fill = randomBytes(random, TYPES[dataType]!, random.chance(0.5));
  const chunk = lengths();
  const inner = lengths();
  const shard = random.chance(0.3) ? inner.map((length) => length * (1 + random.below(3))) : inner;
  const options = { shape, dataType, fill, name: "in.zarr" };
  const items = randomItems(random, shape, fill);
  const source = MemoryZarr.of({ ...options, chunk }, items);
  scribbleBehind(random, source);
  const numStages = random.below(4);
  draws.add(`${numStages} stages`);
  const chunks = Array.from({ length: numStages }, lengths);
  const boxes = [...chunks, shard].map(around);
  const plan = handMadePlan(
    chunks.map((between, stage) => [boxes[stage]!, between, boxes[stage + 1]!]),
    numStages === 0 ? boxes[0]! : undefined,
  );
  if (source.chunks.size < product(shape.map((length, axis) => Math.ceil(length / chunk[axis]!)))) {
    draws.add("missing chunks");
  }
  if (shape.includes(0)) draws.add("no items");
  if (numAxes === 0) draws.add("no axes");
  const goal = { ...options, chunk: inner, shard, name: "out.zarr" };
  return {
    source,
    target: new MemoryZarr(goal),
    expected: MemoryZarr.of(goal, items),
    plan,
  };
}

/** Items of which boxes are fill values, so that chunks of any shape may have nothing else. */
function randomItems(
  random: SeededRandom,
  shape: readonly number[],
  fill: Uint8Array,
): Uint8Array {
  const items = randomBytes(random, product(shape) * fill.length, false);
  for (let empty = random.below(3); empty > 0; empty--) {
    const box = shape.map((length) => {
      const start = random.below(length + 1);
      return [start, start + random.below(length + 1)] as const;
    });
    for (let item = 0; item < product(shape); item++) {
      let rest = item;
      const isInside = box.toReversed().every(([start, stop], back) => {
        const length = shape[shape.length - 1 - back]!;
        const at = rest % length;
        rest = Math.floor(rest / length);
        return at >= start && at < stop;
      });
      if (isInside) items.set(fill, item * fill.length);
    }
  }
  return items;
}

/** The padding of chunks beyond the end of an array may be anything. */
function scribbleBehind(random: SeededRandom, { chunks, grid, itemBytes }: MemoryZarr): void {
  const { shape, chunk } = grid;
  for (const [key, bytes] of chunks) {
    const index = key === "" ? [] : key.split(",").map(Number);
    for (let item = 0; item < product(chunk); item++) {
      let rest = item;
      const isInside = chunk.toReversed().every((length, back) => {
        const axis = chunk.length - 1 - back;
        const at = index[axis]! * length + rest % length;
        rest = Math.floor(rest / length);
        return at < shape[axis]!;
      });
      if (!isInside) bytes.set(randomBytes(random, itemBytes, false), item * itemBytes);
    }
  }
}

function randomBytes(
  random: SeededRandom,
  size: number,
  areZero: boolean,
): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, () => areZero ? 0 : random.below(256));
}
