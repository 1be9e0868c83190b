/**
 * Defines the operations on time zones: `toZone`, `asZone` and `toLocal`.
 *
 * @module
 */

import { DataType, Timestamp, type TimeUnit } from "apache-arrow";
import { timeUnitNames } from "../../base/time_text.ts";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import type { CallArgs, Overload } from "../syntax/overload.ts";
import type { StringOp } from "../syntax/node.ts";
import { problemOfZone, zoneNameOf } from "../syntax/time_zone.ts";
import { toTimestamp } from "../string/convert/to_time.ts";
import { defineStringOp, overload } from "../string/define/define_string_op.ts";
import { NO_DAY } from "../time/calendar.ts";
import { floorDivide, floorRemainder } from "../time/floor.ts";
import { type Ambiguity, offsetOfLocal } from "../time/local_instant.ts";
import { type ClockUnit, localDay, offsetIn, perDay, perSecond } from "../time/time_of.ts";
import { NO_OFFSET } from "../time/zone.ts";

const { addOverflows, subOverflows, toI32, toI64 } = numeric;

/** Returns the type of a timestamp in a zone, or without one. */
function inZone(on: DataType, zone: string | null): DataType {
  return new Timestamp((on as Timestamp).unit as TimeUnit, zone);
}

const byUnit = (of: (unit: ClockUnit) => Overload) =>
  Object.fromEntries(timeUnitNames.map((unit) => [unit, of(unit)]));

/** Chooses an overload for timestamps that have a zone, or have none. */
function chooseWith(hasZone: boolean) {
  return (_args: CallArgs, _on: unknown, type: DataType) =>
    DataType.isTimestamp(type) && (zoneNameOf(type) !== undefined) === hasZone
      ? timeUnitNames[type.unit]
      : undefined;
}

/** Tells what to do with a timestamp that has no zone. */
function withoutZone(type: DataType): string | undefined {
  return DataType.isTimestamp(type)
    ? 'it has no time zone; asZone("UTC") says in which zone it counts'
    : undefined;
}

const AMBIGUITIES: readonly Ambiguity[] = ["earlier", "later"];

/** Creates the row function from the local time of a zone to its instants. */
function fromLocal(unit: ClockUnit): Overload {
  return overload({
    kind: "measure",
    subject: "i64",
    returns: "i64",
    gives: (on: DataType, { zone }: CallArgs) => inZone(on, String(zone)),
    refusal: (call, time) =>
      `${call}: the zone skips ${time}, or has it twice; { ambiguous: "later" } takes the later instant`,
    consts: ({ zone, ambiguous = "none" }) => ({
      ...{ offsetOf: offsetOfLocal(String(zone), ambiguous as Ambiguity), toDay: localDay(unit) },
      ...{ floorRemainder, subOverflows, toI32, toI64, none: NO_DAY, noOffset: NO_OFFSET },
      ...{ perDay: perDay(unit), perSecond: perSecond(unit) },
    }),
    row(time, given) {
      const day = given.toDay(time);
      if (day === given.none) return null;
      const second = given.toI32(given.floorRemainder(time, given.perDay) / given.perSecond);
      const offset = given.offsetOf(day, second, given.noOffset);
      if (offset === given.noOffset) return null;
      const by = given.toI64(offset) * given.perSecond;
      return given.subOverflows(time, by) ? null : time - by;
    },
  });
}

/** Takes a timestamp without a zone as the local time of one. */
export const asZone: StringOp<
  [zone: string, options?: { readonly ambiguous?: "earlier" | "later" }]
