/** The commands and programs of a page of docs/, run beside the files that it names. */

import { assert, assertEquals } from "@std/assert";
import { dirname } from "node:path";
import { checkoutPath, inFolder } from "./sluice.ts";

/** Runs a test in a folder that has the files of a page, whose URLs begin with `origin`. */
type BesideFiles = (
  folder: string,
  test: (origin: string) => Promise<void>,
) => Promise<void>;

/** A block of code, and the text that follows it, if that is its answer. */
interface Example {
  readonly code: string;
  readonly answer: string | undefined;
}

/** A command `sluice` that stands for the installed one. */
const command = `#!/bin/sh
exec deno run -q -A --config='${checkoutPath("deno.json")}' '${checkoutPath("cli.ts")}' "$@"
`;

/** Registers the tests of a page: its commands answer what it says, and its programs print it. */
export function testPage(path: string, besideFiles: BesideFiles): void {
  const page = Deno.readTextFileSync(checkoutPath(path));
  const inPageFolder = (test: (folder: string, origin: string) => Promise<void>) =>
    inFolder({ sluice: command }, async (folder) => {
      await Deno.chmod(`${folder}/sluice`, 0o755);
      await besideFiles(folder, (origin) => test(folder, origin));
    });

  Deno.test({
    name: `the commands of ${path} run, and answer what it says`,
    ignore: Deno.build.os === "windows",
    fn: () =>
      inPageFolder(async (folder, origin) => {
        const examples = examplesIn(page, "sh");
        assert(examples.length > 2);
        for (const { code, answer } of examples) {
          const script = code.replaceAll("https://example.com", origin);
          if (answer === undefined) {
            const { code, text } = await run("sh", ["-ec", script], folder);
            assertEquals([script, code, text.includes("error")], [script, 0, false], text);
          } else {
            const { text } = await run("sh", ["-c", script], folder);
            assertEquals(text.trimEnd(), answer.trimEnd());
          }
        }
      }),
  });

  Deno.test(`the programs of ${path} run`, () =>
    inPageFolder(async (folder, origin) => {
      const examples = examplesIn(page, "ts");
      assert(examples.length > 0);
      const library = new URL("../../mod.ts", import.meta.url).href;
      for (const { code } of examples) {
        const program = code.replaceAll("https://example.com", origin)
          .replaceAll("@sluice/sluice", library);
        await Deno.writeTextFile(`${folder}/program.ts`, program);
        const options = ["run", "-q", "-A", `--config=${checkoutPath("deno.json")}`];
        const { code: status, text } = await run(
          Deno.execPath(),
          [...options, "program.ts"],
          folder,
        );
        assertEquals([status, text], [0, outputOf(code)]);
      }
    }));
}

function examplesIn(page: string, language: string): Example[] {
  const blocks = page.matchAll(/^```(\w+)\n([^]*?)^```$(?:\n\n```text\n([^]*?)^```$)?/gm);
  return [...blocks].filter(([, own]) => own === language)
    .map(([, , code, answer]) => ({ code: code!, answer }));
}

async function run(
  program: string,
  args: string[],
  cwd: string,
): Promise<{ code: number; text: string }> {
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
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** What a program prints by its own comments: `// 1000 113` behind each console.log. */
function outputOf(program: string): string {
  const printed = program.matchAll(/^console\.log\(.*; \/\/ (.*)$/gm);
  return [...printed].map(([, text]) => `${text}\n`).join("");
}
