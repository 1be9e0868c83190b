import { assert, assertEquals, assertRejects } from "@std/assert";
import * as arrow from "apache-arrow";
import {
  createEngine,
  type Engine,
  expr,
  fromBatches,
  head,
  join,
  StepError,
  toTable,
  withColumns,
} from "../../../../../mod.ts";
import type { WebGpuBackend } from "../../../../../gpu/webgpu/backend.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import { batchesOf } from "../../../../support/joins/as_of_tables.ts";
import { closing } from "../../../../support/running/closing.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { rowsOf } from "../../../../support/values/streams_samples.ts";

const NAMES = ["Zoë", "李小龍", "Ouagadougou-Nord", "", null];

function side(random: SeededRandom, numRows: number): arrow.RecordBatch[] {
  const rows = Array.from({ length: numRows }, (_, row) => row);
  const times = rows.map(() => BigInt(random.below(numRows))).sort((a, b) => a < b ? -1 : 1);
  return batchesOf(random, [
    ["t", new arrow.Int64(), times.map((time) => random.chance(0.05) ? null : time)],
    ["name", new arrow.Utf8(), rows.map(() => random.pick(NAMES))],
    ["row", new arrow.Int32(), rows],
  ]);
}

deviceTest(
  "as-of joins give the same rows on the device, between steps that run there",
  () =>
    forSeeds(3, async (random) => {
      const [left, right] = [side(random, 500), side(random, 300)];
      const gpu = createEngine({ device: "gpu" });
      await using cpu = closing(createEngine({ device: "cpu" }));
      for (const how of ["left", "inner"] as const) {
        for (const by of [[], ["name"]]) {
          for (const direction of ["backward", "nearest"] as const) {
            const run = async (engine: Engine) => {
              const stream = fromBatches(left, { engine })
                .pipeThrough(withColumns({ loud: expr('name.upper() + "!"') }))
                .pipeThrough(
                  join(fromBatches(right, { engine }), {
                    asOf: "t",
                    by,
                    how,
                    direction,
                    tolerance: 9,
                  }),
                )
                .pipeThrough(
                  withColumns({ both: expr('loud + row_right.toString().fillNull("-")') }),
                );
              return rowsOf((await toTable(stream)).batches);
            };
            const rows = await run(gpu);
            assert(rows.length > 20);
            assertEquals(rows, await run(cpu), `${how} ${by} ${direction}`);
          }
        }
      }
      const backend = await gpu.backend() as WebGpuBackend;
      assert(backend.counters.dispatches > 0, "the steps around the join ran on the device");
      assertEquals(backend.context.pool.inUseBuffers, 0, "buffers still in use");
      await gpu.close();
    }),
);

deviceTest("an as-of join that ends early gives back the memory of the device", async () => {
  const engine = createEngine({ device: "gpu" });
  await forSeeds(4, async (random) => {
    const [left, right] = [side(random, 500), side(random, 300)];
    const stream = fromBatches(left, { engine })
      .pipeThrough(withColumns({ loud: expr('name.upper() + "!"') }))
      .pipeThrough(
        join(fromBatches(right, { engine }), { asOf: "t", how: random.pick(["left", "inner"]) }),
      )
      .pipeThrough(head(1 + random.below(100)));
    assert((await toTable(stream)).numRows > 0);
    const wrong = fromBatches([...left, ...left], { engine })
      .pipeThrough(withColumns({ loud: expr('name.upper() + "!"') }))
      .pipeThrough(join(fromBatches(right, { engine }), { asOf: "t" }));
    await assertRejects(() => toTable(wrong), StepError, "is not sorted by t");
  });
  const backend = await engine.backend() as WebGpuBackend;
  assertEquals(backend.context.pool.inUseBuffers, 0, "buffers still in use");
  await engine.close();
});
