/**
 * The common schema of sources that are read one after the other.
 *
 * @module
 */

import { typeRemedy } from "../../base/errors/option_text.ts";
import { DataType, Field, makeData, RecordBatch, Schema, Struct } from "apache-arrow";
import { checkSameColumns, sameType } from "../data/arrow_data.ts";
import { arrayKey } from "../types/array_key.ts";
import { FileError } from "../../base/errors/file_error.ts";
import { toFileError } from "../../base/errors/wrap_error.ts";
import { hasJsonMark } from "../data/extension_type.ts";
import { plainSchema, plainType } from "../data/plain_schema.ts";
import type { Source } from "../plan/source.ts";

/** The type that takes any value of a text format. */
export type WidestType = "string" | "json";

/**
 * Returns the common schema of the sources so far and another one, in the order of the first.
 * Throws if their columns differ by more than their order. The error names the other source and, if
 * types were guessed (then there is a `widest` type), a type to declare.
 */
export function commonSchema(
  common: Schema,
  schema: Schema,
  name: string,
  widest: WidestType | undefined,
): Schema {
  const ordered = inOrderOf(common, schema);
  const [expected, actual] = [plainSchema(common), plainSchema(ordered)];
  try {
    checkSameColumns(expected, actual);
    checkSameMarks(common, ordered);
  } catch (cause) {
    const error = toFileError(name, cause);
    const column = differing(expected, actual);
    if (column === undefined || widest === undefined) throw error;
    const other = actual.fields.find((field) => field.name === column.name)!;
    const type = isNumber(column) && isNumber(other) ? "float64" : widest;
    const problem = [(cause as Error).message, ...typeRemedy(column.name, type)];
    throw FileError.naming(name, problem, { column: column.name, cause });
  }
  return commonFields(common, ordered);
}

/**
 * Gives a column without any value the type that it has in the first source with values, and makes
 * its own source read it so from now on. Returns the new schemas.
 */
export function withTypesOfOthers(
  sources: readonly Source[],
  schemas: readonly (Schema | undefined)[],
): readonly (Schema | undefined)[] {
  const untyped = sources.map((source) => source.untyped?.names ?? new Set<string>());
  if (untyped.every(({ size }) => size === 0)) return schemas;
  const typed = new Map<string, Field>();
  for (const [index, schema] of schemas.entries()) {
    for (const field of schema?.fields ?? []) {
      if (!untyped[index]!.has(field.name) && !typed.has(field.name)) typed.set(field.name, field);
    }
  }
  return schemas.map((schema, index) => {
    if (schema === undefined || untyped[index]!.size === 0) return schema;
    const fields = schema.fields.map((field) => {
      const other = untyped[index]!.has(field.name) ? typed.get(field.name) : undefined;
      const isAdopted = other !== undefined && sources[index]!.untyped!.adopt(other);
      return isAdopted ? new Field(field.name, other.type, true, other.metadata) : field;
    });
    return new Schema(fields, schema.metadata);
  });
}

/**
 * Returns a schema in the column order of `first`, if both have the same columns; otherwise
 * unchanged.
 */
function inOrderOf(first: Schema, schema: Schema): Schema {
  const fields = first.fields.flatMap(({ name }) =>
    schema.fields.find((own) => own.name === name) ?? []
  );
  const isSame = fields.length === schema.fields.length && fields.length === first.fields.length;
  return isSame ? new Schema(fields, schema.metadata) : schema;
}

/** Returns the first column whose type differs, if all names are the same. */
function differing(expected: Schema, actual: Schema): Field | undefined {
  const pairs = expected.fields.map((field, index) => [field, actual.fields[index]] as const);
  if (pairs.some(([field, other]) => field.name !== other?.name)) return undefined;
  return pairs.find(([field, other]) => !sameType(field.type, other!.type))?.[0];
}

function isNumber({ type }: Field): boolean {
  return DataType.isInt(type) || DataType.isFloat(type);
}

/**
 * Throws if only one schema marks a column as JSON, since text would then be read as JSON or JSON
 * as text. Also throws if chunks belong to different arrays.
 */
function checkSameMarks(expected: Schema, actual: Schema): void {
  for (const [index, field] of expected.fields.entries()) {
    const other = actual.fields[index]!;
    if (field.metadata.get(arrayKey) !== other.metadata.get(arrayKey)) {
      throw new TypeError(`column ${field.name} has chunks of another array`);
    }
    const isJson = hasJsonMark(field);
    if (isJson === hasJsonMark(other)) continue;
    const [found, wanted] = isJson ? ["text", "JSON"] : ["JSON", "text"];
    const cure = `give it the type "json" in types`;
    throw new TypeError(`column ${field.name} is ${found}, but ${wanted} is expected; ${cure}`);
  }
}

/** Returns a schema that fits both, with plain types where layouts differ. */
function commonFields(left: Schema, right: Schema): Schema {
  const fields = left.fields.map((field, index) => {
    const other = right.fields[index]!;
    const type = sameType(field.type, other.type) ? field.type : plainType(field.type);
    const nullable = field.nullable || other.nullable;
    const isSame = type === field.type && nullable === field.nullable;
    return isSame ? field : new Field(field.name, type, nullable, field.metadata);
  });
  return new Schema(fields, left.metadata);
}

/**
 * Returns a batch with the fields of a schema, in its order; columns keep their own layout. The
 * batch must have the same columns in any order.
 */
export function withFieldsOf(schema: Schema, batch: RecordBatch): RecordBatch {
  const indices = schema.fields.map(({ name }, index) =>
    batch.schema.fields[index]!.name === name
      ? index
      : batch.schema.fields.findIndex((field) => field.name === name)
  );
  const fields = schema.fields.map((field, index) => {
    const { type } = batch.schema.fields[indices[index]!]!;
    return sameType(field.type, type) ? field : field.clone({ type });
  });
  const own = fields.every((field, index) => field === schema.fields[index])
    ? schema
    : new Schema(fields, schema.metadata);
  if (indices.every((from, to) => from === to)) {
    return new RecordBatch(own, batch.data, batch.metadata);
  }
  const children = indices.map((index) => batch.data.children[index]!);
  const { length } = batch.data;
  const data = makeData({ type: new Struct(fields), length, nullCount: 0, children });
  return new RecordBatch(own, data, batch.metadata);
}
