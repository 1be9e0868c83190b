import { assertManyMatches } from "../../support/many_matches.ts";

Deno.test("a join of 12,000 rows with themselves counts 72,000,000 rows within 2 GiB", async () => {
  await assertManyMatches("cpu");
});
