import { assert, assertEquals, assertThrows } from "@std/assert";
import * as arrow from "apache-arrow";
import type { ColumnType } from "../../../../../gpu/column/column.ts";
import { promoteKeys, type PromoteMode } from "../../../../../ops/join/shared/promote_keys.ts";
import { createEngine, expr, fromBatches, join } from "../../../../../mod.ts";
import type { JoinKeys } from "../../../../../ops/join/shared/keys.ts";
import { batchOf } from "../../../../support/values/streams_samples.ts";

const { Field } = arrow;

const item = (type: arrow.DataType) => new Field("item", type, true);
const struct = (name: string, type: arrow.DataType, nullable = true) =>
  new arrow.Struct([new Field(name, type, nullable)]);
const map = (value: arrow.DataType) =>
  new arrow.Map_(
    new Field(
      "entries",
      new arrow.Struct<{ key: arrow.Utf8; value: arrow.DataType }>([
        new Field("key", new arrow.Utf8(), false),
        new Field("value", value, true),
      ]),
      false,
    ),
  );

/** All types that a column can have, by a name of the test's own. */
const TYPES: Readonly<Record<string, arrow.DataType>> = {
  null: new arrow.Null(),
  bool: new arrow.Bool(),
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
  utf8: new arrow.Utf8(),
  "large utf8": new arrow.LargeUtf8(),
  "utf8 view": new arrow.Utf8View(),
  "dictionary of utf8": new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8()),
  "dictionary of large utf8": new arrow.Dictionary(new arrow.LargeUtf8(), new arrow.Uint32()),
  "dictionary of i16": new arrow.Dictionary(new arrow.Int16(), new arrow.Int32()),
  binary: new arrow.Binary(),
  "large binary": new arrow.LargeBinary(),
  "binary view": new arrow.BinaryView(),
  fixed4: new arrow.FixedSizeBinary(4),
  fixed16: new arrow.FixedSizeBinary(16),
  date32: new arrow.DateDay(),
  date64: new arrow.DateMillisecond(),
  "time s": new arrow.TimeSecond(),
  "time ms": new arrow.TimeMillisecond(),
  "time us": new arrow.TimeMicrosecond(),
  "time ns": new arrow.TimeNanosecond(),
  "timestamp s": new arrow.TimestampSecond(),
  "timestamp ms": new arrow.TimestampMillisecond(),
  "timestamp us": new arrow.TimestampMicrosecond(),
  "timestamp ns": new arrow.TimestampNanosecond(),
  "timestamp us UTC": new arrow.TimestampMicrosecond("UTC"),
  "timestamp us Berlin": new arrow.TimestampMicrosecond("Europe/Berlin"),
  "timestamp ns UTC": new arrow.TimestampNanosecond("UTC"),
  "duration s": new arrow.DurationSecond(),
  "duration ms": new arrow.DurationMillisecond(),
  "duration us": new arrow.DurationMicrosecond(),
  "duration ns": new arrow.DurationNanosecond(),
  "interval months": new arrow.IntervalYearMonth(),
  "interval days": new arrow.IntervalDayTime(),
  "interval ns": new arrow.IntervalMonthDayNano(),
  "decimal32(7, 2)": new arrow.Decimal(2, 7, 32),
  "decimal128(10, 2)": new arrow.Decimal(2, 10, 128),
  "decimal256(10, 2)": new arrow.Decimal(2, 10, 256),
  "decimal128(10, 3)": new arrow.Decimal(3, 10, 128),
  "decimal128(11, 2)": new arrow.Decimal(2, 11, 128),
  "decimal128(19, 0)": new arrow.Decimal(0, 19, 128),
  "decimal64(18, 0)": new arrow.Decimal(0, 18, 64),
  "decimal128(38, 0)": new arrow.Decimal(0, 38, 128),
  "decimal256(30, 20)": new arrow.Decimal(20, 30, 256),
  "decimal256(50, 2)": new arrow.Decimal(2, 50, 256),
  "list of i8": new arrow.List(item(new arrow.Int8())),
  "large list of i8": new arrow.LargeList(new Field("element", new arrow.Int8(), false)),
  "list of i16": new arrow.List(item(new arrow.Int16())),
  "list of utf8": new arrow.List(item(new arrow.Utf8())),
  "list of large utf8": new arrow.List(item(new arrow.LargeUtf8())),
  "list of 2 i8": new arrow.FixedSizeList(2, item(new arrow.Int8())),
  "list of 3 i8": new arrow.FixedSizeList(3, item(new arrow.Int8())),
  "struct a i8": struct("a", new arrow.Int8()),
  "struct a dictionary of i8": struct(
    "a",
    new arrow.Dictionary(new arrow.Int8(), new arrow.Int16()),
  ),
  "struct b i8": struct("b", new arrow.Int8()),
  "struct A i8": struct("A", new arrow.Int8()),
  "struct a i16": struct("a", new arrow.Int16()),
  "struct": new arrow.Struct([]),
  "map to i8": map(new arrow.Int8()),
  "map to i16": map(new arrow.Int16()),
};

