/** Many new kernels at once: the event loop turns between them, and an abort ends them. */

import { assert, assertEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import type { WebGpuBackend } from "../../../../../gpu/webgpu/backend.ts";
import {
  type BatchStream,
  createEngine,
  type Engine,
  type Expr,
  expr,
  fromBatches,
  head,
  toTable,
  withColumns,
} from "../../../../../mod.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import { batchOf } from "../../../../support/values/streams_samples.ts";
import { closing } from "../../../../support/running/closing.ts";
import { withFakeTimers } from "../../../../support/running/fake_timers.ts";

const NUM_KERNELS = 8;
const names = batchOf({ name: [new Utf8(), ["Ada", "Alan", null, "Zoë"]] });

function manyKernels(engine: Engine): BatchStream {
  const columns: Record<string, Expr> = {};
  for (let n = 1; n <= NUM_KERNELS; n++) columns[`c${n}`] = expr(`name.repeat(${n}) + "${n}"`);
  return fromBatches([names, names], { engine }).pipeThrough(withColumns(columns));
}

async function withEngine(
  use: (engine: Engine, backend: WebGpuBackend) => Promise<void>,
  memory = 2 ** 30,
) {
  await using engine = closing(createEngine({ device: "gpu", memory }));
  await use(engine, await engine.backend() as WebGpuBackend);
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

deviceTest("the event loop turns after each new kernel", async () => {
  await withEngine(async (engine, { counters }) => {
    let isRunning = true;
    const running = toTable(manyKernels(engine)).finally(() => isRunning = false);
    const seen = [0];
    for (; isRunning; await turn()) seen.push(counters.compilations);
    await running;
    // Sizes and write of each, and the scan.
    assertEquals(counters.compilations, 2 * NUM_KERNELS + 1);
    // The scan comes in the same turn as the first sizes.
    const steps = seen.slice(1).map((count, turn) => count - seen[turn]!);
    assert(Math.max(...steps) <= 2, `compiled after each turn: ${seen.join(" ")}`);
  });
});

deviceTest("cancelling a stream ends the compilation of its kernels", async () => {
  await withEngine(async (engine, { counters, context }) => {
    const reader = manyKernels(engine).getReader();
    const first = reader.read();
    while (counters.compilations < 2) await turn();
    await reader.cancel();
    assert((await first).done);
    const { compilations } = counters;
    assert(compilations < NUM_KERNELS, `${compilations} kernels were compiled`);
    await turn();
    assertEquals([counters.compilations, context.pool.inUseBuffers], [compilations, 0]);
  });
});

deviceTest("a step behind one that ends early computes to its end", async () => {
  await withEngine(async (engine) => {
    const loud = withColumns({ loud: expr("name.upper()"), first: expr("name.left(1)") });
    const rows = await toTable(manyKernels(engine).pipeThrough(head(5)).pipeThrough(loud));
    assertEquals(rows.getChild("loud")?.toArray(), ["ADA", "ALAN", null, "ZOË", "ADA"]);
  });
});

deviceTest(
  "fake timers of a program stop neither new kernels nor batches short of memory",
  async () => {
    const run = () =>
      withEngine(async (engine) => {
        const rows = await toTable(manyKernels(engine));
        assertEquals(rows.getChild("c2")?.toArray().slice(0, 2), ["AdaAda2", "AlanAlan2"]);
      }, 1);
    await withFakeTimers(run);
  },
);
