import { assert, assertEquals, assertThrows } from "@std/assert";
import { now, printExpr, today } from "../../../../mod.ts";
import { col } from "../../../../ops/expr/expr.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { typeName } from "../../../../ops/batch/arrow_types.ts";
import { Int64, Schema } from "apache-arrow";
import { evaluateTyped } from "../../../support/kernels/programs.ts";
import { localTime, randomTimes } from "../../../support/random/random_times.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const x = col("x");

Deno.test("months and days have the English names of Temporal, in local time", () =>
  forSeeds(fewOr(20, 200), (random) => {
    const { type, zone, values, nanoseconds } = randomTimes(random);
    const input = { x: [type, [...values, null]] } as const;
    for (const [expr, field] of [[x.monthName(), "month"], [x.dayName(), "weekday"]] as const) {
      const names = nanoseconds.map((time) =>
        localTime(time, zone).toPlainDate().toLocaleString("en-US", { [field]: "long" })
      );
      assertEquals(evaluateTyped(expr, input), [...names, null]);
    }
  }));

Deno.test("today and now are the moment when the expression is made, in UTC", () => {
  const before = Date.now();
  const [moment, date] = [now(), today()];
  const after = Date.now();
  const rows = { x: [new Int64(), [1n, 2n]] } as const;
  for (
    const [expr, name, length] of [[moment, "timestamp[us, UTC]", 1000], [date, "date32"]] as const
  ) {
    assertEquals(typeName(bindExpr(expr, new Schema([])).type), name);
    const [value, other] = evaluateTyped(expr, rows).map(Number);
    assertEquals(value, other);
    const unit = length === undefined ? 86_400_000 : 1 / length;
    const [least, most] = [before, after].map((time) => Math.floor(time / unit));
    assert(least! <= value! && value! <= most!, `${value} from ${least} to ${most}`);
    assertEquals(printExpr(parseExpr(printExpr(expr))), printExpr(expr));
  }
  assertEquals(typeName(bindExpr(parseExpr("today()"), new Schema([])).type), "date32");
  assertThrows(() => parseExpr("now(1)"), Error, "now() takes nothing");
});
