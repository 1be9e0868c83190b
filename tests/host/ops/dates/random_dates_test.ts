/** Random operations on dates, times and durations of all types, judged by Temporal. */

import { assertEquals } from "@std/assert";
import { printExpr } from "../../../../ops/expr/expr.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { typeOf } from "../../../fuzz/case_types.ts";
import { DRAWN_DATES, namedDate, randomDated } from "../../../fuzz/random_dates.ts";
import { ExprMaker, type Kind } from "../../../fuzz/random_expr.ts";
import { valuesOfType, ZONES } from "../../../fuzz/random_table.ts";
import { evaluateTyped, type TypedColumns } from "../../../support/kernels/programs.ts";
import { modelExpr } from "../../../support/models/expr_model.ts";
import { ModelTypeError, TooLarge } from "../../../support/models/expr_model_types.ts";
import { randomTimes } from "../../../support/random/random_times.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const NUM_ROWS = 20;
const KINDS: readonly Kind[] = ["int", "float", "date", "time", "text"];

/** Columns of all types of times, and times near the changes of a clock. */
function randomColumns(random: SeededRandom) {
  const unit = () => random.pick(["s", "ms", "us", "ns"]);
  const types = [
    ...["date32", "date64", "int32", "int64"],
    ["timestamp", unit()],
    ["timestamp", unit(), random.pick(ZONES)],
    ["duration", unit()],
  ] as const;
  const columns = types.map((json, index) => {
    const value = valuesOfType(random, json);
    const values = Array.from({ length: NUM_ROWS }, () => random.chance(0.1) ? null : value());
    return { name: `c${index}`, type: typeOf(json), values };
  });
  const { type, values } = randomTimes(random, { numRows: NUM_ROWS });
  return [...columns, { name: "near", type, values: [...values] }];
}

Deno.test("random operations on dates, times and durations agree with Temporal, fused and unfused", () => {
  const draws = new Draws(DRAWN_DATES);
  return forSeeds(fewOr(30, 400), (random) => {
    const columns = randomColumns(random);
    const typed = Object.fromEntries(
      columns.map(({ name, type, values }) => [name, [type, values]]),
    ) as unknown as TypedColumns;
    const maker = new ExprMaker(random, columns);
    const of = (kind: Kind) => maker.make(kind, random.below(2));
    for (let round = 0; round < 4; round++) {
      const made = random.chance(0.6)
        ? namedDate(random, random.pick(DRAWN_DATES), columns, of)
        : randomDated(random, random.pick(KINDS), columns, of);
      if (made === undefined) continue;
      const text = printExpr(made.orNull());
      let expected: unknown[];
      try {
        const model = modelExpr(parseExpr(text).node, columns);
        expected = Array.from({ length: NUM_ROWS }, (_, row) => model.at(row));
      } catch (error) {
        if (error instanceof ModelTypeError || error instanceof TooLarge) continue;
        throw error;
      }
      for (const name of DRAWN_DATES) if (text.includes(`.${name}(`)) draws.add(name);
      for (const fuse of [true, false]) {
        assertEquals(evaluateTyped(parseExpr(text), typed, fuse), expected, `${text}, ${fuse}`);
      }
    }
  }, draws);
});
