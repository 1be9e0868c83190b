import { assertEquals } from "@std/assert";
import { columnTypeOf } from "../../../../ops/batch/arrow_types.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { compileExprs } from "../../../../ops/expr/compile_exprs.ts";
import { expr } from "../../../../ops/expr/parse.ts";
import { refusedRows } from "../../../support/kernels/refused_rows.ts";
import {
  randomStrict,
  STRICT_SCHEMA,
  strictColumns,
} from "../../../support/random/random_strict.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";
import { columnOf, type Value } from "../../../support/values/host_columns.ts";

const NAMES = STRICT_SCHEMA.fields.map(({ name }) => name);

/** Calls that fail in a row in which something else is null, or decides. */
const BESIDE_NULLS: readonly string[] = [
  "a + b * b",
  "a.fillNull(a) * a + b * b",
  "b * b > a",
  "a > b * b",
  "(p && b * b > 5) ? 1 : 2",
  "!(p || b * b > 5) ? 1 : 2",
  "p && b * b > 5",
  "p || b * b > 5",
  "(b * b > 5 ? 1 : 2).isNull()",
  "(a + b * b).isNull()",
  "(a + b * b).fillNull(7)",
  "s + (b * b).toString()",
  "(b * b).toString() + s",
  "s == (b * b).toString()",
  '(s + (b * b).toString()).upper().startsWith("1")',
  "((b * b).toString() + s).slice(0, 1)",
  "(s + (b * b > 5 ? s : s)).isNull()",
  's.cast("int64") * b + b * b',
];

/** Calls that are not used in that row. */
const NOT_USED: readonly string[] = [
  "a.isNull() ? a : b * b",
  "a.isNull() || b * b > 5",
  "!a.isNull() && b * b > 5",
  "b.fillNull(b * b)",
  '(a.isNull() ? "x" : (b * b).toString().upper()).length()',
  '(p.isNull() ? "x" : p ? (b * b).toString().upper().strip() : "y").slice(0, 2)',
  "(b * b).orNull() + b",
  "a * b",
];

/** Calls that fail in a row of values, beside what decides or ends early. */
const BESIDE_VALUES: readonly string[] = [
  "(s + (b * b).toString()).slice(0, 1)",
  '(s + "-" + (b * b).toString()).slice(0, 1).upper()',
  "(s + (b * b).toString()).isNull()",
  "(p ? a : b * b) + b * b",
];

/** Returns whether the only row of `a`, `b`, `p`, `s` is refused. */
function isRefused(text: string, row: readonly Value[], fuse: boolean): boolean {
  const columns = row.map((value, index) =>
    columnOf(columnTypeOf(STRICT_SCHEMA.fields[index]!.type), [value])
  );
  const compiled = compileExprs([bindExpr(expr(text), STRICT_SCHEMA)], { fuse, names: NAMES });
  const operands = compiled.inputs.map((index) => columns[index]!);
  return refusedRows(compiled, operands, 1, `${text} fuse: ${fuse}`).refused.length > 0;
}

Deno.test("a call fails though another operand is null, unless its branch is not taken", () => {
  for (const fuse of [true, false]) {
    const refused = (row: readonly Value[]) => (text: string) => isRefused(text, row, fuse);
    const nulls = [null, 2n ** 62n, null, null];
    assertEquals(BESIDE_NULLS.filter(refused(nulls)), BESIDE_NULLS);
    assertEquals(NOT_USED.filter(refused(nulls)), []);
    assertEquals(BESIDE_VALUES.filter(refused([1n, 2n ** 62n, true, "12"])), BESIDE_VALUES);
  }
});

const draws = new Draws(["a row is refused", "several rows are refused", "no row is refused"]);

Deno.test("kernels stop exactly where a strict call refuses a row, fused or not", () =>
  forSeeds(fewOr(60, 2000), (random) => {
    const numRows = random.pick([1, 1, 1, 1, 2, 3, 33, 70]);
    const columns = strictColumns(random, numRows);
    const texts = Array.from(
      { length: 1 + random.below(2) },
      () => randomStrict(random, 1 + random.below(4)),
    );
    const bound = texts.map((text) => bindExpr(expr(text), STRICT_SCHEMA));
    for (const fuse of [true, false]) {
      const compiled = compileExprs(bound, { fuse, names: NAMES });
      const operands = compiled.inputs.map((index) => columns[index]!);
      const { refused } = refusedRows(
        compiled,
        operands,
        numRows,
        `${texts.join(", ")} fuse: ${fuse}`,
      );
      if (compiled.checked === undefined) return;
      draws.add(refused.length > 0 ? "a row is refused" : "no row is refused");
      if (refused.length > 1) draws.add("several rows are refused");
    }
  }, draws));
