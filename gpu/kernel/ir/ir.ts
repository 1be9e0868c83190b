/**
 * The fused form of one kernel: structured code for one row, without calls of row functions.
 * `lower/` makes it from a `Kernel`, and the emitters print it; none of them knows operations, null
 * rules or Unicode.
 *
 * Scalars are i32 and i64 (both wrap), bool, and f64 in kernels that only the host runs. Targets
 * without 64-bit integers print the IR after `halve/` has made two i32 of each i64. Loads outside
 * of a buffer may return anything but must not fail; lowering never emits one whose value matters.
 * Integer `/` and `%` return 0 for a divisor of 0, and the least i64 divided by -1 wraps.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import type { HostFunction } from "../language/host_functions.ts";
import type { BinaryFn, ConvertFn, UnaryFn } from "../language/operators.ts";

export type { BinaryFn, ConvertFn, OverflowFn, UnaryFn } from "../language/operators.ts";

/** Type of a scalar. */
export type ScalarType = "i32" | "i64" | "bool" | "f64";

/**
 * A place of text bytes: the data of column k (for a list column, the data of its items), or the
 * constants of the kernel.
 */
export type Space =
  | { readonly space: "column"; readonly column: number }
  | { readonly space: "literals" };

/** A call of a function that only the host has: a kernel with one runs as JavaScript. */
export interface HostCall {
  readonly name: HostFunction;
  /** The place of the text that it reads; null if it reads none. */
  readonly space: Space | null;
  /** The start and the stop of a text, if it reads one, then the other arguments. */
  readonly args: readonly Scalar[];
}

/** An expression without side effects. */
export type Scalar =
  | { readonly op: "const"; readonly type: "i32" | "f64"; readonly value: number }
  | { readonly op: "const"; readonly type: "bool"; readonly value: boolean }
  | { readonly op: "const"; readonly type: "i64"; readonly value: bigint }
  /** A local variable, by the name in its `let`. Names are unique in a kernel. */
  | { readonly op: "local"; readonly type: ScalarType; readonly name: string }
  | {
    readonly op: "unary";
    readonly type: ScalarType;
    readonly fn: UnaryFn;
    readonly value: Scalar;
  }
  | {
    readonly op: "binary";
    readonly type: ScalarType;
    readonly fn: BinaryFn;
    readonly left: Scalar;
    readonly right: Scalar;
  }
  | {
    readonly op: "convert";
    readonly type: ScalarType;
    readonly fn: ConvertFn;
    readonly value: Scalar;
  }
  /** Both sides may be evaluated. */
  | {
    readonly op: "select";
    readonly type: ScalarType;
    readonly test: Scalar;
    readonly yes: Scalar;
    readonly no: Scalar;
  }
  /** The byte (0 to 255) at an absolute position of a space. */
  | { readonly op: "byte"; readonly type: "i32"; readonly space: Space; readonly at: Scalar }
  /** The bounds of the row: in the data of a string column, in the items of a list. */
  | { readonly op: "start" | "stop"; readonly type: "i32"; readonly column: number }
  /** Whether the row of a column is not null. Only for columns with a validity bitmap. */
  | { readonly op: "valid"; readonly type: "bool"; readonly column: number }
  /** The row of a bool column. */
  | { readonly op: "bit"; readonly type: "bool"; readonly column: number }
  /**
   * The row of a column of fixed width: word 0 holds the low 32 bits (8 and 16 bit integers are
   * extended by their sign), word 1 the high ones of a 64-bit type; a decimal may have more.
   */
  | {
    readonly op: "word";
    readonly type: "i32";
    readonly column: number;
    readonly word: number;
  }
  /**
   * The row of a column of 64-bit integers, or the bits of a row of float64. `part` counts 64 bits of a
   * decimal of 128 or 256 bits; it is 0 by default.
   */
  | { readonly op: "long"; readonly type: "i64"; readonly column: number; readonly part?: number }
  /** The row of a float column as a float64. Host only. */
  | { readonly op: "float"; readonly type: "f64"; readonly column: number }
  /** The result of a function of the host. */
  | ({ readonly op: "hostCall"; readonly type: "f64" } & HostCall)
  /** The start of item `at` of a list column in the data of its items. */
  | {
    readonly op: "itemStart";
    readonly type: "i32";
    readonly column: number;
    readonly at: Scalar;
  }
  /** Whether item `at` of a list column is not null. */
  | {
    readonly op: "itemValid";
    readonly type: "bool";
    readonly column: number;
    readonly at: Scalar;
  }
  /** An entry of a constant table; `at` is within the table. */
  | { readonly op: "table"; readonly type: "i32"; readonly table: number; readonly at: Scalar }
  /**
   * A word of the scratch of the kernel, anything outside of it. Stores change it, so it only
   * occurs in the value of a `let`, at the place of the read.
   */
  | { readonly op: "scratch"; readonly type: "i32"; readonly at: Scalar };

