/**
 * Finds the tests of a module by the imports between them.
 *
 * @module
 */

import { basename, dirname, join, normalize } from "node:path/posix";
import { findImports } from "../imports.ts";

/** The number of imports by which a common word makes a test file nearer. */
const IMPORTS_PER_WORD = 2;
const COMMON_WORDS = new Set(
  ["test", "host", "device", "gpu", "op", "stream", "format", "of", "the"],
);

/** Returns for each module those that import it, start it on a thread, or run it as a process. */
export function findImporters(root: string): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const path of sourcePaths(root, "")) {
    for (const target of targetsOf(path, Deno.readTextFileSync(`${root}/${path}`))) {
      const known = importers.get(target);
      if (known === undefined) importers.set(target, [path]);
      else known.push(path);
    }
  }
  return importers;
}

function targetsOf(path: string, text: string): Set<string> {
  const beside = findImports(text)
    .filter(({ specifier, names, values }) =>
      specifier.startsWith(".") && (values.length > 0 || names.length === 0)
    )
    .map(({ specifier }) => specifier);
  const programs = [...text.matchAll(/new URL\("(\.{1,2}\/[^"]+\.ts)"/g)].map(([, target]) =>
    target!
  );
  // A bundled program of a thread names its module in a comment.
  const [, bundled] = /^\/\*\* The text of `([^`]+\.ts)`/m.exec(text) ?? [];
  const targets = [...beside, ...programs].map((target) => normalize(join(dirname(path), target)));
  const run = [...text.matchAll(/\bcheckoutPath\("([^"]+\.ts)"\)/g)].map(([, target]) => target!);
  return new Set([...targets, ...run, ...(bundled === undefined ? [] : [bundled])]);
}

function* sourcePaths(root: string, folder: string): Generator<string, void, void> {
  for (const { name, isDirectory } of Deno.readDirSync(`${root}/${folder}`)) {
    const path = `${folder}${name}`;
    if (isDirectory) {
      if (!/^(\.|node_modules)/.test(name)) yield* sourcePaths(root, `${path}/`);
    } else if (name.endsWith(".ts")) yield path;
  }
}

/**
 * Returns the tests that import a module, those likeliest to fail for their processor time first. A test file
 * is likely to fail if few imports lead from it to the module, and more so if its path has words of the
 * module's path. One that takes twice as long ranks an import later. A test of the module's own name is first.
 */
export function nearestTests(
  path: string,
  importers: ReadonlyMap<string, readonly string[]>,
  secondsOf: (file: string) => number,
): string[] {
  const distances = new Map([[path, 0]]);
  for (const [module, distance] of distances) {
    for (const importer of importers.get(module) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  const stem = basename(path).replace(/\.\w+$/, "");
  const words = wordsOf(path);
  const place = (file: string): number => {
    const distance = distances.get(file)!;
    if (basename(file) === `${stem}_test.ts` && distance <= 3) return -Infinity;
    const shared = wordsOf(file).intersection(words).size;
    return distance - IMPORTS_PER_WORD * shared + Math.log2(Math.max(1, secondsOf(file)));
  };
  const places = new Map(
    [...distances.keys()].filter((file) => file.endsWith("_test.ts"))
      .map((file) => [file, place(file)]),
  );
  return [...places.keys()].sort((left, right) => {
    const [one, other] = [places.get(left)!, places.get(right)!];
    return one === other ? (left < right ? -1 : 1) : one - other;
  });
}

/** Returns the words of a path, in the singular, without common ones. */
function wordsOf(path: string): Set<string> {
  const words = path.replace(/\.\w+$/, "").split(/[/_]/).map((word) => word.replace(/s$/, ""));
  return new Set(words.filter((word) => !COMMON_WORDS.has(word)));
}
