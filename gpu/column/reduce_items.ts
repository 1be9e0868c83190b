/**
 * Reduces the items of each list of a column to one value. Null items are skipped; a null list is null.
 *
 * @module
 */

import { type ColumnType, type HostColumn, isNull, viewAs } from "./column.ts";
import { gatherColumn } from "./gather.ts";
import { floatSum } from "./float_sum.ts";
import { type Floats, floatsIn, intsIn, type NarrowInts } from "./numbers.ts";
import { type Value, valueAt } from "./value_at.ts";

/**
 * What the items are reduced to. A sum of integers has 64 bits, and wraps where `overflow` is true. The
 * sum of no items is 0, and there is no min, max or mean of none.
 */
export type Reduction = "sum" | "overflow" | "min" | "max" | "mean";

/** Returns the reduction of each list. The items of a sum or a mean are integers or floats. */
export function reduceItems(list: HostColumn, reduction: Reduction): HostColumn {
  if (reduction === "min" || reduction === "max") return extremes(list, reduction === "max");
  const items = list.children[0]!;
  const { type, data } = items;
  if (type.kind === "float") return floatTotals(list, floatsIn(type, data), reduction === "mean");
  if (type.kind !== "int") throw new TypeError(`Items of kind ${type.kind} have no sum`);
  const totals = type.bits === 64
    ? wideTotals(viewAs(Int32Array, data), type.signed)
    : narrowTotals(intsIn(type, data));
  if (reduction === "mean") return means(list, totals);
  const isUnsigned = type.bits === 64 && !type.signed;
  return reduction === "sum" ? sums(list, totals, isUnsigned) : overflows(list, totals, isUnsigned);
}

/** Returns whether each list has an item that equals a value, of the type of the items; null is in none. */
export function listsWith(list: HostColumn, value: Value): HostColumn {
  const items = list.children[0]!;
  const bits = new Uint8Array(Math.ceil(list.length / 8));
  forItems(list, (row, start, stop) => {
    for (let at = start; at < stop; at++) {
      if (value === null || isNull(items, at) || !isEqual(valueAt(items, at), value)) continue;
      bits[row >> 3]! |= 1 << (row & 7);
      return;
    }
  });
  return ofLists(list, { kind: "bool" }, bits);
}

/** Whether two values are the same; NaN equals itself, and 0 equals -0. */
function isEqual(left: Value, right: Value): boolean {
  return left === right || (Number.isNaN(left) && Number.isNaN(right));
}

/** Calls a function for each list that is not null. */
function forItems(
  list: HostColumn,
  visit: (row: number, start: number, stop: number) => void,
): void {
  const offsets = list.offsets!;
  for (let row = 0; row < list.length; row++) {
    if (!isNull(list, row)) visit(row, offsets[row]!, offsets[row + 1]!);
  }
}

/** A column with a value for each list, null where the list is. */
function ofLists(
  { length, nullCount, validity }: HostColumn,
  type: ColumnType,
  data: Uint8Array,
): HostColumn {
  return {
    place: "host",
    type,
    length,
    nullCount,
    validity: nullCount === 0 ? null : validity,
    data,
    offsets: null,
    children: [],
  };
}

/** Returns the exact total of the items [start, stop) in two parts, high * 2^32 + low. */
type Totals = (items: HostColumn, start: number, stop: number) => Total;

interface Total {
  readonly high: bigint | number;
  /** 32 bits without a sign. */
  readonly low: number;
  /** The number of items that are not null. */
  readonly count: number;
}

const WORD = 2 ** 32;

/** The number of halves of 64-bit integers whose sums are exact in a float64. */
const MOST_ADDED = 2 ** 20;

function narrowTotals(values: NarrowInts): Totals {
  return (items, start, stop) => {
    let sum = 0;
    let count = 0;
    let high = 0;
    for (let at = start; at < stop; at++) {
      if (isNull(items, at)) continue;
      sum += values[at]!;
      // Exact while it is below 2^53, which a million integers do not reach.
      if ((++count & (MOST_ADDED - 1)) !== 0) continue;
      high += Math.floor(sum / WORD);
      sum -= Math.floor(sum / WORD) * WORD;
    }
    const carry = Math.floor(sum / WORD);
    return { high: high + carry, low: sum - carry * WORD, count };
  };
}

function wideTotals(words: Int32Array, isSigned: boolean): Totals {
  return (items, start, stop) => {
    let count = 0;
    let [low, high, whole] = [0, 0, 0n];
    for (let at = start; at < stop; at++) {
      if (isNull(items, at)) continue;
      low += words[2 * at]! >>> 0;
      const upper = words[2 * at + 1]!;
      high += isSigned ? upper : upper >>> 0;
      if ((++count & (MOST_ADDED - 1)) !== 0) continue;
      const carry = Math.floor(low / WORD);
      whole += BigInt(high + carry);
      [low, high] = [low - carry * WORD, 0];
    }
    const carry = Math.floor(low / WORD);
    const top = high + carry;
    return { high: whole === 0n ? top : whole + BigInt(top), low: low - carry * WORD, count };
  };
}

