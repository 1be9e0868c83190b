/** A last step that fails. */

import { col, printExpr } from "../../ops/expr/expr.ts";
import { parseExpr } from "../../ops/expr/parse.ts";
import { columnsOf } from "../../ops/expr/rewrite.ts";
import type { SeededRandom } from "../support/random/seeded_random.ts";
import { unsortedRows } from "./as_of_draws.ts";
import type { CaseStep } from "./fuzz_case.ts";
import type { ModelTable } from "./model_table.ts";
import { wrongChunks } from "./random_array.ts";
import { ExprMaker, kindOf } from "./random_expr.ts";
import { missingRow } from "./random_slice.ts";
import { wrongSizes } from "./regroup_draws.ts";
import { arrayIn } from "./zarr_model.ts";

/**
 * A last step that fails: times that are not sorted, a row that does not exist, chunks that make no
 * array, sizes that do not add up, a strict conversion, a row that is too long, an expression without a type.
 */
export function failingStep(random: SeededRandom, table: ModelTable): CaseStep[] {
  const { columns, numRows } = table;
  if (arrayIn(table) !== undefined && random.chance(0.7)) return [wrongChunks(random)];
  if (random.chance(0.25)) return unsortedRows(random, table) ?? [];
  if (random.chance(0.25)) return [missingRow(random, table)];
  if (random.chance(0.15)) return [wrongSizes(random, table)];
  const whole = columns.filter(({ type }) => kindOf(type) === "int").map(({ name }) => name);
  if (numRows > 0 && whole.length > 0 && random.chance(0.4)) {
    const number = printExpr(col(random.pick(whole)));
    const wrong = random.pick([
      ...[`${number} * 9223372036854775807`, `7 % (${number} - ${number})`, `${number} << 62`],
      `"2000-01-31".toDate().plus(${number} * 1000, "year")`,
    ]);
    return [{ do: "with", columns: [["failing", wrong]] }];
  }
  const names = columns.filter(({ type }) => kindOf(type) === "text").map(({ name }) => name);
  // An expression without columns is computed once, even for no rows.
  if (numRows === 0 || names.length === 0) return [];
  const made = new ExprMaker(random, columns).text("text", 1);
  const text = made !== undefined && columnsOf(parseExpr(made)).size > 0
    ? made
    : printExpr(col(random.pick(names)));
  // A condition that fails on no row that the one before it leaves.
  if (random.chance(0.3)) {
    return [
      { do: "filter", expr: `(${text}).isInteger()` },
      { do: "filter", expr: `(${text}).toInteger(true) > 0` },
    ];
  }
  const wrong = random.pick([
    `(${text}).${random.pick(["toInteger", "toFloat", "toBoolean", "ipv4ToInteger"])}(true)`,
    `(${text}).toDate(null, true)`,
    `(${text}).cast("${random.pick(["int64", "uint8", "float32", "bool", "date32"])}")`,
    ...[`(${text}).repeat(600000000)`, `(${text}).repeat(2000000000)`],
    `(${text}).toInteger() + (${text})`,
    `(${text}).upper() + missing`,
    `(${text}) && true`,
  ]);
  return [{ do: "with", columns: [["failing", wrong]] }];
}
