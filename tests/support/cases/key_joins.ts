/** Cases of the keys of join(): their types, nulls and sizes. */

import { assertEquals } from "@std/assert";
import { Dictionary, Int16, Int32, Utf8 } from "apache-arrow";
import { expr, fromBatches, join, toTable, withColumns } from "../../../mod.ts";
import {
  expectedPairs,
  joinByKeys,
  KEYED_HOWS,
  pairsOf,
  randomKeyJoin,
} from "../joins/join_by_keys.ts";
import { KEY_KINDS } from "../joins/join_keys.ts";
import { Draws, forSeeds } from "../random/seeded_random.ts";
import { fewOr } from "../random/test_size.ts";
import { batchOf, rowsOf } from "../values/streams_samples.ts";
import type { EngineCase } from "./engine_case.ts";

/** Registers all cases of keys. */
export function keyJoinCases(test: EngineCase): void {
  test("keys of every type join as their values do, in the order of both sides", async ({ open, amount }) => {
    // The joins of the second engine have memory for a few rows.
    const [engine, tight] = [open(), open({ memory: 1000 })];
    const draws = new Draws([
      ...KEY_KINDS.map(({ name }) => name),
      ...KEYED_HOWS.flatMap((how) => [`${how}, nulls equal`, `${how}, nulls differ`]),
      ...["1 key", "2 keys", "3 keys"],
    ]);
    await forSeeds(amount({ host: fewOr(50, 400), device: fewOr(20, 60) }), async (random) => {
      const kinds = Array.from({ length: 1 + random.below(3) }, () => random.pick(KEY_KINDS));
      const tables = randomKeyJoin(random, kinds);
      for (const { name } of kinds) draws.add(name);
      draws.add(`${tables.how}, nulls ${tables.nullsEqual ? "equal" : "differ"}`);
      draws.add(kinds.length === 1 ? "1 key" : `${kinds.length} keys`);
      const title = `${tables.how} on ${kinds.map(({ name }) => name).join(", ")}`;
      const result = await joinByKeys(random.chance(0.7) ? engine : tight, tables);
      assertEquals(pairsOf(result), expectedPairs(tables), title);
    }, draws);
  });

  test("computed keys join dictionaries that differ from batch to batch", async ({ open }) => {
    const engine = open();
    const category = () => new Dictionary(new Utf8(), new Int16());
    const build = [["LIMA", "ZOË"], ["BONN", null, "ZOË"], ["ŁÓDŹ", "LIMA"]].map((names, at) =>
      batchOf({
        city: [category(), names],
        row: [new Int32(), names.map((_, row) => 10 * at + row)],
      })
    );
    const probe = [["Bonn", "lima"], [null, "zoë", "Paris"], ["Łódź"]].map((names) =>
      batchOf({ name: [category(), names] })
    );
    const stream = fromBatches(probe, { engine })
      .pipeThrough(withColumns({ key: expr("name.upper()") }))
      .pipeThrough(join(fromBatches(build, { engine }), { on: { key: "city" }, how: "left" }));
    const rows = rowsOf((await toTable(stream)).batches).map(({ key, row }) => [key, row]);
    assertEquals(rows, [
      ["BONN", 10],
      ["LIMA", 0],
      ["LIMA", 21],
      [null, null],
      ["ZOË", 1],
      ["ZOË", 12],
      ["PARIS", null],
      ["ŁÓDŹ", 20],
    ]);
  });

  test("a very long key matches none, nor null where nulls are equal", async ({ open }) => {
    const engine = open();
    const kind = KEY_KINDS.find(({ name }) => name === "text with zeros")!;
    const side = (name: "left" | "right", keys: readonly (string | null)[]) => ({
      batches: [batchOf({
        [`${name}_row`]: [new Int32(), keys.map((_, row) => row)],
        [`${name}_0`]: [new Utf8(), keys],
      })],
      types: [new Utf8()],
      rows: keys.map((key) => [key]),
    });
    const long = "w".repeat(40_000);
    for (const how of KEYED_HOWS) {
      for (const nullsEqual of [true, false]) {
        for (const build of [["a", "b", null], ["a", null, "zz", "zz"], ["", null], ["www"]]) {
          const probe = ["zz", null, "yy", long, "ab", `${long}w`, "", "www", "wwww"];
          const [left, right] = [side("left", probe), side("right", build)];
          const tables = { kinds: [kind], left, right, how, nullsEqual };
          const title = `${how}, ${build}, ${nullsEqual ? "nulls equal" : ""}`;
          assertEquals(pairsOf(await joinByKeys(engine, tables)), expectedPairs(tables), title);
        }
      }
    }
  });
}
