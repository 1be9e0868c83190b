/**
 * `deno task bundle`: bundles the command of this checkout as it is. `cli.ts` uses the bundle until one of
 * its modules changes.
 *
 * @module
 */

import { fileURLToPath, pathToFileURL } from "node:url";
import { type Bundle, bundleFile, bundlePlaces } from "../cli/bundled.ts";
import { bundleModules, denoText, filesIn, WORKERS } from "./bundle_modules.ts";

const MAIN = "cli/main.ts";

/** The age up to which old bundles are kept: running commands may still load from them. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** The checkout, with links resolved, as Deno names its modules. */
const root = pathToFileURL(`${Deno.realPathSync(new URL("../", import.meta.url))}/`);
const places = bundlePlaces(root);
const name = `${Date.now()}`;
const folder = new URL(`${name}/`, places.folder);

if (Deno.args.length > 0) {
  console.error("deno task bundle");
  Deno.exit(2);
}
Deno.chdir(root);
try {
  await Deno.mkdir(places.folder, { recursive: true });
  const numModules = await bundle();
  await removeOld();
  console.log(`Bundled ${numModules} modules; commands of this checkout start from them`);
} catch (error) {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  console.error(`Cannot bundle: ${error instanceof Error ? error.message : error}`);
  Deno.exit(1);
}

/** Writes the bundle, then the list that points to it. Returns the number of its modules. */
async function bundle(): Promise<number> {
  // Described before bundling, so that a change meanwhile makes the bundle stale.
  const sources = (await modules()).map(bundleFile);
  await bundleModules([MAIN], folder);
  const bundle: Bundle = {
    root: root.href,
    main: `${name}/${MAIN.replace(/\.ts$/, ".js")}`,
    files: [...sources, ...filesIn(folder).map(bundleFile)],
  };
  const part = new URL("command.json", folder);
  await Deno.writeTextFile(part, JSON.stringify(bundle));
  await Deno.rename(part, places.list);
  return sources.length;
}

/** Returns our modules that the command can load, and the lock file, which decides its packages. */
async function modules(): Promise<string[]> {
  const paths = new Set([fileURLToPath(new URL("deno.lock", root))]);
  for (const entry of [MAIN, ...WORKERS]) {
    const { modules } = JSON.parse(await denoText(["info", "--json", entry]));
    for (const { specifier } of modules as { specifier: string }[]) {
      if (specifier.startsWith(root.href)) paths.add(fileURLToPath(specifier));
    }
    if (!paths.has(fileURLToPath(new URL(entry, root)))) throw new Error(`Deno found no ${entry}`);
  }
  return [...paths].sort();
}

async function removeOld(): Promise<void> {
  for (const { name: old } of Deno.readDirSync(places.folder)) {
    if (!/^\d{13}$/.test(old) || old === name) continue;
    const { mtime } = await Deno.stat(new URL(old, places.folder));
    if (Date.now() - (mtime?.getTime() ?? 0) < KEPT_MS) continue;
    await Deno.remove(new URL(old, places.folder), { recursive: true });
  }
}
