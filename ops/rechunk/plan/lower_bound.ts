/**
 * Lower bounds for the pieces between the stages of any chain of grids.
 *
 * @module
 */

import { product } from "../../../streams/formats/zarr/grid/grid.ts";
import type { Limits } from "./limits.ts";

/**
 * Returns the least sum of the pieces between the grids of a chain of `stages` stages. Its first grid
 * has no shorter chunks than the source unless it `splitsSource`, and its last grid no shorter ones
 * than the target. 0 without stages.
 *
 * Split the axes into those where the target has longer chunks and the others. A piece of two
 * neighbours has at most the length of the one along the first axes and that of the other along the
 * second. So the product of all counts is at least `N^stages / (T * A * M^(stages - 1))`, where the
 * array has N items and the largest box M. T is the greatest number of items of the first read along
 * the first axes, and A that of the last write along the second. A sum of terms with a given product
 * is least where the terms are equal.
 */
export function leastPieces(
  { shape, source, target, maxItems }: Limits,
  stages: number,
  splitsSource: boolean,
): number {
  const items = product(shape);
  if (stages === 0 || items === 0) return 0;
  const along = (lengths: readonly number[], grows: boolean) =>
    product(lengths.filter((_, axis) => source[axis]! < target[axis]! === grows));
  const beside = splitsSource ? 1 : along(source, false);
  const firstRead = Math.min(Math.floor(maxItems / beside), along(shape, true));
  const lastWrite = Math.min(maxItems / along(target, true), along(shape, false));
  const each = items / (firstRead * lastWrite * maxItems ** (stages - 1)) ** (1 / stages);
  return Math.max(stages, Math.round(stages * each));
}

/**
 * Returns the same bound for the `stages` stages after a grid. The stages before are known, so the
 * bound is that of a chain that begins with the grid.
 */
export function leastPiecesAfter(limits: Limits, grid: readonly number[], stages: number): number {
  if (stages === 0) return 0;
  const { shape, source, target, maxItems } = limits;
  let items = 1;
  let growing = 1;
  let shrinking = 1;
  let lastGrown = 1;
  for (let axis = 0; axis < shape.length; axis++) {
    items *= shape[axis]!;
    if (source[axis]! < target[axis]!) {
      growing *= Math.ceil(shape[axis]! / grid[axis]!);
      lastGrown *= Math.max(grid[axis]!, target[axis]!);
    } else shrinking *= shape[axis]!;
  }
  const lastWrite = Math.max(1, Math.min(Math.floor(maxItems / lastGrown), shrinking));
  const all = growing * shrinking / lastWrite * (items / maxItems) ** (stages - 1);
  return stages * all ** (1 / stages);
}
