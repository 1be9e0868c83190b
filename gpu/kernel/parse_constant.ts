/**
 * What a row function does with its constants: `c.limit`, `c.pairs.at(i)`, `c.isSpace(char)`.
 *
 * @module
 */

import type { AnyNode, MemberExpression } from "acorn";
import type { ParseContext } from "./parse_context.ts";
import type { RowExpr, RowType } from "./row_code.ts";
import type { ParsedConst } from "./row_function.ts";
import { bodyOf } from "./tree_facts.ts";

/** Checks and parses the arguments of a call by their types. */
type TakeArguments = (types: readonly RowType[]) => readonly RowExpr[];

/** A property of the constants or of one of them; null for one of anything else. */
export function constantMember(
  context: ParseContext,
  node: MemberExpression,
  name: string,
): RowExpr | null {
  if (isConsts(context, node.object)) {
    const value = constant(context, node, name);
    if (typeof value === "number") return { op: "const", type: "i32", value };
    return context.fail(node, `${name} is ${describe(value)}`);
  }
  const table = constantObject(context, node.object);
  if (table === null) return null;
  const value = context.consts[table];
  if (value instanceof Int32Array && name === "size") {
    return { op: "const", type: "i32", value: value.length };
  }
  return context.fail(node, `${table} has no property ${name}`);
}

/** A call of a helper or of a method of a constant; null for one of anything else. */
export function constantCall(
  context: ParseContext,
  callee: MemberExpression,
  name: string,
  takeArguments: TakeArguments,
): RowExpr | null {
  if (isConsts(context, callee.object)) {
    const value = constant(context, callee, name);
    if (typeof value === "number" || value instanceof Int32Array) {
      return context.fail(callee, `${name} is ${describe(value)}`);
    }
    const types = value.args.map(({ type }): RowType => type === "string" ? "view" : type);
    const args = takeArguments(types);
    // A helper costs what it costs wherever it is called.
    context.weight += bodyOf(value).weight;
    return { op: "helper", type: value.returns === "bool" ? "bool" : "i32", helper: name, args };
  }
  const table = constantObject(context, callee.object);
  if (table === null) return null;
  if (name !== "at") return context.fail(callee, `${table} has no method ${name}`);
  const [at] = takeArguments(["i32"]);
  return at === undefined ? null : { op: "table", type: "i32", table, at };
}

/** The name after the dot. */
export function memberName(context: ParseContext, node: MemberExpression): string {
  if (node.computed || node.optional || node.property.type !== "Identifier") {
    return context.fail(node, "properties must be named with a dot");
  }
  return node.property.name;
}

/** The name of the constant that an expression is, if it has methods of its own. */
function constantObject(context: ParseContext, node: AnyNode): string | null {
  if (node.type !== "MemberExpression" || !isConsts(context, node.object)) return null;
  const name = memberName(context, node);
  return constant(context, node, name) instanceof Int32Array ? name : null;
}

function isConsts(context: ParseContext, node: AnyNode): boolean {
  return node.type === "Identifier" && context.lookup(node.name)?.is === "consts";
}

function constant(context: ParseContext, node: MemberExpression, name: string): ParsedConst {
  const value = Object.hasOwn(context.consts, name) ? context.consts[name] : undefined;
  return value ?? context.fail(node, `consts has no ${name}`);
}

function describe(value: ParsedConst): string {
  if (typeof value === "number") return "a number; it cannot be called";
  return value instanceof Int32Array ? "a table; read it with at" : "a helper; call it";
}
