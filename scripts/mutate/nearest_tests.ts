/**
 * Which tests see a module, by the imports between them.
 *
 * @module
 */

import { basename, dirname, join, normalize } from "node:path/posix";
import { findImports } from "../imports.ts";
/** For each module those that import it, start it on a thread, or run it as a process. */
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
  const targets = [...beside, ...programs].map((target) => normalize(join(dirname(path), target)));
  const run = [...text.matchAll(/\bcheckoutPath\("([^"]+\.ts)"\)/g)].map(([, target]) => target!);
  return new Set([...targets, ...run]);
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
 * The tests that see a module, the likeliest to fail first: those of its name, then those from which the
 * fewest imports lead to it, of these the fastest.
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
  const place = (file: string) =>
    basename(file) === `${stem}_test.ts` && distances.get(file)! <= 3 ? 0 : distances.get(file)!;
  return [...distances.keys()].filter((file) => file.endsWith("_test.ts"))
    .sort((left, right) =>
      place(left) - place(right) || secondsOf(left) - secondsOf(right) || (left < right ? -1 : 1)
    );
}
