/**
 * Compares, checks and decodes schemas.
 *
 * @module
 */

import { formatCount } from "../../base/quantities.ts";
import { DataType, type Field, Message, type RecordBatch, type Schema } from "apache-arrow";
import { rootTable } from "./flat_table.ts";
import { nameMaps } from "./schema_fixes.ts";
import { corrupt } from "./message.ts";
import { verifyMessage } from "./verify.ts";
import { typeName } from "../types/type_name.ts";

/**
 * Whether two types have the same values. Unlike apache-arrow's comparison, it ignores the ids of
 * dictionaries, which differ from one type object to the next, and the nullability of nested
 * fields, on which readers and writers disagree.
 */
export function sameType(left: DataType, right: DataType): boolean {
  if (left === right) return true;
  if (DataType.isDictionary(left) && DataType.isDictionary(right)) {
    return left.isOrdered === right.isOrdered && sameType(left.indices, right.indices) &&
      sameType(left.dictionary, right.dictionary);
  }
  if (left.typeId !== right.typeId || typeParameters(left) !== typeParameters(right)) return false;
  // The names of a map's fields do not affect its values.
  if (DataType.isMap(left) && DataType.isMap(right)) {
    return sameType(left.keyType, right.keyType) && sameType(left.valueType, right.valueType);
  }
  const others = right.children ?? [];
  const children = left.children ?? [];
  return children.length === others.length &&
    children.every((child, i) => sameField(child, others[i]!));
}

function sameField(left: Field, right: Field): boolean {
  return left.name === right.name && sameType(left.type, right.type);
}

/** Returns the parameters of a type besides its children, as a string. */
function typeParameters(type: DataType): string {
  const { unit, timezone, bitWidth, isSigned, precision, scale, byteWidth, listSize, mode } =
    type as unknown as Record<string, unknown>;
  const nested = (type.children ?? []).length > 0;
  // The name of a nested type includes its children, which are compared one by one.
  return [
    unit,
    timezone,
    bitWidth,
    isSigned,
    precision,
    scale,
    byteWidth,
    listSize,
    mode,
    nested ? "" : String(type),
  ].join(" ");
}

/** Throws if the columns of a batch differ from those of the first batch. */
export function checkSameColumns(expected: Schema, actual: Schema): void {
  if (expected === actual || expected.fields === actual.fields) return;
  const sameNames = expected.fields.length === actual.fields.length &&
    expected.fields.every((field, i) => field.name === actual.fields[i]!.name);
  if (!sameNames) throw new TypeError(otherNames(namesOf(expected), namesOf(actual)));
  for (const [index, field] of expected.fields.entries()) {
    const { type } = actual.fields[index]!;
    if (!sameType(field.type, type)) {
      throw new TypeError(
        `column ${field.name} is ${typeName(type)}, but ${typeName(field.type)} is expected`,
      );
    }
  }
}

/** The most names that an error lists. */
const mostNames = 8;

function namesOf({ fields }: Schema): readonly string[] {
  return fields.map(({ name }) => name);
}

/**
 * Describes how the names of columns differ: lists all of them if they are few, otherwise those
 * that differ.
 */
function otherNames(expected: readonly string[], actual: readonly string[]): string {
  if (Math.max(expected.length, actual.length) <= mostNames) {
    return `columns are ${listOf(actual)}, but ${listOf(expected)} are expected`;
  }
  const [known, found] = [new Set(expected), new Set(actual)];
  const missing = expected.filter((name) => !found.has(name));
  const others = actual.filter((name) => !known.has(name));
  const parts = [
    ...(missing.length > 0 ? [`without ${listOf(missing)}`] : []),
    ...(others.length > 0 ? [`with ${listOf(others)}`] : []),
  ];
  const [more, fewer] = [actual.length, expected.length].map(formatCount);
  const how = parts.length > 0 ? parts.join(" and ") : "in another order";
  return `columns are ${more}, but ${fewer} are expected, ${how}`;
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(", ") || "none";
  const numMore = names.length - mostNames;
  return numMore > 0 ? `${shown} and ${formatCount(numMore)} more` : shown;
}

/**
 * Throws if a column that is not nullable has nulls. Skips unions, which have no nulls of their
 * own.
 */
export function checkNulls(schema: Schema, batch: RecordBatch): void {
  for (const [index, { name, nullable, type }] of schema.fields.entries()) {
    if (nullable || DataType.isUnion(type)) continue;
    if (batch.data.children[index]!.nullCount > 0) {
      throw new TypeError(`column ${name} has nulls, but its field is not nullable`);
    }
  }
}

/** Returns the schema at the start of a stream in memory. Throws if it is corrupt. */
export function decodeSchema(stream: Uint8Array): Schema {
  const view = new DataView(stream.buffer, stream.byteOffset);
  const length = view.getInt32(4, true);
  const description = stream.subarray(8, 8 + length);
  verifyMessage(description);
  const message = Message.decode(description);
  if (!message.isSchema()) throw new Error("expected a schema");
  const schema = message.header() as Schema;
  nameMaps(schema, rootTable(description).table(2)!);
  return schema;
}

/**
 * Throws if a type in a schema has impossible parameters, which would otherwise fail far from the
 * reader. `where` is the place of the schema in the data.
 */
export function checkSchema(schema: Schema, where: string): void {
  for (const field of schema.fields) {
    if (!isValid(field.type)) {
      throw corrupt(where, `column ${field.name} is of a type that does not exist`);
    }
  }
}

function isValid(type: DataType): boolean {
  if (DataType.isDictionary(type)) {
    return DataType.isInt(type.indices) && isValid(type.indices) && isValid(type.dictionary);
  }
  const children = (type.children ?? []) as readonly (Field | undefined)[];
  return hasValidParameters(type, children) &&
    children.every((child) => child !== undefined && isValid(child.type));
}

/** More digits than any decimal has before or after its point. */
const mostDigits = 256;

function hasValidParameters(type: DataType, children: readonly (Field | undefined)[]): boolean {
  if (DataType.isInt(type)) return isOneOf([8, 16, 32, 64], type.bitWidth);
  if (DataType.isFloat(type)) return isOneOf([0, 1, 2], type.precision);
  if (DataType.isDecimal(type)) {
    const { bitWidth, scale } = type;
    return isOneOf([32, 64, 128, 256], bitWidth) && Math.abs(scale) <= mostDigits;
  }
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
