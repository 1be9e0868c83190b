/**
 * The programs of this process by what they compute: a plan with the expressions of an earlier one
 * gets its kernels, which are lowered and compiled already.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import { LruCache } from "../../../base/lru_cache.ts";
import type { RowFunction } from "../language/row_function.ts";
import type { Program } from "../tree/tree.ts";
import { type Output, partitionIntoKernels, type PartitionOptions } from "./partition.ts";

/** How many programs are kept; each holds its row functions, with their tables. */
const MAX_PROGRAMS = 64;

const programs = new LruCache<Program>(MAX_PROGRAMS);

/**
 * Returns what `partitionIntoKernels` does, but with the kernels of an earlier program if trees,
 * labels, types and options are the same. The program itself is new, since notes on it concern one
 * plan.
 */
export function programOf(
  inputs: readonly ColumnType[],
  outputs: readonly Output[],
  options: PartitionOptions = {},
): Program {
  const key = keyOf([inputs, outputs, options]);
  return { ...programs.get(key, () => partitionIntoKernels(inputs, outputs, options)) };
}

/** Returns a text that is the same only for the same trees. */
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

/** Returns the number of a row function. Another one of the same name or code has its own. */
function numberOf(fn: RowFunction): number {
  let number = numbers.get(fn);
  if (number === undefined) numbers.set(fn, number = numFunctions++);
  return number;
}
