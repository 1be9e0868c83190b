import { assertEquals, assertThrows } from "@std/assert";
import {
  DateDay,
  Field,
  Int64,
  Schema,
  TimeSecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint64,
  Utf8,
} from "apache-arrow";
import { ExprError } from "../../../../base/errors/expr_error.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { evaluateTyped } from "../../../support/kernels/programs.ts";

const schema = new Schema([
  new Field("t", new Utf8(), true),
  new Field("n", new Int64(), true),
  new Field("u", new Uint64(), true),
  new Field("day", new DateDay(), true),
  new Field("s", new TimestampSecond(), true),
  new Field("ns", new TimestampNanosecond(), true),
  new Field("clock", new TimeSecond(), true),
]);

/** Mistakes with dates, times and tables of values, by the end of what is said of them. */
const MISTAKES: readonly (readonly [text: string, message: string])[] = [
  ["t.hour()", "t.toTimestamp().hour() reads it as ISO 8601"],
  ['t.truncate("month")', "t.toTimestamp().truncate(...) reads it as ISO 8601"],
  ["t.monthName()", "monthName(t): t is string, which it does not take; t.toTimestamp()"],
  ["n.year()", 'n.cast("timestamp[s]") takes it as seconds since 1970'],
  ["t.makeDate(1, 2)", "t.toInteger().makeDate(...) takes a whole number"],
  ['t.total("hour")', 't.cast("duration[s]") is a duration'],
  ["t - t", ".toDate() or .toTimestamp() a time"],
  ["day > t", "t.toDate() reads dates"],
  ["s == t", "t.toTimestamp() reads timestamps"],
  ["clock == t", 't.cast("time32[s]") reads such times'],
  ['day == "2024-02-30"', "there is no day 30 of month 2 in the year 2024"],
  ['day == "2024-13-01"', "there is no day 1 of month 13 in the year 2024"],
  ['day.isIn(["2023-02-29"])', "there is no day 29 of month 2 in the year 2023"],
  ['day.between("2024-01-01", "2024-04-31")', "there is no day 31 of month 4"],
  ['day.since("2024-02-30", "day")', "there is no day 30 of month 2"],
  ['day - "2024-02-30"', "there is no day 30 of month 2"],
  ['day.fillNull("2024-02-30")', "there is no day 30 of month 2"],
  ['day == "March 5"', 'a date is written "2024-02-29"'],
  ["day == 20240229", 'a date is written "2024-02-29"'],
  ['day == "2024-02-29T10:00"', "a date has no time of day; toTimestamp() gives it one"],
  ['s == "2024-02-29T24:00"', "it is no time of a day"],
  ['s == "2024-02-29T10:00:00.5"', "timestamp[s] has no such fraction of a second"],
  ['s == "yesterday"', 'a timestamp is written "2024-02-29T15:09:26"'],
  ['ns == "9999-01-01"', "it does not fit in timestamp[ns]"],
  ['clock == "9"', 'a time is written "15:09:26"'],
  ['clock == "09:61"', "it is no time of a day"],
  ["u >> n", 'write n.cast("uint64")'],
  ["n >> u", 'write u.cast("int64")'],
  ['n.recode({ "1": "a", "2": 3 })', 'recode(): the results are of one type, but "a" is text'],
  ['n.recode({ "1": "a" }, 5)', 'recode(): the results are of one type, but "a" is text'],
  ["t.recode({ a: 1 }, t)", "recode(): needs results of one type: 1 (int32) and t (string)"],
  ["n.recode({ a: 1 })", 'recode(): cannot compare n (int64) with "a"'],
  ['day.greatest("2024-02-30")', "greatest(): cannot compare day (date32)"],
  ["n.greatest(nope)", "Unknown column nope"],
];

Deno.test("a mistake with dates and times is told by what to write, and names the call as written", () => {
  for (const [text, wanted] of MISTAKES) {
    const { message } = assertThrows(() => bindExpr(parseExpr(text), schema), Error, wanted, text);
    assertEquals(message.includes("?:"), false, message);
  }
  assertThrows(() => bindExpr(parseExpr("t.hour()"), schema), ExprError);
});

Deno.test("text beside times of a day is a time, and years of more digits are read as written", () => {
  const typed = {
    clock: [new TimeSecond(), [0, 86_399, 36_000]],
    day: [new DateDay(), [3_306_963, -1_075_947, 0]],
  } as const;
  const rows = (text: string) => evaluateTyped(parseExpr(text), typed);
  assertEquals(rows('clock >= "10:00"'), [false, true, true]);
  assertEquals(rows('clock == "23:59:59"'), [false, true, false]);
  assertEquals(rows('day == "+011024-02-28"'), [true, false, false]);
  assertEquals(rows('day == "11024-02-28"'), [true, false, false]);
  assertEquals(rows('day == "-0976-02-28"'), [false, true, false]);
  assertEquals(rows('day == "-000976-02-28"'), [false, true, false]);
});
