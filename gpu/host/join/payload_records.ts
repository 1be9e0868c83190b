/**
 * The payload of a join table as records: one for each row of the build side, with the values of all
 * its columns, and text of up to 16 bytes as it is.
 *
 * @module
 */

import { byteWidth, type HostColumn, stringDataBytes } from "../../column/column.ts";
import { longestText } from "../../column/row_bytes.ts";
import { type FieldLayout, fillField } from "./fill_records.ts";
import type { TableMemory } from "../table/memory.ts";
import type { RecordPlaces } from "./table_places.ts";

/** Words of text that a record has at most. */
const MAX_INLINE_WORDS = 4;
/** Words of a record at most: columns that find no room are gathered by themselves. */
const MAX_STRIDE = 64;
/** Bytes of all records at most, and of long text. They take memory besides the columns. */
const MAX_BYTES = 256 << 20;
/** Rows whose records are filled column by column, while they are in the cache. */
const BLOCK = 512;

/** The columns of a payload, most of them as records. */
export interface PayloadRecords {
  readonly places: RecordPlaces;
  /** For each column its number among the fields; -1 for one that is gathered by itself. */
  readonly columns: readonly number[];
}

/**
 * The records of a payload of some rows; null where they would take too much memory, or where no
 * column has a place in them: lists and structs have none.
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

/** Copies the text of a column; gives the place where position 0 would be. */
function placeText(memory: TableMemory, { data, offsets, length }: HostColumn): number {
  const first = offsets![0]!;
  return memory.copyOf(data.subarray(first, offsets![length])).byteOffset - first;
}

/** Which column lies where. */
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
  // Records of a power of two of words seldom lie in two lines of the cache.
  return { fields, columns, stride: stride > 4 && stride <= 16 ? (stride <= 8 ? 8 : 16) : stride };
}

function wordsOf({ kind, width, inlineWords }: FieldLayout): number {
  if (kind === "short" || kind === "long") return 1 + inlineWords;
  return kind === "bit" ? 1 : Math.ceil(width / 4);
}

/** Null for lists and structs. */
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
      // The place of text that is longer takes one word, which is all that long text needs.
      const inlineWords = isLong && averageBytes > 4 * MAX_INLINE_WORDS ? 1 : words;
      return { ...common, kind: isLong ? "long" : "short", inlineWords };
    }
    default:
      return { ...common, kind: "number" };
  }
}
