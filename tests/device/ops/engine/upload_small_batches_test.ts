/** Many small batches on the device: they are joined, and nothing else changes. */

import { assert, assertEquals } from "@std/assert";
import { type RecordBatch, Table } from "apache-arrow";
import type { WebGpuBackend } from "../../../../gpu/webgpu/backend.ts";
import {
  type BatchStream,
  createEngine,
  type Engine,
  expr,
  filter,
  fromBatches,
  join,
  select,
  withColumns,
} from "../../../../mod.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { closing } from "../../../support/running/closing.ts";
import { numberedBatches } from "../../../support/pipelines/pipeline_streams.ts";
import { rowsOf, wordsBatch } from "../../../support/values/streams_samples.ts";

const NUM_BATCHES = 1000;
const NUM_ROWS = 100;

const gpu = createEngine({ device: "gpu" });
const host = createEngine({ device: "cpu" });

async function inUse(): Promise<number> {
  return (await gpu.backend() as WebGpuBackend).context.pool.inUseBuffers;
}

/** The same batches, one by one, as a stream that nobody knows the size of. */
const streamOf = (batches: readonly RecordBatch[], engine: Engine) =>
  fromBatches(ReadableStream.from(batches), { engine });

const loud = () => withColumns({ loud: expr('word.upper() + "!"') });

deviceTest(
  "a thousand batches of a hundred rows give what the host gives, in few waits",
  async () => {
    const batches = numberedBatches(NUM_BATCHES, NUM_ROWS);
    const build = wordsBatch(["w7", "w70003", "w99999"], 0);
    const pipelines: readonly ((stream: BatchStream, engine: Engine) => BatchStream)[] = [
      (stream) => stream.pipeThrough(loud()),
      (stream) => stream.pipeThrough(filter(expr('id > 5 && word != "w1"'))),
      (stream, engine) =>
        stream.pipeThrough(join(
          fromBatches(build, { engine }).pipeThrough(select("word")),
          { on: "word", how: "semi" },
        )),
    ];
    for (const pipe of pipelines) {
      const { counters } = await gpu.backend();
      const waits = counters.readbacks + counters.downloads;
      const [onDevice, onHost] = await Promise.all(
        [gpu, host].map((engine) => Array.fromAsync(pipe(streamOf(batches, engine), engine))),
      );
      assertEquals(new Table(onDevice!).numRows, new Table(onHost!).numRows);
      assertEquals(await rowsOf(onDevice!), await rowsOf(onHost!));
      const after = (await gpu.backend()).counters;
      const numWaits = after.readbacks + after.downloads - waits;
      assert(numWaits > 0 && numWaits < 100, `${numWaits} waits`);
      assertEquals(await inUse(), 0);
    }
  },
);

deviceTest("the engines are closed", async () => {
  await using closed = closing(gpu);
  assertEquals((await closed.describe()).kind, "webgpu");
});
