/**
 * Parses expressions: `name.splitPart(" ", 1).upper() + "!"`. The grammar is a subset of JavaScript's,
 * so acorn reads it, and each node of its tree becomes a node of the expression.
 *
 * @module
 */

import { type AnyNode, type Expression, type MemberExpression, parseExpressionAt } from "acorn";
import { builtInOperations } from "./built_in_operations.ts";
import { DepthError, type ExprError } from "../../base/errors/expr_error.ts";
import { MAX_DEPTH } from "../syntax/depth.ts";
import { atScale, decimalOf, decimalOfText } from "../decimal/literal.ts";
import { writtenNode } from "../syntax/literal.ts";
import { col, type Expr, lit, makeExpr, right } from "./expr.ts";
import type { StringOp } from "../syntax/node.ts";
import { kindOf } from "../../base/kind_of.ts";
import { wordHint } from "../syntax/other_words.ts";
import { ParseText, unsupported } from "./parse_text.ts";
import { parseCall, parseIndex } from "./parse_call.ts";
import { checkEscapes } from "./quoted_text.ts";

/** Options of `parseExpr`. */
export interface ParseOptions {
  /** The operations that the text may use besides operators; by default the built-in ones. */
  readonly operations?: Iterable<StringOp>;
}

/**
 * Parses an expression with the built-in operations. Names are columns; a name that is not an
 * identifier is written `col("first name")`.
 *
 * @example
 * ```ts
 * import { col, printExpr } from "./expr.ts";
 * import { expr } from "./parse.ts";
 *
 * const parsed = expr('name.splitPart(" ", 1).slice(0, 1)');
 * const built = col("name").splitPart(" ", 1).slice(0, 1);
 * if (printExpr(parsed) !== printExpr(built)) throw new Error(printExpr(parsed));
 * ```
 */
export function expr(text: string): Expr {
  return parseExpr(text);
}

/**
 * Parses an expression. Throws an `ExprError` with the place of the mistake, and a DepthError for an
 * expression that nests more than 500 operations.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { defineStringOp, type i32, operations, parseExpr, printExpr, type Sink } from "../../mod.ts";
 *
 * const dash = defineStringOp({
 *   name: "dash",
 *   kind: "map",
 *   row(out: Sink, char: i32) {
 *     out.put(char === 0x20 ? 0x2d : char);
 *   },
 * });
 * const parsed = parseExpr("name.dash().upper()", { operations: [...operations, dash] });
 * assertEquals(printExpr(parsed), "name.dash().upper()");
 * ```
 */
export function parseExpr(text: string, options: ParseOptions = {}): Expr {
  if (typeof text !== "string") throw new TypeError(`An expression is text, not ${kindOf(text)}`);
  const operations = new Map<string, StringOp>();
  for (const op of options.operations ?? builtInOperations) operations.set(op.spec.name, op);
  const source = new ParseText(text, operations);
  return parseNode(source, parseSyntax(source));
}

function parseSyntax(source: ParseText): Expression {
  const { text } = source;
  if (text.trim() === "") throw source.error("The expression is empty", 0, text.length);
  let root: Expression;
  try {
    root = parseExpressionAt(text, 0, { ecmaVersion: "latest", preserveParens: true });
  } catch (error) {
    // Acorn reports most stack overflows itself, and JavaScript throws for the others.
    const isDeep = error instanceof RangeError ||
      (error as Error).message.startsWith("Not enough stack space");
    if (isDeep) throw new DepthError(MAX_DEPTH);
    if (!(error instanceof SyntaxError)) throw error;
    throw syntaxError(source, error as SyntaxError & { pos?: number });
  }
  const rest = text.slice(root.end);
  if (rest.trim() !== "") {
    const start = text.length - rest.trimStart().length;
    // acorn reads `not x` as a name and unexpected text after it, and `d + interval 1 day` likewise.
    const [last = ""] = /[a-z]+$/i.exec(text.slice(0, root.end)) ?? [];
    const hint = wordHint(rest.trimStart()) || wordHint(last);
    const problem = `The expression should have ended here${hint}`;
    throw source.error(problem, start, text.trimEnd().length);
  }
  checkSyntax(source, root);
  return root;
}

/** The greatest depth of a syntax tree, where a method call is two nodes, and parentheses are one. */
const MAX_SYNTAX_DEPTH = 2 * MAX_DEPTH + 100;

/**
 * Checks the depth of a syntax tree and its quoted texts. It does not recurse, since a deep tree
 * would overflow the stack.
 */
function checkSyntax(source: ParseText, root: Expression): void {
  const open: [node: AnyNode, depth: number][] = [[root, 1]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next;
    if (depth > MAX_SYNTAX_DEPTH) throw new DepthError(MAX_DEPTH);
    checkEscapes(source, node);
    for (const child of Object.values(node).flat().toReversed()) {
      if (typeof child === "object" && child !== null && "type" in child) {
        open.push([child, depth + 1]);
      }
    }
  }
}

