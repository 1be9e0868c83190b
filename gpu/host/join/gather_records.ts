/**
 * Rows of a selection out of records.
 *
 * A record holds all that the result takes of one build row, so that a row that is not in the cache
 * costs one miss and not one for each column. A block of rows is touched first, so that misses
 * overlap, and then copied column by column out of the cache.
 *
 * @module
 */

import { makeRecordText } from "./record_text.ts";

/** Where a column lies in a record, in words of 32 bits from its start. */
export interface RecordField {
  readonly kind: "bit" | "number" | "bytes" | "text";
  readonly at: number;
  /** Bytes of a value of fixed width. */
  readonly width: number;
  /** The bit of the flags that is set where the row is not null; -1 where none is null. */
  readonly nullBit: number;
  /** Words of text behind its length; longer text is kept in `data`, and its place in the record. */
  readonly inlineWords: number;
  readonly data: Uint8Array | null;
  /** Bytes of text of a row, on average. */
  readonly averageBytes: number;
}

/** The records of a build side. Plain data, which threads share. */
export interface Records {
  /** Record r + 1 is that of row r; the first one is all zeros, and stands for no row. */
  readonly words: Int32Array;
  /** Words of a record. */
  readonly stride: number;
  readonly fields: readonly RecordField[];
}

/** What came of a field: buffers of a host column. */
export interface GatheredField {
  data: Uint8Array;
  offsets: Int32Array | null;
  validity: Uint8Array | null;
  nullCount: number;
}

/**
 * Makes the function. Threads take along the source of this one, so nothing in it names anything from
 * outside.
 */
