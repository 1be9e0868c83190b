import { type Scratch, scratch } from "../../../gpu/kernel/language/scratch.ts";

/**
 * What the helpers of dates and times hand to each other. Indices: 0 nanoseconds (below one
 * microsecond), 1 microseconds, 2 milliseconds, 3 second, 4 minute, 5 hour, 6 days since 1970-01-01,
 * 7 minutes east of UTC; while a format is read also 8 year, 9 month, 10 day, 11 day of the year,
 * 12 half of the day (1 before noon, 2 after).
 */
export const timeFields: Scratch = scratch(13);
