/**
 * The functions of the host that kernels call as JavaScript, by the names of their parameters. They
 * are in `gpu/host/runtime/`. What lies past the end of `out` or `target` they leave out: the kernel
 * notices, and does the row again after growing.
 *
 * @module
 */

/** The functions and their signatures. */
export interface RuntimeFunctions {
  /** A view that reads and writes words at any place. */
  readonly $viewBytes: (bytes: Uint8Array) => DataView;
  /** Copies `size` bytes. */
  readonly $copy: (
    target: DataView,
    at: number,
    source: DataView,
    start: number,
    size: number,
  ) => void;
  /** Appends `source[start, stop)` `count` times, and gives where it ends. */
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
  /** Raises an OverflowError where a row of `bytes` becomes too large by `size` bytes, `count` times. */
  readonly $checkRepeat: (size: number, count: number, row: number, bytes: number) => void;
  /** The next place of a byte; the complement of the first place that was not looked at. */
  readonly $seekByte: (
    text: DataView,
    at: number,
    last: number,
    end: number,
    byte: number,
  ) => number;
  /** The same for two bytes or more. */
  readonly $seekBytes: (
    text: DataView,
    at: number,
    last: number,
    end: number,
    needle: readonly number[],
  ) => number;
  /** The float64 nearest to a decimal number; NaN for other text. */
  readonly $toFloat: (bytes: Uint8Array, start: number, stop: number) => number;
  /** The float of 16 or 32 bits nearest to a decimal number; NaN for other text. */
  readonly $toNarrowFloat: (
    bytes: Uint8Array,
    start: number,
    stop: number,
    bits: number,
  ) => number;
  /** Writes a float as a decimal number, and gives its bytes. */
  readonly $putFloat: (out: Uint8Array, at: number, value: number, bits: 16 | 32 | 64) => number;
  /** Writes text in a normal form of Unicode, and gives its bytes. */
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
