/**
 * String operations: a name, its arguments, and the row functions that compute it.
 *
 * @module
 */

import type { DataType } from "apache-arrow";
import { LruCache } from "../../gpu/lru_cache.ts";
import {
  type ArgType,
  type Given,
  type i32,
  type ItemType,
  type MeasureType,
  resultOf,
  type RowConst,
  type RowFunction,
  type RowFunctionSpec,
  type RowKind,
  type RowParameters,
  type RowReturn,
  type Sink,
  type SubjectType,
} from "../../gpu/kernel/language/row_function.ts";
import { parseRowFunction } from "../../gpu/kernel/parse/parse_row_function.ts";
import type { StringOpExample } from "./example.ts";
import type { Argument, Expr } from "../expr/expr.ts";
import type { ExprNode, LiteralData } from "../expr/node.ts";
import type { Receiver } from "../expr/receiver.ts";
import type { OperationGroup } from "./operation_group.ts";

/** A text argument: literal text, or an expression that gives text. */
export type TextArg = string | Expr;

/**
 * An integer argument: a literal of 32 bits, or an expression that gives an integer of any width, of
 * which the operation gets the nearest one of 32 bits.
 */
export type IntArg = number | Expr;

/**
 * What a call may give for the arguments of an operation: nothing where there are none, else what
 * one of them takes, or options by name. An exported operation says it more exactly.
 */
export type CallArguments<Args> = keyof Args extends never ? [] : (
  | {
    [Name in keyof Args]: Args[Name] extends "string" ? TextArg
      : Args[Name] extends "i32" ? IntArg
      : Argument;
  }[keyof Args]
  | object
  | null
  | undefined
)[];

/**
 * Type of an argument of an operation. A `literal` is known when the expression is compiled: a
 * single value, a list, named values or a regular expression; `any` is a literal or an expression.
 * Row functions get neither; `choose`, `check`, `expand` and `consts` do.
 */
export type ParameterType = ArgType | "literal" | "any";

/** Numbers and tables that a row function reads. */
export type RowConsts = Readonly<Record<string, RowConst>>;

