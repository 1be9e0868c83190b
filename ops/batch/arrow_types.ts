/**
 * Maps Arrow types to the column types of the compute layer, and to readable names.
 *
 * @module
 */

import { DataType, type Field, Precision } from "apache-arrow";
import type { ColumnType } from "../../gpu/column/column.ts";
import { isBinary, isText } from "../../streams/data/plain_schema.ts";
import { typeName as plainName } from "../../streams/types/type_name.ts";

export { isBinary, isText };

/**
 * Returns the column type for an Arrow type. Dates, times, timestamps and durations become their
 * integers, dictionary-encoded columns their indices, and decimals and other fixed-width values
 * `fixed`. Binary is stored like `string`, as offsets and bytes; fixed-size lists become lists, and
 * Null becomes a struct without fields.
 *
 * Throws a TypeError that names the type if the compute layer does not support it. The result is
 * cached for each type object, since batches have many types but few distinct objects.
 */
export function columnTypeOf(type: DataType): ColumnType {
  let known = columnTypes.get(type);
  if (known === undefined) columnTypes.set(type, known = newColumnType(type));
  return known;
}

/** Like `columnTypeOf`, for a column, which the TypeError names. */
export function columnTypeIn({ name, type }: Pick<Field, "name" | "type">): ColumnType {
  try {
    return columnTypeOf(type);
  } catch (cause) {
    const problem = `Column ${name} is ${typeName(type)}, which only passes unchanged`;
    throw new TypeError(`${problem}; drop it before this step`, { cause });
  }
}

const columnTypes = new WeakMap<DataType, ColumnType>();

function newColumnType(type: DataType): ColumnType {
  if (DataType.isBool(type)) return { kind: "bool" };
  if (DataType.isInt(type)) {
    return { kind: "int", bits: type.bitWidth, signed: type.isSigned };
  }
  if (DataType.isFloat(type)) return { kind: "float", bits: floatBits(type.precision) };
  if (isText(type) || isBinary(type)) return { kind: "string" };
  if (DataType.isDictionary(type)) return columnTypeOf(type.indices);
  if (DataType.isDate(type)) return integerOf(type.unit === 0 ? 32 : 64);
  if (DataType.isTime(type)) return integerOf(type.bitWidth);
  if (DataType.isTimestamp(type) || DataType.isDuration(type)) return integerOf(64);
  if (DataType.isInterval(type)) {
    const bytes = [4, 8, 16][type.unit];
    if (bytes === 4) return integerOf(32);
    if (bytes !== undefined) return { kind: "fixed", byteWidth: bytes };
  }
  if (DataType.isDecimal(type)) return { kind: "fixed", byteWidth: type.bitWidth / 8 };
  if (DataType.isFixedSizeBinary(type)) return { kind: "fixed", byteWidth: type.byteWidth };
  if (DataType.isNull(type)) return { kind: "struct", fields: [] };
  if (DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type)) {
    return { kind: "list", item: columnTypeOf(type.valueType) };
  }
  if (DataType.isMap(type)) return { kind: "list", item: columnTypeOf(type.childType) };
  if (DataType.isStruct(type)) {
    return { kind: "struct", fields: type.children.map((field) => columnTypeOf(field.type)) };
  }
  throw new TypeError(`Columns of type ${typeName(type)} are not supported`);
}

/**
 * Returns the readable name of an Arrow type: `string`, `int64`, `timestamp[us, Europe/Berlin]`.
 */
export function typeName(type: DataType): string {
  return plainName(type, "plain");
}

function integerOf(bits: 32 | 64): ColumnType {
  return { kind: "int", bits, signed: true };
}

function floatBits(precision: Precision): 16 | 32 | 64 {
  if (precision === Precision.HALF) return 16;
  return precision === Precision.SINGLE ? 32 : 64;
}
