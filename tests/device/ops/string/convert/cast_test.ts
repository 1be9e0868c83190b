/** Casts on a device give what the host gives. */

import { assert, assertEquals } from "@std/assert";
import { Binary } from "apache-arrow";
import { evaluateOnHost } from "../../../../../gpu/host/evaluate.ts";
import { typeName } from "../../../../../ops/batch/arrow_types.ts";
import { col } from "../../../../../ops/expr/expr.ts";
import { NAMED_TYPES } from "../../../../../ops/syntax/named_types.ts";
import { isCastable } from "../../../../support/models/cast_model.ts";
import { bytesColumn, castValues, damagedTexts } from "../../../../support/values/cast_values.ts";
import { contextTest, evaluateToHost } from "../../../../support/device/device_kernels.ts";
import { valuesOf } from "../../../../support/values/host_columns.ts";
import { compileTyped } from "../../../../support/kernels/programs.ts";
import { SeededRandom } from "../../../../support/random/seeded_random.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";
import { someOf } from "../../../../support/random/test_size.ts";

const x = col("x");

for (const from of NAMED_TYPES) {
  contextTest(`casts of ${typeName(from)} are those of the host`, async (context) => {
    const random = new SeededRandom(12);
    const values = [null, ...castValues(random, from, 40)];
    let numOnDevice = 0;
    const targets = NAMED_TYPES.filter((to) => isCastable(from, to));
    const drawn = someOf(targets, 3);
    for (const to of drawn) {
      const { program, columns, numRows } = compileTyped(x.tryCast(typeName(to)), {
        x: [from, values],
      });
      const { columns: [wanted] } = evaluateOnHost(program, columns, numRows, testKernels());
      const [actual] = await evaluateToHost(context, program, columns, numRows);
      assertEquals(valuesOf(actual!), valuesOf(wanted!), typeName(to));
      numOnDevice += program.kernels.filter(({ hostOnly }) => hostOnly === undefined).length;
    }
    if (drawn.length < targets.length) return;
    // Bytes that are text need one kernel, and text that is bytes none.
    assert(numOnDevice >= (from instanceof Binary ? 1 : 3), String(numOnDevice));
  });
}

contextTest("bytes are text on the device where they are on the host", async (context) => {
  const { program } = compileTyped(x.tryCast("string").length(), { x: [new Binary(), []] });
  const rows = damagedTexts();
  const columns = [bytesColumn(rows)];
  const { columns: [wanted] } = evaluateOnHost(program, columns, rows.length, testKernels());
  const [actual] = await evaluateToHost(context, program, columns, rows.length);
  assertEquals(valuesOf(actual!), valuesOf(wanted!));
});
