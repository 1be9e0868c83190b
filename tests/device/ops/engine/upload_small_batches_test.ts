/** Many small batches on the device: they are joined, and nothing else changes. */

import { assert, assertEquals, assertRejects } from "@std/assert";
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
import {
  idsOf,
  numberedBatches,
  watchedStream,
} from "../../../support/pipelines/pipeline_streams.ts";
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

deviceTest("a reader that leaves cancels the source, and all memory comes back", async () => {
  for (const most of [1, 2, 5]) {
    const { stream, seen } = watchedStream((at) => wordsBatch(["a", `w${at}`], 2 * at));
    const ids: unknown[] = [];
    let count = 0;
    for await (const batch of fromBatches(stream, { engine: gpu }).pipeThrough(loud())) {
      ids.push(...idsOf([batch]));
      if (++count === most) break;
    }
    assertEquals(ids, ids.map((_, id) => id));
    assertEquals([seen.cancelled, await inUse()], [true, 0]);
  }
});

deviceTest("an abort ends a run over many small batches, and all memory comes back", async () => {
  for (const after of [0, 1, 300]) {
    const controller = new AbortController();
    const { stream, seen } = watchedStream((at) => {
      if (at === after) controller.abort(new Error("enough"));
      return wordsBatch(["a", `w${at}`], 2 * at);
    });
    const run = fromBatches(stream, { engine: gpu }).pipeThrough(loud())
      .pipeTo(new WritableStream(), { signal: controller.signal });
    await assertRejects(() => run, Error, "enough");
    assertEquals([seen.cancelled, await inUse()], [true, 0]);
  }
});

deviceTest("rows come out while the source pauses", async () => {
  const more = Promise.withResolvers<void>();
  const stream = ReadableStream.from((async function* () {
    yield* numberedBatches(4, 3);
    await more.promise;
    yield wordsBatch(["last"], 12);
  })());
  const batches = fromBatches(stream, { engine: gpu }).pipeThrough(loud())[Symbol.asyncIterator]();
  const ids: unknown[] = [];
  while (ids.length < 12) ids.push(...idsOf([(await batches.next()).value!]));
  more.resolve();
  ids.push(...idsOf([(await batches.next()).value!]));
  assertEquals(ids, Array.from(ids, (_, id) => id));
  assertEquals((await batches.next()).done, true);
});

deviceTest("the engines are closed", async () => {
  await using closed = closing(gpu);
  assertEquals((await closed.describe()).kind, "webgpu");
});
