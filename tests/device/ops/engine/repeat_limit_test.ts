/** Repetitions that are too large, through whole pipelines on a device and on the host. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import {
  createEngine,
  expr,
  fromBatches,
  OverflowError,
  StepError,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { closing } from "../../../support/running/closing.ts";

const table = () =>
  tableFromArrays({ text: ["ab", "c", "d"], n: Int32Array.of(1, 1_000_000_000, 3) });

for (const device of ["cpu", "gpu"] as const) {
  deviceTest(
    `a count of a thousand million fails, and names its row: ${device}`,
    async () => {
      await using engine = closing(createEngine({ device }));
      const run = (text: string) =>
        toTable(fromBatches(table(), { engine }).pipeThrough(withColumns({ result: expr(text) })));
      await run("text.repeat(2) + text.pad(n > 9 ? 0 : n)");
      for (const text of ["text.repeat(n)", "text.repeat(n).upper()", "text.zfill(n)"]) {
        const error = await assertRejects(() => run(text), StepError);
        assert(error.cause instanceof OverflowError, String(error.cause));
        const { dataBytes } = error.cause;
        assertEquals(
          error.message,
          "step 2, withColumns: Size of output exceeds 536870888 bytes of a row: " +
            `${text} makes at least ${dataBytes} bytes (row 1)`,
        );
      }
    },
  );
}

deviceTest("long repetitions that fit are the same on a device and on the host", async () => {
  const results: string[][] = [];
  for (const device of ["cpu", "gpu"] as const) {
    await using engine = closing(createEngine({ device }));
    const long = tableFromArrays({
      text: ["ab", "é", ""],
      n: Int32Array.of(70_000, 5000, 100_000),
    });
    const made = await toTable(
      fromBatches(long, { engine })
        .pipeThrough(withColumns({ result: expr('text.repeat(n) + text.pad(n, "both", "-")') })),
    );
    results.push(made.toArray().map((row) => row.result as string));
  }
  const [host, device] = results;
  assertEquals(device?.map((text) => text.length), host?.map((text) => text.length));
  assert(device?.every((text, row) => text === host?.[row]));
  assertEquals(host?.map((text) => text.length), [210_000, 10_000, 100_000]);
});
