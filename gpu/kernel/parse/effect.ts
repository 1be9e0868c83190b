/**
 * Parses expressions that are statements: calls that write or store, and assignments.
 *
 * @module
 */

import type {
  AssignmentExpression,
  CallExpression,
  Expression,
  Pattern,
  UpdateExpression,
} from "acorn";
import { HOST_FUNCTIONS, isHostFunction } from "../language/host_functions.ts";
import { bindingOf, effectCall, memberName } from "./constant.ts";
import {
  forbidden,
  isState,
  parseArguments,
  parseExpression,
  rootOf,
  stateName,
} from "./expression.ts";
import { asType, isNumber, NeedsFloat } from "./number.ts";
import { combined, stepped } from "./operator.ts";
import type { Binding, ParseContext } from "./parse_context.ts";
import type { RowExpr, RowStmt, RowType } from "./row_code.ts";

/** Parses a call for its effect: `out.put(char)`, `c.registers.set(i, value)`. */
export function callStatement(context: ParseContext, node: CallExpression): RowStmt {
  const { callee } = node;
  if (callee.type !== "MemberExpression" || bindingOf(context, callee.object)?.is !== "sink") {
    const effect = effectCall(context, callee, (types) => parseArguments(context, node, types));
    if (effect !== null) return effect;
    parseExpression(context, node);
    return context.fail(node, "the statement has no effect");
  }
  const method = memberName(context, callee);
  if (method === "end") return end(context, node);
  const methods = methodsOf(context);
  const takes = Object.hasOwn(methods.takes, method) ? methods.takes[method] : undefined;
  if (takes === undefined) return context.fail(node, `${methods.of} has no method ${method}`);
  context.sinkSites++;
  const args = parseArguments(context, node, takes);
  if (isHostFunction(method)) {
    context.hostOnly = HOST_FUNCTIONS[method];
    return { do: "hostCall", name: method, args };
  }
  const [argument, count] = args;
  if (method === "endItem") return { do: "endItem" };
  if (argument === undefined) return forbidden(context, node);
  switch (method) {
    case "copy":
      return { do: "copy", view: argument };
    case "item":
      return { do: "item", value: argument };
    case "repeat":
      return { do: "repeat", view: argument, count: count ?? forbidden(context, node) };
    default:
      return { do: "put", char: argument };
  }
}

function end(context: ParseContext, node: CallExpression): RowStmt {
  if (context.state.size === 0) return context.fail(node, "only a map with state can end");
  parseArguments(context, node, []);
  context.canEnd = true;
  return { do: "end" };
}

/** The methods of a sink by name, with the types of their arguments. */
type SinkMethods = Readonly<Record<string, readonly RowType[]>>;

/** Returns the methods of a function's sink, and what errors call the sink. */
function methodsOf({ kind, returns, backward }: ParseContext): { takes: SinkMethods; of: string } {
  if (returns === "numbers") return { takes: NUMBER_METHODS, of: "a sink of numbers" };
  if (backward) return { takes: ITEM_METHODS, of: "the sink of a list that is given backward" };
  return { takes: kind === "list" ? LIST_METHODS : TEXT_METHODS, of: "a sink" };
}

const TEXT_METHODS: SinkMethods = {
  put: ["i32"],
  copy: ["view"],
  repeat: ["view", "i32"],
  copyNormal: ["view", "i32"],
  putFloat: ["f64"],
  putFormatted: ["view", "f64"],
  putFormattedInteger: ["view", "i32", "i32", "i32"],
  putFormattedDecimal: ["view", "i32", "i32", "i32", "i32", "i32"],
};

const ITEM_METHODS: SinkMethods = { item: ["view"] };
const LIST_METHODS: SinkMethods = { ...TEXT_METHODS, ...ITEM_METHODS, endItem: [] };
const NUMBER_METHODS: SinkMethods = { item: ["i32"] };

/** Parses an assignment, out of whose value commas were taken before. */
export function assignment(
  context: ParseContext,
  node: AssignmentExpression,
  value: Expression,
): RowStmt {
  const target = assignable(context, node.left);
  if (node.operator === "=") {
    const right = assigned(context, target, value);
    if (right.type === "view" && rootOf(right) !== target.root) {
      return context.fail(node, "a view can only become another part of the same parameter");
    }
    return { do: "set", name: target.name, value: right };
  }
  const operator = node.operator.slice(0, -1);
  if (!isNumber(target.type) || operator === "&&" || operator === "||" || operator === "??") {
    return context.fail(node, `${node.operator} cannot be used on ${target.type}`);
  }
  const right = { node: value, expr: parseExpression(context, value) };
  becomesFloat(context, target, right.expr);
  const left = { node: node.left, expr: valueOf(target) };
  return { do: "set", name: target.name, value: combined(context, node, operator, left, right) };
}

/** Parses the value that a variable is assigned. */
function assigned(context: ParseContext, target: Variable, node: Expression): RowExpr {
  const expr = parseExpression(context, node);
  becomesFloat(context, target, expr);
  return asType(context, { node, expr }, target.type);
}

/** A local that starts as an integer literal and is assigned an f64 is one from the start. */
function becomesFloat(context: ParseContext, { name }: Variable, { type }: RowExpr): void {
  if (type === "f64" && context.adaptable.has(name)) throw new NeedsFloat(name);
}

/** Parses `i++` or `i--`. */
export function update(context: ParseContext, node: UpdateExpression): RowStmt {
  const target = assignable(context, node.argument);
  const value = stepped(context, node, node.operator, valueOf(target));
  return { do: "set", name: target.name, value };
}

type Variable = Extract<Binding, { is: "value" }>;

function valueOf({ name, type }: Variable): RowExpr {
  return { op: "name", type, name };
}

function assignable(context: ParseContext, node: Pattern | Expression): Variable {
  if (node.type === "MemberExpression" && isState(context, node.object)) {
    return { is: "value", type: "i32", name: stateName(context, node), constant: false };
  }
  if (node.type !== "Identifier") return context.fail(node, "only a local can be assigned");
  const binding = context.lookup(node.name);
  if (binding?.is !== "value") return context.fail(node, `${node.name} is not a local`);
  if (binding.constant) return context.fail(node, `${node.name} is a constant`);
  return binding;
}
