/**
 * The row function: one small function in a subset of TypeScript that computes one row of a string
 * operation. Its source is read with `Function.prototype.toString`, so types are gone, and it may
 * only use the language below. It runs on the host as JavaScript and WebAssembly, and on the device
 * as WGSL, with the same results. A number is a 32-bit integer (`i32`), a 64-bit integer (`i64`, a
 * bigint in TypeScript) or a float64 (`f64`, only on the host); operators take operands of one type.
 *
 * @module
 */

import type { AnyIntrinsic } from "./intrinsics.ts";

/** A 32-bit signed integer; arithmetic wraps, division truncates, a division by 0 returns 0. */
export type i32 = number;

/**
 * A 64-bit integer: with a sign, or for `u64` parameters without one. Arithmetic wraps, division
 * truncates, a division by 0 returns 0; intrinsics such as `addOverflows` tell what does not fit.
 */
export type i64 = bigint;

/**
 * A floating-point number of 64 bits with the arithmetic of IEEE 754. An operation that computes with
 * it runs on the host.
 */
export type f64 = number;

/**
 * A range of bytes of UTF-8 text. Positions are bytes from the start of the view; only `length` and
 * `advance` count code points. Nothing outside of the view can be read.
 */
export interface View {
  /** The number of bytes. */
  readonly size: i32;
  /** The number of code points. */
  readonly length: i32;
  /** Returns the byte at a position; 0 if there is none. */
  byteAt(position: i32): i32;
  /**
   * Returns the four bytes that end `behind` bytes before the end as a word whose lowest byte comes
   * first, with `0` of ASCII for those before `start`; both are at least 0.
   */
  fourDigits(start: i32, behind: i32): i32;
  /** Returns the code point that starts at a position; 0 if there is none. */
  charAt(position: i32): i32;
  /** Returns the start of the code point after the one at `position`; at most `size`. */
  next(position: i32): i32;
  /** Returns the start of the code point before `position`; at least 0. */
  prev(position: i32): i32;
  /** Returns the position `count` code points further (back, if negative), within 0 and `size`. */
  advance(position: i32, count: i32): i32;
  /**
   * Returns the bytes from `start` to before `stop`; both are clamped, and a crossed range is
   * empty.
   */
  sub(start: i32, stop: i32): View;
  /**
   * Returns the first start of `needle` at or after `from` (negative is 0); -1 if there is none.
   */
  find(needle: View, from: i32): i32;
  /** Returns the last start of `needle`; -1 if there is none. */
  rfind(needle: View): i32;
  /** Whether the bytes are the same. */
  equals(other: View): boolean;
  /** Returns -1, 0 or 1, by bytes. */
  compare(other: View): i32;
  /** Whether the code point occurs in it. */
  has(char: i32): boolean;
  /**
   * Returns the float64 nearest to the decimal number in the bytes, as JavaScript's `Number` reads
   * it; NaN for other text. Only the host has it.
   */
  toFloat(): f64;
  /**
   * Returns the float of 16 or 32 `bits` that is nearest to the decimal number in the bytes; an
   * infinity if that is too large. Only the host has it.
   */
  toNarrowFloat(bits: i32): f64;
}

/** The target of the text of a `map` or an `emit` operation. */
export interface Sink {
  /** Appends one code point. */
  put(char: i32): void;
  /** Appends the bytes of a view. */
  copy(view: View): void;
  /** Appends the bytes of a view `count` times; nothing if that is 0 or less. */
  repeat(view: View, count: i32): void;
  /**
   * Appends the text of a view in a normal form of Unicode: 0 is NFC, 1 NFD, 2 NFKC, 3 NFKD. Only
   * the host has it.
   */
  copyNormal(view: View, form: i32): void;
  /**
   * Appends the shortest decimal number that reads back as the same float, as JavaScript and
   * Python write it: `0.1`, `1e+21`, `NaN`, `-Infinity`. Only the host has it.
   */
  putFloat(value: f64): void;
  /**
   * Appends a float by a format such as `.2f`, as Python's `format` writes it. Only the host has it.
   */
  putFormatted(format: View, value: f64): void;
  /**
   * Appends an integer of 64 bits in two halves, with a sign where `signed` is 1, by a format. Only the
   * host has it.
   */
  putFormattedInteger(format: View, low: i32, high: i32, signed: i32): void;
  /**
   * Appends a decimal by a format: its digits in four words, the lowest first, and how many of them are
   * behind the point. Only the host has it.
   */
  putFormattedDecimal(format: View, w0: i32, w1: i32, w2: i32, w3: i32, scale: i32): void;
  /** Only for a map with state: returns, and ignores the characters that follow. */
  end(): void;
}

