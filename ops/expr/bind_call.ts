/**
 * Calls of string operations: the types of the text, of the arguments and of the result.
 *
 * @module
 */

import { Bool, Int32, Utf8 } from "apache-arrow";
import type { RowFunction } from "../../gpu/kernel/row_function.ts";
import { columnTypeOf, typeName } from "../arrow_types.ts";
import { argsByName, resolveCall } from "./call_node.ts";
import type { CallNode, ExprNode } from "./node.ts";
import { failAt } from "./place.ts";
import { printNode } from "./print.ts";
import { receiverOf } from "./receiver.ts";
import { classOf, nullTree, type Typed, typedLiteral, widened } from "./typed.ts";

/** Binds a call. A null literal for the text or for an argument makes the whole call null. */
export function bindCall(node: CallNode, bind: (node: ExprNode) => Typed): Typed {
  const { name, expand } = node.op.spec;
  const expanded = expand?.(node.text, argsByName(node.op, node.args));
  if (expanded !== undefined) return { ...bind(expanded), node };
  const text = bind(node.text);
  const { fn, args } = resolveCall(node, receiverOf(text.type));
  const type = { string: new Utf8(), bool: new Bool(), i32: new Int32() }[fn.returns];
  if (text.literal !== null && classOf(text.type) !== "text") {
    const label = printNode(node.text);
    failAt(node.text, `${name}(${label}): ${label} is ${typeName(text.type)}, not a string`);
  }
  const bound = args.map((arg, index) => {
    const typed = typeof arg === "object" ? bind(arg) : typedLiteral(node, arg);
    return argument(name, fn.args[index], typed);
  });
  if ([text, ...bound].some(({ literal }) => literal === null)) {
    return { node, tree: nullTree(type), type, nullable: true };
  }
  return {
    node,
    tree: {
      node: "call",
      fn,
      text: text.tree,
      args: bound.map(({ tree }) => tree),
      type: columnTypeOf(type),
    },
    type,
    nullable: fn.returnsNull || [text, ...bound].some(({ nullable }) => nullable),
  };
}

/** An argument of a call in the type that the row function takes. */
function argument(
  name: string,
  parameter: RowFunction["args"][number] | undefined,
  arg: Typed,
): Typed {
  if (parameter === undefined || arg.literal === null) return arg;
  const kind = classOf(arg.type);
  if (parameter.type === "string" && kind === "text") return arg;
  if (parameter.type === "bool" && kind === "bool") return arg;
  const integer = columnTypeOf(arg.type);
  if (parameter.type === "i32" && kind === "int" && integer.kind === "int") {
    const fits = integer.bits < 32 || (integer.bits === 32 && integer.signed);
    if (fits) return { ...arg, tree: widened(arg.tree, new Int32()), type: new Int32() };
  }
  const wanted = { string: "a string", bool: "a boolean", i32: "an integer of 32 bits" };
  return failAt(
    arg.node,
    `${name}(): ${parameter.name} must be ${wanted[parameter.type]}, ` +
      `${printNode(arg.node)} is ${typeName(arg.type)}`,
  );
}
