/** @module */

import { DataType, IntervalUnit, type Schema } from "apache-arrow";

/**
 * Refuses types that Parquet, or parquet-wasm, has no room for: at these the module gives up
 * without a word. The TypeError names the column.
 */
export function checkParquetTypes(schema: Schema): void {
  if (schema.fields.length === 0) throw new TypeError("has no columns, which Parquet cannot hold");
  for (const { name, type } of schema.fields) {
    const culprit = unsupportedType(type);
    if (culprit === undefined) continue;
    throw new TypeError(`column ${name} is ${culprit}, which Parquet cannot hold`);
  }
}

function unsupportedType(type: DataType): DataType | undefined {
  if (DataType.isUnion(type)) return type;
  if (DataType.isInterval(type) && type.unit === IntervalUnit.MONTH_DAY_NANO) return type;
  if (DataType.isStruct(type) && type.children.length === 0) return type;
  const nested = DataType.isDictionary(type)
    ? [type.dictionary]
    : (type.children ?? []).map((child) => child.type);
  for (const child of nested) {
    const culprit = unsupportedType(child);
    if (culprit !== undefined) return culprit;
  }
  return undefined;
}
