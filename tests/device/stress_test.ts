/** The stress test of `deno task stress`, over few rows. */

import { assertEquals } from "@std/assert";
import { createHostBackend } from "../../gpu/host/backend.ts";
import { createWebGpuBackend } from "../../gpu/webgpu/backend.ts";
import { deviceTest } from "../support/adapter.ts";
import { runStress } from "../support/stress.ts";

deviceTest("every kernel gives the rows of the host, whenever it runs", async () => {
  const device = (await createWebGpuBackend({ software: true }))!;
  const host = createHostBackend({ threads: 1 });
  const seed = Number(Deno.env.get("SLUICE_SEED") ?? Math.floor(Math.random() * 2 ** 31));
  try {
    const { wrong } = await runStress({ host, device }, { rows: 3000, rounds: 2, seed });
    assertEquals(wrong, [], `seed ${seed}`);
    assertEquals(device.context.pool.inUseBuffers, 0);
  } finally {
    device.close();
    host.close();
  }
});
