/**
 * Boxes that are read from a source and written to a target without anything in between.
 *
 * @module
 */

import { numChunks, product } from "../../../streams/formats/zarr/grid/grid.ts";
import { countOperations } from "./count_operations.ts";
import type { Limits } from "./limits.ts";
import { mostSplits, type SearchLimits } from "./nested_chain.ts";

/**
 * The box that reads the fewest chunks of the source, and of such the smallest one, where one fits:
 * no shorter than chunks of the source, with whole chunks of the target along every axis or all of
 * the axis. Undefined where none fits.
 */
export function directBox(
  limits: Limits,
  { minItems, splitsSource }: SearchLimits,
): readonly number[] | undefined {
  const { shape, source, maxItems } = limits;
  const choices = shape.map((_, axis) => usefulLengths(limits, axis, splitsSource));
  const most = splitsSource ? mostSplits * numChunks({ shape, chunk: source }) : Infinity;
  let best: { box: readonly number[]; reads: number; items: number } | undefined;
  const choose = (box: readonly number[]) => {
    const items = product(box);
    if (items > maxItems) return;
    if (box.length < shape.length) {
      for (const length of choices[box.length]!) choose([...box, length]);
      return;
    }
    const reads = countOperations(shape, source, box);
    const isBetter = best === undefined || reads < best.reads ||
      (reads === best.reads && items < best.items);
    if (items >= minItems && reads <= most && isBetter) best = { box, reads, items };
  };
  choose([]);
  return best?.box;
}

/** Most lengths that are tried along an axis. */
const mostLengths = 24;

/**
 * Lengths along an axis that have whole chunks of the target and are no shorter than those of the
 * source: the shortest one, longer ones that split fewer chunks, and the whole axis.
 */
function usefulLengths(
  { shape, source, target, maxItems }: Limits,
  axis: number,
  splitsSource: boolean,
): number[] {
  const whole = shape[axis]!;
  const [from, to] = [source[axis]!, target[axis]!];
  const found: number[] = [];
  let fewest = Infinity;
  const first = splitsSource ? to : Math.ceil(from / to) * to;
  for (let length = first; length < whole && length <= maxItems; length += to) {
    const reads = countOperations([whole], [from], [length]);
    if (reads < fewest) found.push(length);
    fewest = Math.min(fewest, reads);
    if (found.length >= mostLengths || length % from === 0) break;
  }
  return [...found, whole];
}
