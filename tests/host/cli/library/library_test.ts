import { assertEquals, assertStrictEquals } from "@std/assert";
import { library } from "../../../../cli/library/library.ts";
import * as mod from "../../../../mod.ts";

/** Parts of the library that only the command line uses apart. */
const own = ["WrittenRows", "castColumns", "hasAggregate", "readFiles"];

Deno.test("the command line loads the functions that mod.ts exports under the same names", async () => {
  const exported: Readonly<Record<string, unknown>> = mod;
  const others: string[] = [];
  for (const [name, load] of Object.entries(library)) {
    if (name in exported) assertStrictEquals(await load(), exported[name], name);
    else others.push(name);
  }
  assertEquals(others.sort(), own);
});
