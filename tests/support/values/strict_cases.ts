/** Streams with strict conversions, and how they end. */

import { assertEquals, assertRejects } from "@std/assert";
import { Float64, Utf8 } from "apache-arrow";
import {
  ConversionError,
  type Engine,
  expr,
  filter,
  fromBatches,
  StepError,
  toTable,
  withColumns,
} from "../../../mod.ts";
import { batchOf } from "./streams_samples.ts";

/** Two batches; rows are numbered through them. */
const BATCHES = [
  batchOf({
    age: [new Utf8(), ["41", null, "7"]],
    day: [new Utf8(), ["2001-03-14", "x", ""]],
    n: [new Float64(), [1.5, NaN, 3]],
  }),
  batchOf({
    age: [new Utf8(), ["12", "4x", "y"]],
    day: [new Utf8(), ["2000-02-29", "2001-02-29", null]],
    n: [new Float64(), [2, 4, Infinity]],
  }),
];

/** An expression, and the end of the message; null where the stream runs to its end. */
export const STRICT_CASES: readonly (readonly [string, string | null])[] = [
  ["age.toInteger()", null],
  ["age.toInteger({strict: false})", null],
  ["age.toInteger({strict: true})", 'toInteger(age) refuses "4x" (row 4)'],
  ["age.strip().toInteger(true)", 'toInteger(strip(age)) refuses "4x" (row 4)'],
  ["(age + age).toInteger({strict: true})", 'toInteger(age + age) refuses "4x4x" (row 4)'],
  ["age.toFloat({strict: true})", 'toFloat(age) refuses "4x" (row 4)'],
  ["day.toDate({strict: true})", 'toDate(day) refuses "x" (row 1)'],
  ["day.toTimestamp('%Y-%m-%d', {strict: true})", 'toTimestamp(day) refuses "x" (row 1)'],
  ["n.toInteger({strict: true})", "toInteger(n) refuses NaN (row 1)"],
  ["age.toBoolean({strict: true})", 'toBoolean(age) refuses "41" (row 0)'],
  ["'x'.toInteger({strict: true})", 'toInteger("x") refuses "x" (row 0)'],
  // What is longer than 120 characters is cut in the middle.
  [
    `'${"z".repeat(200)}'.toInteger({strict: true})`,
    `toInteger("${"z".repeat(69)}…${"z".repeat(37)}") refuses "${"z".repeat(79)}…${
      "z".repeat(38)
    }" (row 0)`,
  ],
  ["cast(age, 'int64')", 'cast(age, "int64") refuses "4x" (row 4)'],
  ["age.strip().cast('int8')", 'cast(strip(age), "int8") refuses "4x" (row 4)'],
  [
    "(age + '0').fillNull('1').cast('uint8')",
    'cast((age + "0").fillNull("1"), "uint8") refuses "410" (row 0)',
  ],
  ["age.tryCast('int8')", null],
  ["n.cast('float32')", null],
  ["n.cast('int16')", 'cast(n, "int16") refuses 1.5 (row 0)'],
  [
    "age.toInteger().fillNull(300).cast('int8')",
    'cast(toInteger(age).fillNull(300), "int8") refuses 300 (row 1)',
  ],
  ["day.cast('date32')", 'cast(day, "date32") refuses "x" (row 1)'],
  ["day.tryCast('timestamp[s]').cast('date32').cast('int64')", null],
  [
    "(age + '000000').tryCast('int64').cast('timestamp[s]').cast('date32')",
    'cast(tryCast(age + "000000", "int64"), "date32") refuses 1971-04-20T12:53:20 (row 0)',
  ],
  ["'x'.cast('int8')", 'cast("x", "int8") refuses "x" (row 0)'],
  ["'42'.cast('int8') + 1", null],
  ["300.5.cast('uint32')", 'cast(300.5, "uint32") refuses 300.5 (row 0)'],
  // A branch that is not taken refuses nothing; a null is nothing to refuse.
  ["age.isInteger() ? age.toInteger({strict: true}) : -1", null],
  ["age.isInteger() ? age.cast('int8') : age.length().cast('int8')", null],
  ["age == '4x' ? 4 : age.toInteger({strict: true})", 'toInteger(age) refuses "y" (row 5)'],
  ["(age < '0') ? age.toInteger({strict: true}) : 0", null],
  [
    "age.toInteger().fillNull(age.toInteger({strict: true}))",
    'toInteger(age) refuses "4x" (row 4)',
  ],
  ["n.toInteger().fillNull(age.toInteger({strict: true}))", 'toInteger(age) refuses "y" (row 5)'],
  ["age.toInteger({strict: true}).fillNull(0)", 'toInteger(age) refuses "4x" (row 4)'],
  ["age.toInteger({strict: true}).isNull()", 'toInteger(age) refuses "4x" (row 4)'],
];

/** Runs cases, as a new column and as the condition of a filter. */
export async function assertStrictCases(engine: Engine, cases = STRICT_CASES): Promise<void> {
  for (const [text, message] of cases) {
    // A condition that reads no column is refused.
    const filtered = /\b(age|day|n)\b/.test(text)
      ? [["filter", filter(expr(`(${text}).isNull() || !(${text}).isNull()`))] as const]
      : [];
    const steps = [["withColumns", withColumns({ x: expr(text) })] as const, ...filtered];
    for (const [name, step] of steps) {
      const run = () => toTable(fromBatches(BATCHES, { engine }).pipeThrough(step));
      if (message === null) {
        assertEquals((await run()).numRows, 6, text);
        continue;
      }
      const error = await assertRejects(run, StepError);
      assertEquals(error.message, `step 2, ${name}: ${message}`);
      assertEquals(error.cause instanceof ConversionError, true);
    }
  }
}