/** One row function of an operation. */
export interface Overload extends Omit<RowFunctionSpec, "name" | "consts" | "written"> {
  /**
   * What the row function reads from its last parameter; a function makes it from the literal
   * arguments of a call and the defaults. It is asked once for equal arguments.
   */
  readonly consts?: RowConsts | ((args: CallArgs) => RowConsts);
  /**
   * measure: the Arrow type of the result, of the width of `returns` (Int32, Boolean, Int64 or
   * Float64 by default). Bits that are returned as an i64 may be those of a Float64. A list with
   * `items: "i32"`: the Arrow type of its items (Int32 by default, else one of 32 bits).
   */
  readonly gives?: DataType;
  /** view and emit: as that of a row function, for the calls of which `when` is true, or for all. */
  readonly written?: NonNullable<RowFunctionSpec["written"]> & { when?(args: CallArgs): boolean };
  /** What stands for an argument that was left out. One without a default must be given. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * The arguments of one call by name: a literal as its value, anything else as its node. One that
 * was left out is undefined.
 */
export type CallArgs = Readonly<Record<string, LiteralData | ArgumentNode | undefined>>;

/** An argument that is an expression, and not known when a call is compiled. */
export interface ArgumentNode {
  /** What it is: `column`, `call`. */
  readonly node: string;
}

/**
 * A row function and what it is given. Each type is said once: the parameters of `row` follow from
 * the rest. Constants come before it in the source, so that TypeScript knows them there.
 */
export interface RowSpec<
  Kind extends RowKind,
  Args extends Readonly<Record<string, ParameterType>>,
  Consts extends RowConsts,
  Own extends Record<string, i32>,
  Written extends Record<string, i32>,
  Subject extends SubjectType,
  Items extends ItemType,
  Returns extends MeasureType,
  Looks extends boolean,
> extends Pick<Overload, "backward" | "defaults" | "gives"> {
  /** What the function is given and what it gives. */
  readonly kind: Kind;
  /** What stands in the place of the text; "string" by default. */
  readonly subject?: Subject;
  /** list only: what its items are; "string" by default. */
  readonly items?: Items;
  /** measure only; "i32" by default. */
  readonly returns?: Returns;
  /** map only: whether the function looks at the characters beside each one. */
  readonly looks?: Looks;
  /** The arguments, in order; the row function gets those that are not of type `literal`. */
  readonly args?: Args;
  /** Numbers, tables, helpers and scratch; a function makes them from the arguments of a call. */
  readonly consts?: Consts | ((args: CallArgs) => Consts);
  /** map only: integers that live from character to character, with their values at the start. */
  readonly state?: Own;
  /** view and emit: a map that computes the same from text that is still being written. */
  readonly written?: {
    /** Whether it holds for a call with these arguments; it does for all without it. */
    when?(args: CallArgs): boolean;
    readonly state?: Written;
    row(out: Sink, char: i32, given: Given<Args, Consts, Written, Looks>): void;
  };
  /** The row function, a method or an arrow function. */
  row(
    ...parameters: RowParameters<Kind, Subject, Items, Given<Args, Consts, Own, Looks>>
  ): RowReturn<Kind, Returns>;
}

/** What every operation tells about itself. */
export interface StringOpSpecBase {
  /** The name in expressions, such as `splitPart`. */
  readonly name: string;
  /** A clause without a period, for `sluice ops`. */
  readonly summary?: string;
  /** Where it is listed; an operation without a group comes last. */
  readonly group?: OperationGroup;
  /** Sentences on what the summary leaves out, for `sluice ops NAME` and the documentation. */
  readonly details?: string;
  /**
   * Where it differs on purpose from what has the same name elsewhere, each a clause that starts
   * with the other's name: "Python: counts from 1".
   */
  readonly differs?: readonly string[];
  /** What literal arguments may be, by their names, for signatures: `{ keep: "bool" }`. */
  readonly accepts?: Readonly<Record<string, string>>;
  /** Shown by `sluice ops`, and run by the tests. */
  readonly examples?: readonly StringOpExample[];
  /** The argument that, where it is an expression, is a condition: true, false or null. */
  readonly condition?: string;
  /** What is wrong with the arguments, if something is; literal ones are known by value. */
  check?(args: CallArgs): string | undefined;
  /** Whether a null that a call with these arguments makes of what is not null is an error. */
  isStrict?(args: CallArgs): boolean;
  /**
   * The columns that a call gives, where it gives several: keys of its overloads. Such a call can
   * only be a whole column of `withColumns`.
   */
  readonly parts?: readonly string[];
  /**
   * Another expression that computes the call, where there is a better one; asked when the types
   * are found. The printed form stays that of the call.
   *
   * @internal
   */
  expand?(text: ExprNode, args: CallArgs): ExprNode | undefined;
}

/** An operation with one row function, whatever its types. */
export interface PlainStringOpSpec extends StringOpSpecBase, Omit<Overload, "args"> {
  /** All arguments, in order; the row function gets those that are not of type `literal`. */
  readonly args?: Readonly<Record<string, ParameterType>>;
}

/** An operation whose arguments decide which row function runs. */
export interface OverloadedStringOpSpec extends StringOpSpecBase {
  /** All arguments, in order. Each overload takes some of them. */
  readonly args: Readonly<Record<string, ParameterType>>;
  /** Arguments that a call may leave out. */
  readonly optional: readonly string[];
  /** The row functions, each by a key that only `choose` names. */
  readonly overloads: Readonly<Record<string, Overload>>;
  /**
   * The key of the overload that computes a call with these arguments on such a receiver, whose
   * Arrow type is `type`; undefined where none does.
   */
  choose(args: CallArgs, on: Receiver, type: DataType): string | undefined;
}

/** What `defineStringOp` takes. */
export type StringOpSpec = PlainStringOpSpec | OverloadedStringOpSpec;

/** A parameter of an operation. */
export interface StringOpParameter {
  /** The name in signatures and errors. */
  readonly name: string;
  /** What it takes. */
  readonly type: ParameterType;
  /** Whether a call may leave it out. */
  readonly optional: boolean;
}

/** The row function that computes one call, and its arguments in order. */
export interface ResolvedCall {
  /** The row function. */
  readonly fn: RowFunction;
  /** Its arguments in order; a default is a plain value. */
  readonly args: readonly (ExprNode | string | number | boolean)[];
  /** The Arrow type of a measure, or of the items of a list, where the operation names it. */
  readonly gives?: DataType;
}

/**
 * A string operation: call it on an expression, `shout(col("name"))`, or give it to the parser of
 * expressions and write `name.shout()`.
 */
// deno-lint-ignore no-explicit-any -- an operation of unknown parameters takes any arguments
export interface StringOp<Args extends readonly unknown[] = any> {
  (text: Expr, ...args: Args): Expr;
  /**
   * What it was defined with.
   *
   * @internal
   */
  readonly spec: StringOpSpec;
  /**
   * The arguments after the text, in order.
   *
   * @internal
   */
  readonly parameters: readonly StringOpParameter[];
  /** The kind of its first row function. */
  readonly kind: RowKind;
  /**
   * The type of its result.
   *
   * @internal
   */
  readonly returns: RowFunction["returns"];
  /**
   * The row functions by the key of their overload; a plain operation has one, `row`.
   *
   * @internal
   */
  readonly overloads: Readonly<Record<string, Overload>>;
  /**
   * Parses and checks one of them for a call, once for equal literal arguments.
   *
   * @internal
   */
  rowFunction(key: string, args?: CallArgs): RowFunction;
}

/** Row functions that an operation keeps, each for other literal arguments. */
const MAX_PARSED = 64;

const KINDS: readonly RowKind[] = ["view", "map", "emit", "list", "measure"];

/**
 * Defines a string operation from a row function.
 *
 * The row function is a method named `row`, in a small subset of TypeScript that
 * docs/kernel-language.md describes; the types of its parameters follow from the rest of the spec.
 * It is checked at its first use, or by `checkStringOp`.
 *
 * @example
 * ```ts
 * import { checkStringOp, defineStringOp } from "../../mod.ts";
 *
 * const shout = defineStringOp({
 *   name: "shout",
 *   kind: "map",
 *   summary: "Doubles exclamation marks",
 *   examples: [{ input: "Hey!", result: "Hey!!" }],
 *   row(out, char) {
 *     out.put(char);
 *     if (char === 0x21) out.put(char);
 *   },
 * });
 *
 * checkStringOp(shout);
 * ```
 */
export function defineStringOp<
  Kind extends RowKind,
  const Args extends Readonly<Record<string, ParameterType>> = Record<never, never>,
  Consts extends RowConsts = Record<never, never>,
  Own extends Record<string, i32> = Record<never, never>,
  Written extends Record<string, i32> = Record<never, never>,
  Subject extends SubjectType = "string",
  Items extends ItemType = "string",
  Returns extends MeasureType = "i32",
  Looks extends boolean = false,
>(
  spec:
    & StringOpSpecBase
    & RowSpec<Kind, Args, Consts, Own, Written, Subject, Items, Returns, Looks>,
): StringOp<CallArguments<Args>>;
/** Defines a string operation of several row functions, each written as an `overload`. */
export function defineStringOp<const Args extends Readonly<Record<string, ParameterType>>>(
  spec: OverloadedStringOpSpec & { readonly args: Args },
): StringOp<CallArguments<Args>>;
export function defineStringOp(spec: StringOpSpec): StringOp {
  if (!/^[A-Za-z_$][\w$]*$/.test(spec.name ?? "")) {
    throw new TypeError(`A string operation needs a name that can be called, not "${spec.name}"`);
  }
  const overloads = "overloads" in spec ? spec.overloads : { row: plainOverload(spec) };
  const parameters = Object.freeze(parametersOf(spec));
  const first = Object.values(overloads)[0];
  if (first === undefined) throw new TypeError(`${spec.name}() has no row function`);
  if (!KINDS.includes(first.kind)) {
    throw new TypeError(`${spec.name}() is of kind ${KINDS.join(", ")}, not "${first.kind}"`);
  }
  const parsed = new LruCache<RowFunction>(MAX_PARSED);

  const op = (text: Expr, ...args: readonly unknown[]): Expr => {
    if (typeof text?.call !== "function") {
      throw new TypeError(`${spec.name}() takes an expression first, such as col("name")`);
    }
    return text.call(op as StringOp, ...(args as Argument[]));
  };
  const details = {
    spec: Object.freeze(spec),
    parameters,
    kind: first.kind,
    returns: resultOf(first),
    overloads,
    rowFunction(key: string, args?: CallArgs): RowFunction {
      const overload = overloads[key];
      if (overload === undefined) throw new TypeError(`${spec.name}() has no overload ${key}`);
      const chosen = args === undefined ? overload : overloadFor(overload, args);
      const literals = typeof overload.consts === "function" ? literalKey(args ?? {}) : "";
      return parsed.get(
        `${key} ${chosen.written !== undefined} ${literals}`,
        () => parseRowFunction(rowFunctionSpec(spec.name, chosen, args ?? {})),
      );
    },
  } as const;
  Object.defineProperty(op, "name", { value: spec.name });
  return Object.freeze(Object.assign(op, details));
}

/**
 * One row function of an operation that has several, of which `choose` names one for a call. The
 * types of its parameters follow from the rest of it, as in `defineStringOp`.
 *
 * @example
 * ```ts
 * import { checkStringOp, defineStringOp, overload } from "../../mod.ts";
 *
 * const cut = defineStringOp({
 *   name: "cut",
 *   args: { start: "i32" },
 *   optional: ["start"],
 *   choose: ({ start }) => start === undefined ? "first" : "from",
 *   examples: [{ input: "abc", result: "bc" }, { input: "abc", args: [2], result: "c" }],
 *   overloads: {
 *     first: overload({ kind: "view", row: (text) => text.sub(text.next(0), text.size) }),
 *     from: overload({
 *       kind: "view",
 *       args: { start: "i32" },
 *       row: (text, { start }) => text.sub(text.advance(0, start), text.size),
 *     }),
 *   },
 * });
 * checkStringOp(cut);
 * ```
 */
export function overload<
  Kind extends RowKind,
  const Args extends Readonly<Record<string, ArgType>> = Record<never, never>,
  Consts extends RowConsts = Record<never, never>,
  Own extends Record<string, i32> = Record<never, never>,
  Written extends Record<string, i32> = Record<never, never>,
  Subject extends SubjectType = "string",
  Items extends ItemType = "string",
  Returns extends MeasureType = "i32",
  Looks extends boolean = false,
>(
  spec: RowSpec<Kind, Args, Consts, Own, Written, Subject, Items, Returns, Looks>,
): Overload {
  return spec as Overload;
}

/**
 * Whether a value is a string operation.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isStringOp, operations, withColumns } from "../../mod.ts";
 *
 * assertEquals([operations[0], withColumns].map(isStringOp), [true, false]);
 * ```
 */
export function isStringOp(value: unknown): value is StringOp {
  return typeof value === "function" && "spec" in value && "rowFunction" in value;
}

/** An overload as it is for a call with these arguments: of text still being written only `when`. */
function overloadFor(overload: Overload, args: CallArgs): Overload {
  if (overload.written?.when?.(args) !== false) return overload;
  const { written: _, ...rest } = overload;
  return rest;
}

/** The spec that the compute layer reads. */
function rowFunctionSpec(name: string, overload: Overload, args: CallArgs): RowFunctionSpec {
  const { defaults = {}, consts, gives: _, ...rest } = overload;
  if (consts === undefined) return { ...rest, name };
  if (typeof consts !== "function") return { ...rest, name, consts };
  const given = Object.entries(args).filter(([, arg]) => arg !== undefined);
  return { ...rest, name, consts: consts({ ...defaults, ...Object.fromEntries(given) }) };
}

/** What a plain operation says of its row function, without what it says of itself. */
function plainOverload(spec: PlainStringOpSpec): Overload {
  const { name: _, check: _c, isStrict: _i, expand: _x, args = {}, ...told } = spec;
  const { group: _g, summary: _s, details: _d, differs: _o, accepts: _a, examples: _e, ...rest } =
    told;
  const rowArgs = Object.entries(args).flatMap(([name, type]): [string, ArgType][] =>
    type === "literal" || type === "any" ? [] : [[name, type]]
  );
  return { ...rest, args: Object.fromEntries(rowArgs) };
}

/** The same text for equal literal arguments; the others do not count. */
function literalKey(args: CallArgs): string {
  return JSON.stringify(args, (_, value) => {
    if (typeof value === "bigint") return `${value}n`;
    return typeof value === "object" && value !== null && "node" in value ? undefined : value;
  });
}

function parametersOf(spec: StringOpSpec): StringOpParameter[] {
  const optional = "overloads" in spec ? spec.optional : Object.keys(spec.defaults ?? {});
  return Object.entries(spec.args ?? {}).map(([name, type]) =>
    Object.freeze({ name, type, optional: optional.includes(name) })
  );
}