function sums(list: HostColumn, totals: Totals, isUnsigned: boolean): HostColumn {
  const words = new Uint32Array(2 * list.length);
  const items = list.children[0]!;
  forItems(list, (row, start, stop) => {
    const { high, low } = totals(items, start, stop);
    words[2 * row] = low;
    // Both take the lowest 32 bits.
    words[2 * row + 1] = typeof high === "number" ? high : Number(BigInt.asUintN(32, high));
  });
  const type = { kind: "int", bits: 64, signed: !isUnsigned } as const;
  return ofLists(list, type, new Uint8Array(words.buffer));
}

function overflows(list: HostColumn, totals: Totals, isUnsigned: boolean): HostColumn {
  const bits = new Uint8Array(Math.ceil(list.length / 8));
  const items = list.children[0]!;
  const end = isUnsigned ? WORD : WORD / 2;
  forItems(list, (row, start, stop) => {
    const { high } = totals(items, start, stop);
    if (high >= end || high < (isUnsigned ? 0 : -end)) bits[row >> 3]! |= 1 << (row & 7);
  });
  return ofLists(list, { kind: "bool" }, bits);
}

/** Returns the total of integers, as the nearest float, by their number. */
function means(list: HostColumn, totals: Totals): HostColumn {
  const items = list.children[0]!;
  return floatsOf(list, (start, stop) => {
    const { high, low, count } = totals(items, start, stop);
    const isExact = typeof high === "number" && Math.abs(high) < 2 ** 20;
    const total = isExact ? high * WORD + low : Number(BigInt(high) * BigInt(WORD) + BigInt(low));
    return count === 0 ? null : total / count;
  });
}

function floatTotals(list: HostColumn, values: Floats, isMean: boolean): HostColumn {
  const items = list.children[0]!;
  return floatsOf(list, (start, stop) => {
    const known: number[] = [];
    for (let at = start; at < stop; at++) if (!isNull(items, at)) known.push(values[at]!);
    if (!isMean) return floatSum(known);
    return known.length === 0 ? null : floatSum(known) / known.length;
  });
}

/** Makes a column of float64; null where there is no value, or no list. */
function floatsOf(
  list: HostColumn,
  valueOf: (start: number, stop: number) => number | null,
): HostColumn {
  const data = new Float64Array(list.length);
  const validity = new Uint8Array(Math.ceil(list.length / 8));
  let numValid = 0;
  forItems(list, (row, start, stop) => {
    const value = valueOf(start, stop);
    if (value === null) return;
    data[row] = value;
    validity[row >> 3]! |= 1 << (row & 7);
    numValid++;
  });
  const nullCount = list.length - numValid;
  return {
    ...ofLists(list, { kind: "float", bits: 64 }, new Uint8Array(data.buffer)),
    nullCount,
    validity: nullCount === 0 ? null : validity,
  };
}

/** Returns the least or the greatest item of each list. NaN is greater than all other numbers. */
function extremes(list: HostColumn, isMax: boolean): HostColumn {
  const items = list.children[0]!;
  const isLess = orderOf(items);
  const selection = new Int32Array(list.length).fill(-1);
  forItems(list, (row, start, stop) => {
    let best = -1;
    for (let at = start; at < stop; at++) {
      if (isNull(items, at)) continue;
      if (best < 0 || (isMax ? isLess(best, at) : isLess(at, best))) best = at;
    }
    selection[row] = best;
  });
  return gatherColumn(items, selection);
}

/** Returns whether an item is less than another one. */
function orderOf({ type, data, offsets }: HostColumn): (left: number, right: number) => boolean {
  if (type.kind === "int" && type.bits === 64) {
    const words = type.signed ? viewAs(BigInt64Array, data) : viewAs(BigUint64Array, data);
    return (left, right) => words[left]! < words[right]!;
  }
  if (type.kind === "int") {
    const values = intsIn(type, data);
    return (left, right) => values[left]! < values[right]!;
  }
  if (type.kind === "float") {
    const values = floatsIn(type, data);
    return (left, right) =>
      values[left]! < values[right]! ||
      (Number.isNaN(values[right]!) && !Number.isNaN(values[left]!));
  }
  if (type.kind !== "string") throw new TypeError(`Items of kind ${type.kind} have no order`);
  return (left, right) => {
    const [start, stop] = [offsets![left]!, offsets![left + 1]!];
    const [other, end] = [offsets![right]!, offsets![right + 1]!];
    const shared = Math.min(stop - start, end - other);
    for (let i = 0; i < shared; i++) {
      if (data[start + i]! !== data[other + i]!) return data[start + i]! < data[other + i]!;
    }
    return stop - start < end - other;
  };
}
