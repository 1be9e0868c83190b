/**
 * The order of the values of a column as numbers, so that sorts and searches are the same for all types.
 *
 * A key is a float64 that never decreases from one value to the next greater one. Where two values may
 * share a key (integers and decimals beyond 2^53, text, NaN beside infinity) a comparison of ties decides.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";
import { type ColumnType, type HostColumn, type Offsets, viewAs } from "../column/column.ts";
import { type Floats, floatsIn, intsIn } from "../column/numbers.ts";

/**
 * Compares a row of one column with a row of another that has the same key. Returns a negative number, 0,
 * or a positive one.
 */
export type CompareTies = (row: number, otherRow: number) => number;

/** Bytes of text in a key; six fit exactly into a float64. */
const TEXT_KEY_BYTES = 6;

/**
 * Returns the key of each row. False comes before true, text is in the order of its bytes, -0 equals 0,
 * and NaN has the key of infinity. Values of fixed width are decimals of one scale. Null rows have any key.
 */
export function orderKeys(column: HostColumn): Float64Array {
  const { type, data, length } = column;
  switch (type.kind) {
    case "bool":
      return Float64Array.from({ length }, (_, row) => bitAt(data, row));
    case "string":
      return textKeys(column.offsets!, data, length);
    case "float":
      return floatKeys(floatsIn(type, data));
    case "int":
      return type.bits === 64 ? wideKeys(column) : new Float64Array(intsIn(type, data));
    case "fixed":
      return decimalKeys(column, type.byteWidth / 4);
    default:
      throw new TypeError(`Values of ${type.kind} have no order`);
  }
}

/** Returns the keys of 64-bit integers: each sum is rounded once, which keeps the order. */
function wideKeys({ type, data, length }: HostColumn): Float64Array {
  const low = viewAs(Uint32Array, data);
  const high = isSigned(type) ? viewAs(Int32Array, data) : low;
  const keys = new Float64Array(length);
  for (let row = 0; row < length; row++) {
    keys[row] = high[2 * row + 1]! * 0x1_0000_0000 + low[2 * row]!;
  }
  return keys;
}

/** Returns the keys of decimals: each step rounds once, which keeps the order. */
function decimalKeys({ data, length }: HostColumn, numWords: number): Float64Array {
  const words = viewAs(Uint32Array, data);
  const tops = viewAs(Int32Array, data);
  const keys = new Float64Array(length);
  for (let row = 0; row < length; row++) {
    const top = (row + 1) * numWords - 1;
    let key = tops[top]!;
    for (let word = top - 1; word >= row * numWords; word--) {
      key = key * 0x1_0000_0000 + words[word]!;
    }
    keys[row] = key;
  }
  return keys;
}

function isSigned(type: ColumnType): boolean {
  return type.kind === "int" && type.signed;
}

function floatKeys(values: Floats): Float64Array {
  const keys = new Float64Array(values.length);
  for (let row = 0; row < keys.length; row++) {
    const value = values[row]!;
    // Adding 0 changes -0 only.
    keys[row] = value === value ? value + 0 : Infinity;
  }
  return keys;
}

function textKeys(offsets: Offsets, data: Uint8Array, length: number): Float64Array {
  const keys = new Float64Array(length);
  for (let row = 0; row < length; row++) {
    const start = offsets[row]!;
    const stop = Math.min(offsets[row + 1]!, start + TEXT_KEY_BYTES);
    let key = 0;
    for (let at = start; at < stop; at++) key = key * 256 + data[at]!;
    keys[row] = key * 256 ** (TEXT_KEY_BYTES - (stop - start));
  }
  return keys;
}

/**
 * Whether the keys of some rows of a column tell all values apart, so that ties need no comparison,
 * whatever another column of the same type holds.
 */
export function areKeysExact({ type }: HostColumn, keys: Float64Array, rows: Int32Array): boolean {
  switch (type.kind) {
    case "string":
      return false;
    case "float":
      return rows.every((row) => keys[row] !== Infinity);
    case "fixed":
      return rows.every((row) => Number.isSafeInteger(keys[row]));
    case "int":
      // A value beyond 2^53 has a key that none of these has.
      return type.bits < 64 || rows.every((row) => Number.isSafeInteger(keys[row]));
    default:
      return true;
  }
}

/** Returns the comparison of rows with equal keys, of two columns of one type. */
export function tiesOf(column: HostColumn, other: HostColumn): CompareTies {
  switch (column.type.kind) {
    case "string":
      return compareTexts(column, other);
    case "float":
      return compareFloats(floatsIn(column.type, column.data), floatsIn(column.type, other.data));
    case "int":
      return column.type.bits === 64 ? compareWords(column, other) : () => 0;
    case "fixed":
      return compareDecimals(column, other, column.type.byteWidth / 4);
    default:
      return () => 0;
  }
}

/** Compares by bytes, which is the order of code points. */
function compareTexts(column: HostColumn, other: HostColumn): CompareTies {
  const [offsets, otherOffsets] = [column.offsets!, other.offsets!];
  const [data, otherData] = [column.data, other.data];
  return (row, otherRow) => {
    const start = offsets[row]!;
    const otherStart = otherOffsets[otherRow]!;
    const size = offsets[row + 1]! - start;
    const otherSize = otherOffsets[otherRow + 1]! - otherStart;
    const shared = Math.min(size, otherSize);
    for (let at = 0; at < shared; at++) {
      const difference = data[start + at]! - otherData[otherStart + at]!;
      if (difference !== 0) return difference;
    }
    return size - otherSize;
  };
}

/** Compares floats, of which only NaN and infinity share a key. */
function compareFloats(values: Floats, others: Floats): CompareTies {
  return (row, otherRow) =>
    Number(Number.isNaN(values[row]!)) - Number(Number.isNaN(others[otherRow]!));
}

function compareWords(column: HostColumn, other: HostColumn): CompareTies {
  const [low, otherLow] = [viewAs(Uint32Array, column.data), viewAs(Uint32Array, other.data)];
  const isInt = isSigned(column.type);
  const high = isInt ? viewAs(Int32Array, column.data) : low;
  const otherHigh = isInt ? viewAs(Int32Array, other.data) : otherLow;
  return (row, otherRow) =>
    high[2 * row + 1]! - otherHigh[2 * otherRow + 1]! || low[2 * row]! - otherLow[2 * otherRow]!;
}

/** Compares from the word with the sign on. */
function compareDecimals(column: HostColumn, other: HostColumn, numWords: number): CompareTies {
  const [words, otherWords] = [viewAs(Uint32Array, column.data), viewAs(Uint32Array, other.data)];
  const [tops, otherTops] = [viewAs(Int32Array, column.data), viewAs(Int32Array, other.data)];
  return (row, otherRow) => {
    const [at, otherAt] = [row * numWords, otherRow * numWords];
    let word = numWords - 1;
    let order = tops[at + word]! - otherTops[otherAt + word]!;
    while (order === 0 && word-- > 0) order = words[at + word]! - otherWords[otherAt + word]!;
    return order;
  };
}
