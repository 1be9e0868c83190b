/**
 * Checks a schema that was read.
 *
 * @module
 */

import { DataType, type Field, type Schema } from "apache-arrow";
import { corrupt } from "./message.ts";

/**
 * Throws where a schema has two columns of one name, or a type whose parameters no column can have,
 * which would else fail somewhere behind the reader. `where` says where in the data it stands.
 */
export function checkSchema(schema: Schema, where: string): void {
  const names = new Set<string>();
  for (const field of schema.fields) {
    if (names.has(field.name)) throw new TypeError(`two columns have the name ${field.name}`);
    names.add(field.name);
    if (!isSound(field.type)) {
      throw corrupt(where, `column ${field.name} is of a type that does not exist`);
    }
  }
}

function isSound(type: DataType): boolean {
  if (DataType.isDictionary(type)) {
    return DataType.isInt(type.indices) && isSound(type.indices) && isSound(type.dictionary);
  }
  const children = (type.children ?? []) as readonly (Field | undefined)[];
  return hasSoundParameters(type, children) &&
    children.every((child) => child !== undefined && isSound(child.type));
}

function hasSoundParameters(type: DataType, children: readonly (Field | undefined)[]): boolean {
  if (DataType.isInt(type)) return isOneOf([8, 16, 32, 64], type.bitWidth);
  if (DataType.isFloat(type)) return isOneOf([0, 1, 2], type.precision);
  if (DataType.isDecimal(type)) return isOneOf([32, 64, 128, 256], type.bitWidth);
  if (DataType.isDate(type)) return isOneOf([0, 1], type.unit);
  if (DataType.isTime(type)) return type.bitWidth === [32, 32, 64, 64][type.unit];
  if (DataType.isTimestamp(type) || DataType.isDuration(type)) {
    return isOneOf([0, 1, 2, 3], type.unit);
  }
  if (DataType.isInterval(type)) return isOneOf([0, 1, 2], type.unit);
  if (DataType.isFixedSizeBinary(type)) return type.byteWidth >= 0;
  if (DataType.isFixedSizeList(type)) return type.listSize >= 0 && children.length === 1;
  if (DataType.isMap(type)) {
    const entries = children[0]?.type;
    return children.length === 1 && DataType.isStruct(entries) && entries.children.length === 2;
  }
  if (DataType.isUnion(type)) {
    const { mode, typeIds } = type as { mode: number; typeIds: ArrayLike<number> };
    const ids = Array.from(typeIds);
    return isOneOf([0, 1], mode) && ids.length === children.length &&
      new Set(ids).size === ids.length && ids.every((id) => id >= 0 && id < 128);
  }
  const isList = DataType.isList(type) || DataType.isLargeList(type);
  return isList ? children.length === 1 : true;
}

function isOneOf(allowed: readonly number[], value: number): boolean {
  return allowed.includes(value);
}
