/** Rows of files of all formats, on every variant of the host, judged by the model and by DuckDB. */

import { assertRandomCases } from "../../fuzz/assert_case.ts";
import { needsAdapter, VARIANT_NAMES } from "../../fuzz/variants.ts";
import { fewOr } from "../../support/random/test_size.ts";

Deno.test("rows of files of all formats are the rows of the same table in memory", () => {
  return assertRandomCases(fewOr(8, 40), VARIANT_NAMES.filter((name) => !needsAdapter(name)), {
    deviceShare: 0,
    ofFile: true,
  });
});
