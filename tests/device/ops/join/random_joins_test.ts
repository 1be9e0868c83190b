/** Joins of random tables on every variant of the device, judged by DuckDB and by Polars. */

import { joinHows } from "../../../../gpu/join_kind.ts";
import { assertRandomJoins } from "../../../fuzz/assert_joins.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { fewOr, someOf } from "../../../support/random/test_size.ts";

const VARIANTS = [
  "gpu",
  "gpu, pieces of 7 rows",
  "check, unfused",
] as const;

deviceTest("random joins give the rows of DuckDB and of Polars, in order, on the device", () => {
  const wanted = ["1 key", "2 keys", "a null key", "nulls equal", "rows with several matches"]
    .concat(["integers", "floats", "text", "structs"].map((name) => `keys that are ${name}`));
  return assertRandomJoins(fewOr(5, 14), joinHows, someOf(VARIANTS, 2), wanted);
});
