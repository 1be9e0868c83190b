/**
 * Checks that tests mirror the code: below `tests/host` or `tests/device` in the same folder, and under the
 * name of the file that they test, if there is one.
 *
 * ```sh
 * deno run -A scripts/test_rooms.ts
 * ```
 *
 * prints the shares, and each test that has no source file at its mirrored path.
 *
 * @module
 */

import { dirname } from "node:path/posix";

/** The folders of code that has tests, besides `tests/` itself. */
const CODE = ["base", "bench", "cli", "examples", "gpu", "ops", "scripts", "streams"];

/** Returns the path that a test file mirrors, without its suffix; undefined for any other file. */
function mirrored(path: string): string | undefined {
  const place = /^tests\/(?:host|device)\/(.*)_test\.ts$/.exec(path)?.[1];
  // Tests of the test helpers mirror the folders of these.
  return place?.replace(/^(fuzz|support)\//, "tests/$1/");
}

/** Returns the tests in folders that the code does not have, except those outside of all folders. */
export function testsWithoutRoom(tests: readonly string[], sources: readonly string[]): string[] {
  const rooms = new Set(["."]);
  for (const source of sources) {
    for (let room = dirname(source); room !== "."; room = dirname(room)) rooms.add(room);
  }
  return tests.filter((path) => {
    const place = mirrored(path);
    return place !== undefined && !rooms.has(dirname(place));
  });
}

/** Returns the tests and the code of the checkout in the current directory. */
export function testsAndSources(): { tests: string[]; sources: string[] } {
  const isCode = (path: string) => path.endsWith(".ts") && !path.endsWith("_test.ts");
  const sources = [...CODE, "tests/fuzz", "tests/support"].flatMap(filesBelow).filter(isCode);
  for (const { name, isFile } of Deno.readDirSync(".")) {
    if (isFile && isCode(name)) sources.push(name);
  }
  const tests = ["tests/host", "tests/device"].flatMap(filesBelow)
    .filter((path) => path.endsWith("_test.ts"));
  return { tests: tests.sort(), sources };
}

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(`${folder}/${name}`) : [`${folder}/${name}`]
  );
}

if (import.meta.main) {
  const { tests, sources } = testsAndSources();
  const known = new Set(sources.map((path) => path.replace(/\.ts$/, "")));
  const named = tests.filter((path) => known.has(mirrored(path)!));
  const lost = testsWithoutRoom(tests, sources);
  const percent = (count: number) => `${count} (${(100 * count / tests.length).toFixed(0)} %)`;
  console.log(`${tests.length} files of tests`);
  console.log(`at the path of a file: ${percent(named.length)}`);
  console.log(`in the room of code: ${percent(tests.length - lost.length)}`);
  const own = new Set(tests.map(mirrored));
  const library = sources.filter((path) => /^(base|cli|gpu|ops|streams)\//.test(path));
  const tested = library.filter((path) => own.has(path.replace(/\.ts$/, ""))).length;
  const share = (100 * tested / library.length).toFixed(0);
  console.log(
    `files of the library with a test at their path: ${tested} of ${library.length} (${share} %)`,
  );
  const unnamed = tests.filter((path) => !named.includes(path));
  for (const path of unnamed) console.log(`${lost.includes(path) ? "no room" : "room   "} ${path}`);
}
