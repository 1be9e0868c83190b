/**
 * Parses uses of a row function's constants: `limit`, `pairs.at(i)`, `isSpace(char)`,
 * `registers.set(i, value)`. Each constant is a name of its own or a property of the last
 * parameter.
 *
 * @module
 */

import type { AnyNode, MemberExpression } from "acorn";
import type { Binding, ParseContext } from "./parse_context.ts";
import { longOf, numberOf } from "./number.ts";
import {
  bodyOf,
  isParsedHelper,
  type RowExpr,
  type RowStmt,
  type RowType,
  typeInside,
} from "./row_code.ts";
import { isIntrinsic } from "../language/intrinsics.ts";
import type { ParsedConst } from "../language/row_function.ts";
import { isScratch } from "../language/scratch.ts";
import { isStateTable } from "../language/state_table.ts";

/** Checks and parses the arguments of a call by their types. */
type TakeArguments = (types: readonly (RowType | "sink")[]) => readonly RowExpr[];

type Constant = Extract<Binding, { is: "constant" }>;

/**
 * Returns the constant that a name or a property of the last parameter refers to; undefined for
 * anything else.
 */
export function bindingOf(context: ParseContext, node: AnyNode): Binding | undefined {
  if (node.type === "Identifier") return context.lookup(node.name);
  if (node.type !== "MemberExpression" || node.object.type !== "Identifier") return undefined;
  if (context.lookup(node.object.name)?.is !== "given") return undefined;
  const name = memberName(context, node);
  const instead = context.state.has(name) ? `; take { state } and write state.${name}` : "";
  return context.given.get(name) ?? context.fail(node, `the spec has no ${name}${instead}`);
}

/** Parses a constant as a value; only numbers, bigints and text have one. */
export function constantValue(context: ParseContext, node: AnyNode, constant: Constant): RowExpr {
  const { name, value } = constant;
  if (typeof value === "number") return numberOf(value);
  if (typeof value === "bigint") return longOf(value);
  if (typeof value === "string") {
    return { op: "text", type: "view", root: `consts.${name}`, text: value };
  }
  return context.fail(node, `${name} is ${describe(value)}`);
}

/** Parses a property of a table or of scratch. */
export function constantMember(
  context: ParseContext,
  node: MemberExpression,
  { name, value }: Constant,
  property: string,
): RowExpr {
  const size = value instanceof Int32Array ? value.length : isScratch(value) ? value.size : null;
  if (size === null) return context.fail(node, `${name} is ${describe(value)}`);
  if (property === "size") return { op: "const", type: "i32", value: size };
  return context.fail(node, `${name} has no property ${property}`);
}

/** Parses a call of a helper for its result. */
export function helperValue(
  context: ParseContext,
  callee: AnyNode,
  constant: Constant,
  takeArguments: TakeArguments,
): RowExpr {
  if (isParsedHelper(constant.value) && constant.value.kind === "emit") {
    return context.fail(callee, `${constant.name} has no value; make it a statement`);
  }
  return helperCall(context, callee, constant, takeArguments);
}

function helperCall(
  context: ParseContext,
  callee: AnyNode,
  { name, value }: Constant,
  takeArguments: TakeArguments,
): RowExpr & { op: "helper" } {
  if (!isParsedHelper(value)) return context.fail(callee, `${name} is ${describe(value)}`);
  const types = value.args.map(({ type }) => typeInside(type));
  const args = takeArguments(value.kind === "emit" ? ["sink", ...types] : types);
  const { weight, stores, sinkSites } = bodyOf(value);
  // A helper costs the same wherever it is called.
  context.weight += weight;
  context.stores ||= stores;
  context.sinkSites += sinkSites;
  // One that writes has no value, and its type does not matter.
  const { returns } = value;
  const type = returns === "bool" || returns === "i64" || returns === "f64" ? returns : "i32";
  return { op: "helper", type, helper: name, args };
}

/** Parses a call of a method of a table or of scratch. */
export function constantCall(
  context: ParseContext,
  callee: MemberExpression,
  { name, value }: Constant,
  method: string,
  takeArguments: TakeArguments,
): RowExpr {
  const isTable = value instanceof Int32Array;
  if (!isTable && !isScratch(value)) return context.fail(callee, `${name} is ${describe(value)}`);
  if (method === "set" && !isTable) {
    return context.fail(callee, `${name}.set has no value; make it a statement`);
  }
  if (method === "follow" && isTable) {
    if (!isStateTable(value)) {
      return context.fail(callee, `${name} is not a table of states that bytes lead to`);
    }
    const [view, state] = takeArguments(["view", "i32"]);
    return { op: "follow", type: "i32", table: name, view: view!, state: state! };
  }
  if (method !== "at") return context.fail(callee, `${name} has no method ${method}`);
  const at = takeArguments(["i32"])[0]!;
  return isTable
    ? { op: "table", type: "i32", table: name, at }
    : { op: "scratch", type: "i32", scratch: name, at };
}

/** Parses a call that writes or stores; null for one that does neither. */
export function effectCall(
  context: ParseContext,
  callee: AnyNode,
  takeArguments: TakeArguments,
): RowStmt | null {
  const helper = bindingOf(context, callee);
  if (helper?.is === "constant") {
    const { value } = helper;
    if (!isParsedHelper(value) || (value.kind !== "emit" && !bodyOf(value).stores)) return null;
    return { do: "call", call: helperCall(context, callee, helper, takeArguments) };
  }
  if (callee.type !== "MemberExpression") return null;
  const object = bindingOf(context, callee.object);
  if (object?.is !== "constant" || !isScratch(object.value)) return null;
  if (memberName(context, callee) !== "set") return null;
  const [at, value] = takeArguments(["i32", "i32"]);
  context.stores = true;
  return { do: "store", scratch: object.name, at: at!, value: value! };
}

/** Returns the name after the dot. */
export function memberName(context: ParseContext, node: MemberExpression): string {
  if (node.computed || node.optional || node.property.type !== "Identifier") {
    return context.fail(node, "properties must be named with a dot");
  }
  return node.property.name;
}

function describe(value: ParsedConst): string {
  if (typeof value === "number" || typeof value === "bigint") {
    return "a number; it cannot be called";
  }
  if (typeof value === "string") return "a text; it cannot be called";
  if (value instanceof Int32Array) return "a table; read it with at";
  if (isIntrinsic(value)) return "an intrinsic; call it";
  return isScratch(value) ? "scratch; use at and set" : "a helper; call it";
}
