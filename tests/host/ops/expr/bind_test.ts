import { assertEquals, assertThrows } from "@std/assert";
import * as arrow from "apache-arrow";
import { bindExpr, type BoundExpr } from "../../../../ops/expr/bind.ts";
import { ExprError, showPlace } from "../../../../base/errors/expr_error.ts";
import { col, lit, right } from "../../../../ops/expr/expr.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import type { Tree } from "../../../../gpu/kernel/tree/tree.ts";
import { describeTree } from "../../../../gpu/kernel/tree/describe_tree.ts";

const TYPES: Readonly<Record<string, arrow.DataType>> = {
  name: new arrow.Utf8(),
  large: new arrow.LargeUtf8(),
  city: new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()),
  flag: new arrow.Bool(),
  i8: new arrow.Int8(),
  i16: new arrow.Int16(),
  i32: new arrow.Int32(),
  i64: new arrow.Int64(),
  u8: new arrow.Uint8(),
  u16: new arrow.Uint16(),
  u32: new arrow.Uint32(),
  u64: new arrow.Uint64(),
  f16: new arrow.Float16(),
  f32: new arrow.Float32(),
  f64: new arrow.Float64(),
  day: new arrow.DateDay(),
  ms: new arrow.DateMillisecond(),
  us: new arrow.TimestampMicrosecond(),
  usUtc: new arrow.TimestampMicrosecond("UTC"),
  s: new arrow.TimestampSecond(),
  time: new arrow.TimeMicrosecond(),
  blob: new arrow.Binary(),
  list: new arrow.List(new arrow.Field("item", new arrow.Utf8(), true)),
  scores: new arrow.List(new arrow.Field("item", new arrow.Int32(), true)),
  home: new arrow.Struct([
    new arrow.Field("city", new arrow.Utf8(), false),
    new arrow.Field("post code", new arrow.Int32(), true),
  ]),
  empty: new arrow.Struct([]),
  people: new arrow.List(
    new arrow.Field("item", new arrow.Struct([new arrow.Field("name", new arrow.Utf8())])),
  ),
  "home.flat": new arrow.Int32(),
  "name.last": new arrow.Utf8(),
  "far.away": new arrow.Utf8(),
};
const NULLABLE = Object.entries(TYPES).map(([name, type]) => new arrow.Field(name, type, true));
const NAMES = [...Object.keys(TYPES), "id", "key"];
const SCHEMA = new arrow.Schema([
  ...NULLABLE,
  new arrow.Field("id", new arrow.Int32(), false),
  new arrow.Field("key", new arrow.Utf8(), false),
]);

function bind(text: string): BoundExpr {
  return bindExpr(parseExpr(text), SCHEMA);
}

/** The tree as text with the casts and the types of literals: `cast<int16>(i8) < 1000:int16`. */
function show(tree: Tree): string {
  const type = tree.type.kind === "int" || tree.type.kind === "float"
    ? `${tree.type.kind === "int" ? tree.type.signed ? "i" : "u" : "f"}${tree.type.bits}`
    : tree.type.kind;
  switch (tree.node) {
    case "cast":
      return `${type}(${show(tree.value)})`;
    case "literal":
      return typeof tree.value === "string" || typeof tree.value === "boolean"
        ? JSON.stringify(tree.value)
        : `${tree.value}${typeof tree.value === "bigint" ? "n" : ""}:${type}`;
    case "compare":
      return `${show(tree.left)} ${tree.op} ${show(tree.right)}`;
    case "call":
      if (tree.operator === undefined) return describeTree(tree, NAMES);
      return [tree.text, ...tree.args].map(show).join(` ${tree.operator} `);
    case "choose":
      return `${show(tree.test)} ? ${show(tree.yes)} : ${show(tree.no)}`;
    case "fillNull":
      return `${show(tree.value)}.fillNull(${show(tree.other)})`;
    case "isNull":
      return `${show(tree.value)}.isNull()`;
    default:
      return describeTree(tree, NAMES);
  }
}

