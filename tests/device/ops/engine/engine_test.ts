/** Pipelines on the device as streams: memory, backpressure, ends of every kind. */

import { assert, assertEquals } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import type { WebGpuBackend } from "../../../../gpu/webgpu/backend.ts";
import {
  createEngine,
  type Engine,
  type EngineOptions,
  expr,
  filter,
  fromBatches,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { watchedStream, withoutUnhandled } from "../../../support/pipelines/pipeline_streams.ts";
import { wordsBatch } from "../../../support/values/streams_samples.ts";
import { closing } from "../../../support/running/closing.ts";
import { engineCases } from "../../../support/cases/engine.ts";
import { onDeviceEngine } from "../../../support/cases/on_device.ts";

/** Runs with an engine on the device; all memory has to be back at the end. */
async function withEngine(
  use: (engine: Engine) => Promise<void>,
  options: EngineOptions = {},
): Promise<void> {
  await using engine = closing(createEngine({ device: "gpu", ...options }));
  await withoutUnhandled(() => use(engine));
  assertEquals(await inUse(engine), 0, "buffers still in use");
}

async function inUse(engine: Engine): Promise<number> {
  return (await engine.backend() as WebGpuBackend).context.pool.inUseBuffers;
}

const loud = () => withColumns({ loud: expr("word.upper()") });
const all = () => filter(expr("id >= 0"));

engineCases(onDeviceEngine);

deviceTest("a slow sink stops the source within the memory of the stages", async () => {
  // Of so little memory each batch takes all.
  const options = { memory: 1 };
  await withEngine(async (engine) => {
    const words = Array.from({ length: 300 }, () => "w");
    const { stream, seen } = watchedStream((i) => i < 60 ? wordsBatch(words, i) : undefined);
    let written = 0;
    let ahead = 0;
    const sink = new WritableStream<RecordBatch>({
      async write() {
        written++;
        await new Promise((resolve) => setTimeout(resolve, 2));
        ahead = Math.max(ahead, seen.pulled - written);
      },
    });
    await fromBatches(stream, { engine }).pipeThrough(loud()).pipeThrough(all()).pipeTo(sink);
    assertEquals(written, 60);
    // Two stages that compute, and the downloads; each may wait for one batch beside its own. The
    // source may have one that goes alone, and one behind it.
    assert(ahead <= 3 * 2 + 2, `${ahead} batches ahead`);
  }, options);
});

deviceTest("columns that no kernel reads do not travel", async () => {
  await withEngine(async (engine) => {
    const wide = wordsBatch(Array.from({ length: 1000 }, (_, row) => `a long text of row ${row}`));
    const backend = await engine.backend();
    const before = { ...backend.counters };
    const table = await toTable(
      fromBatches(wide, { engine }).pipeThrough(withColumns({ low: expr("id & 255") })),
    );
    assertEquals(table.getChild("low")!.get(999), BigInt(999 & 255));
    assertEquals(backend.counters.uploads - before.uploads, 1);
    assertEquals(backend.counters.uploadedBytes - before.uploadedBytes, 4000);
    assertEquals(backend.counters.downloads - before.downloads, 1);
  });
});
