/**
 * Checks the order of the layers, cli -> mod -> ops -> { gpu, streams } -> base, and of the folders within
 * them; that Arrow's bytes are read and written in one place, and each optional package imported in one; that
 * there is no import cycle; and that tests mirror the folders of the code.
 *
 * @module
 */

import { dirname, join, normalize } from "node:path/posix";
import { findImports, type Import } from "./imports.ts";
import { roomOf, rooms } from "./rooms.ts";
import { testsAndSources, testsWithoutRoom } from "./test_rooms.ts";

/** The files that may import a package at run time; packages that are not listed may be imported anywhere. */
const doors: Readonly<Record<string, RegExp>> = {
  "parquet-wasm": /^streams\/formats\/parquet/,
  "acorn": /^(gpu\/kernel|ops\/(syntax|expr))\//,
  "@eslint-community/regexpp": /^ops\/regex\//,
  "@observablehq/plot": /^cli\/rechunk\//,
  "linkedom": /^cli\/rechunk\//,
  "vega-datasets": /^$/,
  "zarrita": /^streams\/formats\/zarr\//,
};

/** The classes and functions of apache-arrow that read and write bytes. */
const arrowBytes = /^(\*|table(From|To)IPC(Stream)?|\w*(Reader|Writer)|AsyncByte\w+|ByteStream)$/;
const arrowDoor = /^streams\/(data|formats\/arrow)\//;

/** Returns a line for each import of a file that breaks the order. */
export function checkFile(path: string, source: string): string[] {
  const room = roomOf(path);
  if (room === undefined) return [];
  return findImports(source)
    .map((found) => problemOf(room, path, found))
    .filter((problem) => problem !== undefined)
    .map((problem) => `${path}: ${problem}`);
}

function problemOf(room: string, path: string, found: Import): string | undefined {
  const { specifier, values } = found;
  if (specifier.startsWith(".")) {
    const target = normalize(join(dirname(path), specifier));
    const ground = room.startsWith("base/") ? [] : ["base/"];
    const may = roomOf(target) === room ||
      [...ground, ...rooms[room]!].some((part) => target.startsWith(part));
    return may ? undefined : `${room.replace(/\/$|\.ts$/, "")} must not import ${target}`;
  }
  if (specifier === "apache-arrow") {
    if (/^(base|gpu)\//.test(room)) return "base and gpu know no Arrow";
    if (arrowDoor.test(path)) return undefined;
    const name = values.find((name) => arrowBytes.test(name));
    return name && `only streams/formats/arrow/arrow.ts reads and writes Arrow's bytes (${name})`;
  }
  const door = doors[specifier];
  const closed = door !== undefined && values.length > 0 && !door.test(path);
  return closed ? `${specifier} is not imported here` : undefined;
}

/** The folders of the library and the command line. */
const SOURCES = /^(base|cli|gpu|ops|streams)(\/|$)/;

/** Yields all modules of the library and the command line, as paths from the root. */
export function* modulePaths(): Generator<string, void, void> {
  for (const path of sourcePaths(SOURCES)) {
    if (roomOf(path) !== undefined) yield path;
  }
}

/** Yields the TypeScript files at the root and in some folders. */
function* sourcePaths(folders: RegExp, folder = "."): Generator<string, void, void> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = normalize(join(folder, name));
    if (isDirectory && folders.test(path)) yield* sourcePaths(folders, path);
    else if (name.endsWith(".ts")) yield path;
  }
}

/**
 * Returns the groups of files, or folders, that import each other directly or through others: the strongly
 * connected components, by Tarjan's algorithm (1972). Sorts the groups and their members.
 */
export function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const numbers = new Map<string, number>();
  const path: string[] = [];
  /** Returns the least number of the files on the path that can be reached from a file. */
  const visit = (file: string): number => {
    const own = numbers.size;
    let least = own;
    numbers.set(file, own);
    const place = path.push(file) - 1;
    for (const target of imports.get(file) ?? []) {
      if (!imports.has(target)) continue;
      const number = numbers.get(target);
      if (number === undefined) least = Math.min(least, visit(target));
      else if (path.includes(target)) least = Math.min(least, number);
    }
    if (least === own) {
      const group = path.splice(place);
      if (group.length > 1) circles.push(group.sort());
    }
    return least;
  };
  for (const file of imports.keys()) if (!numbers.has(file)) visit(file);
  return circles.sort();
}

/**
 * Returns a line for each import cycle of the files of the project, and of the folders of the library and the
 * command line. All imports count: of values, of types, and dynamic ones.
 */
function checkCircles(): string[] {
  const files = new Map<string, string[]>();
  for (const path of sourcePaths(/^(base|bench|cli|gpu|ops|scripts|streams|tests)(\/|$)/)) {
    const targets = findImports(Deno.readTextFileSync(path))
      .filter(({ specifier }) => specifier.startsWith("."))
      .map(({ specifier }) => normalize(join(dirname(path), specifier)));
    files.set(path, targets);
  }
  return [
    ...findCircles(files).map((circle) => `a circle of imports: ${circle.join(", ")}`),
    ...findCircles(folderImports(files)).map((circle) =>
      `a circle of folders: ${circle.join(", ")}`
    ),
  ];
}

/** Returns the folders from which each folder of the library and the command line imports. */
export function folderImports(
  files: ReadonlyMap<string, readonly string[]>,
): Map<string, readonly string[]> {
  const folders = new Map<string, readonly string[]>();
  for (const [path, targets] of files) {
    const folder = dirname(path);
    if (!SOURCES.test(folder)) continue;
    const others = targets.map((target) => dirname(target)).filter((other) => other !== folder);
    folders.set(folder, [...new Set([...folders.get(folder) ?? [], ...others])]);
  }
  return folders;
}

/** Returns a line for each file, except those at the root, that is in no listed folder. */
function checkLoose(): string[] {
  return [...sourcePaths(SOURCES)]
    .filter((path) => path.includes("/") && roomOf(path) === undefined)
    .map((path) => `${path}: lies in no room`);
}

if (import.meta.main) {
  const problems = [...modulePaths()].flatMap((path) =>
    checkFile(path, Deno.readTextFileSync(path))
  );
  problems.push(...checkLoose());
  problems.push(...checkCircles());
  const { tests, sources } = testsAndSources();
  for (const path of testsWithoutRoom(tests, sources)) {
    problems.push(`${path}: the code has no such room`);
  }
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) Deno.exit(1);
}
