/** Joins on the device whose results come in many pieces, of every kind, judged by DuckDB. */

import { joinHows } from "../../../../gpu/join_kind.ts";
import { createEngine } from "../../../../mod.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { assertLargeJoin, type LargeJoin } from "../../../support/joins/large_joins.ts";
import { someOf } from "../../../support/random/test_size.ts";

const KEYS = ["int32", "int64", "text"] as const;

for (const [at, how] of someOf(joinHows, 3).entries()) {
  deviceTest(`a ${how} join of many rows on the device gives the rows of DuckDB`, async () => {
    const engine = createEngine({ device: "gpu", threads: 1 });
    const cases: Omit<LargeJoin, "how" | "keys">[] = how === "cross"
      ? [{ rows: [600, 200], batchRows: [250, 100] }]
      : [
        { rows: [8_000, 1_500], batchRows: [3_000, 700] },
        { rows: [50, 20_000], batchRows: [30, 9_000], nullsEqual: true },
      ];
    for (const [index, given] of cases.entries()) {
      await assertLargeJoin(engine, { ...given, how, keys: KEYS[(at + index) % 3]! });
    }
    await engine.close();
  });
}
