/**
 * Searches that learn from those before them, on the device.
 */

import { assertEquals } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import { col, createEngine, fromBatches, toTable, withColumns } from "../../mod.ts";
import { deviceTest } from "../support/adapter.ts";

deviceTest("patterns that read on behind a match find what JavaScript's find", async () => {
  const engine = createEngine({ device: "gpu" });
  const texts = [
    "ab".repeat(700) + ".",
    "",
    "a".repeat(1_000) + "b" + "ab".repeat(300) + "c" + "ab".repeat(100),
    "é".repeat(400) + "ab",
  ];
  try {
    const count = col("text").countRe("(?:é{3})*b|[éa]");
    const marked = col("text").replaceRe("(?:ab)*c|a", "[$&]");
    const result = await toTable(
      fromBatches(tableFromArrays({ text: texts }), { engine })
        .pipeThrough(withColumns({ count, marked })),
    );
    assertEquals(
      result.toArray().map(({ count, marked }) => [count, marked]),
      texts.map((text) => [
        text.match(/(?:é{3})*b|[éa]/g)?.length ?? 0,
        text.replaceAll(/(?:ab)*c|a/g, "[$&]"),
      ]),
    );
  } finally {
    await engine.close();
  }
});
