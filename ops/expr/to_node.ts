import type { NamedArgs } from "./call_node.ts";
import { type Argument, isExpr, type Value } from "./expr.ts";
import { dataNode, type ExprNode, isRegexData, type LiteralData, literalNode } from "./node.ts";

/** An argument of an operation as a node, or as named nodes. */
export function toArgument(value: Argument): ExprNode | NamedArgs {
  if (typeof value !== "object" || value === null || isExpr(value)) return toNode(value as Value);
  if (value instanceof RegExp) return dataNode({ regex: value.source, flags: value.flags });
  if (Array.isArray(value) || isRegexData(value)) return dataNode(value as LiteralData);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`An argument cannot be a ${value.constructor.name}`);
  }
  const named = Object.entries(value as Record<string, Argument | undefined>)
    .filter(([, item]) => item !== undefined)
    .map(([name, item]) => {
      const arg = toArgument(item ?? null);
      return [name, "named" in arg ? dataNode(item as LiteralData) : arg];
    });
  return { named: Object.fromEntries(named) };
}

/** A value as a node. Throws a `TypeError` for anything else. */
export function toNode(value: Value): ExprNode {
  if (isExpr(value)) return value.node;
  switch (value === null ? "null" : typeof value) {
    case "string":
    case "number":
    case "bigint":
    case "boolean":
    case "null":
      return literalNode(value);
  }
  throw new TypeError("An expression or a literal is needed: text, a number, a boolean or null");
}
