/** @module */

/**
 * A strict conversion met a text that it does not take.
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
  /** Tells the class without importing it. */
  override readonly name = "ConversionError";
  /** Row of the batch, counted from 0. */
  readonly row: number;

  /** The message is one clause without a period. */
  constructor(message: string, row: number, options?: ErrorOptions) {
    super(message, options);
    this.row = row;
  }
}
