import { assertEquals } from "@std/assert";
import { dirname, join, normalize } from "node:path/posix";
import { findImports } from "../../../scripts/imports.ts";

/** The modules and packages that load before anything runs. */
function loadedAtOnce(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  if (!path.endsWith(".ts")) return found;
  for (const { specifier, values, dynamic } of findImports(Deno.readTextFileSync(path))) {
    if (dynamic || values.length === 0) continue;
    const target = specifier.startsWith(".")
      ? normalize(join(dirname(path), specifier))
      : specifier;
    loadedAtOnce(target, found);
  }
  return found;
}

Deno.test("the command line answers help and mistakes without loading the library", () => {
  const loaded = [...loadedAtOnce("cli/main.ts")];
  assertEquals(loaded.includes("cli/verbs/read.ts"), true);
  const small = ["errors", "formats", "show_controls", "standard_streams"]
    .map((name) => `streams/${name}.ts`);
  const large = loaded.filter((name) => /^(mod\.ts|gpu|streams|apache-arrow|acorn)/.test(name));
  assertEquals(large.sort(), small);
});

Deno.test("the library loads no package of an optional format", () => {
  const loaded = [...loadedAtOnce("mod.ts")];
  assertEquals(loaded.includes("apache-arrow"), true);
  assertEquals(loaded.includes("parquet-wasm"), false);
});

Deno.test("cli.ts loads nothing at once, so that other runtimes come as far as its first line", () => {
  assertEquals([...loadedAtOnce("cli.ts")], ["cli.ts"]);
});
