/**
 * Builds the body of a record batch: the buffers of its columns in format order, trimmed to the rows
 * of the batch.
 *
 * Arrow leaves the values of null slots undefined, but Polars and parquet-wasm reject invalid UTF-8
 * and negative indices there, so those values are cleared.
 *
 * @module
 */

import { type Data, DataType, makeData } from "apache-arrow";
import { BufferRegion, FieldNode } from "apache-arrow/ipc/metadata/message";
import { packBits } from "../../data/bits.ts";
import { type BufferCodec, compressBuffer } from "./compression.ts";
import { layoutOf, valueBytes } from "../../data/layout.ts";
import { compactViews } from "../../data/views.ts";

/** Collects the buffers of columns: views of the original buffers unless bytes have to change. */
export class BodyBuilder {
  readonly nodes: FieldNode[] = [];
  readonly regions: BufferRegion[] = [];
  readonly viewBufferCounts: number[] = [];
  /** The buffers of the body, each without its padding to 8 bytes. */
  readonly buffers: Uint8Array[] = [];
  /** Length of the body, padding included. */
  byteLength = 0;
  readonly #codec: BufferCodec | undefined;

  constructor(codec?: BufferCodec) {
    this.#codec = codec;
  }

  /** Adds a column and its children. */
  add(data: Data): void {
    const { type, length } = data;
    const layout = layoutOf(type);
    if (layout === "null") {
      this.nodes.push(new FieldNode(length, length));
      return;
    }
    if (layout === "sparse_union" || layout === "dense_union") {
      this.nodes.push(new FieldNode(length, 0));
      this.#addUnion(data);
      return;
    }
    // Without a bitmap there are no nulls, even if the count is unknown.
    const nullCount = data.nullBitmap?.length > 0 ? data.nullCount : 0;
    this.nodes.push(new FieldNode(length, nullCount));
    this.#push(nullCount > 0 ? packBits(data.nullBitmap, data.offset, length) : noBytes);
    this.#addContent(data, type);
  }

  /** Adds the buffers and children of a column, after its validity. */
  #addContent(data: Data, type: DataType): void {
    const { length } = data;
    switch (layoutOf(type)) {
      case "bits":
        return this.#push(packBits(data.values, data.offset, length));
      case "values":
        return this.#push(bytesOf(data.values, length * valueBytes(type)));
      case "dictionary":
        return this.#push(
          bytesOf(zeroNulls(data), length * valueBytes((type as unknown as Indexed).indices)),
        );
      case "bytes32":
      case "bytes64": {
        const { valueOffsets, values } = emptyNulls(data);
        const { offsets, first, last } = rebasedOffsets(valueOffsets, length);
        this.#push(offsets);
        return this.#push(values.subarray(first, last));
      }
      case "view": {
        const { views, dataBuffers } = compactViews(data);
        this.viewBufferCounts.push(dataBuffers.length);
        this.#push(views);
        return dataBuffers.forEach((buffer) => this.#push(buffer));
      }
      case "list32":
      case "list64": {
        const { offsets, first, last } = rebasedOffsets(data.valueOffsets, length);
        this.#push(offsets);
        return this.add(childOf(data, 0, first, last - first));
      }
      case "fixed_list": {
        const { listSize } = type as unknown as { listSize: number };
        return this.add(childOf(data, 0, 0, length * listSize));
      }
      default:
        return type.children.forEach((_, index) => this.add(childOf(data, index, 0, length)));
    }
  }

  /**
   * Adds a union. A sliced dense union keeps its children whole, since its offsets refer to them.
   */
  #addUnion(data: Data): void {
    this.#push(bytesOf(data.typeIds, data.length));
    const dense = DataType.isDenseUnion(data.type);
    if (dense) this.#push(bytesOf(data.valueOffsets, 4 * data.length));
    for (const [index, child] of data.children.entries()) {
      this.add(dense ? child : childOf(data, index, 0, data.length));
    }
  }

  #push(bytes: Uint8Array): void {
    const buffer = this.#codec === undefined ? bytes : compressBuffer(this.#codec, bytes);
    this.regions.push(new BufferRegion(this.byteLength, buffer.length));
    this.buffers.push(buffer);
    this.byteLength += Math.ceil(buffer.length / 8) * 8;
  }
}

