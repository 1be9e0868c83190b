/** The commands and programs of docs/rechunking.md run, and answer what it says. */

import { assert, assertEquals } from "@std/assert";
import { dirname } from "node:path";
import { checkoutPath, inFolder } from "../../support/sluice.ts";

const page = await Deno.readTextFile(checkoutPath("docs/rechunking.md"));

/** A block of code, and the text that follows it, if that is its answer. */
interface Example {
  readonly language: string;
  readonly code: string;
  readonly answer: string | undefined;
}

/** The programs and commands in the order of the page: later ones need what earlier ones make. */
function examples(): Example[] {
  const blocks = page.matchAll(/^```(ts|sh)\n([^]*?)^```$(?:\n\n```text\n([^]*?)^```$)?/gm);
  return [...blocks].map(([, language, code, answer]) => ({
    language: language!,
    code: code!,
    answer,
  }));
}

/** A command `sluice` that stands for the installed one, with the permissions of its task. */
const command = `#!/bin/sh
exec deno run -q -P=sluice --config='${checkoutPath("deno.json")}' '${checkoutPath("cli.ts")}' "$@"
`;

/** What the programs import: the library, with what this page is about. */
const library = ["mod.ts", "ops/rechunk/rechunk.ts", "ops/rechunk/plan/plan_rechunk.ts"]
  .map((path) => `export * from "${new URL(`../../../${path}`, import.meta.url)}";\n`).join("");

async function run(program: string, args: string[], cwd: string) {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd,
    env: {
      PATH: `${cwd}:${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`,
      SLUICE_DEVICE: "cpu",
      NO_COLOR: "1",
    },
  }).output();
  const decoder = new TextDecoder();
  return { status: code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

async function runProgram(code: string, cwd: string) {
  await Deno.writeTextFile(`${cwd}/program.ts`, code.replaceAll("@sluice/sluice", "./library.ts"));
  const options = ["run", "-q", "-A", `--config=${checkoutPath("deno.json")}`];
  return await run(Deno.execPath(), [...options, "program.ts"], cwd);
}

/** What a program prints by its own comments: `// 1000 113` behind each console.log. */
function outputOf(program: string): string {
  const printed = program.matchAll(/^console\.log\(.*; \/\/ (.*)$/gm);
  return [...printed].map(([, text]) => `${text}\n`).join("");
}

Deno.test({
  name: "the commands and programs of docs/rechunking.md run, and answer what it says",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inFolder({ sluice: command, "library.ts": library }, async (folder) => {
      await Deno.chmod(`${folder}/sluice`, 0o755);
      const all = examples();
      assert(all.filter(({ language }) => language === "sh").length > 4);
      for (const { language, code, answer } of all) {
        const { status, text } = language === "ts"
          ? await runProgram(code, folder)
          : await run("sh", ["-c", code], folder);
        const expected = language === "ts" ? outputOf(code) : answer;
        if (expected !== undefined) assertEquals(text.trimEnd(), expected.trimEnd());
        assertEquals([code, status !== 0], [code, text.startsWith("sluice: error: ")], text);
      }
      const picture = await Deno.readTextFile(checkoutPath("docs/rechunking.svg"));
      assertEquals(await Deno.readTextFile(`${folder}/era5.svg`), picture);
    }),
});

Deno.test("the table of docs/rechunking.md has the counts of the planner", async () => {
  const { planRechunk } = await import("../../../ops/rechunk/plan/plan_rechunk.ts");
  for (const stages of [3, 4]) {
    const { reads, writes } = planRechunk({
      shape: [350640, 721, 1440],
      itemsize: 4,
      source: [31, 721, 1440],
      target: [350640, 10, 10],
      minMem: 10e6,
      maxMem: 500e6,
      stages,
    });
    const row = new RegExp(`^\\| Sluice, \`--stages ${stages}\` +\\| +${stages} \\|(.*)\\|$`, "m");
    const [, counts = ""] = row.exec(page) ?? [];
    const told = counts.split("|").map((count) => Number(count.replaceAll(",", "")));
    assertEquals(told, [reads, writes]);
  }
});
