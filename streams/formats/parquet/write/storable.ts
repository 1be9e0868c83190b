/**
 * Converts columns to types that other readers of Parquet understand. Parquet has no unit of time
 * coarser than milliseconds: parquet-wasm writes seconds as plain integers, which only Arrow readers
 * would interpret. It cannot write intervals of months, days and nanoseconds, so these become bytes.
 *
 * @module
 */

import {
  type Data,
  DataType,
  DateUnit,
  Field,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  TimeMillisecond,
  TimestampMillisecond,
  TimeUnit,
} from "apache-arrow";
import { withoutJsonMark, withoutUuid } from "../../../data/extension_type.ts";
import { nestedType } from "../../../data/offset_type.ts";
import {
  bytesOfIntervals,
  checkSigns,
  isMonthDayNano,
  type NameValue,
  storedInterval,
  valueNamer,
} from "../metadata/twelve_byte_values.ts";
import { typeName } from "../../../types/type_name.ts";

/**
 * Returns the schema to store: seconds become milliseconds, Date64 becomes a timestamp in
 * milliseconds, and intervals of months, days and nanoseconds become bytes.
 */
export function storableSchema(schema: Schema): Schema {
  const fields = schema.fields.map(storableField);
  const same = fields.every((field, index) => field === schema.fields[index]);
  return same ? schema : new Schema(fields, schema.metadata);
}

/**
 * Converts a batch to its `storableSchema`. Throws a RangeError if a time does not fit int64
 * milliseconds, or if Parquet cannot hold an interval. The batch begins at row `firstRow` of the file.
 */
export function storableBatch(batch: RecordBatch, schema: Schema, firstRow: number): RecordBatch {
  for (const [index, data] of batch.data.children.entries()) {
    checkSigns(data, valueNamer(schema.fields[index]!.name, firstRow));
  }
  if (batch.schema === schema) return batch;
  const type = new Struct(schema.fields);
  const children = batch.data.children.map((data, i) => {
    const { name, type } = schema.fields[i]!;
    return storable(data, type, valueNamer(name, firstRow));
  });
  const data = makeData({ type, length: batch.numRows, nullCount: 0, children });
  return new RecordBatch(schema, data, batch.metadata);
}

/**
 * Returns a field to store, without the marks of UUIDs and JSON: the file has logical types for
 * them, and some readers fail on the marks in the Arrow schema.
 */
function storableField(field: Field): Field {
  const plain = withoutJsonMark(withoutUuid(field));
  const type = storableType(field.type);
  return type === field.type ? plain : new Field(field.name, type, field.nullable, plain.metadata);
}

function storableType(type: DataType): DataType {
  if (DataType.isTimestamp(type) && type.unit === TimeUnit.SECOND) {
    return new TimestampMillisecond(type.timezone);
  }
  if (DataType.isTime(type) && type.unit === TimeUnit.SECOND) return new TimeMillisecond();
  if (DataType.isDate(type) && type.unit === DateUnit.MILLISECOND) {
    return new TimestampMillisecond();
  }
  if (isMonthDayNano(type)) return storedInterval;
  const { children } = type;
  const fields = (children ?? []).map(storableField);
  if (fields.every((field, index) => field === children[index])) return type;
  return nestedType(type, fields);
}

function storable(data: Data, type: DataType, nameOf: NameValue): Data {
  const own: DataType = data.type;
  if (own === type) return data;
  if (isMonthDayNano(own)) return bytesOfIntervals(data, nameOf);
  if (DataType.isTimestamp(own)) return withValues(data, type, millisecondsOf(data));
  if (DataType.isTime(own)) {
    return withValues(data, type, (data.values as Int32Array).map((seconds) => seconds * 1000));
  }
  if (DataType.isDate(own)) return withValues(data, type, data.values as BigInt64Array);
  const children = data.children.map((child, i) =>
    storable(child, type.children[i]!.type, () => nameOf())
  );
  return data.clone(type, data.offset, data.length, data.nullCount, data.buffers, children);
}

function withValues(data: Data, type: DataType, values: Int32Array | BigInt64Array): Data {
  const { length, offset, nullCount, nullBitmap } = data;
  const validity = nullCount > 0 ? { offset, nullCount, nullBitmap } : { nullCount: 0 };
  return makeData({ type, length, data: values, ...validity } as never);
}

function millisecondsOf(data: Data): BigInt64Array {
  const seconds = data.values as BigInt64Array;
  const milliseconds = seconds.map((second) => second * 1000n);
  const isFar = (second: bigint, row: number) =>
    milliseconds[row] !== second * 1000n && data.getValid(row);
  const far = seconds.findIndex(isFar);
  if (far < 0) return milliseconds;
  throw new RangeError(`${seconds[far]} seconds do not fit in 64 bits as milliseconds`);
}

/** The most digits of a decimal in Arrow, and so in parquet-wasm. */
const mostDigits = 76;

/**
 * Throws a TypeError that names the column if Parquet or parquet-wasm does not support a type: the
 * module would fail silently.
 */
export function checkParquetTypes(schema: Schema): void {
  if (schema.fields.length === 0) {
    throw new TypeError("has no columns, but a Parquet file needs at least one");
  }
  for (const { name, type } of schema.fields) {
    const problem = problemOf(type);
    if (problem !== undefined) throw new TypeError(`column ${name} is ${problem}`);
  }
}

/** Returns the reason why a type cannot be written; undefined if it can. */
function problemOf(type: DataType): string | undefined {
  const isEmpty = DataType.isStruct(type) && type.children.length === 0;
  if (DataType.isUnion(type) || isEmpty) return `${typeName(type)}, which Parquet cannot hold`;
  if (DataType.isDecimal(type)) {
    const { precision, scale } = type;
    if (scale < 0) return `a decimal of scale ${scale}, but Parquet has no negative scales`;
    if (scale > precision) {
      return `a decimal of ${precision} digits and scale ${scale}, but in Parquet the scale cannot exceed the digits`;
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
