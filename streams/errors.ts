/**
 * Errors of sources and sinks.
 *
 * @module
 */

import { showControls } from "../base/show_controls.ts";
import { nameOfPath } from "../base/url.ts";

/** Where in a file an error is, as far as known. */
export interface FileErrorPlace extends ErrorOptions {
  /** Row of the file, counted from 0 as by `slice`, without the header of a text file. */
  readonly row?: number;
  /** Name of the column. */
  readonly column?: string;
}

/**
 * A file that cannot be read or written. The message is one line and begins with its name.
 *
 * @example
 * ```ts
 * import { assertEquals, assertRejects } from "@std/assert";
 * import { FileError, read, toTable } from "../mod.ts";
 *
 * const error = await assertRejects(() => toTable(read("missing.csv")), FileError);
 * assertEquals(error.message, "missing.csv: no such file");
 * ```
 */
export class FileError extends Error {
  /** Identifies the class without importing it. */
  override readonly name = "FileError";
  /** The file as the user named it. */
  readonly file: string;
  /** Row of the file, counted from 0 as by `slice`, if known. */
  readonly row: number | undefined;
  /** Name of the column, if known. */
  readonly column: string | undefined;

  /**
   * `problem` is one clause without a period. The message puts the file before it, of a URL no part
   * that may be secret, and escapes control characters, which names and values may have.
   */
  constructor(file: string, problem: string, place: FileErrorPlace = {}) {
    super(showControls(`${nameOfPath(file)}: ${problem}`), place);
    this.file = file;
    this.row = place.row;
    this.column = place.column;
  }
}

/** A value that a file cannot hold. The message names its row and its column. */
class CellError extends Error {
  override readonly name = "CellError";
  readonly row: number;
  readonly column: string;

  /** `problem` is one clause without a period. */
  constructor(problem: string, { row, column, cause }: Required<FileErrorPlace>) {
    super(`row ${row}, column ${column}: ${problem}`, { cause });
    this.row = row;
    this.column = column;
  }
}

/** Adds its place to the RangeError of a value; other causes stay as they are. */
export function cellError(cause: unknown, row: number, column: string): unknown {
  return cause instanceof RangeError ? new CellError(cause.message, { row, column, cause }) : cause;
}

/** Wraps any cause in a FileError; a FileError stays as it is. */
export function toFileError(file: string, cause: unknown): FileError {
  if (cause instanceof CellError) {
    const { message, row, column } = cause;
    return new FileError(file, message, { row, column, cause });
  }
  return cause instanceof FileError ? cause : new FileError(file, describe(cause), { cause });
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
