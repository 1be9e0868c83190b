/**
 * The row function: one small function in a subset of TypeScript that computes one row of a string
 * operation. Its source is read with `Function.prototype.toString`, so types are gone and only
 * what the language below has may be used. It runs on the host as JavaScript and on the device as
 * WGSL; every number is a 32-bit signed integer on both.
 *
 * @module
 */

/** A 32-bit signed integer; arithmetic wraps, division truncates, a division by 0 gives 0. */
export type i32 = number;

/**
 * A floating-point number of 64 bits. A row function passes it on and computes nothing with it;
 * operations that do run on the host.
 */
export type f64 = number;

/**
 * A range of bytes of UTF-8 text. Positions are bytes from the start of the view; only `length`
 * and `advance` count code points. Nothing can be read outside of it.
 */
export interface View {
  /** Bytes. */
  readonly size: i32;
  /** Code points. */
  readonly length: i32;
  /** The byte at a position; 0 where there is none. */
  byteAt(position: i32): i32;
  /** The code point that starts at a position; 0 where there is none. */
  charAt(position: i32): i32;
  /** Where the code point after the one at `position` starts; at most `size`. */
  next(position: i32): i32;
  /** Where the code point before `position` starts; at least 0. */
  prev(position: i32): i32;
  /** The position `count` code points further on (back, where negative), within 0 and `size`. */
  advance(position: i32, count: i32): i32;
  /** The bytes from `start` to before `stop`; both are clamped, a crossed range is empty. */
  sub(start: i32, stop: i32): View;
  /** Where `needle` first starts at or after `from` (negative is 0); -1 where it does not. */
  find(needle: View, from: i32): i32;
  /** Where `needle` last starts; -1 where it does not. */
  rfind(needle: View): i32;
  /** Whether the bytes are the same. */
  equals(other: View): boolean;
  /** -1, 0 or 1, by bytes. */
  compare(other: View): i32;
  /** Whether the code point occurs in it. */
  has(char: i32): boolean;
  /**
   * The float64 nearest to the decimal number that the bytes are, as JavaScript's `Number` reads
   * it; NaN where they are none. Only the host has it.
   */
  toFloat(): f64;
  /**
   * The float of so many bits, 16 or 32, that is nearest to the decimal number that the bytes are;
   * an infinity where that is too large. Only the host has it.
   */
  toNarrowFloat(bits: i32): f64;
}

/** Where an operation of kind `map` or `emit` writes its text. */
export interface Sink {
  /** Appends one code point. */
  put(char: i32): void;
  /** Appends the bytes of a view. */
  copy(view: View): void;
  /** Appends the bytes of a view `count` times; nothing where that is 0 or less. */
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
  /** map with state only: returns, and makes nothing of the characters that follow. */
  end(): void;
}

/** Where an operation of kind `list` writes its items: text goes into the item that is open. */
export interface ListSink extends Sink {
  /** Ends the item that is open, empty where nothing was written, and opens the next one. */
  endItem(): void;
  /** Appends the bytes of a view and ends the item. */
  item(view: View): void;
}

/** Where an operation of kind `list` with `items: "i32"` writes its items. */
export interface NumberSink {
  /** Appends an item. */
  item(value: i32): void;
}

/** A list of texts, what an operation with `subject: "list"` works on. */
export interface TextList {
  /** The number of items. */
  readonly size: i32;
  /** The item at an index; empty where it is null and where there is none. */
  at(index: i32): View;
  /** Whether the item at an index is null; also where there is none. */
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
   * Follows the bytes of a view, of which each leads from one state to the next,
   * `state = table.at(state + byte)`, and gives the last state. Every entry of such a table must be
   * a state, which is where 256 entries begin; the state to begin with must be one too.
   */
  follow(view: View, state: i32): i32;
}

/**
 * Private 32-bit integers of a row, which a row function reads and writes by index:
 * `registers.at(i)`, `registers.set(i, value)`. What they hold when a row begins is not
 * defined. A helper that has the same scratch in its constants shares it with its caller.
 */
