import type { Expression } from "acorn";
import { branch } from "./branch.ts";
import type { ParseContext } from "./parse_context.ts";
import { rootOf, typed } from "./expression.ts";
import { effect, effects } from "./statement.ts";
import type { RowStmt } from "./row_code.ts";
import { withoutComma } from "./without_comma.ts";

/** `return node`, or the body of an arrow function that is `node`. */
export function returned(context: ParseContext, node: Expression): RowStmt[] {
  const { before, value } = withoutComma(node);
  const first = effects(context, before);
  if (value.type === "Literal" && value.value === null) {
    if (context.kind === "map" || context.isHelper) {
      return context.fail(node, `a ${context.isHelper ? "helper" : "map"} cannot return null`);
    }
    context.returnsNull = true;
    return [...first, { do: "returnNull" }];
  }
  const { writes } = context;
  if (
    value.type === "ConditionalExpression" &&
    (writes || context.kind === "view" || context.returns === "i64" || hasNull(value))
  ) {
    return [
      ...first,
      ...branch(
        context,
        value.test,
        () => returned(context, value.consequent),
        () => returned(context, value.alternate),
      ),
    ];
  }
  if (writes) {
    if (!isEffect(value)) {
      const what = context.isHelper
        ? "a helper that takes a sink"
        : `a row of kind ${context.kind}`;
      return context.fail(node, `${what} returns nothing`);
    }
    return [...first, ...effect(context, value), { do: "return" }];
  }
  const { returns } = context;
  if (returns === "i64") return [...first, halves(context, value)];
  // What gives a list writes it, and has returned above.
  const type = returns === "string" || returns === "list" || returns === "numbers"
    ? "view"
    : returns;
  const result = typed(context, value, type);
  if (type === "view" && rootOf(result) !== context.subject) {
    return context.fail(node, "a view must return a part of its text");
  }
  return [...first, { do: "return", value: result }];
}

/** `return [low, high]`. */
function halves(context: ParseContext, node: Expression): RowStmt {
  const items = node.type === "ArrayExpression" ? node.elements : [];
  const [low, high] = items;
  if (
    items.length !== 2 || !low || !high || low.type === "SpreadElement" ||
    high.type === "SpreadElement"
  ) {
    return context.fail(node, "an i64 is returned as [low, high]");
  }
  return {
    do: "return",
    value: typed(context, low, "i32"),
    high: typed(context, high, "i32"),
  };
}

function hasNull(node: Expression): boolean {
  switch (node.type) {
    case "Literal":
      return node.value === null;
    case "ConditionalExpression":
      return hasNull(node.consequent) || hasNull(node.alternate);
    case "SequenceExpression":
      return true;
    default:
      return false;
  }
}

function isEffect(node: Expression): boolean {
  return (node.type === "UnaryExpression" && node.operator === "void") ||
    node.type === "CallExpression" || node.type === "AssignmentExpression" ||
    node.type === "LogicalExpression" || node.type === "UpdateExpression";
}
