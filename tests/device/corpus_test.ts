import { assertCase, corpusFiles, readCase } from "../fuzz/assert_case.ts";
import { needsAdapter, VARIANT_NAMES } from "../fuzz/variants.ts";
import { deviceTest } from "../support/adapter.ts";

for (const path of corpusFiles()) {
  deviceTest(`${path} gives the rows of the model on every variant of the device`, async () => {
    await assertCase({ ...readCase(path), variants: VARIANT_NAMES.filter(needsAdapter) });
  });
}
