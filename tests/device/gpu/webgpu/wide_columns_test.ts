/**
 * Columns whose text has offsets of 64 bits on a device: windows near 2^31 and 2^32, many windows
 * in every operation, and rows that no window holds. The same rows with small offsets on the host
 * judge.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { DataType, Int32, Utf8 } from "apache-arrow";
import { createHostBackend } from "../../../../gpu/host/backend.ts";
import { WebGpuBackend } from "../../../../gpu/webgpu/backend.ts";
import {
  createEngine,
  type Engine,
  expr,
  filter,
  fromBatches,
  join as joinOperator,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { columnOf, stringColumn, textAround } from "../../../support/values/host_columns.ts";
import { batchOf } from "../../../support/values/streams_samples.ts";
import { BOOL } from "../../../support/kernels/trees.ts";
import { someOf } from "../../../support/random/test_size.ts";
import {
  evaluateTexts,
  filterTexts,
  joinTexts,
  TEXTS,
  wideTextCases,
} from "../../../support/cases/wide_text.ts";
import { onDevice } from "../../../support/cases/on_device.ts";
import { contextTest } from "../../../support/device/device_kernels.ts";

const WINDOW_BYTES = 1000;

wideTextCases(onDevice({ windowBytes: WINDOW_BYTES }, ", window by window"));

contextTest(
  "rows that are longer than a window have the same results, on the host",
  async (context) => {
    const backend = new WebGpuBackend(context);
    assert(backend.maxTextBytes < WINDOW_BYTES);
    const long = "a fox, long as no window ".repeat(60);
    assert(long.length > WINDOW_BYTES);
    const texts = TEXTS.with(7, long).with(100, `${long}!`).with(101, long);
    const narrow = stringColumn(texts);
    const mask = columnOf(BOOL, texts.map((_, row) => row % 3 === 1));
    const host = createHostBackend();
    for (const text of someOf([narrow, textAround(2 ** 32, texts)], 1)) {
      assertEquals(await evaluateTexts(backend, text), await evaluateTexts(host, narrow));
      assertEquals(await filterTexts(backend, text, mask), await filterTexts(host, narrow, mask));
      for (const how of ["inner", "left"] as const) {
        // Long keys on either side, on both, and as what travels with a key.
        for (const build of [texts.slice(90, 130), TEXTS.slice(90, 130)]) {
          for (const probe of [text, stringColumn(TEXTS)]) {
            const built = [stringColumn(build), stringColumn(texts.slice(0, 40))];
            assertEquals(
              await joinTexts(backend, built, [probe, text], how),
              await joinTexts(host, built, [probe, text], how),
            );
          }
        }
      }
    }
  },
  { windowBytes: WINDOW_BYTES },
);

deviceTest(
  "what comes down is as wide as the rule wants, and explain tells of long rows",
  async () => {
    const people = batchOf({
      id: [new Int32(), [1, 2, 3]],
      name: [new Utf8(), ["Ada", "Alan", "Grace"]],
    });
    const pipeline = (engine: Engine) =>
      fromBatches(people, { engine })
        .pipeThrough(withColumns({ loud: expr("name.upper()"), both: expr('name + " " + name') }))
        .pipeThrough(filter(expr('!loud.contains("X")')))
        .pipeThrough(joinOperator(fromBatches(people, { engine }), { on: "id" }));
    const engine = createEngine({ device: "gpu", threshold: 13 });
    const narrow = createEngine({ device: "gpu", threshold: 1000 });
    try {
      const [wide, table] = [await toTable(pipeline(engine)), await toTable(pipeline(narrow))];
      assertEquals(
        wide.schema.fields.map(({ type }) => DataType.isLargeUtf8(type)),
        [false, false, false, true, false],
      );
      assert(table.schema.fields.every(({ type }) => !DataType.isLargeUtf8(type)));
      assertEquals(wide.toArray().map(String), table.toArray().map(String));
      const { maxTextBytes } = await engine.describe();
      assertMatch(
        await pipeline(engine).explain(),
        /\nmay run on the host: batches in which a column has or gets a text of more than [\d,]+ bytes\n/,
      );
      assert(maxTextBytes > 0 && maxTextBytes < 2 ** 31);
    } finally {
      await engine.close();
      await narrow.close();
    }
  },
);
