/**
 * The local day and the second of the day of dates, timestamps and times of a day.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import type { Helper, i32, i64 } from "../../gpu/kernel/language/row_function.ts";
import { isUtc } from "../../streams/text/time_zones.ts";
import { knownZone } from "../syntax/time_zone.ts";
import { NO_DAY } from "./calendar.ts";
import { floorDivide, floorRemainder } from "./floor.ts";
import type { TimeUnitName } from "./time_units.ts";
import { zoneOffset } from "./zone.ts";

const { toI32 } = numeric;

/** The number of each unit in a second; a day has none. */
const PER_SECOND = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n };

/** A unit below a day. */
export type ClockUnit = Exclude<TimeUnitName, "day">;

/** Returns the number of a unit in a second. */
export function perSecond(unit: ClockUnit): bigint {
  return PER_SECOND[unit];
}

/** Returns the number of a unit in a day. */
export function perDay(unit: TimeUnitName): bigint {
  return unit === "day" ? 1n : 86_400n * PER_SECOND[unit];
}

/** Returns the offset of a zone from UTC at a day and a second of it; 0 without a zone. */
export function offsetIn(zone: string | undefined): Helper<(day: i32, second: i32) => i32> {
  if (hasOffsets(zone)) return zoneOffset(zone);
  return defineHelper({ args: ["i32", "i32"], returns: "i32", row: (_day, _second) => 0 });
}

function hasOffsets(zone: string | undefined): zone is string {
  return zone !== undefined && !isUtc(knownZone(zone));
}

/** Whether 32 bits hold the days of all counts of a unit. */
export function fitsDays(unit: TimeUnitName): boolean {
  return unit !== "s" && unit !== "ms";
}

/** Creates the helper that returns the local day of a time; NO_DAY where 32 bits do not hold it. */
export function localDay(unit: TimeUnitName, zone?: string): Helper<(time: i64) => i32> {
  if (unit === "day") {
    return defineHelper({
      args: ["i64"],
      returns: "i32",
      consts: { toI32 },
      row: (time, { toI32 }) => toI32(time),
    });
  }
  if (fitsDays(unit) && !hasOffsets(zone)) {
    return defineHelper({
      args: ["i64"],
      returns: "i32",
      consts: { toI32, floorDivide, perDay: perDay(unit) },
      row: (time, { toI32, floorDivide, perDay }) => toI32(floorDivide(time, perDay)),
    });
  }
  return defineHelper({
    args: ["i64"],
    returns: "i32",
    consts: {
      ...{ toI32, floorDivide, floorRemainder, none: NO_DAY },
      ...{ perDay: perDay(unit), perSecond: perSecond(unit), offsetAt: offsetIn(zone) },
    },
    row(time, { toI32, floorDivide, floorRemainder, none, perDay, perSecond, offsetAt }) {
      const whole = floorDivide(time, perDay);
      // An offset may move it by a day.
      if (whole <= -2147483647n || whole >= 2147483647n) return none;
      const day = toI32(whole);
      const second = toI32(floorRemainder(time, perDay) / perSecond);
      const local = second + offsetAt(day, second);
      return local < 0 ? day - 1 : local >= 86400 ? day + 1 : day;
    },
  });
}

/** Creates the helper that returns the second of the local day; -1 where 32 bits do not hold the day. */
export function localSecond(unit: ClockUnit, zone?: string): Helper<(time: i64) => i32> {
  if (fitsDays(unit) && !hasOffsets(zone)) {
    return defineHelper({
      args: ["i64"],
      returns: "i32",
      consts: { toI32, floorRemainder, perDay: perDay(unit), perSecond: perSecond(unit) },
      row: (time, { toI32, floorRemainder, perDay, perSecond }) =>
        toI32(floorRemainder(time, perDay) / perSecond),
    });
  }
  return defineHelper({
    args: ["i64"],
    returns: "i32",
    consts: {
      ...{ toI32, floorDivide, floorRemainder },
      ...{ perDay: perDay(unit), perSecond: perSecond(unit), offsetAt: offsetIn(zone) },
    },
    row(time, { toI32, floorDivide, floorRemainder, perDay, perSecond, offsetAt }) {
      const whole = floorDivide(time, perDay);
      if (whole <= -2147483647n || whole >= 2147483647n) return -1;
      const second = toI32(floorRemainder(time, perDay) / perSecond);
      const local = second + offsetAt(toI32(whole), second);
      return local < 0 ? local + 86400 : local >= 86400 ? local - 86400 : local;
    },
  });
}
