/**
 * What a row function does with its constants: `c.limit`, `c.pairs.at(i)`, `c.isSpace(char)`,
 * `c.registers.set(i, value)`.
 *
 * @module
 */

import type { AnyNode, MemberExpression } from "acorn";
import type { ParseContext } from "./parse_context.ts";
import type { RowExpr, RowStmt, RowType } from "./row_code.ts";
import type { ParsedConst } from "../language/row_function.ts";
import { isScratch } from "../language/scratch.ts";
import { isStateTable } from "../language/state_table.ts";
import { bodyOf, isParsedHelper } from "../tree/tree_facts.ts";

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
  const object = constantObject(context, node.object);
  if (object === null) return null;
  if (name === "size") return { op: "const", type: "i32", value: object.size };
  return context.fail(node, `${object.name} has no property ${name}`);
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
    if (!isParsedHelper(value)) return context.fail(callee, `${name} is ${describe(value)}`);
    const types = value.args.map(({ type }): RowType => type === "string" ? "view" : type);
    const args = takeArguments(types);
    const { weight, stores } = bodyOf(value);
    // A helper costs what it costs wherever it is called.
    context.weight += weight;
    context.stores ||= stores;
    return { op: "helper", type: value.returns === "bool" ? "bool" : "i32", helper: name, args };
  }
  const object = constantObject(context, callee.object);
  if (object === null) return null;
  if (name === "set" && object.is === "scratch") {
    return context.fail(callee, `${object.name}.set has no value; make it a statement`);
  }
  if (name === "follow" && object.is === "table") {
    return follow(context, callee, object.name, takeArguments);
  }
  if (name !== "at") return context.fail(callee, `${object.name} has no method ${name}`);
  const [at] = takeArguments(["i32"]);
  if (at === undefined) return null;
  return object.is === "table"
    ? { op: "table", type: "i32", table: object.name, at }
    : { op: "scratch", type: "i32", scratch: object.name, at };
}

function follow(
  context: ParseContext,
  callee: MemberExpression,
  table: string,
  takeArguments: TakeArguments,
): RowExpr | null {
  const entries = context.consts[table];
  if (!(entries instanceof Int32Array) || !isStateTable(entries)) {
    return context.fail(callee, `${table} is not a table of states that bytes lead to`);
  }
  const [view, state] = takeArguments(["view", "i32"]);
  if (view === undefined || state === undefined) return null;
  return { op: "follow", type: "i32", table, view, state };
}

/** A call for what it stores; null for one of anything else, and for a helper that stores nothing. */
export function constantStatement(
  context: ParseContext,
  callee: MemberExpression,
  name: string,
  takeArguments: TakeArguments,
): RowStmt | null {
  if (isConsts(context, callee.object)) {
    const value = constant(context, callee, name);
    if (!isParsedHelper(value) || !bodyOf(value).stores) return null;
    const call = constantCall(context, callee, name, takeArguments);
    return call?.op === "helper" ? { do: "call", call } : null;
  }
  const object = constantObject(context, callee.object);
  if (object?.is !== "scratch" || name !== "set") return null;
  const [at, value] = takeArguments(["i32", "i32"]);
  context.stores = true;
  if (at === undefined || value === undefined) return null;
  return { do: "store", scratch: object.name, at, value };
}

/** The name after the dot. */
export function memberName(context: ParseContext, node: MemberExpression): string {
  if (node.computed || node.optional || node.property.type !== "Identifier") {
    return context.fail(node, "properties must be named with a dot");
  }
  return node.property.name;
}

/** A table or scratch. */
interface ConstantObject {
  readonly is: "table" | "scratch";
  readonly name: string;
  readonly size: number;
}

/** The constant that an expression is, if it has methods of its own. */
function constantObject(context: ParseContext, node: AnyNode): ConstantObject | null {
  if (node.type !== "MemberExpression" || !isConsts(context, node.object)) return null;
  const name = memberName(context, node);
  const value = constant(context, node, name);
  if (value instanceof Int32Array) return { is: "table", name, size: value.length };
  return isScratch(value) ? { is: "scratch", name, size: value.size } : null;
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
  if (value instanceof Int32Array) return "a table; read it with at";
  return isScratch(value) ? "scratch; use at and set" : "a helper; call it";
}