export interface Scratch {
  /** The number of integers. */
  readonly size: i32;
  /** The integer at an index; 0 outside of the scratch. */
  at(index: i32): i32;
  /** Stores an integer; outside of the scratch nothing happens. */
  set(index: i32, value: i32): void;
}

/** A constant of a row function: a 32-bit integer, a table of them, a text, a helper or scratch. */
export type RowConst = number | Int32Array | string | AnyHelper | Scratch;

/**
 * What an operation works on: text; a list of texts, unless it is a map; or else, as an emit or a
 * measure, a number. `i64` are 64 bits in two halves, the low one first: an integer, a timestamp,
 * or the bits of a float64.
 */
export type SubjectType = "string" | "list" | "bool" | "i32" | "i64" | "f64";

/** Type of the result of a measure. `i64` is returned in two halves, `return [low, high]`. */
export type MeasureType = "i32" | "bool" | "i64" | "f64";

/** Type of a parameter of a row function after the text. */
export type ArgType = "string" | "i32" | "bool";

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
  : i32;

/** Type of a parameter of a helper. */
export type HelperArg = ArgType | "sink";

/** The definition of a helper. */
export interface HelperSpec {
  /** The types of the parameters, in order: a "string" is a view, and only the first can be a sink. */
  readonly args: readonly HelperArg[];
  /** The type of its result; a helper that takes a sink writes, and gives none. */
  readonly returns?: "i32" | "bool";
  /** Read by the last parameter of `row`, as those of a row function are; other helpers too. */
  readonly consts?: Readonly<Record<string, RowConst>>;
  /** `row(...args, consts)`. */
  // deno-lint-ignore no-explicit-any -- its parameters are those that `args` names
  row(...parameters: any[]): number | boolean | void;
}

/** The parameters of a helper, by the types in its spec. */
export type HelperParameters<Args extends readonly HelperArg[]> = {
  readonly [Index in keyof Args]: Args[Index] extends "sink" ? Sink : ParameterIn<Args[Index]>;
};

/** The result of a helper, by the type in its spec. */
export type HelperResult<Returns> = Returns extends "bool" ? boolean
  : Returns extends "i32" ? i32
  : void;

/** A helper as a value, of whatever parameters. */
export interface AnyHelper {
  /** Its definition. */
  readonly helper: HelperSpec;
}

/**
 * A function that row functions share. It stands in their `consts`, and they call it: `isSpace(char)`.
 * `F` is its own type, which its row function has without the parameter for constants.
 *
 * Outside of row functions it can be called with numbers and booleans; the result is the one that
 * the generated code gives.
 */
// deno-lint-ignore no-explicit-any -- as in HelperSpec
export type Helper<F extends (...args: any[]) => number | boolean | void> = F & AnyHelper;

/** Whether a constant of a row function is a helper. */
export function isHelper(value: unknown): value is AnyHelper {
  return typeof value === "function" && "helper" in value;
}

/**
 * What the last parameter of a row function holds, as its spec declares it: the arguments that are
 * known row by row, the constants, the state, and the text around the character of a map that looks.
 */
export type Given<Args, Consts, State, Looks> =
  & { readonly [N in keyof Args as Args[N] extends ArgType ? N : never]: ParameterIn<Args[N]> }
  & ConstsIn<Consts>
  & (keyof State extends never ? unknown : { readonly state: State })
  & (Looks extends true ? { readonly text: View; readonly at: i32 } : unknown);

/** The parameters of a row function, by its kind and what it works on; the last one is what it is given. */
export type RowParameters<Kind, Subject, Items, Given> = [
  ...(Kind extends "view" | "measure" ? []
    : [out: Kind extends "list" ? (Items extends "i32" ? NumberSink : ListSink) : Sink]),
  ...(Kind extends "map" ? [char: i32]
    : Subject extends "string" ? [text: View]
    : Subject extends "list" ? [list: TextList]
    : Subject extends "bool" ? [value: boolean]
    : Subject extends "i64" ? [low: i32, high: i32]
    : [value: i32]),
  given: Given,
];

