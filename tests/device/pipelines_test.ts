import { deviceTest } from "../support/adapter.ts";
import { checkRandomPipeline, enginesOf } from "../support/pipeline_runs.ts";
import { forSeeds } from "../support/seeded_random.ts";

deviceTest(
  "random pipelines give the same bytes on the host and the device, fused and unfused",
  async () => {
    const engines = enginesOf("cpu", "gpu");
    try {
      await forSeeds(40, (random) => checkRandomPipeline(random, engines));
    } finally {
      for (const engine of engines) await engine.close();
    }
  },
);
