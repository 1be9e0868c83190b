/**
 * The expression tree as a user wrote it: plain frozen data without types, which binding derives from
 * a schema. A call holds its operation, and an operation may expand to a tree, so this file declares
 * the types of both. `literal.ts` and `overload.ts` declare the types that do not depend on the tree.
 *
 * @module
 */

import type { DataType } from "apache-arrow";
import type { RowFunction, RowKind } from "../../gpu/kernel/language/row_function.ts";
import type { InfixOperator, PrefixOperator } from "../../gpu/kernel/tree/operator_binding.ts";
import type { CompareOp } from "../../gpu/kernel/tree/tree.ts";
import type { AggregateName } from "./aggregate.ts";
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
  /** The kind of the node. */
  readonly node: "column";
  /** The name of the column. */
  readonly name: string;
  /** The side of a join that has the column; absent for the stream. */
  readonly side?: "right";
}

/** A field of each value of a column of structs. */
export interface FieldNode {
  /** The kind of the node. */
  readonly node: "field";
  /** The structs. */
  readonly value: ExprNode;
  /** The name of the field. */
  readonly name: string;
}

/** A call of a string operation. */
export interface CallNode {
  /** The kind of the node. */
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

/** An aggregate of all rows of a group, which only `group` computes. */
export interface AggregateNode {
  /** The kind of the node. */
  readonly node: "aggregate";
  /** The aggregate. */
  readonly name: AggregateName;
  /** Its arguments, in order. */
  readonly args: readonly ExprNode[];
}

/** A node of an expression. */
export type ExprNode =
  | ColumnNode
  | LiteralNode
  | DataNode
  | FieldNode
  | CallNode
  | AggregateNode
  | { readonly node: "concat"; readonly parts: readonly ExprNode[] }
  | {
    readonly node: "compare";
    readonly op: CompareOp;
    readonly left: ExprNode;
    readonly right: ExprNode;
  }
  | { readonly node: "and" | "or"; readonly left: ExprNode; readonly right: ExprNode }
  | { readonly node: "not" | "isNull" | "orNull"; readonly value: ExprNode }
  | { readonly node: "fillNull"; readonly value: ExprNode; readonly other: ExprNode }
  | { readonly node: "isIn"; readonly value: ExprNode; readonly values: readonly Literal[] }
  | {
    readonly node: "choose";
    readonly test: ExprNode;
    readonly yes: ExprNode;
    readonly no: ExprNode;
  };

/**
 * A string operation. Call it on an expression, `shout(col("name"))`, or pass it to the parser of
 * expressions and write `name.shout()`.
 */
// deno-lint-ignore no-explicit-any -- an operation of unknown parameters takes any arguments
export interface StringOp<Args extends readonly unknown[] = any> {
  <E extends { readonly node: ArgumentNode }>(text: E, ...args: Args): E;
  /**
   * The definition of the operation.
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
   * Parses and checks a row function for a call; the result is cached by literal arguments and zone.
   *
   * @internal
   */
  rowFunction(key: string, args?: CallArgs, zone?: string): RowFunction;
}

/** The definition of an operation, which `defineOp` takes. */
export type StringOpSpec = PlainStringOpSpec | OverloadedStringOpSpec;

/** The part of the definition that every operation has. */
export interface StringOpSpecBase {
  /** The name in expressions, such as `splitPart`. */
  readonly name: string;
  /** A clause without a period, which `sluice ops` lists. */
  readonly summary?: string;
  /** The group in which the operation is listed; an operation without one comes last. */
  readonly group?: OperationGroup;
  /** Sentences that complete the summary, for `sluice ops NAME` and the documentation. */
  readonly details?: string;
  /**
   * Deliberate differences from operations of the same name elsewhere, each a clause that starts with
   * the other's name: "Python: counts from 1".
   */
  readonly differs?: readonly string[];
  /** The types of literal arguments by name, for signatures: `{ keep: "bool" }`. */
  readonly accepts?: Readonly<Record<string, string>>;
  /** Examples that `sluice ops` shows and the tests run. */
  readonly examples?: readonly StringOpExample[];
  /** The name of an argument that, as an expression, is a condition: true, false or null. */
  readonly condition?: string;
  /** Returns the problem with the arguments, if there is one; literals are passed by value. */
  check?(args: CallArgs): string | undefined;
  /**
   * Returns a hint for a type that no row function takes, for errors: `cast("bool") takes it`.
   *
   * @internal
   */
  instead?(type: DataType): string | undefined;
  /** Whether a call with these arguments must fail where it turns a value into null. */
  isStrict?(args: CallArgs): boolean;
  /**
   * The operator that a call is printed with: between two operands, or before one.
   *
   * @internal
   */
  readonly operator?: InfixOperator | PrefixOperator;
  /**
   * Makes the operation a conversion to a type that its arguments name. `choose` is not used then.
   *
   * @internal
   */
  readonly conversion?: ConversionSpec;
  /**
   * The type of the result in signatures, such as "number", where the row functions do not tell it.
   *
   * @internal
   */
  readonly result?: string;
  /**
   * The columns that a call returns, where it returns several: keys of its overloads. Such a call must
   * be the whole expression of a column of `withColumns`.
   */
  readonly parts?: readonly string[];
  /**
   * Returns a better expression for the call, if there is one; binding asks for it. The printed form
   * stays that of the call. `typeOf` returns the Arrow type of the text.
   *
   * @internal
   */
  expand?(text: ExprNode, args: CallArgs, typeOf: () => DataType): ExprNode | undefined;
}

/** An operation with a single row function. */
export interface PlainStringOpSpec extends StringOpSpecBase, Omit<Overload, "args" | "kind"> {
  /** The kind of the row function. Default: "measure" for a subject that is a number or a boolean. */
  readonly kind?: RowKind;
  /** All arguments, in order. The row function gets those whose type is not `literal` or `any`. */
  readonly args?: Readonly<Record<string, ParameterType>>;
}

/** An operation whose arguments decide which row function runs. */
export interface OverloadedStringOpSpec extends StringOpSpecBase {
  /** All arguments, in order. Each overload takes some of them. */
  readonly args: Readonly<Record<string, ParameterType>>;
  /** Arguments that a call may leave out. Default: none. */
  readonly optional?: readonly string[];
  /** The row functions, each by a key that only `choose` names; without it, by a `NumberKey`. */
  readonly overloads: Readonly<Record<string, Overload>>;
  /**
   * Returns the key of the overload that computes a call with these arguments on such a receiver, whose
   * Arrow type is `type`; undefined if no overload does. Without it, the receiver and the arguments of
   * type `same` are numbers, and the type in which they are computed is the key.
   */
  choose?(args: CallArgs, on: Receiver, type: DataType): string | undefined;
  /**
   * Without `choose`: whether a call with these arguments computes with floats even where all numbers
   * are whole.
   */
  asFloat?(args: CallArgs): boolean;
}

/** The types in which numbers are computed; float32 and float16 are `f32`. */
export type NumberKey = "i64" | "u64" | "f64" | "f32";

/** A call of an operation, and its result. */
export interface StringOpExample {
  /**
   * The value that it is called on: text, a 32-bit whole number, a 64-bit big integer, another
   * number, a boolean, a list, or null.
   */
  readonly input: ExampleValue;
  /** An operation that first converts the input to the receiver, such as `toDate`; or several. */
  readonly via?: StringOp | readonly ExampleStep[];
  /** The arguments in order; null leaves one out. */
  readonly args?: readonly LiteralData[];
  /** The result. */
  readonly result: ExampleValue;
}

/** An operation that converts the input of an example, and its arguments. */
export type ExampleStep = readonly [op: StringOp, ...args: LiteralData[]];

/** A value in an example; dates and times are text in ISO form. */
export type ExampleValue = string | number | bigint | boolean | null | readonly ExampleValue[];

/** The fields that hold the children of a node, or lists of them, from left to right. */
const CHILDREN: Readonly<Record<ExprNode["node"], readonly string[]>> = {
  column: [],
  literal: [],
  data: [],
  field: ["value"],
  call: ["text", "args"],
  aggregate: ["args"],
  concat: ["parts"],
  compare: ["left", "right"],
  and: ["left", "right"],
  or: ["left", "right"],
  not: ["value"],
  isNull: ["value"],
  orNull: ["value"],
  isIn: ["value"],
  fillNull: ["value", "other"],
  choose: ["test", "yes", "no"],
};

type Child = ExprNode | undefined | readonly (ExprNode | undefined)[];

function fieldsOf(node: ExprNode): (readonly [name: string, child: Child])[] {
  const fields = node as unknown as Readonly<Record<string, Child>>;
  return CHILDREN[node.node].map((name) => [name, fields[name]]);
}

/** Returns the children of a node, from left to right. */
export function childrenOf(node: ExprNode): readonly ExprNode[] {
  return fieldsOf(node).flatMap(([, child]) => child).filter((child) => child !== undefined);
}

/** Returns the same node with each child replaced by its image under `map`. */
export function mapChildren(node: ExprNode, map: (child: ExprNode) => ExprNode): ExprNode {
  const fields = fieldsOf(node).map(([name, child]) => [
    name,
    child && ("node" in child ? map(child) : child.map((item) => item && map(item))),
  ]);
  return fields.length === 0 ? node : { ...node, ...Object.fromEntries(fields) };
}
