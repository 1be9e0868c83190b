/**
 * One schema for batches whose text has 32-bit offsets in some and 64-bit offsets in others.
 *
 * @module
 */

import {
  DataType,
  type Field,
  LargeBinary,
  LargeUtf8,
  type RecordBatch,
  Schema,
} from "apache-arrow";
import { nestedType } from "./offset_type.ts";
import { withSchema } from "./with_schema.ts";

/**
 * The batches with 64-bit offsets in every column where one of them has these; a batch that has
 * them already, or needs none, stays the same object. Other differences of their schemas stay too.
 */
export function withOneSchema(batches: readonly RecordBatch[]): readonly RecordBatch[] {
  const [first, ...others] = batches.map(({ schema }) => schema);
  if (first === undefined || others.every((schema) => schema === first)) return batches;
  const widest = others.reduce(asWideSchema, first);
  return batches.map((batch) => {
    const schema = asWideSchema(batch.schema, widest);
    return schema === batch.schema ? batch : withSchema(batch, schema);
  });
}

function asWideSchema(schema: Schema, other: Schema): Schema {
  const fields = asWideFields(schema.fields, other.fields);
  return fields === schema.fields ? schema : new Schema(fields, schema.metadata);
}

function asWideFields(fields: Field[], others: readonly Field[]): Field[] {
  const wide = fields.map((field, index) => {
    const other = others[index];
    const type = other === undefined ? field.type : asWide(field.type, other.type);
    return type === field.type ? field : field.clone({ type });
  });
  return wide.every((field, index) => field === fields[index]) ? fields : wide;
}

/** The type with 64-bit offsets into text wherever the other one has them. */
function asWide(type: DataType, other: DataType): DataType {
  if (DataType.isUtf8(type) && DataType.isLargeUtf8(other)) return new LargeUtf8();
  if (DataType.isBinary(type) && DataType.isLargeBinary(other)) return new LargeBinary();
  if (type.typeId !== other.typeId || !type.children?.length) return type;
  const children = asWideFields(type.children, other.children);
  return children === type.children ? type : nestedType(type, children);
}
