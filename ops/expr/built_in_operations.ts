/**
 * The table of all built-in operations.
 *
 * @module
 */

import type { StringOp } from "../string/define/define_string_op.ts";
import * as dateOps from "../dates/operations.ts";
import * as numberOps from "../number/operations.ts";
import * as stringOps from "../string/operations.ts";

/**
 * The built-in operations, sorted by name.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { operations } from "../../mod.ts";
 *
 * assert(operations.some(({ name }) => name === "splitPart"));
 * ```
 */
export const builtInOperations: readonly StringOp[] = Object.freeze(
  Object.values<StringOp>({ ...stringOps, ...numberOps, ...dateOps })
    .sort((a, b) => a.spec.name < b.spec.name ? -1 : 1),
);
