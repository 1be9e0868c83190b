import { createEngine } from "../../../mod.ts";
import { assertRandomCases } from "../../fuzz/assert_case.ts";
import { needsAdapter, VARIANT_NAMES } from "../../fuzz/variants.ts";
import { checkAgainstPeers } from "../../support/pipeline_peers.ts";

Deno.test("a pipeline over 100,000 rows gives the rows of DuckDB and of Polars, in order", () =>
  checkAgainstPeers(createEngine({ device: "cpu" })));

Deno.test("random pipelines give the rows of the model on every variant of the host", () => {
  return assertRandomCases(60, VARIANT_NAMES.filter((name) => !needsAdapter(name)), {
    deviceShare: 0,
  });
});

Deno.test("random pipelines around joins give the rows of the model on every variant of the host", () => {
  return assertRandomCases(120, VARIANT_NAMES.filter((name) => !needsAdapter(name)), {
    deviceShare: 0,
    aroundJoin: true,
  });
});
