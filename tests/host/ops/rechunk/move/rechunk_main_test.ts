import { assert, assertEquals } from "@std/assert";
import { dirname, join } from "node:path/posix";
import { findImports } from "../../../../../scripts/imports.ts";
import { checkoutPath } from "../../../../support/processes/sluice.ts";

Deno.test("a thread loads neither Arrow nor what is for items of a variable size: it has memory of its own", () => {
  const paths = ["ops/rechunk/move/rechunk_main.ts"];
  for (const path of paths) {
    for (const found of findImports(Deno.readTextFileSync(checkoutPath(path)))) {
      if (found.dynamic || found.values.length === 0) continue;
      if (!found.specifier.startsWith(".")) assert(found.specifier.startsWith("@std/"), path);
      else {
        const target = join(dirname(path), found.specifier);
        if (!paths.includes(target)) paths.push(target);
      }
    }
  }
  assert(paths.includes("ops/rechunk/store/fixed_store.ts"));
  assertEquals(paths.filter((path) => /\/variable_|\/rows\//.test(path)), []);
});
