/**
 * Times of an as-of join: numbers of any type in one form that keeps every bit and has an order.
 *
 * A time is a float and a remainder. Floats, and integers of at most 32 bits, are the float alone.
 * Integers of 64 bits are a multiple of 2^32, which a float holds exactly, and the 32 bits below it.
 * The order is that of numbers: -0 is 0, and NaN is equal to itself and comes after all others.
 *
 * @module
 */

/** The form of 64-bit integers: with a remainder. All times that meet have the same form. */
export type TimeForm = "float" | "wide";

/** The rows of sorted times among which others are searched for. */
export interface SearchRange {
  /** Where the search begins: no time that is searched for belongs in front of it. */
  next: number;
  /** Where the rows end. */
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

  /** `length` times of 0. */
  static zeros(length: number, form: TimeForm): Times {
    return new Times(new Float64Array(length), form === "wide" ? new Uint32Array(length) : null);
  }

  get length(): number {
    return this.high.length;
  }

  /** The time of a row: a bigint where it has 64 bits. */
  value(row: number): number | bigint {
    const high = this.high[row]!;
    return this.low === null ? high : BigInt(high) + BigInt(this.low[row]!);
  }

  /** Negative where the time of `row` comes before that of another, 0 where they are equal. */
  compare(row: number, other: Times, otherRow: number): number {
    const mine = this.high[row]!;
    const theirs = other.high[otherRow]!;
    if (mine < theirs) return -1;
    if (mine > theirs) return 1;
    if (mine !== theirs) return Number(Number.isNaN(mine)) - Number(Number.isNaN(theirs));
    return this.low === null ? 0 : this.low[row]! - other.low![otherRow]!;
  }

  /** The first row of (start, stop) that comes before the row in front of it; -1 if there is none. */
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

  /** The times of some rows. */
  pick(rows: Int32Array): Times {
    const { high, low } = this;
    const picked = Times.zeros(rows.length, low === null ? "float" : "wide");
    for (let i = 0; i < rows.length; i++) picked.high[i] = high[rows[i]!]!;
    if (low !== null) {
      for (let i = 0; i < rows.length; i++) picked.low![i] = low[rows[i]!]!;
    }
    return picked;
  }

  /** Times one after the other; those of several parts are copied. */
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

  /** The same times in arrays of another length; new ones are 0. */
  resized(length: number): Times {
    const copy = Times.zeros(length, this.low === null ? "float" : "wide");
    copy.high.set(this.high.subarray(0, length));
    copy.low?.set(this.low!.subarray(0, length));
    return copy;
  }

  /** Gives a row the time of a row of others. */
  copyFrom(row: number, other: Times, otherRow: number): void {
    this.high[row] = other.high[otherRow]!;
    if (this.low !== null) this.low[row] = other.low![otherRow]!;
  }

  /**
   * For each time of `probe` in [start, stop), the first row of the range that comes after it, into
   * `bounds`. These times are sorted. Ends at the first that nothing in the range comes after, whose
   * place is given, or `stop`; `range.next` moves along.
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

  /** The same for the first row of the range that does not come before the time. */
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
        // What comes before a time is what comes up to the time one smaller.
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

  /** Where the rows end that have the same time as `row`, all of which are sorted up to `stop`. */
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

/** The first place of [from, stop) whose time is greater than `time`. */
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

/** The first place of [from, stop) whose time is not less than `time`. */
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

/** The first place of [from, stop) whose time is NaN. */
function passNumbers(high: Float64Array, from: number, stop: number): number {
  return passUpTo(high, from, stop, Infinity);
}

/** The first place of [from, stop) whose time is greater than `time` and its remainder. */
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
