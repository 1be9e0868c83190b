import { createEngine } from "../../../../mod.ts";
import { assertRandomCases } from "../../../fuzz/assert_case.ts";
import { needsAdapter, VARIANT_NAMES } from "../../../fuzz/variants.ts";
import { checkAgainstPeers } from "../../../support/judges/pipeline_peers.ts";
import { fewOr } from "../../../support/random/test_size.ts";

Deno.test("a pipeline over many rows gives the rows of DuckDB and of Polars, in order", () =>
  checkAgainstPeers(createEngine({ device: "cpu" })));

Deno.test("random pipelines give the rows of the model on every variant of the host", () => {
  return assertRandomCases(fewOr(6, 60), VARIANT_NAMES.filter((name) => !needsAdapter(name)), {
    deviceShare: 0,
  });
});

Deno.test("random pipelines around joins give the rows of the model on every variant of the host", () => {
  return assertRandomCases(fewOr(8, 120), VARIANT_NAMES.filter((name) => !needsAdapter(name)), {
    deviceShare: 0,
    aroundJoin: true,
  });
});
