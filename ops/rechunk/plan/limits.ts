/**
 * The limits of a plan, in items, and the errors for options that no plan can respect.
 *
 * @module
 */

import { checkNamed } from "../../../base/option_kinds.ts";
import { OptionError } from "../../../base/errors/option_error.ts";
import {
  libraryText,
  option,
  optionText,
  type OptionWord,
} from "../../../base/errors/option_text.ts";
import { enoughText, sizeText } from "../../../base/quantities.ts";
import { product } from "../../../streams/formats/zarr/grid/grid.ts";
import type { ArrayReader, ArrayWriter } from "../../../streams/formats/zarr/items/array.ts";
import type { PlanRechunkOptions } from "./rechunk_plan.ts";

/** The greatest number of stages of a plan. */
export const mostStages = 16;

/** Two arrays of the same items, and limits like those of `PlanRechunkOptions`. */
export interface ArrayPlanOptions {
  readonly source: ArrayReader;
  readonly target: ArrayWriter;
  readonly maxMem: number;
  readonly minMem?: number | undefined;
  readonly stages?: number | undefined;
}

/** The checked options of a plan, with chunks cut off at the end of the array. */
export interface Limits {
  readonly shape: readonly number[];
  readonly source: readonly number[];
  readonly target: readonly number[];
  readonly itemsize: number;
  readonly minMem: number;
  readonly maxMem: number;
  /** The least number of items that chunks should have, at most that of the array. */
  readonly minItems: number;
  /** The greatest number of items of a chunk. */
  readonly maxItems: number;
}

/** Throws a RangeError for a number of stages that no plan can have. */
export function checkStages(stages: number | undefined): void {
  if (stages === undefined) return;
  whole(option("stages"), stages, 0);
  if (stages <= mostStages) return;
  throw new OptionError(
    optionText`${option("stages")} is ${stages}: a plan has at most ${mostStages}`,
  );
}

/**
 * Checks the options of a plan. A chunk that is longer than the array counts as the whole axis.
 * Throws a TypeError for values that are not lists or numbers. Throws a RangeError for numbers that no
 * array has, and for a `maxMem` that one chunk of the source or of the target exceeds.
 */
export function limitsOf(options: PlanRechunkOptions): Limits {
  checkNamed("planRechunk()", "options", options);
  const { itemsize, minMem = 0, maxMem } = options;
  const [least, most] = [option("minMem"), option("maxMem")];
  const { shape, source, target } = checkShapes(options);
  const numItems = product(shape);
  size(least, minMem);
  size(most, maxMem);
  if (minMem > maxMem) {
    throw new OptionError(
      optionText`${least} of ${sizeText(minMem)} exceeds ${most} of ${
        sizeText(maxMem)
      }: lower one or raise the other`,
    );
  }
  checkStages(options.stages);
  if (!Number.isSafeInteger(numItems * itemsize)) {
    throw new RangeError(`An array of shape ${shape.join(",")} has more bytes than can be counted`);
  }
  const cut = (chunk: readonly number[]) =>
    chunk.map((length, axis) => Math.min(length, Math.max(1, shape[axis]!)));
  const limits: Limits = {
    shape,
    source: cut(source),
    target: cut(target),
    itemsize,
    minMem,
    maxMem,
    minItems: Math.min(Math.ceil(minMem / itemsize), numItems),
    maxItems: Math.floor(maxMem / itemsize),
  };
  for (const name of ["source", "target"] as const) {
    const bytes = product(limits[name]) * itemsize;
    if (numItems === 0 || bytes <= maxMem) continue;
    throw new OptionError(
      optionText`${most} is ${sizeText(maxMem)}, but one chunk of the ${name} has ${
        sizeText(bytes)
      }: raise ${most} to at least ${enoughText(bytes)}`,
    );
  }
  return limits;
}

/** Returns the lengths of an array and of its chunks, once they and `itemsize` are checked. */
export function checkShapes(
  options: PlanRechunkOptions,
): Pick<PlanRechunkOptions, "shape" | "source" | "target"> {
  const shape = lengths("shape", options.shape, 0);
  const source = lengths("source", options.source, 1);
  const target = lengths("target", options.target, 1);
  for (const [name, list] of [["source", source], ["target", target]] as const) {
    if (list.length === shape.length) continue;
    throw new RangeError(
      `${name} has ${axes(list.length)}, but shape has ${
        axes(shape.length)
      }: give one length for each`,
    );
  }
  whole("itemsize", options.itemsize, 1);
  return { shape, source, target };
}

function lengths(name: string, list: unknown, least: number): readonly number[] {
  if (!Array.isArray(list)) throw new TypeError(`${name} is not a list of lengths`);
  list.forEach((length, axis) => whole(`${name}[${axis}]`, length, least));
  return list;
}

function whole(name: string | OptionWord, value: unknown, least: number): void {
  if (typeof value !== "number") throw new TypeError(`${libraryText([name])} is not a number`);
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new OptionError(optionText`${name} is ${value}: it is a whole number from ${least} on`);
}

function size(name: OptionWord, value: unknown): void {
  if (typeof value !== "number") {
    throw new TypeError(`${libraryText([name])} is not a number of bytes`);
  }
  if (value >= 0) return;
  throw new OptionError(optionText`${name} is ${value}: it is a number of bytes from 0 on`);
}

function axes(count: number): string {
  return count === 1 ? "1 axis" : `${count} axes`;
}
