/** That a card counts the rounds of loops only where a row may take too many. */

import { assertEquals } from "@std/assert";
import { evaluateOnHost } from "../../../../../gpu/host/evaluate.ts";
import { Utf8 } from "apache-arrow";
import { deviceTest } from "../../../../support/device/adapter.ts";
import { evaluateToHost, withDevice } from "../../../../support/device/device_kernels.ts";
import { takeForHardware } from "../../../../support/device/hardware.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";
import { columnDigest } from "../../../../support/values/column_digest.ts";
import { stringColumn } from "../../../../support/values/host_columns.ts";

const SHORT = ["Ada Lovelace", "public", "", "Łódź Fabryczna", "x".repeat(1000)];
const LONG = [...SHORT, "y".repeat(20_000)];

/** An expression, and whether rounds are counted where all rows are short. */
const COUNTS: Readonly<Record<string, boolean>> = {
  'name.contains("ub")': false,
  'name.splitPart(" ", 1) + "!"': false,
  'name == "public" ? name.upper() : "-"': true,
  'name.replace("a", "bb")': true,
  "name.repeat(3)": true,
};

deviceTest("a card counts no rounds where no row is long and no loop makes text", async () => {
  const restore = takeForHardware("Taken for a card");
  try {
    await withDevice(async (context) => {
      const codes: string[] = [];
      const { pipelines } = context;
      const get = pipelines.get.bind(pipelines);
      pipelines.get = (spec) => {
        codes.push(spec.code);
        return get(spec);
      };
      for (const [expression, counts] of Object.entries(COUNTS)) {
        const { program } = compileProgram([expression], { name: new Utf8() });
        for (const texts of [SHORT, LONG]) {
          codes.length = 0;
          const name = stringColumn(texts);
          const [result] = await evaluateToHost(context, program, [name], texts.length);
          const expected = evaluateOnHost(program, [name], texts.length, testKernels()).columns[0]!;
          assertEquals(columnDigest(result!), columnDigest(expected), expression);
          const isCounted = codes.some((code) => code.includes("row_steps"));
          assertEquals(isCounted, counts || texts === LONG, expression);
        }
      }
    });
  } finally {
    restore();
  }
});