const TREES: readonly (readonly [text: string, type: string, tree: string])[] = [
  // A literal takes the type of what it meets.
  ["i8 > 60", "Bool", "i8 > 60:i8"],
  ["i64 > 60", "Bool", "i64 > 60n:i64"],
  ["u64 == 18446744073709551615", "Bool", "u64 == 18446744073709551615n:u64"],
  ["f64 > 60", "Bool", "f64 > 60:f64"],
  ["f32 > 0.5", "Bool", "f32 > 0.5:f32"],
  ["f32 == 0.1", "Bool", "f64(f32) == 0.1:f64"],
  ["60 < i8", "Bool", "60:i8 < i8"],
  ["name == 'x'", "Bool", 'name == "x"'],
  ["flag == true", "Bool", "flag == true"],
  // An integer beside a number that its type does not hold is compared exactly.
  ["i32 > 60.5", "Bool", "i32 > 60:i32"],
  ["i32 >= 60.5", "Bool", "i32 > 60:i32"],
  ["i32 < 60.5", "Bool", "i32 <= 60:i32"],
  ["i32 <= -60.5", "Bool", "i32 <= -61:i32"],
  ["60.5 < i32", "Bool", "i32 > 60:i32"],
  ["id == 60.5", "Bool", "false"],
  ["id != 60.5", "Bool", "true"],
  ["i8 < 1000", "Bool", "i8.isNull() ? null:bool : true"],
  ["i8 <= -1000", "Bool", "i8.isNull() ? null:bool : false"],
  ["id > 4294967296", "Bool", "false"],
  ["u8 > -1", "Bool", "u8.isNull() ? null:bool : true"],
  ["id < Infinity", "Bool", "true"],
  ["id > NaN", "Bool", "false"],
  ["id < NaN", "Bool", "true"],
  ["i8 < 127.5", "Bool", "i8 <= 127:i8"],
  ["i8 < -128.5", "Bool", "i8.isNull() ? null:bool : false"],
  // Integers widen among themselves, floats too.
  ["i8 == i32", "Bool", "i32(i8) == i32"],
  ["u8 == i8", "Bool", "i16(u8) == i16(i8)"],
  ["u32 < i8", "Bool", "i64(u32) < i64(i8)"],
  ["u16 < u64", "Bool", "u64(u16) < u64"],
  ["f32 < f64", "Bool", "f64(f32) < f64"],
  ["i8 + i8", "Int64", "i64(i8) + i64(i8)"],
  ["u32 + 1", "Int64", "i64(u32) + 1n:i64"],
  ["i32 + i64", "Int64", "i64(i32) + i64"],
  ["u64 + 1", "Uint64", "u64 + 1n:u64"],
  ["i8 + 1000", "Int64", "i64(i8) + 1000n:i64"],
  ["f32 + 1", "Float32", "f32 + 1:f32"],
  ["f32 + 0.1", "Float64", "f32 + 0.1:f64"],
  ["i32 + 1.5", "Float64", "f64(i32) + 1.5:f64"],
  ["i64 * f32", "Float64", "f64(i64) * f32"],
  ["f16 * f32", "Float32", "f16 * f32"],
  ["f16 - 2", "Float32", "f16 - 2:f32"],
  ["u8 * u64", "Uint64", "u64(u8) * u64"],
  ["u8 - u32", "Int64", "i64(u8) - i64(u32)"],
  ["i64 / i8", "Float64", "f64(i64) / f64(i8)"],
  ["u64 / i8", "Float64", "f64(u64) / f64(i8)"],
  ["f32 / 2", "Float32", "f32 / 2:f32"],
  ["i16 % 7", "Int64", "i64(i16) % 7n:i64"],
  ["i16 ** 2", "Int64", "i64(i16) ** 2n:i64"],
  ["i16 ** -1", "Float64", "f64(i16) ** -1:f64"],
  ["i16 ** i8", "Float64", "f64(i16) ** f64(i8)"],
  ["i64 * null", "Int64", "null:i64"],
  ["u8 & 15", "Int64", "i64(u8) & 15n:i64"],
  ["u64 >> 3", "Uint64", "u64 >> 3n:u64"],
  ["(i8 * i8).orNull()", "Int64", "i64(i8) * i64(i8)"],
  // Integers and floats, and integers with and without signs, are compared exactly.
  ["i32 == f64", "Bool", "f64(i32) == f64"],
  ["f32 < u8", "Bool", "f64(u8) > f64(f32)"],
  ["i64 <= f64", "Bool", "compareNumbers(i64, f64) <= 0:i32"],
  ["f32 < u64", "Bool", "compareNumbers(u64, f32) > 0:i32"],
  ["u64 > i8", "Bool", "compareNumbers(i8, u64) < 0:i32"],
  ["1 + 2.5", "Float64", "1:f64 + 2.5:f64"],
  // Dates and timestamps.
  ["day < '2001-03-01'", "Bool", "day < 11382:i32"],
  ["ms == '2001-03-01'", "Bool", "ms == 983404800000n:i64"],
  ["us >= '2001-03-01T12:30:00.5+01:00'", "Bool", "us >= 983446200500000n:i64"],
  ["s > '1969-12-31 23:59:59'", "Bool", "s > -1n:i64"],
  ["us == us", "Bool", "us == us"],
  ["time < time", "Bool", "time < time"],
  // Branches.
  ["flag ? name : 'x'", "Utf8", 'flag ? name : "x"'],
  ["flag ? large : city", "Utf8", "flag ? large : city"],
  ["flag ? i8 : 1000", "Int32", "flag ? i32(i8) : 1000:i32"],
  ["flag ? null : i64", "Int64", "flag ? null:i64 : i64"],
  ["flag ? 1 : 2.5", "Float64", "flag ? 1:f64 : 2.5:f64"],
  ["flag ? null : null", "Utf8", "flag ? null:string : null:string"],
  ["day.fillNull('1970-01-02')", "Date32<DAY>", "day.fillNull(1:i32)"],
  ["i16.fillNull(0)", "Int16", "i16.fillNull(0:i16)"],
  ["null.fillNull(i8)", "Int8", "null:i8.fillNull(i8)"],
  // Text.
  ["name + 'x' + large", "Utf8", 'name + "x" + large'],
  ["name + null", "Utf8", "name + null"],
  ["concat(name, city)", "Utf8", "name + city"],
  ["name.length()", "Int32", "length(name)"],
  ["city.contains(name)", "Bool", "contains(city, name)"],
  ["name.slice(i8)", "Utf8", "slice(name, i8)"],
  ["name.contains(null)", "Bool", "null:bool"],
  ["null.upper()", "Utf8", "null:string"],
  // Anything can be passed on and tested for null.
  ["blob", "Binary", "blob"],
  ["f16", "Float16", "f16"],
  ["list.isNull()", "Bool", "list.isNull()"],
  // Literals by themselves.
  ["1", "Int32", "1:i32"],
  ["2147483648", "Int64", "2147483648n:i64"],
  ["9223372036854775808", "Uint64", "9223372036854775808n:u64"],
  ["1.5", "Float64", "1.5:f64"],
  ["1e300", "Float64", "1e+300:f64"],
  ["'x'", "Utf8", '"x"'],
  ["null", "Utf8", "null:string"],
];

