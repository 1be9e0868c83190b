/**
 * Binds expressions to a schema: names become column numbers, and every node gets a type.
 *
 * @module
 */

import { Bool, type DataType, type Schema, Utf8 } from "apache-arrow";
import type { ColumnType } from "../../gpu/column/column.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { columnTypeIn, columnTypeOf, isBinary } from "../batch/arrow_types.ts";
import { plainType } from "../../streams/data/plain_schema.ts";
import { bindCall } from "./bind_call.ts";
import { bindCompare, bindIsIn } from "./bind_compare.ts";
import { bindDecimals } from "./bind_decimals.ts";
import { bindTimes } from "./bind_times.ts";
import { bindList } from "./bind_list.ts";
import { bindField, bindItem } from "./bind_part.ts";
import { commonType, mixedNumbers, reasonOf } from "./common_type.ts";
import { both, either, isNull, not } from "../../gpu/kernel/tree/branches.ts";
import type { ExprBase } from "../syntax/expr_base.ts";
import { unknownColumn } from "../../base/nearest_name.ts";
import { add } from "../number/arithmetic.ts";
import type { AggregateName } from "../syntax/aggregate.ts";
import type { AggregateNode, CallNode, ColumnNode, ExprNode } from "../syntax/node.ts";
import { failAt } from "../syntax/node_place.ts";
import { valueHint } from "../syntax/other_words.ts";
import { printNode } from "../syntax/print.ts";
import {
  bothTypes,
  classOf,
  nullTree,
  type Typed,
  typedBool,
  typedLiteral,
  whatIs,
} from "./typed.ts";

const STRING: ColumnType = { kind: "string" };

/** A typed expression over the columns of one schema. */
export interface BoundExpr {
  /** The tree, whose columns are numbered as in the schema. */
  readonly tree: Tree;
  /** The Arrow type of the result, without a dictionary. */
  readonly type: DataType;
  /** Whether a row of the result can be null. */
  readonly nullable: boolean;
  /** The names of the columns that it reads, in the order of their first use. */
  readonly columns: readonly string[];
  /** The expression as text. */
  readonly label: string;
}

/**
 * Types an expression. Throws an `ExprError` for an unknown column and for incompatible types. In a
 * condition of a join, `right` is the schema of the build side, whose columns are numbered after
 * those of the stream; elsewhere a column of the build side is an error.
 */
export function bindExpr(expr: ExprBase, schema: Schema, right?: Schema): BoundExpr {
  const columns = new Set<string>();
  const scope: Scope = { schema, right, columns, known: new Map(), isLenient: false };
  const { tree, type, nullable } = bindNode(expr.node, scope);
  return Object.freeze({
    tree,
    type,
    nullable,
    columns: [...columns],
    label: printNode(expr.node),
  });
}

interface Scope {
  readonly schema: Schema;
  readonly right: Schema | undefined;
  readonly columns: Set<string>;
  /** The bound nodes, so that a node with two parents is bound once. */
  readonly known: Map<ExprNode, Typed>;
  /** Whether a call that would fail is null instead: inside of `orNull()`. */
  readonly isLenient: boolean;
}

function bindNode(node: ExprNode, scope: Scope): Typed {
  const bind = (child: ExprNode): Typed => {
    const typed = scope.known.get(child) ?? bindNode(child, scope);
    scope.known.set(child, typed);
    return typed;
  };
  switch (node.node) {
    case "column":
      return bindColumn(node, scope);
    case "literal":
      return typedLiteral(node, node.value);
    case "data":
      return failAt(node, `${printNode(node)} can only be an argument of an operation`);
    case "field":
      return bindField(node, scope, bind);
    case "call":
      return bindItem(node, scope, bind) ?? bindList(node, bind, scope.isLenient) ??
        bindSum(node, bind) ?? bindTimes(node, bind, scope.isLenient) ??
        bindDecimals(node, bind, scope.isLenient) ?? bindCall(node, bind, scope.isLenient);
    case "aggregate":
      return failAt(node, notInGroup(node));
    case "orNull": {
      const typed = bindNode(node.value, { ...scope, known: new Map(), isLenient: true });
      return { ...typed, node };
    }
    case "concat":
      return concatenated(node, node.parts.map(bind), "concat()");
    case "compare":
      return bindCompare(node, bind(node.left), bind(node.right), scope.isLenient);
    case "and":
    case "or": {
      const operator = node.node === "and" ? "&&" : "||";
      const left = condition(bind(node.left), operator);
      const right = condition(bind(node.right), operator);
      const tree = (node.node === "and" ? both : either)(left.tree, right.tree);
      return typedBool(node, tree, left.nullable || right.nullable);
    }
    case "not": {
      const { tree, nullable } = condition(bind(node.value), "!");
      return typedBool(node, not(tree), nullable);
    }
    case "isNull":
      return typedBool(node, isNull(bind(node.value).tree), false);
    case "isIn":
      return bindIsIn(node, bind(node.value));
    case "fillNull":
      return bindFillNull(node, bind(node.value), bind(node.other), scope.isLenient);
    case "choose":
      return bindChoose(node, bind, scope.isLenient);
  }
}

