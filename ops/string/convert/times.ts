/**
 * Casts to dates, times of a day, timestamps and durations, all of which are counts of a unit.
 *
 * @module
 */

import { type Overload, overload } from "../define/define_string_op.ts";
import { timeUnitNames } from "../../../base/time_text.ts";
import { readIsoClock, readIsoTime } from "../../time/read_iso.ts";
import { scaleCount, unitFactors } from "../../time/scale_time.ts";
import type { TimeUnitName } from "../../time/time_units.ts";
import { timeReader } from "../../time/to_microseconds.ts";
import { ISO_CLOCK, timeWriter } from "../../time/write_time.ts";
import { moveClock, readLocalTime } from "../../time/local_time.ts";
import { toDate } from "./to_time.ts";

const UNITS: readonly TimeUnitName[] = ["day", ...timeUnitNames];

/** Casts from each unit to each other one, and to milliseconds that are whole days. */
const scales = UNITS.flatMap((from) => [
  ...UNITS.filter((to) => to !== from).map((to) =>
    [
      `${from}>${to}`,
      scaleCount(unitFactors(to, from).toReversed(), unitFactors(from, to)),
    ] as const
  ),
  [
    `${from}>midnight`,
    scaleCount(unitFactors("day", from).toReversed(), unitFactors("day", "ms")),
  ] as const,
]);

/** Checks that a count is the time of a day: not negative, and less than a day. */
function timeOfDay(unit: Exclude<TimeUnitName, "day">): Overload {
  const parts = unitFactors("day", unit).reduce((product, factor) => product * factor, 1);
  return overload({
    kind: "measure",
    subject: "words",
    returns: "words",
    consts: { low: parts | 0, high: Math.floor(parts / 2 ** 32) },
    row(low, high, { low: endLow, high: endHigh }) {
      if (high < 0 || high > endHigh) return null;
      // As numbers without a sign.
      const min = -0x80000000;
      if (high === endHigh && (low ^ min) >= (endLow ^ min)) return null;
      return [low, high];
    },
  });
}

/** The row functions for each unit of timestamps and times. */
const ofParts = timeUnitNames.flatMap((unit): (readonly [string, Overload])[] => [
  [`text>${unit}`, timeReader(() => readIsoTime, unit, 1)],
  [`local text>${unit}`, timeReader((_args, zone) => readLocalTime(zone), unit, 1)],
  [`${unit}>local`, moveClock(unit, "to local")],
  [`local>${unit}`, moveClock(unit, "from local")],
  [`text>time ${unit}`, timeReader(() => readIsoClock, unit, 1)],
  [`int64>time ${unit}`, timeOfDay(unit)],
  [`time ${unit}>text`, timeWriter(unit, () => ISO_CLOCK)],
]);

/** The casts by name, `from>to`. */
export const timeCasts: Readonly<Record<string, Overload>> = {
  "text>day": toDate.overloads.iso!,
  ...Object.fromEntries(ofParts),
  ...Object.fromEntries(scales),
};
