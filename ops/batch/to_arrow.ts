/**
 * Converts host columns to Arrow data without a copy.
 *
 * @module
 */

import {
  type Data,
  DataType,
  FixedSizeList,
  LargeBinary,
  LargeUtf8,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
} from "apache-arrow";
import type { HostColumn, Offsets } from "../../gpu/column/column.ts";
import { gatherColumn } from "../../gpu/column/gather.ts";
import { isWide } from "../../gpu/column/offsets.ts";
import { sliceColumn } from "../../gpu/column/slice.ts";
import { mapType } from "../../streams/data/arrow_data.ts";

/**
 * Converts a host column to Arrow data of a plain type, which shares its buffers. Text with 64-bit
 * offsets, also nested, gets the large type instead.
 */
export function toArrow(column: HostColumn, type: DataType): Data {
  const { length, nullCount } = column;
  const base = { length, nullCount, nullBitmap: column.validity };
  if (DataType.isNull(type)) return makeData({ type, length });
  if (DataType.isUtf8(type) || DataType.isBinary(type)) return textData(column, type);
  if (DataType.isList(type) || DataType.isMap(type)) {
    const child = toArrow(column.children[0]!, type.children[0]!.type);
    const listType = withChildren(type, [child]);
    // deno-lint-ignore no-explicit-any -- a map is built as the list that it is
    return makeData({ ...base, type: listType as any, valueOffsets: column.offsets!, child });
  }
  if (DataType.isFixedSizeList(type)) {
    const child = toArrow(itemsOfSize(column, type.listSize), type.children[0]!.type);
    return makeData({ ...base, type: withChildren(type, [child]), child });
  }
  if (DataType.isStruct(type)) {
    const children = column.children.map((child, index) =>
      toArrow(child, type.children[index]!.type)
    );
    return makeData({ ...base, type: withChildren(type, children), children });
  }
  return makeData({ ...base, type, data: fixedValues(column.data, type) } as never);
}

function textData(
  { length, nullCount, validity, offsets, data }: HostColumn,
  type: DataType,
): Data {
  const base = { length, nullCount, nullBitmap: validity, data };
  if (!isWide(offsets!)) return makeData({ ...base, type, valueOffsets: offsets } as never);
  const large = DataType.isUtf8(type) ? new LargeUtf8() : new LargeBinary();
  return makeData({ ...base, type: large, valueOffsets: largeOffsets(offsets) } as never);
}

/** Returns offsets as Arrow's 64-bit integers. */
function largeOffsets(offsets: Offsets): BigInt64Array {
  const large = new BigInt64Array(offsets.length);
  const words = new Int32Array(large.buffer);
  for (let row = 0; row < offsets.length; row++) {
    const position = offsets[row]!;
    words[2 * row] = position;
    words[2 * row + 1] = Math.floor(position / 2 ** 32);
  }
  return large;
}

/** Returns a nested type with the types of its converted children. */
function withChildren<T extends DataType>(type: T, children: readonly Data[]): T {
  if (children.every((child, index) => child.type === type.children[index]!.type)) return type;
  const fields = type.children.map((field, index) => field.clone({ type: children[index]!.type }));
  if (DataType.isStruct(type)) return new Struct(fields) as DataType as T;
  if (DataType.isMap(type)) return mapType(fields[0]!, type.keysSorted) as DataType as T;
  const [item] = fields;
  return (DataType.isFixedSizeList(type)
    ? new FixedSizeList(type.listSize, item!)
    : new List(item!)) as DataType as T;
}

/**
 * Returns a record batch. The types of its columns may be the large forms of those in the schema.
 */
export function recordBatchOf(schema: Schema, numRows: number, columns: Data[]): RecordBatch {
  const fields = schema.fields.map((field, index) => {
    const { type } = columns[index]!;
    return type === field.type ? field : field.clone({ type });
  });
  const isPlain = fields.every((field, index) => field === schema.fields[index]);
  return new RecordBatch(
    isPlain ? sharedSchema(schema) : new Schema(fields, schema.metadata),
    makeData({ type: new Struct(fields), length: numRows, nullCount: 0, children: columns }),
  );
}

/**
 * A schema that makes record batches share one schema object. Otherwise apache-arrow assigns each
 * batch its own copy, with some maps for every field, which costs more than a small batch.
 */
class SharedSchema extends Schema {
  readonly #schema: Schema;

  constructor(schema: Schema) {
    super(schema.fields, schema.metadata, schema.dictionaries, schema.metadataVersion);
    this.#schema = schema;
  }

  /**
   * apache-arrow calls this with the fields of the batch's columns, which equal those of the
   * schema.
   */
  override assign(): Schema {
    return this.#schema;
  }
}

const sharedSchemas = new WeakMap<Schema, SharedSchema>();

function sharedSchema(schema: Schema): SharedSchema {
  let shared = sharedSchemas.get(schema);
  if (shared === undefined) sharedSchemas.set(schema, shared = new SharedSchema(schema));
  return shared;
}

export function emptyRecordBatch(schema: Schema): RecordBatch {
  return recordBatchOf(schema, 0, schema.fields.map(({ type }) => emptyData(type)));
}

function emptyData(type: DataType): Data {
  const children = (type.children ?? []).map((field) => emptyData(field.type));
  return makeData({ type, length: 0, children, child: children[0] } as never);
}

/** Returns the items of fixed-size lists; null lists without items are padded with null items. */
function itemsOfSize({ length, offsets, children }: HostColumn, size: number): HostColumn {
  const items = children[0]!;
  const first = offsets![0]!;
  const isEven = offsets!.subarray(0, length + 1).every((offset, row) =>
    offset === first + row * size
  );
  if (isEven) return sliceColumn(items, first, first + length * size);
  const selection = new Int32Array(length * size).fill(-1);
  for (let row = 0; row < length; row++) {
    const start = offsets![row]!;
    if (offsets![row + 1]! === start) continue;
    for (let item = 0; item < size; item++) selection[row * size + item] = start + item;
  }
  return gatherColumn(items, selection);
}

/**
 * Returns the typed array that apache-arrow expects for a fixed-width type, over the same bytes.
 */
function fixedValues(bytes: Uint8Array, type: DataType): ArrayBufferView {
  const Values = type.ArrayType as {
    new (buffer: ArrayBufferLike, byteOffset: number, length: number): ArrayBufferView;
    BYTES_PER_ELEMENT: number;
  };
  return new Values(bytes.buffer, bytes.byteOffset, bytes.byteLength / Values.BYTES_PER_ELEMENT);
}
