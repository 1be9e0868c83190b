import { assert, assertEquals } from "@std/assert";
import { createEngine, describeOperations, operations } from "../../../mod.ts";
import { checkFolded, checkOverColumns } from "../../support/operation_examples.ts";

const engine = createEngine({ device: "cpu" });

for (const { name, examples, summary, kinds } of describeOperations()) {
  Deno.test(`the examples of ${name} hold over columns, and folded`, async () => {
    assert(examples.length >= 2, `${name} has fewer than two examples`);
    assert(summary !== "" && !summary.endsWith("."), `${name} has a summary, a clause`);
    for (const example of examples) {
      await checkOverColumns(example, engine);
      // A list is no value of an expression, and a comparison with a literal null is refused.
      const values = Object.values(example.columns);
      const isFolded = values.every((value) =>
        !Array.isArray(value) && (value !== null || !kinds.includes("language"))
      );
      if (isFolded) await checkFolded(example, engine);
    }
  });
}

Deno.test("every built-in operation is in a group, and described once", () => {
  assertEquals(operations.filter(({ spec }) => spec.group === undefined), []);
  const names = describeOperations().map(({ name }) => name);
  assertEquals(names.length, new Set(names).size);
  for (const { spec } of operations) assert(names.includes(spec.name), spec.name);
});
