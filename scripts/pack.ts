/**
 * `deno task pack FOLDER`: packs everything that a machine with a graphics card but without a network needs to
 * measure and test the device: Deno, the packages, the Vulkan loader and this checkout. On that machine,
 * `sh FOLDER/run.sh` unpacks it and measures the card part by part, including the stress test and the tests;
 * see `run_packed.sh` and `bench/card.ts`. For Linux on this machine's architecture; needs `tar`, `xz` and
 * `ldd`.
 *
 * It leaves out the tests that other libraries judge (DuckDB, Polars) or that read data sets: they would make
 * the pack ten times as large.
 *
 * @module
 */

import { findTestFiles } from "./test_files.ts";
import { checkoutPath } from "../tests/support/processes/sluice.ts";

/** Our modules that each module imports, by module. */
const knownModules = new Map<string, Promise<string[]>>();

/** The programs that run there, besides tests. */
const ENTRIES = ["bench/card.ts", "scripts/stress.ts"];

/** Preloaded by all tests. */
const PRELOADED = "tests/support/failed_parts.ts";

/** The libraries that load drivers of cards; the machine may have some already. */
const LIBRARIES = [
  ...["libvulkan.so.1", "libGLdispatch.so.0", "libEGL.so.1", "libOpenGL.so.0", "libGL.so.1"],
  ...["libGLX.so.0", "libGLESv2.so.2", "libXext.so.6"],
];

/** The packages that nothing in the pack imports: peers, compilers, data sets. */
const LEFT_OUT = [
  ...["@duckdb/node-api", "nodejs-polars", "webgpu", "@webgpu/types", "wabt", "typescript"],
  ...["@types/node", "vega-datasets"],
];

/** Parts of the C library and of the compiler, which every machine that runs Deno has. */
const IS_SYSTEM = /^(ld-linux|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+)[-.]/;

/** The options of `xz`: a higher level takes minutes to save a tenth of the bytes. */
const XZ = "-T0 -3";

const LOCK = ["--lock=deno.dev.lock", "--frozen"];

const [folder, ...rest] = Deno.args;
if (folder === undefined || folder.startsWith("-") || rest.length > 0) {
  console.error("deno task pack FOLDER");
  Deno.exit(2);
}
await Deno.mkdir(folder, { recursive: true });
const target = await Deno.realPath(folder);
Deno.chdir(checkoutPath("."));
try {
  await pack(target);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  Deno.exit(1);
}

async function pack(target: string): Promise<void> {
  const { tests, left } = await packableTests();
  await Deno.writeTextFile(`${target}/tests.txt`, tests.map((file) => `${file}\n`).join(""));
  await packPackages(target, tests);
  await packLibraries(target);
  await packProject(target);
  await run("sh", ["-c", `xz ${XZ} -c "$0" >"$1"`, Deno.execPath(), `${target}/deno.xz`]);
  await Deno.copyFile("scripts/run_packed.sh", `${target}/run.sh`);
  let bytes = 0;
  for (const { name, isFile } of Deno.readDirSync(target)) {
    if (isFile) bytes += Deno.statSync(`${target}/${name}`).size;
  }
  console.log(`${target}: ${(bytes / 2 ** 20).toFixed(1)} MiB, ${tests.length} files of tests`);
  console.log(`Left out, for what they read: ${left.join(", ")}`);
}

/** Returns the device tests whose modules name neither a peer nor a data set, and the others. */
async function packableTests(): Promise<{ tests: string[]; left: string[] }> {
  const [tests, left]: [string[], string[]] = [[], []];
  for (const file of findTestFiles(["tests/device"])) {
    const modules = await localModules(file);
    const isLarge = modules.some((path) =>
      /"npm:(@duckdb|nodejs-polars)|node_modules\/vega/.test(Deno.readTextFileSync(path))
    );
    (isLarge ? left : tests).push(file);
  }
  return { tests, left };
}

/** Returns a module and our modules that it imports. */
function localModules(file: string): Promise<string[]> {
  let modules = knownModules.get(file);
  if (modules === undefined) knownModules.set(file, modules = findModules(file));
  return modules;
}

async function findModules(file: string): Promise<string[]> {
  const text = await run(Deno.execPath(), ["info", "--json", ...LOCK, file]);
  const { modules } = JSON.parse(text) as { modules: { specifier: string; local?: string }[] };
  return modules.flatMap(({ specifier, local }) =>
    specifier.startsWith("file:") && local !== undefined && !local.endsWith(".json") ? [local] : []
  );
}

