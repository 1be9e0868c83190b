// deno-lint-ignore-file no-import-prefix -- a package of the tests only
import { assertEquals } from "@std/assert";
import ts from "npm:typescript@5.9.3";
import { checkoutPath, inFolder } from "../../support/sluice.ts";

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
