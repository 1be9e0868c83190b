/**
 * Hints for words of SQL, Python, JavaScript and dplyr: the equivalent in Sluice, or that there is
 * none yet.
 *
 * @module
 */

/** Hints for words of other languages in place of an operator or a value, in small letters. */
const WORDS: Readonly<Record<string, string>> = {
  and: "&& stands for and",
  or: "|| stands for or",
  not: "! stands for not",
  is: "isNull() asks for null, == compares",
  in: 'isIn() asks for one of several values: state.isIn(["CA", "NV"])',
  between: "between() is a method: a.between(low, high)",
  mod: "% is the remainder, with the sign of the dividend; mod() has that of the divisor",
  div: "floorDiv() is whole division: a.floorDiv(b)",
  var: "variance(x) is the variance",
  xor: "!= of two tests is true where just one of them is; bitXor() is that of numbers",
  from: "parts are operations: day.month(), text.slice(start, stop)",
  at: 'asZone() and toZone() take time zones: time.toZone("Europe/Berlin")',
  date: 'a date is written as text: day > "2024-01-31"',
  timestamp: 'a timestamp is written as text: time > "2024-01-31T09:30"',
  interval: 'plus() moves a date or a time: day.plus(3, "month")',
  like: "like() is a method: text.like(pattern)",
  ilike: "without case it is text.lower().like(pattern)",
  rlike: "containsRe() looks for a pattern: text.containsRe(/pattern/)",
  regexp: "containsRe() looks for a pattern: text.containsRe(/pattern/)",
  similar: "containsRe() looks for a pattern: text.containsRe(/pattern/)",
  as:
    'a type is cast to by its name: cast(a, "int64"); a column is named in with: name = expression',
  ...Object.fromEntries(
    ["if", "case", "when", "then", "else", "elif", "end"].map((word) => [
      word,
      "a choice is written test ? a : b, or ifElse(test, a, b)",
    ]),
  ),
};

/** Hints for signs of other languages after which an expression cannot continue. */
const SIGNS: readonly (readonly [sign: string, hint: string])[] = [
  ["<>", "!= stands for <>"],
  ["::", 'a type is cast to by its name: a.cast("int64")'],
  [":=", "== compares; a column is named in with: name = expression"],
  ["|>", "operations are methods: name.strip().upper()"],
  ["!~", "containsRe() looks for a pattern: !text.containsRe(/pattern/)"],
  ["=~", "containsRe() looks for a pattern: text.containsRe(/pattern/)"],
  ["->", 'at() reads JSON text: event.at("user.id"); a field of a struct is address.city'],
  ["~", "containsRe() looks for a pattern: text.containsRe(/pattern/)"],
  ["//", "floorDiv() is whole division, a.floorDiv(b), and // starts a comment"],
  ["**", "a sign in front of a power needs brackets: -(a ** b)"],
];

/** Returns the hint for the word or the sign at the start of a text, after a semicolon; else "". */
export function wordHint(text: string): string {
  const word = /^[a-z]+\b/i.exec(text)?.[0].toLowerCase() ?? "";
  if (Object.hasOwn(WORDS, word)) return `; ${WORDS[word]}`;
  const sign = SIGNS.find(([sign]) => text.startsWith(sign));
  return sign === undefined ? "" : `; ${sign[1]}`;
}

/** Returns the hint for a JavaScript operator that expressions do not have. */
export function operatorHint(operator: string): string {
  switch (operator) {
    case "??":
      return "; use fillNull()";
    case "in":
      return `; ${WORDS["in"]}`;
    case "^":
      return "; ** is the power, and bitXor() compares bits";
    case ">>>":
      return "; >> shifts bits";
    case "+":
      return "; toInteger() and toFloat() read a number";
    default:
      return "";
  }
}

const CHOICE = "it is test ? a : b here, or ifElse(test, a, b)";
const PATTERN_TEST = "containsRe tells whether the text has a match, extract takes it";
const PARTS = "is not supported; parts are read one by one: city = address.city, tag = tags[0]";
const ROWS = "is over many rows, which is not supported yet: an expression sees one row";
const GROUPS = "is over many rows: group computes it";

