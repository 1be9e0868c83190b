/**
 * Times of an as-of join: numbers of any type in one form that keeps every bit and has an order.
 *
 * A time is a float and a remainder. Floats, and integers of at most 32 bits, are a float only. Integers
 * of 64 bits are a multiple of 2^32, which a float holds exactly, and the 32 bits below it. The order is
 * that of numbers: -0 equals 0, and NaN equals itself and is later than all others.
 *
 * @module
 */

/** The form of times: `wide` ones are 64-bit integers, with a remainder. Both sides have the same form. */
export type TimeForm = "float" | "wide";

/** The range of sorted times that is searched. */
export interface SearchRange {
  /** The place at which the search begins: no searched time belongs before it. */
  next: number;
  /** The end of the range. */
  stop: number;
}

/** Times, none of which is null. */
export class Times {
  readonly high: Float64Array;
  /** The remainders; null for floats. */
  readonly low: Uint32Array | null;

  constructor(high: Float64Array, low: Uint32Array | null) {
    this.high = high;
    this.low = low;
  }

  /** Returns `length` times of 0. */
  static zeros(length: number, form: TimeForm): Times {
    return new Times(new Float64Array(length), form === "wide" ? new Uint32Array(length) : null);
  }

  get length(): number {
    return this.high.length;
  }

  /** Returns the time of a row: a bigint if it has 64 bits. */
  value(row: number): number | bigint {
    const high = this.high[row]!;
    return this.low === null ? high : BigInt(high) + BigInt(this.low[row]!);
  }

  /** Compares the time of `row` with another: negative if it is earlier, 0 if both are equal. */
  compare(row: number, other: Times, otherRow: number): number {
    const mine = this.high[row]!;
    const theirs = other.high[otherRow]!;
    if (mine < theirs) return -1;
    if (mine > theirs) return 1;
    if (mine !== theirs) return Number(Number.isNaN(mine)) - Number(Number.isNaN(theirs));
    return this.low === null ? 0 : this.low[row]! - other.low![otherRow]!;
  }

  /** Returns the first row of (start, stop) that is earlier than the row before it, or -1. */
  firstDescent(start: number, stop: number): number {
    const { high, low } = this;
    for (let row = start + 1; row < stop; row++) {
      const before = high[row - 1]!;
      const time = high[row]!;
      if (time > before) continue;
      if (time === before && (low === null || low[row]! >= low[row - 1]!)) continue;
      if (this.compare(row, this, row - 1) < 0) return row;
    }
    return -1;
  }

  /** Returns the times of some rows. */
  pick(rows: Int32Array): Times {
    const { high, low } = this;
    const picked = Times.zeros(rows.length, low === null ? "float" : "wide");
    for (let i = 0; i < rows.length; i++) picked.high[i] = high[rows[i]!]!;
    if (low !== null) {
      for (let i = 0; i < rows.length; i++) picked.low![i] = low[rows[i]!]!;
    }
    return picked;
  }

  /** Concatenates times; those of several parts are copied. */
  static concat(parts: readonly Times[], form: TimeForm): Times {
    const [only] = parts;
    if (only !== undefined && parts.length === 1) return only;
    const joined = Times.zeros(parts.reduce((sum, { length }) => sum + length, 0), form);
    let at = 0;
    for (const { high, low, length } of parts) {
      joined.high.set(high, at);
      if (low !== null) joined.low!.set(low, at);
      at += length;
    }
    return joined;
  }

  /** Returns the same times in arrays of another length; new times are 0. */
  resized(length: number): Times {
    const copy = Times.zeros(length, this.low === null ? "float" : "wide");
    copy.high.set(this.high.subarray(0, length));
    copy.low?.set(this.low!.subarray(0, length));
    return copy;
  }

  /** Copies the time of a row of others to a row. */
  copyFrom(row: number, other: Times, otherRow: number): void {
    this.high[row] = other.high[otherRow]!;
    if (this.low !== null) this.low[row] = other.low![otherRow]!;
  }