Deno.test("bindExpr() gives every expression its type", async (t) => {
  for (const [text, type, tree] of TREES) {
    await t.step(text, () => {
      const bound = bind(text);
      assertEquals(String(bound.type), type);
      assertEquals(show(bound.tree), tree);
    });
  }
});

const NULLABILITY: readonly (readonly [text: string, nullable: boolean])[] = [
  ["key", false],
  ["name", true],
  ["key.upper()", false],
  ["key.splitPart(' ', 0)", true],
  ["key + name", true],
  ["id + 1", true],
  ["name.isNull()", false],
  ["name.fillNull(key)", false],
  ["name.fillNull(large)", true],
  ["flag ? 1 : 2", false],
  ["flag ? 1 : null", true],
  ["id > 1 && flag", true],
  ["id > 1 && key == 'x'", false],
];

Deno.test("bindExpr() knows what can be null", async (t) => {
  for (const [text, nullable] of NULLABILITY) {
    await t.step(text, () => assertEquals(bind(text).nullable, nullable));
  }
});

const MISTAKES: readonly (readonly [text: string, carets: string, message: string])[] = [
  ["nmae.upper()", "^^^^", "Unknown column nmae; did you mean name?"],
  ["upper(i64)", "      ^^^", "upper(i64): i64 is int64, not a string"],
  ["(i32 + 1).upper()", " ^^^^^^^", "upper(i32 + 1): i32 + 1 is int64, not a string"],
  ["blob.upper()", "^^^^", "upper(blob): blob is binary, not a string"],
  ["name.contains(i8)", "              ^^", "contains(): target must be a string, i8 is int8"],
  ["name.slice(f64)", "           ^^^", "slice(): start must be an integer, f64 is float64"],
  ["name.slice(day)", "           ^^^", "slice(): start must be an integer, day is date32"],
  ["i64.redact('x')", "^^^", "redact(i64): i64 is int64, not a string"],
  ["i64.redact(flag)", "^^^", "redact(i64): i64 is int64, not a string"],
  ["name.redact('x', i8)", "                 ^^", "redact(): with must be a string, i8 is int8"],
  ["name.redact(flag, i8)", "                  ^^", "redact(): with must be a string, i8 is int8"],
  ["i64.left(1)", "^^^", "left(i64): i64 is int64, not a string"],
  ["flag.matches('x')", "^^^^", "matches(flag): flag is bool, not a string"],
  ["i64.countRe('x') + 1", "^^^", "countRe(i64): i64 is int64, not a string"],
  [
    "name.split(',').join(i8)",
    "                     ^^",
    "join(): separator must be a string, i8 is int8",
  ],
  ["home.citi", "^^^^^^^^^", "Unknown field citi of home; did you mean city?"],
  ["home.x.y", "^^^^^^", "Unknown field x of home; there are city, post code"],
  ["empty.x", "^^^^^^^", "Unknown field x of empty; there are no fields"],
  [
    "home.flat",
    "^^^^^^^^^",
    "Unknown field flat of home; there are city, post code; a column whose name has a dot is written " +
    'col("home.flat")',
  ],
  [
    "name.last",
    "^^^^^^^^^",
    'name is string, which has no fields; a column whose name has a dot is written col("name.last")',
  ],
  ["far.away", "^^^^^^^^", 'A column whose name has a dot is written col("far.away")'],
  [
    "far.off",
    "^^^",
    "Unknown column far; there are name, large, city, flag, i8, i16, i32, i64, and 24 more",
  ],
  ["name.upper", "^^^^^^^^^^", "upper is an operation; call it: name.upper()"],
  [
    "home.city.size",
    "^^^^^^^^^^^^^^",
    'home.city is string, which has no fields; of JSON text it is home.city.at("size")',
  ],
  [
    "people.name",
    "^^^^^^^^^^^",
    "people is list<struct<name: string>>, which has no fields; its items have: people.get(0).name",
  ],
  [
    "scores[i32]",
    "       ^^^",
    "get(): index must be a whole number, written out, for a list of int32",
  ],
  [
    "name.minhash(2)[0]",
    "^^^^^^^^^^^^^^^^^^",
    "name.minhash(2) is computed, and only a column has an item; make it a column first: with all = " +
    "name.minhash(2) then …",
  ],
  ["name == 1", "^^^^^^^^^", "Cannot compare name (string) with 1"],
  ["name == i32", "^^^^^^^^^^^", "Cannot compare name (string) with i32 (int32)"],
  ["day == us", "^^^^^^^^^", "Cannot compare day (date32) with us (timestamp[us])"],
  ["name || 'x'", "^^^^", "|| needs true or false, name is string; + joins text"],
  ["name != null", "^^^^^^^^^^^^", "A comparison with null is never true; use !name.isNull()"],
  [
    "i64.toTimestamp()",
    "^^^",
    'toTimestamp(i64): i64 is int64, which it does not take; cast("timestamp[s]") takes it as seconds ' +
    "since 1970-01-01 (UTC), and so on for ms, us and ns",
  ],
  [
    "i64.toDate()",
    "^^^",
    'toDate(i64): i64 is int64, which it does not take; cast("date32") takes it as days since 1970-01-01',
  ],
  ["i64.toBoolean()", "^^^", 'toBoolean(i64): i64 is int64, not a string; cast("bool") takes it'],
  [
    "us.toInteger()",
    "^^",
    'toInteger(us): us is timestamp[us], which it does not take; cast("int64") takes it',
  ],
  [
    "us == s",
    "^^^^^^^",
    "Cannot compare us (timestamp[us]) with s (timestamp[s]); cast one of them to the " +
    "unit of the other",
  ],
  [
    "us == usUtc",
    "^^^^^^^^^^^",
    "Cannot compare us (timestamp[us]) with usUtc (timestamp[us, UTC]); one has a " +
    'time zone; cast("timestamp[us, UTC]") takes the other as local time of it',
  ],
  [
    "day == '2001-02-30'",
    "^^^^^^^^^^^^^^^^^^^",
    'Cannot compare day (date32) with "2001-02-30"; it is no date: there is no day 30 of month 2 in ' +
    "the year 2001",
  ],
  [
    "day == '2001-02-03T12:00'",
    "^".repeat(25),
    'Cannot compare day (date32) with "2001-02-03T12:00"; a date has no time of day; toTimestamp() ' +
    "gives it one",
  ],
  ["f16 == f16", "^^^^^^^^^^", "Cannot compare f16 (float16) with f16 (float16)"],
  ["blob == blob", "^^^^^^^^^^^^", "Cannot compare blob (binary) with blob (binary)"],
  ["name == null", "^^^^^^^^^^^^", "A comparison with null is never true; use name.isNull()"],
  ["name + i32", "^^^^^^^^^^", "Cannot add name (string) and i32 (int32)"],
  ["name + 1", "^^^^^^^^", "Cannot add name (string) and 1 (int32)"],
  [
    "day + 1",
    "^^^^^^^",
    'Cannot add day (date32) and 1 (int32); day.plus(1, "day") moves it, and so on for other units',
  ],
  [
    "us - i32",
    "^^^^^^^^",
    "Cannot compute us - i32 of us (timestamp[us]) and i32 (int32); us.plus(-i32, " +
    '"second") moves it, and so on for other units',
  ],
  [
    "day + day",
    "^^^^^^^^^",
    "Cannot add day (date32) and day (date32); a time is moved by a duration, or by plus()",
  ],
  [
    "(day - '2024-01-01') > 30",
    "^".repeat(25),
    'Cannot compare day - "2024-01-01" (duration[s]) with 30; ' +
    'day.since("2024-01-01", "day") is a number, and so on for other units',
  ],
  [
    "us - s > i32.duration('day') * u64",
    "         ^^^^^^^^^^^^^^^^^^^^^^^^^",
    'Cannot compute i32.duration("day") * u64 of i32.duration("day") (duration[s]) and u64 ' +
    '(uint64); u64.cast("int64") has a sign',
  ],
  [
    "us - usUtc",
    "^^^^^^^^^^",
    "Cannot compute us - usUtc of us (timestamp[us]) and usUtc (timestamp[us, UTC]); one has a " +
    'time zone; cast("timestamp[us, UTC]") takes the other as local time of it',
  ],
  [
    "round(us)",
    "^^^^^^^^^",
    'Cannot compute us.round(): us is timestamp[us]; us.truncate("hour") is the start of the ' +
    "hour, and so on for other units",
  ],
  [
    "abs(us - s)",
    "^^^^^^^^^^^",
    'Cannot compute (us - s).abs(): us - s is duration[us]; (us - s).total("second") makes it ' +
    "a number",
  ],
  [
    "flag + flag",
    "^^^^^^^^^^^",
    "Cannot add flag (bool) and flag (bool); flag.toInteger() makes it a number",
  ],
  [
    "key - 1",
    "^^^^^^^",
    "Cannot compute key - 1: key is string; key.toInteger() or .toFloat() reads a number",
  ],
  ["blob * 2", "^^^^^^^^", "Cannot compute blob * 2: blob is binary"],
  [
    "u64 - i32",
    "^^^^^^^^^",
    "Cannot compute u64 - i32: no 64-bit type holds u64 (uint64) and i32 (int32); write " +
    'u64.cast("int64")',
  ],
  [
    "u64 + -1",
    "^^^^^^^^",
    "Cannot compute u64 + -1: no 64-bit type holds u64 (uint64) and -1 (int32); write " +
    'u64.cast("int64")',
  ],
  ["i8 % 0", "^^^^^^", "i8 % 0: a whole number cannot be divided by 0"],
  ["i8.floorDiv(0)", "^^^^^^^^^^^^^^", "i8.floorDiv(0): a whole number cannot be divided by 0"],
  ["f64 & 1", "^^^", "& takes whole numbers, f64 is float64"],
  [
    "i8 & 1 == 2",
    "^^^^^^^^^^^",
    "Cannot compute i8 & 1 == 2: 1 == 2 is bool; == binds tighter than &, so write (i8 & 1) == 2",
  ],
  [
    "flag | flag",
    "^^^^^^^^^^^",
    "Cannot compute flag | flag: flag is bool; || stands for or",
  ],
  ["concat(name, i32)", "             ^^^", "concat() joins text, i32 is int32"],
  ["name && flag", "^^^^", "&& needs true or false, name is string"],
  ["!name", " ^^^^", "! needs true or false, name is string"],
  ["i32 ? 1 : 2", "^^^", "?: needs true or false, i32 is int32"],
  [
    "flag ? name : i32",
    "^^^^^^^^^^^^^^^^^",
    "?: needs two values of one type: name (string) and i32 (int32) have none in common",
  ],
  [
    "name.fillNull(0)",
    "^^^^^^^^^^^^^^^^",
    "fillNull() needs two values of one type: name (string) and 0 (int32) have none in common",
  ],
  [
    "id < right.id",
    "     ^^^^^^^^",
    "right.id is a column of the build side of a join, which only its condition where reads; a " +
    'column whose name has a dot is written col("right.id")',
  ],
  [`1${"0".repeat(38)}`, "^".repeat(39), `1${"0".repeat(38)} has more than 38 digits`],
];

