/**
 * Expressions whose kernels nest deeper or write more than a device takes run on the host, with the
 * same result.
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import { createEngine, expr, fromBatches, toTable, withColumns } from "../../../../mod.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { closing } from "../../../support/running/closing.ts";

deviceTest("200 sums and 200 choices inside of each other are right", async () => {
  const sum = Array(200).fill("n").join(" + ");
  const choice = Array.from({ length: 200 }, (_, k) => `n == ${k} ? "${k}" : `).join("") + "name";
  const table = tableFromArrays({ name: ["a", "b"], n: Int32Array.of(150, 2 ** 30) });
  await using engine = closing(createEngine({ device: "gpu" }));
  const result = await toTable(
    fromBatches(table, { engine }).pipeThrough(
      withColumns({ sum: expr(sum), choice: expr(choice), three: expr("n + n + n") }),
    ),
  );
  const rows = result.toArray().map(({ sum, choice, three }) => [sum, choice, three]);
  assertEquals(rows, [
    [30_000n, "150", 450n],
    [200n * 2n ** 30n, "b", 3n * 2n ** 30n],
  ]);
});

deviceTest("3,000 texts are joined on the host, and the plan says why", async () => {
  const names = ["a", "é", null, ""];
  const parts = Array.from({ length: 3000 }, (_, k) => k % 2 === 0 ? "name" : `"${k % 10}"`);
  await using engine = closing(createEngine({ device: "gpu" }));
  const stream = fromBatches(tableFromArrays({ name: names }), { engine })
    .pipeThrough(withColumns({ joined: expr(`concat(${parts.join(", ")})`) }));
  assertStringIncludes(
    await stream.explain(),
    "on the host because: it writes text at 3000 places",
  );
  const expected = names.map((name) =>
    name === null ? null : parts.map((part) => part === "name" ? name : part[1]).join("")
  );
  assertEquals([...(await toTable(stream)).getChild("joined")!], expected);
});
