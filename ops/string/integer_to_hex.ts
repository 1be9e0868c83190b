import type { i32, Sink } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";

/** Writes the digits without zeros in front; `c.signed` is 1 or 0. */
function writeHex(out: Sink, low: i32, high: i32, c: { signed: i32 }) {
  const isNegative = c.signed === 1 && high < 0;
  if (isNegative) out.put(0x2d);
  const bottom = isNegative ? -low : low;
  const top = isNegative ? ~high + (low === 0 ? 1 : 0) : high;
  let isBegun = false;
  for (let shift = 60; shift >= 0; shift -= 4) {
    const digit = (shift >= 32 ? top >>> (shift - 32) : bottom >>> shift) & 15;
    if (digit !== 0 || shift === 0) isBegun = true;
    if (isBegun) out.put(digit < 10 ? 0x30 + digit : 0x57 + digit);
  }
}

/**
 * The integer in small hexadecimal digits, with a minus where it is negative: what `hexToInteger`
 * reads, and Python's `format(n, "x")` writes.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("id").integerToHex());
 * if (text !== "id.integerToHex()") throw new Error(text);
 * ```
 */
export const integerToHex: StringOp<[]> = defineStringOp({
  name: "integerToHex",
  group: "convert",
  summary: "The integer in hexadecimal digits",
  differs: [
    "libcudf: capital digits, an even number of them, and negative numbers as two's complement",
  ],
  args: {},
  optional: [],
  examples: [{ input: 123456n, result: "1e240" }, { input: -255n, result: "-ff" }],
  choose: (_args, on) => on === "int" || on === "uint64" ? on : undefined,
  overloads: {
    int: { kind: "emit", subject: "i64", consts: { signed: 1 }, row: writeHex },
    uint64: { kind: "emit", subject: "i64", consts: { signed: 0 }, row: writeHex },
  },
});
