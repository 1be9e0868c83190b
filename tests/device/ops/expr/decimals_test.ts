/** Decimals in expressions of a device: the host computes them, and the rest stays there. */

import { assert, assertEquals } from "@std/assert";
import * as arrow from "apache-arrow";
import {
  createEngine,
  type Engine,
  expr,
  filter,
  fromBatches,
  join,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { closing } from "../../../support/running/closing.ts";
import { decimalVector, unscaledOf } from "../../../support/random/random_decimals.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";

const EXPRS = {
  sum: "(a + b * 2).orNull()",
  rounded: "(a * 1.19).round(2)",
  text: 'a.toString() + "!"',
  chosen: "a < b && n > 0 ? a : b",
  length: "a.toString().length() + n",
  missing: "a.isNull()",
  nearest: "a.toFloat()",
};

deviceTest("decimals beside a device are those of the host", () =>
  forSeeds(2, async (random) => {
    const numRows = 3000;
    const values = (precision: number) =>
      Array.from(
        { length: numRows },
        () => random.chance(0.1) ? null : unscaledOf(random, { precision, scale: 2 }),
      );
    const key = Array.from({ length: numRows }, () => BigInt(random.below(200)));
    const table = new arrow.Table({
      a: decimalVector(new arrow.Decimal(2, 15, 128), values(15)),
      b: decimalVector(new arrow.Decimal(4, 20, 128), values(20)),
      k: decimalVector(new arrow.Decimal(1, 5, 128), key.map((value) => 10n * value)),
      n: arrow.vectorFromArray(key.map(Number), new arrow.Int32()),
    });
    const run = async (engine: Engine) => {
      const build = fromBatches(table, { engine });
      const result = await toTable(
        fromBatches(table, { engine })
          .pipeThrough(withColumns(
            Object.fromEntries(
              Object.entries(EXPRS).map(([name, text]) => [name, expr(text)]),
            ),
            { engine },
          ))
          .pipeThrough(filter(expr("a >= -1e9 || missing"), { engine }))
          .pipeThrough(join(build, { on: { n: "k" }, how: "semi", engine })),
      );
      return result.toArray().map((row) =>
        JSON.stringify(
          row.toJSON(),
          (_, value) => typeof value === "bigint" ? String(value) : value,
        )
      );
    };
    await using host = closing(createEngine({ device: "cpu" }));
    await using device = closing(createEngine({ device: "gpu" }));
    await using both = closing(createEngine({ device: "check" }));
    const expected = await run(host);
    assert(expected.length > 100);
    assertEquals(await run(device), expected);
    assertEquals(await run(both), expected);
  }));
