/** @module */

import type { HostColumn } from "../column/column.ts";
import { OverflowError } from "../errors.ts";
import type { Program } from "../kernel/tree/tree.ts";

/** What a program gives. */
export interface Evaluated {
  readonly program: Program;
  /** Its outputs. */
  readonly columns: readonly HostColumn[];
}

/**
 * What a program makes of the rows up to `row` is more than one batch should hold, though each
 * column could. The rows before it are few enough.
 */
export class BatchFullError extends OverflowError {
  /** What the program gives for the rows before `row`: they need not be computed again. */
  readonly done: Evaluated;

  constructor(message: string, row: number, dataBytes: number, done: Evaluated) {
    super(message, row, dataBytes);
    this.done = done;
  }
}
