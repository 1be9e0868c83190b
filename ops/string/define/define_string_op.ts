/**
 * Defines operations: a name, its arguments, and the row functions that compute it.
 *
 * @module
 */

import { LruCache } from "../../../base/lru_cache.ts";
import {
  type ArgType,
  type Given,
  type i32,
  type ItemType,
  type MeasureType,
  resultOf,
  type RowFunction,
  type RowFunctionSpec,
  type RowKind,
  type RowParameters,
  type RowReturn,
  type Sink,
  type SubjectType,
} from "../../../gpu/kernel/language/row_function.ts";
import { parseRowFunction } from "../../../gpu/kernel/parse/parse_row_function.ts";
import type { Argument, ExprBase, Value } from "../../syntax/expr_base.ts";
import type {
  CallArgs,
  Overload,
  ParameterType,
  RowConsts,
  StringOpParameter,
} from "../../syntax/overload.ts";
import type {
  OverloadedStringOpSpec,
  PlainStringOpSpec,
  StringOp,
  StringOpSpec,
  StringOpSpecBase,
} from "../../syntax/node.ts";

export type {
  ArgumentNode,
  CallArgs,
  Overload,
  ParameterType,
  RowConsts,
} from "../../syntax/overload.ts";
export type { OverloadedStringOpSpec, StringOp, StringOpSpecBase } from "../../syntax/node.ts";

/** A text argument: literal text, or an expression that returns text. */
export type TextArg = string | ExprBase;

/**
 * An integer argument: a 32-bit literal, or an expression that returns an integer of any width. The
 * operation gets the nearest 32-bit integer.
 */
export type IntArg = number | ExprBase;

/** A number as an argument: a literal, or an expression that returns a number. */
export type NumberArg = number | bigint | ExprBase;

/**
 * The arguments of a call of an operation: literals, expressions, or options by name. An exported
 * operation has more exact types.
 */
export type CallArguments<Args> = keyof Args extends never ? [] : (
  | {
    [Name in keyof Args]: Args[Name] extends "string" ? TextArg
      : Args[Name] extends "i32" ? IntArg
      : Args[Name] extends "i64" | "u64" | "f64" ? NumberArg
      : Args[Name] extends "same" ? Value
      : Argument;
  }[keyof Args]
  | object
  | null
  | undefined
)[];

/**
 * A row function and its inputs. No type is written twice: the parameters of `row` follow from the
 * other fields. Constants come before `row` in the source, so that TypeScript has inferred them there.
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
> extends Pick<Overload, "backward" | "check" | "defaults" | "gives" | "refusal"> {
  /**
   * The kind of the function: its parameters and its result. Default: "measure" for a subject that is a
   * number or a boolean; for text and lists it is required.
   */
  readonly kind?: Kind;
  /** The type of the subject. Default: "string". */
  readonly subject?: Subject;
  /** list only: the type of the items; "string" by default. */
  readonly items?: Items;
  /** measure only: the type of the result; "i32" by default. */
  readonly returns?: Returns;
  /** map only: whether the function reads the text around each character. */
  readonly looks?: Looks;
  /** The arguments, in order. The row function gets those whose type is not `literal` or `any`. */
  readonly args?: Args;
  /**
   * Numbers, tables, helpers and scratch, or a function that makes them from the arguments of a call
   * and the time zone of the timestamps that the operation is called on.
   */
  readonly consts?: Consts | ((args: CallArgs, zone?: string) => Consts);
  /** map only: integers that live from character to character, with their initial values. */
  readonly state?: Own;
  /** view and emit: a map that computes the same from text that is still being written. */
  readonly written?: {
    /** Whether the map may be used for a call with these arguments; always, where `when` is missing. */
    when?(args: CallArgs): boolean;
    readonly state?: Written;
    row(out: Sink, char: i32, given: Given<Args, Consts, Written, Looks>): void;
  };
  /** The row function, a method or an arrow function. */
  row(
    ...parameters: RowParameters<Kind, Subject, Items, Given<Args, Consts, Own, Looks>>
  ): RowReturn<Kind, Returns>;
}

/** The number of parsed row functions that an operation keeps, one for each set of literals. */
const MAX_PARSED = 64;

const KINDS: readonly RowKind[] = ["view", "map", "emit", "list", "measure"];

/**
 * Defines an operation from a row function: on text, lists, numbers or booleans.
 *
 * The row function is a method named `row`, in a small subset of TypeScript that
 * docs/kernel-language.md describes; the types of its parameters follow from the rest of the spec.
 * It is checked at its first use, or by `checkStringOp`.
 *
 * @example
 * ```ts
 * import { checkStringOp, defineOp } from "../../../mod.ts";
 *
 * const shout = defineOp({
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
 * const bmi = defineOp({
 *   name: "bmi",
 *   subject: "f64",
 *   args: { height: "f64" },
 *   returns: "f64",
 *   row: (kg, { height }) => kg / (height * height),
 * });
 *
 * [shout, bmi].forEach(checkStringOp);
 * ```
 */