export function makeGatherRecords(text: ReturnType<typeof makeRecordText>) {
  /** Rows of a block; a multiple of 8, so that blocks begin on a byte of bitmaps. */
  const BLOCK = 512;
  /** Records of more bytes than this do not stay in the cache, and are touched ahead. */
  const CACHE_BYTES = 1 << 20;
  /** Bytes behind text that copies of whole words may write. */
  const SLACK = 64;
  let touched = 0;

  /** A field while it is gathered; `size` is the bytes of text so far. */
  interface Target {
    readonly field: RecordField;
    readonly result: GatheredField;
    readonly words: Int32Array;
    view: DataView;
    size: number;
  }

  /**
   * The rows of `rows`, where -1, which only occurs if `mayMiss`, is a row that is null. Null where
   * the text of a column would be longer than offsets of 32 bits reach.
   */
  function gatherRecords(
    { words, stride, fields }: Records,
    rows: Int32Array,
    mayMiss: boolean,
  ): GatheredField[] | null {
    const numRows = rows.length;
    const present = mayMiss ? new Uint8Array((numRows + 7) >> 3) : null;
    const targets = fields.map((field) => newTarget(field, numRows));
    const places = new Int32Array(Math.min(BLOCK, numRows));
    const isLarge = words.byteLength > CACHE_BYTES;
    let numMissing = 0;
    for (let start = 0; start < numRows; start += BLOCK) {
      const count = Math.min(BLOCK, numRows - start);
      for (let i = 0; i < count; i++) places[i] = Math.imul(rows[start + i]! + 1, stride);
      if (isLarge) touched |= touch(words, places, count);
      if (present !== null) numMissing += notePresent(places, count, present, start);
      for (const target of targets) {
        if (!copyField(target, words, places, count, start)) return null;
      }
    }
    return targets.map(({ field, result, size }) => {
      if (field.kind === "text") result.data = result.data.subarray(0, size);
      if (field.nullBit < 0 && numMissing > 0) {
        result.validity = present;
        result.nullCount = numMissing;
      }
      if (result.nullCount === 0) result.validity = null;
      return result;
    });
  }

  function newTarget(field: RecordField, numRows: number): Target {
    const { kind, width, averageBytes, nullBit } = field;
    const isText = kind === "text";
    const numBytes = isText
      ? Math.ceil(numRows * averageBytes * 1.05) + BLOCK + SLACK
      : kind === "bit"
      ? (numRows + 7) >> 3
      : numRows * width;
    const data = new Uint8Array(numBytes);
    const result = {
      data,
      offsets: isText ? new Int32Array(numRows + 1) : null,
      validity: nullBit < 0 ? null : new Uint8Array((numRows + 7) >> 3),
      nullCount: 0,
    };
    const words = new Int32Array(data.buffer, 0, numBytes >> 2);
    return { field, result, words, view: new DataView(data.buffer), size: 0 };
  }

  function touch(words: Int32Array, places: Int32Array, count: number): number {
    let sum = 0;
    for (let i = 0; i < count; i++) sum |= words[places[i]!]!;
    return sum;
  }

  /** Sets the bits of rows that there are; gives the number of those that there are not. */
  function notePresent(
    places: Int32Array,
    count: number,
    present: Uint8Array,
    start: number,
  ): number {
    let numMissing = 0;
    for (let first = 0; first < count; first += 8) {
      const stop = Math.min(first + 8, count);
      let bits = 0;
      for (let i = first; i < stop; i++) {
        // A place is a multiple of the stride; 0 is no row.
        const bit = (-places[i]!) >>> 31;
        bits |= bit << (i - first);
        numMissing += 1 - bit;
      }
      present[(start + first) >> 3] = bits;
    }
    return numMissing;
  }

  /** Copies a block of a column; false where its text becomes too long. */
  function copyField(
    target: Target,
    words: Int32Array,
    places: Int32Array,
    count: number,
    start: number,
  ): boolean {
    const { field: { kind, at, width, nullBit }, result } = target;
    if (nullBit >= 0) {
      const flag = nullBit >> 5;
      const numSet = copyBits(words, places, count, flag, nullBit & 31, result.validity!, start);
      result.nullCount += count - numSet;
    }
    if (kind === "text") return copyText(target, words, places, count, start);
    if (kind === "bit") copyBits(words, places, count, at, 0, result.data, start);
    else if (kind === "bytes") copyBytes(words, places, count, at, width, result.data, start);
    else if (width === 4) copyWords(words, places, count, at, target.words, start);
    else if (width === 8) copyPairs(words, places, count, at, target.words, start);
    else if (width === 1) copySingles(words, places, count, at, result.data, start);
    else copyHalves(words, places, count, at, target.view, start);
    return true;
  }

  function copyWords(
    words: Int32Array,
    places: Int32Array,
    count: number,
    at: number,
    target: Int32Array,
    start: number,
  ): void {
    for (let i = 0; i < count; i++) target[start + i] = words[places[i]! + at]!;
  }

  function copyPairs(
    words: Int32Array,
    places: Int32Array,
    count: number,
    at: number,
    target: Int32Array,
    start: number,
  ): void {
    let to = 2 * start;
    for (let i = 0; i < count; i++, to += 2) {
      const from = places[i]! + at;
      target[to] = words[from]!;
      target[to + 1] = words[from + 1]!;
    }
  }

  function copySingles(
    words: Int32Array,
    places: Int32Array,
    count: number,
    at: number,
    target: Uint8Array,
    start: number,
  ): void {
    for (let i = 0; i < count; i++) target[start + i] = words[places[i]! + at]!;
  }

  function copyHalves(
    words: Int32Array,
    places: Int32Array,
    count: number,
    at: number,
    target: DataView,
    start: number,
  ): void {
    for (let i = 0; i < count; i++) {
      target.setInt16(2 * (start + i), words[places[i]! + at]!, true);
    }
  }

  function copyBytes(
    words: Int32Array,
    places: Int32Array,
    count: number,
    at: number,
    width: number,
    target: Uint8Array,
    start: number,
  ): void {
    let to = start * width;
    for (let i = 0; i < count; i++) {
      const from = places[i]! + at;
      for (let byte = 0; byte < width; byte++, to++) {
        target[to] = words[from + (byte >> 2)]! >> (8 * (byte & 3));
      }
    }
  }

  /** One bit of a word of each record; gives how many are set. */
  function copyBits(
    words: Int32Array,
    places: Int32Array,
    count: number,
    at: number,
    shift: number,
    target: Uint8Array,
    start: number,
  ): number {
    let numSet = 0;
    for (let first = 0; first < count; first += 8) {
      const stop = Math.min(first + 8, count);
      let bits = 0;
      for (let i = first; i < stop; i++) {
        const bit = (words[places[i]! + at]! >>> shift) & 1;
        bits |= bit << (i - first);
        numSet += bit;
      }
      target[(start + first) >> 3] = bits;
    }
    return numSet;
  }

  function copyText(
    target: Target,
    words: Int32Array,
    places: Int32Array,
    count: number,
    start: number,
  ): boolean {
    const { field: { at, inlineWords, data }, result } = target;
    const offsets = result.offsets!;
    let stop = target.size;
    for (let i = 0; i < count; i++) {
      stop += words[places[i]! + at]!;
      offsets[start + i + 1] = stop;
    }
    if (stop > 0x7fffffff) return false;
    if (stop + SLACK > result.data.length) grow(target, stop);
    const { view } = target;
    if (data === null) {
      text.copyShort(inlineWords, words, places, count, at + 1, view, offsets, start);
    } else text.copyAny(target.field, data, words, places, count, view, offsets, start);
    target.size = stop;
    return true;
  }

  function grow(target: Target, size: number): void {
    const data = new Uint8Array(Math.ceil(1.5 * size) + SLACK);
    data.set(target.result.data.subarray(0, target.size));
    target.result.data = data;
    target.view = new DataView(data.buffer);
  }

  return { gatherRecords };
}

/** The function of this thread. */
export const { gatherRecords } = makeGatherRecords(makeRecordText());
