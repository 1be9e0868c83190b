/** Programs on a device against the host and against plain JavaScript, byte for byte. */

import { assertEquals } from "@std/assert";
import { Bool, Float32, Float64, Int16, Int32, Int64, Int8, Uint32, Utf8 } from "apache-arrow";
import type { ColumnType, HostColumn } from "../../../../../gpu/column/column.ts";
import { evaluateOnHost } from "../../../../../gpu/host/evaluate.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import {
  type Plain,
  plainOf,
  randomValues,
  slicedColumn,
} from "../../../../support/models/column_model.ts";
import { contextTest, evaluateToHost } from "../../../../support/device/device_kernels.ts";
import { stringColumn } from "../../../../support/values/host_columns.ts";
import { compileProgram, lenientProgram } from "../../../../support/kernels/programs.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";
import { someOf } from "../../../../support/random/test_size.ts";
import { evaluateCases, randomTreesCases } from "../../../../support/cases/evaluate.ts";
import { onDevice } from "../../../../support/cases/on_device.ts";

const TYPES = {
  name: new Utf8(),
  other: new Utf8(),
  flag: new Bool(),
  i8: new Int8(),
  i16: new Int16(),
  i32: new Int32(),
  u32: new Uint32(),
  i64: new Int64(),
  f32: new Float32(),
  f64: new Float64(),
};

const COLUMN_TYPES: Readonly<Record<string, ColumnType>> = {
  name: { kind: "string" },
  other: { kind: "string" },
  flag: { kind: "bool" },
  i8: { kind: "int", bits: 8, signed: true },
  i16: { kind: "int", bits: 16, signed: true },
  i32: { kind: "int", bits: 32, signed: true },
  u32: { kind: "int", bits: 32, signed: false },
  i64: { kind: "int", bits: 64, signed: true },
  f32: { kind: "float", bits: 32 },
  f64: { kind: "float", bits: 64 },
};

const EXPRESSIONS = [
  "name",
  "name.upper()",
  "name.lower().upper()",
  "name.strip().lower().slice(1, 4)",
  '(name + "ΑΣ" + other).lower()',
  '(name + " " + other).title().swapcase()',
  "(name.strip() + other).capitalize()",
  'name.strip("a ")',
  "name.lstrip() + other.rstrip()",
  'name.slice(null, null, -1) + "|"',
  "name.slice(-3)",
  "name.slice(-4, -1, 2)",
  'name.splitPart(" ", 1)',
  'name.splitPart(" ", -1).upper()',
  "name.splitPart(other, 0)",
  'name.replace("a", "<é>")',
  'name.replace("bc", "").replace("x", "yy")',
  "name.replace(other, name)",
  "name.pad(9)",
  'name.pad(i8, { side: "both", fill: "é" })',
  'other.pad(20, "right", "*").upper()',
  "name.zfill(i8)",
  "name.repeat(3) + other.repeat(i8)",
  'name.contains("bc")',
  "name.contains(other)",
  'name.startsWith("a") || name.endsWith("a")',
  'name.find("bc")',
  "name.find(other)",
  "name.length() + name.byteLength()",
  "(name + other).length()",
  'name + " > " + other',
  "name == other",
  "name < other",
  '"b" <= name && name != "x"',
  "flag ? name : other",
  'flag ? name.upper() : other + "!"',
  "isNull(name)",
  'fillNull(name, "none")',
  "fillNull(name.upper(), other)",
  "!flag || isNull(other)",
  'name.isIn("abc", "", "é")',
  'name.upper().isIn(["ABC", "A", null])',
  "i64.isIn(1, -1, 5000000000, 2.5)",
  "i64.isIn(0, 1, 2, 3, 4, 5, 6, 7, -1, -2, 100, 5000000000)",
  "f64.isIn([0, 1, 2, 3, 4, 5, 6, 7, -1, -2, 0.5, NaN])",
  "f32.isIn(0, 1, 0.1, 2, -1, 0.5, NaN, null)",
  'name.isIn("", "a", "b", "abc", "é", "x", "bc", "name", "A", " ")',
  "i8 + i16",
  "i32 + i32",
  "i32 + i64",
  "i64 + i64",
  "u32 + i32",
  "i8 < i64",
  "i32 == u32",
  "i64 < 5000000000",
  "f32 < f64",
  "f64 == f64",
  "flag ? i32 : i8",
  "flag ? f64 : f32",
  "flag ? i64 : i64 + 1",
  "fillNull(i16, 7)",
  "name.slice(i8, i16)",
  "name.slice(i64, u32)",
  'name.splitPart(" ", i64) + other.left(u32)',
];

/** Runs expressions on the device and on the host and compares every byte. */
async function assertSame(...run: Parameters<typeof assertSameValues>): Promise<void> {
  for (const { text, result, expected } of await assertSameValues(...run)) {
    if (result.type.kind === "string") assertSameText(result, expected, text);
  }
}

