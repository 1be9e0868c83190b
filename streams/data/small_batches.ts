/**
 * Joins small batches into larger ones.
 *
 * @module
 */

import { type Data, makeData, RecordBatch, type Schema, Struct } from "apache-arrow";
import { setBits } from "./bits.ts";
import { concatData, rangeBytes } from "./concat_data.ts";
import { type FlatColumn, FlatMessage } from "./flat_messages.ts";
import { sameType } from "./schema.ts";

/** The maximum size of a joined batch. */
export interface TogetherLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** A batch is small if this many of its size fit within the limits. */
const SMALL_PART = 32;

/** The rows that must have been yielded for each row that is buffered. */
const YIELDED_PER_BUFFERED = 16;

/** A batch, or just its columns until a batch object is needed. */
export interface BatchParts {
  readonly schema: Schema;
  readonly numRows: number;
  /** Its columns, or the message that contains them. */
  readonly columns: readonly Data[] | FlatMessage;
  /** The approximate bytes of its rows. */
  readonly numBytes: number;
  readonly batch?: RecordBatch;
}

/**
 * Joins small batches, since the overhead of a batch equals that of hundreds of rows. It buffers at
 * most one row for every sixteen already yielded: the first batches pass one by one, so that a
 * consumer of few rows does not drain the source. Batches that are large or have metadata pass
 * unchanged; empty ones are dropped after the first.
 */
export class SmallBatches {
  readonly #limits: TogetherLimits;
  #buffered: BatchParts[] = [];
  #bufferedRows = 0;
  #bufferedBytes = 0;
  #yieldedRows = 0;

  /** Without limits every batch passes unchanged. */
  constructor(limits: TogetherLimits = { rows: 0, bytes: 0 }) {
    this.#limits = limits;
  }

  get holdsRows(): boolean {
    return this.#buffered.length > 0;
  }

  isSmall(numRows: number, numBytes: number): boolean {
    const { rows, bytes } = this.#limits;
    return rows > 0 && SMALL_PART * numRows <= rows && SMALL_PART * numBytes <= bytes;
  }

