import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32 } from "../../gpu/kernel/language/row_function.ts";

/** The value of a hexadecimal digit, of either case; -1 for another byte. */
export const hexDigit: Helper<(byte: i32) => i32> = defineHelper({
  args: { byte: "i32" },
  returns: "i32",
  row(byte: i32): i32 {
    if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
    const letter = byte | 0x20;
    return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
  },
});
