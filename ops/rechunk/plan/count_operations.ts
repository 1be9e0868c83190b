/**
 * How many pieces two grids over one array cut it into: what is read or written when chunks of the
 * one become chunks of the other. The count is that of rechunker's `calculate_single_stage_io_ops`.
 *
 * @module
 */

import { product } from "../../../streams/chunks/grid.ts";

/**
 * The pieces between two grids: along each axis the distinct places where a chunk of either begins,
 * multiplied over the axes. 1 for an array without axes.
 */
export function countOperations(
  shape: readonly number[],
  from: readonly number[],
  to: readonly number[],
): number {
  return product(shape.map((length, axis) => piecesOfAxis(length, from[axis]!, to[axis]!)));
}

/** Multiples of `a` and of `b` below the length, those of both counted once. */
function piecesOfAxis(length: number, a: number, b: number): number {
  const both = a / greatestCommonDivisor(a, b) * b;
  return Math.ceil(length / a) + Math.ceil(length / b) - Math.ceil(length / both);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** Chunks that a chain of grids from a source to a target reads and writes. */
export interface ChainOperations {
  readonly reads: number;
  readonly writes: number;
  /** Pieces between each grid of the chain and the next. */
  readonly between: readonly number[];
}

/**
 * Counts what a chain of grids takes. The first grid is read from the source, the pieces between one
 * and the next are written and read, and the last is split to the target. A chain of one grid writes
 * nothing in between.
 */
export function countChain(
  shape: readonly number[],
  source: readonly number[],
  chain: readonly (readonly number[])[],
  target: readonly number[],
): ChainOperations {
  const between = chain.slice(1).map((grid, at) => countOperations(shape, chain[at]!, grid));
  const pieces = between.reduce((sum, count) => sum + count, 0);
  const head = countOperations(shape, source, chain[0]!);
  const tail = countOperations(shape, chain.at(-1)!, target);
  if (chain.length === 1) return { reads: head, writes: tail, between };
  return { reads: head + pieces + tail, writes: pieces + tail, between };
}
