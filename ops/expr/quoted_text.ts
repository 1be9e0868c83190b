/**
 * Checks quoted text: escapes that do not exist, and quoted names where a column is meant.
 *
 * @module
 */

import type { AnyNode } from "acorn";

import { ExprError } from "../../base/errors/expr_error.ts";
import { placeOf } from "../syntax/node_place.ts";
import { childrenOf, type ExprNode } from "../syntax/node.ts";
import { printNode } from "../syntax/print.ts";
import type { ParseText } from "./parse_text.ts";

/** An escape after a backslash. JavaScript silently takes any other character as itself. */
const ESCAPE = /\\(?:(['"\\/bfnrtv]|0(?!\d)|x[\da-fA-F]{2}|u|\r\n|[\r\n\u2028\u2029])|([^]))/gu;

/** The greatest length of a pattern or name that an error shows in full. */
const MAX_SHOWN = 60;

/** Throws an error for a backslash in quoted text that begins no escape, such as `\w`. */
export function checkEscapes(source: ParseText, node: AnyNode): void {
  if (node.type !== "Literal" || typeof node.value !== "string") return;
  const raw = node.raw ?? "";
  if (!raw.includes("\\")) return;
  for (const { 2: char, index } of raw.matchAll(ESCAPE)) {
    if (char === undefined) continue;
    const start = node.start + index;
    throw source.error(
      `\\${char} is not an escape in quoted text; ${instead(char, raw.slice(1, -1))}`,
      start,
      start + 1 + char.length,
    );
  }
}

function instead(char: string, text: string): string {
  if (/\d/.test(char)) return `in a replacement $${char} is group ${char}, and a backslash is \\\\`;
  return `a pattern is written ${asPattern(text)}, and a backslash in text is \\\\`;
}

/** Returns the text as a pattern between slashes, where it is a valid and short one; else `/…/`. */
function asPattern(text: string): string {
  const source = text.replace(/\\[^]|\//g, (part) => part === "/" ? "\\/" : part);
  try {
    if (text.length <= MAX_SHOWN) return String(new RegExp(source));
  } catch {
    // An invalid pattern is not shown.
  }
  return "/…/";
}

/** Whether an expression reads no column and has text. */
function isConstantText(node: ExprNode): boolean {
  let hasText = false;
  const visit = (node: ExprNode): boolean => {
    if (node.node === "column") return false;
    if (node.node === "literal" && typeof node.value === "string") hasText = true;
    return childrenOf(node).every(visit);
  };
  return visit(node) && hasText;
}

/** Throws an error for a test that reads no column, the result of a quoted name. */
function refuseConstants(node: ExprNode): void {
  const place = placeOf(node);
  // An expression that was built in code, not parsed, is deliberate.
  if (place === undefined || !isConstantText(node)) return;
  const name = firstText(node) ?? "";
  throw new ExprError(
    `${printNode(node)} reads no column, only text in quotes; write names without quotes, as ` +
      `${exampleOf(name)}, and names with blanks as ${columnCall(name)}`,
    place,
  );
}

/**
 * Throws an `ExprError` for a comparison, `isNull` or `isIn` of text alone, anywhere in an expression:
 * `"origin" == "SFO"` is meant as `origin == "SFO"`.
 */
export function checkTests(node: ExprNode): void {
  if (node.node === "compare" || node.node === "isNull" || node.node === "isIn") {
    refuseConstants(node);
  }
  childrenOf(node).forEach(checkTests);
}

/** Checks every operand of a condition in the same way, whatever it is; only literals may be constant. */
export function checkConditions(node: ExprNode): void {
  if (node.node === "and" || node.node === "or") {
    checkConditions(node.left);
    checkConditions(node.right);
  } else if (node.node === "not") checkConditions(node.value);
  else {
    if (node.node !== "literal") refuseConstants(node);
    checkTests(node);
  }
}

function firstText(node: ExprNode): string | undefined {
  if (node.node === "literal" && typeof node.value === "string") return node.value;
  for (const child of childrenOf(node)) {
    const text = firstText(child);
    if (text !== undefined) return text;
  }
  return undefined;
}

function exampleOf(name: string): string {
  const text = printNode({ node: "column", name });
  return text.startsWith("col(") || name.length > MAX_SHOWN ? "origin" : text;
}

function columnCall(name: string): string {
  const text = printNode({ node: "column", name });
  const isShown = text.startsWith("col(") && / /.test(name) && name.length <= MAX_SHOWN;
  return isShown ? text : 'col("Major Genre")';
}
