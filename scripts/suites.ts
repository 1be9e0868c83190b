/**
 * Suites: files of tests that share a process, and so load the library once. A file has a process of its
 * own where it changes what others would see, and where it is run without many others.
 *
 * @module
 */

import { pathToFileURL } from "node:url";

/** What one process of `deno test` runs. */
export interface TestUnit {
  /** A file of tests, or what a suite is called. */
  readonly name: string;
  /** The module that `deno test` is given. */
  readonly module: string;
  readonly numFiles: number;
}

/** Rooms whose tests load the library and start hardly any process. A driver can break down in others. */
const SHARING = ["base", "gpu", "ops", "streams"].map((room) => `tests/host/${room}/`);

/** Most files of a suite, so that it is neither what all others wait for nor takes much memory. */
const MOST_FILES = 10;

/** What changes the process: its environment, its folder, its globals, or classes of the library. */
const CHANGES = new RegExp(
  [
    /\bDeno\.(env\.(set|delete)|chdir|memoryUsage)\b|\bglobalThis\b|\.prototype\b|\bObject\.assign\(/,
    /support\/(running\/fake_timers|kernels\/kernel_steps|device\/|processes\/(threads|counted_workers))/,
    /support\/joins\/join_threads/,
  ].map(({ source }) => source).join("|"),
);

/** Each file by itself. */
export function unitsOf(files: readonly string[]): TestUnit[] {
  return files.map((file) => ({ name: file, module: file, numFiles: 1 }));
}

/**
 * Puts files that may share a process into suites, neighbours together, and writes the modules of these
 * into a folder. Paths are relative to the current directory.
 */
export async function suitesOf(files: readonly string[], folder: string): Promise<TestUnit[]> {
  const sharing = files.filter(mayShare);
  const units = unitsOf(files.filter((file) => !mayShare(file)));
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

/** Whether a file of tests leaves its process as it was. */
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
