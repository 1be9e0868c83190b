/**
 * Runs tests with an adapter where one can be had.
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

/** Which tests run, and how. */
export interface TestRun {
  /** Files and folders. */
  readonly paths: readonly string[];
  /** Files and folders below these that stay out. */
  readonly except?: readonly string[];
  /** Further arguments of `deno test`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The kind of adapter that the tests of the device use. Default: what Deno takes. */
  readonly adapter?: AdapterKind;
  /**
   * Whether to save time where there are many files: commands run from a bundle
   * (`tests/support/processes/sluice.ts`), and files that may share a process do (`suites.ts`).
   */
  readonly isQuick?: boolean;
  /** Whether to pass over the tests where there is no such adapter. Default: they fail or are ignored. */
  readonly isOptional?: boolean;
}

/** Files from which on a bundle saves the time that it takes to make, and suites are worth it. */
const MANY_FILES = 20;

/** The command, and what its processes preload. */
const BUNDLED = ["cli.ts", "tests/support/failed_parts.ts"];

const DEV_LOCK = ["--lock=deno.dev.lock", "--frozen"];

/** Arguments of `deno` that every file of tests is run with, in front of its name. */
export const TEST_ARGS: readonly string[] = [
  "test",
  "-A",
  // Modules of suites lie elsewhere.
  "--config=deno.json",
  ...DEV_LOCK,
  // Types are checked by `deno task ok`.
  "--no-check",
  // Off by default in this version of Deno.
  "--sanitize-ops",
  "--sanitize-resources",
  "--preload=tests/support/failed_parts.ts",
];

/** Runs tests and says how they went. */
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
 * Brings the packages of the tests, once, before processes side by side would all want to, also into a
 * folder: some of them are data sets.
 */
async function fetchPackages(): Promise<void> {
  const folder = "--node-modules-dir=auto";
  const args = ["cache", "-q", folder, ...DEV_LOCK, "tests/support/dev_dependencies.ts"];
  const { success } = await runDeno(args, { stdout: "inherit", stderr: "inherit" });
  if (!success) throw new Error("The packages of the tests could not be fetched");
}
