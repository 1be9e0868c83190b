/** Random operations on dates, times and durations, whose model is `date_model.ts`. */

import { DataType } from "apache-arrow";
import { col, type Expr, lit } from "../../ops/expr/expr.ts";
import {
  CLOCK_FIELDS,
  CLOCK_UNITS,
  DAY_FIELDS,
  DAY_UNITS,
} from "../support/models/calendar_model.ts";
import { DATE_OPERATIONS } from "../support/models/date_model.ts";
import type { ModelColumn } from "../support/models/expr_model_types.ts";
import type { SeededRandom } from "../support/random/seeded_random.ts";
import type { Kind } from "./expr_kind.ts";

/** The names of what is drawn. */
export const DRAWN_DATES: readonly string[] = DATE_OPERATIONS;

/** The kinds that operations on dates and times give. */
export const DATED_KINDS: readonly Kind[] = ["int", "float", "date", "time", "text"];

/** How many of a unit are truncated to: hours and less divide the next larger unit. */
function countOf(random: SeededRandom, unit: string): number {
  return random.pick(unit === "hour" ? [1, 2, 6, 12] : [1, 1, 2, 5, 10]);
}

/** A random operation that gives a kind, over other expressions. */
export function randomDated(
  random: SeededRandom,
  kind: Kind,
  columns: readonly ModelColumn[],
  of: (kind: Kind) => Expr,
): Expr | undefined {
  const kindOfTime = random.pick(["date", "time"] as const);
  const time = of(kindOfTime);
  const units = kindOfTime === "date" ? DAY_UNITS : [...DAY_UNITS, ...CLOCK_UNITS];
  const unit = random.pick(units);
  switch (kind) {
    case "int":
      return randomCount(random, kindOfTime, time, of, unit);
    case "float":
      return randomLength(random, columns, of).total(random.pick(["week", "day", ...CLOCK_UNITS]));
    case "text":
      return random.chance(0.5) ? time.monthName() : time.dayName();
    case "date":
      if (random.chance(0.2)) return time.monthEnd();
      return moved(random, of("date"), random.pick(DAY_UNITS), of);
    case "time":
      switch (random.below(5)) {
        case 0:
          return of("time").add(randomLength(random, columns, of));
        case 1:
          return time.sub(randomLength(random, columns, of));
        case 2: {
          const zoned = columns.filter(({ type }) => DataType.isTimestamp(type) && type.timezone);
          if (zoned.length > 0) return moved(random, col(random.pick(zoned).name), unit, of);
          return moved(random, of("time"), unit, of);
        }
        case 3: {
          const zoned = columns.filter(({ type }) => DataType.isTimestamp(type) && type.timezone);
          if (zoned.length > 0) return col(random.pick(zoned).name).toLocal();
          return moved(random, of("time"), unit, of);
        }
        default:
          return moved(random, of("time"), unit, of);
      }
    default:
      return undefined;
  }
}

/** One of the operations by its name. */
export function namedDate(
  random: SeededRandom,
  name: string,
  columns: readonly ModelColumn[],
  of: (kind: Kind) => Expr,
): Expr | undefined {
  const zoned = columns.filter(({ type }) => DataType.isTimestamp(type) && type.timezone);
  const hasDates = columns.some(({ type }) => DataType.isDate(type));
  const hasTimes = columns.some(({ type }) => DataType.isTimestamp(type));
  const isClock = Object.hasOwn(CLOCK_FIELDS, name);
  const kind = isClock || !hasDates || (hasTimes && random.chance(0.5)) ? "time" : "date";
  const isZoned = kind === "time" && zoned.length > 0 && random.chance(0.5);
  // Every table has numbers.
  const time = isZoned
    ? col(random.pick(zoned).name)
    : kind === "date" || hasTimes
    ? of(kind)
    : of("int").cast("timestamp[s]").orNull();
  const unit = random.pick(kind === "date" ? DAY_UNITS : [...DAY_UNITS, ...CLOCK_UNITS]);
  switch (name) {
    case "epoch":
      return time.epoch(random.pick(["day", ...CLOCK_UNITS]));
    case "truncate":
      return time.truncate(unit, countOf(random, unit));
    case "plus":
      return time.plus(random.below(60) - 30, unit);
    case "since":
      return time.since(of(kind), unit);
    case "total":
    case "duration":
      return randomLength(random, columns, of).total(random.pick(CLOCK_UNITS));
    case "toLocal":
      return zoned.length > 0 ? col(random.pick(zoned).name).toLocal() : undefined;
    default:
      return (time as unknown as Record<string, () => Expr>)[name]!();
  }
}

/** A field of a time, or what was counted up to it. */
function randomCount(
  random: SeededRandom,
  kind: "date" | "time",
  time: Expr,
  of: (kind: Kind) => Expr,
  unit: string,
): Expr {
  if (random.chance(0.3)) return time.since(random.chance(0.8) ? of(kind) : time, unit);
  if (random.chance(0.1)) return time.epoch(random.pick(["day", ...CLOCK_UNITS]));
  const fields = Object.keys(kind === "date" ? DAY_FIELDS : { ...DAY_FIELDS, ...CLOCK_FIELDS });
  return (time as unknown as Record<string, () => Expr>)[random.pick(fields)]!();
}

/** A date or a time of the same type, at the start of a unit or some units later. */
function moved(
  random: SeededRandom,
  time: Expr,
  unit: string,
  of: (kind: Kind) => Expr,
): Expr {
  if (random.chance(0.5)) return time.truncate(unit, countOf(random, unit));
  const n = random.chance(0.7) ? lit(random.below(60) - 30) : of("int");
  return time.plus(n, unit);
}

/** A duration: of a column, between two times, or of a number. */
function randomLength(
  random: SeededRandom,
  columns: readonly ModelColumn[],
  of: (kind: Kind) => Expr,
): Expr {
  const lengths = columns.filter(({ type }) => DataType.isDuration(type));
  if (lengths.length > 0 && random.chance(0.5)) {
    const length = col(random.pick(lengths).name);
    return random.chance(0.2) ? length.neg() : length;
  }
  const kind = random.pick(["date", "time"] as const);
  if (random.chance(0.5)) return of(kind).sub(of(kind));
  const length = of("int").duration(random.pick(["week", "day", ...CLOCK_UNITS]));
  return random.chance(0.2) ? length.add(of("int").duration("hour")) : length;
}
