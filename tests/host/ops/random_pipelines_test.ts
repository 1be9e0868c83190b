import { assertRandomCases } from "../../fuzz/assert_case.ts";
import { needsAdapter, VARIANT_NAMES } from "../../fuzz/variants.ts";

Deno.test("random pipelines give the rows of the model on every variant of the host", () => {
  return assertRandomCases(60, VARIANT_NAMES.filter((name) => !needsAdapter(name)), 0);
});
