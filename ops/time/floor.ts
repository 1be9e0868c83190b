/**
 * Division of 64-bit integers that rounds down.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";

/** Divides and rounds down; the divisor is greater than 0. */
export const floorDivide = defineHelper({
  args: ["i64", "i64"],
  returns: "i64",
  row(value, by) {
    // A negative number is mirrored to one from 0 on, and the quotient back.
    const sign = value >> 63n;
    return (value ^ sign) / by ^ sign;
  },
});

/** Returns the remainder of `floorDivide`, from 0 to below the divisor. */
export const floorRemainder = defineHelper({
  args: ["i64", "i64"],
  returns: "i64",
  row(value, by) {
    const rest = value % by;
    return rest < 0n ? rest + by : rest;
  },
});
