/**
 * The result of an operation that keeps the type of the time it is called on.
 *
 * @module
 */

import type { DataType } from "apache-arrow";

/** The fields of an overload that returns 64 bits of the type of its receiver. */
export const SAME_TYPE = { returns: "i64", gives: (on: DataType): DataType => on } as const;
