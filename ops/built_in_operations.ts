/** @module */

import type { StringOp } from "./define_string_op.ts";
import * as stringOps from "./string/operations.ts";

/** The built-in string operations, in the order of their names. */
export const builtInOperations: readonly StringOp[] = Object.freeze(Object.values(stringOps));
