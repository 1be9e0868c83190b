/**
 * Infers the types of NDJSON columns from their values.
 *
 * @module
 */

import { type DataType, Field, List } from "apache-arrow";
import { losesDigits } from "../../text/exact_number.ts";
import { arrowType } from "../../types/scalar_type.ts";
import { DIGITS } from "../given_types.ts";
import { LongString } from "./long_text.ts";
import { JsonNumber } from "./parse_json.ts";

/** The type of values that are neither lists nor objects. */
type ScalarJsonType = "string" | "int64" | "float64" | "bool";

/**
 * The type of an NDJSON column, such as `list<list<string>>`. "json" keeps the text of objects, of
 * lists whose items have no common type, and of numbers that a double would round. During
 * inference, "long64" stands for integers that int64 holds and a double does not, and `list<null>`
 * for lists whose items are still unknown. `DIGITS` is the text of numbers and strings.
 */
export type JsonType = ScalarJsonType | "json" | typeof DIGITS | `list<${string}>`;

const SCALARS: readonly string[] = ["string", "int64", "float64", "bool"];
const UNKNOWN = "list<null>";
const LONG = "long64" as JsonType;

const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);

/** Lists nested deeper than this are kept as JSON text, since Arrow readers reject them. */
const maxLists = 32;

/** Returns the narrowest type of a value; undefined for null. */
export function jsonTypeOf(value: unknown, mostLists = maxLists): JsonType | undefined {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "number":
      return Number.isSafeInteger(value) ? "int64" : "float64";
    case "bigint":
      if (value >= minInt64 && value <= maxInt64) return isExactDouble(value) ? "int64" : LONG;
      // Long keys stay text: as doubles, different keys could become equal.
      return isExactDouble(value) ? "float64" : "json";
    default:
      if (value instanceof JsonNumber) return isExactDouble(value) ? "float64" : "json";
      if (value === null || value === undefined) return undefined;
      if (value instanceof LongString) return "string";
      return Array.isArray(value) && mostLists > 0 ? listTypeOf(value, mostLists - 1) : "json";
  }
}

function isExactDouble(value: bigint | JsonNumber): boolean {
  return !losesDigits(typeof value === "bigint" ? String(value) : value.text);
}

function listTypeOf(items: readonly unknown[], mostLists: number): JsonType {
  let item: JsonType | undefined;
  for (const value of items) {
    const own = jsonTypeOf(value, mostLists);
    if (own === undefined) continue;
    const united = unitedType(item, own);
    if (united === undefined || united === "json") return "json";
    item = united;
  }
  return item === undefined ? UNKNOWN : `list<${item}>`;
}

/** Returns the type that takes values of both types; undefined if there is none. */
export function unitedType(left: JsonType | undefined, right: JsonType): JsonType | undefined {
  if (left === undefined || left === right) return right;
  const [leftItem, rightItem] = [itemTypeOf(left), itemTypeOf(right)];
  if (leftItem !== null && rightItem !== null) {
    if (left === UNKNOWN) return right;
    if (right === UNKNOWN) return left;
    const item = unitedType(leftItem, rightItem);
    return item === undefined || item === "json" ? "json" : `list<${item}>`;
  }
  if (isNumber(left) && isNumber(right)) {
    const hasLong = left === LONG || right === LONG;
    if (left !== "float64" && right !== "float64") return LONG;
    return hasLong ? "json" : "float64";
  }
  return isJson(left) && isJson(right) ? "json" : undefined;
}

/**
 * Whether values may become JSON text in a mixed column. Strings and booleans would be ambiguous.
 */
function isJson(type: JsonType): boolean {
  return type === "json" || isNumber(type) || itemTypeOf(type) !== null;
}

function isNumber(type: JsonType): boolean {
  return type === "int64" || type === LONG || type === "float64";
}

/** Returns the item type of a list type; null for other types. */
export function itemTypeOf(type: JsonType): JsonType | null {
  return type.startsWith("list<") ? type.slice("list<".length, -1) as JsonType : null;
}

/**
 * Returns the final type of a column once all values were seen. Items that were never seen become
 * strings.
 */
export function knownType(type: JsonType): JsonType {
  return type.replace("null", "string").replace(LONG, "int64") as JsonType;
}

/** Parses a type name such as `list<int64>`; undefined if it names no type. */
export function namedType(name: string): JsonType | undefined {
  if (SCALARS.includes(name) || name === "json") return name as JsonType;
  const item = /^list<(.*)>$/.exec(name)?.[1];
  const known = item === undefined ? undefined : namedType(item);
  return known === undefined || known === "json" ? undefined : `list<${known}>`;
}

export function jsonArrowType(type: JsonType): DataType {
  const item = itemTypeOf(type);
  if (item !== null) return new List(new Field("item", jsonArrowType(item), true));
  return arrowType(type === "json" || type === DIGITS ? "string" : type as ScalarJsonType);
}

/** Whether a value fits a column. If the user gave the type float64, numbers may be rounded. */
export function fitsColumn(type: JsonType, value: unknown, isGiven: boolean): boolean {
  if (type === "json" || type === DIGITS || value === null || value === undefined) return true;
  const item = itemTypeOf(type);
  if (item !== null) {
    return Array.isArray(value) && value.every((each) => fitsColumn(item, each, isGiven));
  }
  if (type === "float64" && (typeof value === "bigint" || value instanceof JsonNumber)) {
    return isGiven ? Number.isFinite(Number(value)) : isExactDouble(value);
  }
  const own = jsonTypeOf(value);
  return own === type || (type === "float64" && own === "int64") ||
    (type === "int64" && own === LONG);
}
