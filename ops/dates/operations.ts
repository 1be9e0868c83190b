/**
 * Exports the built-in operations on dates and times, and nothing else, as `ops/string/operations.ts`
 * does those on text.
 *
 * @module
 */

export { duration, total } from "./durations.ts";
export {
  day,
  dayOfYear,
  hour,
  isoYear,
  microsecond,
  millisecond,
  minute,
  month,
  nanosecond,
  quarter,
  second,
  week,
  weekday,
  year,
} from "./fields.ts";
export { epoch, makeDate, monthEnd } from "./make.ts";
export { dayName, monthName } from "./names.ts";
export { plus } from "./plus.ts";
export { since } from "./since.ts";
export { truncate } from "./truncate.ts";
export { asZone, toLocal, toZone } from "./zones.ts";