const NAMES = Object.keys(TYPES);

const INTEGERS = `
        i8  | i16 | i32 | i64 | u8  | u16 | u32 | u64
  i8  | i8  | i16 | i32 | i64 | i16 | i32 | i64 | x
  i16 | i16 | i16 | i32 | i64 | i16 | i32 | i64 | x
  i32 | i32 | i32 | i32 | i64 | i32 | i32 | i64 | x
  i64 | i64 | i64 | i64 | i64 | i64 | i64 | i64 | x
  u8  | i16 | i16 | i32 | i64 | u8  | u16 | u32 | u64
  u16 | i32 | i32 | i32 | i64 | u16 | u16 | u32 | u64
  u32 | i64 | i64 | i64 | i64 | u32 | u32 | u32 | u64
  u64 | x   | x   | x   | x   | u64 | u64 | u64 | u64
`;

const FLOATS = `
        f16 | f32 | f64
  f16 | f16 | f32 | f64
  f32 | f32 | f32 | f64
  f64 | f64 | f64 | f64
`;

const LOSSLESS = `
        f16 | f32 | f64
  i8  | f16 | f32 | f64
  u8  | f16 | f32 | f64
  i16 | f32 | f32 | f64
  u16 | f32 | f32 | f64
  i32 | f64 | f64 | f64
  u32 | f64 | f64 | f64
  i64 | x   | x   | x
  u64 | x   | x   | x
`;

/** Different types that are one for a join, and which of them comes out. */
const ALIKE: readonly (readonly [result: string, ...types: string[]])[] = [
  ["utf8", "utf8", "large utf8", "utf8 view", "dictionary of utf8", "dictionary of large utf8"],
  ["binary", "binary", "large binary", "binary view"],
  ["decimal256(10, 2)", "decimal128(10, 2)", "decimal256(10, 2)"],
  ["list of i8", "list of i8", "large list of i8"],
  ["list of utf8", "list of utf8", "list of large utf8"],
  ["struct a i8", "struct a i8", "struct a dictionary of i8"],
];

/** The cells of a table by the names of their row and column. */
function cellsOf(table: string): Map<string, string> {
  const [header, ...lines] = table.trim().split("\n").map((line) =>
    line.split("|").map((cell) => cell.trim())
  );
  return new Map(
    lines.flatMap(([left, ...cells]) =>
      cells.map((cell, at) => [`${left}, ${header![at]}`, cell] as const)
    ),
  );
}

const MATRIX = new Map([...cellsOf(INTEGERS), ...cellsOf(FLOATS)]);

/** What the table says of two types: the name of their promoted type, or x. */
function wanted(left: string, right: string): string {
  const values = (name: string) => name.replace(/^dictionary of (i\d+)$/, "$1");
  const cell = MATRIX.get(`${values(left)}, ${values(right)}`);
  if (cell !== undefined) return cell;
  const decimal = commonDecimal(values(left), values(right));
  if (decimal !== undefined) return decimal;
  if (left === right && !ALIKE.some(([, ...types]) => types.includes(left))) return left;
  // Any other type meets those that are alike, and no further one.
  const alike = ALIKE.find(([, ...types]) => types.includes(left) && types.includes(right));
  if (alike === undefined) return "x";
  return left === right && left.startsWith("decimal") ? left : alike[0];
}

