/**
 * An error of one step of a pipeline.
 *
 * @module
 */

/**
 * Wraps what went wrong in an operator with its place in the pipeline. The `cause` is the error
 * itself: a TypeError for a wrong type or column, a RangeError for a value out of range, or one of
 * the tagged errors of the device, of overflow and of text.
 */
export class StepError extends Error {
  override readonly name = "StepError";
  /** Place of the operator in the pipeline as the user wrote it; the source is step 1. */
  readonly step: number;
  /** Name of the operator. */
  readonly operator: string;
  /** Row of the operator's input, counted from 0, where it is known. */
  readonly row: number | undefined;

  constructor(step: number, operator: string, cause: unknown, rowsBefore = 0) {
    const row = rowOf(cause);
    const place = row === undefined ? "" : ` (row ${rowsBefore + row})`;
    super(`step ${step}, ${operator}: ${messageOf(cause)}${place}`, { cause });
    this.step = step;
    this.operator = operator;
    this.row = row === undefined ? undefined : rowsBefore + row;
  }
}

/** Runs `work` and wraps what it throws, unless a step already did. */
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

/** The error of a step; one that names its step (or its file) already stays as it is. */
export function stepErrorOf(
  step: number,
  operator: string,
  error: unknown,
  rowsBefore = 0,
): unknown {
  if (error instanceof StepError) return error;
  if (error instanceof Error && error.name === "FileError") return error;
  return new StepError(step, operator, error, rowsBefore);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function rowOf(error: unknown): number | undefined {
  const row = (error as { row?: unknown } | null)?.row;
  return typeof row === "number" ? row : undefined;
}
