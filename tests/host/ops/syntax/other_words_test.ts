import { assert, assertThrows } from "@std/assert";
import { ExprError } from "../../../../base/errors/expr_error.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";

/** Functions of SQL, pandas and Polars that expressions lack, by what the message says of them. */
const FUNCTIONS_ELSEWHERE: Readonly<Record<string, string>> = {
  "if iif CASE_WHEN decode": "test ? a : b",
  "match re_match": "containsRe tells",
  "between is_between inrange": "a >= low && a <= high",
  "isNotNull not_null notna exists": "!x.isNull()",
  not: "! stands for not",
  "and or": "&& stands for and, || for or",
  nullif: "a == b ? null : a",
  year: '"%Y"',
  "day dayofmonth": '"%d"',
  hour: '"%H"',
  minute: '"%M"',
  second: '"%S"',
  dayofyear: '"%j"',
  "month_name monthname": '"%B"',
  "week weekday quarter date_trunc datediff offset_by": "format() writes parts of a date",
  "now today current_timestamp sysdate md5 sha256 uuid": "is not supported yet",
  "at_zone to_tz tz_convert": 'cast("timestamp[us, Europe/Berlin]")',
  "avg mean median quantile n_unique first lag row_number cumsum": "an expression sees one row",
};

Deno.test("a function that other languages have is told by what stands for it here", () => {
  for (const [names, hint] of Object.entries(FUNCTIONS_ELSEWHERE)) {
    for (const name of names.split(" ")) {
      const { message } = assertThrows(() => parseExpr(`a.${name}(b)`), ExprError);
      assert(message.startsWith(`${name}() is `) && message.includes(hint), message);
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
  "a between 1 and 2": "a range is a >= low && a <= high",
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
};

Deno.test("a word or sign of other languages is told by what stands for it here", () => {
  for (const [text, hint] of Object.entries(WORDS_ELSEWHERE)) {
    const { message } = assertThrows(() => parseExpr(text), ExprError);
    assert(message.includes(hint), `${text}: ${message}`);
  }
});