/** The target of the items of a `list` operation: text goes into the open item. */
export interface ListSink extends Sink {
  /** Ends the open item, which is empty if nothing was written, and opens the next one. */
  endItem(): void;
  /** Appends the bytes of a view and ends the item. */
  item(view: View): void;
}

/** The target of the items of a `list` operation with `items: "i32"`. */
export interface NumberSink {
  /** Appends an item. */
  item(value: i32): void;
}

/** A list of texts: the subject of an operation with `subject: "list"`. */
export interface TextList {
  /** The number of items. */
  readonly size: i32;
  /** Returns the item at an index; empty if it is null or there is none. */
  at(index: i32): View;
  /** Whether the item at an index is null, or there is none. */
  isNull(index: i32): boolean;
}

/**
 * A constant table of 32-bit integers that a row function reads: `table.at(i)`, `table.size`. The
 * library exports it as IntTable, beside the Table of Arrow.
 */
export interface Table {
  /** The number of entries. */
  readonly size: i32;
  /** The entry at an index; 0 outside of the table. */
  at(index: i32): i32;
  /**
   * Follows the bytes of a view, each of which leads from one state to the next,
   * `state = table.at(state + byte)`, and returns the last state. Every entry of such a table has
   * to be a state, that is the index of the first of its 256 entries; so does the first state.
   */
  follow(view: View, state: i32): i32;
}

/**
 * Private 32-bit integers of a row, which a row function reads and writes by index:
 * `registers.at(i)`, `registers.set(i, value)`. Their values at the start of a row are undefined. A
 * helper that has the same scratch in its constants shares it with its caller.
 */
export interface Scratch {
  /** The number of integers. */
  readonly size: i32;
  /** The integer at an index; 0 outside of the scratch. */
  at(index: i32): i32;
  /** Stores an integer; does nothing outside of the scratch. */
  set(index: i32, value: i32): void;
}

/**
 * A constant of a row function: a number (an i32 if it is an integer of 32 bits, else an f64), a bigint
 * of 64 bits, a table of 32-bit integers, a text, a helper, an intrinsic or scratch.
 */
export type RowConst = number | bigint | Int32Array | string | AnyHelper | AnyIntrinsic | Scratch;

/**
 * The subject of an operation: text; a list of texts, unless it is a map; or for an emit or a
 * measure, a number. `u64` is an i64 in the row function, whose bits are an integer without a sign.
 * `words` is 64 bits in two halves, the low one first: an integer, a timestamp, or the bits of a
 * float64. `i128` is the digits of a decimal, or an integer, in two i64, the low one first.
 */
export type SubjectType =
  | ("string" | "list" | "bool" | "i32" | "i64" | "u64" | "f64" | "words")
  | "i128";

/** Type of the result of a measure. `words` and `i128` are returned in two halves, `return [low, high]`. */
export type MeasureType = "i32" | "bool" | "i64" | "u64" | "f64" | "words" | "i128";

/**
 * Type of a parameter of a row function after the text. The high half of an `i128` that is called
 * `other` is called `otherHigh`.
 */
export type ArgType = "string" | "i32" | "bool" | "i64" | "u64" | "f64" | "i128";

/**
 * How an operation composes. `view` returns a part of its input (or null), `map` writes a few
 * characters for each character, `emit` writes anything, `list` writes a list of texts or of
 * integers, `measure` returns a number or a boolean.
 */
export type RowKind = "view" | "map" | "emit" | "list" | "measure";

/** Type of the items of a list: text, or 32 bits that are an integer with or without a sign. */
export type ItemType = "string" | "i32";

/** The result of a row function. `list` is a list of texts, `numbers` a list of 32-bit integers. */
export type RowResult = "string" | "list" | "numbers" | MeasureType;

/** The constants of a row function as it sees them. */
export type ConstsIn<Consts> = {
  readonly [Name in keyof Consts]: Consts[Name] extends Int32Array ? Table
    : Consts[Name] extends string ? View
    : Consts[Name];
};