Deno.test("a mistake in types or names is told with its place", async (t) => {
  for (const [text, carets, message] of MISTAKES) {
    await t.step(text, () => {
      const error = assertThrows(() => bind(text), ExprError);
      assertEquals(error.message, message);
      assertEquals(error.place && showPlace(error.place), `${text}\n${carets}`);
    });
  }
});

Deno.test("a mistake in a built expression has no place", () => {
  const error = assertThrows(() => bindExpr(col("i64").upper(), SCHEMA), ExprError);
  assertEquals(error.message, "upper(i64): i64 is int64, not a string");
  assertEquals(error.place, undefined);
});

Deno.test("an unknown column is told beside the columns that there are", () => {
  const schema = new arrow.Schema([new arrow.Field("origin", new arrow.Utf8(), true)]);
  assertThrows(
    () => bindExpr(col("zz"), schema),
    ExprError,
    "Unknown column zz; there are origin",
  );
});

Deno.test("bindExpr() names the columns in the order of their use, once each", () => {
  assertEquals(bind("name + key + name").columns, ["name", "key"]);
  assertEquals(bindExpr(lit(1), SCHEMA).columns, []);
  assertEquals(bind("name + key").label, "name + key");
});

Deno.test("columns of the build side are numbered behind those of the stream", () => {
  const build = new arrow.Schema([
    new arrow.Field("t", new arrow.Int64(), true),
    new arrow.Field("id", new arrow.Int16(), false),
  ]);
  const bound = bindExpr(parseExpr("id <= right.id"), SCHEMA, build);
  const first = SCHEMA.fields.length;
  assertEquals(bound.tree, bindExpr(col("id").le(right("id")), SCHEMA, build).tree);
  assertEquals(show(bound.tree), `id <= i32($${first + 1})`);
  assertEquals([bound.columns, bound.nullable], [["id", "right.id"], false]);
  assertEquals(bindExpr(right("t"), SCHEMA, build).nullable, true);
  const error = assertThrows(
    () => bindExpr(parseExpr("id < right.name"), SCHEMA, build),
    ExprError,
  );
  assertEquals(error.message, "Unknown column name of the build side; there are t, id");
  assertEquals(error.place && showPlace(error.place), "id < right.name\n     ^^^^^^^^^^");
});
