/**
 * The instant at which a local day starts, and the instant of a local time.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import type { Helper, i32, i64 } from "../../gpu/kernel/language/row_function.ts";
import { isUtc } from "../../streams/text/time_zones.ts";
import { knownZone } from "../syntax/time_zone.ts";
import { zoneOffset, zoneStart } from "./zone.ts";

const { toI64 } = numeric;

/**
 * Creates the helper that returns the first second of a day, since 1970 in UTC. Where the zone skips
 * midnight, the day starts at the end of the gap; where it repeats midnight, at the first of both. Days
 * are more than one away from the limits of 32 bits.
 */
export function dayStart(zone?: string): Helper<(day: i32) => i64> {
  if (zone === undefined || isUtc(knownZone(zone))) {
    return defineHelper({
      args: ["i32"],
      returns: "i64",
      consts: { toI64 },
      row: (day, { toI64 }) => toI64(day) * 86400n,
    });
  }
  return defineHelper({
    args: ["i32"],
    returns: "i64",
    consts: { toI64, offsetAt: zoneOffset(zone), startOf: zoneStart(zone) },
    row(day, { toI64, offsetAt, startOf }) {
      const midnight = toI64(day) * 86400n;
      const before = offsetAt(day - 1, 0);
      const after = offsetAt(day + 1, 0);
      if (before === after) return midnight - toI64(before);
      // The offset in use at the second that each of them makes of midnight.
      const earlyDay = before > 0 ? day - 1 : day;
      const earlySecond = before > 0 ? 86400 - before : -before;
      if (offsetAt(earlyDay, earlySecond) === before) return midnight - toI64(before);
      const lateDay = after > 0 ? day - 1 : day;
      const lateSecond = after > 0 ? 86400 - after : -after;
      if (offsetAt(lateDay, lateSecond) === after) return midnight - toI64(after);
      return startOf(earlyDay, earlySecond);
    },
  });
}
