/** Searches for one byte, and for bytes that are known: at every place, in every neighbourhood. */

import { assertEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import { isNotThroughGl } from "../../../../../../gpu/webgpu/dispatch/strategy_options.ts";
import { contextTest, evaluateToHost } from "../../../../../support/device/device_kernels.ts";
import { stringColumn, type Value, valuesOf } from "../../../../../support/values/host_columns.ts";
import { compileProgram } from "../../../../../support/kernels/programs.ts";

/**
 * Registers a test of expressions over `text`, each with what it is of a row; in one pass where there is
 * one.
 */
function rowsTest(
  title: string,
  texts: readonly string[],
  cases: Readonly<Record<string, (text: string) => Value>>,
): void {
  contextTest(title, async (context) => {
    const { program } = compileProgram(Object.keys(cases), { text: new Utf8() });
    const use = isNotThroughGl(context.device.gpu.features) ? "always" : "never";
    const tiled = { ...context, tiles: { ...context.tiles, use } } as const;
    const results = await evaluateToHost(tiled, program, [stringColumn(texts)], texts.length);
    // A row that takes too many rounds would be the host's.
    assertEquals(context.device.counters.downloads, 1);
    Object.entries(cases).forEach(([expression, expected], k) => {
      assertEquals(valuesOf(results[k]!), texts.map(expected), expression);
    });
  });
}

/** Texts with a byte at one place, or none, that follow each other at every alignment. */
const MARKED = Array.from(
  { length: 45 },
  (_, size) =>
    Array.from(
      { length: size + 1 },
      (_, at) => at === size ? "-".repeat(size) : `${"-".repeat(at)}x${"-".repeat(size - at - 1)}`,
    ),
).flat();

rowsTest("a byte is found at every place, and none behind the row", MARKED, {
  'text.find("x")': (text) => text.indexOf("x"),
  'text.slice(3).find("x")': (text) => text.slice(3).indexOf("x"),
  'text.slice(0, 18).find("x")': (text) => text.slice(0, 18).indexOf("x"),
  'text.slice(0, 21).splitPart("x", 0)': (text) => text.slice(0, 21).split("x")[0]!,
  'text.count("x")': (text) => text.split("x").length - 1,
});

/** Bytes that a text begins with; each of them may be another one. */
const KNOWN = "publicity";

const NEAR = Array.from({ length: KNOWN.length + 1 }, (_, size) => KNOWN.slice(0, size)).flatMap(
  (known) => [
    known,
    `${known}s`,
    `-${known}`,
    ...Array.from(known, (_, at) => `${known.slice(0, at)}q${known.slice(at + 1)}`),
    ...Array.from(known, (_, at) => `--${known.slice(0, at)}${known}`),
  ],
);

const SIZES = [2, 3, 4, 5, 7, 8, 9];

rowsTest(
  "bytes that are known are told from their like",
  NEAR,
  Object.fromEntries(SIZES.flatMap((size): [string, (text: string) => Value][] => {
    const known = KNOWN.slice(0, size);
    return [
      [`text == "${known}"`, (text) => text === known],
      [`text.endsWith("${known}")`, (text) => text.endsWith(known)],
      [`text.find("${known}")`, (text) => text.indexOf(known)],
    ];
  })),
);

rowsTest(
  "bytes that are known are told from their like where text is made",
  NEAR,
  Object.fromEntries([3, 6].map((size): [string, (text: string) => Value] => {
    const known = KNOWN.slice(0, size);
    return [`text == "${known}" ? text + "!" : text`, (text) => text === known ? `${text}!` : text];
  })),
);
