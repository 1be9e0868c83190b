/**
 * Two passes over windows: texts that lie in several windows, results that need more of them than
 * their inputs, blocks, word edges, and what does not fit at all.
 */

import { assertEquals } from "@std/assert";
import type { HostColumn } from "../../../../../gpu/column/column.ts";
import type { RowKernel, Scalar, Stmt } from "../../../../../gpu/kernel/ir/ir.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import { maxSteps, mayTakeLong } from "../../../../../gpu/webgpu/dispatch/loop_limit.ts";
import { runKernels } from "../../../../../gpu/webgpu/evaluate/run_kernels.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import { columnOf, stringColumn, valuesOf } from "../../../../support/values/host_columns.ts";
import {
  computeOnDevice,
  contextTest,
  uploaded,
  withDevice,
} from "../../../../support/device/device_kernels.ts";
import {
  binary,
  copy,
  declare,
  increment,
  int,
  INT32,
  local,
  loop,
  put,
  result,
  rowKernel,
  start,
  stop,
  STRING,
  textOf,
  when,
  word,
} from "../../../../support/kernels/ir_builders.ts";
import { someOf } from "../../../../support/random/test_size.ts";

const valid: Scalar = { op: "valid", type: "bool", column: 0 };
const copyAll: Stmt = copy(textOf(0), start(0), stop(0));

/** The text in angle brackets; null stays null. */
const bracket = rowKernel([STRING], STRING, [
  when(valid, [put(int(0x3c)), copyAll, put(int(0x3e))], [{ do: "null" }]),
], { canBeNull: true, label: "bracket" });

const inBrackets = (value: string | null) => value === null ? null : `<${value}>`;

/** Column 0 as often as column 1 says. */
const repeat = rowKernel([STRING, INT32], STRING, [
  declare("k", int(0)),
  loop("times", binary(local("k"), "<", word(1)), [copyAll], [increment("k")]),
], { label: "repeat" });

/** The size in bytes. */
const byteLength = rowKernel([STRING], INT32, [result(binary(stop(0), "-", start(0)))]);

/** Texts of 0 to 12 characters of 1 to 4 bytes, every ninth null. */
function sampleTexts(length: number): (string | null)[] {
  const characters = ["a", "é", "€", "😀"];
  return Array.from({ length }, (_, row) => {
    if (row % 9 === 4) return null;
    return Array.from({ length: (row * 7) % 13 }, (_, k) => characters[(row + k * k) % 4]).join("");
  });
}

async function run(
  kernel: RowKernel,
  inputs: readonly HostColumn[],
  windowBytes?: number,
): Promise<ReturnType<typeof valuesOf>> {
  let values: ReturnType<typeof valuesOf> = [];
  await withDevice(async (context) => {
    const [column] = await computeOnDevice(context, [kernel], inputs, inputs[0]!.length);
    values = valuesOf(column!);
  }, windowBytes === undefined ? {} : { windowBytes });
  return values;
}

deviceTest("text of any number of rows around a block comes out whole", async () => {
  for (const numRows of [0, 1, 2, 31, 32, 33, 255, 256, 257, 511, 512, 513, 4096]) {
    const texts = sampleTexts(numRows);
    texts[0] ??= null;
    if (numRows === 0) texts.length = 0;
    // A column without nulls would have no bitmap to read.
    if (numRows > 0) texts[0] = null;
    assertEquals(
      await run(bracket, [stringColumn(texts)]),
      texts.map(inBrackets),
      `${numRows} rows`,
    );
  }
});

deviceTest("inputs in many windows give the same text", async () => {
  const texts = sampleTexts(3000);
  for (const windowBytes of [256, 1000, 20_000]) {
    const values = await run(bracket, [stringColumn(texts)], windowBytes);
    assertEquals(values, texts.map(inBrackets), `windows of ${windowBytes} bytes`);
  }
});

