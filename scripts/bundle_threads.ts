/**
 * Checks that the bundled programs of threads match their modules; `--update` bundles them again. The library
 * has them as text, since loading a module would need a permission.
 *
 * @module
 */

import { denoText } from "./bundle_modules.ts";

/** The module of a program, and the file that exports its text as `name`. */
interface Program {
  readonly main: string;
  readonly file: string;
  readonly name: string;
}

const programs: readonly Program[] = [
  {
    main: "gpu/host/threads/worker_main.ts",
    file: "gpu/host/threads/kernel_program.ts",
    name: "kernelProgram",
  },
  {
    main: "gpu/host/join/join_worker_main.ts",
    file: "gpu/host/join/join_program.ts",
    name: "joinProgram",
  },
];

/** Returns the content of the file with the text of a program. */
async function fileOf({ main, name }: Program): Promise<string> {
  const text = (await denoText(["bundle", "-q", "--minify", "--platform=browser", main])).trim();
  return `// Made by scripts/bundle_threads.ts.

/** The text of \`${main}\`, with all that it imports. */
export const ${name}: string =
  \`${text.replace(/[\\`]|\$(?=\{)/g, "\\$&")}\`;
`;
}

let numStale = 0;
for (const program of programs) {
  const { file, main } = program;
  const wanted = await fileOf(program);
  if (Deno.readTextFileSync(file) === wanted) continue;
  if (Deno.args.includes("--update")) Deno.writeTextFileSync(file, wanted);
  else {
    console.error(`${file} is not the text of ${main} any more`);
    numStale++;
  }
}
if (numStale > 0) {
  console.error("Bundle the programs again: deno run -A scripts/bundle_threads.ts --update");
  Deno.exit(1);
}
