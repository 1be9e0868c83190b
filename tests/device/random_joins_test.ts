/** Joins of random tables on every variant of the device, judged by DuckDB and by Polars. */

import { joinHows } from "../../gpu/join_kind.ts";
import { assertRandomJoins } from "../fuzz/assert_joins.ts";
import { needsAdapter, VARIANT_NAMES } from "../fuzz/variants.ts";
import { deviceTest } from "../support/adapter.ts";

deviceTest("random joins give the rows of DuckDB and of Polars, in order, on the device", () => {
  const wanted = ["1 key", "2 keys", "a null key", "nulls equal", "rows with several matches"]
    .concat(["integers", "floats", "text", "structs"].map((name) => `keys that are ${name}`));
  return assertRandomJoins(20, joinHows, VARIANT_NAMES.filter(needsAdapter), wanted);
});
