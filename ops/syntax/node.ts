/**
 * The expression tree as a user wrote it: plain frozen data without types, which binding finds against
 * a schema. A call holds its operation, and an operation may expand to a tree, so this file has the
 * types of both; `literal.ts` and `overload.ts` have what does not depend on the tree.
 *
 * @module
 */

import type { DataType } from "apache-arrow";
import type { RowFunction, RowKind } from "../../gpu/kernel/language/row_function.ts";
import type { CompareOp } from "../../gpu/kernel/tree/tree.ts";
import type { DataNode, Literal, LiteralData, LiteralNode } from "./literal.ts";
import type { OperationGroup } from "./operation_group.ts";
import type {
  ArgumentNode,
  CallArgs,
  ConversionSpec,
  Overload,
  ParameterType,
  StringOpParameter,
} from "./overload.ts";
import type { Receiver } from "./receiver.ts";

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
  /** The value that it is called on. */
  readonly text: ExprNode;
  /** The arguments in order; one that was left out is undefined. */
  readonly args: readonly (ExprNode | undefined)[];
  /** The name of one of the columns that the operation returns, where it returns several. */
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

/** The definition of an operation, which `defineStringOp` takes. */
export type StringOpSpec = PlainStringOpSpec | OverloadedStringOpSpec;

/** The part of the definition that every operation has. */
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
  /** The types of literal arguments by name, for signatures: `{ keep: "bool" }`. */
  readonly accepts?: Readonly<Record<string, string>>;
  /** Shown by `sluice ops`, and run by the tests. */
  readonly examples?: readonly StringOpExample[];
  /** The argument that, where it is an expression, is a condition: true, false or null. */
  readonly condition?: string;
  /** Returns the problem with the arguments, if there is one; literal ones are known by value. */
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
  /** The result. */
  readonly result: ExampleValue;
}

/** A value in an example; dates and times are text in ISO form. */
export type ExampleValue = string | number | bigint | boolean | null | readonly ExampleValue[];

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
