/** Conversions on a device give what the host gives. */

import { assertEquals } from "@std/assert";
import {
  Bool,
  type DataType,
  DateDay,
  Float32,
  Float64,
  Int64,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint64,
  Utf8,
} from "apache-arrow";
import { evaluateOnHost } from "../../../../../gpu/host/evaluate.ts";
import { col, type Expr } from "../../../../../ops/expr/expr.ts";
import { createEngine, printExpr } from "../../../../../mod.ts";
import {
  CONVERSION_KINDS,
  randomConversion,
  randomConversionColumns,
} from "../../../../support/random/random_conversions.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import { assertStrictCases, STRICT_CASES } from "../../../../support/values/strict_cases.ts";
import { contextTest, evaluateToHost } from "../../../../support/device/device_kernels.ts";
import {
  FLOAT_EDGES,
  INTEGER_EDGES,
  ODD_FLOATS,
  ODD_INTEGERS,
} from "../../../../support/values/number_texts.ts";
import { type Value, valuesOf } from "../../../../support/values/host_columns.ts";
import { compileTyped } from "../../../../support/kernels/programs.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";
import { closing } from "../../../../support/running/closing.ts";
import { fewOr, someOf } from "../../../../support/random/test_size.ts";

const x = col("x");
const integers = [null, ...INTEGER_EDGES.map((edge) => BigInt.asIntN(64, edge))];
const floats = [null, ...FLOAT_EDGES];
const URLS = [
  "",
  "a b/c~é中🙂\0",
  "%C3%A9%",
  "%E0%A0",
  "%F0%9F%99%82%f0%9f",
  "%4",
  "%ED%A0%80%zz+",
  null,
];
const TIMES = ["2001-03-14", "2000-02-29T23:59:59.999999Z", "1969-12-31 23:59:59.5", "2001-02-29"]
  .concat(["0000-01-01", "9999-12-31T23:59+14:00", "", "2001-03-14T15:09:26.1234567-00:30", "é"])
  .concat(Array.from({ length: 60 }, (_, i) => new Date(i * 3.1e12 - 6e13).toISOString()));
const DAYS = ["14 Mar 2001", "1 jan 0001", "31 APR 2001", "20010314 15:09Z", "20010314 15:09+01:30"]
  .concat(["366 day 2000", "366 day 2001", "001 day 1999", "14 Mär 2001", ""]);
const integerTexts = [null, ...INTEGER_EDGES.map(String), ...ODD_INTEGERS];

/** Expressions over a column `x`, with the values of the column. */
/** Times before, between and after the transitions of zones, in seconds. */
const seconds = [
  0,
  -1e10,
  -2_422_054_408,
  1_711_846_799,
  1_711_846_800,
  1_729_990_799,
  1_729_990_800,
]
  .concat([1_325_239_199, 1_325_239_200, 2_000_000_000, 7e9, 3e10, 1e14]).map(BigInt);
const inUnit = (by: bigint) => seconds.map((value) => BigInt.asIntN(64, value * by + by / 2n));

