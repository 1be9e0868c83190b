/** @module */

import { DataType, type Schema } from "apache-arrow";

/** The most digits of a decimal that Arrow's types promise, which is what the module writes. */
const mostDigits = 76;

/**
 * Refuses types that Parquet, or parquet-wasm, has no room for: at these the module gives up
 * without a word. The TypeError names the column.
 */
export function checkParquetTypes(schema: Schema): void {
  if (schema.fields.length === 0) throw new TypeError("has no columns, which Parquet cannot hold");
  for (const { name, type } of schema.fields) {
    const problem = problemOf(type);
    if (problem !== undefined) throw new TypeError(`column ${name} is ${problem}`);
  }
}

/** What a type is that cannot be written, and why; undefined where it can. */
function problemOf(type: DataType): string | undefined {
  const isEmpty = DataType.isStruct(type) && type.children.length === 0;
  if (DataType.isUnion(type) || isEmpty) return `${type}, which Parquet cannot hold`;
  if (DataType.isDecimal(type)) {
    const { precision, scale } = type;
    if (scale < 0) return `a decimal of scale ${scale}, and Parquet has no negative scale`;
    if (scale > precision) {
      return `a decimal of ${precision} digits and scale ${scale}, and Parquet's have no more scale than digits`;
    }
    if (precision > mostDigits) return `a decimal of more than ${mostDigits} digits`;
  }
  const nested = DataType.isDictionary(type)
    ? [type.dictionary]
    : (type.children ?? []).map((child) => child.type);
  for (const child of nested) {
    const problem = problemOf(child);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
