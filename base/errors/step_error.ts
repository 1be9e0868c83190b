/**
 * Errors of a step of a pipeline, and errors that name a row of its input.
 *
 * @module
 */

import { showControls } from "../show_controls.ts";

/**
 * Wraps an error of an operator with its position in the pipeline. The `cause` is the original error:
 * a TypeError for a wrong type or column, a RangeError for a value out of range, or a tagged error of
 * the device, of overflow or of text.
 *
 * @example
 * ```ts
 * import { assertEquals, assertRejects } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, select, StepError, toTable } from "../../mod.ts";
 *
 * const stream = fromBatches(tableFromArrays({ id: [1] })).pipeThrough(select("ID"));
 * const error = await assertRejects(() => toTable(stream), StepError);
 * assertEquals([error.step, error.operator, error.cause instanceof TypeError], [2, "select", true]);
 * ```
 */
export class StepError extends Error {
  /** The tag of the class: see `isSluiceError`. */
  override readonly name = "StepError";
  /** Position of the operator in the pipeline as written by the user; the source is step 1. */
  readonly step: number;
  /** Name of the operator. */
  readonly operator: string;
  /** Row of the operator's input, counted from 0, if known. */
  readonly row: number | undefined;

  /** The message is the step, the message of the cause, and the row. */
  constructor(step: number, operator: string, cause: unknown, row?: number) {
    const place = row === undefined ? "" : ` (row ${row})`;
    super(showControls(`step ${step}, ${operator}: ${messageOf(cause)}${place}`), { cause });
    this.step = step;
    this.operator = operator;
    this.row = row;
  }
}

/** Carries the row of the operator's input until the error is wrapped in a StepError. */
export class RowError extends Error {
  override readonly name = "RowError";
  readonly row: number;

  constructor(row: number, cause: unknown) {
    super(messageOf(cause), { cause });
    this.row = row;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A single row that does not exist. */
export class MissingRowError extends RangeError {
  override readonly name = "MissingRowError";
  /** Index of the pick in the request. */
  readonly pick: number;
  /** The number of rows that the pick chooses from. */
  readonly numRows: number;

  constructor(row: number, numRows: number, pick: number) {
    const there = numRows === 0
      ? "the input has no rows"
      : numRows === 1
      ? "the input has 1 row"
      : `the input has ${numRows} rows`;
    super(`There is no row ${row}: ${there}`);
    this.pick = pick;
    this.numRows = numRows;
  }
}

/** A row that is out of order. The message names the side, both values and the group. */
export class UnsortedError extends RangeError {
  override readonly name = "UnsortedError";
  /** The row of the side, counted from 0. */
  readonly row: number;

  constructor(row: number, message: string) {
    super(message);
    this.row = row;
  }
}
