/**
 * Defines `recode`, which puts other values in place of those of a table.
 *
 * @module
 */

import { DataType } from "apache-arrow";
import { argumentNode } from "../syntax/call_node.ts";
import type { Value } from "../syntax/expr_base.ts";
import { isRegexData, type Literal, literalNode } from "../syntax/literal.ts";
import type { ExprNode, StringOp } from "../syntax/node.ts";
import { receiverOf } from "../syntax/receiver.ts";
import type { CallArgs } from "../syntax/overload.ts";
import { defineStringOp, overload } from "./define/define_string_op.ts";

/** The number of values up to which comparing one after another is bearable; a join looks them up. */
const MOST_VALUES = 400;

/** Returns the entries of a table of literals; undefined for other data. */
function entriesOf(values: CallArgs[string]): [key: string, value: Literal][] | undefined {
  if (typeof values !== "object" || values === null || Array.isArray(values)) return undefined;
  if (isRegexData(values as never)) return undefined;
  const entries = Object.entries(values);
  return entries.every(([, value]) => typeof value !== "object" || value === null)
    ? entries as [string, Literal][]
    : undefined;
}

/** Returns a key, which is always text, as a literal of the type of the values. */
function keyOf(key: string, type: DataType): Literal {
  if (DataType.isInt(type) && /^-?\d+$/.test(key)) return BigInt(key);
  const isNumber = key === "NaN" || (key.trim() !== "" && !Number.isNaN(Number(key)));
  if ((DataType.isFloat(type) || receiverOf(type) === "decimal") && isNumber) return Number(key);
  if (DataType.isBool(type) && (key === "true" || key === "false")) return key === "true";
  return key;
}

function isLiteral(value: CallArgs[string]): value is Literal {
  return value !== undefined && (typeof value !== "object" || value === null);
}

function kindOf(value: Exclude<Literal, null>): string {
  if (typeof value === "string") return "text";
  return typeof value === "boolean" ? "true or false" : "a number";
}

function shown(value: Literal): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** Puts other values in place of those of a table. */
export const recode: StringOp<
  [values: Readonly<Record<string, Literal>>, other?: Value]
> = defineStringOp({
  name: "recode",
  group: "choose",
  args: { values: "literal", other: "any" },
  accepts: { values: "{ value: result, ... }", other: "value" },
  optional: ["other"],
  result: "type of the results",
  summary: "The result that a table has for the value, else the other",
  details:
    "Without other it is null where the table lacks the value; recode({ a: 1 }, a) keeps the value. A " +
    "null gets the other, too. The values are text, numbers, booleans, or dates and times in ISO form.",
  differs: [
    "Polars: replace_strict() fails without a default where the table lacks a value",
    "SQL: decode(value, a, 1, b, 2, other)",
  ],
  examples: [
    { input: "CA", args: [{ CA: "home", NV: "near" }, "away"], result: "home" },
    { input: "TX", args: [{ CA: "home", NV: "near" }, "away"], result: "away" },
    { input: "TX", args: [{ CA: "home" }], result: null },
    { input: 2, args: [{ "1": "one", "2": "two" }], result: "two" },
  ],
  check({ values, other }) {
    const entries = entriesOf(values);
    if (entries === undefined) return "the table is written { value: result, ... } with literals";
    if (entries.length > MOST_VALUES) {
      return `the table has ${entries.length} values, more than ${MOST_VALUES}; join a file with them`;
    }
    if (entries.length === 0) return "the table is empty";
    const results = [...entries.map(([, result]) => result), ...isLiteral(other) ? [other] : []];
    const known = results.filter((result) => result !== null);
    const odd = known.find((result) => kindOf(result) !== kindOf(known[0]!));
    if (odd === undefined) return undefined;
    return `the results are of one type, but ${shown(known[0]!)} is ${kindOf(known[0]!)} and ${
      shown(odd)
    } ${kindOf(odd)}`;
  },
  expand(left, { values, other }, typeOf) {
    const type = typeOf();
    return (entriesOf(values) ?? []).reduceRight<ExprNode>((no, [key, value]) => ({
      node: "choose",
      test: { node: "compare", op: "==", left, right: literalNode(keyOf(key, type)) },
      yes: literalNode(value),
      no,
    }), argumentNode(other) ?? literalNode(null));
  },
  choose: () => undefined,
  overloads: { none: overload({ subject: "i64", row: () => 0 }) },
});