/** Runs expressions on the device and on the host, compares the rows and gives the columns. */
async function assertSameValues(
  context: WebGpuContext,
  texts: readonly string[],
  columns: Readonly<Record<string, HostColumn>>,
  fuse: boolean,
): Promise<{ text: string; result: HostColumn; expected: HostColumn }[]> {
  const compiled = compileProgram(texts, TYPES, { fuse });
  const { inputNames } = compiled;
  // Sums of random numbers may be too large, and null then.
  const program = lenientProgram(compiled);
  const inputs = inputNames.map((name) => columns[name]!);
  const numRows = columns.name!.length;
  const { columns: expected } = evaluateOnHost(program, inputs, numRows, testKernels());
  const results = await evaluateToHost(context, program, inputs, numRows);
  return texts.map((text, k) => {
    assertEquals(plainOf(results[k]!), plainOf(expected[k]!), text);
    return { text, result: results[k]!, expected: expected[k]! };
  });
}

/** Null rows take no bytes on either side, so the text is the same from end to end. */
function assertSameText(left: HostColumn, right: HostColumn, message: string): void {
  const text = ({ data, offsets, length }: HostColumn) =>
    data.subarray(offsets![0], offsets![length]).toHex();
  const sizes = ({ offsets, length }: HostColumn) =>
    Array.from({ length }, (_, row) => offsets![row + 1]! - offsets![row]!);
  assertEquals(text(left), text(right), message);
  assertEquals(sizes(left), sizes(right), message);
}

/** Which columns have nulls. Always the same ones, since a kernel is compiled for each choice. */
const NULLABLE = new Set(["name", "flag", "i16", "i32", "i64", "f32"]);

function randomColumns(
  random: SeededRandom,
  numRows: number,
  pieces: readonly string[],
): Record<string, HostColumn> {
  return Object.fromEntries(
    Object.entries(COLUMN_TYPES).map(([name, type]) => {
      const nulls = NULLABLE.has(name) ? 0.2 : 0;
      const values = type.kind === "string"
        ? randomTexts(random, numRows, nulls, pieces)
        : randomValues(random, type, numRows, nulls);
      return [name, slicedColumn(random, type, values)];
    }),
  );
}

function randomTexts(
  random: SeededRandom,
  numRows: number,
  nulls: number,
  pieces: readonly string[],
): Plain[] {
  return Array.from({ length: numRows }, () => {
    if (random.chance(nulls)) return null;
    return Array.from({ length: random.below(6) }, () => random.pick(pieces)).join("");
  });
}

const ASCII_PIECES = ["a", "b", "bc", "x", "A", " ", "Zz9", "longer than a word", ","];
const PIECES = [...ASCII_PIECES, "é", "ß", "İ", "ǆ", "漢", "😀", "ﬁ"];

contextTest("expressions give the bytes of the host, fused and unfused", async (context) => {
  await forSeeds(1, async (random) => {
    const expressions = someOf(EXPRESSIONS, 10);
    const ascii = randomColumns(random, 300 + random.below(300), ASCII_PIECES);
    const unicode = randomColumns(random, 300 + random.below(300), PIECES);
    await assertSame(context, expressions, ascii, true);
    await assertSame(context, expressions, unicode, true);
    await assertSame(context, expressions, unicode, false);
  });
});

evaluateCases(onDevice());
randomTreesCases(onDevice({ longRowBytes: 0 }, ", a workgroup for each row that is searched"));

contextTest("zero rows and one row are computed", async (context) => {
  await forSeeds(1, async (random) => {
    const expressions = someOf(EXPRESSIONS.slice(0, 16), 3);
    for (const numRows of [0, 1]) {
      const columns = randomColumns(random, numRows, PIECES);
      await assertSame(context, expressions, columns, true);
    }
  });
});

contextTest("windows of a few rows give the same bytes", async (context) => {
  await forSeeds(1, async (random) => {
    const columns = randomColumns(random, 200, PIECES);
    await assertSame(context, someOf(EXPRESSIONS, 8), columns, true);
  });
}, { windowBytes: 2000 });

contextTest("isIn() of two hundred thousand texts gives the bytes of the host", async (context) => {
  const words = JSON.stringify(Array.from({ length: 200_000 }, (_, i) => `word ${i}`));
  const columns = { name: stringColumn(["word 0", "word 199999", null, "word 200000", ""]) };
  await assertSame(context, [`name.isIn(${words})`], columns, true);
});

contextTest(
  "rows of ten thousand and more characters give the bytes of the host",
  async (context) => {
    const texts = [
      'name.find(".")',
      "name.length()",
      "name.upper()",
      'name + "!" + name',
      'name.replace("g", "")',
      "name.slice(-20)",
    ];
    // The first is too long for some loops of a software adapter, the second for all of them, and the
    // third for those of hardware.
    for (const repeats of [800, 10_000, 300_000]) {
      const long = "Läng und breit, ".repeat(repeats);
      const columns = { name: stringColumn(["short", long, null, `${long}.`]) };
      await assertSameValues(context, repeats > 10_000 ? ["name.upper()"] : texts, columns, true);
    }
  },
);
