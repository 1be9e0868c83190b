import { assertCase } from "../fuzz/assert_case.ts";
import { corpusFiles, readCase } from "../fuzz/corpus.ts";
import { needsAdapter, VARIANT_NAMES } from "../fuzz/variants.ts";
import { deviceTest } from "../support/adapter.ts";

for (const path of corpusFiles()) {
  deviceTest(`${path} gives the rows of the model on every variant of the device`, async () => {
    await assertCase({ ...readCase(path), variants: VARIANT_NAMES.filter(needsAdapter) });
  });
}
