/** The commands and programs of a page of docs/, run beside the files that it names. */

import { assert, assertEquals } from "@std/assert";
import { dirname } from "node:path";
import { checkoutPath, commandScript, inFolder, startFlags } from "../processes/sluice.ts";

/** Runs a test in a folder that has the files of a page, whose URLs begin with `origin`. */
type BesideFiles = (
  folder: string,
  test: (origin?: string) => Promise<void>,
) => Promise<void>;

/** A block of code. */
interface Block {
  readonly language: "sh" | "ts";
  readonly code: string;
  /** Variables of the environment beside the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A block, and the text that follows it, if that is its answer. */
interface Example extends Block {
  readonly answer: string | undefined;
}

/** A command with the permissions of its task. */
const command = commandScript("-P=sluice", ...startFlags);

/**
 * Registers the test of a page: its commands and programs print the output on the page. They run
 * in the order of the page, since later ones may need what earlier ones write. Blocks that have one of
 * the words of `elsewhere` are left to another test; each of these words has a block.
 */
export function testPage(
  path: string,
  besideFiles: BesideFiles,
  elsewhere: readonly string[] = [],
): void {
  Deno.test({
    name: `the commands and programs of ${path} run, and answer what it says`,
    ignore: Deno.build.os === "windows",
    fn: () =>
      withSluice(async (folder) => {
        await besideFiles(folder, async (origin = "https://example.com") => {
          const examples = examplesIn(await Deno.readTextFile(checkoutPath(path)));
          for (const words of elsewhere) assert(examples.some(({ code }) => code.includes(words)));
          const own = examples.filter(({ code }) => !elsewhere.some((word) => code.includes(word)));
          assert(own.length > 0);
          for (const example of own) {
            const code = example.code.replaceAll("https://example.com", origin);
            await assertAnswer({ ...example, code }, folder);
          }
        });
      }),
  });
}

/** Calls `body` with a folder that has a command `sluice`, for `runBeside`. */
export function withSluice(body: (folder: string) => Promise<void>): Promise<void> {
  return inFolder({ sluice: command }, async (folder) => {
    await Deno.chmod(`${folder}/sluice`, 0o755);
    await body(folder);
  });
}

/** Runs the code of a block in a folder. */
export async function runBeside(
  folder: string,
  { language, code, env = {} }: Block,
): Promise<{ readonly status: number; readonly text: string }> {
  if (language === "sh") return await run("sh", ["-c", code], folder, env);
  const library = new URL("../../../mod.ts", import.meta.url).href;
  await Deno.writeTextFile(`${folder}/program.ts`, code.replaceAll("@sluice/sluice", library));
  const options = ["run", "-q", "-A", `--config=${checkoutPath("deno.json")}`];
  return await run(Deno.execPath(), [...options, "program.ts"], folder, env);
}

async function assertAnswer({ language, code, answer }: Example, folder: string): Promise<void> {
  const { status, text } = await runBeside(folder, { language, code });
  const expected = language === "sh" ? answer : outputOf(code);
  if (expected !== undefined) assertEquals(text.trimEnd(), expected.trimEnd());
  const isError = expected?.includes("sluice: error: ") === true;
  assertEquals([code, status !== 0, text.includes("error: ")], [code, isError, isError], text);
}

function examplesIn(page: string): Example[] {
  const blocks = page.matchAll(/^```(sh|ts)\n([^]*?)^```$(?:\n\n```text\n([^]*?)^```$)?/gm);
  return [...blocks].map(([, language, code, answer]) => ({
    language: language as Example["language"],
    code: code!,
    answer,
  }));
}

async function run(
  program: string,
  args: string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ status: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd,
    env: {
      PATH: `${cwd}:${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`,
      SLUICE_DEVICE: "cpu",
      NO_COLOR: "1",
      ...env,
    },
  }).output();
  const decoder = new TextDecoder();
  return { status: code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** The output of a program by its own comments: `// 1000 113` after each console.log. */
function outputOf(program: string): string {
  const printed = program.matchAll(/^console\.log\(.*; \/\/ (.*)$/gm);
  return [...printed].map(([, text]) => `${text}\n`).join("");
}
