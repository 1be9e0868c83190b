import { checkRandomPipeline, enginesOf } from "../../support/pipeline_runs.ts";
import { forSeeds } from "../../support/seeded_random.ts";

Deno.test("random pipelines give the rows of the model, the same bytes fused and unfused", async () => {
  const engines = enginesOf("cpu");
  await forSeeds(60, (random) => checkRandomPipeline(random, engines));
});
