import * as numberOps from "../../../../ops/number/operations.ts";
import type { StringOp } from "../../../../ops/string/define/define_string_op.ts";
import { checkStringOp } from "../../../../ops/plugin/check_string_op.ts";
import { someOf } from "../../../support/random/test_size.ts";

// What the items of lists come to is computed without a row function.
const ops = Object.values<StringOp>(numberOps).filter(({ spec }) => spec.group !== "lists");

for (const op of someOf(ops, 20)) {
  Deno.test(`every row function of ${op.spec.name}() compiles for all targets, as its examples say`, () =>
    checkStringOp(op));
}
