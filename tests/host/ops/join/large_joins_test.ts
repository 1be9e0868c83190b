/** Joins whose results come in many pieces, of every kind, judged by DuckDB. */

import { joinHows } from "../../../../gpu/join_kind.ts";
import { createEngine } from "../../../../mod.ts";
import { assertLargeJoin, type LargeJoin } from "../../../support/joins/large_joins.ts";
import { someOf } from "../../../support/random/test_size.ts";

const KEYS = ["int32", "int64", "text"] as const;
const kinds = [...joinHows.entries()];

for (const [at, how] of someOf(kinds, 2)) {
  Deno.test(`a ${how} join of many rows, of which a tenth share a key, gives the rows of DuckDB`, async () => {
    const engine = createEngine({ device: "cpu", threads: 1 });
    const cases: Omit<LargeJoin, "how" | "keys">[] = how === "cross"
      ? [{ rows: [900, 300], batchRows: [250, 100] }, { rows: [3, 70_000], batchRows: [2, 9000] }]
      : [
        { rows: [12_000, 2_000], batchRows: [1000, 700] },
        { rows: [12_000, 1_000], batchRows: [12_000, 1_000], nullsEqual: true },
        { rows: [50, 90_000], batchRows: [7, 20_000] },
      ];
    for (const [index, given] of cases.entries()) {
      await assertLargeJoin(engine, { ...given, how, keys: KEYS[(at + index) % 3]! });
    }
    await engine.close();
  });
}

for (const [at, how] of someOf(kinds, 1)) {
  const title = `a ${how} join whose build side is 10 times its memory gives the rows of DuckDB`;
  Deno.test(title, async () => {
    const engine = createEngine({ device: "cpu", threads: 1, memory: 100_000 });
    const given: Omit<LargeJoin, "how" | "keys"> = how === "cross"
      ? { rows: [5, 30_000], batchRows: [2, 9000] }
      : { rows: [3_000, 30_000], batchRows: [700, 4_000], nullsEqual: at % 2 === 0 };
    await assertLargeJoin(engine, { ...given, how, keys: KEYS[at % 3]! });
    await engine.close();
  });
}
