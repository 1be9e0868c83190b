/** Pipelines on the device as streams: memory, backpressure, ends of every kind. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import type { WebGpuBackend } from "../../../../gpu/webgpu/backend.ts";
import {
  type BatchStream,
  createEngine,
  defineOperator,
  type Engine,
  type EngineOptions,
  expr,
  filter,
  fromBatches,
  head,
  join,
  regroup,
  slice,
  tail,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { leaveRandomCase } from "../../../fuzz/left_case.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import {
  idsOf,
  numberedBatches,
  watchedStream,
  withoutUnhandled,
} from "../../../support/pipelines/pipeline_streams.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { wordsBatch } from "../../../support/values/streams_samples.ts";
import { closing } from "../../../support/running/closing.ts";
import { fewOr } from "../../../support/random/test_size.ts";

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
const endless = () => watchedStream((index) => wordsBatch(["a", `w${index}`], 2 * index));

deviceTest("random pipelines that are left in the middle give all memory back", async () => {
  await withEngine(async (engine) => {
    await forSeeds(fewOr(5, 30), (random) => leaveRandomCase(random, engine, () => inUse(engine)));
  });
});

deviceTest(
  "failures of the source, of an operator and of the sink give all memory back",
  async () => {
    await withEngine(async (engine) => {
      const broken = defineOperator<{ at: number }>({
        name: "broken",
        rows: "same",
        schema: (input) => input,
        open: ({ at }) => ({
          transform(batch, controller) {
            if (at-- === 0) throw new RangeError("broken");
            controller.enqueue(batch);
          },
        }),
      });
      const source = () => fromBatches(numberedBatches(9, 5), { engine });
      const failing = () =>
        watchedStream((index) => {
          if (index === 6) throw new RangeError("broken");
          return wordsBatch(["w"], index);
        }).stream;
      const build = () => fromBatches(numberedBatches(1, 9), { engine });
      const runs: (() => Promise<unknown>)[] = [
        () =>
          toTable(source().pipeThrough(loud()).pipeThrough(broken({ at: 3 })).pipeThrough(all())),
        () =>
          toTable(
            source().pipeThrough(loud()).pipeThrough(join(build(), { on: "id" })).pipeThrough(
              broken({ at: 0 }),
            ),
          ),
        () => toTable(fromBatches(failing(), { engine }).pipeThrough(loud()).pipeThrough(all())),
        () => toTable(fromBatches(failing(), { engine }).pipeThrough(loud()).pipeThrough(tail(3))),
        () => toTable(source().pipeThrough(join(fromBatches(failing(), { engine }), { on: "id" }))),
        () =>
          source().pipeThrough(loud()).pipeTo(
            new WritableStream({
              write() {
                throw new RangeError("broken");
              },
            }),
          ),
      ];
      for (const run of runs) {
        await assertRejects(run, Error, "broken");
        assertEquals(await inUse(engine), 0);
      }
    });
  },
);

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

deviceTest("memory of one byte takes one batch at a time, and everything still runs", async () => {
  const options = { memory: 1 };
  await withEngine(async (engine) => {
    const source = () => fromBatches(numberedBatches(20, 50), { engine });
    const build = () => fromBatches(numberedBatches(2, 50), { engine });
    const pipelines: [(stream: BatchStream) => BatchStream, number][] = [
      [(stream) => stream.pipeThrough(loud()).pipeThrough(all()).pipeThrough(tail(700)), 700],
      [(stream) => stream.pipeThrough(all()).pipeThrough(slice(0, -700)), 300],
      [(stream) => stream.pipeThrough(loud()).pipeThrough(regroup({ rows: 333 })), 1000],
      [(stream) => stream.pipeThrough(join(build(), { on: "id" })).pipeThrough(loud()), 100],
    ];
    for (const [pipe, numRows] of pipelines) {
      assertEquals((await toTable(pipe(source()))).numRows, numRows);
    }
  }, options);
});

deviceTest("an endless stream ends with head, and a quiet one does not hold it up", async () => {
  await withEngine(async (engine) => {
    const { stream, seen } = endless();
    const table = await toTable(
      fromBatches(stream, { engine }).pipeThrough(all()).pipeThrough(loud()).pipeThrough(head(3)),
    );
    assertEquals([idsOf(table), seen.cancelled], [[0, 1, 2], true]);

    let cancelled = false;
    const quiet = new ReadableStream<RecordBatch>({
      start: (controller) => controller.enqueue(wordsBatch(["a", "b"])),
      cancel() {
        cancelled = true;
      },
    });
    const first = await toTable(
      fromBatches(quiet, { engine }).pipeThrough(all()).pipeThrough(loud()).pipeThrough(head(2)),
    );
    assertEquals([idsOf(first), cancelled], [[0, 1], true]);
  });
});

deviceTest("columns that no kernel reads do not travel", async () => {
  await withEngine(async (engine) => {
    const wide = wordsBatch(Array.from({ length: 1000 }, (_, row) => `a long text of row ${row}`));
    const backend = await engine.backend();
    const before = { ...backend.counters };
    const table = await toTable(
      fromBatches(wide, { engine }).pipeThrough(withColumns({ next: expr("id + 1") })),
    );
    assertEquals(table.getChild("next")!.get(999), 1000);
    assertEquals(backend.counters.uploads - before.uploads, 1);
    assertEquals(backend.counters.uploadedBytes - before.uploadedBytes, 4000);
    assertEquals(backend.counters.downloads - before.downloads, 1);
  });
});
