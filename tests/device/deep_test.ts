/**
 * Expressions whose kernels nest deeper than a device takes run on the host, with the same result.
 */

import { assertEquals } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import { createEngine, expr, fromBatches, toTable, withColumns } from "../../mod.ts";
import { deviceTest } from "../support/adapter.ts";

deviceTest("200 sums and 200 choices inside of each other are right", async () => {
  const sum = Array(200).fill("n").join(" + ");
  const choice = Array.from({ length: 200 }, (_, k) => `n == ${k} ? "${k}" : `).join("") + "name";
  const table = tableFromArrays({ name: ["a", "b"], n: Int32Array.of(150, 2 ** 30) });
  const engine = createEngine({ device: "gpu" });
  try {
    const result = await toTable(
      fromBatches(table, { engine }).pipeThrough(
        withColumns({ sum: expr(sum), choice: expr(choice), three: expr("n + n + n") }),
      ),
    );
    const rows = result.toArray().map(({ sum, choice, three }) => [sum, choice, three]);
    assertEquals(rows, [[30_000, "150", 450], [null, "b", null]]);
  } finally {
    await engine.close();
  }
});
