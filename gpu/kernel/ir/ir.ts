/**
 * The fused form of one kernel: structured code for one row in which nothing is left to call. The
 * emitters print it; none of them knows anything about operations, nulls rules or Unicode. `lower/`
 * makes it from a `Kernel`.
 *
 * All scalars are i32 (wrapping) or bool; f64 exists for kernels that only the host runs. Loads
 * outside of a buffer may return anything but must not fail; lowering never emits one whose value
 * matters. `/` and `%` give 0 for a divisor of 0.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import type { HostFunction } from "../language/host_functions.ts";

/** Type of a scalar. */
export type ScalarType = "i32" | "bool" | "f64";

/**
 * Where bytes of text lie: in the data of column k (of a list column, in those of its items), or in
 * the constants of the kernel.
 */
export type Space =
  | { readonly space: "column"; readonly column: number }
  | { readonly space: "literals" };

/** Unary operators: of an i32, of its bits, of a bool. */
export type UnaryFn = "-" | "~" | "!";

/** Binary operators. `<u` compares as unsigned; `&&` and `||` take bools and stop early. */
export type BinaryFn =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "&"
  | "|"
  | "^"
  | "<<"
  | ">>"
  | ">>>"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "<u"
  | "&&"
  | "||";

/** A call of what only the host computes: a kernel with one runs as JavaScript. */
export interface HostCall {
  readonly name: HostFunction;
  /** Where the text lies that it reads; null for one that reads none. */
  readonly space: Space | null;
  /** Of a text where it starts and where it stops, then the other arguments. */
  readonly args: readonly Scalar[];
}

/** An expression without side effects. */
export type Scalar =
  | { readonly op: "const"; readonly type: ScalarType; readonly value: number | boolean }
  /** A local variable, by the name that its `let` gave. Names are unique in a kernel. */
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
  /** Where the row starts and stops: in the data of a string column, in the items of a list. */
  | { readonly op: "start" | "stop"; readonly type: "i32"; readonly column: number }
  /** Whether the row of a column is not null. Only for columns with a validity bitmap. */
  | { readonly op: "valid"; readonly type: "bool"; readonly column: number }
  /** The row of a bool column. */
  | { readonly op: "bit"; readonly type: "bool"; readonly column: number }
  /**
   * The row of a column of fixed width: word 0 holds the low 32 bits (8 and 16 bit integers are
   * extended by their sign), word 1 the high ones of a 64-bit type.
   */
  | {
    readonly op: "word";
    readonly type: "i32";
    readonly column: number;
    readonly word: 0 | 1;
  }
  /** The row of a float column as a float64. Host only. */
  | { readonly op: "float"; readonly type: "f64"; readonly column: number }
  /** The value that a function of the host gives. */
  | ({ readonly op: "hostCall"; readonly type: "f64" } & HostCall)
  /** Where item `at` of a list column starts in the data of its items. */
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
  /** Entry of a constant table; `at` is within the table. */
  | { readonly op: "table"; readonly type: "i32"; readonly table: number; readonly at: Scalar }
  /**
   * A word of the scratch of the kernel, anything outside of it. Stores change it, so it only stands
   * in the value of a `let` where it is to be read.
   */
  | { readonly op: "scratch"; readonly type: "i32"; readonly at: Scalar };

/**
 * The effect of a loop as a whole, for an emitter that knows a faster way than rounds; other
 * emitters print the loop as it stands. `lower/loop_idioms.ts` has the table.
 */
export type LoopIdiom = Seek | Count | Walk | Match | Follow | Skip | MapBytes;

/**
 * A search in the data of a column: the local `at` moves on, one byte at a time, to the first place
 * from where it is to `last` at which the bytes of the needle start; to some place beyond `last`
 * where there is none. A backward one moves towards the start, so that `last` is the lowest place.
 */
export interface Seek {
  readonly does: "seek";
  readonly at: string;
  readonly last: Scalar;
  readonly column: number;
  readonly needle: { readonly space: Space; readonly start: Scalar; readonly stop: Scalar };
  /** The bytes of the needle, at least one; null where they are not known. */
  readonly bytes: Uint8Array | null;
  readonly backward: boolean;
}

/** A search whose needle is known and which goes forward. */
export type KnownSeek = Seek & { readonly bytes: Uint8Array; readonly backward: false };

/**
 * A count of characters in the data of a column: the local `total` grows by the number of those that
 * begin in the bytes from where the local `at` is to before `stop`, and `at` moves on to `stop`.
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
 * added, moves on over as many as the local `left` says, which is `count`, at most to `bound`. Inside
 * of a character each byte counts as one. A backward one moves back over as many as `left` is below
 * 0, at most to 0, and from inside of a character to its start. `left` is not read again.
 */
