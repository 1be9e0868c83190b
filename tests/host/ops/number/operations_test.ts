import * as numberOps from "../../../../ops/number/operations.ts";
import { checkStringOp } from "../../../../ops/plugin/check_string_op.ts";
import { someOf } from "../../../support/random/test_size.ts";

for (const op of someOf(Object.values(numberOps), 20)) {
  Deno.test(`every row function of ${op.spec.name}() compiles for all targets, as its examples say`, () =>
    checkStringOp(op));
}
