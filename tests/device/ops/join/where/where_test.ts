import { assert, assertEquals } from "@std/assert";
import type { WebGpuBackend } from "../../../../../gpu/webgpu/backend.ts";
import {
  createEngine,
  expr,
  fromBatches,
  join,
  type RunStats,
  toTable,
  withColumns,
} from "../../../../../mod.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import { bytesSpilled } from "../../../../support/joins/bytes_spilled.ts";
import { SeededRandom } from "../../../../support/random/seeded_random.ts";
import { rowsOf } from "../../../../support/values/streams_samples.ts";
import { randomCondition, randomSide } from "../../../../support/joins/where_conditions.ts";

deviceTest("joins by a condition give the same rows on both backends", async () => {
  const [host, device, check] = (["cpu", "gpu", "check"] as const)
    .map((device) => createEngine({ device }));
  const runs: RunStats[] = [];
  const small = createEngine({
    device: "gpu",
    memory: 4000,
    onRun: (run) => runs.push(run),
  });
  const random = new SeededRandom(12);
  let numRows = 0;
  for (let round = 0; round < 12; round++) {
    const left = randomSide(random, "left", 20);
    const right = randomSide(random, "right", 100);
    const { ours } = randomCondition(random);
    const how = random.pick(["inner", "left"] as const);
    const run = async (engine: ReturnType<typeof createEngine>) => {
      // What the step before computes lies on the device.
      const stream = fromBatches(left.batches, { engine })
        .pipeThrough(withColumns({ loud: expr('text.upper() + "!"') }))
        .pipeThrough(join(fromBatches(right.batches, { engine }), { where: ours, how }));
      return rowsOf((await toTable(stream)).batches);
    };
    const expected = await run(host!);
    numRows += expected.length;
    assertEquals(await run(device!), expected, ours);
    assertEquals(await run(check!), expected, ours);
    assertEquals(await run(small), expected, ours);
  }
  assert(numRows > 0);
  assert(bytesSpilled(runs) > 0);
  for (const engine of [device!, small]) {
    const backend = await engine.backend() as WebGpuBackend;
    assert(backend.counters.dispatches > 0);
    assertEquals(backend.context.pool.inUseBuffers, 0);
  }
  for (const engine of [host, device, check, small]) await engine!.close();
});