export interface Walk {
  readonly does: "walk";
  readonly at: string;
  readonly left: string;
  readonly count: Scalar;
  /** Where it ends at last; of a backward one, 0. */
  readonly bound: Scalar;
  readonly backward: boolean;
  readonly column: number;
  readonly base: Scalar;
}

/**
 * A comparison of two texts: the local `offset` moves on from where it is, 0 or more, to the first
 * byte in which they differ, counted from their starts; to `size` where the bytes before it do not.
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
 * A walk from state to state of a table: the local `state` becomes the one after the bytes of a column
 * from where the local `at` is to before `stop`, or the same final state, and `at` moves on, at most
 * to `stop`.
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
 * Passes over bytes of a column, one by one, up to one that it stops at: the local `at` moves on by 1
 * as long as it is below `bound`; backward, back by 1 as long as it is above.
 */
export interface Skip {
  readonly does: "skip";
  readonly at: string;
  readonly bound: Scalar;
  readonly backward: boolean;
  /** It looks at byte `base + at` of a column, backward at the one before. */
  readonly column: number;
  readonly base: Scalar;
  /** Whether it stops at a byte: a bool of the local `LOOP_BYTE` and of constants. */
  readonly stops: Scalar;
}

/**
 * Appends a byte for each byte of a part of a column, from it alone: the local `at` moves on by 1 as
 * long as it is below `bound`, up to a byte that it stops at.
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
   * Appends bytes `count` times; none where that is 0 or less. Does what `checkRepeat` does, and
   * does it first.
   */
  | ({ readonly do: "repeat"; readonly count: Scalar } & ByteRange)
  /** Appends the text that a function of the host writes. */
  | ({ readonly do: "hostCall" } & HostCall)
  /** Gives the row up where its text, with `size` bytes `count` times more, is over the limit. */
  | { readonly do: "checkRepeat"; readonly size: Scalar; readonly count: Scalar }
  /** Stores a word of the scratch of the kernel; `at` is within it. */
  | { readonly do: "store"; readonly at: Scalar; readonly value: Scalar }
  /**
   * Begins an item of so many bytes that comes before all others of the list of the row; its text is
   * appended next. Every item of a list that is given backward begins so.
   */
  | { readonly do: "beginItem"; readonly bytes: Scalar }
  /** Ends an item of the list of the row. */
  | { readonly do: "endItem" }
  /** Appends a number to the list of the row. */
  | { readonly do: "number"; readonly value: Scalar }
  /** The value of the row of a result of fixed width: one scalar, two words, low first, for 64 bits. */
  | { readonly do: "result"; readonly words: readonly Scalar[] }
  /** The row is null; text and items that were already appended are dropped. Ends the row. */
  | { readonly do: "null" };

/**
 * The most bytes that the text of a row may have where something is repeated: those of the longest
 * string that V8 makes. A longer text could not be read as a string, and a count of a thousand
 * million is a mistake that is better told before memory is asked for.
 */
export const MAX_REPEATED_BYTES: number = 2 ** 29 - 24;

/** The facts that a kernel may assume about a batch; each variant is compiled once. */
export interface Variant {
  /** Every byte of text in every input column of the kernel is below 0x80. */
  readonly ascii: boolean;
  /** For each column number of the program: whether it has a validity bitmap. */
  readonly nullable: readonly boolean[];
}

/** A kernel that computes row by row. */
export interface RowKernel {
  readonly kernel: "row";
  readonly label: string;
  /** Numbers of the program's columns that it reads; `column` in the code indexes this list. */
  readonly columns: readonly number[];
  /** Type of each of `columns`. */
  readonly columnTypes: readonly ColumnType[];
  readonly type: ColumnType;
  /** Whether some row can be null. */
  readonly canBeNull: boolean;
  /** The bytes of all literals, one after the other. */
  readonly literals: Uint8Array;
  readonly tables: readonly Int32Array[];
  /** Private words that a row reads and stores; none by default. */
  readonly scratchWords?: number;
  /** The code of one row. Text that is appended nowhere is the empty string. */
  readonly body: readonly Stmt[];
  /** Whether the items of a list are given from the last to the first. */
  readonly backward?: boolean;
  /** Whether it is known that every byte of the resulting text is below 0x80. */
  readonly ascii?: boolean;
  /** A search without which the row is false, or null where a column is, but no error. */
  readonly neededSeek?: KnownSeek;
}

/**
 * A kernel whose result has the offsets and the validity of its one input: each byte is replaced
 * by another. Only for ASCII text. For both emitters this is a pass over words, not over rows.
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
