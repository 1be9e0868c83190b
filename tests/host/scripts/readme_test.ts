import { assert, assertEquals } from "@std/assert";
import { tableFromIPC } from "apache-arrow";
import manifest from "../../../deno.json" with { type: "json" };
import { codeBlocks } from "../../support/pages/markdown.ts";
import { runBeside, testPage, withSluice } from "../../support/pages/page_examples.ts";
import { besideFlights } from "../../support/pages/page_files.ts";
import { checkoutPath, inFolder } from "../../support/processes/sluice.ts";

const readme = await Deno.readTextFile(checkoutPath("README.md"));
const DEMO = "task demo";
const INSTALL = "npm install --global";

/** The block of README in a language that has these words in it. */
function blockWith(opening: string, words: string): string {
  const block = codeBlocks(readme).find((block) =>
    block.opening === opening && block.code.includes(words)
  );
  if (block === undefined) throw new Error(`README has no block ${opening} with ${words}`);
  return block.code;
}

// Tests below run these four.
testPage("README.md", besideFlights, [DEMO, INSTALL, "last.arrow", "--plugin"]);

Deno.test({
  name: "the pipeline of README writes the same file in TypeScript and on the command line",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withSluice((folder) =>
      besideFlights(folder, async () => {
        await runBeside(folder, { language: "ts", code: blockWith("ts ignore", "last.arrow") });
        const bytes = await Deno.readFile(`${folder}/last.arrow`);
        await Deno.remove(`${folder}/last.arrow`);

        await runBeside(folder, { language: "sh", code: blockWith("sh", "last.arrow") });
        assertEquals(await Deno.readFile(`${folder}/last.arrow`), bytes);
        const table = tableFromIPC(bytes);
        assertEquals(table.schema.names, ["origin", "destination", "delay", "route", "name"]);
        assertEquals(table.numRows, 1_000);
      })
    ),
});

Deno.test({
  name: "the plugin of README doubles exclamation marks on the command line",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withSluice((folder) =>
      besideFlights(folder, async () => {
        const code = blockWith("sh", "--plugin");
        const { text } = await runBeside(folder, { language: "sh", code });
        assert(text.includes("Los Angeles!!"), text);
      })
    ),
});

Deno.test("README tells the commands that .ci/run runs, for the same Deno", async () => {
  const ci = await Deno.readTextFile(checkoutPath(".ci/run"));
  const [, program] = /^deno_task\(\) \{ (.*) "\$@"/m.exec(ci)!;
  const commands = blockWith("sh", DEMO).split("\n").map((line) => line.replace(/ *#.*/, ""));
  for (const task of ["demo", "test"]) {
    assert(ci.includes(`\nstep ${task}\n`));
    assert(commands.includes(`${program} ${task}`), commands.join("\n"));
  }
  const pages = ["README.md", "CONTRIBUTING.md", "docs/cli.md", ".ci/run"];
  const versions = pages.flatMap((path) =>
    [...Deno.readTextFileSync(checkoutPath(path)).matchAll(/\bdeno@[\d.]+\d/g)].map(([name]) =>
      name
    )
  );
  assert(versions.length > 4);
  assertEquals([...new Set(versions)].length, 1, versions.join());
});

Deno.test({
  name: "the lines of README install a command that runs without the checkout as its folder",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inFolder({ "names.csv": "name\nAda\n" }, async (home) => {
      // What npm does needs a network, and would change this machine: Deno is on the path already.
      const [npm, ...lines] = blockWith("sh", INSTALL).trimEnd().split("\n");
      assert(npm!.startsWith(INSTALL));
      const show = `cd '${home}' && sluice read names.csv then with 'n = name.upper()' then show`;
      const code = ["set -e", ...lines.map((line) => line.replace(/ +#.*/, "")), show].join("\n");
      const env = { HOME: home, DENO_DIR: denoDir(), NO_COLOR: "1", SLUICE_DEVICE: "cpu" };
      const { status, text } = await runBeside(checkoutPath("."), { language: "sh", code, env });
      assertEquals(status, 0, text);
      assert(text.includes("ADA"), text);
    }),
});

Deno.test("a project that links the checkout, as README says, uses the library by its name", () =>
  inFolder({ "names.csv": "name\nAda\n" }, async (folder) => {
    const config = JSON.parse(blockWith("json", "links"));
    assertEquals(Object.keys(config.imports), [manifest.name]);
    assertEquals(config.links, ["../sluice"]);
    config.links = [checkoutPath(".")];
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));
    // With the packages of the checkout, so that nothing is asked of a registry.
    const lock = JSON.parse(await Deno.readTextFile(checkoutPath("deno.lock")));
    const links = { [`jsr:${manifest.name}@${manifest.version}`]: lock.workspace };
    const dependencies = [`jsr:${manifest.name}@${manifest.version.replace(/\.0$/, "")}`];
    lock.workspace = { dependencies, links };
    await Deno.writeTextFile(`${folder}/deno.lock`, JSON.stringify(lock));
    await Deno.writeTextFile(
      `${folder}/main.ts`,
      `import { expr, read, withColumns, write } from "${manifest.name}";
      await read("names.csv").pipeThrough(withColumns({ n: expr("name.upper()") }))
        .pipeTo(write("upper.csv"));`,
    );
    const code = "deno run -q -A --frozen main.ts && cat upper.csv";
    const { status, text } = await runBeside(folder, { language: "sh", code });
    assertEquals([status, text], [0, "name,n\nAda,ADA\n"]);
  }));

Deno.test("README has less than 1,000 words", () => {
  assert(readme.trim().split(/\s+/).length < 1_000);
});

Deno.test("pages name no task that does not exist", () => {
  const pages = [...Deno.readDirSync(checkoutPath("docs"))].map(({ name }) => `docs/${name}`)
    .filter((path) => path.endsWith(".md"));
  for (const path of ["README.md", "CONTRIBUTING.md", ...pages]) {
    const page = Deno.readTextFileSync(checkoutPath(path));
    const names = [...page.matchAll(/\bdeno(?:@[\d.]+)? task (?:--frozen=false )?([\w:]+)/g)]
      .map(([, name]) => name!);
    assertEquals([path, ...names.filter((name) => !(name in manifest.tasks))], [path]);
  }
});

/** Where Deno keeps packages. */
function denoDir(): string {
  const { stdout } = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).outputSync();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}