  /** Takes the next batch; returns the batches that it completes, in order. */
  push(next: BatchParts): readonly RecordBatch[] {
    const isSmall = this.isSmall(next.numRows, next.numBytes) && !hasMetadata(next);
    if (isSmall && next.numRows === 0 && this.#bufferedRows + this.#yieldedRows > 0) return nothing;
    const completed = !isSmall || !this.#fits(next) ? this.take() : nothing;
    this.#buffered.push(next);
    this.#bufferedRows += next.numRows;
    this.#bufferedBytes += next.numBytes;
    const isFull = !isSmall || this.#bufferedRows >= this.#maxRows;
    return isFull ? [...completed, ...this.take()] : completed;
  }

  /** Like `push`, for a record batch. */
  pushBatch(batch: RecordBatch): readonly RecordBatch[] {
    const { schema, numRows, data: { children: columns } } = batch;
    // A batch with many rows is not small, whatever its bytes.
    const numBytes = this.isSmall(numRows, 0)
      ? columns.reduce((sum, column) => sum + rangeBytes(column, 0, numRows), 0)
      : Infinity;
    return this.push({ schema, numRows, columns, numBytes, batch });
  }

  /** Returns the buffered rows, if any, as one batch. */
  take(): readonly RecordBatch[] {
    if (this.#buffered.length === 0) return nothing;
    const batch = joinBatches(this.#buffered);
    this.#buffered = [];
    this.#bufferedRows = 0;
    this.#bufferedBytes = 0;
    this.#yieldedRows += batch.numRows;
    return [batch];
  }

  get #maxRows(): number {
    return Math.min(
      this.#limits.rows,
      Math.max(1, Math.floor(this.#yieldedRows / YIELDED_PER_BUFFERED)),
    );
  }

  #fits(next: BatchParts): boolean {
    const first = this.#buffered[0];
    return first === undefined ||
      (this.#bufferedRows + next.numRows <= this.#maxRows &&
        this.#bufferedBytes + next.numBytes <= this.#limits.bytes && sameColumns(first, next));
  }
}

const nothing: readonly RecordBatch[] = Object.freeze([]);

function hasMetadata({ batch }: BatchParts): boolean {
  return batch !== undefined && batch.metadata.size > 0;
}

function sameColumns(left: BatchParts, right: BatchParts): boolean {
  return sameFields(left.schema, right.schema) &&
    // Flat messages come from one reader and have no dictionaries.
    (left.columns instanceof FlatMessage || right.columns instanceof FlatMessage ||
      sameAllDictionaries(left.columns, right.columns));
}

/**
 * Compares schemas by their fields: apache-arrow creates a schema for each batch, over the same
 * types.
 */
function sameFields({ fields }: Schema, other: Schema): boolean {
  return fields === other.fields ||
    fields.length === other.fields.length && fields.every(({ name, type, nullable }, index) => {
        const field = other.fields[index]!;
        return name === field.name && nullable === field.nullable && sameType(type, field.type);
      });
}

function sameAllDictionaries(left: readonly Data[], right: readonly Data[]): boolean {
  return left.every((column, index) => {
    const other = right[index];
    // apache-arrow omits children of empty data.
    return !column || !other || sameDictionaries(column, other);
  });
}

function sameDictionaries(left: Data, right: Data): boolean {
  return left.dictionary === right.dictionary && sameAllDictionaries(left.children, right.children);
}

function joinBatches(batches: readonly BatchParts[]): RecordBatch {
  const { schema, batch } = batches[0]!;
  if (batches.length === 1 && batch !== undefined) return batch;
  const length = batches.reduce((sum, next) => sum + next.numRows, 0);
  const parts = columnsOf(batches);
  const first = parts[0]!;
  const joined = parts.length === 1
    ? first
    : first.map((_, index) => concatData(parts.map((columns) => columns[index]!)));
  return recordBatch(schema, length, joined);
}

/** Returns the columns of batches, in order; joins consecutive messages into one part. */
function columnsOf(batches: readonly BatchParts[]): (readonly Data[])[] {
  const parts: (readonly Data[])[] = [];
  let messages: FlatMessage[] = [];
  const join = () => {
    if (messages.length > 0) parts.push(joinMessages(messages));
    messages = [];
  };
  for (const { columns } of batches) {
    if (columns instanceof FlatMessage) messages.push(columns);
    else {
      join();
      parts.push(columns);
    }
  }
  join();
  return parts;
}

function recordBatch(schema: Schema, length: number, children: readonly Data[]): RecordBatch {
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length, nullCount: 0, children: [...children] }));
}

/** Concatenates the columns of one or more valid messages of the same schema into new buffers. */
function joinMessages(messages: readonly FlatMessage[]): Data[] {
  const length = messages.reduce((sum, { numRows }) => sum + numRows, 0);
  return messages[0]!.columns.map((column) =>
    makeData({
      type: column.type,
      length,
      ...joinValidity(messages, column, length),
      ...joinContent(messages, column, length),
    } as never)
  );
}

function joinValidity(messages: readonly FlatMessage[], column: FlatColumn, length: number) {
  const nullCount = messages.reduce((sum, message) => sum + message.nullCount(column), 0);
  if (nullCount === 0) return { nullCount };
  const nullBitmap = new Uint8Array(Math.ceil(length / 8)).fill(255);
  let row = 0;
  for (const message of messages) {
    const { bytes, numRows } = message;
    if (message.nullCount(column) > 0) {
      setBits(nullBitmap, row, bytes, 8 * message.startOf(column.buffer), numRows);
    }
    row += numRows;
  }
  return { nullCount, nullBitmap };
}

function joinContent(messages: readonly FlatMessage[], column: FlatColumn, length: number) {
  if (column.offsetWords === 0) return { data: joinValues(messages, column, length) };
  const ends = joinOffsets(messages, column, length);
  const valueOffsets = column.offsetWords === 1 ? ends : BigInt64Array.from(ends, BigInt);
  return { valueOffsets, data: joinText(messages, column, ends[length]!) };
}

function joinValues(
  messages: readonly FlatMessage[],
  { buffer, valueBits }: FlatColumn,
  length: number,
): Uint8Array {
  const values = new Uint8Array(Math.ceil(valueBits * length / 8));
  let row = 0;
  for (const message of messages) {
    const { bytes, numRows } = message;
    const start = message.startOf(buffer + 1);
    if (valueBits === 1) setBits(values, row, bytes, 8 * start, numRows);
    else copyBytes(values, valueBits / 8 * row, bytes, start, valueBits / 8 * numRows);
    row += numRows;
  }
  return values;
}

/** Concatenates offsets, rebased to 0. They fit into 32 bits, since the batches are small. */
function joinOffsets(
  messages: readonly FlatMessage[],
  column: FlatColumn,
  length: number,
): Int32Array<ArrayBuffer> {
  const offsets = new Int32Array(length + 1);
  let row = 0;
  for (const message of messages) {
    const shift = offsets[row]! - message.offset(column, 0);
    for (let i = 1; i <= message.numRows; i++) {
      offsets[row + i] = message.offset(column, i) + shift;
    }
    row += message.numRows;
  }
  return offsets;
}

function joinText(
  messages: readonly FlatMessage[],
  column: FlatColumn,
  numBytes: number,
): Uint8Array {
  const text = new Uint8Array(numBytes);
  let position = 0;
  for (const message of messages) {
    const first = message.offset(column, 0);
    const length = message.offset(column, message.numRows) - first;
    copyBytes(text, position, message.bytes, message.startOf(column.buffer + 2) + first, length);
    position += length;
  }
  return text;
}

/** Up to this size, a loop is cheaper than creating a view. */
const fewBytes = 64;

function copyBytes(
  target: Uint8Array,
  at: number,
  source: Uint8Array,
  start: number,
  length: number,
): void {
  if (length > fewBytes) target.set(source.subarray(start, start + length), at);
  else for (let i = 0; i < length; i++) target[at + i] = source[start + i]!;
}