/** The digits of a decimal, or of an integer that is no uint64, and the bits of the decimal. */
function digitsOf(name: string): { digits: number; scale: number; bits: number } | undefined {
  if (/^([iu](8|16|32)|i64)$/.test(name)) return { digits: 19, scale: 0, bits: 0 };
  const [, bits, digits, scale] = /^decimal(\d+)\((\d+), (\d+)\)$/.exec(name) ?? [];
  if (bits === undefined) return undefined;
  return { digits: Number(digits), scale: Number(scale), bits: Number(bits) };
}

/** The decimal that holds both, in full, or x; undefined for other types, and for the same digits. */
function commonDecimal(left: string, right: string): string | undefined {
  const [a, b] = [digitsOf(left), digitsOf(right)];
  if (a === undefined || b === undefined) return undefined;
  const areDecimals = a.bits > 0 && b.bits > 0;
  if (areDecimals && a.digits === b.digits && a.scale === b.scale) return undefined;
  const scale = Math.max(a.scale, b.scale);
  const digits = Math.max(a.digits - a.scale, b.digits - b.scale) + scale;
  return digits > 38
    ? "x"
    : `Decimal[${digits}e${scale > 0 ? "+" : ""}${scale}]${Math.max(128, a.bits, b.bits)}`;
}

/** The type of a name in full; a decimal that is in no table is in full already. */
function expectedOf(name: string): string {
  return name === "x" || name.startsWith("Decimal[") ? name : fullName(TYPES[name]!);
}

const pairOf = (left: arrow.DataType, right: arrow.DataType, names = ["id", "city"]) => ({
  left: { text: names[0]!, type: left },
  right: { text: names[1]!, type: right },
});

/** The promoted type in full, or x where there is none. */
function promoted(left: arrow.DataType, right: arrow.DataType, mode?: PromoteMode): string {
  try {
    return fullName(promoteKeys([pairOf(left, right)], mode).types[0]!);
  } catch (error) {
    assert(error instanceof TypeError);
    assert((error as TypeError).message.startsWith("Cannot join on id=city: no common type for "));
    return "x";
  }
}

/** A type as text, with what apache-arrow leaves out. */
function fullName(type: arrow.DataType): string {
  return String(type) + (arrow.DataType.isDecimal(type) ? type.bitWidth : "");
}

Deno.test("every pair of types is promoted as the table says, or refused", () => {
  let [numPromoted, numRefused] = [0, 0];
  for (const left of NAMES) {
    for (const right of NAMES) {
      const name = wanted(left, right);
      assertEquals(
        promoted(TYPES[left]!, TYPES[right]!),
        expectedOf(name),
        `${left} with ${right}`,
      );
      if (name === "x") numRefused++;
      else numPromoted++;
    }
  }
  assertEquals(numPromoted + numRefused, NAMES.length ** 2);
  assertEquals(MATRIX.size, 64 + 9);
  assert(numPromoted > 150 && numRefused > 3000, `${numPromoted}, ${numRefused}`);
});

Deno.test("the sides may be swapped, and three keys meet in one type in any order", () => {
  const plain = new Map<string, arrow.DataType>();
  const promote = (left: string, right: string) => {
    if (left === "x" || right === "x") return "x";
    const name = promoted(plain.get(left)!, plain.get(right)!);
    return name;
  };
  for (const type of Object.values(TYPES)) {
    const { types } = promoteKeys([pairOf(type, type)]);
    plain.set(fullName(types[0]!), types[0]!);
  }
  // The types that pairs of them meet in belong to them.
  for (const one of plain.values()) {
    for (const two of [...plain.values()]) {
      if (promoted(one, two) === "x") continue;
      const [both] = promoteKeys([pairOf(one, two)]).types;
      plain.set(fullName(both!), both!);
    }
  }
  const all = [...plain.keys()];
  const table = new Map<string, string>();
  for (const left of all) {
    for (const right of all) table.set(`${left}|${right}`, promote(left, right));
  }
  const meet = (left: string, right: string) => table.get(`${left}|${right}`) ?? "x";
  for (const one of all) {
    for (const two of all) {
      const both = meet(one, two);
      assertEquals(both, meet(two, one), `${one} with ${two}`);
      for (const three of all) {
        if (meet(both, three) !== meet(one, meet(two, three))) {
          throw new Error(`${one} with ${two} with ${three}`);
        }
      }
    }
  }
});

