import type { i32, Sink } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "./define_string_op.ts";

/**
 * The IPv4 address of a number; null where it is not from 0 to 4294967295.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("host").integerToIpv4());
 * if (text !== "host.integerToIpv4()") throw new Error(text);
 * ```
 */
export const integerToIpv4: StringOp<[]> = defineStringOp({
  name: "integerToIpv4",
  group: "convert",
  summary: "The IPv4 address of a number; null outside of 0 to 4294967295",
  examples: [{ input: 3232235521n, result: "192.168.0.1" }, { input: -1n, result: null }],
  args: {},
  optional: [],
  choose: (_args, on) => on === "int" || on === "uint64" ? "int" : undefined,
  overloads: {
    int: {
      kind: "emit",
      subject: "i64",
      row(out: Sink, low: i32, high: i32) {
        if (high !== 0) return null;
        for (let shift = 24; shift >= 0; shift -= 8) {
          const part = (low >>> shift) & 255;
          if (part >= 100) out.put(0x30 + part / 100);
          if (part >= 10) out.put(0x30 + (part / 10) % 10);
          out.put(0x30 + part % 10);
          if (shift > 0) out.put(0x2e);
        }
      },
    },
  },
});
