/**
 * Converts batches of other copies and versions of apache-arrow to this copy: the same buffers, in objects of
 * its classes, since the package checks them with `instanceof`.
 *
 * @module
 */

import {
  Binary,
  BinaryView,
  Bool,
  Data,
  DataType,
  Date_,
  Decimal,
  Dictionary,
  Duration,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float,
  Int,
  Interval,
  LargeBinary,
  LargeList,
  LargeUtf8,
  List,
  Map_,
  Null,
  RecordBatch,
  Schema,
  Struct,
  type Table,
  Time,
  Timestamp,
  Type,
  Union,
  Utf8,
  Utf8View,
  Vector,
} from "apache-arrow";
import { typeName } from "./type_name.ts";

/**
 * Converts a batch; one of this copy stays the same object. Throws a TypeError that names the caller if the
 * value is not a batch.
 */
export function ownBatch(caller: string, batch: unknown): RecordBatch {
  if (batch instanceof RecordBatch) return batch;
  checkBatch(caller, batch);
  const { schema, data, metadata } = batch;
  const own = ownSchema(schema);
  const type = new Struct(own.fields);
  const children = data.children.map((child, index) => ownData(child, own.fields[index]!.type));
  return new RecordBatch(own, withBuffers(data, type, children) as Data<Struct>, metadata);
}

const schemas = new WeakMap<Schema, Schema>();

/** Converts a schema. The result is cached, so that batches of one foreign schema share it. */
export function ownSchema(schema: Schema): Schema {
  if (schema instanceof Schema) return schema;
  let own = schemas.get(schema);
  if (own === undefined) {
    const { fields, metadata } = schema as Schema;
    schemas.set(schema, own = new Schema(fields.map(ownField), metadata));
  }
  return own;
}

function ownField({ name, type, nullable, metadata }: Field): Field {
  return new Field(name, ownType(type), nullable, metadata);
}

/** Any type of any version. */
// deno-lint-ignore no-explicit-any -- the classes of another copy have no type here
type AnyType = any;

function ownType(type: AnyType): DataType {
  if (type instanceof DataType) return type;
  const children = (): Field[] => type.children.map(ownField);
  switch (type.typeId as Type) {
    case Type.Null:
      return new Null();
    case Type.Int:
      return new Int(type.isSigned, type.bitWidth);
    case Type.Float:
      return new Float(type.precision);
    case Type.Binary:
      return new Binary();
    case Type.LargeBinary:
      return new LargeBinary();
    case Type.BinaryView:
      return new BinaryView();
    case Type.Utf8:
      return new Utf8();
    case Type.LargeUtf8:
      return new LargeUtf8();
    case Type.Utf8View:
      return new Utf8View();
    case Type.Bool:
      return new Bool();
    case Type.Decimal:
      return new Decimal(type.scale, type.precision, type.bitWidth);
    case Type.Date:
      return new Date_(type.unit);
    case Type.Time:
      return new Time(type.unit, type.bitWidth);
    case Type.Timestamp:
      return new Timestamp(type.unit, type.timezone);
    case Type.Interval:
      return new Interval(type.unit);
    case Type.Duration:
      return new Duration(type.unit);
    case Type.List:
      return new List(children()[0]!);
    case Type.LargeList:
      return new LargeList(children()[0]!);
    case Type.FixedSizeList:
      return new FixedSizeList(type.listSize, children()[0]!);
    case Type.Struct:
      return new Struct(children());
    case Type.Map:
      return new Map_(children()[0] as AnyType, type.keysSorted);
    case Type.Union:
      return new Union(type.mode, type.typeIds, children());
    case Type.FixedSizeBinary:
      return new FixedSizeBinary(type.byteWidth);
    case Type.Dictionary:
      return new Dictionary(
        ownType(type.dictionary),
        ownType(type.indices) as AnyType,
        Number(type.id),
        type.isOrdered,
      );
    default:
      throw new TypeError(
        `Columns of type ${typeName(type)} of another apache-arrow are not supported`,
      );
  }
}

const dictionaries = new WeakMap<Vector, Vector>();

function ownData(data: Data, type: DataType): Data {
  if (data instanceof Data) return data;
  const { children, dictionary } = data as Data;
  const own = children.map((child, index) => ownData(child, type.children[index]!.type));
  return withBuffers(data, type, own, dictionary && ownDictionary(dictionary, type as Dictionary));
}

/** Cached, so that batches that share a dictionary still do. */
function ownDictionary(vector: Vector, { dictionary }: Dictionary): Vector {
  let own = dictionaries.get(vector);
  if (own === undefined) {
    own = new Vector(vector.data.map((chunk) => ownData(chunk, dictionary)));
    dictionaries.set(vector, own);
  }
  return own;
}

function withBuffers(data: Data, type: DataType, children: Data[], dictionary?: Vector): Data {
  const { offset, length, valueOffsets, values, nullBitmap, typeIds } = data;
  const buffers = [valueOffsets, valuesOf(values, type), nullBitmap, typeIds];
  // The count of nulls may be missing; it is computed lazily.
  const { _nullCount = -1, variadicBuffers = [] } = data as AnyType;
  const own: AnyType = Data;
  return new own(type, offset, length, _nullCount, buffers, children, dictionary, variadicBuffers);
}

/** Returns the same bytes as the typed array that this version uses for the type. */
function valuesOf(values: AnyType, type: DataType): AnyType {
  const { ArrayType } = DataType.isDictionary(type) ? type.indices : type as AnyType;
  const isKnown = !ArrayBuffer.isView(values) || typeof ArrayType?.BYTES_PER_ELEMENT !== "number";
  if (isKnown || values instanceof ArrayType) return values;
  const { buffer, byteOffset, byteLength } = values;
  const width = ArrayType.BYTES_PER_ELEMENT;
  return byteOffset % width === 0
    ? new ArrayType(buffer, byteOffset, byteLength / width)
    : new ArrayType(buffer.slice(byteOffset, byteOffset + byteLength));
}

/**
 * Throws a TypeError if a value is not a record batch, which untyped programs may pass. Batches of other
 * copies of apache-arrow are accepted.
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

/** Describes a value for an error, with a hint on how to make batches of it. */
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
