/**
 * Wraps errors in errors that name their file, row and column, or their step.
 *
 * @module
 */

import { textOf } from "./option_text.ts";
import { CellError, FileError } from "./file_error.ts";
import { isSluiceError } from "./is_sluice_error.ts";
import { StepError } from "./step_error.ts";

/** Adds row and column to the RangeError of a value; returns any other cause unchanged. */
export function cellError(cause: unknown, row: number, column: string): unknown {
  return cause instanceof RangeError ? new CellError(cause.message, { row, column, cause }) : cause;
}

/** Wraps a cause in a FileError; returns a FileError unchanged. */
export function toFileError(file: string, cause: unknown): FileError {
  if (isSluiceError(cause, "CellError")) {
    const { message, row, column } = cause;
    return new FileError(file, message, { row, column, cause });
  }
  if (isSluiceError(cause, "FileError")) return cause;
  return FileError.naming(file, textOf(cause) ?? [describe(cause)], { cause });
}

/** Runs synchronous work on a file. Throws its error as a FileError. */
export function inFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFileError(file, error);
  }
}

/** The runtime's message for a system error. */
const systemError = /^(.+) \(os error \d+\)/;

function describe(cause: unknown): string {
  if (cause instanceof Deno.errors.NotFound) return "no such file";
  if (cause instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (cause instanceof Deno.errors.IsADirectory) return "is a folder, not a file";
  if (cause instanceof Deno.errors.NotADirectory) return "a part of its path is not a folder";
  if (!(cause instanceof Error)) return oneLine(String(cause));
  const [, problem] = systemError.exec(cause.message) ?? [];
  if (problem !== undefined) return problem.charAt(0).toLowerCase() + problem.slice(1);
  return oneLine(cause.message);
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line === "" ? "unknown error" : line.replace(/\.$/, "");
}

/** Runs a part of a step. If it fails, throws or rejects with what `wrap` returns for its error. */
export function inStep<T>(work: () => T, wrap: (error: unknown) => unknown): T {
  const fail = (error: unknown): never => {
    throw wrap(error);
  };
  try {
    const result = work();
    return result instanceof Promise ? result.catch(fail) as T : result;
  } catch (error) {
    return fail(error);
  }
}

/** Wraps an error in a StepError, unless it already names its step or file. */
export function stepErrorOf(step: number, operator: string, error: unknown): unknown {
  if (isSluiceError(error, "StepError", "FileError")) return error;
  if (isSluiceError(error, "RowError")) {
    return new StepError(step, operator, error.cause, error.row);
  }
  return new StepError(step, operator, error);
}
