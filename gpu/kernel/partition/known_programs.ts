/**
 * Programs of this process by what they compute: the next plan with the same expressions gets the
 * kernels of the last one, which are lowered and compiled already.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import { LruCache } from "../../../base/lru_cache.ts";
import type { RowFunction } from "../language/row_function.ts";
import type { Program } from "../tree/tree.ts";
import { type Output, partitionIntoKernels, type PartitionOptions } from "./partition.ts";

/** Programs that are kept; each holds its row functions, with their tables. */
const MAX_PROGRAMS = 64;

const programs = new LruCache<Program>(MAX_PROGRAMS);

/**
 * `partitionIntoKernels`, with the kernels of an earlier program where trees, labels, types and options
 * are the same. The program itself is new: what is noted of it concerns one plan.
 */
export function programOf(
  inputs: readonly ColumnType[],
  outputs: readonly Output[],
  options: PartitionOptions = {},
): Program {
  const key = keyOf([inputs, outputs, options]);
  return { ...programs.get(key, () => partitionIntoKernels(inputs, outputs, options)) };
}

/** The same text for the same trees only. */
function keyOf(parts: unknown): string {
  return JSON.stringify(parts, (name, value) => {
    if (name === "fn" && typeof value === "object") return numberOf(value as RowFunction);
    if (typeof value === "bigint") return { bigint: `${value}` };
    // JSON has no -0, no NaN and no infinity.
    const isPlain = typeof value !== "number" || (Number.isFinite(value) && !Object.is(value, -0));
    return isPlain ? value : { number: Object.is(value, -0) ? "-0" : `${value}` };
  });
}

const numbers = new WeakMap<RowFunction, number>();
let numFunctions = 0;

/** The number of a row function: another one of the same name, or of the same code, has its own. */
function numberOf(fn: RowFunction): number {
  let number = numbers.get(fn);
  if (number === undefined) numbers.set(fn, number = numFunctions++);
  return number;
}