/**
 * The effect of a loop as a whole, for emitters that know a faster way than rounds; other emitters
 * print the loop as it is. `lower/loop_idioms.ts` has the table.
 */
export type LoopIdiom = Seek | Count | Walk | Match | Follow | Skip | MapBytes;

/**
 * A search in the data of a column: the local `at` moves forward, byte by byte, to the first place
 * up to `last` at which the bytes of the needle start; to some place beyond `last` if there is
 * none. A backward search moves towards the start, so `last` is the lowest place.
 */
export interface Seek {
  readonly does: "seek";
  readonly at: string;
  readonly last: Scalar;
  readonly column: number;
  readonly needle: { readonly space: Space; readonly start: Scalar; readonly stop: Scalar };
  /** The bytes of the needle, at least one; null if they are not known. */
  readonly bytes: Uint8Array | null;
  readonly backward: boolean;
}

/** A forward search with a known needle. */
export type KnownSeek = Seek & { readonly bytes: Uint8Array; readonly backward: false };

/**
 * A count of characters in the data of a column: the local `total` grows by the number of those
 * that begin in the bytes from the local `at` to before `stop`, and `at` moves to `stop`.
 */
export interface Count {
  readonly does: "count";
  readonly total: string;
  readonly at: string;
  readonly stop: Scalar;
  readonly column: number;
}

/**
 * A walk over characters in the data of a column, at least one: the local `at`, to which `base` is
 * added, moves forward over `count` of them, which is also the value of the local `left`, at most
 * to `bound`. Inside of a character, each byte counts as one. A backward walk moves back over
 * `-left` characters, at most to 0, and from inside of a character to its start. `left` is not read
 * again.
 */
export interface Walk {
  readonly does: "walk";
  readonly at: string;
  readonly left: string;
  readonly count: Scalar;
  /** The last place where it may end; 0 for a backward walk. */
  readonly bound: Scalar;
  readonly backward: boolean;
  readonly column: number;
  readonly base: Scalar;
}

/**
 * A comparison of two texts: the local `offset` moves from its value, 0 or more, to the first byte
 * in which they differ, counted from their starts; to `size` if the bytes before it are equal.
 */
export interface Match {
  readonly does: "match";
  readonly offset: string;
  /** At least 0. */
  readonly size: Scalar;
  readonly left: { readonly space: Space; readonly start: Scalar };
  readonly right: { readonly space: Space; readonly start: Scalar };
}

/**
 * A loop that follows states through a table: the local `state` becomes the state after the bytes
 * of a column from the local `at` to before `stop`, or a final state that it reaches before, and
 * `at` moves, at most to `stop`.
 */
export interface Follow {
  readonly does: "follow";
  readonly state: string;
  readonly at: string;
  readonly stop: Scalar;
  readonly column: number;
  readonly table: number;
  /** The first state that is not final. */
  readonly firstOpen: number;
}

/**
 * Passes over bytes of a column, one by one, up to one that stops it: the local `at` moves by 1 as
 * long as it is below `bound`; backward, by -1 as long as it is above.
 */
export interface Skip {
  readonly does: "skip";
  readonly at: string;
  readonly bound: Scalar;
  readonly backward: boolean;
  /** It reads byte `base + at` of a column; backward, the byte before it. */
  readonly column: number;
  readonly base: Scalar;
  /** Whether it stops at a byte: a bool of the local `LOOP_BYTE` and of constants. */
  readonly stops: Scalar;
}

/**
 * Appends a byte for each byte of a part of a column, which depends on that byte alone: the local
 * `at` moves by 1 as long as it is below `bound`, up to a byte that stops it.
 */
export interface MapBytes {
  readonly does: "map";
  readonly at: string;
  readonly bound: Scalar;
  readonly column: number;
  /** Whether it stops at a byte: a bool of the local `LOOP_BYTE` and of constants. */
  readonly stops: Scalar;
  /** The byte to append: an i32 of the local `LOOP_BYTE` and of constants. */
  readonly value: Scalar;
}

/** The bytes [start, stop) of a space; start <= stop. */
export interface ByteRange {
  readonly space: Space;
  readonly start: Scalar;
  readonly stop: Scalar;
}

