/**
 * Plans how the chunks of an array become other chunks within limits of memory. See `planRechunk`.
 *
 * @module
 */

import { product } from "../../../streams/formats/zarr/grid/grid.ts";
import { bestChain, type Chain } from "./best_chain.ts";
import { countChain, countOperations } from "./count_operations.ts";
import { type Limits, limitsOf } from "./limits.ts";
import { leastPieces } from "./lower_bound.ts";
import { noPlanError } from "./no_plan_error.ts";
import { planBytes, planSeconds } from "./plan_cost.ts";
import type { PlanRechunkOptions, RechunkPlan } from "./rechunk_plan.ts";

/**
 * Plans how chunks of `source` become chunks of `target`, through stores of regular grids.
 *
 * No read, write or intermediate chunk has more than `maxMem` bytes, or less than `minMem` if the
 * array has that many. Boxes of the last write have whole chunks of the target along every axis, or
 * the whole axis. The plan has no more operations than rechunker's plan within the same limits: that
 * of the same number of stages, or without `stages` its multi-stage plan. Where rechunker violates
 * `minMem`, it may have more. Among numbers of stages, the plan of least cost is chosen. An array with
 * one item or none takes one direct copy.
 *
 * Throws a TypeError or RangeError for bad options, and a RangeError that names the limit to relax
 * where no plan respects all of them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { planRechunk } from "../../../mod.ts";
 *
 * const { stages, reads, writes } = planRechunk({
 *   shape: [350_640, 721, 1440],
 *   itemsize: 4,
 *   source: [31, 721, 1440],
 *   target: [350_640, 10, 10],
 *   minMem: 10e6,
 *   maxMem: 500e6,
 * });
 * assertEquals([stages.length, reads, writes], [3, 163_307, 149_169]);
 * ```
 */
export function planRechunk(options: PlanRechunkOptions): RechunkPlan {
  const limits = limitsOf(options);
  if (product(limits.shape) <= 1) return planOf(limits, [limits.target]);
  const chain = bestChain(limits, options.stages);
  if (chain === undefined) throw noPlanError(limits, options.stages);
  return planOf(limits, chain);
}

/** Returns the plan for a chain of grids. */
function planOf(limits: Limits, chain: Chain): RechunkPlan {
  const { shape, source, target, itemsize } = limits;
  const { reads, writes } = countChain(shape, source, chain, target);
  const stages = chain.slice(1).map((write, at) => {
    const read = chain[at]!;
    const intermediate = intermediateOf(shape, read, write);
    return { read, intermediate, write, operations: countOperations(shape, read, write) };
  });
  const bytes = planBytes(product(shape) * itemsize, stages.length);
  const splitsSource = chain[0]!.some((length, axis) => length < source[axis]!);
  return {
    stages,
    ...(stages.length === 0 ? { direct: chain[0]! } : {}),
    reads,
    writes,
    bytes,
    lowerBound: leastPieces(limits, stages.length, splitsSource),
    peakMemory: Math.max(...chain.map(product)) * itemsize,
    cost: planSeconds(reads + writes, bytes),
  };
}

/** Returns the chunks of an intermediate store: the shorter length if both nest, else that of `read`. */
function intermediateOf(
  shape: readonly number[],
  read: readonly number[],
  write: readonly number[],
): number[] {
  return read.map((length, axis) => {
    const least = Math.min(length, write[axis]!);
    return length % least === 0 || length === shape[axis] ? least : length;
  });
}
