/**
 * Chooses boxes that are read from a source and written to a target without an intermediate store.
 *
 * @module
 */

import { numChunks, product } from "../../../streams/formats/zarr/grid/grid.ts";
import { countOperations } from "./count_operations.ts";
import type { Limits } from "./limits.ts";
import { mostSplits, type SearchLimits } from "./nested_chain.ts";

/**
 * Returns the box that reads the fewest chunks of the source, and the smallest of these. Along every
 * axis it has whole chunks of the target, or the whole axis, and it is no shorter than chunks of the
 * source unless it `splitsSource`. Undefined where no box fits.
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

/** The greatest number of lengths to try along an axis. */
const mostLengths = 24;

/**
 * Returns the candidate lengths along an axis. They have whole chunks of the target, and are no shorter
 * than those of the source unless `splitsSource`: the shortest one, longer ones that split fewer
 * chunks, and the whole axis.
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
