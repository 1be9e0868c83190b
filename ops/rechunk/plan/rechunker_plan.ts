/**
 * The plans of rechunker (pangeo-data), the standard to which plans are compared. Chunks grow from the
 * last axis to the first, and stages in between are spaced geometrically. Its grids do not nest, so
 * plain Zarr arrays cannot hold its intermediate pieces: its plans are counted here, not run.
 *
 * @module
 */

import { product } from "../../../streams/formats/zarr/grid/grid.ts";
import { countBetween, sumOf } from "./count_operations.ts";
import type { Limits } from "./limits.ts";

/** The greatest number of stages, as in rechunker's search. */
const mostStages = 99;

/** The limits of growth along each axis: a length, the end of the array, or no growth. */
type GrowthLimits = readonly (number | "whole" | undefined)[];

/**
 * Grows a chunk within `maxMem` bytes, from the last axis to axis 0: to the limit of the axis where
 * memory allows it, else by the largest factor that fits. At least one chunk has to fit.
 */
export function consolidateChunks(
  shape: readonly number[],
  chunk: readonly number[],
  itemsize: number,
  maxMem: number,
  growth: GrowthLimits = shape.map(() => "whole"),
): number[] {
  const grown = [...chunk];
  let room = maxMem / (itemsize * product(chunk));
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const limit = growth[axis];
    if (limit === undefined) continue;
    const most = limit === "whole" ? shape[axis]! : Math.min(limit, shape[axis]!);
    grown[axis] = most;
    if (maxMem <= itemsize * product(grown)) {
      grown[axis] = Math.min(chunk[axis]! * Math.floor(room), most);
    }
    room = maxMem / (itemsize * product(grown));
  }
  return grown;
}

/** Returns the grids between two grids, in `stages` steps of equal ratio along each axis, rounded down. */
export function geometricGrids(
  from: readonly number[],
  to: readonly number[],
  stages: number,
): number[][] {
  return Array.from({ length: stages - 1 }, (_, at) => {
    const share = (at + 1) / stages;
    // A whole power of a whole number may come out slightly too small.
    return from.map((length, axis) =>
      Math.floor(length ** (1 - share) * to[axis]! ** share * (1 + 1e-12))
    );
  });
}

/**
 * Returns the chain of grids of rechunker's multi-stage plan, with the fewest stages for which all pieces
 * have `minMem` bytes. Where another stage takes more operations, it stops one stage earlier, with
 * pieces that are too small. With `stages`, the number of stages is given.
 */
export function rechunkerChain(limits: Limits, stages?: number): number[][] {
  const { shape, source, target, itemsize, minMem, maxMem } = limits;
  const write = consolidateChunks(shape, target, itemsize, maxMem);
  const growth = write.map((length, axis) => length > source[axis]! ? length : undefined);
  const read = consolidateChunks(shape, source, itemsize, maxMem, growth);
  const chainOf = (stages: number) => [read, ...geometricGrids(read, write, stages), write];
  if (stages !== undefined) return chainOf(stages);
  let best: number[][] = [];
  let fewest = Infinity;
  for (let stages = 1; stages <= mostStages; stages++) {
    const chain = chainOf(stages);
    if (leastShared(chain) * itemsize >= minMem) return chain;
    const operations = sumOf(countBetween(shape, chain));
    if (operations > fewest) break;
    fewest = operations;
    best = chain;
  }
  return best;
}

/** Returns the number of items of the smallest piece between neighbours in a chain of at least two grids. */
export function leastShared(chain: readonly (readonly number[])[]): number {
  return Math.min(...chain.slice(1).map((grid, at) => product(leastOf(chain[at]!, grid))));
}

/** Returns the shorter length of two grids along each axis. */
function leastOf(a: readonly number[], b: readonly number[]): number[] {
  return a.map((length, axis) => Math.min(length, b[axis]!));
}
