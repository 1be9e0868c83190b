import { DataType } from "apache-arrow";

/** What a column of dates or timestamps counts in. */
export type TimeUnitName = "day" | "s" | "ms" | "us" | "ns";

const UNITS = ["s", "ms", "us", "ns"] as const;

/** The unit of a type of dates or timestamps; undefined for other types. */
export function timeUnitOf(type: DataType): TimeUnitName | undefined {
  if (DataType.isDate(type)) return type.unit === 0 ? "day" : "ms";
  return DataType.isTimestamp(type) ? UNITS[type.unit] : undefined;
}
