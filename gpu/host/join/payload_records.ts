/**
 * The payload of a join table as records: one for each row of the build side, with the values of
 * all its columns, including text of up to 16 bytes.
 *
 * @module
 */

import { byteWidth, type HostColumn, stringDataBytes } from "../../column/column.ts";
import { longestText } from "../../column/row_bytes.ts";
import { type FieldLayout, fillField } from "./fill_records.ts";
import type { TableMemory } from "../table/memory.ts";
import type { RecordPlaces } from "./table_places.ts";

/** The most words of text of a record. */
const MAX_INLINE_WORDS = 4;
/** The most words of a record: columns that do not fit are gathered apart. */
const MAX_STRIDE = 64;
/** The most bytes of all records, and of long text: the columns take memory too. */
const MAX_BYTES = 256 << 20;
/** The number of rows whose records are filled column by column, so that they stay in the cache. */
const BLOCK = 512;

/** The columns of a payload, most of them as records. */
export interface PayloadRecords {
  readonly places: RecordPlaces;
  /** The index of each column among the fields; -1 for a column that is gathered apart. */
  readonly columns: readonly number[];
}

/**
 * Makes the records of a payload. Returns null if they would take too much memory, or if no column
 * fits them: lists and structs do not.
 */
export function makeRecords(
  memory: TableMemory,
  payload: readonly HostColumn[],
  numRows: number,
): PayloadRecords | null {
  const { fields, columns, stride } = layOut(payload);
  if (fields.length === 0 || (numRows + 1) * stride * 4 > MAX_BYTES) return null;
  const words = memory.words((numRows + 1) * stride);
  const sources = payload.filter((_, index) => columns[index]! >= 0);
  const placed = fields.map((field, index) =>
    field.kind === "long" ? { ...field, dataAt: placeText(memory, sources[index]!) } : field
  );
  for (let start = 0; start < numRows; start += BLOCK) {
    const stop = Math.min(start + BLOCK, numRows);
    placed.forEach((field, index) => fillField(words, stride, field, sources[index]!, start, stop));
  }
  const places = {
    at: words.byteOffset,
    stride: 4 * stride,
    numBytes: words.byteLength,
    fields: fields.map(({ kind, at, width, nullBit, inlineWords }) => (
      { kind, at: 4 * at, width, nullBit, inlineBytes: 4 * inlineWords }
    )),
  };
  return { places, columns };
}

/** Copies the text of a column. Returns the place of its position 0. */
function placeText(memory: TableMemory, { data, offsets, length }: HostColumn): number {
  const first = offsets![0]!;
  return memory.copyOf(data.subarray(first, offsets![length])).byteOffset - first;
}

/** Lays out the columns in a record. */
function layOut(payload: readonly HostColumn[]): {
  readonly fields: readonly FieldLayout[];
  readonly columns: readonly number[];
  readonly stride: number;
} {
  const numFlags = Math.ceil(payload.filter(({ nullCount }) => nullCount > 0).length / 32);
  let stride = numFlags;
  let numNullBits = 0;
  let numTextBytes = 0;
  const fields: FieldLayout[] = [];
  const columns = payload.map((column) => {
    const field = fieldOf(column, stride, column.nullCount > 0 ? numNullBits : -1);
    if (field === null || stride + wordsOf(field) > MAX_STRIDE) return -1;
    const textBytes = field.kind === "long" ? stringDataBytes(column) : 0;
    if (numTextBytes + textBytes > MAX_BYTES) return -1;
    numTextBytes += textBytes;
    if (field.nullBit >= 0) numNullBits++;
    stride += wordsOf(field);
    return fields.push(field) - 1;
  });
  // Records whose size is a power of two seldom cross a cache line.
  return { fields, columns, stride: stride > 4 && stride <= 16 ? (stride <= 8 ? 8 : 16) : stride };
}

function wordsOf({ kind, width, inlineWords }: FieldLayout): number {
  if (kind === "short" || kind === "long") return 1 + inlineWords;
  return kind === "bit" ? 1 : Math.ceil(width / 4);
}

/** Returns the field of a column; null for lists and structs. */
function fieldOf(column: HostColumn, at: number, nullBit: number): FieldLayout | null {
  const { type } = column;
  const common = {
    at,
    width: byteWidth(type),
    nullBit,
    inlineBytes: 0,
    inlineWords: 0,
    dataAt: 0,
  };
  switch (type.kind) {
    case "bool":
      return { ...common, kind: "bit" };
    case "list":
    case "struct":
      return null;
    case "string": {
      const numBytes = stringDataBytes(column);
      const averageBytes = column.length === 0 ? 0 : numBytes / column.length;
      const longest = longestText(column);
      const isLong = longest > 4 * MAX_INLINE_WORDS;
      const words = Math.min(Math.max(1, Math.ceil(longest / 4)), MAX_INLINE_WORDS);
      // The place of longer text takes one word.
      const inlineWords = isLong && averageBytes > 4 * MAX_INLINE_WORDS ? 1 : words;
      return { ...common, kind: isLong ? "long" : "short", inlineWords };
    }
    default:
      return { ...common, kind: "number" };
  }
}
