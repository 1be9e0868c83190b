import { assertEquals, assertRejects } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import { expr, ExprError, fromBatches, toTable, withColumns } from "../../../../mod.ts";

const source = () => fromBatches(tableFromArrays({ k: ["a"] }).batches);

Deno.test("a column that a step makes cannot be read by the same step, and the error says what can", async () => {
  const both = { k2: expr('k + "b"'), k3: expr('k2 + "!"') };
  const error = await assertRejects(() => toTable(source().pipeThrough(withColumns(both))));
  const cause = (error as Error).cause as ExprError;
  assertEquals(cause instanceof ExprError, true);
  assertEquals(
    cause.message,
    "Unknown column k2; this step creates it, and a later step can read it: write `then with` " +
      "between them, or call withColumns() twice",
  );
  const table = await toTable(
    source().pipeThrough(withColumns({ k2: both.k2 })).pipeThrough(withColumns({ k3: both.k3 })),
  );
  assertEquals(table.toArray().map(String), ['{"k": "a", "k2": "ab", "k3": "ab!"}']);
  // A column that is there is read as it was before the step.
  const swapped = { k: expr('"b"'), k4: expr("k") };
  const before = await toTable(source().pipeThrough(withColumns(swapped)));
  assertEquals(before.toArray().map(String), ['{"k": "b", "k4": "a"}']);
});
