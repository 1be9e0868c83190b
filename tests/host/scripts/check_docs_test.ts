import { assertEquals } from "@std/assert";
import { isArrowType, parseFindings, withoutExample } from "../../../scripts/check_docs.ts";
import { operationsPage } from "../../../scripts/generate_operations_page.ts";

const output =
  `error[private-type-ref]: public type 'Batch.prototype.schema' references private type 'Schema'
   --> /checkout/ops/batch.ts:103:3
    |
103 |   readonly schema: Schema;
    |   ^
    = hint: make the referenced type public or remove the reference


error[missing-jsdoc]: exported symbol is missing JSDoc documentation
  --> /checkout/gpu/backend.ts:42:12
   |


error: Found 2 documentation lint errors.
`;

Deno.test("parseFindings() reads rule, message and place of each finding", () => {
  assertEquals(parseFindings(output), [
    {
      rule: "private-type-ref",
      message: "public type 'Batch.prototype.schema' references private type 'Schema'",
      path: "/checkout/ops/batch.ts",
      position: "103:3",
    },
    {
      rule: "missing-jsdoc",
      message: "exported symbol is missing JSDoc documentation",
      path: "/checkout/gpu/backend.ts",
      position: "42:12",
    },
  ]);
});

Deno.test("isArrowType() lets through what the module takes from apache-arrow, nothing else", () => {
  const [schema, missing] = parseFindings(output) as [
    ReturnType<typeof parseFindings>[number],
    ReturnType<typeof parseFindings>[number],
  ];
  assertEquals(isArrowType(schema, 'import type { Data, Schema } from "apache-arrow";'), true);
  assertEquals(isArrowType(schema, 'import { type Schema } from "apache-arrow";'), true);
  assertEquals(isArrowType(schema, 'import type { Schema } from "./schema.ts";'), false);
  assertEquals(isArrowType(schema, 'import type { Data } from "apache-arrow";'), false);
  assertEquals(isArrowType(missing, 'import type { Schema } from "apache-arrow";'), false);
});

Deno.test("withoutExample() names functions, classes and values that no example shows", () => {
  const example = { tags: [{ kind: "param" }, { kind: "example" }] };
  assertEquals(
    withoutExample([
      { name: "shown", declarations: [{ kind: "function", jsDoc: example }] },
      {
        name: "overload",
        declarations: [{ kind: "function" }, { kind: "function", jsDoc: example }],
      },
      { name: "Options", declarations: [{ kind: "interface" }] },
      { name: "bare", declarations: [{ kind: "function" }] },
      { name: "Told", declarations: [{ kind: "class", jsDoc: { tags: [] } }] },
      { name: "table", declarations: [{ kind: "variable" }] },
    ]),
    ["bare", "Told", "table"],
  );
});

Deno.test("docs/strings.md is what the script makes of the operations", async () => {
  const written = await Deno.readTextFile(new URL("../../../docs/strings.md", import.meta.url));
  const isCurrent = written === await operationsPage();
  assertEquals(isCurrent, true, "run deno run -A scripts/generate_operations_page.ts");
});
