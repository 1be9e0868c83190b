import {
  type DataType,
  DateDay,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
} from "apache-arrow";
import type { SeededRandom } from "./seeded_random.ts";

const TIMESTAMPS = [
  TimestampSecond,
  TimestampMillisecond,
  TimestampMicrosecond,
  TimestampNanosecond,
];
const ZONES = Intl.supportedValuesOf("timeZone");
/** Zones whose clocks change at midnight, by half an hour, by a day, or were behind by seconds. */
const ODD_ZONES = [
  "America/Sao_Paulo",
  "Asia/Beirut",
  "America/Toronto",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Africa/Casablanca",
  "Europe/Dublin",
  "Africa/Monrovia",
];
const YEAR = 31_556_952;

/** A column of times, and the same times as Temporal has them. */
export interface RandomTimes {
  readonly type: DataType;
  readonly zone: string | undefined;
  /** Nanoseconds since 1970 in UTC, or of the local time without a zone. */
  readonly nanoseconds: readonly bigint[];
  /** The values of the column. */
  readonly values: readonly (number | bigint)[];
}

/** A time zone: often one with unusual changes. */
export function someZone(random: SeededRandom): string {
  return random.chance(0.5) ? random.pick(ODD_ZONES) : random.pick(ZONES);
}

/** A second, often near a change of the clocks of a zone, or at the start of a month or a day. */
export function someSecond(random: SeededRandom, zone: string | undefined, years: number): number {
  const any = Math.floor((random.next() - 0.5) * years * YEAR);
  const kind = random.below(4);
  if (kind === 0) return any;
  if (kind === 1) {
    const year = 1970 + Math.floor(any / YEAR);
    const start = Date.UTC(year, random.below(12), random.pick([1, 28, 29, 30, 31])) / 1000;
    return start + random.pick([0, -1, 1, 43_200, random.below(86_400)]);
  }
  if (zone === undefined) return any - any % 86_400;
  const next = Temporal.Instant.fromEpochMilliseconds(any * 1000).toZonedDateTimeISO(zone)
    .getTimeZoneTransition("next");
  if (next === null) return any;
  const steps = [-1, 0, 1, -3600, 3600, -1800, 1800, -86_400, 86_400, random.below(86_400)];
  return Math.floor(next.epochMilliseconds / 1000) + random.pick(steps);
}

/** Times of one type: dates, or timestamps of some unit with a zone or without one. */
export function randomTimes(
  random: SeededRandom,
  { numRows = 20, years = 560, kinds = ["date", "plain", "zoned"] }: {
    readonly numRows?: number;
    readonly years?: number;
    readonly kinds?: readonly ("date" | "plain" | "zoned")[];
  } = {},
): RandomTimes {
  const kind = random.pick(kinds);
  const zone = kind === "zoned" ? someZone(random) : undefined;
  const seconds = Array.from({ length: numRows }, () => someSecond(random, zone, years));
  if (kind === "date") {
    const days = seconds.map((second) => Math.floor(second / 86_400));
    const nanoseconds = days.map((day) => BigInt(day) * 86_400_000_000_000n);
    return { type: new DateDay(), zone, nanoseconds, values: days };
  }
  const type = new (random.pick(TIMESTAMPS))(zone ?? null);
  const perSecond = 1000n ** BigInt(type.unit);
  const values = seconds.map((second) =>
    BigInt(second) * perSecond +
    (random.chance(0.5) ? BigInt(random.below(Number(perSecond))) : 0n)
  );
  const nanoseconds = values.map((value) => value * (1_000_000_000n / perSecond));
  return { type, zone, nanoseconds, values };
}

/** The local date and time, as Temporal has it. */
export function localTime(nanoseconds: bigint, zone = "UTC"): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochNanoseconds(nanoseconds).toZonedDateTimeISO(zone)
    .toPlainDateTime();
}
