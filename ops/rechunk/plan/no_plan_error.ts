/**
 * Says which limit would have to give where no plan keeps to all of them.
 *
 * @module
 */

import { product } from "../../../streams/chunks/grid.ts";
import { bestChain } from "./best_chain.ts";
import { type Limits, sizeText } from "./limits.ts";

/** Steps of the search for a limit that does. */
const numSteps = 12;

/** The error of limits that `bestChain` finds no chain for. */
export function noPlanError(limits: Limits, stages: number | undefined): RangeError {
  const { shape, source, target, itemsize, minMem, maxMem } = limits;
  const doesWith = (minItems: number) => bestChain({ ...limits, minItems, minMem: 0 }, stages);
  if (stages === 0 && doesWith(0) === undefined) {
    const box = target.map((length, axis) =>
      Math.min(Math.ceil(source[axis]! / length) * length, shape[axis]!)
    );
    const bytes = product(box) * itemsize;
    return new RangeError(
      `maxMem is ${sizeText(maxMem)}, and boxes that go without stages have ${sizeText(bytes)}: ` +
        `raise maxMem to at least ${bytes}, or allow stages`,
    );
  }
  let good = 0;
  let bad = limits.minItems;
  for (let step = 0; step < numSteps && bad - good > 1; step++) {
    const middle = Math.floor((good + bad) / 2);
    if (doesWith(middle) === undefined) bad = middle;
    else good = middle;
  }
  const given = stages === undefined ? "" : ` with ${stages} ${stages === 1 ? "stage" : "stages"}`;
  const others = stages === undefined ? "raise maxMem" : "raise maxMem or allow more stages";
  const bytes = good * itemsize;
  return new RangeError(
    `minMem is ${sizeText(minMem)}, and within maxMem of ${sizeText(maxMem)}${given} some chunks ` +
      `have ${sizeText(bytes)}: lower minMem to ${bytes}, or ${others}`,
  );
}
