/**
 * Says which limit would have to give where no plan keeps to all of them.
 *
 * @module
 */

import { product } from "../../../streams/formats/zarr/grid/grid.ts";
import { bestChain } from "./best_chain.ts";
import { enoughText, type Limits, mostText, sizeText } from "./limits.ts";
import { leastShared } from "./rechunker_plan.ts";

/** The error of limits that `bestChain` finds no chain for. */
export function noPlanError(limits: Limits, stages: number | undefined): RangeError {
  const { itemsize, minMem, maxMem } = limits;
  const chain = chainOfSmaller(limits, stages);
  if (chain === undefined) return noDirectError(limits);
  const bytes = (chain.length === 1 ? product(chain[0]!) : leastShared(chain)) * itemsize;
  const given = stages === undefined ? "" : ` with ${stages} ${stages === 1 ? "stage" : "stages"}`;
  const others = stages === undefined ? "raise maxMem" : "raise maxMem or allow more stages";
  return new RangeError(
    `minMem is ${sizeText(minMem)}, which no plan${given} keeps within maxMem of ` +
      `${sizeText(maxMem)}: lower minMem to ${mostText(bytes)}, or ${others}`,
  );
}

/** The chain of a `minMem` that is halved until there is one; undefined where there never is. */
function chainOfSmaller(limits: Limits, stages: number | undefined) {
  let minItems = limits.minItems;
  while (minItems > 0) {
    minItems = Math.floor(minItems / 2);
    const chain = bestChain({ ...limits, minItems, minMem: minItems * limits.itemsize }, stages);
    if (chain !== undefined) return chain;
  }
  return undefined;
}

/** The error where not even the least box that could go without stages fits. */
function noDirectError({ shape, source, target, itemsize, maxMem }: Limits): RangeError {
  const box = target.map((length, axis) =>
    Math.min(Math.ceil(source[axis]! / length) * length, shape[axis]!)
  );
  const bytes = product(box) * itemsize;
  return new RangeError(
    `maxMem is ${sizeText(maxMem)}, and boxes that go without stages have ${sizeText(bytes)}: ` +
      `raise maxMem to at least ${enoughText(bytes)}, or allow stages`,
  );
}
