import type { i32 } from "../../../gpu/kernel/language/row_function.ts";
import type { Scratch } from "../../../gpu/kernel/language/scratch.ts";
import type { TimeSplitter } from "./split_time.ts";

/** The row function that gives the day of a time, rounded down; null where it takes more than 32 bits. */
export function splitDay(
  low: i32,
  high: i32,
  c: { split: TimeSplitter; fields: Scratch },
): i32 | null {
  return c.split(low, high) ? c.fields.at(6) : null;
}
