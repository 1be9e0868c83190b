/**
 * Binds operations that reduce the items of a column of lists to one value. What the items come to is an
 * input of the program, like a part of the column, so that kernels see an ordinary column.
 *
 * @module
 */

import { Bool, DataType, type Field, Float64, Int64, Uint64 } from "apache-arrow";
import type { PartStep } from "../../gpu/column/part.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { plainType } from "../../streams/data/plain_schema.ts";
import { columnTypeOf, isText, typeName } from "../batch/arrow_types.ts";
import { max, mean, min, sum } from "../number/list_totals.ts";
import { contains } from "../string/find.ts";
import type { CallNode, ExprNode, StringOp } from "../syntax/node.ts";
import { failAt } from "../syntax/node_place.ts";
import { absentFunction } from "../syntax/other_words.ts";
import { printNode } from "../syntax/print.ts";
import { receiverOf } from "../syntax/receiver.ts";
import { commonType, reasonOf } from "./common_type.ts";
import { classOf, nullTree, type Typed, typedLiteral, whatIs } from "./typed.ts";

const TOTALS: readonly StringOp[] = [sum, min, max, mean];

/** Binds `sum`, `min`, `max`, `mean`, and `contains` of a list; undefined for every other call. */
export function bindList(
  node: CallNode,
  bind: (node: ExprNode) => Typed,
  isLenient: boolean,
): Typed | undefined {
  const isTotal = TOTALS.includes(node.op);
  if (!isTotal && node.op !== contains) return undefined;
  const list = bind(node.text);
  const { type } = list;
  if (list.literal !== null && receiverOf(type) !== "list") {
    if (!isTotal) return undefined;
    const rows = absentFunction(node.op.spec.name);
    const hint = rows === undefined ? "" : `; ${rows}`;
    return failAt(node, `${printNode(node)}: ${whatIs(list)}, not a list${hint}`);
  }
  if (list.literal === null) {
    return isTotal ? { ...typedLiteral(node, null), type: new Int64() } : undefined;
  }
  const [items] = type.children as readonly Field[];
  if (items === undefined) return undefined;
  const item = plainType(items.type);
  if (!isTotal) return bindContains(node, list, item, bind);
  return node.op === sum ? bindSum(node, list, item, isLenient) : bindTotal(node, list, item);
}

function bindSum(node: CallNode, list: Typed, item: DataType, isLenient: boolean): Typed {
  if (DataType.isFloat(item)) {
    return columnOf(node, list, { items: "sum" }, new Float64(), list.nullable);
  }
  if (classOf(item) !== "int") return refuse(node, list, item);
  const isWide = DataType.isInt(item) && !item.isSigned && item.bitWidth === 64;
  const [key, type] = isWide ? ["u64", new Uint64()] as const : ["i64", new Int64()] as const;
  const total = columnOf(node, list, { items: "sum" }, type, list.nullable);
  const overflow = columnOf(node, list, { items: "overflow" }, new Bool(), list.nullable);
  const tree: Tree = {
    node: "call",
    fn: sum.rowFunction(key),
    text: total.tree,
    args: [overflow.tree],
    type: columnTypeOf(type),
    ...(isLenient ? {} : {
      strict: true,
      refusal: `${printNode(node)} does not fit in ${typeName(type)}`,
    }),
  };
  return { node, tree, type, nullable: true };
}

function bindTotal(node: CallNode, list: Typed, item: DataType): Typed {
  const kind = DataType.isFloat(item) ? "float" : classOf(item);
  if (node.op === mean) {
    if (kind !== "int" && kind !== "float") return refuse(node, list, item);
    return columnOf(node, list, { items: "mean" }, new Float64(), true);
  }
  if (kind === "bool" || kind === "decimal" || kind === "other") return refuse(node, list, item);
  return columnOf(node, list, { items: node.op === min ? "min" : "max" }, item, true);
}

/** Binds `contains` of a list whose items are no text to a test for a literal. */
function bindContains(
  node: CallNode,
  list: Typed,
  item: DataType,
  bind: (node: ExprNode) => Typed,
): Typed | undefined {
  const [arg] = node.args;
  if (isText(item) || arg === undefined) return undefined;
  if (["decimal", "other"].includes(classOf(item))) return refuse(node, list, item);
  const value = bind(arg);
  if (value.literal === null) {
    return { node, tree: nullTree(new Bool()), type: new Bool(), nullable: true };
  }
  if (value.literal === undefined) {
    return failAt(
      arg,
      `contains(): target must be a literal for a list of ${typeName(item)}, ${whatIs(value)}`,
    );
  }
  // A column of the type of the items, to which the literal adapts as in a comparison.
  const like: Typed = { node: node.text, tree: nullTree(item), type: item, nullable: true };
  const tree = commonType(like, value)?.right;
  const isNumber = ["int", "float"].includes(classOf(item)) && classOf(value.type) !== "text" &&
    classOf(value.type) !== "bool";
  const isSame = tree?.node === "literal" && JSON.stringify(tree.type) ===
      JSON.stringify(columnTypeOf(item));
  if (!isSame && !isNumber) {
    const hint = reasonOf(like, value);
    return failAt(node, `Cannot look for ${printNode(arg)} in ${typeName(item)} items${hint}`);
  }
  const wanted = isSame && tree.node === "literal" ? tree.value : null;
  return columnOf(node, list, { contains: wanted }, new Bool(), list.nullable);
}

function columnOf(
  node: CallNode,
  { tree, node: whole }: Typed,
  step: PartStep,
  type: DataType,
  nullable: boolean,
): Typed {
  if (tree.node !== "column") {
    const problem = `${
      printNode(whole)
    } is computed, and only a column of lists has a ${node.op.spec.name}`;
    return failAt(
      node,
      `${problem}; make it a column first: with all = ${printNode(whole)} then …`,
    );
  }
  const label = "items" in step && step.items === "overflow"
    ? `overflow of ${printNode(node)}`
    : printNode(node);
  const part: Tree = {
    node: "column",
    index: tree.index,
    type: columnTypeOf(type),
    part: { steps: [...tree.part?.steps ?? [], step], label },
  };
  return { node, tree: part, type, nullable };
}

function refuse(node: CallNode, { node: list }: Typed, item: DataType): never {
  const { name } = node.op.spec;
  return failAt(node, `${name}(${printNode(list)}) does not take items of type ${typeName(item)}`);
}
