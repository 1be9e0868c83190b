/** @module */

import type { RecordBatch } from "apache-arrow";

/**
 * Throws a TypeError where a value is no record batch, as programs without types may have it. Batches
 * of another copy of apache-arrow are batches too.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { checkBatch } from "./check_batch.ts";
 *
 * assertThrows(() => checkBatch("toTable()", 5), TypeError, "takes record batches, not a number");
 * ```
 */
export function checkBatch(caller: string, value: unknown): asserts value is RecordBatch {
  const { schema, data } = Object(value) as Partial<RecordBatch>;
  if (Array.isArray(schema?.fields) && Array.isArray(data?.children)) return;
  throw new TypeError(`${caller} takes record batches, not ${nameOf(value)}`);
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? "another object" : `a ${typeof value}`;
}