  /**
   * Writes for each of the sorted times of `probe` in [start, stop) the first row of the range that is
   * later to `bounds`. Ends at the first time that no row of the range is later than. Returns its place,
   * or `stop`. `range.next` moves along.
   */
  upperBounds(
    probe: Times,
    start: number,
    stop: number,
    range: SearchRange,
    bounds: Int32Array,
  ): number {
    const { high, low } = this;
    let row = start;
    for (; row < stop; row++) {
      const time = probe.high[row]!;
      if (Number.isNaN(time)) range.next = range.stop;
      else if (low === null) range.next = passUpTo(high, range.next, range.stop, time);
      else {
        range.next = passWideUpTo(high, low, range.next, range.stop, time, probe.low![row]!);
      }
      if (range.next === range.stop) return row;
      bounds[row] = range.next;
    }
    return row;
  }

  /** Does the same for the first row of the range that is not earlier than the time. */
  lowerBounds(
    probe: Times,
    start: number,
    stop: number,
    range: SearchRange,
    bounds: Int32Array,
  ): number {
    const { high, low } = this;
    let row = start;
    for (; row < stop; row++) {
      const time = probe.high[row]!;
      if (Number.isNaN(time)) range.next = passNumbers(high, range.next, range.stop);
      else if (low === null) range.next = passBefore(high, range.next, range.stop, time);
      else {
        // `< t` is `<= t - 1`.
        const remainder = probe.low![row]!;
        range.next = remainder > 0
          ? passWideUpTo(high, low, range.next, range.stop, time, remainder - 1)
          : passBefore(high, range.next, range.stop, time);
      }
      if (range.next === range.stop) return row;
      bounds[row] = range.next;
    }
    return row;
  }

  /** Returns the end of the rows with the time of `row`, in rows that are sorted up to `stop`. */
  endOfEqual(row: number, stop: number): number {
    const time = this.high[row]!;
    if (Number.isNaN(time)) return stop;
    return this.low === null
      ? passUpTo(this.high, row, stop, time)
      : passWideUpTo(this.high, this.low, row, stop, time, this.low[row]!);
  }
}

// The searches gallop: steps that double until they are too far, then halves of the last one. A time
// that lies near costs one or two comparisons, and one that is far the logarithm of its distance.

/** Returns the first place of [from, stop) whose time is greater than `time`. */
function passUpTo(high: Float64Array, from: number, stop: number, time: number): number {
  let low = from;
  let far = from;
  for (let step = 1; far < stop && high[far]! <= time; step *= 2) {
    low = far + 1;
    far += step;
  }
  if (far > stop) far = stop;
  while (low < far) {
    const middle = (low + far) >>> 1;
    if (high[middle]! <= time) low = middle + 1;
    else far = middle;
  }
  return low;
}

/** Returns the first place of [from, stop) whose time is not less than `time`. */
function passBefore(high: Float64Array, from: number, stop: number, time: number): number {
  let low = from;
  let far = from;
  for (let step = 1; far < stop && high[far]! < time; step *= 2) {
    low = far + 1;
    far += step;
  }
  if (far > stop) far = stop;
  while (low < far) {
    const middle = (low + far) >>> 1;
    if (high[middle]! < time) low = middle + 1;
    else far = middle;
  }
  return low;
}

/** Returns the first place of [from, stop) whose time is NaN. */
function passNumbers(high: Float64Array, from: number, stop: number): number {
  return passUpTo(high, from, stop, Infinity);
}

/** Returns the first place of [from, stop) whose time is greater than `time` and its remainder. */
function passWideUpTo(
  high: Float64Array,
  lows: Uint32Array,
  from: number,
  stop: number,
  time: number,
  remainder: number,
): number {
  let low = from;
  let far = from;
  for (
    let step = 1;
    far < stop && (high[far]! < time || (high[far]! === time && lows[far]! <= remainder));
    step *= 2
  ) {
    low = far + 1;
    far += step;
  }
  if (far > stop) far = stop;
  while (low < far) {
    const middle = (low + far) >>> 1;
    if (high[middle]! < time || (high[middle]! === time && lows[middle]! <= remainder)) {
      low = middle + 1;
    } else far = middle;
  }
  return low;
}
