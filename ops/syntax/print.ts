/**
 * Prints expressions in the language that `parseExpr` reads.
 *
 * @module
 */

import { tokenizer, tokTypes } from "acorn";
import type { ColumnNode, ExprNode } from "./node.ts";
import { dataNode, isRegexData, type Literal, type LiteralData } from "./literal.ts";

/** The precedence of operators; an operand that binds less tightly needs parentheses. */
const BINDING = {
  "?:": 1,
  "||": 2,
  "&&": 3,
  "==": 4,
  "!=": 4,
  "<": 5,
  "<=": 5,
  ">": 5,
  ">=": 5,
  "+": 6,
  "!": 7,
  ".": 8,
} as const;

/** Prints a node; in parentheses where it binds less tightly than `binding`. */
export function printNode(node: ExprNode, binding = 0): string {
  switch (node.node) {
    case "column":
      return printColumn(node);
    case "literal":
      return printLiteral(node.value);
    case "data":
      return printData(node.value);
    case "call":
      return method(node.text, node.op.spec.name, node.args) +
        (node.part === undefined ? "" : `.${node.part}`);
    case "concat":
      return `concat(${node.parts.map((part) => printNode(part)).join(", ")})`;
    case "isNull":
      return method(node.value, "isNull", []);
    case "isIn":
      return method(node.value, "isIn", [dataNode(node.values)]);
    case "fillNull":
      return method(node.value, "fillNull", [node.other]);
    case "not":
      return wrap(`!${printNode(node.value, BINDING["!"])}`, "!", binding);
    case "add":
      return infix(node, "+", binding);
    case "and":
      return infix(node, "&&", binding);
    case "or":
      return infix(node, "||", binding);
    case "compare":
      return infix(node, node.op, binding);
    case "choose": {
      const test = printNode(node.test, BINDING["?:"] + 1);
      return wrap(`${test} ? ${printNode(node.yes)} : ${printNode(node.no)}`, "?:", binding);
    }
  }
}

/** Prints a literal. */
export function printLiteral(value: Literal): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "bigint":
      return `${value}n`;
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    default:
      return String(value);
  }
}

/** Prints a list, named values or a pattern. */
export function printData(value: LiteralData): string {
  if (isRegexData(value)) return `/${value.regex}/${value.flags}`;
  if (Array.isArray(value)) return `[${value.map(printData).join(", ")}]`;
  if (typeof value !== "object" || value === null) return printLiteral(value as Literal);
  const entries = Object.entries(value as Record<string, LiteralData>);
  return `{${
    entries.map(([name, item]) =>
      `${isPlainName(name) ? name : printLiteral(name)}: ${printData(item)}`
    ).join(", ")
  }}`;
}

function printColumn({ name, side }: ColumnNode): string {
  if (side === undefined) return isPlainName(name) ? name : `col(${printLiteral(name)})`;
  return identifier.test(name) ? `${side}.${name}` : `${side}[${printLiteral(name)}]`;
}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Whether a column of this name can be written without `col()`. */
function isPlainName(name: string): boolean {
  if (!identifier.test(name)) return false;
  if (name === "NaN" || name === "Infinity") return false;
  return tokenizer(name, { ecmaVersion: "latest" }).getToken().type === tokTypes.name;
}

function method(
  receiver: ExprNode,
  name: string,
  args: readonly (ExprNode | undefined)[],
): string {
  const written = args.map((arg) => arg === undefined ? "null" : printNode(arg));
  return `${printReceiver(receiver)}.${name}(${written.join(", ")})`;
}

/** Prints a receiver; a number needs parentheses before a dot. */
function printReceiver(node: ExprNode): string {
  const text = printNode(node, BINDING["."]);
  const isNumber = node.node === "literal" && /^[-\d]|^NaN$|^Infinity$/.test(text);
  return isNumber ? `(${text})` : text;
}

/** Prints an operator, which groups to the left. */
function infix(
  { left, right }: { left: ExprNode; right: ExprNode },
  operator: keyof typeof BINDING,
  binding: number,
): string {
  const own = BINDING[operator];
  return wrap(
    `${printNode(left, own)} ${operator} ${printNode(right, own + 1)}`,
    operator,
    binding,
  );
}

function wrap(text: string, operator: keyof typeof BINDING, binding: number): string {
  return BINDING[operator] < binding ? `(${text})` : text;
}
