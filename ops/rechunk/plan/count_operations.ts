/**
 * Counts the pieces into which two grids cut an array: the reads or writes that turn chunks of one grid
 * into chunks of the other. The count is that of rechunker's `calculate_single_stage_io_ops`.
 *
 * @module
 */

import { product } from "../../../streams/formats/zarr/grid/grid.ts";

/**
 * Counts the pieces between two grids: along each axis the distinct positions where a chunk of either
 * begins, multiplied over the axes. 1 for an array without axes.
 */
export function countOperations(
  shape: readonly number[],
  from: readonly number[],
  to: readonly number[],
): number {
  return product(shape.map((length, axis) => piecesOfAxis(length, from[axis]!, to[axis]!)));
}

/** Counts the multiples of `a` and of `b` below the length; a multiple of both counts once. */
function piecesOfAxis(length: number, a: number, b: number): number {
  const both = a / greatestCommonDivisor(a, b) * b;
  return Math.ceil(length / a) + Math.ceil(length / b) - Math.ceil(length / both);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** Counts the pieces between each grid of a chain and the next. */
export function countBetween(
  shape: readonly number[],
  chain: readonly (readonly number[])[],
): number[] {
  return chain.slice(1).map((grid, at) => countOperations(shape, chain[at]!, grid));
}

/** The number of reads and writes of a chain of grids from a source to a target. */
interface ChainOperations {
  readonly reads: number;
  readonly writes: number;
}

/**
 * Counts the reads and writes of a chain of grids. The first grid is read from the source, the pieces
 * between one grid and the next are written and read, and the last grid is split into the target. A
 * chain of one grid is read from the source and written to the target directly.
 */
export function countChain(
  shape: readonly number[],
  source: readonly number[],
  chain: readonly (readonly number[])[],
  target: readonly number[],
): ChainOperations {
  const head = countOperations(shape, source, chain[0]!);
  const pieces = sumOf(countBetween(shape, chain));
  const tail = countOperations(shape, chain.at(-1)!, target);
  if (chain.length === 1) return { reads: head, writes: tail };
  return { reads: head + pieces + tail, writes: pieces + tail };
}

/** Returns the sum of counts; 0 for none. */
export function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
