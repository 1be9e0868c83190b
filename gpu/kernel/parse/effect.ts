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
import type { BinaryFn } from "../ir/ir.ts";
import { HOST_FUNCTIONS, isHostFunction } from "../language/host_functions.ts";
import { bindingOf, effectCall, memberName } from "./constant.ts";
import {
  forbidden,
  isState,
  parseArguments,
  parseExpression,
  rootOf,
  stateName,
  typed,
} from "./expression.ts";
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
    const right = typed(context, value, target.type);
    if (right.type === "view" && rootOf(right) !== target.root) {
      return context.fail(node, "a view can only become another part of the same parameter");
    }
    return { do: "set", name: target.name, value: right };
  }
  const fn = node.operator.slice(0, -1);
  if (target.type !== "i32" || fn === "**" || fn === "&&" || fn === "||" || fn === "??") {
    return context.fail(node, `${node.operator} cannot be used on ${target.type}`);
  }
  return set(target, fn as BinaryFn, typed(context, value, "i32"));
}

/** Parses `i++` or `i--`. */
export function update(context: ParseContext, node: UpdateExpression): RowStmt {
  const target = assignable(context, node.argument);
  if (target.type !== "i32") return context.fail(node, `expected i32, found ${target.type}`);
  const one: RowExpr = { op: "const", type: "i32", value: 1 };
  return set(target, node.operator === "++" ? "+" : "-", one);
}

type Variable = Extract<Binding, { is: "value" }>;

function set({ name, type }: Variable, fn: BinaryFn, right: RowExpr): RowStmt {
  const left: RowExpr = { op: "name", type, name };
  return { do: "set", name, value: { op: "binary", type: "i32", fn, left, right } };
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
