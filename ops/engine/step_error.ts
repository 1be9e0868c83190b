/**
 * An error of one step of a pipeline.
 *
 * @module
 */

import { showControls } from "../../base/show_controls.ts";

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
  /** Tells the class without importing it. */
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
  readonly row: number;

  constructor(row: number, cause: unknown) {
    super(messageOf(cause), { cause });
    this.row = row;
  }
}

/** Runs `work` and wraps its errors in a StepError. */
export async function inStep<T>(
  step: number,
  operator: string,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw stepErrorOf(step, operator, error);
  }
}

/** Wraps an error in a StepError, unless it already names its step or file. */
export function stepErrorOf(step: number, operator: string, error: unknown): unknown {
  if (error instanceof StepError) return error;
  if (error instanceof Error && error.name === "FileError") return error;
  if (error instanceof RowError) return new StepError(step, operator, error.cause, error.row);
  return new StepError(step, operator, error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
