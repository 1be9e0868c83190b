/**
 * Binds the parts of nested columns: the field of a struct, and the item of a list whose items are not
 * text. Each becomes an input of the program, so that kernels see ordinary columns.
 *
 * @module
 */

import { DataType, type Field, type Schema } from "apache-arrow";
import type { PartStep } from "../../gpu/column/part.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { otherNames, showName } from "../../base/nearest_name.ts";
import { hasJsonMark } from "../../streams/data/extension_type.ts";
import { plainType } from "../../streams/data/plain_schema.ts";
import { columnTypeIn, isBinary, isText, typeName } from "../batch/arrow_types.ts";
import { at } from "../string/json/at.ts";
import { type JsonStep, printJsonPath } from "../string/json/json_path.ts";
import { get } from "../string/list.ts";
import { builtInOperations } from "./built_in_operations.ts";
import type { CallNode, ColumnNode, ExprNode, FieldNode } from "../syntax/node.ts";
import { callNode } from "../syntax/call_node.ts";
import { type LiteralNode, literalNode } from "../syntax/literal.ts";
import { checkedAt, failAt } from "../syntax/node_place.ts";
import { printNode } from "../syntax/print.ts";
import { receiverOf } from "../syntax/receiver.ts";
import { classOf, type Typed, whatIs } from "./typed.ts";

/** The columns of the stream, and of the build side of a join. */
interface Columns {
  readonly schema: Schema;
  readonly right: Schema | undefined;
}

/** Binds a field of structs. */
export function bindField(
  node: FieldNode,
  columns: Columns,
  bind: (node: ExprNode) => Typed,
): Typed {
  const json = jsonCall(node, columns);
  if (json !== undefined) return { ...bind(json), node };
  const { name } = node;
  const dotted = dottedColumn(node, columns);
  const hint = dotted === undefined ? "" : `; a column whose name has a dot is written ${dotted}`;
  if (dotted !== undefined && !isColumn(rootOf(node), columns)) {
    failAt(node, `A column whose name has a dot is written ${dotted}`);
  }
  const value = bind(node.value);
  const { type } = value;
  if (!DataType.isStruct(type)) return failAt(node, notStruct(node, value, hint));
  const index = type.children.findIndex((field) => field.name === name);
  const field = type.children[index];
  if (field === undefined) {
    const names = type.children.map((field) => field.name);
    const problem = `Unknown field ${showName(name)} of ${printNode(node.value)}`;
    return failAt(node, problem + otherNames(name, names, "fields") + hint);
  }
  return partOf(node, value, { field: index }, field);
}

/**
 * Binds the item of a list at a literal index, `scores[0]`, where the items are not text; undefined for
 * every other call.
 */
export function bindItem(
  node: CallNode,
  columns: Columns,
  bind: (node: ExprNode) => Typed,
): Typed | undefined {
  const [arg] = node.args;
  if (node.op !== get || arg === undefined) return undefined;
  const json = jsonCall(node, columns);
  if (json !== undefined) return { ...bind(json), node };
  const value = bind(node.text);
  if (value.literal === null || receiverOf(value.type) !== "list") return undefined;
  const [items] = value.type.children as readonly Field[];
  if (items === undefined || isText(items.type)) return undefined;
  const { literal } = bind(arg);
  if (literal === null) return undefined;
  if (typeof literal !== "number" || !Number.isInteger(literal)) {
    const problem = `get(): index must be a whole number, written out, for a list of `;
    return failAt(arg, `${problem}${typeName(items.type)}`);
  }
  return partOf(node, value, { item: literal }, items);
}

function partOf(
  node: FieldNode | CallNode,
  { node: whole, tree, nullable }: Typed,
  step: PartStep,
  field: Field,
): Typed {
  if (tree.node !== "column") {
    const [text, part] = [printNode(whole), "field" in step ? "a field" : "an item"];
    const problem = `${text} is computed, and only a column has ${part}`;
    return failAt(node, `${problem}; make it a column first: with all = ${text} then …`);
  }
  const type = plainType(field.type);
  const label = printNode(node);
  const steps = [...tree.part?.steps ?? [], step];
  const part: Tree = {
    node: "column",
    index: tree.index,
    type: columnTypeIn({ name: label, type }),
    ...(isBinary(type) ? { isBytes: true } : {}),
    part: { steps, label },
  };
  return { node, tree: part, type, nullable: nullable || "item" in step || field.nullable };
}

/**
 * Returns the call that reads a field or an item of a column of JSON text, which NDJSON makes of objects:
 * `address.city` is `address.at("city")` there. Undefined for other columns.
 */
function jsonCall(node: FieldNode | CallNode, columns: Columns): ExprNode | undefined {
  const steps: JsonStep[] = [];
  let root: ExprNode = node;
  for (;;) {
    if (root.node === "field") {
      steps.unshift(root.name);
      root = root.value;
    } else if (root.node === "call" && root.op === get && isWhole(root.args[0])) {
      steps.unshift(root.args[0].value);
      root = root.text;
    } else break;
  }
  const field = root.node === "column" ? columnOf(root, columns) : undefined;
  if (field === undefined || !hasJsonMark(field)) return undefined;
  const path = literalNode(printJsonPath(steps));
  return checkedAt(node, printNode(node), () => callNode(at, root, [path]));
}

function isWhole(node: ExprNode | undefined): node is LiteralNode & { readonly value: number } {
  return node?.node === "literal" && Number.isInteger(node.value);
}

/** Returns the message for a field of a value that is no struct. */
function notStruct({ name }: FieldNode, value: Typed, hint: string): string {
  const whole = printNode(value.node);
  const what = `${whatIs(value)}, which has no fields`;
  if (hint !== "") return what + hint;
  if (builtInOperations.some(({ spec }) => spec.name === name)) {
    return `${name} is an operation; call it: ${whole}.${name}()`;
  }
  if (name === "dt") return `operations on dates need no .dt: ${whole}.month()`;
  if (name === "str") return `operations on text need no .str: ${whole}.length()`;
  const [items] = value.type.children as readonly Field[] ?? [];
  if (receiverOf(value.type) === "list" && DataType.isStruct(items?.type)) {
    return `${what}; its items have: ${printNode(fieldOfFirst(value.node, name))}`;
  }
  const isText = classOf(value.type) === "text";
  return isText ? `${what}; of JSON text it is ${whole}.at(${JSON.stringify(name)})` : what;
}

function fieldOfFirst(list: ExprNode, name: string): ExprNode {
  return { node: "field", value: callNode(get, list, [literalNode(0)]), name };
}

/** Returns the column whose name is the path of a field, `col("a.b")` for `a.b`, if there is one. */
function dottedColumn(node: FieldNode, columns: Columns): string | undefined {
  const names: string[] = [];
  let root: ExprNode = node;
  for (; root.node === "field"; root = root.value) names.unshift(root.name);
  if (root.node !== "column") return undefined;
  const column = { ...root, name: [root.name, ...names].join(".") };
  return isColumn(column, columns) ? printNode(column) : undefined;
}

function rootOf(node: ExprNode): ExprNode {
  return node.node === "field" ? rootOf(node.value) : node;
}

function isColumn(node: ExprNode, columns: Columns): boolean {
  return node.node === "column" && columnOf(node, columns) !== undefined;
}

function columnOf({ name, side }: ColumnNode, { schema, right }: Columns): Field | undefined {
  return (side === undefined ? schema : right)?.fields.find((field) => field.name === name);
}
