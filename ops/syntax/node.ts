/**
 * The expression tree as a user wrote it: plain frozen data, without types, which binding finds
 * against a schema. A call holds its operation, and an operation may put a tree in place of a call,
 * so their types are in one file.
 *
 * @module
 */

import type { DataType } from "apache-arrow";
import type {
  ArgType,
  RowConst,
  RowFunction,
  RowFunctionSpec,
  RowKind,
} from "../../gpu/kernel/language/row_function.ts";
import type { CompareOp } from "../../gpu/kernel/tree/tree.ts";
import type { OperationGroup } from "./operation_group.ts";
import type { Receiver } from "./receiver.ts";

/** A value that is written in an expression. */
export type Literal = string | number | bigint | boolean | null;

/** A regular expression as data: its source and its flags. */
export interface RegexData {
  /** The source between the slashes. */
  readonly regex: string;
  /** The flags after the second slash. */
  readonly flags: string;
}

/** What a literal argument may hold besides a single value: lists, named values, patterns. */
export type LiteralData =
  | Literal
  | RegexData
  | readonly LiteralData[]
  | { readonly [name: string]: LiteralData };

/** A list, named values or a pattern; only an argument of an operation. */
export interface DataNode {
  /** Tells the kind of node. */
  readonly node: "data";
  /** The value as it was written. */
  readonly value: LiteralData;
}

/** A literal. */
export interface LiteralNode {
  /** Tells the kind of node. */
  readonly node: "literal";
  /** The value as it was written. */
  readonly value: Literal;
}

/** A column of the stream, or of the build side of a join. */
export interface ColumnNode {
  /** Tells the kind of node. */
  readonly node: "column";
  /** Its name. */
  readonly name: string;
  /** Whose column it is; absent: the stream's. */
  readonly side?: "right";
}

/** A call of a string operation. */
export interface CallNode {
  /** Tells the kind of node. */
  readonly node: "call";
  /** The operation that is called. */
  readonly op: StringOp;
  /** What it works on. */
  readonly text: ExprNode;
  /** The arguments in order; one that was left out is undefined. */
  readonly args: readonly (ExprNode | undefined)[];
  /** Which of the columns that the operation gives; only where it gives several. */
  readonly part?: string;
}

/** A node of an expression. */
export type ExprNode =
  | ColumnNode
  | LiteralNode
  | DataNode
  | CallNode
  | { readonly node: "concat"; readonly parts: readonly ExprNode[] }
  | { readonly node: "add"; readonly left: ExprNode; readonly right: ExprNode }
  | {
    readonly node: "compare";
    readonly op: CompareOp;
    readonly left: ExprNode;
    readonly right: ExprNode;
  }
  | { readonly node: "and" | "or"; readonly left: ExprNode; readonly right: ExprNode }
  | { readonly node: "not" | "isNull"; readonly value: ExprNode }
  | { readonly node: "fillNull"; readonly value: ExprNode; readonly other: ExprNode }
  | { readonly node: "isIn"; readonly value: ExprNode; readonly values: readonly Literal[] }
  | {
    readonly node: "choose";
    readonly test: ExprNode;
    readonly yes: ExprNode;
    readonly no: ExprNode;
  };

/**
 * A string operation: call it on an expression, `shout(col("name"))`, or give it to the parser of
 * expressions and write `name.shout()`.
 */
// deno-lint-ignore no-explicit-any -- an operation of unknown parameters takes any arguments
export interface StringOp<Args extends readonly unknown[] = any> {
  <E extends { readonly node: ArgumentNode }>(text: E, ...args: Args): E;
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
   * Parses and checks one of them for a call, once for equal literal arguments and one time zone.
   *
   * @internal
   */
  rowFunction(key: string, args?: CallArgs, zone?: string): RowFunction;
}

/** A parameter of an operation. */
export interface StringOpParameter {
  /** The name in signatures and errors. */
  readonly name: string;
  /** What it takes. */
  readonly type: ParameterType;
  /** Whether a call may leave it out. */
  readonly optional: boolean;
}

/** What `defineStringOp` takes. */
export type StringOpSpec = PlainStringOpSpec | OverloadedStringOpSpec;

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
  /**
   * What to write instead for a type that no row function takes, for errors: `cast("bool") takes it`.
   *
   * @internal
   */
  instead?(type: DataType): string | undefined;
  /** Whether a null that a call with these arguments makes of what is not null is an error. */
  isStrict?(args: CallArgs): boolean;
  /**
   * Makes the operation a conversion to a type that its arguments name. Then nothing is asked of
   * `choose`.
   *
   * @internal
   */
  readonly conversion?: ConversionSpec;
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

