/**
 * `deno task bundle`: writes the command as a bundle, of this checkout as it is. `cli.ts` takes it
 * until one of its modules changes.
 *
 * @module
 */

import { basename } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { type Bundle, bundleFolder, bundleList, root, sourceNow } from "../cli/bundled.ts";
import { runDeno } from "./run_deno.ts";

const MAIN = "cli/main.ts";

/** The programs of workers, which are started by their names beside the module that starts them. */
const WORKERS = [
  "streams/parquet/worker/worker_main.ts",
  "streams/parquet/worker/encode_main.ts",
  "ops/rechunk/run/lane_main.ts",
];

/** Stays a package: its WebAssembly is a file beside it. */
const EXTERNAL = "parquet-wasm/esm";

/** Commands that run may still load from the bundle before this one. */
const NUM_KEPT = 2;

Deno.chdir(root);
await Deno.mkdir(bundleFolder, { recursive: true });
const name = `${Date.now()}`;
const folder = new URL(`${name}/`, bundleFolder);
// What changes while it is bundled makes it old.
const sources = (await modules()).map(sourceNow);
await run([
  ...["bundle", "-q", "--code-splitting", "--platform=deno", `--external=${EXTERNAL}`],
  ...[`--outdir=.cache/command/${name}`, MAIN, ...WORKERS],
]);
await dropRequire();
for (const path of WORKERS) {
  const program = `import "./${path.replace(/\.ts$/, ".js")}";\n`;
  await Deno.writeTextFile(new URL(basename(path), folder), program);
}
const bundle: Bundle = {
  root: root.href,
  main: `${name}/${MAIN.replace(/\.ts$/, ".js")}`,
  sources,
};
const part = new URL("command.json.part", bundleFolder);
await Deno.writeTextFile(part, JSON.stringify(bundle));
await Deno.rename(part, bundleList);
await removeOld();
console.log(`Bundled ${sources.length} modules; commands of this checkout start from them`);

/** The modules of ours that the command can load, and what decides which packages it does. */
async function modules(): Promise<string[]> {
  const paths = new Set([fileURLToPath(new URL("deno.lock", root))]);
  for (const entry of [MAIN, ...WORKERS]) {
    const { modules } = JSON.parse(await run(["info", "--json", entry]));
    for (const { specifier } of modules as { specifier: string }[]) {
      if (specifier.startsWith(root.href)) paths.add(fileURLToPath(specifier));
    }
  }
  return [...paths].sort();
}

/**
 * Lets a module ask for `require` when it calls it: Deno's bundle makes it for each that has any of
 * CommonJS, for which it loads much of Node.
 */
async function dropRequire(): Promise<void> {
  const made =
    /^import \{ createRequire as (\w+) \} from "node:module";\n(var \w+) = \1\((.*)\);$/m;
  const whenCalled = '$2 = (id) => process.getBuiltinModule("module").createRequire($3)(id);';
  for (const { name, isFile } of Deno.readDirSync(folder)) {
    if (!isFile) continue;
    const code = await Deno.readTextFile(new URL(name, folder));
    if (made.test(code)) {
      await Deno.writeTextFile(new URL(name, folder), code.replace(made, whenCalled));
    }
  }
}

async function removeOld(): Promise<void> {
  const folders = [...Deno.readDirSync(bundleFolder)].filter(({ isDirectory }) => isDirectory);
  const names = folders.map(({ name }) => name).sort();
  for (const old of names.slice(0, -NUM_KEPT)) {
    await Deno.remove(new URL(old, bundleFolder), { recursive: true });
  }
}

/** Runs Deno; gives what it printed, or ends with that. */
async function run(args: readonly string[]): Promise<string> {
  const { success, stdout } = await runDeno(args, { stdout: "piped", stderr: "inherit" });
  if (!success) Deno.exit(1);
  return new TextDecoder().decode(stdout);
}
