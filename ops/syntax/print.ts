/**
 * Prints expressions in the language that `parseExpr` reads.
 *
 * @module
 */

import { tokenizer, tokTypes } from "acorn";
import {
  BINDING,
  type InfixOperator,
  type Operator,
  printInfix,
} from "../../gpu/kernel/tree/operator_binding.ts";
import type { CallNode, ColumnNode, ExprNode, FieldNode } from "./node.ts";
import { dataNode, isRegexData, type Literal, type LiteralData } from "./literal.ts";

/** Prints a node; in parentheses where it binds less tightly than `binding`. */
export function printNode(node: ExprNode, binding = 0): string {
  switch (node.node) {
    case "column":
      return printColumn(node);
    case "literal": {
      const text = node.written ?? printLiteral(node.value);
      const isNegative = text.startsWith("-") && binding > BINDING.unary;
      return isNegative ? `(${text})` : text;
    }
    case "data":
      return printData(node.value);
    case "field":
      return printField(node);
    case "call":
      return printCall(node, binding);
    case "aggregate":
      return `${node.name}(${node.args.map((arg) => printNode(arg)).join(", ")})`;
    case "concat":
      return `concat(${node.parts.map((part) => printNode(part)).join(", ")})`;
    case "isNull":
    case "orNull":
      return method(node.value, node.node, []);
    case "isIn":
      return method(node.value, "isIn", [dataNode(node.values)]);
    case "fillNull":
      return method(node.value, "fillNull", [node.other]);
    case "not":
      return wrap(`!${printNode(node.value, BINDING.unary)}`, "unary", binding);
    case "and":
      return infix(node.left, "&&", node.right, binding);
    case "or":
      return infix(node.left, "||", node.right, binding);
    case "compare":
      return infix(node.left, node.op, node.right, binding);
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

/** Prints a field; `right.x` would be a column of the build side of a join. */
function printField({ value, name }: FieldNode): string {
  const isRight = value.node === "column" && value.side === undefined && value.name === "right";
  const whole = isRight ? 'col("right")' : printReceiver(value);
  return identifier.test(name) ? `${whole}.${name}` : `${whole}[${printLiteral(name)}]`;
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
  const isNumber = node.node === "literal" && /^\d|^NaN$|^Infinity$/.test(text);
  return isNumber ? `(${text})` : text;
}

/** Prints a call: with its operator, if it has one, else as a method. */
function printCall({ op, text, args, part }: CallNode, binding: number): string {
  const { name, operator } = op.spec;
  const [other] = args;
  if (operator === undefined) {
    return method(text, name, args) + (part === undefined ? "" : `.${part}`);
  }
  if (other !== undefined) return infix(text, operator as InfixOperator, other, binding);
  const operand = printNode(text, BINDING.unary);
  // `-(5)` is the negation of a literal, and `--a` would count down.
  const isApart = operator === "-" && /^-|^\d|^Infinity/.test(operand);
  return wrap(`${operator}${isApart ? `(${operand})` : operand}`, "unary", binding);
}

function infix(left: ExprNode, operator: Operator, right: ExprNode, binding: number): string {
  return wrap(printInfix([left, right], operator, printNode), operator, binding);
}

function wrap(text: string, operator: Operator, binding: number): string {
  return BINDING[operator] < binding ? `(${text})` : text;
}