/** Packs the packages of all entries, as Deno caches them, including those that are loaded by name. */
async function packPackages(target: string, tests: readonly string[]): Promise<void> {
  const entries = [...ENTRIES, PRELOADED, ...tests];
  const modules = new Set<string>();
  for (const entry of entries) for (const path of await localModules(entry)) modules.add(path);
  const hidden = new Set<string>();
  for (const path of modules) {
    // Names with a version, except peers, which load only on request.
    for (const [, name] of Deno.readTextFileSync(path).matchAll(/"(npm:[^"@]+@[\d.]+)[^"]*"/g)) {
      if (!/polars|duckdb|webgpu|wabt/.test(name!)) hidden.add(name!);
    }
  }
  const cache = await Deno.makeTempDir();
  try {
    const lock = `${cache}/packages.lock`;
    await Deno.writeTextFile(lock, JSON.stringify(await packedLock()));
    const how = ["-q", "--node-modules-dir=none", `--lock=${lock}`, "--frozen=false"];
    await run(Deno.execPath(), ["cache", ...how, ...entries, ...hidden], { DENO_DIR: cache });
    await archive(`${target}/packages.tar.xz`, cache, ["npm", "packages.lock"]);
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
}

/** The part of a lock file that is read here. */
interface Lock {
  readonly specifiers: Readonly<Record<string, string>>;
  readonly npm: Readonly<Record<string, { readonly dependencies?: readonly string[] }>>;
}

/** Returns the lock file without the packages that are left out: Deno requires every package that it names. */
async function packedLock(): Promise<Lock> {
  const lock: Lock = JSON.parse(await Deno.readTextFile("deno.dev.lock"));
  const nameOf = (text: string) => /^(?:npm:)?(@?[^@]+)/.exec(text)![1]!;
  const specifiers = Object.entries(lock.specifiers)
    .filter(([specifier]) => !LEFT_OUT.includes(nameOf(specifier)));
  const kept = new Set<string>();
  const waiting = specifiers.map(([specifier, version]) => `${nameOf(specifier)}@${version}`);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    // A lock file omits the version of a package that has only one.
    const key = name in lock.npm
      ? name
      : Object.keys(lock.npm).find((key) => nameOf(key) === nameOf(name!))!;
    if (kept.has(key)) continue;
    kept.add(key);
    waiting.push(...lock.npm[key]!.dependencies ?? []);
  }
  const npm = Object.entries(lock.npm).filter(([key]) => kept.has(key));
  return {
    ...lock,
    specifiers: Object.fromEntries(specifiers),
    npm: Object.fromEntries(npm),
  };
}

/** Packs the loaders and the libraries that they link. */
async function packLibraries(target: string): Promise<void> {
  const known = new Map<string, string>();
  for (const line of (await run("sh", ["-c", "PATH=$PATH:/sbin ldconfig -p"])).split("\n")) {
    const [, name, path] = /^\s*(\S+) .*=> (\S+)$/.exec(line) ?? [];
    if (name !== undefined && !known.has(name)) known.set(name, path!);
  }
  const missing = LIBRARIES.filter((name) => !known.has(name));
  if (missing.length > 0) console.log(`Not on this machine, so not packed: ${missing.join(", ")}`);
  const libraries = new Map<string, string>();
  for (const name of LIBRARIES) {
    const path = known.get(name);
    if (path === undefined) continue;
    libraries.set(name, path);
    for (const [, linked, at] of (await run("ldd", [path])).matchAll(/(\S+) => (\/\S+)/g)) {
      if (!IS_SYSTEM.test(linked!)) libraries.set(linked!, at!);
    }
  }
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, path] of libraries) await Deno.copyFile(path, `${folder}/${name}`);
    await archive(`${target}/libraries.tar.xz`, folder, ["."]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Packs this checkout, including changes that are not committed. */
async function packProject(target: string): Promise<void> {
  const listed = await run("git", ["ls-files", "-co", "--exclude-standard"]);
  const files = listed.split("\n").filter((file) => file !== "" && isThere(file));
  const commit = (await run("git", ["describe", "--always", "--dirty", "--abbrev=12"])).trim();
  await Deno.writeTextFile(`${target}/commit.txt`, `${commit}\n`);
  await archive(`${target}/project.tar.xz`, ".", files);
}

async function archive(path: string, folder: string, names: readonly string[]): Promise<void> {
  const list = await Deno.makeTempFile();
  await Deno.writeTextFile(list, names.join("\n"));
  try {
    const args = ["-C", folder, "-cJf", path, "--verbatim-files-from", "-T", list];
    await run("tar", args, { XZ_OPT: XZ });
  } finally {
    await Deno.remove(list);
  }
}

function isThere(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Returns the output of a command. Throws an Error with its last line if it fails. */
async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const output = await new Deno.Command(command, { args: [...args], env: { ...env } }).output()
    .catch(() => {
      throw new Error(`there is no ${command}`);
    });
  const text = new TextDecoder();
  if (output.success) return text.decode(output.stdout);
  const [last = ""] = text.decode(output.stderr).trim().split("\n").slice(-1);
  throw new Error(`${command} ${args[0]} failed: ${last}`);
}