interface Indexed {
  readonly indices: DataType;
}

const noBytes = new Uint8Array(0);

/** Returns a slice of a child; apache-arrow omits the children of an empty batch. */
function childOf({ type, children }: Data, index: number, start: number, length: number): Data {
  const child = children[index] ??
    makeData({ type: type.children[index]!.type, length: 0 } as never);
  return start === 0 && child.length === length ? child : child.slice(start, length);
}

/** Returns the first `numBytes` of a typed array; an empty column may have no array. */
function bytesOf(array: ArrayBufferView | undefined, numBytes: number): Uint8Array {
  if (array === undefined || numBytes === 0) return noBytes;
  return new Uint8Array(array.buffer, array.byteOffset, numBytes);
}

/** Returns exactly `length + 1` offsets that begin at 0, and the range of values that they span. */
function rebasedOffsets(
  given: Int32Array | BigInt64Array | undefined,
  length: number,
): { offsets: Uint8Array; first: number; last: number } {
  if (given === undefined || given.length === 0) return { offsets: noBytes, first: 0, last: 0 };
  const exact = given.subarray(0, length + 1);
  const first = exact[0]!;
  const last = exact[length]!;
  let offsets: Int32Array | BigInt64Array = exact;
  if (first > 0) {
    offsets = exact instanceof Int32Array
      ? exact.map((offset) => offset - (first as number))
      : exact.map((offset) => offset - (first as bigint));
  }
  return {
    offsets: bytesOf(offsets, offsets.byteLength),
    first: Number(first),
    last: Number(last),
  };
}

/** Text or binary values as offsets and data. */
interface RowBytes {
  readonly valueOffsets: Int32Array | BigInt64Array;
  readonly values: Uint8Array;
}

/**
 * Returns the offsets and bytes of a column with its nulls emptied; the originals if they already
 * are empty.
 */
function emptyNulls(data: Data): RowBytes {
  const { length, nullCount } = data;
  const given = data.valueOffsets as RowBytes["valueOffsets"] | undefined;
  const values = data.values as Uint8Array;
  if (given === undefined || given.length === 0 || nullCount === 0) {
    return { valueOffsets: given ?? new Int32Array(0), values };
  }
  const isValid = (row: number) => !isNullAt(data, row);
  const isEmpty = (row: number) => given[row] === given[row + 1];
  let row = 0;
  while (row < length && (isEmpty(row) || isValid(row))) row++;
  if (row === length) return { valueOffsets: given, values };
  const valueOffsets = given.slice(0, length + 1);
  const kept = new Uint8Array(Number(given[length]) - Number(given[0]));
  let size = 0;
  for (row = 0; row < length; row++) {
    valueOffsets[row] = typeof given[0] === "bigint" ? BigInt(size) : size;
    if (!isValid(row)) continue;
    const bytes = values.subarray(Number(given[row]), Number(given[row + 1]));
    kept.set(bytes, size);
    size += bytes.length;
  }
  valueOffsets[length] = typeof given[0] === "bigint" ? BigInt(size) : size;
  return { valueOffsets, values: kept.subarray(0, size) };
}

/**
 * Returns the indices of a dictionary column with 0 for nulls; the originals if nothing changes.
 */
function zeroNulls(data: Data): ArrayBufferView {
  const { length, nullCount } = data;
  const indices = data.values as Int32Array | BigInt64Array;
  if (nullCount === 0) return indices;
  let row = 0;
  while (row < length && (Number(indices[row]) === 0 || !isNullAt(data, row))) row++;
  if (row === length) return indices;
  const zeroed = indices.slice(0, length);
  for (; row < length; row++) {
    if (isNullAt(data, row)) zeroed[row] = (typeof zeroed[row] === "bigint" ? 0n : 0) as never;
  }
  return zeroed;
}

function isNullAt({ nullBitmap, offset }: Data, row: number): boolean {
  return ((nullBitmap[(offset + row) >> 3]! >> ((offset + row) & 7)) & 1) === 0;
}
