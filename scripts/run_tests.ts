/**
 * Runs tests, with an adapter if one can be found or installed.
 *
 * @module
 */

import { pathToFileURL } from "node:url";
import { type AdapterKind, driverVariables, prepareAdapter } from "./adapter.ts";
import { bundleModules } from "./bundle_modules.ts";
import { runDeno } from "./run_deno.ts";
import { type Counts, runSideBySide } from "./side_by_side.ts";
import { suitesOf, type TestUnit, unitsOf } from "./suites.ts";
import { findTestFiles } from "./test_files.ts";

/** The tests to run, and the way to run them. */
export interface TestRun {
  /** Files and folders. */
  readonly paths: readonly string[];
  /** Files and folders below these that do not run. */
  readonly except?: readonly string[];
  /** Further arguments of `deno test`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The kind of adapter that device tests use. Default: the one that Deno prefers. */
  readonly adapter?: AdapterKind;
  /**
   * Whether to save time if there are many files: commands run from a bundle
   * (`tests/support/processes/sluice.ts`), and files share processes where they may (`suites.ts`).
   */
  readonly isQuick?: boolean;
  /** Whether to skip all tests if there is no such adapter. Default: device tests fail or are ignored. */
  readonly isOptional?: boolean;
}

/** The number of files from which a bundle and suites save more time than they cost. */
const MANY_FILES = 20;

/** The command, and the module that its processes preload. */
const BUNDLED = ["cli.ts", "tests/support/failed_parts.ts"];

const DEV_LOCK = ["--lock=deno.dev.lock", "--frozen"];

/** The arguments of `deno` for every test file, before its name. */
export const TEST_ARGS: readonly string[] = [
  "test",
  "-A",
  // Modules of suites lie outside of the checkout.
  "--config=deno.json",
  ...DEV_LOCK,
  // `deno task ok` checks the types.
  "--no-check",
  // Off by default in this version of Deno.
  "--sanitize-ops",
  "--sanitize-resources",
  "--preload=tests/support/failed_parts.ts",
];

/** Runs tests and prints their results. */
export async function runTests(
  { paths, except = [], args = [], env, adapter, isQuick, isOptional }: TestRun,
): Promise<Counts> {
  const left = new Set(findTestFiles(except));
  const files = findTestFiles(paths).filter((file) => !left.has(file));
  const { name, note } = await prepareAdapter(adapter);
  if (name !== undefined) {
    console.log(`WebGPU adapter: ${name} (${note})`);
  } else {
    const required = Deno.env.get("SLUICE_REQUIRE_ADAPTER") === "1";
    console.log(`No WebGPU adapter: ${note}`);
    if (isOptional) return { passed: 0, failed: 0, ignored: files.length };
    console.log(`Tests of the device are ${required ? "failures" : "ignored"}`);
  }
  await fetchPackages();
  const run = (units: readonly TestUnit[], bundled: Readonly<Record<string, string>> = {}) =>
    runSideBySide(units, {
      args: [...TEST_ARGS, ...args],
      env: { ...driverVariables(adapter), ...bundled, ...env },
    });
  if (isQuick !== true || files.length < MANY_FILES) return await run(unitsOf(files));
  const folder = await Deno.makeTempDir({ prefix: "sluice-test-" });
  try {
    await bundleModules(BUNDLED, pathToFileURL(`${folder}/`));
    return await run(await suitesOf(files, folder), { SLUICE_TEST_BUNDLE: folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Fetches the packages of the tests once, before parallel processes all do so. Also writes them to
 * `node_modules`: some of them are data sets.
 */
async function fetchPackages(): Promise<void> {
  const folder = "--node-modules-dir=auto";
  const args = ["cache", "-q", folder, ...DEV_LOCK, "tests/support/dev_dependencies.ts"];
  const { success } = await runDeno(args, { stdout: "inherit", stderr: "inherit" });
  if (!success) throw new Error("The packages of the tests could not be fetched");
}