deviceTest(
  "windows of as many rows as make their parts aligned, and of one less or more",
  async () => {
    const texts = sampleTexts(30_000);
    const values = texts.map((text, row) => text === null ? null : (row * 2 ** 20) | 0);
    const sum = binary(word(0), "+", int(7));
    const plus = rowKernel([INT32], INT32, [when(valid, [result(sum)], [{ do: "null" }])], {
      canBeNull: true,
    });
    const sums = values.map((value) => value === null ? null : (value + 7) | 0);
    // 4,096 rows of four bytes and a bit take 17,408 to 17,920 bytes, of texts about 90,000.
    const sizes = [17_400, 17_420, 17_600, 17_920, 17_936, 18_400, 80_000, 100_000];
    for (const windowBytes of someOf(sizes, 2)) {
      const label = `windows of ${windowBytes} bytes`;
      assertEquals(
        await run(bracket, [stringColumn(texts)], windowBytes),
        texts.map(inBrackets),
        label,
      );
      assertEquals(await run(plus, [columnOf(INT32, values)], windowBytes), sums, label);
    }
  },
);

deviceTest("long copies, made by a workgroup together, join what lies beside them", async () => {
  const characters = "abcdefghijklmnopqrstuvwxyz0123456789";
  const lengths = [0, 1, 3, 510, 511, 512, 513, 514, 515, 700, 1023, 2, 4097];
  const texts = Array.from({ length: 700 }, (_, row): string | null => {
    if (row === 300) return null;
    const length = lengths[(row * 5) % lengths.length]! + (row % 4);
    return characters.repeat(130).slice(row % 36, row % 36 + length);
  });
  assertEquals(await run(bracket, [stringColumn(texts)]), texts.map(inBrackets));
  // More long copies in a block than can be noted.
  const times = texts.map((_, row) => row % 3);
  const long = texts.map((text) => `${text}${"é".repeat(300)}`);
  const repeated = await run(repeat, [stringColumn(long), columnOf(INT32, times)]);
  assertEquals(repeated, long.map((text, row) => text.repeat(times[row]!)));
});

deviceTest("columns with windows of different rows are read side by side", async () => {
  const texts = sampleTexts(900).map((text) => text ?? "");
  const times = texts.map((_, row) => row % 4);
  const inputs = [stringColumn(texts), columnOf(INT32, times)];
  const expected = texts.map((text, row) => text.repeat(times[row]!));
  assertEquals(await run(repeat, inputs, 500), expected);
});

deviceTest("a result that outgrows its window is cut and computed again", async () => {
  const texts = Array.from({ length: 100 }, (_, row) => `row ${row} `);
  const times = texts.map((_, row) => row === 40 ? 100 : row % 7);
  const inputs = [stringColumn(texts), columnOf(INT32, times)];
  const expected = texts.map((text, row) => text.repeat(times[row]!));
  assertEquals(await run(repeat, inputs, 2000), expected);
});

deviceTest("fixed results over many windows come out in order", async () => {
  const texts = sampleTexts(1000).map((text) => text ?? "");
  const expected = texts.map((text) => new TextEncoder().encode(text).length);
  assertEquals(await run(byteLength, [stringColumn(texts)], 300), expected);
});

contextTest("a row whose result does not fit a window is refused", async (context) => {
  const inputs = [
    await uploaded(context, stringColumn(["x", "y".repeat(1000), "z"])),
    await uploaded(context, columnOf(INT32, [1, 10, 1])),
  ];
  assertEquals(await runKernels(context, [{ kernel: repeat, inputs }], 3), null);
  for (const column of inputs) column.release();
}, { windowBytes: 4096 });

contextTest("sizes past 32 bits do not wrap around", async (context) => {
  // 3 copies of 2^31 - 1 bytes, as the offsets of a text that is not there say.
  const column = { ...stringColumn(["x"]), type: INT32, data: new Uint8Array(4), offsets: null };
  const inputs = [await uploaded(context, column)];
  const large = { ...copyAll, start: int(0), stop: binary(word(0), "+", int(0x7fffffff)) };
  const kernel = rowKernel([INT32], STRING, [large, large, large] as Stmt[], { label: "large" });
  assertEquals(await runKernels(context, [{ kernel, inputs }], 1), null);
  inputs[0]!.release();
});

