import { assertEquals } from "@std/assert";
import { operationsPage } from "../../../scripts/generate_operations_page.ts";

Deno.test("docs/strings.md is what the script makes of the operations", async () => {
  const written = await Deno.readTextFile(new URL("../../../docs/strings.md", import.meta.url));
  const isCurrent = written === await operationsPage();
  assertEquals(isCurrent, true, "run deno run -A scripts/generate_operations_page.ts");
});
