/** Chunks of Zarr arrays through pipelines, on every variant of the host, judged by the model and zarrita. */

import { assertRandomCases } from "../../fuzz/assert_case.ts";
import { needsAdapter, VARIANT_NAMES } from "../../fuzz/variants.ts";
import { fewOr } from "../../support/random/test_size.ts";

Deno.test("chunks that are taken, moved and written make the arrays of the model", () => {
  return assertRandomCases(fewOr(12, 150), VARIANT_NAMES.filter((name) => !needsAdapter(name)), {
    deviceShare: 0,
    ofArray: true,
  });
});
