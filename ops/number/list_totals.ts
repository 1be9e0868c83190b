/**
 * Defines the operations that reduce the numbers of a list to one: `sum`, `min`, `max`, `mean`.
 *
 * @module
 */

import { defineOp, overload, type StringOp } from "../string/define/define_string_op.ts";
import type { StringOpSpecBase } from "../syntax/node.ts";

/** The sentence about nulls in all details. */
const SKIPS = "Null items are skipped, and a null list is null.";

/** The part of the definition that all share. They are bound as parts of a column of lists. */
const TOTAL = { group: "lists", args: {}, optional: [], choose: () => undefined } as const;

/** Returns the sum, which was computed in 64 bits, unless it needs more. */
export const sum: StringOp<[]> = defineOp({
  ...TOTAL,
  name: "sum",
  result: "number",
  isStrict: () => true,
  summary: "The sum of the numbers in a list",
  details:
    "Integers are summed exactly: the result is an int64, of uint64 a uint64, and one that does not fit is " +
    `an error, and null with orNull(). Floats give the float64 nearest to their exact sum. ${SKIPS} The sum ` +
    "of no items is 0.",
  differs: [
    "DuckDB: list_sum() of no items is null, and adds floats one after another",
    "Polars: list.sum() wraps",
  ],
  examples: [
    { input: [1, 2, 3], result: 6n },
    { input: [0.1, 0.2, 0.3], result: 0.6 },
    { input: [5, null], result: 5n },
  ],
  overloads: {
    i64: overload({
      subject: "i64",
      args: { overflows: "bool" },
      returns: "i64",
      row: (total, { overflows }) => overflows ? null : total,
    }),
    u64: overload({
      subject: "u64",
      args: { overflows: "bool" },
      returns: "u64",
      row: (total, { overflows }) => overflows ? null : total,
    }),
  },
});

function total(
  spec: Pick<StringOpSpecBase, "name" | "summary" | "details" | "differs" | "examples" | "result">,
): StringOp<[]> {
  return defineOp({
    ...TOTAL,
    ...spec,
    overloads: { none: overload({ subject: "i64", row: () => 0 }) },
  });
}

/** Returns the least item. */
export const min: StringOp<[]> = total({
  name: "min",
  result: "type of the items",
  summary: "The least item of a list of numbers, texts, dates or times",
  details: `${SKIPS} Without items it is null. least() compares values of a row.`,
  differs: ["Polars: list.min() skips NaN, which is greater than other numbers here"],
  examples: [{ input: [3, 1, 2], result: 1 }, { input: ["b", "a", null], result: "a" }],
});

/** Returns the greatest item. */
export const max: StringOp<[]> = total({
  name: "max",
  result: "type of the items",
  summary: "The greatest item of a list of numbers, texts, dates or times",
  details:
    `${SKIPS} Without items it is null. NaN is greater than other numbers. greatest() compares ` +
    "values of a row.",
  examples: [{ input: [3, 1, 2], result: 3 }, { input: ["b", "a", null], result: "b" }],
});

/** Returns the arithmetic mean. */
export const mean: StringOp<[]> = total({
  name: "mean",
  result: "float64",
  summary: "The mean of the numbers in a list",
  details:
    `The exact sum as the nearest float64, divided by the number of items. ${SKIPS} Without items it is null.`,
  examples: [{ input: [1, 2, 6], result: 3 }, { input: [0.5, null, 1.5], result: 1 }],
});
