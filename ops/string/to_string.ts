import type { f64, Sink, View } from "../../gpu/kernel/row_function.ts";
import { defineStringOp, type StringOp } from "../define_string_op.ts";
import { writeInteger } from "./write_integer.ts";

/**
 * A number or a boolean as text. An integer is its decimal digits, with a minus where it is
 * negative. A float is the shortest decimal number that reads back as the same float, in the
 * spelling of JavaScript, with `.0` behind a whole number: `0.1`, `2.0`, `1e+21`, `NaN`, `-Infinity`;
 * that runs on the host. A boolean is `true` or `false`, and text stays as it is.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("age").toString());
 * if (text !== "age.toString()") throw new Error(text);
 * ```
 */
export const toString: StringOp<[]> = defineStringOp({
  name: "toString",
  group: "convert",
  summary: "A number, a boolean, a date or a timestamp as text",
  differs: [
    "Python: writes an exponent from 1e16 on, JavaScript and this from 1e21 on",
    "JavaScript: writes no .0 behind a whole number",
  ],
  args: {},
  optional: [],
  examples: [
    { input: -120n, result: "-120" },
    { input: 0.1, result: "0.1" },
    { input: true, result: "true" },
  ],
  choose(_args, on) {
    switch (on) {
      case "text":
      case "bool":
      case "int":
      case "uint64":
      case "float":
        return on;
      default:
        return undefined;
    }
  },
  overloads: {
    text: { kind: "view", row: (text: View): View => text },
    bool: {
      kind: "emit",
      subject: "bool",
      row(out: Sink, value: boolean) {
        if (value) {
          out.put(0x74);
          out.put(0x72);
          out.put(0x75);
        } else {
          out.put(0x66);
          out.put(0x61);
          out.put(0x6c);
          out.put(0x73);
        }
        out.put(0x65);
      },
    },
    int: { kind: "emit", subject: "i64", consts: { signed: 1 }, row: writeInteger },
    uint64: { kind: "emit", subject: "i64", consts: { signed: 0 }, row: writeInteger },
    float: { kind: "emit", subject: "f64", row: (out: Sink, value: f64) => out.putFloat(value) },
  },
});
