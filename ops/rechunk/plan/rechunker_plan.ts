/**
 * The plans of rechunker (pangeo-data), the standard that plans are held against: chunks grow from
 * the last axis to the first, and stages in between are spaced geometrically. Its grids do not nest,
 * so that plain Zarr arrays cannot hold what lies in between: it is counted here, not carried out.
 *
 * @module
 */

import { product } from "../../../streams/formats/zarr/grid/grid.ts";
import { countBetween, sumOf } from "./count_operations.ts";
import type { Limits } from "./limits.ts";

/** Rechunker's own end of its search. */
const mostStages = 99;

/** How far chunks may grow along each axis: to a length, to the end of the array, or not at all. */
type GrowthLimits = readonly (number | "whole" | undefined)[];

/**
 * Grows a chunk within `maxMem` bytes, from the last axis to axis 0: to the whole limit of the axis where
 * that leaves room, else as many times as the room has left. At least one chunk has to fit.
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

/** The grids between two that take `stages` steps of equal ratio along each axis, rounded down. */
export function geometricGrids(
  from: readonly number[],
  to: readonly number[],
  stages: number,
): number[][] {
  return Array.from({ length: stages - 1 }, (_, at) => {
    const share = (at + 1) / stages;
    // Powers of whole numbers that are whole come out a little too small at times.
    return from.map((length, axis) =>
      Math.floor(length ** (1 - share) * to[axis]! ** share * (1 + 1e-12))
    );
  });
}

/**
 * The chain of grids that rechunker's multi-stage plan reads and writes: as few stages as it takes
 * until all pieces have `minMem` bytes. Where one more stage takes more operations it gives up, and
 * takes one less with pieces that are too small. With `stages` there are as many of them.
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

/** Items of the smallest of what neighbours in a chain of two or more grids share. */
export function leastShared(chain: readonly (readonly number[])[]): number {
  return Math.min(...chain.slice(1).map((grid, at) => product(leastOf(chain[at]!, grid))));
}

/** The lesser length of two grids along each axis. */
function leastOf(a: readonly number[], b: readonly number[]): number[] {
  return a.map((length, axis) => Math.min(length, b[axis]!));
}