deviceTest("a row that takes too many rounds is refused, in one pass and in two", async () => {
  const count = rowKernel([INT32], INT32, [
    declare("k", int(0)),
    loop("rounds", binary(local("k"), "<", word(0)), [], [increment("k")]),
    result(local("k")),
  ], { label: "count" });
  await withDevice(async (context) => {
    // Without long texts, only software asks rows of fixed width.
    const isAsked = mayTakeLong(context, []);
    const tooMany = maxSteps(context) + 1000;
    const texts = await uploaded(context, stringColumn(["a", "b", "c"]));
    const rounds = async (...values: number[]) => await uploaded(context, columnOf(INT32, values));
    const [few, many] = [await rounds(1, 3000, 2), await rounds(1, tooMany, 2)];
    const results = await runKernels(context, [
      { kernel: count, inputs: [few] },
      { kernel: repeat, inputs: [texts, few] },
    ], 3);
    const [counts, repeated] = await downloadColumns(context, results!);
    assertEquals(valuesOf(counts!), [1, 3000, 2]);
    assertEquals(valuesOf(repeated!), ["a", "b".repeat(3000), "cc"]);
    assertEquals(await runKernels(context, [{ kernel: repeat, inputs: [texts, many] }], 3), null);
    const all = await runKernels(context, [{ kernel: count, inputs: [many] }], 3);
    assertEquals(all === null, isAsked);
    for (const column of [texts, few, many, ...results!, ...all ?? []]) column.release();
  });
});

contextTest("independent texts of one batch take one readback together", async (context) => {
  const texts = sampleTexts(700);
  const kernels = [bracket, byteLength, { ...bracket, label: "again" }];
  const results = await computeOnDevice(context, kernels, [stringColumn(texts)], 700);
  assertEquals(valuesOf(results[0]!), texts.map(inBrackets));
  assertEquals(valuesOf(results[2]!), texts.map(inBrackets));
  const { dispatches, readbacks } = context.device.counters;
  // On hardware this little text is not waited for.
  const waits = mayTakeLong(context, []) ? 1 : 0;
  assertEquals({ dispatches, readbacks }, { dispatches: 7, readbacks: waits });
});

deviceTest("a byte map keeps offsets and nulls and maps every byte", async () => {
  const map = Uint8Array.from({ length: 128 }, (_, byte) => (byte * 5 + 3) % 128);
  const mapped = (text: string) =>
    String.fromCharCode(...[...text].map((char) => map[char.charCodeAt(0)]!));
  const ascii = String.fromCharCode(...Array.from({ length: 128 }, (_, k) => k));
  const texts = Array.from(
    { length: 3000 },
    (_, row) => row % 10 === 7 ? null : ascii.slice(row % 90, row % 90 + row % 40),
  );
  const kernel = {
    kernel: "byteMap",
    label: "map",
    columns: [0],
    type: STRING,
    map,
  } as const;
  for (const windowBytes of [1000, 2 ** 20]) {
    await withDevice(async (context) => {
      const [column] = await computeOnDevice(context, [kernel], [stringColumn(texts)], 3000);
      assertEquals(valuesOf(column!), texts.map((text) => text === null ? null : mapped(text)));
    }, { windowBytes });
  }
});

deviceTest("a million rows come out whole", async () => {
  const texts = Array.from({ length: 1_100_000 }, (_, row) => row % 11 === 5 ? null : `${row}`);
  const values = await run(bracket, [stringColumn(texts)]);
  const wrong = values.findIndex((value, row) => value !== inBrackets(texts[row]!));
  assertEquals(wrong, -1);
});
