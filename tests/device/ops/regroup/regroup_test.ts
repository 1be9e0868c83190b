/** Rows of the device in other batches. */

import { assertEquals } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import type { Column } from "../../../../gpu/column/column.ts";
import {
  createEngine,
  type Engine,
  expr,
  filter,
  fromBatches,
  regroup,
  type RegroupOptions,
  select,
  withColumns,
} from "../../../../mod.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { closing } from "../../../support/running/closing.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { rowsOf, wordsBatch } from "../../../support/values/streams_samples.ts";

const words = ["Łódź", "Łódź", "東京", "", null, null, "a name of more than sixteen bytes"];

deviceTest("the host and the device regroup computed rows in the same way", async () => {
  await using device = closing(createEngine({ device: "gpu" }));
  const host = createEngine({ device: "cpu" });
  await forSeeds(15, async (random) => {
    const batches = Array.from(
      { length: 4 },
      (_, at) =>
        wordsBatch(Array.from({ length: 1 + random.below(9) }, () => random.pick(words)), 9 * at),
    );
    const numRows = batches.reduce((sum, batch) => sum + batch.numRows, 0);
    const options = random.pick<RegroupOptions>([
      { rows: 1 + random.below(9) },
      { bytes: 1 + random.below(200) },
      { by: "loud" },
      { by: ["loud", "id"], rows: 3 },
      { by: "loud", bytes: 60 },
      { sizes: [1, numRows - 1] },
      { one: true },
    ]);
    const run = async (engine: Engine) => {
      const stream = fromBatches(ReadableStream.from(batches), { engine })
        .pipeThrough(withColumns({ loud: expr("word.upper()") }))
        .pipeThrough(filter(expr("sizes" in options ? "id >= 0" : "id != 10")))
        .pipeThrough(regroup(options))
        .pipeThrough(withColumns({ quiet: expr("loud.lower()") }));
      const out = await Array.fromAsync(stream);
      return { sizes: out.map(({ numRows }) => numRows), rows: await rowsOf(out) };
    };
    assertEquals(await run(device), await run(host));
  });
});

deviceTest(
  "batches that are right already stay on the device",
  async () => {
    await using engine = closing(createEngine({ device: "gpu" }));
    const backend = await engine.backend();
    const { download } = backend;
    let downloaded = 0;
    Object.assign(backend, {
      download(columns: readonly Column[]) {
        downloaded += columns.length;
        return download.call(backend, columns);
      },
    });
    // As large as those into which a source puts small ones together.
    const size = 8192;
    const batches = [0, 1].map((at) => wordsBatch(Array.from({ length: size }, () => `w${at}`), 0));
    const loudBatches = async (options: RegroupOptions): Promise<RecordBatch[]> => {
      downloaded = 0;
      const stream = fromBatches(ReadableStream.from(batches), { engine })
        .pipeThrough(withColumns({ loud: expr("word.upper()"), more: expr('word + "!"') }))
        .pipeThrough(regroup(options))
        .pipeThrough(withColumns({ quiet: expr("loud.lower() + more") }))
        .pipeThrough(select("quiet"));
      return await Array.fromAsync(stream);
    };
    // The result of each batch, and nothing before.
    assertEquals((await loudBatches({ rows: size })).map(({ numRows }) => numRows), [size, size]);
    assertEquals(downloaded, 2);
    assertEquals((await loudBatches({ sizes: [size, size] })).length, 2);
    assertEquals(downloaded, 2);
    assertEquals((await loudBatches({ one: true })).length, 1);
    assertEquals(downloaded, 2 * 2 + 1);
  },
);
