/**
 * Errors about single values and rows: text that is too long or invalid, and values that a column or a
 * conversion refuses.
 *
 * @module
 */

/**
 * The text of a row exceeds its limit, or the text of a column in a batch needs 64-bit offsets while these
 * are disabled.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { OverflowError } from "../../mod.ts";
 *
 * const error = new OverflowError("The text of row 7 ends beyond 2 GiB", 7, 2 ** 31);
 * assertEquals([error.name, error.row, error.dataBytes], ["OverflowError", 7, 2 ** 31]);
 * ```
 */
export class OverflowError extends RangeError {
  /** The tag of the class: see `isSluiceError`. */
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

/** Stops the generated code of a kernel, which cannot return early; `callKernel` catches it. */
export class ColumnFullError extends RangeError {
  override readonly name = "ColumnFullError";
  /** Row whose text no longer fits, counted from 0. */
  readonly row: number;
  /** Bytes of the column up to and including that row. */
  readonly dataBytes: number;

  constructor(message: string, row: number, dataBytes: number) {
    super(message);
    this.row = row;
    this.dataBytes = dataBytes;
  }
}

/**
 * Stops the generated code of a kernel at a row that a strict call refuses. `evaluateExprs` catches it,
 * finds the first such row and throws an error that names it.
 */
export class RefusedError extends RangeError {
  override readonly name = "RefusedError";

  constructor() {
    super("A call refuses a row");
  }
}

/** The sum of a group does not fit its type; `group` catches it and names the key. */
export class GroupOverflowError extends RangeError {
  override readonly name = "GroupOverflowError";
  /** Number of the group. */
  readonly group: number;
  /** The exact sum. */
  readonly sum: bigint;

  constructor(group: number, sum: bigint) {
    super(`The sum of group ${group} is ${sum}`);
    this.group = group;
    this.sum = sum;
  }
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
 * import { col, FileError, fromBatches, toTable, Utf8Error, withColumns } from "../../mod.ts";
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
  /** The tag of the class: see `isSluiceError`. */
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

/**
 * A strict conversion refuses a value.
 *
 * @example
 * ```ts
 * import { assertEquals, assertRejects } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { col, ConversionError, fromBatches, StepError, toTable, withColumns } from "../../mod.ts";
 *
 * const stream = fromBatches(tableFromArrays({ age: ["41", "4x"] }))
 *   .pipeThrough(withColumns({ age: col("age").toInteger({ strict: true }) }));
 * const error = await assertRejects(() => toTable(stream), StepError);
 * assertEquals(error.message, 'step 2, withColumns: toInteger(age) refuses "4x" (row 1)');
 * assertEquals(error.cause instanceof ConversionError, true);
 * ```
 */
export class ConversionError extends RangeError {
  /** The tag of the class: see `isSluiceError`. */
  override readonly name = "ConversionError";
  /** Row of the batch, counted from 0. */
  readonly row: number;
  /**
   * The value for display, and its place in a file, if known.
   *
   * @internal
   */
  readonly refused: RefusedValue | undefined;

  /** The message is one clause without a period. */
  constructor(message: string, row: number, options?: ErrorOptions, refused?: RefusedValue) {
    super(message, options);
    this.row = row;
    this.refused = refused;
  }
}

/**
 * An operation on numbers has no result: it does not fit in 64 bits, or the divisor is 0. The message
 * names the operands.
 *
 * @example
 * ```ts
 * import { assertEquals, assertRejects } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { ArithmeticError, expr, fromBatches, StepError, toTable, withColumns } from "../../mod.ts";
 *
 * const stream = fromBatches(tableFromArrays({ a: Int32Array.of(4, 5), b: Int32Array.of(2, 0) }))
 *   .pipeThrough(withColumns({ rest: expr("a % b") }));
 * const error = await assertRejects(() => toTable(stream), StepError);
 * assertEquals(error.message, "step 2, withColumns: a % b: 5 % 0 has no remainder (row 1)");
 * assertEquals(error.cause instanceof ArithmeticError, true);
 * ```
 */
export class ArithmeticError extends RangeError {
  /** The tag of the class: see `isSluiceError`. */
  override readonly name = "ArithmeticError";
  /** Row of the batch, counted from 0. */
  readonly row: number;

  /** The message is one clause without a period. */
  constructor(message: string, row: number, options?: ErrorOptions) {
    super(message, options);
    this.row = row;
  }
}

/** A value that a strict conversion refuses. */
interface RefusedValue {
  readonly shown: string;
  readonly origin: TextOrigin | undefined;
}

interface ValueErrorPlace {
  readonly row?: number;
  readonly takenBy?: string;
}

/** A value that does not fit its column. */
export class ValueError extends Error {
  override readonly name = "ValueError";
  /** Row of the batch, if it is not the last row added. */
  readonly row: number | undefined;
  /** A type that accepts the value. */
  readonly takenBy: string;

  constructor(message: string, { row, takenBy = "string" }: ValueErrorPlace = {}) {
    super(message);
    this.row = row;
    this.takenBy = takenBy;
  }
}
