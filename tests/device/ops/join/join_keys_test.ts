/** Keys of every type through join() on a device, where the key may lie on the host or there. */

import { assertEquals } from "@std/assert";
import { Dictionary, Int16, Int32, Utf8 } from "apache-arrow";
import { createEngine, expr, fromBatches, join, toTable, withColumns } from "../../../../mod.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { closing } from "../../../support/running/closing.ts";
import {
  joinByKeys,
  KEYED_HOWS,
  pairsByLoops,
  pairsOf,
  randomKeyJoin,
} from "../../../support/joins/join_by_keys.ts";
import { KEY_KINDS } from "../../../support/joins/join_keys.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";
import { batchOf, rowsOf } from "../../../support/values/streams_samples.ts";
import { fewOr } from "../../../support/random/test_size.ts";

deviceTest("keys of every type join on a device as their values do", async () => {
  await using engine = closing(createEngine({ device: "gpu" }));
  const draws = new Draws([...KEY_KINDS.map(({ name }) => name), ...KEYED_HOWS]);
  await forSeeds(fewOr(20, 60), async (random) => {
    const kinds = Array.from({ length: 1 + random.below(2) }, () => random.pick(KEY_KINDS));
    const tables = randomKeyJoin(random, kinds);
    for (const { name } of kinds) draws.add(name);
    draws.add(tables.how);
    const title = `${tables.how} on ${kinds.map(({ name }) => name).join(", ")}`;
    assertEquals(pairsOf(await joinByKeys(engine, tables)), pairsByLoops(tables), title);
  }, draws);
});

deviceTest(
  "keys made on the device join with dictionaries that differ from batch to batch",
  async () => {
    await using engine = closing(createEngine({ device: "gpu" }));
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
  },
);

deviceTest(
  "a key that is too long for a device matches none, nor null where nulls are equal",
  async () => {
    await using engine = closing(createEngine({ device: "gpu" }));
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
          assertEquals(pairsOf(await joinByKeys(engine, tables)), pairsByLoops(tables), title);
        }
      }
    }
  },
);
