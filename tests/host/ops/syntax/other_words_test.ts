import { assert, assertThrows } from "@std/assert";
import { Field, Int32, Schema, Utf8 } from "apache-arrow";
import { ExprError } from "../../../../base/errors/expr_error.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";

/** Functions of SQL, pandas and Polars that expressions lack, by what the message says of them. */
const FUNCTIONS_ELSEWHERE: Readonly<Record<string, string>> = {
  "if iif CASE_WHEN where iff then": "test ? a : b",
  "match re_match": "containsRe tells",
  "is_between inrange inside": "between",
  "not_null notna exists is_present": "isNotNull",
  "isnull is_null isna missing": "isNull",
  not: "! stands for not",
  "and or": "&& stands for and, || for or",
  "null_if": "nullIf",
  "decode replace_strict": "recode here: code.recode({ a: 1, b: 2 }, 0)",
  "trim": "strip",
  "substr substring mid": "slice here: text.slice(start, stop)",
  "len size array_length": "length",
  "clip bound": "clamp",
  "dayofmonth": "day",
  "dayofyear doy": "dayOfYear",
  "dayofweek isodow": "weekday",
  "month_name monthname": "monthName",
  "day_name dayname": "dayName",
  "last_day eomonth": "monthEnd",
  "date_part extract_from": "day.month()",
  "date_trunc floor_temporal time_bucket": 'truncate here: day.truncate("month")',
  "datediff date_diff timestampdiff months_between age until":
    'since here: end.since(start, "day")',
  "dateadd date_add add_months offset_by date_offset": 'plus here: day.plus(1, "day")',
  "strftime to_char date_format": "format",
  "strptime to_datetime": "toTimestamp",
  "getdate current_timestamp sysdate": "now",
  "current_date curdate": "today",
  "ifnull nvl fillna zeroifnull": "fillNull",
  "epoch_ms to_unixtime unix_timestamp": 'epoch here: time.epoch("second")',
  "from_unixtime from_epoch": 'cast(n, "timestamp[s]")',
  "div0 safe_divide": "b == 0 ? 0 : a / b",
  "tz_convert convert_timezone": "toZone",
  "at_time_zone tz_localize": "asZone",
  "md5 sha256 uuid": "is not supported yet",
  "addDays add_hours plusMonths timestampadd": 'plus here: day.plus(1, "day")',
  "dow iso_day_of_week": "weekday here: day.weekday(), 1 for Monday",
  "getFullYear get_year": "year",
  "timedelta make_interval": 'duration here: n.duration("day")',
  "toISOString isoformat String": "toString",
  "Number double": "toFloat",
  "toLocaleString printf": 'amount.format(",.2f")',
  "toFixed": 'round(2) rounds, and format(".2f") writes text',
  "string_split str_split": "split",
  "array_join list_join": "join",
  "array_contains list_contains": "contains",
  "len_chars strlen": "length",
  "to_utc_timestamp": "asZone",
  "from_utc_timestamp": "toZone",
  "isinf": "a.abs() == Infinity",
  "pi e": "it is written",
  "unix_timestamp getTime": "epoch",
  "regexp_count": "countRe",
  "chr ascii sort unique gcd": "is not supported yet",
  "max": "greatest(a, b)",
  "min": "least(a, b)",
  "avg mean median quantile n_unique first": "is over many rows: group computes it",
  "lag row_number cumsum shift rolling_mean": "an expression sees one row",
  "over": "rows are grouped in a step",
};

Deno.test("a function that other languages have is told by what stands for it here", () => {
  for (const [names, hint] of Object.entries(FUNCTIONS_ELSEWHERE)) {
    for (const name of names.split(" ")) {
      const { message } = assertThrows(() => parseExpr(`a.${name}(b)`), ExprError);
      const isTold = message.startsWith(`${name}() is `) ||
        message.startsWith(`Unknown operation ${name};`);
      assert(isTold && message.includes(hint), message);
    }
  }
});

/** Texts that other languages would read, by what the message says of them. */
const WORDS_ELSEWHERE: Readonly<Record<string, string>> = {
  "a and b": "&& stands for and",
  "a or b": "|| stands for or",
  "not a": "! stands for not",
  "a is null": "isNull() asks for null",
  "a in b": "isIn() asks for one of several values",
  "a between 1 and 2": "between() is a method: a.between(low, high)",
  "d - interval 1 day": 'day.plus(3, "month")',
  "extract(month from d)": "day.month()",
  "d at time zone 'UTC'": 'time.toZone("Europe/Berlin")',
  "CASE WHEN a > 1 THEN 2 END": "test ? a : b",
  "a = 1": "== compares",
  "d.round('hour')": 'truncate("hour")',
  "a.now()": "It is written now() alone",
  "a like b": "text.like(pattern)",
  "a ilike b": "text.lower().like(pattern)",
  "a rlike b": "text.containsRe(/pattern/)",
  "a similar b": "text.containsRe(/pattern/)",
  "a when b": "test ? a : b",
  "a <> b": "!= stands for <>",
  "a::int": 'a.cast("int64")',
  "a := 1": "== compares",
  "a |> b": "operations are methods",
  "a !~ b": "!text.containsRe(/pattern/)",
  "a ~ b": "; containsRe() looks for a pattern",
  "a // b": "// starts a comment",
  'date "2024-01-31"': "a date is written as text",
  'timestamp "2024-01-31"': "a timestamp is written as text",
  "new Date()": "now() is this moment",
  "a?.abs()": "what is computed of null is null",
  "Math.floor(a)": "write it without Math.: floor(a), or a.floor()",
  "np.sqrt(a)": "write it without np.",
  "date(2024, 1, 31)": "makeDate here: makeDate(2024, 2, 29)",
  "a.cast(int64)": 'write it in quotes: "int64"',
  'a.replace(/b/, "c")': "replaceRe() takes one",
};

Deno.test("a word or sign of other languages is told by what stands for it here", () => {
  for (const [text, hint] of Object.entries(WORDS_ELSEWHERE)) {
    const { message } = assertThrows(() => parseExpr(text), ExprError);
    assert(message.includes(hint), `${text}: ${message}`);
  }
});

Deno.test("a value of other languages that is no column here is told by what stands for it", () => {
  const schema = new Schema([new Field("a", new Int32(), true)]);
  const wanted = {
    "current_date CURDATE": "today()",
    "CURRENT_TIMESTAMP": "now()",
    "None nil NA": "null is written null",
    "True FALSE": "in small letters",
    "Math np": "functions are called without it",
  };
  for (const [names, hint] of Object.entries(wanted)) {
    for (const name of names.split(" ")) {
      const { message } = assertThrows(() => bindExpr(parseExpr(name), schema), ExprError);
      assert(message.startsWith(`Unknown column ${name};`) && message.includes(hint), message);
    }
  }
});

Deno.test("the name spaces of Polars and pandas are told to be none", () => {
  const schema = new Schema([new Field("a", new Utf8(), true)]);
  const bind = (text: string) => bindExpr(parseExpr(text), schema);
  assertThrows(() => bind("a.dt.month()"), ExprError, "need no .dt: a.month()");
  assertThrows(() => bind("a.str.length()"), ExprError, "need no .str: a.length()");
});
