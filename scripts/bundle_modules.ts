/**
 * Bundles programs of this checkout, and the programs of the threads that they start.
 *
 * @module
 */

import { basename } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { runDeno } from "./run_deno.ts";

/** The programs of threads, each started by its name beside the module that starts it. */
export const WORKERS: readonly string[] = [
  "streams/formats/parquet/worker/worker_main.ts",
  "streams/formats/parquet/worker/encode_main.ts",
  "ops/rechunk/move/rechunk_main.ts",
  "cli/exit/interrupt_main.ts",
];

/** Not bundled: its WebAssembly is a file beside it. */
const EXTERNAL = "parquet-wasm/esm";

/**
 * Bundles programs to a folder, each under its own path, as a `.js`. Paths are relative to the checkout, which
 * must be the current directory.
 */
export async function bundleModules(programs: readonly string[], folder: URL): Promise<void> {
  await denoText([
    ...["bundle", "-q", "--code-splitting", "--platform=deno", `--external=${EXTERNAL}`],
    ...[`--outdir=${fileURLToPath(folder)}`, ...programs, ...WORKERS],
  ]);
  await dropRequire(folder);
  for (const path of WORKERS) {
    const program = `import "./${path.replace(/\.ts$/, ".js")}";\n`;
    await Deno.writeTextFile(new URL(basename(path), folder), program);
  }
}

/**
 * Makes modules create `require` only when they call it. Deno's bundler creates it in each module that has
 * any CommonJS, which loads much of Node.
 */
async function dropRequire(folder: URL): Promise<void> {
  const made =
    /^import \{ createRequire as (\w+) \} from "node:module";\n(var \w+) = \1\((.*)\);$/m;
  const whenCalled = '$2 = (id) => process.getBuiltinModule("module").createRequire($3)(id);';
  for (const path of filesIn(folder)) {
    const code = await Deno.readTextFile(path);
    if (made.test(code)) await Deno.writeTextFile(path, code.replace(made, whenCalled));
  }
}

/** Returns the paths of all files below a folder. */
export function filesIn(folder: URL): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? filesIn(new URL(`${encodeURIComponent(name)}/`, folder))
      : [fileURLToPath(new URL(encodeURIComponent(name), folder))]
  );
}

/** Runs Deno and returns its output. */
export async function denoText(args: readonly string[]): Promise<string> {
  const { success, stdout } = await runDeno(args, { stdout: "piped", stderr: "inherit" });
  if (!success) throw new Error(`deno ${args[0]} failed`);
  return new TextDecoder().decode(stdout);
}
