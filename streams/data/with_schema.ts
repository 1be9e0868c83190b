/**
 * Converts batches and columns to another width of offsets.
 *
 * @module
 */

import {
  type Data,
  DataType,
  type Field,
  LargeBinary,
  LargeUtf8,
  makeData,
  RecordBatch,
  Schema,
  Struct,
} from "apache-arrow";
import { layoutOf } from "./arrow_data.ts";
import { nestedType } from "./offset_type.ts";

type Offsets = Int32Array | BigInt64Array;

/**
 * Converts a column to a type that differs only in the width of offsets (see `offsetType`). The
 * result shares the bytes of the text. Narrowed offsets count from the first byte of the column's
 * rows, which must span less than 2^31 bytes.
 */
function withOffsets(data: Data, type: DataType): Data {
  if (data.type === type) return data;
  const layout = layoutOf(type);
  switch (layout) {
    case "bytes32":
    case "bytes64": {
      if (layoutOf(data.type) === layout) return rebuilt(data, type, {});
      return layout === "bytes32" ? narrowed(data, type) : widened(data, type);
    }
    case "list32":
    case "list64":
      return listOf(data, type);
    case "fixed_list": {
      const { listSize } = type as unknown as { listSize: number };
      return rebuilt(data, type, { child: childOf(data, type, 0, 0, data.length * listSize) });
    }
    case "struct": {
      const children = type.children.map((_, i) => childOf(data, type, i, 0, data.length));
      return rebuilt(data, type, { children });
    }
    default:
      return data;
  }
}

/** Converts rows of a child, which apache-arrow omits in an empty batch. */
function childOf(data: Data, type: DataType, index: number, start: number, length: number): Data {
  const childType = type.children[index]!.type;
  const child = data.children[index];
  if (child === undefined) return makeData({ type: childType, length: 0 } as never);
  const isWhole = start === 0 && child.length === length;
  return withOffsets(isWhole ? child : child.slice(start, length), childType);
}

function narrowed(data: Data, type: DataType): Data {
  const { offsets, first, last } = offsetsOf(data);
  const valueOffsets = new Int32Array(data.length + 1);
  for (let i = 1; i < offsets.length; i++) valueOffsets[i] = Number(offsets[i]) - first;
  const bytes = data.values as Uint8Array | undefined;
  return rebuilt(data, type, { valueOffsets, data: bytes?.subarray(first, last) });
}

function widened(data: Data, type: DataType): Data {
  const { offsets } = offsetsOf(data);
  const valueOffsets = new BigInt64Array(data.length + 1);
  for (let i = 0; i < offsets.length; i++) valueOffsets[i] = BigInt(offsets[i]!);
  return rebuilt(data, type, { valueOffsets, data: data.values });
}

/** Converts lists. A slice of lists keeps all values; those outside its rows are dropped. */
function listOf(data: Data, type: DataType): Data {
  const { offsets, first, last } = offsetsOf(data);
  const valueOffsets = first === 0
    ? offsets
    : offsets instanceof BigInt64Array
    ? offsets.map((offset) => offset - BigInt(first))
    : offsets.map((offset) => offset - first);
  return rebuilt(data, type, { valueOffsets, child: childOf(data, type, 0, first, last - first) });
}

/**
 * Returns exactly `length + 1` offsets, or none in an empty column, and the range that they span.
 */
function offsetsOf(data: Data): { offsets: Offsets; first: number; last: number } {
  const given = data.valueOffsets as Offsets | undefined;
  const offsets = given === undefined ? new Int32Array(0) : given.subarray(0, data.length + 1);
  const at = (index: number) => Number(offsets[index] ?? 0);
  return { offsets, first: at(0), last: at(data.length) };
}

/** Returns the column with the same rows and validity, and other content. */
function rebuilt(data: Data, type: DataType, content: Record<string, unknown>): Data {
  const { length, offset, nullCount, nullBitmap } = data;
  const { valueOffsets, values } = data;
  const validity = nullCount > 0 ? { offset, nullCount, nullBitmap } : { nullCount: 0 };
  return makeData({ type, length, valueOffsets, data: values, ...validity, ...content } as never);
}

/** Converts a batch to a schema that differs only in the width of offsets. */
export function withSchema(batch: RecordBatch, schema: Schema): RecordBatch {
  const { length, children } = batch.data;
  const columns = children.map((data, index) => withOffsets(data, schema.fields[index]!.type));
  const type = new Struct(schema.fields);
  const data = makeData({ type, length, nullCount: 0, children: columns });
  return new RecordBatch(schema, data, batch.metadata);
}

/**
 * Converts batches so that a column has 64-bit offsets in all of them if it has them in any. A
 * batch that already fits stays the same object. Other differences between the schemas stay.
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

/** Returns the type with 64-bit offsets wherever the other one has them. */
function asWide(type: DataType, other: DataType): DataType {
  if (DataType.isUtf8(type) && DataType.isLargeUtf8(other)) return new LargeUtf8();
  if (DataType.isBinary(type) && DataType.isLargeBinary(other)) return new LargeBinary();
  if (type.typeId !== other.typeId || !type.children?.length) return type;
  const children = asWideFields(type.children, other.children);
  return children === type.children ? type : nestedType(type, children);
}