/** A parameter of a type: text is a view. */
export type ParameterIn<Type> = Type extends "string" ? View
  : Type extends "bool" ? boolean
  : Type extends "i64" | "u64" | "i128" ? i64
  : Type extends "f64" ? f64
  : i32;

/** The type of a parameter of a helper. */
export type HelperArg = Exclude<ArgType, "i128"> | "sink";

/** The definition of a helper. */
export interface HelperSpec {
  /** The types of the parameters, in order: a "string" is a view, and only the first can be a sink. */
  readonly args: readonly HelperArg[];
  /** The type of the result; a helper with a sink writes, and returns nothing. */
  readonly returns?: "i32" | "bool" | "i64" | "f64";
  /** The values in the last parameter of `row`, as for a row function; including other helpers. */
  readonly consts?: Readonly<Record<string, RowConst>>;
  /** `row(...args, consts)`. */
  // deno-lint-ignore no-explicit-any -- its parameters are those that `args` names
  row(...parameters: any[]): number | bigint | boolean | void;
}

/** The parameters of a helper, by the types in its spec. */
export type HelperParameters<Args extends readonly HelperArg[]> = {
  readonly [Index in keyof Args]: Args[Index] extends "sink" ? Sink : ParameterIn<Args[Index]>;
};

/** The result of a helper, by the type in its spec. */
export type HelperResult<Returns> = Returns extends "bool" ? boolean
  : Returns extends "i32" ? i32
  : Returns extends "i64" ? i64
  : Returns extends "f64" ? f64
  : void;

/** A helper as a value, with any parameters. */
export interface AnyHelper {
  /** Its definition. */
  readonly helper: HelperSpec;
}

/**
 * A function that row functions share. It stands in their `consts`, and they call it:
 * `isSpace(char)`. `F` is its own type, which is that of its row function without the parameter for
 * constants.
 *
 * Outside of row functions it can be called with numbers and booleans; the result is that of the
 * generated code.
 */
// deno-lint-ignore no-explicit-any -- as in HelperSpec
export type Helper<F extends (...args: any[]) => number | bigint | boolean | void> = F & AnyHelper;

/** A function of numbers that row functions call, and that computes the same outside of them. */
// deno-lint-ignore no-explicit-any -- as in HelperSpec
export type Intrinsic<F extends (...args: any[]) => number | bigint | boolean> = F & AnyIntrinsic;

/** Whether a constant of a row function is a helper. */
export function isHelper(value: unknown): value is AnyHelper {
  return typeof value === "function" && "helper" in value;
}

/**
 * The type of the last parameter of a row function, as its spec declares it: the arguments that are
 * known row by row, the constants, the state, and the text around the character of a map that
 * looks.
 */
export type Given<Args, Consts, State, Looks> =
  & { readonly [N in keyof Args as Args[N] extends ArgType ? N : never]: ParameterIn<Args[N]> }
  & { readonly [N in keyof Args as Args[N] extends "i128" ? `${N & string}High` : never]: i64 }
  & ConstsIn<Consts>
  & (keyof State extends never ? unknown : { readonly state: State })
  & (Looks extends true ? { readonly text: View; readonly at: i32 } : unknown);

/** The parameters of a row function, by its kind and its subject; the last one is `given`. */
export type RowParameters<Kind, Subject, Items, Given> = [
  ...(Kind extends "view" | "measure" ? []
    : [out: Kind extends "list" ? (Items extends "i32" ? NumberSink : ListSink) : Sink]),
  ...(Kind extends "map" ? [char: i32]
    : Subject extends "string" ? [text: View]
    : Subject extends "list" ? [list: TextList]
    : Subject extends "bool" ? [value: boolean]
    : Subject extends "words" ? [low: i32, high: i32]
    : Subject extends "i128" ? [low: i64, high: i64]
    : Subject extends "i64" | "u64" ? [value: i64]
    : Subject extends "f64" ? [value: f64]
    : [value: i32]),
  given: Given,
];

