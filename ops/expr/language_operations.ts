/**
 * Describes the operations of the expression language, as string operations are described.
 *
 * @module
 */

import type { ExampleValue } from "../syntax/node.ts";
import type { OperationGroup } from "../syntax/operation_group.ts";

/** An operation of the language of expressions. */
export interface LanguageOperation {
  /** The name, or the operator. */
  readonly name: string;
  /** Other operators that the description covers. */
  readonly aliases?: readonly string[];
  /** The signature with the type of the result. */
  readonly signature: string;
  /** The group in which it is listed. */
  readonly group: OperationGroup;
  /** A clause without a period. */
  readonly summary: string;
  /** Sentences that complete the summary. */
  readonly details?: string;
  /** Deliberate differences from operations of the same name elsewhere. */
  readonly differs?: readonly string[];
  /** Expressions over the given columns, and their results; a null is a null of type string. */
  readonly examples: readonly {
    readonly expression: string;
    readonly columns: Readonly<Record<string, ExampleValue>>;
    readonly result: ExampleValue;
  }[];
}

/** Concatenation, choices, comparisons and logic. */
export const languageOperations: readonly LanguageOperation[] = [
  {
    name: "concat",
    signature: "concat(a, b, ..., { separator?: string, nulls?: string }) -> string",
    group: "combine",
    summary: "Texts joined, with a separator between them",
    details: "Null where one of them is null, unless `nulls` is the text that stands for it.",
    differs: ["DuckDB: concat() and concat_ws() leave nulls out"],
    examples: [
      {
        expression: 'concat(city, state, { separator: ", " })',
        columns: { city: "Austin", state: "TX" },
        result: "Austin, TX",
      },
      { expression: "concat(city, state)", columns: { city: "Austin", state: null }, result: null },
      {
        expression: 'concat(city, state, { separator: ", ", nulls: "?" })',
        columns: { city: "Austin", state: null },
        result: "Austin, ?",
      },
    ],
  },
  {
    name: "? :",
    aliases: ["?", ":"],
    signature: "test ? a : b -> type of a and b",
    group: "choose",
    summary: "The first value where the test is true, else the second",
    details:
      "Where the test is null, the result is the second value. An integer beside a float gives float64, " +
      "also in fillNull() and the like.",
    differs: ["JavaScript: text and numbers count as true or false; here the test is a boolean"],
    examples: [
      { expression: 'delay > 60 ? "late" : "on time"', columns: { delay: 75 }, result: "late" },
      { expression: 'state == "CA" ? "home" : "away"', columns: { state: null }, result: "away" },
    ],
  },
  {
    name: "ifElse",
    signature: "ifElse(test: bool, a, b) -> type of a and b",
    group: "choose",
    summary: "The same as test ? a : b",
    examples: [
      { expression: 'ifElse(flag, "yes", "no")', columns: { flag: true }, result: "yes" },
      { expression: 'flag.ifElse("yes", "no")', columns: { flag: false }, result: "no" },
    ],
  },
  {
    name: "fillNull",
    signature: "fillNull(value, other) -> type of both",
    group: "choose",
    summary: "The value, or the other where it is null",
    examples: [
      { expression: 'name.fillNull("unknown")', columns: { name: null }, result: "unknown" },
      { expression: 'name.fillNull("unknown")', columns: { name: "Ada" }, result: "Ada" },
    ],
  },
  {
    name: "coalesce",
    signature: "coalesce(a, b, ...) -> type of all",
    group: "choose",
    summary: "The first value that is not null",
    examples: [
      {
        expression: 'coalesce(nickname, name, "unknown")',
        columns: { nickname: null, name: "Ada" },
        result: "Ada",
      },
      {
        expression: "coalesce(nickname, name)",
        columns: { nickname: "Countess", name: "Ada" },
        result: "Countess",
      },
    ],
  },
  {
    name: "isNull",
    signature: "isNull(value) -> bool",
    group: "choose",
    summary: "Whether the value is null; never null itself",
    examples: [
      { expression: "name.isNull()", columns: { name: null }, result: true },
      { expression: "name.isNull()", columns: { name: "" }, result: false },
    ],
  },
  {
    name: "isNotNull",
    signature: "isNotNull(value) -> bool",
    group: "choose",
    summary: "Whether the value is not null; never null itself",
    examples: [
      { expression: "name.isNotNull()", columns: { name: null }, result: false },
      { expression: "name.isNotNull()", columns: { name: "Ada" }, result: true },
    ],
  },
  {
    name: "nullIf",
    signature: "nullIf(a, b) -> type of a",
    group: "choose",
    summary: "Null where a equals b, else a",
    details: "Compares as == does, so that a stays where b is null.",
    examples: [
      { expression: "code.nullIf(9999)", columns: { code: 9999 }, result: null },
      { expression: "code.nullIf(9999)", columns: { code: 7 }, result: 7 },
    ],
  },
  {
    name: "orNull",
    signature: "orNull(value) -> type of value",
    group: "choose",
    summary: "The value, or null where computing it fails",
    details:
      "Wherever something inside fails, that part is null: a number that does not fit in its type, a whole " +
      "number by 0, a value that a cast refuses. cast(a, type).orNull() is tryCast(a, type).",
    differs: ["DuckDB: try(); a whole number by 0 is null there without it"],
    examples: [
      { expression: "(a % b).orNull()", columns: { a: 7, b: 0 }, result: null },
      { expression: "(a % b).orNull()", columns: { a: 7, b: 4 }, result: 3n },
      { expression: 'cast(name, "int8").orNull()', columns: { name: "300" }, result: null },
    ],
  },
  {
    name: "any",
    aliases: ["all"],
    signature: "any(a: bool, b: bool, ...), all(a: bool, b: bool, ...) -> bool",
    group: "compare",
    summary: "Whether one of several tests holds, or all of them; the same as a || b, and a && b",
    details: "Null counts as unknown, as in || and &&.",
    examples: [
      { expression: "any(a, b)", columns: { a: false, b: true }, result: true },
      { expression: "all(a, b)", columns: { a: true, b: false }, result: false },
    ],
  },
  {
    name: "now",
    aliases: ["today"],
    signature: "now() -> timestamp[us, UTC], today() -> date32",
    group: "dates",
    summary: "This moment, and its date in UTC; fixed when the expression is made",
    details: 'The date elsewhere is now().toZone("Europe/Berlin").toDate().',
    differs: ["DuckDB: current_date is that of the time zone of the session"],
    examples: [
      {
        expression: "day.toDate() < today()",
        columns: { day: "2024-02-29" },
        result: true,
      },
      {
        expression: 'day.toTimestamp().asZone("UTC") < now()',
        columns: { day: "2024-02-29T12:00" },
        result: true,
      },
    ],
  },
  {
    name: "==",
    aliases: ["!="],
    signature: "a == b, a != b -> bool",
    group: "compare",
    summary: "Whether two values are equal, or differ; texts are compared by their bytes",
    details:
      "Null where an operand is null. Integers are compared exactly with any number, also with a column of " +
      "floats. NaN equals NaN.",
    differs: [
      "JavaScript: text and a number cannot be compared, == is ===, and NaN differs from NaN",
      "DuckDB, Polars: an int64 beside a float64 is rounded, so that 2^53 + 1 equals 2^53",
    ],
    examples: [
      { expression: 'state == "CA"', columns: { state: "CA" }, result: true },
      { expression: "a != b", columns: { a: "straße", b: "strasse" }, result: true },
      { expression: 'state == "CA"', columns: { state: null }, result: null },
    ],
  },
  {
    name: "<",
    aliases: ["<=", ">", ">="],
    signature: "a < b, a <= b, a > b, a >= b -> bool",
    group: "compare",
    summary: "The order of two values; texts are compared by their bytes",
    details:
      "The order of UTF-8 bytes is the order of code points. Null where an operand is null. NaN comes " +
      "after all other numbers.",
    differs: [
      "JavaScript: compares UTF-16 units, which puts U+1F600 in front of U+FF5E; NaN has no order",
    ],
    examples: [
      { expression: 'name < "b"', columns: { name: "ant" }, result: true },
      { expression: '"Z" < name', columns: { name: "a" }, result: true },
      { expression: "count >= 2.5", columns: { count: 2 }, result: false },
    ],
  },
  {
    name: "between",
    signature: "between(a, low, high) -> bool",
    group: "compare",
    summary: "Whether a value is at least low and at most high",
    details:
      "The same as a >= low && a <= high: false where one of the two is, else null where one is null.",
    examples: [
      { expression: "delay.between(0, 15)", columns: { delay: 15 }, result: true },
      { expression: "delay.between(0, 15)", columns: { delay: -1 }, result: false },
    ],
  },
  {
    name: "isIn",
    signature: "isIn(value, [a, b, ...]) -> bool",
    group: "compare",
    summary: "Whether the value equals one of a list",
    details:
      "Compares as == does. Null where the value is null, and, like SQL's IN, where the list has a " +
      "null and does not have the value.",
    examples: [
      { expression: 'state.isIn(["CA", "NV"])', columns: { state: "NV" }, result: true },
      { expression: "state.isIn([])", columns: { state: "NV" }, result: false },
      { expression: 'state.isIn(["CA", null])', columns: { state: "NV" }, result: null },
    ],
  },
  {
    name: "&&",
    aliases: ["||", "!"],
    signature: "a && b, a || b, !a -> bool",
    group: "compare",
    summary: "Logical and, or, not of booleans, where null is unknown",
    details:
      "Unknown and false is false, unknown or true is true, and every other test with an unknown is null.",
    differs: ["JavaScript: returns one of its operands; here the result is a boolean or null"],
    examples: [
      { expression: "a && b", columns: { a: true, b: false }, result: false },
      {
        expression: 'isLate || state == "CA"',
        columns: { isLate: true, state: null },
        result: true,
      },
      { expression: "!a", columns: { a: true }, result: false },
    ],
  },
];
