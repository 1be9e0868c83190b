/** Fill values as JSON of both versions, judged by their bytes, and numbers that stay exact. */

import { assertEquals, assertThrows } from "@std/assert";
import { dataTypeOf } from "../../../../../../streams/formats/zarr/metadata/data_type.ts";
import {
  parseExactJson,
  plainJson,
  printExactJson,
} from "../../../../../../streams/formats/zarr/metadata/exact_json.ts";
import { fillItem } from "../../../../../../streams/formats/zarr/metadata/fill_value.ts";
import { parseDataType } from "../../../../../../streams/formats/zarr/metadata/metadata_v2.ts";

const text = (length: number) => ({
  name: "fixed_length_utf32",
  configuration: { length_bytes: 4 * length },
});
const time = { name: "numpy.datetime64", configuration: { unit: "ms", scale_factor: 10 } };
const struct = {
  name: "struct",
  configuration: {
    fields: [{ name: "a", data_type: "uint8" }, { name: "b", data_type: "int16" }],
  },
};

/** A type, a fill value as text, and the bytes of an item, the lowest first. */
const values: [unknown, string, string][] = [
  ["bool", "true", "01"],
  ["bool", "1", "01"],
  ["bool", "false", "00"],
  ["int8", "-1", "ff"],
  ["int64", "-9223372036854775808", "0000000000000080"],
  ["int64", "9223372036854775807", "ffffffffffffff7f"],
  ["int64", "9007199254740993", "0100000000002000"],
  ["uint64", "18446744073709551615", "ffffffffffffffff"],
  ["uint16", "7.0", "0700"],
  ["int32", "1e3", "e8030000"],
  ["float16", "1.5", "003e"],
  ["float32", "-0.0", "00000080"],
  ["float32", '"0x7fc00001"', "0100c07f"],
  ["float64", '"NaN"', "000000000000f87f"],
  ["float64", "NaN", "000000000000f87f"],
  ["float64", '"-Infinity"', "000000000000f0ff"],
  ["float64", "0.1", "9a9999999999b93f"],
  ["complex64", "[1.0, -2.0]", "0000803f000000c0"],
  ["complex64", "1", "0000803f00000000"],
  ["complex128", '["Infinity", 0]', "000000000000f07f0000000000000000"],
  ["r16", "[1, 255]", "01ff"],
  ["r24", '"AQI="', "010200"],
  ["r24", "0", "000000"],
  ["r24", "null", "000000"],
  [text(2), '"é"', "e900000000000000"],
  [text(1), '"\\ud83d\\ude00"', "00f60100"],
  [text(2), '""', "0000000000000000"],
  [time, '"NaT"', "0000000000000080"],
  [time, "-9223372036854775808", "0000000000000080"],
  [time, "86400", "8051010000000000"],
  [struct, '"AQID"', "010203"],
  [struct, '{"a": 1, "b": -2}', "01feff"],
  [struct, '{"b": 1}', "000100"],
];

for (const [type, json, bytes] of values) {
  Deno.test(`the fill value ${json} of ${JSON.stringify(type)}`, () => {
    assertEquals(fillItem(dataTypeOf(type), parseExactJson(json)).toHex(), bytes);
  });
}

const wrong: [unknown, string][] = [
  ["bool", "2"],
  ["int8", "128"],
  ["uint8", "-1"],
  ["uint64", "18446744073709551616"],
  ["int32", "1.5"],
  ["int32", '"NaN"'],
  ["float32", '"0x7fc0"'],
  ["float32", '"one"'],
  ["float32", "true"],
  ["complex64", "[1]"],
  ["r16", "[1, 256]"],
  ["r16", '"AQID"'],
  ["r16", '"*"'],
  [text(1), '"ab"'],
  [time, '"now"'],
  [struct, '{"a": 300}'],
];

for (const [type, json] of wrong) {
  Deno.test(`${json} is no fill value of ${JSON.stringify(type)}`, () => {
    const { name } = dataTypeOf(type);
    const message = `is not valid for its data type ${name}`;
    assertThrows(() => fillItem(dataTypeOf(type), parseExactJson(json)), TypeError, message);
  });
}

Deno.test("types of version 2 are those of version 3, with an order of bytes", () => {
  const types: [unknown, string, number, string][] = [
    ["|b1", "bool", 1, "little"],
    [">i2", "int16", 2, "big"],
    ["<u8", "uint64", 8, "little"],
    [">f2", "float16", 2, "big"],
    ["<c16", "complex128", 16, "little"],
    ["|S7", "null_terminated_bytes", 7, "little"],
    [">U3", "fixed_length_utf32", 12, "big"],
    ["|V10", "r80", 10, "little"],
    ["<M8[25s]", "numpy.datetime64", 8, "little"],
    [">m8", "numpy.timedelta64", 8, "big"],
    [[["a", "<i4"], ["b", "|S3"], ["c", ">f8", [2, 2]]], "r312", 39, "little"],
    [[["a", [["x", "|u1"], ["y", "<i2"]]], ["b", "|b1"]], "r32", 4, "little"],
  ];
  for (const [dtype, name, itemBytes, endian] of types) {
    const found = parseDataType(dtype);
    assertEquals([found.type.name, found.type.itemBytes, found.endian], [name, itemBytes, endian]);
  }
});

Deno.test("a document is printed with the numbers and words that it had, in ASCII", () => {
  const document = `{"a": [1.0, -0.0, 1e400, 9007199254740993, 0.1, 3], "b": NaN, "c": -Infinity,
    "d": "NaN, \\"Infinity\\" and é", "NaN": {"é": [Infinity, null, true]}}`;
  const printed = printExactJson(parseExactJson(document));
  assertEquals(
    printed.replace(/\s+/g, ""),
    `{"a":[1.0,-0.0,1e400,9007199254740993,0.1,3],"b":NaN,"c":-Infinity,` +
      `"d":"NaN,\\"Infinity\\"and\\u00e9","NaN":{"\\u00e9":[Infinity,null,true]}}`,
  );
  assertEquals(printExactJson(parseExactJson(printed)), printed);
  assertEquals(plainJson(parseExactJson(document)), {
    a: [1, -0, Infinity, 2 ** 53, 0.1, 3],
    b: NaN,
    c: -Infinity,
    d: 'NaN, "Infinity" and é',
    NaN: { é: [Infinity, null, true] },
  });
  assertThrows(() => parseExactJson("{none: 1}"), SyntaxError);
});
