import { createEngine } from "../../../../mod.ts";
import { assertRandomCases } from "../../../fuzz/assert_case.ts";
import { needsAdapter, VARIANT_NAMES } from "../../../fuzz/variants.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { checkAgainstPeers } from "../../../support/judges/pipeline_peers.ts";
import { fewOr } from "../../../support/random/test_size.ts";

deviceTest(
  "on the device a pipeline gives the rows of DuckDB and of Polars, in order",
  async () => {
    const engine = createEngine({ device: "gpu" });
    await checkAgainstPeers(engine);
    await engine.close();
  },
);

deviceTest("random pipelines give the rows of the model on every variant of the device", () => {
  return assertRandomCases(fewOr(2, 20), VARIANT_NAMES.filter(needsAdapter), { deviceShare: 1 });
});

deviceTest("random pipelines around joins give the rows of the model on the device", () => {
  return assertRandomCases(fewOr(1, 10), VARIANT_NAMES.filter(needsAdapter), {
    deviceShare: 1,
    aroundJoin: true,
  });
});
