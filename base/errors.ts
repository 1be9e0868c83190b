/**
 * The errors that callers tell apart. Each has a `name` that survives bundling, so that this can be done
 * without importing the class.
 *
 * @module
 */

import { showControls } from "./show_controls.ts";
import { nameOfPath } from "./url.ts";

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

/**
 * The device was lost, ran out of memory, or rejected a kernel. The stream has ended.
 *
 * @example
 * ```ts
 * import { createEngine, DeviceError } from "../mod.ts";
 *
 * const engine = createEngine({ device: "gpu" });
 * try {
 *   console.log((await engine.describe()).description);
 * } catch (error) {
 *   if (!(error instanceof DeviceError)) throw error;
 *   console.log("There is no adapter");
 * } finally {
 *   await engine.close();
 * }
 * ```
 */
export class DeviceError extends Error {
  /** Tells the class without importing it. */
  override readonly name = "DeviceError";
}

/**
 * The text of one row exceeds its limit, or that of a column in one batch needs 64-bit offsets while
 * they are disabled.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { OverflowError } from "../mod.ts";
 *
 * const error = new OverflowError("The text of row 7 ends beyond 2 GiB", 7, 2 ** 31);
 * assertEquals([error.name, error.row, error.dataBytes], ["OverflowError", 7, 2 ** 31]);
 * ```
 */
export class OverflowError extends RangeError {
  /** Tells the class without importing it. */
  override readonly name = "OverflowError";
  /** Row of the batch whose text no longer fits, counted from 0. */
  readonly row: number;
  /** Bytes of the column up to and including that row. */
  readonly dataBytes: number;
  /** Name of the column, if known. */
  readonly column: string | undefined;

  /** The message is one clause without a period. */
  constructor(
    message: string,
    row: number,
    dataBytes: number,
    options?: ErrorOptions & { readonly column?: string },
  ) {
    super(message, options);
    this.row = row;
    this.dataBytes = dataBytes;
    this.column = options?.column;
  }
}

/** Different results of two backends for the same rows. */
export interface Difference {
  /** What computed it, with its verb: `kernel upper(name) gives`, `the join gives`. */
  readonly maker: string;
  /** Index of the column in the result; undefined if only rows are counted. */
  readonly column: number | undefined;
  /** Row of the input batch, counted from 0, if known. */
  readonly row: number | undefined;
  /** Both values, truncated, or what is there instead. */
  readonly host: string;
  readonly device: string;
}

/**
 * The host and the GPU gave different results. Only the device `check` compares them. It is the cause
 * of a StepError.
 *
 * @example
 * ```ts
 * import { DifferenceError } from "../mod.ts";
 *
 * function differingRow({ cause }: Error): number | undefined {
 *   return cause instanceof DifferenceError ? cause.row : undefined;
 * }
 * ```
 */
export class DifferenceError extends Error {
  /** Tells the class without importing it. */
  override readonly name = "DifferenceError";
  /**
   * The two results.
   *
   * @internal
   */
  readonly difference: Difference;
  /** Row of the batch, counted from 0, if known. */
  readonly row: number | undefined;

  /**
   * `place` names the column.
   *
   * @internal
   */
  constructor(difference: Difference, place?: string) {
    const { maker, host, device, row } = difference;
    super(
      `${
        place === undefined ? "" : `${place}: `
      }${maker} ${host} on the host, ${device} on the device`,
    );
    this.difference = difference;
    this.row = row;
  }

  /**
   * Adds the name of the column to a DifferenceError; returns any other error unchanged.
   *
   * @internal
   */
  static in(places: readonly string[], error: unknown): unknown {
    if (!(error instanceof DifferenceError)) return error;
    const { column } = error.difference;
    return column === undefined ? error : new DifferenceError(error.difference, places[column]);
  }
}

/**
 * A row function or a kernel uses a construct that the kernel language does not support.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { checkStringOp, defineStringOp, KernelError, type Sink, type View } from "../mod.ts";
 *
 * const words = defineStringOp({
 *   name: "words",
 *   kind: "emit",
 *   row(out: Sink, text: View) {
 *     for (const word of String(text).split(" ")) console.log(out, word);
 *   },
 * });
 * assertThrows(() => checkStringOp(words), KernelError);
 * ```
 */
export class KernelError extends SyntaxError {
  /** Tells the class without importing it. */
  override readonly name = "KernelError";
}

/** The place of a value in its source. */
export interface TextOrigin {
  /** Name of the file or stream. */
  readonly source: string;
  /** Name of the column. */
  readonly column: string;
  /** Row of the source, counted from 0. */
  readonly row: number;
}

/**
 * A column of text contains invalid UTF-8.
 *
 * @example
 * ```ts
 * import { assertEquals, assertRejects } from "@std/assert";
 * import { makeData, RecordBatch, Utf8 } from "apache-arrow";
 * import { col, FileError, fromBatches, toTable, Utf8Error, withColumns } from "../mod.ts";
 *
 * const data = Uint8Array.of(0x61, 0xff);
 * const name = makeData({ type: new Utf8(), length: 2, data, valueOffsets: Int32Array.of(0, 1, 2) });
 * const upper = fromBatches(new RecordBatch({ name }))
 *   .pipeThrough(withColumns({ name: col("name").upper() }));
 * const { cause, column } = await assertRejects(() => toTable(upper), FileError);
 * assertEquals([cause instanceof Utf8Error && cause.row, column], [1, "name"]);
 * ```
 */
export class Utf8Error extends TypeError {
  /** Tells the class without importing it. */
  override readonly name = "Utf8Error";
  /** Row of the batch, counted from 0. */
  readonly row: number;
  /** The source of the text, if known. */
  readonly origin: TextOrigin | undefined;

  /** The message is one clause without a period. */
  constructor(message: string, row: number, origin?: TextOrigin) {
    super(message);
    this.row = row;
    this.origin = origin;
  }
}
