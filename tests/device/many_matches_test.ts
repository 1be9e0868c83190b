import { deviceTest } from "../support/adapter.ts";
import { assertManyMatches } from "../support/many_matches.ts";

deviceTest(
  "a join of 12,000 rows with themselves counts 72,000,000 rows within 2 GiB",
  async () => {
    await assertManyMatches("gpu");
  },
);