/** The result of a row function. */
export type RowReturn<Kind, Returns> = Kind extends "map" ? void
  : Kind extends "view" ? View | null
  : Kind extends "emit" | "list" ? void | null
  : Returns extends "bool" ? boolean | null
  : Returns extends "i64" ? readonly [low: i32, high: i32] | null
  : i32 | null;

/** The definition of a row function. */
export interface RowFunctionSpec {
  /** The name in errors and in the labels of kernels. */
  readonly name: string;
  /** The kind of the function: its parameters and its result. */
  readonly kind: RowKind;
  /**
   * What stands in the place of the text; "string" by default. A map takes nothing else, and only
   * an emit or a measure takes a number.
   */
  readonly subject?: SubjectType;
  /** list only: what its items are; "string" by default. */
  readonly items?: ItemType;
  /**
   * list of texts only: whether it gives its items from the last to the first. Each is then one view,
   * `out.item(view)`.
   */
  readonly backward?: boolean;
  /** The parameters after the text (or the character), in order. */
  readonly args?: Readonly<Record<string, ArgType>>;
  /** measure only; "i32" by default. */
  readonly returns?: MeasureType;
  /** Numbers, tables, helpers and scratch that the function finds in its last parameter. */
  readonly consts?: Readonly<Record<string, RowConst>>;
  /**
   * map only: integers that live from character to character of one row, with their values at its
   * start. The function reads and assigns them as `state.name`.
   */
  readonly state?: Readonly<Record<string, i32>>;
  /**
   * map only: the function looks at the characters beside each one, in the `text` of the row, where
   * `char` starts `at` some byte; the last parameter holds both. Text that is still being
   * written becomes a column first, except where it is known to be ASCII and the function does not
   * look beside an ASCII character.
   */
  readonly looks?: boolean;
  /**
   * view and emit: a map, with the same arguments and constants, that computes the same from text
   * that is still being written. Without it such text becomes a column first.
   */
  readonly written?: Pick<RowFunctionSpec, "state" | "row">;
  /**
   * view and measure: `row(text, given)`, emit and list: `row(out, text, given)`, map:
   * `row(out, char, given)`. What is given is taken apart by name: the arguments, the constants and
   * the state, as in `row(out, char, { target, isSpace, state })`. A subject of type i64 takes two
   * parameters, the low half first.
   */
  // deno-lint-ignore no-explicit-any
  row(...parameters: any[]): unknown;
}

/** The type of what a row function gives. */
export function resultOf(
  { kind, returns, items }: Pick<RowFunctionSpec, "kind" | "returns" | "items">,
): RowResult {
  if (kind === "measure") return returns ?? "i32";
  if (kind !== "list") return "string";
  return items === "i32" ? "numbers" : "list";
}

/** A constant after parsing: a helper is a measure without a text. */
export type ParsedConst = number | Int32Array | string | RowFunction | Scratch;

/** A row function that was parsed and checked. Made by `parseRowFunction`. */
export interface RowFunction {
  /** As in its spec. */
  readonly name: string;
  /** As in its spec. */
  readonly kind: RowKind;
  /** The subject, in the place of the text. */
  readonly subject: SubjectType;
  /** As in its spec. */
  readonly backward: boolean;
  /** The parameters after the text (or the character), in order. */
  readonly args: readonly { readonly name: string; readonly type: ArgType }[];
  /** measure: the type of its result; `list` gives a list or numbers, the others give text. */
  readonly returns: RowResult;
  /** Why only the host can run it, if so. */
  readonly hostOnly?: string;
  /** As in its spec, the helpers parsed; empty without. */
  readonly consts: Readonly<Record<string, ParsedConst>>;
  /** Whether it is a map with state, which needs the characters of a row in order. */
  readonly hasState: boolean;
  /** Whether it is a map that looks at the characters beside each one. */
  readonly looks: boolean;
  /** view and emit: a map that computes the same from text that is still being written, or null. */
  readonly written: RowFunction | null;
  /** Whether it can make a null from a row that is not (`return null`). */
  readonly returnsNull: boolean;
  /** The source as `toString` gave it, for errors and for the identity of a kernel. */
  readonly source: string;
  /** The checked body, as `gpu/kernel/parse/row_code.ts` defines it. */
  readonly body: unknown;
}
