import { assert, assertEquals, assertThrows } from "@std/assert";
import * as arrow from "apache-arrow";
import { promoteKeys } from "../../../ops/join/promote_keys.ts";

const NAMES = { left: "city_id", right: "city_id" };

const INTEGERS: Readonly<Record<string, arrow.DataType>> = {
  i8: new arrow.Int8(),
  i16: new arrow.Int16(),
  i32: new arrow.Int32(),
  i64: new arrow.Int64(),
  u8: new arrow.Uint8(),
  u16: new arrow.Uint16(),
  u32: new arrow.Uint32(),
  u64: new arrow.Uint64(),
};

const MATRIX = `
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

/** The promoted type by name, or x where there is none. */
function promoted(left: arrow.DataType, right: arrow.DataType): string {
  try {
    return String(promoteKeys(left, right, NAMES).type);
  } catch (error) {
    assert(error instanceof TypeError);
    assert((error as TypeError).message.startsWith("Cannot join on city_id: no common type for "));
    return "x";
  }
}

Deno.test("integer keys are promoted as the matrix says, whichever side they are on", () => {
  const [header, ...rows] = MATRIX.trim().split("\n").map((line) =>
    line.split("|").map((cell) => cell.trim())
  );
  let cells = 0;
  for (const [left, ...results] of rows) {
    results.forEach((result, at) => {
      const types = [INTEGERS[left!]!, INTEGERS[header![at]!]!] as const;
      const expected = result === "x" ? "x" : String(INTEGERS[result]);
      assertEquals(promoted(...types), expected, `${left} with ${header![at]}`);
      assertEquals(promoted(types[1], types[0]), expected, `${header![at]} with ${left}`);
      cells++;
    });
  }
  assertEquals(cells, 64);
});

Deno.test("every promoted integer type holds every value of both sides", () => {
  for (const left of Object.values(INTEGERS)) {
    for (const right of Object.values(INTEGERS)) {
      const name = promoted(left, right);
      if (name === "x") continue;
      const [least, greatest] = rangeOf(name);
      for (const type of [left, right]) {
        const [from, to] = rangeOf(String(type));
        assert(least <= from && to <= greatest, `${left} with ${right} gives ${name}`);
      }
    }
  }
});

Deno.test("the hash table takes 64 bits only for a promoted type of 64 bits", () => {
  for (const left of Object.values(INTEGERS)) {
    for (const right of Object.values(INTEGERS)) {
      const name = promoted(left, right);
      if (name === "x") continue;
      const bits = name.endsWith("64") ? 64 : 32;
      assertEquals(promoteKeys(left, right, NAMES).keyType, { kind: "int", bits });
    }
  }
});

Deno.test("int64 with uint64 is refused, with the cast that helps", () => {
  assertThrows(
    () => promoteKeys(new arrow.Int64(), new arrow.Uint64(), NAMES),
    TypeError,
    "Cannot join on city_id: no common type for int64 and uint64; " +
      "cast one side, such as the right one to int64",
  );
  assertThrows(
    () => promoteKeys(new arrow.Uint64(), new arrow.Int64(), { left: "id", right: "city" }),
    TypeError,
    "Cannot join on id=city: no common type for uint64 and int64; ",
  );
});

Deno.test("text in any layout is one type, and a dictionary counts as its values", () => {
  const layouts = [
    new arrow.Utf8(),
    new arrow.LargeUtf8(),
    new arrow.Utf8View(),
    new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8()),
  ];
  for (const left of layouts) {
    for (const right of layouts) {
      const { type, keyType } = promoteKeys(left, right, NAMES);
      assertEquals([String(type), keyType], ["Utf8", { kind: "string" }]);
    }
  }
  const numbers = new arrow.Dictionary(new arrow.Int16(), new arrow.Int8());
  assertEquals(promoted(numbers, new arrow.Uint16()), "Int32");
  assertThrows(
    () => promoteKeys(numbers, new arrow.Utf8(), NAMES),
    TypeError,
    "no common type for dictionary<int16> and string; cast one side, such as the left one to string",
  );
});

Deno.test("times of one type join as the integers that hold them", () => {
  const types: [arrow.DataType, 32 | 64][] = [
    [new arrow.TimestampMicrosecond("UTC"), 64],
    [new arrow.TimestampSecond(), 64],
    [new arrow.DurationSecond(), 64],
    [new arrow.DateDay(), 32],
    [new arrow.DateMillisecond(), 64],
    [new arrow.TimeMillisecond(), 32],
  ];
  for (const [type, bits] of types) {
    assertEquals(promoteKeys(type, type, NAMES).keyType, { kind: "int", bits });
  }
});

Deno.test("binary keys join as bytes do, in either layout", () => {
  assertEquals(promoteKeys(new arrow.Binary(), new arrow.LargeBinary(), NAMES).keyType, {
    kind: "string",
  });
});

Deno.test("types without a common one are refused on either side", () => {
  const item = new arrow.Field("item", new arrow.Int8(), true);
  const pairs: [arrow.DataType, arrow.DataType][] = [
    [new arrow.Float64(), new arrow.Int8()],
    [new arrow.Float32(), new arrow.Uint64()],
    [new arrow.Bool(), new arrow.Int8()],
    [new arrow.Bool(), new arrow.Utf8()],
    [new arrow.Utf8(), new arrow.Int32()],
    [new arrow.Utf8(), new arrow.Binary()],
    [new arrow.TimestampSecond(), new arrow.TimestampMicrosecond()],
    [new arrow.TimestampSecond(), new arrow.TimestampSecond("UTC")],
    [new arrow.TimestampSecond("UTC"), new arrow.TimestampSecond("Europe/Berlin")],
    [new arrow.DateDay(), new arrow.DateMillisecond()],
    [new arrow.DateDay(), new arrow.Int32()],
    [new arrow.DateMillisecond(), new arrow.TimestampSecond()],
    [new arrow.DurationSecond(), new arrow.DurationMillisecond()],
    [new arrow.TimestampSecond(), new arrow.DurationSecond()],
    [new arrow.TimestampSecond(), new arrow.Int64()],
    [new arrow.Decimal(2, 10), new arrow.Decimal(3, 10)],
    [new arrow.Decimal(2, 10), new arrow.Decimal(2, 11)],
    [new arrow.List(item), new arrow.Struct([item])],
    [new arrow.FixedSizeBinary(4), new arrow.FixedSizeBinary(5)],
  ];
  for (const [left, right] of pairs) {
    assertEquals(promoted(left, right), "x", `${left} with ${right}`);
    assertEquals(promoted(right, left), "x", `${right} with ${left}`);
  }
});

Deno.test("a type that nothing casts to gets no advice on how to cast", () => {
  const error: unknown = assertThrows(() =>
    promoteKeys(new arrow.Struct([]), new arrow.Int8(), NAMES)
  );
  assert((error as TypeError).message.endsWith("; cast one side"));
});

Deno.test("types that are promoted but have no table yet say so", () => {
  const pairs: [arrow.DataType, arrow.DataType, string][] = [
    [new arrow.Float16(), new arrow.Float32(), "float32"],
    [new arrow.Float64(), new arrow.Float16(), "float64"],
    [new arrow.Bool(), new arrow.Bool(), "bool"],
    [new arrow.FixedSizeBinary(4), new arrow.FixedSizeBinary(4), "fixedsizebinary[4]"],
    [new arrow.Decimal(2, 10), new arrow.Decimal(2, 10), "decimal[10e+2]"],
  ];
  for (const [left, right, name] of pairs) {
    assertThrows(
      () => promoteKeys(left, right, NAMES),
      TypeError,
      `Cannot join on city_id: ${name} keys are not supported yet`,
    );
  }
});

/** Least and greatest value of an integer type. */
function rangeOf(name: string): [bigint, bigint] {
  const bits = BigInt(name.replace(/\D/g, ""));
  return name.startsWith("U")
    ? [0n, 2n ** bits - 1n]
    : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}
