/**
 * Explains which limit to relax where no plan respects all of them.
 *
 * @module
 */

import { OptionError } from "../../../base/errors/option_error.ts";
import { option, optionText } from "../../../base/errors/option_text.ts";
import { product } from "../../../streams/formats/zarr/grid/grid.ts";
import { bestChain } from "./best_chain.ts";
import type { Limits } from "./limits.ts";
import { enoughText, mostText, sizeText } from "../../../base/quantities.ts";
import { leastShared } from "./rechunker_plan.ts";

/** Returns the error for limits for which `bestChain` finds no chain. */
export function noPlanError(limits: Limits, stages: number | undefined): OptionError {
  const { itemsize, minMem, maxMem } = limits;
  const chain = chainOfSmaller(limits, stages);
  if (chain === undefined) return noDirectError(limits);
  const bytes = (chain.length === 1 ? product(chain[0]!) : leastShared(chain)) * itemsize;
  const given = stages === undefined ? "" : ` with ${stages} ${stages === 1 ? "stage" : "stages"}`;
  const [least, most] = [option("minMem"), option("maxMem")];
  const others = stages === undefined ? "" : " or allow more stages";
  return new OptionError(
    optionText`${least} is ${sizeText(minMem)}, which no plan${given} keeps within ${most} of ${
      sizeText(maxMem)
    }: lower ${least} to ${mostText(bytes)}, or raise ${most}${others}`,
  );
}

/** Returns a chain for a `minMem` halved as often as needed; undefined if there is none. */
function chainOfSmaller(limits: Limits, stages: number | undefined) {
  let minItems = limits.minItems;
  while (minItems > 0) {
    minItems = Math.floor(minItems / 2);
    const chain = bestChain({ ...limits, minItems, minMem: minItems * limits.itemsize }, stages);
    if (chain !== undefined) return chain;
  }
  return undefined;
}

/** Returns the error where not even the smallest direct box fits. */
function noDirectError({ shape, source, target, itemsize, maxMem }: Limits): OptionError {
  const box = target.map((length, axis) =>
    Math.min(Math.ceil(source[axis]! / length) * length, shape[axis]!)
  );
  const bytes = product(box) * itemsize;
  const most = option("maxMem");
  return new OptionError(
    optionText`${most} is ${sizeText(maxMem)}, but boxes without stages have ${
      sizeText(bytes)
    }: raise ${most} to at least ${enoughText(bytes)}, or allow stages`,
  );
}
