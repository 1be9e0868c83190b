/**
 * The errors that the package exports, and how a program tells them apart.
 *
 * @module
 */

import type { DeviceError, DifferenceError } from "./device_error.ts";
import type { ExprError, KernelError } from "./expr_error.ts";
import type { FileError } from "./file_error.ts";
import { isSluiceError as isAnyError } from "./is_sluice_error.ts";
import type { StepError } from "./step_error.ts";
import type { ArithmeticError, ConversionError, OverflowError, Utf8Error } from "./value_error.ts";

/** Every error class that the package exports. The name of each is its tag. */
export type SluiceError =
  | ArithmeticError
  | ConversionError
  | DeviceError
  | DifferenceError
  | ExprError
  | FileError
  | KernelError
  | OverflowError
  | StepError
  | Utf8Error;

/**
 * Whether an error is of one of the given classes. It compares names, so unlike `instanceof` it also
 * recognizes errors of another copy of Sluice, such as one that a plugin imports.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { expr, fromBatches, isSluiceError, toTable, withColumns } from "../../mod.ts";
 *
 * const stream = fromBatches(tableFromArrays({ age: ["36", "n/a"] }))
 *   .pipeThrough(withColumns({ age: expr("age.toInteger({ strict: true })") }));
 * try {
 *   await toTable(stream);
 * } catch (error) {
 *   if (!isSluiceError(error, "StepError")) throw error;
 *   assertEquals([error.operator, error.row], ["withColumns", 1]);
 *   assertEquals(isSluiceError(error.cause, "ConversionError", "OverflowError"), true);
 * }
 * ```
 */
export function isSluiceError<Tag extends SluiceError["name"]>(
  error: unknown,
  ...tags: [Tag, ...Tag[]]
): error is Extract<SluiceError, { readonly name: Tag }> {
  return isAnyError(error, ...tags);
}