Deno.test("with lossless, integers of up to 32 bits meet floats, and nothing else changes", () => {
  const cells = cellsOf(LOSSLESS);
  assertEquals(cells.size, 24);
  for (const left of NAMES) {
    for (const right of NAMES) {
      const name = cells.get(`${left}, ${right}`) ?? cells.get(`${right}, ${left}`);
      const exact = promoted(TYPES[left]!, TYPES[right]!);
      const expected = name === undefined ? exact : name === "x" ? "x" : fullName(TYPES[name]!);
      if (left === "dictionary of i16" || right === "dictionary of i16") continue;
      assertEquals(
        promoted(TYPES[left]!, TYPES[right]!, "lossless"),
        expected,
        `${left} with ${right}`,
      );
    }
  }
  // A dictionary counts as its values here as well.
  assertEquals(promoted(TYPES["dictionary of i16"]!, TYPES.f16!, "lossless"), "Float32");
  // That is why it is an option: the order of three keys makes a difference.
  const { i16, u16, f32 } = TYPES as Record<"i16" | "u16" | "f32", arrow.DataType>;
  assertEquals(promoted(promoteKeys([pairOf(i16, u16)]).types[0]!, f32, "lossless"), "Float64");
  assertEquals(promoted(u16, f32, "lossless"), "Float32");
  assertEquals(promoted(i16, f32, "lossless"), "Float32");
});

Deno.test("every promoted integer type holds every value of both sides", () => {
  const integers = NAMES.filter((name) => /^[iu]\d+$/.test(name));
  for (const left of integers) {
    for (const right of integers) {
      const name = wanted(left, right);
      if (name === "x") continue;
      const [least, greatest] = rangeOf(name);
      for (const type of [left, right]) {
        const [from, to] = rangeOf(type);
        assert(least <= from && to <= greatest, `${left} with ${right} gives ${name}`);
      }
    }
  }
});

Deno.test("several keys are promoted one by one, to the types of columns that are compared", () => {
  const int32: ColumnType = { kind: "int", bits: 32, signed: true };
  const { types, parts } = promoteKeys([
    pairOf(TYPES.i8!, TYPES.u16!),
    pairOf(TYPES["utf8 view"]!, TYPES["dictionary of utf8"]!),
    pairOf(TYPES.f16!, TYPES.f32!),
    pairOf(TYPES["decimal256(10, 2)"]!, TYPES["decimal128(10, 2)"]!),
  ]);
  assertEquals(types.map(fullName), ["Int32", "Utf8", "Float32", "Decimal[10e+2]256"]);
  assertEquals(parts, [
    int32,
    { kind: "string" },
    { kind: "float", bits: 32 },
    { kind: "fixed", byteWidth: 32 },
  ]);
  assertEquals(promoteKeys([]), { types: [], parts: [] });
  assertThrows(
    () => promoteKeys([pairOf(TYPES.i8!, TYPES.i8!), pairOf(TYPES.i64!, TYPES.u64!, ["a", "b"])]),
    TypeError,
    "Cannot join on a=b: ",
  );
});

Deno.test("what may be null on one side may be null in the promoted type", () => {
  const { types } = promoteKeys([
    pairOf(struct("a", new arrow.Int8(), false), struct("a", new arrow.Int8(), true)),
  ]);
  assertEquals(types[0]!.children.map(({ name, nullable }) => [name, nullable]), [["a", true]]);
});

