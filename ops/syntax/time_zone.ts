/**
 * Time zones by name, as in the types of timestamps.
 *
 * @module
 */

import { type DataType, DataType as Type } from "apache-arrow";
import {
  entryAt,
  isUtc,
  offsetText,
  type ZoneTable,
  zoneTable,
} from "../../streams/text/time_zones.ts";
import { didYouMean } from "../../base/nearest_name.ts";

/** Returns the time zone of a type; undefined without one, and for other types than timestamps. */
export function zoneNameOf(type: DataType): string | undefined {
  return Type.isTimestamp(type) && type.timezone ? type.timezone : undefined;
}

/** Returns the table of a zone. Throws a RangeError for an unknown zone. */
export function knownZone(zone: string): ZoneTable {
  const table = zoneTable(zone);
  if (table === undefined) throw new RangeError(unknownZone(zone));
  return table;
}

/** Describes why the name of a zone is refused; undefined if the zone is known. */
export function problemOfZone(zone: string): string | undefined {
  return zoneTable(zone) === undefined ? unknownZone(zone) : undefined;
}

/** Whether a type has a time zone other than UTC. */
export function isElsewhere(type: DataType): boolean {
  const zone = zoneNameOf(type);
  return zone !== undefined && !isUtc(knownZone(zone));
}

function unknownZone(zone: string): string {
  const name = JSON.stringify(zone);
  if (!("Temporal" in globalThis)) {
    return `the time zone ${name} needs Temporal, which this runtime does not have`;
  }
  const hint = didYouMean(zone, Intl.supportedValuesOf("timeZone"));
  return `unknown time zone ${name}${hint || "; zones are named as Europe/Berlin, UTC or +02:00"}`;
}

const SECONDS_OF_DAY = 86_400;

/**
 * Returns the seconds since 1970 (UTC) of a local time in a zone, or a text that says that the zone
 * skips or repeats it.
 */
export function instantOf(zone: string, local: number): number | string {
  const table = knownZone(zone);
  const before = entryAt(table, local - SECONDS_OF_DAY);
  const after = entryAt(table, local + SECONDS_OF_DAY);
  const holds = [...new Set([before, after])].filter((entry) =>
    entryAt(table, local - table.offsets[entry]!) === entry
  );
  const [only] = holds;
  if (only !== undefined && holds.length === 1) return local - table.offsets[only]!;
  if (only === undefined) return `the clocks of ${zone} were put forward over it`;
  const offsets = [before, after].map((entry) => offsetText(table.offsets[entry]!));
  return `it comes twice in ${zone}; write its offset, ${offsets.join(" or ")}`;
}

/** Returns the first second of a local day in a zone, since 1970 (UTC). */
export function startOfDay(zone: string, day: number): number {
  const table = knownZone(zone);
  const local = day * SECONDS_OF_DAY;
  const [before, after] = [local - SECONDS_OF_DAY, local + SECONDS_OF_DAY]
    .map((time) => entryAt(table, time)) as [number, number];
  const early = local - table.offsets[before]!;
  if (entryAt(table, early) === before) return early;
  const late = local - table.offsets[after]!;
  if (entryAt(table, late) === after) return late;
  // The clocks were put forward over midnight.
  return startOf(table, after, local);
}

/** Returns the start of an entry, in the era of a time. */
function startOf({ days, seconds }: ZoneTable, entry: number, near: number): number {
  const start = days[entry]! * SECONDS_OF_DAY + seconds[entry]!;
  // The table also holds for every later era of 400 years.
  const era = 146_097 * SECONDS_OF_DAY;
  return start + Math.round((near - start) / era) * era;
}
