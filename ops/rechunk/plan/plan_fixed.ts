/**
 * Makes plans for arrays with items of fixed size. They respect a limit of memory for boxes and for
 * everything else that a run takes.
 *
 * @module
 */

import { NoBoxError, OptionError } from "../../../base/errors/option_error.ts";
import { option, optionText } from "../../../base/errors/option_text.ts";
import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import { type Grid, product } from "../../../streams/formats/zarr/grid/grid.ts";
import type { FixedReader, FixedWriter } from "../../../streams/formats/zarr/items/array.ts";
import { type ArrayPlanOptions, checkStages } from "./limits.ts";
import { enoughText, sizeText } from "../../../base/quantities.ts";
import { planRechunk } from "./plan_rechunk.ts";
import type { RechunkPlan } from "./rechunk_plan.ts";
import { reservedBytes } from "./thread_memory.ts";
import { boxLimit, excessBytes } from "./fixed_memory.ts";
import { passesOf } from "./fixed_pass.ts";

/** Two arrays with items of fixed size, and the limits of the plan. */
interface FixedPlanOptions extends ArrayPlanOptions {
  readonly source: FixedReader;
  readonly target: FixedWriter;
}

/**
 * Makes a plan that `runRechunk` can run in `maxMem` bytes. Codecs, padding and chunks in transit take
 * part of these, so boxes are smaller than in a plan for shapes alone. Throws a RangeError if there
 * is no such plan.
 */
export function planFixed(options: FixedPlanOptions): RechunkPlan {
  checkStages(options.stages);
  try {
    return sharedPlan(options) ?? fittingPlan(options);
  } catch (error) {
    const isDirect = options.stages === 0 && isSluiceError(error, "NoBoxError");
    throw isDirect ? tooLittleWithoutStages(options, error) : error;
  }
}

/** Makes a plan that leaves memory for a second thread; undefined if that is impossible. */
function sharedPlan(options: FixedPlanOptions): RechunkPlan | undefined {
  const reserved = reservedBytes(options);
  if (reserved === 0) return undefined;
  try {
    return fittingPlan({ ...options, maxMem: options.maxMem - reserved });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function fittingPlan(options: FixedPlanOptions): RechunkPlan {
  const { source, target, minMem = 0 } = options;
  const ends = { source: source.grid, target: target.writeGrid, itemBytes: source.itemBytes };
  const least = Math.max(
    minMem,
    chunkBytes(source.grid, source),
    chunkBytes(target.writeGrid, source),
  );
  // Where not even one chunk fits, the plan for the smallest boxes shows how much is missing.
  let boxes = Math.max(least, boxLimit(options));
  while (true) {
    const plan = planWithin(boxes, options);
    const excess = excessBytes(passesOf(plan, ends, boxLimit(options)), options);
    if (excess <= 0) return plan;
    if (boxes === least) throw tooLittle(options, excess);
    // Smaller boxes also reduce the rest of the memory, so boxes need not shrink by all of the excess.
    boxes = Math.max(least, Math.min(boxes - Math.ceil(excess / 2), Math.floor(0.97 * boxes)));
  }
}

/** Returns the bytes of the largest part of a chunk that lies in the array. */
function chunkBytes({ shape, chunk }: Grid, { itemBytes }: FixedReader): number {
  return product(chunk.map((length, axis) => Math.min(length, shape[axis]!))) * itemBytes;
}

/** Plans for boxes of at most `boxes` bytes. An error explains this limit, since the user did not set it. */
function planWithin(boxes: number, options: FixedPlanOptions): RechunkPlan {
  const { source, target, maxMem, minMem, stages } = options;
  try {
    return planRechunk({
      shape: source.grid.shape,
      itemsize: source.itemBytes,
      source: source.grid.chunk,
      target: target.writeGrid.chunk,
      maxMem: boxes,
      ...(minMem === undefined ? {} : { minMem }),
      ...(stages === undefined ? {} : { stages }),
    });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    if (boxes > boxLimit(options)) throw tooLittle(options, boxes - boxLimit(options));
    const rest = isSluiceError(cause, "OptionError") ? cause.text : [cause.message];
    const text = optionText`${source.name}: of ${option("maxMem")} of ${sizeText(maxMem)}, ${
      sizeText(maxMem - boxes)
    } are for codecs and chunks that come and go. Of the rest: ${rest}`;
    throw new NoBoxError(text, { cause });
  }
}

/** Returns the error for a plan without stages; it finds the least memory that suffices by bisection. */
function tooLittleWithoutStages(options: FixedPlanOptions, cause: RangeError): RangeError {
  const { source, target, maxMem } = options;
  const suffices = (most: number) => isPlanned({ ...options, maxMem: most });
  let [less, enough] = [maxMem, 2 * maxMem];
  const mostBytes = boxLimit({ source, target, maxMem: Infinity }) + source.scratchBytes +
    target.scratchBytes;
  while (!suffices(enough)) {
    if (enough > mostBytes) {
      const message =
        `${source.name}: boxes that go without stages have more than 4 GiB: allow stages`;
      return new RangeError(message, { cause });
    }
    [less, enough] = [enough, 2 * enough];
  }
  // Three digits are enough.
  while (enough - less > enough / 1000) {
    const middle = Math.round((less + enough) / 2);
    if (suffices(middle)) enough = middle;
    else less = middle;
  }
  return new OptionError(
    optionText`${source.name}: ${option("maxMem")} of ${
      sizeText(maxMem)
    } is too little without stages: raise it to at least ${enoughText(enough)}, or allow stages`,
    { cause },
  );
}

function isPlanned(options: FixedPlanOptions): boolean {
  try {
    fittingPlan(options);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Returns the error where `missing` more bytes suffice, or where boxes exceed one memory anyway. */
function tooLittle(options: FixedPlanOptions, missing: number): RangeError {
  const { source, maxMem } = options;
  const needed = boxLimit(options) + missing;
  if (needed > boxLimit({ ...options, maxMem: Infinity })) {
    return new RangeError(
      `${source.name}: its chunks take ${sizeText(needed)} together, 4 GiB at most can be used: ` +
        `take smaller chunks`,
    );
  }
  return new OptionError(
    optionText`${source.name}: ${option("maxMem")} of ${
      sizeText(maxMem)
    } is too little for its chunks and codecs: raise it to at least ${
      enoughText(maxMem + missing)
    }`,
  );
}