export function defineOp<
  Kind extends RowKind = "measure",
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
/** Defines an operation of several row functions, each written as an `overload`. */
export function defineOp<const Args extends Readonly<Record<string, ParameterType>>>(
  spec: OverloadedStringOpSpec & { readonly args: Args },
): StringOp<CallArguments<Args>>;
export function defineOp(spec: StringOpSpec): StringOp {
  if (!/^[A-Za-z_$][\w$]*$/.test(spec.name ?? "")) {
    throw new TypeError(`An operation needs a name that can be called, not "${spec.name}"`);
  }
  const overloads = "overloads" in spec ? spec.overloads : { row: plainOverload(spec) };
  const parameters = Object.freeze(parametersOf(spec));
  const first = Object.values(overloads)[0];
  if (first === undefined) throw new TypeError(`${spec.name}() has no row function`);
  if (!KINDS.includes(first.kind)) {
    throw new TypeError(`${spec.name}() is of kind ${KINDS.join(", ")}, not "${first.kind}"`);
  }
  const parsed = new LruCache<RowFunction>(MAX_PARSED);

  const op = (text: ExprBase, ...args: readonly unknown[]): ExprBase => {
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
    rowFunction(key: string, args?: CallArgs, zone?: string): RowFunction {
      const overload = overloads[key];
      if (overload === undefined) throw new TypeError(`${spec.name}() has no overload ${key}`);
      const chosen = args === undefined ? overload : overloadFor(overload, args);
      const literals = typeof overload.consts === "function"
        ? `${literalKey(args ?? {})} ${zone ?? ""}`
        : "";
      return parsed.get(
        `${key} ${chosen.written !== undefined} ${literals}`,
        () => parseRowFunction(rowFunctionSpec(spec.name, chosen, args ?? {}, zone)),
      );
    },
  } as const;
  Object.defineProperty(op, "name", { value: spec.name });
  return Object.freeze(Object.assign(op, details)) as StringOp;
}

/**
 * The same function as `defineOp`, under its name from before operations worked on numbers.
 *
 * @example
 * ```ts
 * import { assertStrictEquals } from "@std/assert";
 * import { defineOp, defineStringOp } from "../../../mod.ts";
 *
 * assertStrictEquals(defineStringOp, defineOp);
 * ```
 */
export const defineStringOp: typeof defineOp = defineOp;

/**
 * Defines one row function of an operation that has several; `choose` names one for each call. The
 * types of its parameters follow from the other fields, as in `defineOp`.
 *
 * @example
 * ```ts
 * import { checkStringOp, defineOp, overload } from "../../../mod.ts";
 *
 * const cut = defineOp({
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
  Kind extends RowKind = "measure",
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
  return withKind(spec as PartialOverload);
}

/**
 * Whether a value is a string operation.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isStringOp, operations, withColumns } from "../../../mod.ts";
 *
 * assertEquals([operations[0], withColumns].map(isStringOp), [true, false]);
 * ```
 */
export function isStringOp(value: unknown): value is StringOp {
  return typeof value === "function" && "spec" in value && "rowFunction" in value;
}

/** An overload whose kind may be missing. */
type PartialOverload = Omit<Overload, "kind"> & { readonly kind?: RowKind };

/** Returns an overload with its kind: on a number or a boolean it is "measure" by default. */
function withKind(spec: PartialOverload): Overload {
  const { subject = "string" } = spec;
  const isText = subject === "string" || subject === "list";
  return isText ? spec as Overload : { ...spec, kind: spec.kind ?? "measure" };
}

/** Returns the overload for a call with these arguments: without `written` where `when` refuses. */
function overloadFor(overload: Overload, args: CallArgs): Overload {
  if (overload.written?.when?.(args) !== false) return overload;
  const { written: _, ...rest } = overload;
  return rest;
}

/** Returns the spec of a row function, with its constants for these arguments and this zone. */
function rowFunctionSpec(
  name: string,
  overload: Overload,
  args: CallArgs,
  zone: string | undefined,
): RowFunctionSpec {
  const { defaults = {}, consts, gives: _, check: _c, refusal: _r, ...rest } = overload;
  if (consts === undefined) return { ...rest, name };
  if (typeof consts !== "function") return { ...rest, name, consts };
  const given = Object.entries(args).filter(([, arg]) => arg !== undefined);
  return { ...rest, name, consts: consts({ ...defaults, ...Object.fromEntries(given) }, zone) };
}

/** Returns the row function of a plain operation, without the fields that describe the operation. */
function plainOverload(spec: PlainStringOpSpec): Overload {
  const { name: _, check: _c, isStrict: _i, expand: _x, args = {}, ...told } = spec;
  const {
    group: _g,
    summary: _s,
    details: _d,
    differs: _o,
    accepts: _a,
    examples: _e,
    result: _r,
    ...rest
  } = told;
  const rowArgs = Object.entries(args).flatMap(([name, type]): [string, ArgType][] =>
    type === "literal" || type === "any" || type === "same" ? [] : [[name, type]]
  );
  return withKind({ ...rest, args: Object.fromEntries(rowArgs) });
}

/** Returns the same text for equal literal arguments; expressions do not count. */
function literalKey(args: CallArgs): string {
  return JSON.stringify(args, (_, value) => {
    if (typeof value === "bigint") return `${value}n`;
    return typeof value === "object" && value !== null && "node" in value ? undefined : value;
  });
}

function parametersOf(spec: StringOpSpec): StringOpParameter[] {
  const optional = "overloads" in spec ? spec.optional ?? [] : Object.keys(spec.defaults ?? {});
  return Object.entries(spec.args ?? {}).map(([name, type]) =>
    Object.freeze({ name, type, optional: optional.includes(name) })
  );
}
