import { assertRandomCases } from "../fuzz/assert_case.ts";
import { needsAdapter, VARIANT_NAMES } from "../fuzz/variants.ts";
import { deviceTest } from "../support/adapter.ts";

deviceTest("random pipelines give the rows of the model on every variant of the device", () => {
  return assertRandomCases(20, VARIANT_NAMES.filter(needsAdapter), 1);
});
