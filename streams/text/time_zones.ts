/**
 * Time zones as tables of past, present and future offsets, from the runtime's own copy of the time
 * zone database.
 *
 * @module
 */

/** A time zone: the offset of each entry applies from its start to the start of the next. */
export interface ZoneTable {
  /**
   * The days since 1970-01-01 (UTC) on which the entries start; the first also applies to all
   * earlier times.
   */
  readonly days: Int32Array;
  /** The seconds within these days (UTC) at which the entries start. */
  readonly seconds: Int32Array;
  /** The offsets in seconds east of UTC, less than a day. */
  readonly offsets: Int32Array;
}

/** The first day of the table of a zone with rules; the first offset applies to earlier days. */
export const FIRST_ZONE_DAY = Date.UTC(1800, 0, 1) / 86_400_000;

/** The end of such a table: every later day is like the one 400 years before it. */
export const LAST_ZONE_DAY = Date.UTC(2500, 0, 1) / 86_400_000;

/** The days in 400 years, a whole number of weeks. */
export const DAYS_OF_ERA = 146_097;

const SECONDS_OF_DAY = 86_400;

/**
 * The part of `Temporal` that is used here; not every runtime and not every set of types has it.
 */
interface TimeInZone {
  readonly epochMilliseconds: number;
  readonly offsetNanoseconds: number;
  getTimeZoneTransition(direction: "next"): TimeInZone | null;
}
interface TemporalLike {
  readonly Instant: {
    fromEpochMilliseconds(value: number): { toZonedDateTimeISO(zone: string): TimeInZone };
  };
}

const tables = new Map<string, ZoneTable>();

/**
 * Returns the table of a zone: a name of the time zone database, `UTC`, or an offset such as
 * `+02:00`. Undefined for any other name, and for names of places where the runtime has no
 * `Temporal`.
 */
export function zoneTable(zone: string): ZoneTable | undefined {
  let table = tables.get(zone);
  if (table === undefined) {
    const offset = fixedOffset(zone);
    table = offset === undefined ? tableOf(zone) : singleEntry(offset);
    if (table !== undefined) tables.set(zone, table);
  }
  return table;
}

/** Whether the local time of a zone is UTC at all times. */
export function isUtc({ offsets }: ZoneTable): boolean {
  return offsets.length === 1 && offsets[0] === 0;
}

/** Returns the index of the entry that applies at a time, in seconds since 1970 (UTC). */
export function entryAt({ days, seconds }: ZoneTable, time: number): number {
  if (days.length === 1) return 0;
  let day = Math.floor(time / SECONDS_OF_DAY);
  const second = time - day * SECONDS_OF_DAY;
  if (day >= LAST_ZONE_DAY) {
    day -= DAYS_OF_ERA * (Math.floor((day - LAST_ZONE_DAY) / DAYS_OF_ERA) + 1);
  }
  let low = 0;
  let high = days.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const isAfter = days[middle]! > day || (days[middle] === day && seconds[middle]! > second);
    if (isAfter) high = middle;
    else low = middle;
  }
  return low;
}

/** Returns the offset from UTC at a time, both in seconds. */
export function offsetAt(table: ZoneTable, time: number): number {
  return table.offsets[entryAt(table, time)]!;
}

/**
 * Formats an offset as `+01:00`, with seconds if it has them, as offsets before standard time do.
 */
export function offsetText(offset: number): string {
  const size = Math.abs(offset);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60];
  if (size % 60 !== 0) parts.push(size % 60);
  const digits = parts.map((part) => String(part).padStart(2, "0")).join(":");
  return `${offset < 0 ? "-" : "+"}${digits}`;
}

/**
 * Returns a function that formats timestamps, from `write`, which formats them without a zone. In a
 * time zone the text is the local time followed by its offset, `+01:00`; in UTC, and in an unknown
 * zone, it is UTC followed by `Z`.
 */
export function inZone(
  zone: string | null | undefined,
  unit: number,
  write: (value: bigint) => string,
): (value: bigint) => string {
  if (!zone) return write;
  const table = zoneTable(zone);
  if (table === undefined || isUtc(table)) return (value) => `${write(value)}Z`;
  const perSecond = 1000n ** BigInt(unit);
  return (value) => {
    const seconds = Number((value - ((value % perSecond) + perSecond) % perSecond) / perSecond);
    const offset = offsetAt(table, seconds);
    return write(value + BigInt(offset) * perSecond) + offsetText(offset);
  };
}

/**
 * Returns the seconds of an offset such as `+02:00`, `-0330` or `+05`, of `UTC` and of `Z`;
 * undefined for other names.
 */
function fixedOffset(zone: string): number | undefined {
  if (/^(?:UTC|Etc\/UTC|Z)$/i.test(zone)) return 0;
  const [, sign, hours, minutes = "0"] = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/.exec(zone) ?? [];
  if (hours === undefined) return undefined;
  const size = Number(hours) * 3600 + Number(minutes) * 60;
  return size === 0 ? 0 : sign === "-" ? -size : size;
}

function singleEntry(offset: number): ZoneTable {
  return {
    days: Int32Array.of(FIRST_ZONE_DAY),
    seconds: Int32Array.of(0),
    offsets: Int32Array.of(offset),
  };
}

function tableOf(zone: string): ZoneTable | undefined {
  const temporal = (globalThis as { Temporal?: TemporalLike }).Temporal;
  if (temporal === undefined) return undefined;
  const first = FIRST_ZONE_DAY * SECONDS_OF_DAY * 1000;
  let time: TimeInZone | null;
  try {
    time = temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(zone);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const starts: number[] = [];
  const offsets: number[] = [];
  const end = LAST_ZONE_DAY * SECONDS_OF_DAY * 1000;
  for (; time !== null && time.epochMilliseconds < end; time = time.getTimeZoneTransition("next")) {
    const offset = Math.round(time.offsetNanoseconds / 1e9);
    if (offset === offsets.at(-1)) continue;
    starts.push(Math.floor(time.epochMilliseconds / 1000));
    offsets.push(offset);
  }
  return {
    days: Int32Array.from(starts, (start) => Math.floor(start / SECONDS_OF_DAY)),
    seconds: Int32Array.from(
      starts,
      (start) => start - Math.floor(start / SECONDS_OF_DAY) * SECONDS_OF_DAY,
    ),
    offsets: Int32Array.from(offsets),
  };
}
