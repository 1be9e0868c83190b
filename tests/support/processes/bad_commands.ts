/** Commands that are refused or fail: one line, the right exit status, and no file left. */

import { assertEquals, assertMatch } from "@std/assert";
import { inFolder, sluice } from "./sluice.ts";

/** A small table, as `people.csv` in the folder of each command. */
export const people = "id,name\n1,Ada\n2,Alan\n";

/** What a command is given, and the one line that it answers, after `sluice: error: `. */
export interface BadCommand {
  /** The arguments, with blanks between them; or a list, where one of them has blanks. */
  readonly args: string | readonly string[];
  readonly status: 1 | 2;
  readonly line: RegExp;
  /** What the lines below it show, if any. */
  readonly place?: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** One line on stderr, nothing on stdout, the status, and no file that was not there before. */
export async function assertFails(
  { files = {}, args, env = {}, status, line, place = "" }: BadCommand,
): Promise<void> {
  await inFolder({ "people.csv": people, ...files }, async (cwd) => {
    const before = namesIn(cwd);
    const words = typeof args === "string" ? args.split(" ") : args;
    const result = await sluice(words, { cwd, env });
    const [first = "", ...rest] = result.err.trimEnd().split("\n");
    assertMatch(first, /^sluice: error: [^\n]*[^.]$/);
    assertMatch(first.replace("sluice: error: ", ""), line);
    assertEquals(rest.join("\n"), place);
    assertEquals([result.status, result.out], [status, ""]);
    assertEquals(namesIn(cwd), before);
  });
}

/** The names of the files of a folder. */
export function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** What a line is, to the letter. */
export function exactly(line: string): RegExp {
  return new RegExp(`^${line.replace(/[[\]().+*?]/g, "\\$&")}$`);
}
