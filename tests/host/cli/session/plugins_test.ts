import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import { everyNth } from "../../../../examples/every_nth.ts";
import { shout } from "../../../../examples/shout.ts";
import { checkOperator, checkStringOp } from "../../../../mod.ts";
import { checkoutPath, inFolder, sluice } from "../../../support/processes/sluice.ts";
import { someOf } from "../../../support/random/test_size.ts";

const names = "id,name\n1,Hey!\n2,Ho\n3,!!\n4,\n5,ja!ja\n";
const shoutFile = checkoutPath("examples/shout.ts");
const everyNthFile = checkoutPath("examples/every_nth.ts");

Deno.test("the example plugins keep their promises", async () => {
  checkStringOp(shout);
  const table = tableFromArrays({ id: Array.from({ length: 20 }, (_, i) => i) });
  for (const n of [1, 2, 7, 30]) await checkOperator(everyNth, { n }, table);
});

Deno.test("--plugin adds an operation to expressions, fused with the others", () =>
  inFolder({ "names.csv": names }, async (cwd) => {
    const step = ["with", "loud = name.upper().shout()"];
    const args = ["--plugin", shoutFile, "read", "names.csv", "then", ...step];
    const { status, err } = await sluice([...args, "then", "write", "out.csv"], { cwd });
    assertEquals([status, err], [0, ""]);
    assertEquals(
      await Deno.readTextFile(`${cwd}/out.csv`),
      "id,name,loud\n1,Hey!,HEY!!\n2,Ho,HO\n3,!!,!!!!\n4,,\n5,ja!ja,JA!!JA\n",
    );
    const { out } = await sluice([...args, "then", "explain"], { cwd });
    assertEquals(out.match(/kernel \d+:/g)?.length, 1, out);
  }));

Deno.test("help knows the verbs that --plugin adds", async () => {
  for (const words of [["help", "everyNth"], ["read", "a.csv", "then", "everyNth", "--help"]]) {
    const { status, out, err } = await sluice(["--plugin", everyNthFile, ...words]);
    assertEquals([status, err], [0, ""]);
    assertMatch(out, /^everyNth \[--OPTION VALUE\]\.\.\.\n/);
  }
  assertMatch(
    (await sluice(["--plugin", everyNthFile, "help"])).out,
    /^ {2}everyNth +An operator/m,
  );
  assertEquals((await sluice(["help", "everyNth"])).status, 2);
});

Deno.test("--plugin adds an operator as a verb", () =>
  inFolder({ "names.csv": names }, async (cwd) => {
    const run = (...words: string[]) =>
      sluice(["--plugin", everyNthFile, "read", "names.csv", "then", "everyNth", ...words], {
        cwd,
      });
    const { status, bytes } = await run("--n", "2", "then", "write", "out.csv");
    assertEquals([status, bytes.length], [0, 0]);
    assertEquals(await Deno.readTextFile(`${cwd}/out.csv`), "id,name\n1,Hey!\n3,!!\n5,ja!ja\n");

    const wrong = await run("--n=0", "then", "show");
    assertEquals(
      [wrong.status, wrong.err],
      [2, "sluice: error: step 2, everyNth: n is a whole number from 1, not 0\n"],
    );
    const bare = await run("2");
    assertEquals(bare.status, 2);
    assertMatch(bare.err, /^sluice: error: step 2, everyNth: [^\n]+\n$/);
  }));

Deno.test("the operations of plugins are in ops, and their verbs in no step without them", async () => {
  const { out } = await sluice(["--plugin", shoutFile, "ops", "shout"]);
  assertEquals(
    out.replace(/ {3,}map/, "   map"),
    'shout() -> string   map\n\n  Doubles exclamation marks.\n\n  "Hey!".shout() is "Hey!!"\n',
  );
  const { status, err } = await sluice(["read", "a.csv", "then", "everyNth", "--n", "2"]);
  assertEquals(status, 2);
  assertStringIncludes(err, 'step 2: Unknown verb "everyNth"');
});

Deno.test("a plugin that cannot be used is a mistake in the command", () =>
  inFolder(
    { "empty.ts": "export const x = 1;\n", "bad.ts": "export const = ;\n" },
    async (cwd) => {
      for (
        const [plugin, problem] of [
          ["./none.ts", /Cannot load plugin \.\/none\.ts: /],
          ["./bad.ts", /Cannot load plugin \.\/bad\.ts: /],
          [
            "empty.ts",
            /Plugin empty\.ts exports nothing that defineOp or defineOperator made$/,
          ],
        ] as const
      ) {
        const { status, err } = await sluice(["--plugin", plugin, "read", "a.csv"], { cwd });
        assertEquals(status, 2);
        assertMatch(err.trimEnd(), /^sluice: error: [^\n]+$/);
        assertMatch(err.trimEnd(), problem);
      }
    },
  ));

Deno.test("--plugin npm:NAME loads what npm has installed here or above, and says how where it is not", () => {
  const plugin = Deno.readTextFileSync(shoutFile).replace("../mod.ts", "@sluice/sluice")
    .replace(/^import type.*$/m, "");
  const described = (rest: object) => JSON.stringify({ name: "p", version: "1.0.0", ...rest });
  const file = (name: string) => ({ [`node_modules/${name}`]: plugin });
  return inFolder({ "names.csv": names }, async (cwd) => {
    const packages: Record<string, string> = {
      "node_modules/one/package.json": described({ type: "module", exports: "./lib/a.ts" }),
      ...file("one/lib/a.ts"),
      "node_modules/@my/two/package.json": described({
        exports: { ".": { require: "./no.cjs", import: { default: "./b.ts" } } },
      }),
      ...file("@my/two/b.ts"),
      "node_modules/three/package.json": described({ main: "c.ts" }),
      ...file("three/c.ts"),
    };
    for (const [path, text] of Object.entries(packages)) {
      await Deno.mkdir(`${cwd}/${path.replace(/[^/]*$/, "")}`, { recursive: true });
      await Deno.writeTextFile(`${cwd}/${path}`, text);
    }
    await Deno.mkdir(`${cwd}/below`);
    const steps = ["read", "names.csv", "then", "with", "loud = name.shout()", "then", "count"];
    for (
      const name of someOf(["one", "one@1", "one/lib/a.ts", "@my/two", "@my/two@^1", "three"], 3)
    ) {
      const { status, out, err } = await sluice(["--plugin", `npm:${name}`, ...steps], { cwd });
      assertEquals([name, status, out, err], [name, 0, "5\n", ""]);
    }
    const below = await sluice(["--plugin", "npm:one", "ops", "shout"], { cwd: `${cwd}/below` });
    assertEquals([below.status, below.err], [0, ""]);
    const none = await sluice(["--plugin", "npm:sluice-no-such-plugin", "ops"], { cwd });
    assertEquals([none.status, none.out], [2, ""]);
    assertMatch(none.err, /; run npm install sluice-no-such-plugin\n$/);
  });
});
