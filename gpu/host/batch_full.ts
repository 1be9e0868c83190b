/** @module */

import { OverflowError } from "../errors.ts";

/**
 * What a program makes of the rows up to `row` is more than one batch should hold, though each
 * column could. The rows before it are few enough.
 */
export class BatchFullError extends OverflowError {}
