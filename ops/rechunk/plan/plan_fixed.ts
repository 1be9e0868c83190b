/**
 * Plans for given arrays, which keep to a limit of memory with all that a run takes besides boxes.
 *
 * @module
 */

import { NoBoxError, OptionError } from "../../../base/errors/option_error.ts";
import { option, optionText } from "../../../base/errors/option_text.ts";
import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import { type Grid, product } from "../../../streams/formats/zarr/grid/grid.ts";
import type { FixedReader, FixedWriter } from "../../../streams/formats/zarr/items/array.ts";
import { checkStages } from "./limits.ts";
import { enoughText, sizeText } from "../../../base/quantities.ts";
import { planRechunk } from "./plan_rechunk.ts";
import type { RechunkPlan } from "./rechunk_plan.ts";
import { reservedBytes } from "./thread_memory.ts";
import { boxLimit, excessBytes } from "./fixed_memory.ts";
import { passesOf } from "./fixed_pass.ts";

/** Two arrays, and limits as those of `PlanRechunkOptions`. */
export interface ArrayPlanOptions {
  readonly source: FixedReader;
  readonly target: FixedWriter;
  readonly maxMem: number;
  readonly minMem?: number | undefined;
  readonly stages?: number | undefined;
}

/**
 * A plan that `runRechunk` can run in `maxMem` bytes. Codecs, padding, and chunks that come and go
 * take their part of that, so that boxes are smaller than those of a plan for shapes alone. Throws a
 * RangeError where there is no such plan.
 */
export function planFixed(options: ArrayPlanOptions): RechunkPlan {
  checkStages(options.stages);
  try {
    return sharedPlan(options) ?? fittingPlan(options);
  } catch (error) {
    const isDirect = options.stages === 0 && isSluiceError(error, "NoBoxError");
    throw isDirect ? tooLittleWithoutStages(options, error) : error;
  }
}

/** A plan that leaves room for a second thread, if there is one. */
function sharedPlan(options: ArrayPlanOptions): RechunkPlan | undefined {
  const reserved = reservedBytes(options);
  if (reserved === 0) return undefined;
  try {
    return fittingPlan({ ...options, maxMem: options.maxMem - reserved });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function fittingPlan(options: ArrayPlanOptions): RechunkPlan {
  const { source, target, minMem = 0 } = options;
  const ends = { source: source.grid, target: target.writeGrid, itemBytes: source.itemBytes };
  const least = Math.max(
    minMem,
    chunkBytes(source.grid, source),
    chunkBytes(target.writeGrid, source),
  );
  // Where not even one chunk fits, the plan for the smallest boxes says how much is missing.
  let boxes = Math.max(least, boxLimit(options));
  while (true) {
    const plan = planWithin(boxes, options);
    const excess = excessBytes(passesOf(plan, ends, boxLimit(options)), options);
    if (excess <= 0) return plan;
    if (boxes === least) throw tooLittle(options, excess);
    // Smaller boxes need less beside them too, so that not all of it has to be taken from them.
    boxes = Math.max(least, Math.min(boxes - Math.ceil(excess / 2), Math.floor(0.97 * boxes)));
  }
}

/** Bytes of the items of a chunk that are in the array. */
function chunkBytes({ shape, chunk }: Grid, { itemBytes }: FixedReader): number {
  return product(chunk.map((length, axis) => Math.min(length, shape[axis]!))) * itemBytes;
}

/** Plans for boxes of at most `boxes` bytes. An error names this limit, since the user did not choose it. */
function planWithin(boxes: number, options: ArrayPlanOptions): RechunkPlan {
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

/** The error where nothing may lie in between: the least memory is found by trying. */
function tooLittleWithoutStages(options: ArrayPlanOptions, cause: RangeError): RangeError {
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
  // To three figures, rounded up.
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

function isPlanned(options: ArrayPlanOptions): boolean {
  try {
    fittingPlan(options);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The error where `missing` more bytes do; boxes of more than one memory holds are never enough. */
function tooLittle(options: ArrayPlanOptions, missing: number): RangeError {
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
