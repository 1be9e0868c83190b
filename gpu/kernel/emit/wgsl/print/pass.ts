/**
 * The passes of a kernel and the rows for which one is printed.
 *
 * @module
 */

import { hasOffsets } from "../../../../column/column.ts";
import type { RowKernel } from "../../../ir/ir.ts";

/** Name of the entry point of every pass. */
export const ENTRY = "main";

/** The pass of a kernel: two for text and lists, or one for text; one for results of fixed width. */
export type Pass = "sizes" | "write" | "tiles" | "single";

/** The passes that make the result of a kernel, unless it is made tile by tile. */
export type OwnPasses = readonly ["sizes", "write"] | readonly ["single"];

/** Returns the passes of a kernel. */
export function ownPasses({ type }: Pick<RowKernel, "type">): OwnPasses {
  return hasOffsets(type) ? ["sizes", "write"] : ["single"];
}

/** The rows that a kernel computes: all, those that are not long, or the long ones. */
export type Rows = "all" | "short" | "long";

/**
 * Invocations that compute a long row. More would end a single row sooner; but each of them goes
 * through all of the code of the row, so fewer get done more rows with many hits.
 */
export const LONG_ROW_LANES = 64;

/** Bytes from which on the workgroup of a long row copies or counts together. */
export const TOGETHER_BYTES = 64;

/** Prints a statement that is run once for a row, whatever computes it. */
export type Once = (statement: string) => string;

/** The statement as it stands, where each row has an invocation. */
export const asItIs: Once = (statement) => statement;

/** The statement for the first invocation alone, where a workgroup computes the row. */
export const onlyFirst: Once = (statement) => `if (invocation == 0u) { ${statement} }`;
