/** Copies of text: of every size up to two rounds, from every byte of a word to every byte of a word. */

import { assertEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import { isNotThroughGl } from "../../../../../../gpu/webgpu/dispatch/strategy_options.ts";
import { contextTest, evaluateToHost } from "../../../../../support/device/device_kernels.ts";
import { stringColumn, type Value, valuesOf } from "../../../../../support/values/host_columns.ts";
import { compileProgram } from "../../../../../support/kernels/programs.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
const LONGEST = 35;

/** Each size four times, behind fillers that move the next row on by a byte. */
const TEXTS = Array.from(
  { length: 4 * (LONGEST + 1) },
  (_, k) => [ALPHABET.slice(0, k >> 2), "#".repeat(1 + 4 * (k & 1))],
).flat();

const LITERAL = `${ALPHABET}${ALPHABET.toUpperCase()}`;

/** What is appended, and the same in JavaScript. */
const CASES: Readonly<Record<string, (text: string) => Value>> = {
  "text + text": (text) => text + text,
  '"-" + text + "--" + text': (text) => `-${text}--${text}`,
  'text.slice(1) + "---" + text.slice(2)': (text) => `${text.slice(1)}---${text.slice(2)}`,
  [`text.slice(3) + "${LITERAL}" + text`]: (text) => text.slice(3) + LITERAL + text,
};

for (const use of ["never", "always"] as const) {
  const how = use === "never" ? "two passes" : "tiles";
  contextTest(`text of every size is copied from and to any byte, in ${how}`, async (context) => {
    if (use === "always" && !isNotThroughGl(context.device.gpu.features)) return;
    const { program } = compileProgram(Object.keys(CASES), { text: new Utf8() });
    const told = { ...context, tiles: { ...context.tiles, use }, sureBytes: 0 };
    const results = await evaluateToHost(told, program, [stringColumn(TEXTS)], TEXTS.length);
    Object.entries(CASES).forEach(([expression, expected], k) => {
      assertEquals(valuesOf(results[k]!), TEXTS.map(expected), expression);
    });
  });
}