const CASES: readonly [Expr, DataType, readonly Value[]][] = [
  [x.toInteger(), new Utf8(), integerTexts],
  [x.isInteger(), new Utf8(), integerTexts],
  [x.toInteger().toString(), new Utf8(), integerTexts],
  [x.toInteger().integerToHex(), new Utf8(), integerTexts],
  [x.toInteger().integerToIpv4(), new Utf8(), integerTexts],
  [x.toInteger().toFloat(), new Utf8(), integerTexts],
  [x.hexToInteger(), new Utf8(), integerTexts],
  [x.toString(), new Int64(), integers],
  [x.integerToHex().hexToInteger(), new Int64(), integers],
  [x.toFloat().toInteger(), new Int64(), integers],
  [x.toString(), new Uint64(), integers.map((value) => value && BigInt.asUintN(64, value))],
  [x.toFloat(), new Uint64(), integers.map((value) => value && BigInt.asUintN(64, value))],
  [x.toInteger(), new Uint64(), integers.map((value) => value && BigInt.asUintN(64, value))],
  [x.toInteger(), new Float64(), floats],
  [x.toInteger(), new Float32(), floats.map((value) => value && Math.fround(value))],
  [x.toString().upper(), new Float64(), floats],
  [x.toString(), new Bool(), [true, false, null]],
  [x.toBoolean(), new Utf8(), ["true", "FALSE", "", null, "truth"]],
  [x.isFloat(), new Utf8(), [...ODD_FLOATS, null]],
  [x.toFloat(), new Utf8(), [...ODD_FLOATS, null]],
  [x.toFloat().add(0.5).toInteger(), new Utf8(), [...ODD_FLOATS, null]],
  [x.ipv4ToInteger(), new Utf8(), ["1.2.3.4", "255.255.255.255", "1.2.3", "01.2.3.4", null]],
  [x.urlEncode(), new Utf8(), URLS],
  [x.urlDecode(), new Utf8(), URLS],
  [x.urlEncode().urlDecode(), new Utf8(), URLS],
  [x.toDate(), new Utf8(), TIMES],
  [x.toTimestamp(), new Utf8(), TIMES],
  [x.toTimestamp().format("%d %B %y, %I:%M:%S %p %f %j"), new Utf8(), TIMES],
  [x.toDate("%d %b %Y"), new Utf8(), DAYS],
  [x.toTimestamp("%Y%m%d %H:%M%z"), new Utf8(), DAYS],
  [x.toDate("%j day %Y"), new Utf8(), DAYS],
  [x.toString(), new DateDay(), [
    0,
    -1,
    11_016,
    -719_529,
    2_932_897,
    2 ** 31 - 1,
    -(2 ** 31),
    null,
  ]],
  [x.toTimestamp(), new DateDay(), [0, -1, 11_016, 106_751_991, 106_751_992, -(2 ** 31), null]],
  [x.toString(), new TimestampNanosecond(), integers],
  [x.toString(), new TimestampSecond("UTC"), integers],
  [x.toTimestamp(), new TimestampMillisecond(), integers],
  [x.toTimestamp(), new TimestampNanosecond(), integers],
  [x.toDate(), new TimestampMicrosecond(), integers],
  [x.toString(), new TimestampSecond("Europe/Berlin"), seconds],
  [x.format("%F %T.%f%z"), new TimestampMicrosecond("America/New_York"), inUnit(1_000_000n)],
  [x.toDate(), new TimestampMillisecond("Pacific/Apia"), inUnit(1000n)],
  [x.toDate().format("%d.%m."), new TimestampNanosecond("+05:45"), integers],
  [x.tryCast("timestamp[us]"), new TimestampNanosecond("Australia/Lord_Howe"), inUnit(10n ** 9n)],
  [x.tryCast("timestamp[us, Africa/Casablanca]"), new TimestampSecond(), seconds],
  [x.tryCast("timestamp[ms, Europe/Berlin]"), new Utf8(), [
    ...["2024-03-31T02:30", "2024-10-27T02:30", "2024-10-27T02:30+01:00", "2024-07-01"],
    ...["1880-01-01T00:53:28", "1880-01-01T00:53:28+00:53:28", "x", null],
  ]],
];

contextTest(
  "conversions agree with the host, fused and unfused, whatever runs where",
  async (context) => {
    for (const [expr, type, values] of someOf(CASES, 12)) {
      for (const fuse of [true, false]) {
        const { program, columns, numRows } = compileTyped(expr, { x: [type, values] }, fuse);
        const { columns: [wanted] } = evaluateOnHost(program, columns, numRows, testKernels());
        const [actual] = await evaluateToHost(context, program, columns, numRows);
        assertEquals(
          valuesOf(actual!),
          valuesOf(wanted!),
          program.kernels.map(({ label }) => label).join(),
        );
      }
    }
  },
);

deviceTest("a strict conversion on the device is the error of the host", async () => {
  await using engine = closing(createEngine({ device: "gpu" }));
  await assertStrictCases(
    engine,
    someOf(STRICT_CASES.filter((_, index) => index % 4 === 2), 4),
  );
});

contextTest(
  "trees of conversions give on the device what they give on the host",
  (context) =>
    forSeeds(fewOr(2, 8), async (random) => {
      const typed = randomConversionColumns(random, 300);
      const expr = randomConversion(random, random.pick(CONVERSION_KINDS), 3);
      const { program, columns, numRows } = compileTyped(expr, typed);
      const { columns: [wanted] } = evaluateOnHost(program, columns, numRows, testKernels());
      const [actual] = await evaluateToHost(context, program, columns, numRows);
      assertEquals(valuesOf(actual!), valuesOf(wanted!), printExpr(expr));
    }),
);
