/**
 * The syntax tree of JavaScript as an expression, node by node.
 *
 * @module
 */

import type { Expression } from "acorn";
import { col, type Expr, lit } from "./expr.ts";
import { parseCall } from "./parse_call.ts";
import type { ParseText } from "./parse_text.ts";
import { unsupported } from "./parse_unsupported.ts";

/** Reads one node of the syntax tree. */
export function parseNode(source: ParseText, node: Expression): Expr {
  return source.placed(parseKind(source, node), node);
}

function parseKind(source: ParseText, node: Expression): Expr {
  switch (node.type) {
    case "ParenthesizedExpression":
      return parseNode(source, node.expression);
    case "Identifier":
      if (node.name === "NaN") return lit(NaN);
      return node.name === "Infinity" ? lit(Infinity) : col(node.name);
    case "Literal":
      return parseLiteral(source, node);
    case "UnaryExpression":
      if (node.operator === "!") return parseNode(source, node.argument).not();
      return negative(source, node) ?? unsupported(source, node);
    case "BinaryExpression":
      return parseBinary(source, node);
    case "LogicalExpression": {
      if (node.operator === "??") return unsupported(source, node);
      const left = parseNode(source, node.left);
      const right = parseNode(source, node.right);
      return node.operator === "&&" ? left.and(right) : left.or(right);
    }
    case "ConditionalExpression":
      return parseNode(source, node.test).ifElse(
        parseNode(source, node.consequent),
        parseNode(source, node.alternate),
      );
    case "CallExpression":
      return parseCall(source, node, parseNode);
    default:
      return unsupported(source, node);
  }
}

function parseLiteral(source: ParseText, node: Expression & { type: "Literal" }): Expr {
  const { value, raw = "" } = node;
  switch (typeof value) {
    case "string":
      if (value.isWellFormed()) return lit(value);
      throw source.error("Text with a lone surrogate cannot be written as UTF-8", node);
    case "number":
      return lit(/^\d+$/.test(raw) && !Number.isSafeInteger(value) ? BigInt(raw) : value);
    case "bigint":
    case "boolean":
      return lit(value);
    default:
      return value === null && raw === "null" ? lit(null) : unsupported(source, node);
  }
}

/** A minus is a part of a number; there is no subtraction. */
function negative(
  source: ParseText,
  node: Expression & { type: "UnaryExpression" },
): Expr | undefined {
  const { operator, argument } = node;
  const isLiteral = argument.type === "Literal" ||
    (argument.type === "Identifier" && argument.name === "Infinity");
  if (operator !== "-" || !isLiteral) return undefined;
  const { node: literal } = parseKind(source, argument);
  if (literal.node !== "literal") return undefined;
  const { value } = literal;
  return typeof value === "number" || typeof value === "bigint" ? lit(-value) : undefined;
}

function parseBinary(source: ParseText, node: Expression & { type: "BinaryExpression" }): Expr {
  if (node.left.type === "PrivateIdentifier") return unsupported(source, node);
  const sides = () =>
    [parseNode(source, node.left as Expression), parseNode(source, node.right)] as const;
  const combine = (join: (left: Expr, right: Expr) => Expr) => join(...sides());
  switch (node.operator) {
    case "+":
      return combine((left, right) => left.add(right));
    case "==":
    case "===":
      return combine((left, right) => left.eq(right));
    case "!=":
    case "!==":
      return combine((left, right) => left.ne(right));
    case "<":
      return combine((left, right) => left.lt(right));
    case "<=":
      return combine((left, right) => left.le(right));
    case ">":
      return combine((left, right) => left.gt(right));
    case ">=":
      return combine((left, right) => left.ge(right));
    default:
      return unsupported(source, node);
  }
}