> = defineStringOp({
  name: "asZone",
  group: "dates",
  summary: "A timestamp without a time zone, taken as the local time of one",
  details:
    "A local time that the zone skips or repeats is an error, and null with orNull(); with " +
    '{ ambiguous: "earlier" } or { ambiguous: "later" } it is the earlier or the later instant.',
  differs: ["DuckDB: takes the later instant without a word"],
  args: { zone: "literal", ambiguous: "literal" },
  accepts: { zone: "string", ambiguous: "string" },
  optional: ["ambiguous"],
  isStrict: () => true,
  check({ zone, ambiguous }) {
    const problem = problemOfZone(String(zone));
    if (problem !== undefined || ambiguous === undefined) return problem;
    return AMBIGUITIES.includes(ambiguous as Ambiguity)
      ? undefined
      : `ambiguous is "earlier" or "later", not ${JSON.stringify(ambiguous)}`;
  },
  choose: chooseWith(false),
  instead: (type) =>
    DataType.isTimestamp(type)
      ? "it has a time zone already; toZone() moves it to another one"
      : DataType.isDate(type)
      ? "toTimestamp() gives a date a time of day"
      : undefined,
  examples: [
    {
      input: "2024-07-01T12:00",
      via: toTimestamp,
      args: ["Europe/Berlin"],
      result: "2024-07-01T12:00:00+02:00",
    },
    {
      input: "2024-10-27T02:30",
      via: toTimestamp,
      args: ["Europe/Berlin", { ambiguous: "later" }],
      result: "2024-10-27T02:30:00+01:00",
    },
  ],
  overloads: byUnit(fromLocal),
});

/** Returns the same instants in another time zone. */
export const toZone: StringOp<[zone: string]> = defineStringOp({
  name: "toZone",
  group: "dates",
  summary: "A timestamp in another time zone: the same instant",
  details: "Fields such as hour() and text are those of the local time of the zone.",
  args: { zone: "literal" },
  accepts: { zone: "string" },
  optional: [],
  check: ({ zone }) => problemOfZone(String(zone)),
  choose: chooseWith(true),
  instead: withoutZone,
  examples: [
    {
      input: "2024-07-01T12:00",
      via: [[toTimestamp], [asZone, "UTC"]],
      args: ["Europe/Berlin"],
      result: "2024-07-01T14:00:00+02:00",
    },
    {
      input: "2024-01-01T12:00",
      via: [[toTimestamp], [asZone, "America/New_York"]],
      args: ["UTC"],
      result: "2024-01-01T17:00:00Z",
    },
  ],
  overloads: byUnit(() =>
    overload({
      kind: "measure",
      subject: "i64",
      returns: "i64",
      gives: (on: DataType, { zone }: CallArgs) => inZone(on, String(zone)),
      row: (time) => time,
    })
  ),
});

/** Creates the row function from instants to the local time of their zone. */
function toLocalTime(unit: ClockUnit): Overload {
  return overload({
    kind: "measure",
    subject: "i64",
    returns: "i64",
    gives: (on: DataType) => inZone(on, null),
    consts: (_args, zone) => ({
      ...{ offsetAt: offsetIn(zone), floorDivide, floorRemainder, addOverflows, toI32, toI64 },
      ...{ perDay: perDay(unit), perSecond: perSecond(unit) },
    }),
    row(time, given) {
      const day = given.floorDivide(time, given.perDay);
      if (day <= -2147483647n || day >= 2147483647n) return null;
      const second = given.toI32(given.floorRemainder(time, given.perDay) / given.perSecond);
      const by = given.toI64(given.offsetAt(given.toI32(day), second)) * given.perSecond;
      return given.addOverflows(time, by) ? null : time + by;
    },
  });
}

/** Returns the local time of a timestamp in a zone, without the zone. */
export const toLocal: StringOp<[]> = defineStringOp({
  name: "toLocal",
  group: "dates",
  summary: "The local time of a timestamp in a time zone, without the zone",
  args: {},
  optional: [],
  isStrict: () => true,
  choose: chooseWith(true),
  instead: withoutZone,
  examples: [
    {
      input: "2024-07-01T12:00",
      via: [[toTimestamp], [asZone, "UTC"], [toZone, "Europe/Berlin"]],
      result: "2024-07-01T14:00:00",
    },
    {
      input: "2024-07-01T12:00",
      via: [[toTimestamp], [asZone, "Europe/Berlin"]],
      result: "2024-07-01T12:00:00",
    },
  ],
  overloads: byUnit(toLocalTime),
});
