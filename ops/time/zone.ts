/**
 * Helpers for local time, which look up the offset of a time zone in its table.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import type { Helper, i32, i64 } from "../../gpu/kernel/language/row_function.ts";
import {
  DAYS_OF_ERA,
  FIRST_ZONE_DAY,
  LAST_ZONE_DAY,
  type ZoneTable,
} from "../../streams/text/time_zones.ts";
import { knownZone } from "../syntax/time_zone.ts";
import { timeFields } from "./calendar.ts";

/** The result for a local time that a zone skips or repeats, or where the days overflow. */
export const NO_OFFSET = 0x7fffffff;

/** The log2 of the days in a bucket of the index; a bucket rarely has more than two transitions. */
const BUCKET = 7;

/** Creates the helper that returns the entry of a table with rules that applies at a day and second in UTC. */
function zoneEntry(table: ZoneTable): Helper<(day: i32, second: i32) => i32> {
  return defineHelper({
    args: ["i32", "i32"],
    returns: "i32",
    consts: {
      ...indexed(table),
      first: FIRST_ZONE_DAY,
      last: LAST_ZONE_DAY,
      era: DAYS_OF_ERA,
    },
    row(day, second, { index, days, seconds, first, last, era }) {
      if (day < first) return 0;
      const near = day < last ? day : day - ((day - last) / era + 1) * era;
      let entry = index.at((near - first) >> 7);
      let next = days.at(entry + 1);
      while (next < near || (next === near && seconds.at(entry + 1) <= second)) {
        entry++;
        next = days.at(entry + 1);
      }
      return entry;
    },
  });
}

/** Creates the helper that returns the offset from UTC, in seconds, at a day and second in UTC. */
export function zoneOffset(zone: string): Helper<(day: i32, second: i32) => i32> {
  const table = knownZone(zone);
  const [only = 0] = table.offsets;
  if (table.days.length === 1) {
    // The row function has both parameters, since the type of the helper does.
    return defineHelper({
      args: ["i32", "i32"],
      returns: "i32",
      consts: { only },
      row: (_day, _second, { only }) => only,
    });
  }
  return defineHelper({
    args: ["i32", "i32"],
    returns: "i32",
    consts: { entryOf: zoneEntry(table), offsets: table.offsets },
    row: (day, second, { entryOf, offsets }) => offsets.at(entryOf(day, second)),
  });
}

/**
 * Creates the helper that returns when the offset came into use that applies at a day and second in UTC:
 * in seconds since 1970. The zone has rules.
 */
export function zoneStart(zone: string): Helper<(day: i32, second: i32) => i64> {
  const table = knownZone(zone);
  return defineHelper({
    args: ["i32", "i32"],
    returns: "i64",
    consts: {
      ...{ entryOf: zoneEntry(table), days: table.days, seconds: table.seconds },
      ...{ last: LAST_ZONE_DAY, era: DAYS_OF_ERA, toI64: numeric.toI64 },
    },
    row(day, second, { entryOf, days, seconds, last, era, toI64 }) {
      const entry = entryOf(day, second);
      const later = day < last ? 0 : ((day - last) / era + 1) * era;
      return toI64(days.at(entry) + later) * 86400n + toI64(seconds.at(entry));
    },
  });
}

/**
 * Returns a table with an index, which holds the last entry that starts before each bucket of days,
 * and with an entry at the end that never starts.
 */
function indexed({ days, seconds }: ZoneTable) {
  const index = new Int32Array(((LAST_ZONE_DAY - FIRST_ZONE_DAY) >> BUCKET) + 1);
  let entry = 0;
  for (let bucket = 0; bucket < index.length; bucket++) {
    // The search starts at the entry before, since the next one may start later on that very day.
    while ((days[entry + 1] ?? Infinity) < FIRST_ZONE_DAY + (bucket << BUCKET)) entry++;
    index[bucket] = entry;
  }
  return { index, days: Int32Array.of(...days, 0x7fffffff), seconds };
}

/**
 * Creates the helper that moves a time, split into parts in `timeFields`, from UTC to the local time
 * of a zone and returns the offset; NO_OFFSET where the days overflow. Without a zone it leaves the
 * time unchanged.
 */
export function localFields(zone: string | undefined): Helper<() => i32> {
  if (zone === undefined) return defineHelper({ args: [], returns: "i32", row: () => 0 });
  return defineHelper({
    args: [],
    returns: "i32",
    consts: { fields: timeFields, offsetAt: zoneOffset(zone), none: NO_OFFSET },
    row({ fields, offsetAt, none }) {
      let day = fields.at(6);
      let second = fields.at(5) * 3600 + fields.at(4) * 60 + fields.at(3);
      const offset = offsetAt(day, second);
      second += offset;
      if (second < 0) {
        second += 86400;
        day--;
        if (day === 0x7fffffff) return none;
      } else if (second >= 86400) {
        second -= 86400;
        day++;
        if (day === -0x80000000) return none;
      }
      fields.set(3, second % 60);
      fields.set(4, (second / 60) % 60);
      fields.set(5, second / 3600);
      fields.set(6, day);
      return offset;
    },
  });
}

/** Creates the helper that returns the offset of the UTC time in `timeFields`. */
export function fieldsOffset(zone: string): Helper<() => i32> {
  return defineHelper({
    args: [],
    returns: "i32",
    consts: { fields: timeFields, offsetAt: zoneOffset(zone) },
    row: ({ fields, offsetAt }) =>
      offsetAt(fields.at(6), fields.at(5) * 3600 + fields.at(4) * 60 + fields.at(3)),
  });
}

/**
 * Creates the helper that returns the offset of a local time: a day since 1970-01-01 and a second of
 * it. NO_OFFSET where the zone skips or repeats that time. It assumes that transitions are more than
 * two days apart, so that at most one is near.
 */
export function localOffset(zone: string): Helper<(day: i32, second: i32) => i32> {
  return defineHelper({
    args: ["i32", "i32"],
    returns: "i32",
    consts: { offsetAt: zoneOffset(zone), none: NO_OFFSET },
    row(day, second, { offsetAt, none }) {
      const before = offsetAt(day - 1, second);
      const after = offsetAt(day + 1, second);
      if (before === after) return before;
      const early = second - before;
      const late = second - after;
      const earlyDay = early < 0 ? -1 : early >= 86400 ? 1 : 0;
      const lateDay = late < 0 ? -1 : late >= 86400 ? 1 : 0;
      const isEarly = offsetAt(day + earlyDay, early - earlyDay * 86400) === before;
      const isLate = offsetAt(day + lateDay, late - lateDay * 86400) === after;
      if (isEarly === isLate) return none;
      return isEarly ? before : after;
    },
  });
}

/** Creates the helper that returns the offset of the local time in `timeFields`. */
export function localFieldsOffset(zone: string): Helper<() => i32> {
  return defineHelper({
    args: [],
    returns: "i32",
    consts: { fields: timeFields, offsetOf: localOffset(zone) },
    row: ({ fields, offsetOf }) =>
      offsetOf(fields.at(6), fields.at(5) * 3600 + fields.at(4) * 60 + fields.at(3)),
  });
}