Deno.test("an error names the keys, both types, and the cast that helps", () => {
  const cases: [left: string, right: string, end: string][] = [
    ["i64", "u64", 'int64 and uint64; cast one side, such as the right one: cast(city, "int64")'],
    ["u64", "i8", 'uint64 and int8; cast one side, such as the left one: cast(id, "int64")'],
    ["i32", "f32", 'int32 and float32; cast one side, such as the left one: cast(id, "float64")'],
    ["i64", "f64", 'int64 and float64; cast one side, such as the right one: cast(city, "int64")'],
    ["utf8", "i32", 'string and int32; cast one side, such as the right one: cast(city, "string")'],
    [
      "dictionary of i16",
      "utf8 view",
      'dictionary<int16> and string; cast one side, such as the left one: cast(id, "string")',
    ],
    [
      "utf8",
      "binary",
      'string and binary; cast one side, such as the left one: cast(id, "binary")',
    ],
    ["bool", "u8", 'bool and uint8; cast one side, such as the left one: cast(id, "uint8")'],
    ["null", "i8", "null and int8"],
    ["bool", "utf8", 'bool and string; cast one side, such as the left one: cast(id, "string")'],
    [
      "time s",
      "utf8",
      'time32[s] and string; cast one side, such as the left one: cast(id, "string")',
    ],
    [
      "date32",
      "timestamp ns UTC",
      "date32 and timestamp[ns, UTC]; " +
      'cast one side, such as the left one: cast(id, "timestamp[ns, UTC]")',
    ],
    [
      "i32",
      "date32",
      'int32 and date32; cast one side, such as the right one: cast(city, "int32")',
    ],
    [
      "timestamp us UTC",
      "timestamp us",
      "timestamp[us, UTC] and timestamp[us]; " +
      'cast one side, such as the right one: cast(city, "timestamp[us, UTC]")',
    ],
    [
      "timestamp s",
      "timestamp us",
      "timestamp[s] and timestamp[us]; " +
      'cast one side, such as the left one: cast(id, "timestamp[us]")',
    ],
    [
      "duration ns",
      "duration s",
      "duration[ns] and duration[s]; " +
      'cast one side, such as the right one: cast(city, "duration[ns]")',
    ],
    ["struct a i8", "i8", "struct<a: int8> and int8"],
    ["struct a i8", "struct A i8", "struct<a: int8> and struct<A: int8>"],
    [
      "decimal128(10, 2)",
      "decimal128(38, 0)",
      "decimal128(10, 2) and decimal128(38, 0); " +
      'cast one side, such as the right one: cast(city, "decimal128(10, 2)")',
    ],
    [
      "u64",
      "decimal128(10, 2)",
      "uint64 and decimal128(10, 2); " +
      'cast one side, such as the left one: cast(id, "decimal128(20, 0)")',
    ],
    [
      "f64",
      "decimal128(10, 2)",
      "float64 and decimal128(10, 2); " +
      'cast one side, such as the right one: cast(city, "float64")',
    ],
  ];
  for (const [left, right, end] of cases) {
    const error = assertThrows(() => promoteKeys([pairOf(TYPES[left]!, TYPES[right]!)]), TypeError);
    assertEquals(error.message, `Cannot join on id=city: no common type for ${end}`);
  }
  assertThrows(
    () => promoteKeys([pairOf(TYPES.i64!, TYPES.u64!, ["upper(a)", "upper(a)"])]),
    TypeError,
    "Cannot join on upper(a): no common type",
  );
});

Deno.test("the cast that an error tells of makes a join of what it is about", async () => {
  const engine = createEngine({ device: "cpu" });
  const schemaOf = async (left: arrow.DataType, right: arrow.DataType, on: JoinKeys) => {
    const [one, other] = [["id", left], ["city", right]].map(([name, type]) =>
      fromBatches(batchOf({ [name as string]: [type as arrow.DataType, []] }), { engine })
    );
    return await one!.pipeThrough(join(other!, { on })).schema();
  };
  const casts = new Set<string>();
  for (const [index, left] of Object.values(TYPES).entries()) {
    for (const [otherIndex, right] of Object.values(TYPES).entries()) {
      let message = "";
      try {
        promoteKeys([pairOf(left, right)]);
      } catch (error) {
        ({ message } = error as TypeError);
      }
      const [, side, cast] = /, such as the (\w+) one: (cast\(.*\))$/.exec(message) ?? [];
      if (cast === undefined) continue;
      casts.add(`${NAMES[index]} with ${NAMES[otherIndex]}`);
      await schemaOf(left, right, [side === "left" ? [expr(cast), "city"] : ["id", expr(cast)]]);
    }
  }
  assert(casts.size > 700, `${casts.size}`);
});

/** Least and greatest value of an integer type. */
function rangeOf(name: string): [bigint, bigint] {
  const bits = BigInt(name.slice(1));
  return name.startsWith("u")
    ? [0n, 2n ** bits - 1n]
    : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}
