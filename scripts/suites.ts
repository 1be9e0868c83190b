/**
 * Suites: test files that share a process, and so load the library once. A file that changes the state of its
 * process gets its own, and so does every file of a small run.
 *
 * @module
 */

import { pathToFileURL } from "node:url";

/** The work of one process of `deno test`. */
export interface TestUnit {
  /** The test file, or a name for the suite. */
  readonly name: string;
  /** The module that `deno test` runs. */
  readonly module: string;
  readonly numFiles: number;
}

/** Folders whose tests load the library and start hardly any process. Drivers can crash in others. */
const SHARING = ["base", "gpu", "ops", "streams"].map((room) => `tests/host/${room}/`);

/** The most files of a suite, so that it takes neither too long nor too much memory. */
const MOST_FILES = 10;

/** Matches code that changes the process: its environment, folder or globals, or classes of the library. */
const CHANGES = new RegExp(
  [
    /\bDeno\.(env\.(set|delete)|chdir|memoryUsage)\b|\bglobalThis\b|\.prototype\b|\bObject\.assign\(/,
    /support\/(running\/fake_timers|kernels\/kernel_steps|device\/|processes\/(threads|counted_workers))/,
    /support\/joins\/join_threads/,
  ].map(({ source }) => source).join("|"),
);

/** Returns a unit for each file. */
export function unitsOf(files: readonly string[]): TestUnit[] {
  return files.map((file) => ({ name: file, module: file, numFiles: 1 }));
}

/**
 * Groups files that may share a process into suites, neighbours together, and writes the modules of the suites
 * to a folder. Paths are relative to the current directory.
 */
export async function suitesOf(files: readonly string[], folder: string): Promise<TestUnit[]> {
  const sharing = files.filter(mayShare);
  const units = unitsOf(files.filter((file) => !sharing.includes(file)));
  for (const room of SHARING) {
    const own = sharing.filter((file) => file.startsWith(room));
    const numSuites = Math.ceil(own.length / MOST_FILES);
    for (let at = 0; at < numSuites; at++) {
      const part = own.slice(
        Math.floor(at * own.length / numSuites),
        Math.floor((at + 1) * own.length / numSuites),
      );
      units.push(await writeSuite(part, `${folder}/${room.split("/")[2]}_${at}_test.ts`));
    }
  }
  return units;
}

/** Whether a test file may share a process. */
export function mayShare(file: string): boolean {
  return SHARING.some((room) => file.startsWith(room)) &&
    !CHANGES.test(Deno.readTextFileSync(file));
}

async function writeSuite(files: readonly string[], module: string): Promise<TestUnit> {
  const imports = files.map((file) => `import "${pathToFileURL(Deno.realPathSync(file))}";\n`);
  await Deno.writeTextFile(module, imports.join(""));
  const [first, last] = [files[0]!, files.at(-1)!];
  const name = files.length === 1 ? first : `${first} … ${last} (${files.length} files)`;
  return { name, module, numFiles: files.length };
}