/** How an operation converts what it is called on to a type that its arguments name. */
export interface ConversionSpec {
  /** The type of what a call gives. */
  type(args: CallArgs): DataType;
  /**
   * The row functions from values of a type to those of another, one after the other; none where the
   * values stay as they are, at most in more bits. A text where there is no way: what the type can be
   * converted to.
   */
  steps(from: DataType, to: DataType): readonly ConversionStep[] | string;
}

/** One row function of a conversion. */
export interface ConversionStep {
  /** The key of its overload. */
  readonly overload: string;
  /** The type of what it gives. */
  readonly type: DataType;
  /** The time zone that its constants are made for. */
  readonly zone?: string;
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
   * arguments of a call and the defaults, and from the time zone of the timestamps that it is called
   * on, if they have one. It is asked once for equal arguments and one zone.
   */
  readonly consts?: RowConsts | ((args: CallArgs, zone?: string) => RowConsts);
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

/** A call of an operation, and what it gives. */
export interface StringOpExample {
  /**
   * What it is called on: text, a whole number of 32 bits, a big integer of 64 bits, another
   * number, a boolean, a list, or null.
   */
  readonly input: ExampleValue;
  /** An operation that makes of the input what this one is called on, such as `toDate`. */
  readonly via?: StringOp;
  /** Arguments in order; null for one that is left out. */
  readonly args?: readonly LiteralData[];
  /** What it gives. */
  readonly result: ExampleValue;
}

/** A value in an example; dates and times are text in ISO form. */
export type ExampleValue = string | number | bigint | boolean | null | readonly ExampleValue[];

/** A literal node; text must be well-formed, since a lone surrogate has no UTF-8. */
export function literalNode(value: Literal): LiteralNode {
  if (typeof value === "string" && !value.isWellFormed()) {
    throw new TypeError("Text with a lone surrogate cannot be written as UTF-8");
  }
  return Object.freeze({ node: "literal", value });
}

/** A literal that is not a single value. Throws a TypeError for what is no data. */
export function dataNode(value: LiteralData): DataNode {
  return Object.freeze({ node: "data", value: frozenData(value) });
}

/** Whether data is a regular expression. */
export function isRegexData(value: unknown): value is RegexData {
  return typeof value === "object" && value !== null && "regex" in value && "flags" in value;
}

function frozenData(value: LiteralData): LiteralData {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenData));
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([name, item]) => [name, frozenData(item)]);
    return Object.freeze(Object.fromEntries(entries));
  }
  if (value === undefined || typeof value === "function" || typeof value === "symbol") {
    throw new TypeError(`A ${typeof value} cannot be written in an expression`);
  }
  return literalNode(value).value;
}

/** The fields that hold the nodes below a node, or lists of them, from left to right. */
const CHILDREN: Readonly<Record<ExprNode["node"], readonly string[]>> = {
  column: [],
  literal: [],
  data: [],
  call: ["text", "args"],
  concat: ["parts"],
  add: ["left", "right"],
  compare: ["left", "right"],
  and: ["left", "right"],
  or: ["left", "right"],
  not: ["value"],
  isNull: ["value"],
  isIn: ["value"],
  fillNull: ["value", "other"],
  choose: ["test", "yes", "no"],
};

type Child = ExprNode | undefined | readonly (ExprNode | undefined)[];

function fieldsOf(node: ExprNode): (readonly [name: string, child: Child])[] {
  const fields = node as unknown as Readonly<Record<string, Child>>;
  return CHILDREN[node.node].map((name) => [name, fields[name]]);
}

/** The nodes directly below a node, left to right. */
export function childrenOf(node: ExprNode): readonly ExprNode[] {
  return fieldsOf(node).flatMap(([, child]) => child).filter((child) => child !== undefined);
}

/** The same node over what `map` makes of the nodes directly below it. */
export function mapChildren(node: ExprNode, map: (child: ExprNode) => ExprNode): ExprNode {
  const fields = fieldsOf(node).map(([name, child]) => [
    name,
    child && ("node" in child ? map(child) : child.map((item) => item && map(item))),
  ]);
  return fields.length === 0 ? node : { ...node, ...Object.fromEntries(fields) };
}
