import type { i32, Table, View } from "../../../gpu/kernel/language/row_function.ts";
import type { Helper } from "../../../gpu/kernel/language/helper.ts";
import type { Scratch } from "../../../gpu/kernel/language/scratch.ts";
import type { RowConsts } from "../define_string_op.ts";
import { NO_DAY } from "./civil.ts";
import { timeFields } from "./time_fields.ts";

/** What `parseTime` uses. */
interface TimeParser {
  readonly read: Helper<(text: View) => i32>;
  readonly fields: Scratch;
  readonly factors: Table;
  readonly none: i32;
}

/** From days to seconds in two steps, then to milliseconds and microseconds. */
export const DAY_FACTORS: Int32Array = Int32Array.of(21600, 4, 1000, 1000);

/** The constants of `parseTime`, with the helper that reads the text. */
export function timeParserConsts(read: Helper<(text: View) => i32>): RowConsts {
  return { read, fields: timeFields, factors: DAY_FACTORS, none: NO_DAY };
}

/**
 * The row function that gives microseconds since 1970-01-01 of the text that `c.read` reads. Days are
 * counted from a day before the year 0 while limbs of 16 bits are multiplied, so that nothing is
 * negative.
 */
export function parseTime(text: View, c: TimeParser): [i32, i32] | null {
  const day = c.read(text);
  if (day === c.none) return null;
  let second = c.fields.at(5) * 3600 + (c.fields.at(4) - c.fields.at(7)) * 60 + c.fields.at(3);
  let days = day + 719529;
  if (second < 0) {
    second += 86400;
    days--;
  } else if (second >= 86400) {
    second -= 86400;
    days++;
  }
  let limb0 = days & 0xffff;
  let limb1 = days >> 16;
  let limb2 = 0;
  let limb3 = 0;
  for (let i = 0; i < 4; i++) {
    const factor = c.factors.at(i);
    const more = i === 1 ? second : i === 2 ? c.fields.at(2) : i === 3 ? c.fields.at(1) : 0;
    limb0 = limb0 * factor + more;
    limb1 = limb1 * factor + (limb0 >> 16);
    limb2 = limb2 * factor + (limb1 >> 16);
    limb3 = limb3 * factor + (limb2 >> 16);
    limb0 &= 0xffff;
    limb1 &= 0xffff;
    limb2 &= 0xffff;
  }
  // Less the microseconds of 719,529 days, 0xdcdcd5c6ee6000.
  const low = limb0 | (limb1 << 16);
  const high = limb2 | (limb3 << 16);
  const borrow = (low ^ -0x80000000) < 0x46ee6000 ? 1 : 0;
  return [low + 0x3911a000, high - 0xdcdcd5 - borrow];
}
