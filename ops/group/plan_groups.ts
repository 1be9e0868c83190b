/**
 * Plans groups: divides expressions over aggregates into the columns that are computed for each row, the
 * aggregates, and the expressions that are computed for each group.
 *
 * @module
 */

import { Field, Schema } from "apache-arrow";
import { bindExpr } from "../expr/bind.ts";
import { col, type Expr, makeExpr } from "../expr/expr.ts";
import { bindKeys, type Key, type KeyColumns } from "../rows/keys.ts";
import { type AggregateNode, childrenOf, type ExprNode, mapChildren } from "../syntax/node.ts";
import { failAt } from "../syntax/node_place.ts";
import { printNode } from "../syntax/print.ts";
import { bindAggregate, type BoundAggregate } from "./bind_aggregate.ts";

/** The keys of groups and the columns of their results, by name. */
export interface GroupSpec {
  readonly keys: ReadonlyMap<string, Expr>;
  readonly columns: ReadonlyMap<string, Expr>;
}

/** An aggregate, and its arguments among the columns of each row. */
export interface PlannedAggregate extends BoundAggregate {
  readonly inputs: readonly number[];
}

/** A plan of groups. */
export interface GroupPlan {
  /** The columns of each row: those of the input, and computed ones. */
  readonly rows: KeyColumns;
  /** The places of the keys among them. */
  readonly keys: readonly number[];
  readonly aggregates: readonly PlannedAggregate[];
  /** The columns of each group: the keys, then the aggregates. */
  readonly groups: Schema;
  /** The columns of the result that are computed from these. */
  readonly results: ReadonlyMap<string, Expr>;
}

/** Binds keys and columns to the schema of the input. Throws an ExprError or a TypeError for mistakes. */
export function planGroups({ keys, columns }: GroupSpec, input: Schema): GroupPlan {
  const calls = distinctAggregates([...columns.values()]);
  const asKey = (node: ExprNode): Key =>
    node.node === "column" && node.side === undefined ? node.name : makeExpr(node);
  const rowNodes = [
    ...[...keys.values()].map(({ node }) => node),
    ...[...calls.values()].flatMap(inputsOf),
  ];
  const rows = bindKeys(rowNodes.map(asKey), input);
  let next = keys.size;
  const aggregates = [...calls].map(([text, call]): PlannedAggregate => {
    const inputs = inputsOf(call).map(() => next++);
    const types = inputs.map((input) => rows.types[input]!);
    const bound = bindAggregate(call, types, isLenient(text));
    return { ...bound, inputs: inputs.map((input) => rows.places[input]!) };
  });
  const keyFields = [...keys.keys()].map((name, index) => {
    const { type, nullable, metadata } = rows.schema.fields[rows.places[index]!]!;
    return new Field(name, type, nullable, metadata);
  });
  const names = hiddenNames([...calls.keys()], [...keys.keys()]);
  const groups = new Schema([
    ...keyFields,
    ...aggregates.map((aggregate, index) => fieldOf(names[index]!, aggregate, rows)),
  ], input.metadata);
  const nameOf = new Map([...calls.keys()].map((text, index) => [text, names[index]!]));
  const results = new Map<string, Expr>();
  for (const [name, { node }] of columns) results.set(name, overGroups(node, nameOf, keys));
  for (const expr of results.values()) bindExpr(expr, groups);
  return { rows, keys: rows.places.slice(0, keys.size), aggregates, groups, results };
}

/** Returns the field of an aggregate. A value of a column keeps its metadata, such as the mark of JSON text. */
function fieldOf(
  name: string,
  { type, nullable, inputs, isValue }: PlannedAggregate,
  { schema: { fields } }: KeyColumns,
): Field {
  return new Field(name, type, nullable, isValue ? fields[inputs[0]!]!.metadata : undefined);
}

/** Whether an expression has an aggregate. */
export function hasAggregate({ node }: { readonly node: ExprNode }): boolean {
  return node.node === "aggregate" ||
    childrenOf(node).some((child) => hasAggregate({ node: child }));
}

/** Returns the arguments of an aggregate that are columns; a share is a constant. */
function inputsOf({ name, args }: AggregateNode): readonly ExprNode[] {
  return name === "quantile" ? args.slice(0, 1) : args;
}

/** The mark of an aggregate inside of `orNull()`, which is null where it would fail. */
const LENIENT = ".orNull()";

function textOf(node: AggregateNode, lenient: boolean): string {
  return printNode(node) + (lenient ? LENIENT : "");
}

function isLenient(text: string): boolean {
  return text.endsWith(LENIENT);
}

/** Returns the aggregates in expressions by their text. */
function distinctAggregates(columns: readonly Expr[]): ReadonlyMap<string, AggregateNode> {
  const calls = new Map<string, AggregateNode>();
  const visit = (node: ExprNode, lenient: boolean): void => {
    if (node.node !== "aggregate") {
      const isInside = lenient || node.node === "orNull";
      return childrenOf(node).forEach((child) => visit(child, isInside));
    }
    const inner = node.args.find((arg) => hasAggregate({ node: arg }));
    if (inner !== undefined) {
      failAt(
        inner,
        `An aggregate of an aggregate takes a second group; ${printNode(node)} has one`,
      );
    }
    calls.set(textOf(node, lenient), node);
  };
  for (const { node } of columns) visit(node, false);
  return calls;
}

/** Returns an expression over the columns of groups in place of one over aggregates and keys. */
function overGroups(
  node: ExprNode,
  nameOf: ReadonlyMap<string, string>,
  keys: ReadonlyMap<string, Expr>,
): Expr {
  const replaced = (node: ExprNode, lenient: boolean): ExprNode => {
    if (node.node === "aggregate") return col(nameOf.get(textOf(node, lenient))!).node;
    if (node.node === "column" && !keys.has(node.name)) {
      const name = printNode(node);
      failAt(
        node,
        `${name} has many values in a group; take one, such as first(${name}), or make it a key`,
      );
    }
    const isInside = lenient || node.node === "orNull";
    return mapChildren(node, (child) => replaced(child, isInside));
  };
  return makeExpr(replaced(node, false));
}

/** Returns names for the columns of aggregates that no key has. */
function hiddenNames(texts: readonly string[], keys: readonly string[]): string[] {
  const taken = new Set(keys);
  return texts.map((text) => {
    let name = text;
    while (taken.has(name)) name += " ";
    taken.add(name);
    return name;
  });
}