/** A statement. `break` and `continue` name an enclosing `block` or `loop`. */
export type Stmt =
  /** Declares a mutable local in the enclosing statement list. */
  | { readonly do: "let"; readonly name: string; readonly type: ScalarType; readonly value: Scalar }
  | { readonly do: "set"; readonly name: string; readonly value: Scalar }
  | {
    readonly do: "if";
    readonly test: Scalar;
    readonly then: readonly Stmt[];
    readonly else: readonly Stmt[];
  }
  /**
   * Repeats its body while `test` holds (checked before each round); `update` runs after the body
   * and on `continue`.
   */
  | {
    readonly do: "loop";
    readonly label: string;
    readonly test: Scalar;
    readonly body: readonly Stmt[];
    readonly update: readonly Stmt[];
    readonly idiom?: LoopIdiom;
  }
  | { readonly do: "block"; readonly label: string; readonly body: readonly Stmt[] }
  | { readonly do: "break"; readonly label: string }
  | { readonly do: "continue"; readonly label: string }
  /** Appends one byte to the text of the row. */
  | { readonly do: "put"; readonly byte: Scalar }
  /** Appends bytes to the text of the row; `maxBytes` at most, where that is known. */
  | ({ readonly do: "copy"; readonly maxBytes?: number } & ByteRange)
  /**
   * Appends bytes `count` times; none if that is 0 or less. Does the work of `checkRepeat` first.
   */
  | ({ readonly do: "repeat"; readonly count: Scalar } & ByteRange)
  /** Appends the text that a function of the host writes. */
  | ({ readonly do: "hostCall" } & HostCall)
  /** Gives up the row if its text would exceed the limit with `count` times `size` bytes more. */
  | { readonly do: "checkRepeat"; readonly size: Scalar; readonly count: Scalar }
  /** Stores a word of the scratch of the kernel; `at` is within it. */
  | { readonly do: "store"; readonly at: Scalar; readonly value: Scalar }
  /**
   * Begins an item of `bytes` bytes that comes before all others in the list of the row; its text
   * is appended next. Lists in reverse order begin every item with it.
   */
  | { readonly do: "beginItem"; readonly bytes: Scalar }
  /** Ends an item of the list of the row. */
  | { readonly do: "endItem" }
  /** Appends a number to the list of the row. */
  | { readonly do: "number"; readonly value: Scalar }
  /**
   * The value of a row of fixed width: one scalar, whose type for 64 bits is i64 or f64; two i32
   * for 64 bits, or two i64 for 128 bits, low first. Where i64 are halved, twice as many i32.
   */
  | { readonly do: "result"; readonly words: readonly Scalar[] }
  /**
   * A strict call refuses its operands: the batch has no result. Ends the row. Code that computes null
   * rows, whose numbers are arbitrary, may get here without a reason.
   */
  | { readonly do: "fail" }
  /** The row is null; text and items that were already appended are dropped. Ends the row. */
  | { readonly do: "null" };

/**
 * The most bytes of a row's text with repetitions: those of the longest string that V8 can make. A
 * longer text could not be read as a string, and a count of a billion is a mistake that is better
 * reported before memory is allocated.
 */
export const MAX_REPEATED_BYTES: number = 2 ** 29 - 24;

/** The facts that a kernel may assume about a batch; each variant is compiled once. */
export interface Variant {
  /** Every byte of text in every input column of the kernel is below 0x80. */
  readonly ascii: boolean;
  /** For each column number of the program: whether it has a validity bitmap. */
  readonly nullable: readonly boolean[];
  /** Whether floats are compared as f64, which only the host has, instead of by their bits. */
  readonly hasFloats?: boolean;
}

/** A kernel that computes row by row. */
export interface RowKernel {
  readonly kernel: "row";
  readonly label: string;
  /**
   * The numbers of the program's columns that it reads; `column` in the code is an index into this
   * list.
   */
  readonly columns: readonly number[];
  /** The type of each of `columns`. */
  readonly columnTypes: readonly ColumnType[];
  readonly type: ColumnType;
  /** Whether some row can be null. */
  readonly canBeNull: boolean;
  /** The bytes of all literals in sequence. */
  readonly literals: Uint8Array;
  readonly tables: readonly Int32Array[];
  /** The private words that a row reads and stores. Default: none. */
  readonly scratchWords?: number;
  /** The code of one row. Text that nothing is appended to is the empty string. */
  readonly body: readonly Stmt[];
  /** Whether the items of a list come from the last to the first. */
  readonly backward?: boolean;
  /** Whether every byte of the resulting text is known to be below 0x80. */
  readonly ascii?: boolean;
  /** A search without whose hit the row is false, or null where a column is, but no error. */
  readonly neededSeek?: KnownSeek;
}

/**
 * A kernel whose result has the offsets and the validity of its only input, with each byte replaced
 * by another. Only for ASCII text. Both targets run it over words, not over rows.
 */
export interface ByteMapKernel {
  readonly kernel: "byteMap";
  readonly label: string;
  readonly columns: readonly [number];
  readonly type: ColumnType;
  /** 128 entries below 128. */
  readonly map: Uint8Array;
}

/** The input of the emitters, which `lowerKernel` returns. */
export type KernelIR = RowKernel | ByteMapKernel;
