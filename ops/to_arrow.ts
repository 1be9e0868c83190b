/**
 * The way out: host columns as Arrow data, without a copy.
 *
 * @module
 */

import { type Data, DataType, makeData, RecordBatch, type Schema, Struct } from "apache-arrow";
import type { HostColumn } from "../gpu/column.ts";
import { gatherColumn } from "../gpu/host/gather.ts";
import { sliceColumn } from "../gpu/host/slice.ts";

/** A host column as the data of an Arrow column of a plain type; the buffers are shared. */
export function toArrow(column: HostColumn, type: DataType): Data {
  const base = {
    length: column.length,
    nullCount: column.nullCount,
    nullBitmap: column.validity,
  };
  if (DataType.isNull(type)) return makeData({ type, length: column.length });
  const text = { ...base, valueOffsets: column.offsets!, data: column.data };
  if (DataType.isUtf8(type)) return makeData({ ...text, type });
  if (DataType.isBinary(type)) return makeData({ ...text, type });
  if (DataType.isList(type) || DataType.isMap(type)) {
    const child = toArrow(column.children[0]!, type.children[0]!.type);
    // deno-lint-ignore no-explicit-any -- a map is built as the list that it is
    return makeData({ ...base, type: type as any, valueOffsets: column.offsets!, child });
  }
  if (DataType.isFixedSizeList(type)) {
    const child = toArrow(itemsOfSize(column, type.listSize), type.children[0]!.type);
    return makeData({ ...base, type, child });
  }
  if (DataType.isStruct(type)) {
    const children = column.children.map((child, index) =>
      toArrow(child, type.children[index]!.type)
    );
    return makeData({ ...base, type, children });
  }
  return makeData({ ...base, type, data: fixedValues(column.data, type) } as never);
}

/** A record batch over the data of its columns. */
export function recordBatchOf(schema: Schema, numRows: number, columns: Data[]): RecordBatch {
  const type = new Struct(schema.fields);
  return new RecordBatch(
    schema,
    makeData({ type, length: numRows, nullCount: 0, children: columns }),
  );
}

/** A record batch of a schema without rows. */
export function emptyRecordBatch(schema: Schema): RecordBatch {
  return recordBatchOf(schema, 0, schema.fields.map(({ type }) => emptyData(type)));
}

function emptyData(type: DataType): Data {
  const children = (type.children ?? []).map((field) => emptyData(field.type));
  return makeData({ type, length: 0, children, child: children[0] } as never);
}

/** The items of lists of one size; a list that lost its items, being null, gets nulls for them. */
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

/** The typed array that Arrow wants for a type of fixed width, over the same bytes. */
function fixedValues(bytes: Uint8Array, type: DataType): ArrayBufferView {
  const Values = type.ArrayType as {
    new (buffer: ArrayBufferLike, byteOffset: number, length: number): ArrayBufferView;
    BYTES_PER_ELEMENT: number;
  };
  return new Values(bytes.buffer, bytes.byteOffset, bytes.byteLength / Values.BYTES_PER_ELEMENT);
}
