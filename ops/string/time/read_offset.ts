import { defineHelper } from "../../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../../gpu/kernel/language/helper.ts";
import type { i32, View } from "../../../gpu/kernel/language/row_function.ts";
import type { Scratch } from "../../../gpu/kernel/language/scratch.ts";
import { timeFields } from "./time_fields.ts";

/**
 * Reads an offset from UTC at a position, `Z`, `+01:00` or `+0100`, and with `short` also `+01`. Gives
 * the position behind it, -1 where there is none, and leaves the minutes in `timeFields`.
 */
export const readOffset: Helper<(text: View, from: i32, short: boolean) => i32> = defineHelper({
  args: { text: "string", from: "i32", short: "bool" },
  returns: "i32",
  consts: { fields: timeFields },
  row(text: View, from: i32, short: boolean, c: { fields: Scratch }): i32 {
    const sign = text.byteAt(from);
    if ((sign | 0x20) === 0x7a) return from + 1;
    if (sign !== 0x2b && sign !== 0x2d) return -1;
    const hourTens = text.byteAt(from + 1) - 0x30;
    const hourOnes = text.byteAt(from + 2) - 0x30;
    if (hourTens < 0 || hourTens > 2 || hourOnes < 0 || hourOnes > 9) return -1;
    const hour = hourTens * 10 + hourOnes;
    if (hour > 23) return -1;
    let at = from + 3;
    let minute = 0;
    const hasMinute = at < text.size || !short;
    if (hasMinute) {
      if (text.byteAt(at) === 0x3a) at++;
      const tens = text.byteAt(at) - 0x30;
      const ones = text.byteAt(at + 1) - 0x30;
      if (tens < 0 || tens > 5 || ones < 0 || ones > 9) return -1;
      minute = tens * 10 + ones;
      at += 2;
    }
    const minutes = hour * 60 + minute;
    c.fields.set(7, sign === 0x2d ? -minutes : minutes);
    return at;
  },
});
