import { deviceTest } from "../../../support/device/adapter.ts";
import {
  checkOverflow,
  checkOverflowOfOperators,
  checkWideStats,
} from "../../../support/values/large_strings.ts";

deviceTest("a run on the device counts the batches whose text had 64-bit offsets", async () => {
  await checkWideStats("gpu");
});

deviceTest(
  "on the device an OverflowError names the row, and regrouped rows go through",
  async () => {
    await checkOverflow("gpu");
  },
);

deviceTest("on the device operators refuse to put too much text together", async () => {
  await checkOverflowOfOperators("gpu");
});