/** The result of a row function. */
export type RowReturn<Kind, Returns> = Kind extends "map" ? void
  : Kind extends "view" ? View | null
  : Kind extends "emit" | "list" ? void | null
  : Returns extends "bool" ? boolean | null
  : Returns extends "words" ? readonly [low: i32, high: i32] | null
  : Returns extends "i128" ? readonly [low: i64, high: i64] | null
  : Returns extends "i64" | "u64" ? i64 | null
  : Returns extends "f64" ? f64 | null
  : i32 | null;

/** The definition of a row function. */
export interface RowFunctionSpec {
  /** The name in errors and in the labels of kernels. */
  readonly name: string;
  /** The kind of the function: its parameters and its result. */
  readonly kind: RowKind;
  /**
   * The type of the subject. Default: "string". A map takes nothing else, and only an emit or a
   * measure takes a number.
   */
  readonly subject?: SubjectType;
  /** list only: the type of its items. Default: "string". */
  readonly items?: ItemType;
  /**
   * list of texts only: whether the items come from the last to the first. Then each is one view,
   * `out.item(view)`.
   */
  readonly backward?: boolean;
  /** The parameters after the text (or the character), in order. */
  readonly args?: Readonly<Record<string, ArgType>>;
  /** measure only. Default: "i32". */
  readonly returns?: MeasureType;
  /** Numbers, tables, helpers and scratch that the function finds in its last parameter. */
  readonly consts?: Readonly<Record<string, RowConst>>;
  /**
   * map only: integers that live from character to character of one row, with their values at its
   * start. The function reads and assigns them as `state.name`.
   */
  readonly state?: Readonly<Record<string, i32>>;
  /**
   * map only: the function looks at the characters next to each one, in the `text` of the row,
   * where `char` starts at byte `at`; the last parameter has both. Text that is still being written
   * becomes a column first, unless it is known to be ASCII and the function does not look next to
   * an ASCII character.
   */
  readonly looks?: boolean;
  /**
   * view and emit: a map, with the same arguments and constants, that computes the same from text
   * that is still being written. Without it, such text becomes a column first.
   */
  readonly written?: Pick<RowFunctionSpec, "state" | "row">;
  /**
   * view and measure: `row(text, given)`, emit and list: `row(out, text, given)`, map:
   * `row(out, char, given)`. The last parameter is destructured by name: the arguments, the
   * constants and the state, as in `row(out, char, { target, isSpace, state })`. A subject of type
   * words or i128 takes two parameters, the low half first.
   */
  // deno-lint-ignore no-explicit-any
  row(...parameters: any[]): unknown;
}

/** Returns the type of the result of a row function. */
export function resultOf(
  { kind, returns, items }: Pick<RowFunctionSpec, "kind" | "returns" | "items">,
): RowResult {
  if (kind === "measure") return returns ?? "i32";
  if (kind !== "list") return "string";
  return items === "i32" ? "numbers" : "list";
}

/** A constant after parsing: a helper is a measure without a text. */
export type ParsedConst =
  | number
  | bigint
  | Int32Array
  | string
  | RowFunction
  | AnyIntrinsic
  | Scratch;

/** A parsed and checked row function, as `parseRowFunction` returns it. */
export interface RowFunction {
  /** As in its spec. */
  readonly name: string;
  /** As in its spec. */
  readonly kind: RowKind;
  /** The type of the subject. */
  readonly subject: SubjectType;
  /** As in its spec. */
  readonly backward: boolean;
  /** The parameters after the text (or the character), in order. */
  readonly args: readonly { readonly name: string; readonly type: ArgType }[];
  /**
   * The type of the result: that of a measure; a list or numbers for `list`; text for the others.
   */
  readonly returns: RowResult;
  /** The reason why only the host can run it, if there is one. */
  readonly hostOnly?: string;
  /** As in its spec, with parsed helpers; empty without any. */
  readonly consts: Readonly<Record<string, ParsedConst>>;
  /** Whether it is a map with state, which needs the characters of a row in order. */
  readonly hasState: boolean;
  /** Whether it is a map that looks at the characters next to each one. */
  readonly looks: boolean;
  /** view and emit: a map that computes the same from text that is still being written, or null. */
  readonly written: RowFunction | null;
  /** Whether it can return null for a row that is not null. */
  readonly returnsNull: boolean;
  /** The source from `toString`, for errors and for the identity of a kernel. */
  readonly source: string;
  /** The checked body, as `gpu/kernel/parse/row_code.ts` defines it. */
  readonly body: unknown;
}
