/**
 * The passes of a kernel and the rows for which one is printed.
 *
 * @module
 */

import { hasOffsets } from "../../../../column/column.ts";
import type { RowKernel } from "../../../ir/ir.ts";

/** The name of the entry point of every pass. */
export const ENTRY = "main";

/**
 * A pass of a kernel: text and lists take two, or text takes one; a fixed-width result takes one.
 */
export type Pass = "sizes" | "write" | "tiles" | "single";

/** The passes of a kernel that is not computed tile by tile. */
export type OwnPasses = readonly ["sizes", "write"] | readonly ["single"];

/** Returns the passes of a kernel. */
export function ownPasses({ type }: Pick<RowKernel, "type">): OwnPasses {
  return hasOffsets(type) ? ["sizes", "write"] : ["single"];
}

/** The rows that a kernel computes: all, those that are not long, or the long ones. */
export type Rows = "all" | "short" | "long";

/**
 * The invocations that compute a long row. More would finish a single row sooner; but each of them
 * runs all of the code of the row, so with fewer the device completes more rows with many hits.
 */
export const LONG_ROW_LANES = 64;

/** The bytes from which the workgroup of a long row copies or counts together. */
export const TOGETHER_BYTES = 64;

/** Prints a statement that runs once for a row, whatever computes the row. */
export type Once = (statement: string) => string;

/** The unchanged statement, if each row has an invocation. */
export const asItIs: Once = (statement) => statement;

/** The statement for the first invocation alone, if a workgroup computes the row. */
export const onlyFirst: Once = (statement) => `if (invocation == 0u) { ${statement} }`;
