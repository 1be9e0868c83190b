/**
 * Columns of numbers as times.
 *
 * @module
 */

import { bitAt } from "../../column/bitmap.ts";
import { type ColumnType, type HostColumn, viewAs } from "../../column/column.ts";
import { type Floats, type NarrowInts, numbersIn } from "../../column/numbers.ts";
import { type TimeForm, Times } from "./times.ts";

/** Returns the rows of a column that are not null, in order; null if no row is null. */
export function presentRows({ length, nullCount, validity }: HostColumn): Int32Array | null {
  if (nullCount === 0 || validity === null) return null;
  const rows = new Int32Array(length - nullCount);
  let count = 0;
  for (let row = 0; row < length; row++) {
    if (bitAt(validity, row) === 1) rows[count++] = row;
  }
  return rows;
}

/**
 * Returns the times of some rows of a column of integers or floats, or of all. Integers of 64 bits have
 * the form `wide`, and floats the form `float`.
 */
export function readTimes(column: HostColumn, form: TimeForm, rows: Int32Array | null): Times {
  const times = form === "wide" ? wideTimes(column) : new Times(floatValues(column), null);
  return rows === null ? times : times.pick(rows);
}

/** Returns numbers as floats; a float64 column shares its memory. */
function floatValues({ type, length, data }: HostColumn): Float64Array {
  if (type.kind === "float" && type.bits === 64) {
    return viewAs(Float64Array, data).subarray(0, length);
  }
  const values = new Float64Array(length);
  values.set(numbers({ type, data }).subarray(0, length));
  return values;
}

function wideTimes({ type, length, data }: HostColumn): Times {
  if (type.kind !== "int") throw new TypeError(`Cannot read ${describe(type)} as wide times`);
  const times = Times.zeros(length, "wide");
  const high = times.high;
  const low = times.low!;
  if (type.bits === 64) {
    const lows = viewAs(Uint32Array, data);
    const highs = type.signed ? viewAs(Int32Array, data) : lows;
    for (let row = 0; row < length; row++) {
      high[row] = highs[2 * row + 1]! * 2 ** 32;
      low[row] = lows[2 * row]!;
    }
    return times;
  }
  const values = numbers({ type, data });
  for (let row = 0; row < length; row++) {
    const value = values[row]!;
    high[row] = value < 0 ? -(2 ** 32) : 0;
    // As in two's complement: the remainder of a negative value counts from -2^32.
    low[row] = value;
  }
  return times;
}

/** Returns the values of a column of at most 32 bits. */
function numbers({ type, data }: Pick<HostColumn, "type" | "data">): NarrowInts | Floats {
  const isNarrow = (type.kind === "int" || type.kind === "float") && type.bits < 64;
  if (!isNarrow) throw new TypeError(`Cannot read ${describe(type)} as times that are floats`);
  return numbersIn(type, data);
}

function describe(type: ColumnType): string {
  return "bits" in type ? `${type.kind}${type.bits}` : type.kind;
}
