/** @module */

import { OverflowError } from "../errors.ts";

/**
 * What a kernel writes for the rows up to `row` passes the offsets of 32 bits that it writes with.
 * The rows before it fit, and those from it on may fit by themselves.
 */
export class ColumnFullError extends OverflowError {}
