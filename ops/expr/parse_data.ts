/** @module */

import type { AnyNode, Expression, ObjectExpression, Property, SpreadElement } from "acorn";
import type { Argument, Expr } from "./expr.ts";
import type { LiteralData } from "./node.ts";
import type { ParseText } from "./parse_text.ts";
import { unsupported } from "./parse_unsupported.ts";

type ParseValue = (node: Expression) => Expr;

/**
 * An argument that is more than one value: `[1, 2]`, `{ side: "left" }` or `/a+/i`. Undefined for
 * any other expression. What stands in a list must be literal.
 */
export function parseData(
  source: ParseText,
  node: AnyNode,
  value: ParseValue,
): Exclude<Argument, Expr> | undefined {
  switch (node.type) {
    case "ArrayExpression":
      return node.elements.map((item) => literalData(source, item ?? node, value));
    case "ObjectExpression":
      return namedValues(node, source, (item) => parseData(source, item, value) ?? value(item));
    case "Literal":
      return node.regex ? { regex: node.regex.pattern, flags: node.regex.flags } : undefined;
    default:
      return undefined;
  }
}

function literalData(source: ParseText, node: AnyNode, value: ParseValue): LiteralData {
  if (node.type === "SpreadElement") return unsupported(source, node);
  if (node.type === "ObjectExpression") {
    return namedValues(node, source, (item) => literalData(source, item, value));
  }
  const data = parseData(source, node, value);
  if (data !== undefined) return data as LiteralData;
  const { node: parsed } = value(node as Expression);
  if (parsed.node === "literal") return parsed.value;
  throw source.error("What stands in a list must be a literal", node);
}

function namedValues<T>(
  { properties }: ObjectExpression,
  source: ParseText,
  parse: (node: Expression) => T,
): { [name: string]: T } {
  const entries = properties.map((property): [string, T] => [
    nameOf(source, property),
    parse((property as Property).value),
  ]);
  const names = entries.map(([name]) => name);
  const repeated = properties.find((_, index) => names.indexOf(names[index] ?? "") !== index);
  if (repeated !== undefined) throw source.error("The name comes twice", repeated);
  return Object.fromEntries(entries);
}

function nameOf(source: ParseText, property: Property | SpreadElement): string {
  if (property.type === "Property" && property.kind === "init" && !property.computed) {
    const { key } = property;
    if (key.type === "Identifier") return key.name;
    if (key.type === "Literal" && typeof key.value === "string") return key.value;
  }
  throw source.error("Named values are written as name: value", property);
}
