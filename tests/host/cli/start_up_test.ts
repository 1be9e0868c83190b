// deno-lint-ignore-file no-import-prefix -- a package of the tests only
import { assertEquals } from "@std/assert";
import ts from "npm:typescript@5.9.3";
import { dirname, join, normalize } from "node:path/posix";
import { findImports } from "../../../scripts/imports.ts";
import { checkoutPath, inFolder } from "../../support/sluice.ts";

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
  const small = ["errors", "formats", "show_controls", "standard_streams", "url"]
    .map((name) => `streams/${name}.ts`).concat("gpu/join_kind.ts").sort();
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

const hasNode = await new Deno.Command("node", { args: ["--version"] }).output()
  .then(({ success }) => success, () => false);

/** What Node makes of a module of ours, its types taken out as newer ones do themselves. */
async function runInNode(path: string): Promise<{ code: number; out: string; err: string }> {
  const source = await Deno.readTextFile(checkoutPath(path));
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  let result = { code: 0, out: "", err: "" };
  await inFolder({ "module.mjs": outputText }, async (cwd) => {
    const { code, stdout, stderr } = await new Deno.Command("node", { args: ["module.mjs"], cwd })
      .output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    result = { code, out: text(stdout), err: text(stderr) };
  });
  return result;
}

const ignore = !hasNode;
const note = hasNode ? "" : " (ignored: there is no node)";

Deno.test({
  name: `the command line tells Node in one line what it needs${note}`,
  ignore,
  fn: async () => {
    const { code, out, err } = await runInNode("cli.ts");
    assertEquals([code, out], [1, ""]);
    const wanted =
      /^sluice: error: sluice runs on Deno 2\.9 and later, and this is Node v[\d.]+; try: npx -y deno@2\.9\.6 task sluice\n$/;
    assertEquals(wanted.test(err), true, err);
  },
});

Deno.test({
  name: `the library tells Node what it needs, without a stack${note}`,
  ignore,
  fn: async () => {
    const { code, err } = await runInNode("ops/engine/require_deno.ts");
    assertEquals(code, 1);
    assertEquals(err.includes("Error: Sluice runs on Deno 2.9 and later"), true, err);
    assertEquals(/^ +at /m.test(err), false, err);
  },
});