/** Hints for functions of other languages that Sluice lacks, in small letters without underscores. */
const ABSENT: Readonly<Record<string, string>> = {
  ...all("if iff iif case cond where casewhen", CHOICE),
  ...all("match rematch", PATTERN_TEST),
  ...all("not", "! stands for not"),
  ...all("and or", "&& stands for and, || for or"),
  ...all("datepart extractfrom", "each part is an operation: day.month()"),
  ...all("div0 safedivide zerodivide nullifzero", "a divisor 0 is met by b == 0 ? 0 : a / b"),
  ...all("trysubtract tryadd trymultiply trydivide try", "it is (a * b).orNull() here"),
  ...all("unnest explode flatten jsonnormalize", PARTS),
  ...all(
    "random rand hash md5 sha1 sha256 crc32 uuid bitcount popcount chr char ascii ord unicode charcodeat " +
      "codepointat widthbucket sinh cosh tanh cot asinh acosh atanh factorial gcd lcm soundex " +
      "levenshtein base64 tobase64 frombase64 unique distinct sort listsort arraysort listdistinct " +
      "arraydistinct unicodedecode",
    "is not supported yet",
  ),
  ...all(
    "time timeofday",
    "is not supported yet; hour(), minute() and so on are the parts of a time",
  ),
  pi: "it is written 3.141592653589793",
  e: "it is written 2.718281828459045, and exp(a) is a power of it",
  ...all("isinf isinfinite", "write a.abs() == Infinity; isFinite() is false for NaN, too"),
  tofixed: 'round(2) rounds, and format(".2f") writes text',
  getdate: "now() is this moment, and day() the day of the month",
  getday: "weekday() is the day of the week, 1 for Monday, and day() that of the month",
  ...all("even iseven", "write a % 2 == 0"),
  ...all("odd isodd", "write a % 2 != 0"),
  ...all("typeof pgtypeof dtype", "the schema has the types: sluice head FILE prints them"),
  ...all("daterange generateseries range arange sequence", "an expression makes no rows"),
  ...all(
    "fromepoch fromunixtime",
    'seconds since 1970 are a time by cast(n, "timestamp[s]"), and so on for ms, us and ns',
  ),
  col: 'is no method; a column is written by its name, or col("first name")',
  ...all("then otherwise", CHOICE),
  ...all("sum mean median mode std variance quantile first last corr list countdistinct", GROUPS),
  ...all("avg average", `${GROUPS} as mean(x)`),
  ...all("stddev stdev", `${GROUPS} as std(x)`),
  var: `${GROUPS} as variance(x)`,
  percentile: `${GROUPS} as quantile(x, 0.9)`,
  ...all("nunique approxcountdistinct", `${GROUPS} as countDistinct(x)`),
  ...all("groupby over", "is not supported; rows are grouped in a step: group city 'n = count()'"),
  max: `${GROUPS}; greatest(a, b) is the greater one in a row`,
  min: `${GROUPS}; least(a, b) is the lesser one in a row`,
  ...all(
    "pctchange rollingmean rollingsum rollingmin rollingmax ewmmean cumcount cummax cummin cumprod",
    ROWS,
  ),
  ...all("lag lead shift rank denserank rownumber cumsum rolling ntile", ROWS),
};

function all(names: string, sentence: string): Record<string, string> {
  return Object.fromEntries(names.split(" ").map((name) => [name, sentence]));
}

/** Hints for names of values in other languages, in small letters. */
const VALUES: Readonly<Record<string, string>> = {
  ...all("current_date curdate sysdate", "today() is the date of this moment in UTC"),
  ...all("current_timestamp localtimestamp systimestamp", "now() is this moment"),
  ...all("none nil na undefined null", "null is written null, and isNull() asks for it"),
  ...all("true false", "true and false are written in small letters"),
  ...all("inf", "it is written Infinity"),
  ...all("nan", "it is written NaN"),
  ...all("math np numpy pd pandas pl", "functions are called without it: sqrt(a), or a.sqrt()"),
};

/** Returns the hint for a name that no column has but a value elsewhere, after a semicolon; else "". */
export function valueHint(name: string): string {
  const key = name.toLowerCase();
  return Object.hasOwn(VALUES, key) ? `; ${VALUES[key]}` : "";
}

/** Returns the message for a function that Sluice does not have; undefined for unknown names. */
export function absentFunction(name: string): string | undefined {
  const key = name.toLowerCase().replaceAll("_", "");
  const what = Object.hasOwn(ABSENT, key) ? ABSENT[key] : undefined;
  if (what === undefined) return undefined;
  return what.startsWith("is ") ? `${name}() ${what}` : `${name}() is not here; ${what}`;
}
