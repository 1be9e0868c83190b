/**
 * The payload of a join table as records: one for each row of the build side, with the values of all
 * its columns, and text of up to 16 bytes as it is.
 *
 * @module
 */

import { byteWidth, type HostColumn, stringDataBytes } from "../../column/column.ts";
import { gatherColumn } from "../../column/gather.ts";
import { fillField } from "./fill_records.ts";
import { newWords, sharedBytes, sharedWords } from "./shared_words.ts";
import {
  type GatheredField,
  gatherRecords,
  type RecordField,
  type Records,
} from "./gather_records.ts";

/** Words of text that a record has at most. */
const MAX_INLINE_WORDS = 4;
/** Words of a record at most: columns that find no room are gathered by themselves. */
const MAX_STRIDE = 64;
/** Bytes of all records at most. They take memory besides the columns. */
const MAX_BYTES = 256 << 20;
/** Rows whose records are filled column by column, while they are in the cache. */
const BLOCK = 512;

/** The columns of a payload, most of them as records. */
export class PayloadRecords {
  #records: Records;
  /** For each column its number among the fields; -1 for one that is gathered by itself. */
  readonly #places: readonly number[];
  readonly #payload: readonly HostColumn[];

  private constructor(
    records: Records,
    places: readonly number[],
    payload: readonly HostColumn[],
  ) {
    this.#records = records;
    this.#places = places;
    this.#payload = payload;
  }

  /**
   * The records of a payload of some rows; null where they would take too much memory, or where no
   * column has a place in them: lists and structs have none.
   */
  static of(payload: readonly HostColumn[], numRows: number): PayloadRecords | null {
    const { fields, places, stride } = layOut(payload);
    if (fields.length === 0 || (numRows + 1) * stride * 4 > MAX_BYTES) return null;
    const words = newWords((numRows + 1) * stride);
    const sources = payload.filter((_, index) => places[index]! >= 0);
    for (let start = 0; start < numRows; start += BLOCK) {
      const stop = Math.min(start + BLOCK, numRows);
      fields.forEach((field, index) =>
        fillField(words, stride, field, sources[index]!, start, stop)
      );
    }
    return new PayloadRecords({ words, stride, fields }, places, payload);
  }

  /** Whether some columns have no place in the records. */
  get hasOthers(): boolean {
    return this.#places.includes(-1);
  }

  /** The records in shared memory, where they stay from then on. */
  share(): Records {
    const { words, stride, fields } = this.#records;
    this.#records = {
      words: sharedWords(words),
      stride,
      fields: fields.map((field) => ({ ...field, data: field.data && sharedBytes(field.data) })),
    };
    return this.#records;
  }

  /** The rows of `rows`, -1 being a row of nulls, which only occurs if `mayMiss`. */
  gather(rows: Int32Array, mayMiss: boolean): HostColumn[] {
    return this.columnsOf(gatherRecords(this.#records, rows, mayMiss), rows.length, rows, mayMiss);
  }

  /**
   * The columns of `numRows` rows of which the fields were gathered; the others are gathered here, by
   * `rows`, which may be null where there are no others.
   */
  columnsOf(
    gathered: readonly GatheredField[] | null,
    numRows: number,
    rows: Int32Array | null,
    mayMiss: boolean,
  ): HostColumn[] {
    return this.#payload.map((column, index) => {
      const field = gathered?.[this.#places[index]!];
      return field === undefined
        ? gatherColumn(column, rows!, { mayMiss })
        : { place: "host", type: column.type, length: numRows, ...field, children: [] };
    });
  }
}

/** Which column lies where. */
function layOut(payload: readonly HostColumn[]): {
  readonly fields: readonly RecordField[];
  readonly places: readonly number[];
  readonly stride: number;
} {
  const numFlags = Math.ceil(payload.filter(({ nullCount }) => nullCount > 0).length / 32);
  let stride = numFlags;
  let numNullBits = 0;
  const fields: RecordField[] = [];
  const places = payload.map((column) => {
    const field = fieldOf(column, stride, column.nullCount > 0 ? numNullBits : -1);
    if (field === null || stride + wordsOf(field) > MAX_STRIDE) return -1;
    if (field.nullBit >= 0) numNullBits++;
    stride += wordsOf(field);
    return fields.push(field) - 1;
  });
  // Records of a power of two of words seldom lie in two lines of the cache.
  return { fields, places, stride: stride > 4 && stride <= 16 ? (stride <= 8 ? 8 : 16) : stride };
}

function wordsOf({ kind, width, inlineWords }: RecordField): number {
  return kind === "text" ? 1 + inlineWords : kind === "bit" ? 1 : Math.ceil(width / 4);
}

/** Null for lists and structs. */
function fieldOf(column: HostColumn, at: number, nullBit: number): RecordField | null {
  const { type } = column;
  const common = {
    at,
    width: byteWidth(type),
    nullBit,
    inlineWords: 0,
    data: null,
    averageBytes: 0,
  };
  switch (type.kind) {
    case "bool":
      return { ...common, kind: "bit" };
    case "list":
    case "struct":
      return null;
    case "string": {
      const averageBytes = column.length === 0 ? 0 : stringDataBytes(column) / column.length;
      const longest = longestText(column);
      const isLong = longest > 4 * MAX_INLINE_WORDS;
      const words = Math.min(Math.max(1, Math.ceil(longest / 4)), MAX_INLINE_WORDS);
      // The place of text that is longer takes two words, which is all that long text needs.
      const inlineWords = isLong && averageBytes > 4 * MAX_INLINE_WORDS ? 2 : words;
      return {
        ...common,
        kind: "text",
        inlineWords,
        averageBytes,
        data: isLong ? column.data : null,
      };
    }
    default: {
      const isNumber = [1, 2, 4, 8].includes(byteWidth(type));
      return { ...common, kind: isNumber ? "number" : "bytes" };
    }
  }
}

function longestText({ offsets, length }: HostColumn): number {
  let longest = 0;
  for (let row = 0; row < length; row++) {
    const size = offsets![row + 1]! - offsets![row]!;
    if (size > longest) longest = size;
  }
  return longest;
}
