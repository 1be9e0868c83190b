/**
 * The functions of the host that JavaScript kernels call, by the names of their parameters. They
 * are in `gpu/host/runtime/`. They do not write past the end of `out` or `target`: the kernel
 * notices that, and computes the row again after growing the array.
 *
 * @module
 */

/** The functions and their signatures. */
export interface RuntimeFunctions {
  /** Returns a view that reads and writes words at any place. */
  readonly $viewBytes: (bytes: Uint8Array) => DataView;
  /** Copies `size` bytes. */
  readonly $copy: (
    target: DataView,
    at: number,
    source: DataView,
    start: number,
    size: number,
  ) => void;
  /** Appends `source[start, stop)` `count` times, and returns the end. */
  readonly $repeat: (
    target: DataView,
    at: number,
    source: DataView,
    start: number,
    stop: number,
    count: number,
    row: number,
    begin: number,
  ) => number;
  /**
   * Throws an OverflowError if a row of `bytes` gets too large with `count` times `size` more
   * bytes.
   */
  readonly $checkRepeat: (size: number, count: number, row: number, bytes: number) => void;
  /** Throws a RefusedError. */
  readonly $fail: () => never;
  /** Returns the next place of a byte, or the complement of the first place that was not tried. */
  readonly $seekByte: (
    text: DataView,
    at: number,
    last: number,
    end: number,
    byte: number,
  ) => number;
  /** Does the same for two bytes or more. */
  readonly $seekBytes: (
    text: DataView,
    at: number,
    last: number,
    end: number,
    needle: readonly number[],
  ) => number;
  /** Returns the float64 nearest to a decimal number; NaN for other text. */
  readonly $toFloat: (bytes: Uint8Array, start: number, stop: number) => number;
  /** Returns the float of 16 or 32 bits nearest to a decimal number; NaN for other text. */
  readonly $toNarrowFloat: (
    bytes: Uint8Array,
    start: number,
    stop: number,
    bits: number,
  ) => number;
  /** Writes a float as a decimal number, and returns its number of bytes. */
  readonly $putFloat: (out: Uint8Array, at: number, value: number, bits: 16 | 32 | 64) => number;
  /** Writes a float by a format, and returns its number of bytes. */
  readonly $putFormatted: (
    out: Uint8Array,
    at: number,
    source: Uint8Array,
    start: number,
    stop: number,
    value: number,
    bits: number,
  ) => number;
  /** Writes an integer in two halves by a format, and returns its number of bytes. */
  readonly $putFormattedInteger: (
    out: Uint8Array,
    at: number,
    source: Uint8Array,
    start: number,
    stop: number,
    low: number,
    high: number,
    signed: number,
  ) => number;
  /** Writes a decimal in four words by a format, and returns its number of bytes. */
  readonly $putFormattedDecimal: (
    out: Uint8Array,
    at: number,
    source: Uint8Array,
    start: number,
    stop: number,
    ...words: number[]
  ) => number;
  /** Writes text in a normal form of Unicode, and returns its number of bytes. */
  readonly $copyNormal: (
    out: Uint8Array,
    at: number,
    source: Uint8Array,
    start: number,
    stop: number,
    form: number,
  ) => number;
  /** Reverses the order of the items [first, stop) of a list, in place. */
  readonly $turn: (data: Uint8Array, ends: Int32Array, first: number, stop: number) => void;
}