function bindColumn(node: ColumnNode, { schema, right, columns }: Scope): Typed {
  const fields = node.side === undefined ? schema.fields : right?.fields;
  if (fields === undefined) return failAt(node, notInJoin(node));
  const index = fields.findIndex((field) => field.name === node.name);
  const field = fields[index];
  if (field === undefined) {
    const whose = node.side === undefined ? "" : " of the build side";
    const hint = valueHint(node.name);
    if (hint !== "") return failAt(node, `Unknown column ${node.name}${whose}${hint}`);
    return failAt(node, unknownColumn(node.name, fields.map(({ name }) => name), whose));
  }
  columns.add(printNode(node));
  const type = plainType(field.type);
  const tree: Tree = {
    node: "column",
    index: node.side === undefined ? index : schema.fields.length + index,
    type: columnTypeIn({ name: field.name, type }),
    ...(isBinary(type) ? { isBytes: true } : {}),
  };
  return { node, tree, type, nullable: field.nullable };
}

/** Returns the message for a column of the build side where there is no build side. */
function notInJoin(node: ColumnNode): string {
  const text = printNode(node);
  return `${text} is a column of the build side of a join, which only its condition where reads; a ` +
    `column whose name has a dot is written col(${JSON.stringify(text)})`;
}

/** Returns the message for an aggregate where there are no groups. */
function notInGroup(node: AggregateNode): string {
  const inRow = IN_ROW[node.name];
  const hint = inRow === undefined ? "" : `; ${inRow}`;
  return `${printNode(node)} is over many rows: only group computes it${hint}`;
}

/** The operations in a row that have the name of an aggregate. */
const IN_ROW: Partial<Readonly<Record<AggregateName, string>>> = {
  min: "least(a, b) is the lesser one in a row",
  max: "greatest(a, b) is the greater one in a row",
  any: "a || b is true where one of them is",
  all: "a && b is true where both are",
  sum: "list.sum() adds the items of a list in a row",
  mean: "list.mean() is that of a list in a row",
  count: "text.count(part) counts a part in a text",
};

function concatenated(node: ExprNode, parts: readonly Typed[], name: string): Typed {
  for (const part of parts) {
    if (part.literal === null || classOf(part.type) === "text") continue;
    failAt(part.node, `${name} joins text, ${whatIs(part)}`);
  }
  const trees = parts.flatMap(({ tree }) => tree.node === "concat" ? tree.parts : [tree]);
  return {
    node,
    tree: { node: "concat", parts: trees, type: STRING },
    type: new Utf8(),
    nullable: parts.some(({ nullable }) => nullable),
  };
}

/** Binds `a + b` of texts, which joins them; undefined for anything else. */
function bindSum(node: CallNode, bind: (node: ExprNode) => Typed): Typed | undefined {
  const [other] = node.args;
  if (node.op !== add || other === undefined) return undefined;
  const sides = [bind(node.text), bind(other)];
  const isText = sides.every(({ type, literal }) => literal === null || classOf(type) === "text");
  return isText ? concatenated(node, sides, "+") : undefined;
}

function bindFillNull(node: ExprNode, value: Typed, other: Typed, isLenient: boolean): Typed {
  const { type, left, right } = branches(node, value, other, "fillNull()", isLenient);
  const tree: Tree = { node: "fillNull", value: left, other: right, type: columnTypeOf(type) };
  return { node, tree, type, nullable: value.nullable && other.nullable };
}

function bindChoose(
  node: ExprNode & { node: "choose" },
  bind: (node: ExprNode) => Typed,
  isLenient: boolean,
): Typed {
  const test = condition(bind(node.test), "?:");
  const yes = bind(node.yes);
  const no = bind(node.no);
  const { type, left, right } = branches(node, yes, no, "?:", isLenient);
  const tree: Tree = {
    node: "choose",
    test: test.tree,
    yes: left,
    no: right,
    type: columnTypeOf(type),
  };
  return { node, tree, type, nullable: yes.nullable || no.nullable };
}

function branches(
  node: ExprNode,
  left: Typed,
  right: Typed,
  name: string,
  isLenient: boolean,
) {
  const common = commonType(left, right, isLenient) ?? mixedNumbers(left, right);
  if (common !== undefined && classOf(common.type) !== "other") return common;
  const types = bothTypes(left, right);
  return failAt(
    node,
    `${name} needs two values of one type: ${types} have none in common${reasonOf(left, right)}`,
  );
}

function condition(value: Typed, operator: string): Typed {
  if (value.literal === null) return { ...value, tree: nullTree(new Bool()), type: new Bool() };
  if (classOf(value.type) === "bool") return value;
  const hint = operator === "||" && classOf(value.type) === "text" ? "; + joins text" : "";
  return failAt(value.node, `${operator} needs true or false, ${whatIs(value)}${hint}`);
}