function syntaxError(source: ParseText, error: SyntaxError & { pos?: number }): ExprError {
  const at = Math.min(error.pos ?? 0, source.text.length);
  if (source.text.slice(at).trim() === "") {
    return source.error("The expression ends too early", source.text.length, source.text.length);
  }
  const message = error.message.replace(/ \(\d+:\d+\)$/, "");
  const char = String.fromCodePoint(source.text.codePointAt(at) ?? 0);
  const rest = source.text.slice(at);
  const word = /^[a-z]+\b/i.exec(rest)?.[0] ?? char;
  // acorn reads `a <> b` up to the second sign, and `a ::b` up to the second colon.
  const isStar = rest.startsWith("*") && /\(\s*$/.test(source.text.slice(0, at));
  const hint = isStar
    ? "; count() is the number of rows"
    : wordHint(rest) || wordHint(source.text.slice(Math.max(0, at - 1)));
  const what = message === "Unexpected token" ? `Unexpected ${JSON.stringify(word)}` : message;
  return source.error(what + hint, at, at + word.length);
}

/** Reads one node of the syntax tree. */
function parseNode(source: ParseText, node: Expression): Expr {
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
      return negative(source, node) ?? parsePrefix(source, node);
    case "BinaryExpression":
    case "LogicalExpression":
      return parseInfix(source, node);
    case "ConditionalExpression":
      return parseNode(source, node.test).ifElse(
        parseNode(source, node.consequent),
        parseNode(source, node.alternate),
      );
    case "CallExpression":
      return parseCall(source, node, parseNode);
    case "MemberExpression":
      return columnOfBuildSide(node) ?? parseMember(source, node);
    default:
      return unsupported(source, node);
  }
}

/** Reads `right.time` or `right["first name"]`; undefined for any other member. */
function columnOfBuildSide({ object, property, computed, optional }: MemberExpression) {
  if (object.type !== "Identifier" || object.name !== "right" || optional) return undefined;
  if (!computed) return property.type === "Identifier" ? right(property.name) : undefined;
  const name = property.type === "Literal" ? property.value : undefined;
  return typeof name === "string" ? right(name) : undefined;
}

/** Reads `address.city`, `address["post code"]`, `tags[0]` or `tags[index]`. */
function parseMember(source: ParseText, node: MemberExpression): Expr {
  const { object, property, computed, optional } = node;
  const isName = property.type === "Identifier" && !computed;
  if (object.type === "Super" || property.type === "PrivateIdentifier" || optional) {
    return unsupported(source, node);
  }
  if (isName) return parseNode(source, object).field(property.name);
  const isField = property.type === "Literal" && typeof property.value === "string";
  if (isField) return parseNode(source, object).field(String(property.value));
  return parseIndex(source, { ...node, object, property }, parseNode);
}

function parseLiteral(source: ParseText, node: Expression & { type: "Literal" }): Expr {
  const { value, raw = "" } = node;
  switch (typeof value) {
    case "string":
      if (value.isWellFormed()) return lit(value);
      throw source.error("Text with a lone surrogate cannot be written as UTF-8", node);
    case "number":
      return numberLiteral(raw, value);
    case "bigint":
    case "boolean":
      return lit(value);
    default:
      return value === null && raw === "null" ? lit(null) : unsupported(source, node);
  }
}

function numberLiteral(raw: string, value: number): Expr {
  const whole = wholeNumber(raw, value);
  const written = raw.replaceAll("_", "");
  const isKept = typeof whole === "bigint" || isWrittenAs(value, written);
  return isKept ? lit(whole) : makeExpr(writtenNode(value, written));
}

/** Whether a number has all the digits that it was written with. */
function isWrittenAs(value: number, written: string): boolean {
  const [own, wanted] = [decimalOf(value), decimalOfText(written)];
  if (own === undefined || wanted === undefined) return true;
  const scale = Math.max(own.scale, wanted.scale);
  return atScale(own, scale).floor === atScale(wanted, scale).floor;
}

/** Returns the value of a number: whole digits, and `1_000`, are exact beyond 2^53. */
function wholeNumber(raw: string, value: number): number | bigint {
  if (!/^\d[\d_]*$/.test(raw) || Number.isSafeInteger(value)) return value;
  return BigInt(raw.replaceAll("_", ""));
}

/** Reads a negative number as a literal; undefined for any other operand. */
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
  const { value, written } = literal;
  if (typeof value === "number" && written !== undefined) {
    return makeExpr(writtenNode(-value, `-${written}`));
  }
  return typeof value === "number" || typeof value === "bigint" ? lit(-value) : undefined;
}

/** The method for each operator before a value. */
const PREFIX: Readonly<Record<string, (value: Expr) => Expr>> = {
  "!": (value) => value.not(),
  "-": (value) => value.neg(),
  "~": (value) => value.bitNot(),
};

function parsePrefix(source: ParseText, node: Expression & { type: "UnaryExpression" }): Expr {
  const apply = PREFIX[node.operator];
  return apply ? apply(parseNode(source, node.argument)) : unsupported(source, node);
}

/** The method for each operator between two values. */
const INFIX: Readonly<Record<string, (left: Expr, right: Expr) => Expr>> = {
  "+": (left, right) => left.add(right),
  "-": (left, right) => left.sub(right),
  "*": (left, right) => left.mul(right),
  "/": (left, right) => left.div(right),
  "%": (left, right) => left.rem(right),
  "**": (left, right) => left.pow(right),
  "&": (left, right) => left.bitAnd(right),
  "|": (left, right) => left.bitOr(right),
  "<<": (left, right) => left.shiftLeft(right),
  ">>": (left, right) => left.shiftRight(right),
  "==": (left, right) => left.eq(right),
  "===": (left, right) => left.eq(right),
  "!=": (left, right) => left.ne(right),
  "!==": (left, right) => left.ne(right),
  "<": (left, right) => left.lt(right),
  "<=": (left, right) => left.le(right),
  ">": (left, right) => left.gt(right),
  ">=": (left, right) => left.ge(right),
  "&&": (left, right) => left.and(right),
  "||": (left, right) => left.or(right),
};

function parseInfix(
  source: ParseText,
  node: Expression & { type: "BinaryExpression" | "LogicalExpression" },
): Expr {
  const { operator, left, right } = node;
  const combine = INFIX[operator];
  if (combine === undefined || left.type === "PrivateIdentifier") return unsupported(source, node);
  return combine(parseNode(source, left), parseNode(source, right));
}
