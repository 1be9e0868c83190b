/**
 * Keeps the order of the layers: cli -> mod -> ops -> { gpu, streams }, Arrow's bytes in one place,
 * and each optional package behind one door.
 *
 * @module
 */

import { dirname, join, normalize } from "node:path/posix";
import { findImports, type Import } from "./imports.ts";

/** A layer: its files, and the files that it may import. */
interface Layer {
  readonly name: string;
  readonly files: RegExp;
  readonly may: RegExp;
}

const layers: readonly Layer[] = [
  { name: "gpu", files: /^gpu\//, may: /^gpu\// },
  { name: "streams", files: /^streams\//, may: /^streams\// },
  { name: "ops", files: /^ops\//, may: /^(ops|gpu|streams)\// },
  { name: "mod", files: /^mod\.ts$/, may: /^(ops|gpu|streams)\// },
  {
    name: "cli",
    files: /^cli(\/|\.ts$)/,
    // Some small files serve what is told before the library is loaded.
    may:
      /^(cli\/|cli\.ts$|mod\.ts$|deno\.json$|ops\/(engine\/environment|expr\/nearest_name|expr\/expr_error)\.ts$|streams\/(errors|formats|json_mark|standard_streams|show_controls|uuid)\.ts$)/,
  },
];

/** Which files may import a package at run time; a package that is not here is anybody's. */
const doors: Readonly<Record<string, RegExp>> = {
  "parquet-wasm": /^streams\/parquet/,
  "acorn": /^(gpu\/kernel|ops\/expr)\//,
  "@eslint-community/regexpp": /^ops\/regex\//,
  "vega-datasets": /^$/,
};

/** The classes and functions of apache-arrow that read and write bytes. */
const arrowBytes = /^(\*|table(From|To)IPC(Stream)?|\w*(Reader|Writer)|AsyncByte\w+|ByteStream)$/;
const arrowDoor = /^streams\/arrow(\.ts$|\/)/;

/** Finds the imports of one file that break the order, each as a line for a person. */
export function checkFile(path: string, source: string): string[] {
  const layer = layers.find(({ files }) => files.test(path));
  if (layer === undefined) return [];
  return findImports(source)
    .map((found) => problemOf(layer, path, found))
    .filter((problem) => problem !== undefined)
    .map((problem) => `${path}: ${problem}`);
}

function problemOf(layer: Layer, path: string, found: Import): string | undefined {
  const { specifier, values } = found;
  if (specifier.startsWith(".")) {
    const target = normalize(join(dirname(path), specifier));
    return layer.may.test(target) ? undefined : `${layer.name} must not import ${target}`;
  }
  if (specifier === "apache-arrow") {
    if (layer.name === "gpu") return "gpu knows no Arrow";
    if (arrowDoor.test(path)) return undefined;
    const name = values.find((name) => arrowBytes.test(name));
    return name && `only streams/arrow.ts reads and writes Arrow's bytes (${name})`;
  }
  const door = doors[specifier];
  const closed = door !== undefined && values.length > 0 && !door.test(path);
  return closed ? `${specifier} is not imported here` : undefined;
}

/** All modules of the library and the command line, as paths from the root. */
export function* modulePaths(folder = "."): Generator<string, void, void> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = normalize(join(folder, name));
    if (isDirectory && /^(cli|gpu|ops|streams)(\/|$)/.test(path)) yield* modulePaths(path);
    else if (name.endsWith(".ts") && layers.some(({ files }) => files.test(path))) yield path;
  }
}

if (import.meta.main) {
  const problems = [...modulePaths()].flatMap((path) =>
    checkFile(path, Deno.readTextFileSync(path))
  );
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) Deno.exit(1);
}
