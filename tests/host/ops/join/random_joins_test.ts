/** Joins of random tables on every variant of the host, judged by DuckDB and by Polars. */

import { joinHows } from "../../../../gpu/join_kind.ts";
import { assertRandomJoins } from "../../../fuzz/assert_joins.ts";
import { needsAdapter, VARIANT_NAMES } from "../../../fuzz/variants.ts";
import { fewOr, someOf } from "../../../support/random/test_size.ts";

Deno.test("random joins give the rows of DuckDB and of Polars, in order, on every variant of the host", () => {
  const variants = VARIANT_NAMES.filter((name) => name !== "DuckDB" && !needsAdapter(name));
  return assertRandomJoins(fewOr(12, 120), joinHows, someOf(variants, 4));
});
