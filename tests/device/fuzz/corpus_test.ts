import { assertCase, corpusFiles, readCase } from "../../fuzz/assert_case.ts";
import { needsAdapter, VARIANT_NAMES } from "../../fuzz/variants.ts";
import { deviceTest } from "../../support/device/adapter.ts";
import { someOf } from "../../support/random/test_size.ts";

for (const path of someOf(corpusFiles(), 4)) {
  deviceTest(`${path} gives the rows of the model on every variant of the device`, async () => {
    await assertCase({ ...readCase(path), variants: VARIANT_NAMES.filter(needsAdapter) });
  });
}
