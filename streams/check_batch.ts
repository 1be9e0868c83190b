/** @module */

import type { RecordBatch, Table, Vector } from "apache-arrow";

/**
 * Throws a TypeError where a value is no record batch, as programs without types may have it. Batches
 * of another copy of apache-arrow are batches too.
 */
export function checkBatch(caller: string, value: unknown): asserts value is RecordBatch {
  if (isBatch(value)) return;
  throw new TypeError(`${caller} takes record batches, not ${nameOf(value)}`);
}

/** Whether a value is a table of any copy of apache-arrow. */
export function isTable(value: unknown): value is Table {
  const { schema, batches } = Object(value) as Partial<Table>;
  return Array.isArray(schema?.fields) && Array.isArray(batches);
}

/** Whether a value is a batch of any copy of apache-arrow. */
export function isBatch(value: unknown): value is RecordBatch {
  const { schema, data } = Object(value) as Partial<RecordBatch>;
  return Array.isArray(schema?.fields) && Array.isArray(data?.children);
}

/** Whether a value is a vector of any copy of apache-arrow. */
export function isVector(value: unknown): boolean {
  const { type, data } = Object(value) as Partial<Vector>;
  return typeof type === "object" && Array.isArray(data);
}

/** What a value is, and where it may be told, what makes batches of such a thing. */
function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  if (isTable(value)) return "a table; fromBatches() takes one";
  if (isVector(value)) return "a vector; new Table({ name: vector }) makes a table of it";
  if (Array.isArray(value)) return "an array; tableFromJSON() makes a table of rows";
  const { constructor } = value as { constructor?: { name?: unknown } };
  const isPlain = constructor === undefined || constructor === Object;
  if (!isPlain) return `an object of the class ${String(constructor?.name)}`;
  return "a plain object; tableFromArrays() makes a table of columns, tableFromJSON() of rows";
}
