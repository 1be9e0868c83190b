/**
 * Keeps the order of the layers: cli -> mod -> ops -> { gpu, streams }, and of the rooms within gpu
 * and ops; Arrow's bytes in one place, and each optional package behind one door; no circle of imports.
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

/** What every room of gpu may import: columns, errors, and a cache. */
const basics = String.raw`gpu/(column/|errors\.ts$|lru_cache\.ts$)`;

/**
 * The rooms of gpu/kernel, each with those that it may import besides `language`, which is what row
 * functions are written in. A kernel goes from a tree through fold and partition to the IR of
 * `lower`, and from there to the emitters. `partition` asks `lower` what a row function does to text.
 */
const kernelRooms: Readonly<Record<string, readonly string[]>> = {
  language: [],
  ir: [],
  parse: ["ir"],
  tree: ["parse"],
  fold: ["ir", "parse", "tree"],
  lower: ["ir", "parse", "tree", "fold"],
  partition: ["ir", "parse", "tree", "fold", "lower"],
  emit: ["ir"],
  show: ["ir", "parse", "tree", "lower", "emit"],
};

const kernelLayers = Object.entries(kernelRooms).map(([room, others]): Layer => ({
  name: `gpu/kernel/${room}`,
  files: new RegExp(`^gpu/kernel/${room}/`),
  may: new RegExp(`^(${basics}|gpu/kernel/(${[room, "language", ...others].join("|")})/)`),
}));

/** What the rooms of ops may import of gpu and streams. */
const belowOps =
  String.raw`streams/|${basics}|gpu/(((check/|host/|webgpu/)?backend|join_kind)\.ts$|` +
  String.raw`kernel/(language|tree|fold|show)/|kernel/partition/partition\.ts$)`;

/**
 * The rooms of ops below the operators, each with those that it may import: the engine knows no
 * operator, and batches know no engine. Operators may import all of them.
 */
const opsRooms: Readonly<Record<string, readonly string[]>> = {
  batch: [],
  regex: [],
  expr: ["batch", "string"],
  string: ["batch", "expr", "regex"],
  engine: ["batch", "expr"],
};

const opsLayers = Object.entries(opsRooms).map(([room, others]): Layer => ({
  name: `ops/${room}`,
  files: new RegExp(`^ops/${room}/`),
  may: new RegExp(`^(ops/(${[room, ...others].join("|")})/|${belowOps})`),
}));

/** The first one that has a file counts. */
const layers: readonly Layer[] = [
  { name: "gpu/column", files: /^gpu\/column\//, may: /^gpu\/(column\/|errors\.ts$)/ },
  ...kernelLayers,
  {
    name: "gpu/host",
    files: /^gpu\/host\//,
    may: new RegExp(`^(${basics}|gpu/(host|kernel)/|gpu/(backend|join_kind)\\.ts$)`),
  },
  {
    name: "gpu/webgpu",
    files: /^gpu\/webgpu\//,
    may: new RegExp(`^(${basics}|gpu/(webgpu|kernel)/|gpu/((host/)?backend|join_kind)\\.ts$)`),
  },
  {
    name: "gpu/check",
    files: /^gpu\/check\//,
    may: new RegExp(
      `^(${basics}|gpu/(check|kernel)/|gpu/(backend|join_kind)\\.ts$)`,
    ),
  },
  { name: "gpu", files: /^gpu\//, may: /^gpu\/(column\/|kernel\/tree\/|join_kind\.ts$)/ },
  { name: "streams", files: /^streams\//, may: /^streams\// },
  ...opsLayers,
  { name: "ops", files: /^ops\//, may: new RegExp(`^(ops/|${belowOps})`) },
  { name: "mod", files: /^mod\.ts$/, may: /^(ops|gpu|streams)\// },
  {
    name: "cli",
    files: /^cli(\/|\.ts$)/,
    // Some small files serve what is told before the library is loaded.
    may:
      /^(cli\/|cli\.ts$|mod\.ts$|deno\.json$|gpu\/join_kind\.ts$|ops\/(engine\/environment|expr\/nearest_name|expr\/expr_error)\.ts$|streams\/(errors|formats|extension_type|standard_streams|show_controls)\.ts$)/,
  },
];

/** What breaks the order and is about to go: file, and what it imports. */
const known: readonly (readonly [file: string, target: RegExp])[] = [
  ["ops/string/check_string_op.ts", /^gpu\/(host|kernel)\//],
  ["ops/string/define_string_op.ts", /^gpu\/kernel\/parse\//],
  ["ops/expr/conditions.ts", /^gpu\/kernel\/parse\//],
  ["gpu/kernel/language/define_helper.ts", /^gpu\/kernel\/(fold|parse)\//],
  ["gpu/kernel/parse/constant.ts", /^gpu\/kernel\/tree\//],
  ["gpu/kernel/lower/parts_first.ts", /^gpu\/kernel\/partition\//],
];

/** Files whose circles are about to go. */
const knownCircles: readonly RegExp[] = [
  /^gpu\/kernel\/(language|parse|lower)\//,
  /^ops\/(expr|string)\//,
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
    if (layer.may.test(target)) return undefined;
    if (known.some(([file, allowed]) => file === path && allowed.test(target))) return undefined;
    return `${layer.name} must not import ${target}`;
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
export function* modulePaths(): Generator<string, void, void> {
  for (const path of sourcePaths(/^(cli|gpu|ops|streams)(\/|$)/)) {
    if (layers.some(({ files }) => files.test(path))) yield path;
  }
}

/** The TypeScript files at the root and in some folders. */
function* sourcePaths(folders: RegExp, folder = "."): Generator<string, void, void> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = normalize(join(folder, name));
    if (isDirectory && folders.test(path)) yield* sourcePaths(folders, path);
    else if (name.endsWith(".ts")) yield path;
  }
}

/**
 * The groups of files that import each other, of types or values, directly or on the way over others:
 * the strongly connected components of Tarjan (1972). Each is in order, and so are they.
 */
export function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const numbers = new Map<string, number>();
  const path: string[] = [];
  /** Gives the least number of the files on the path that can be reached from a file. */
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

/** The circles of all source files of the project that nobody is about to mend. */
function checkCircles(): string[] {
  const imports = new Map<string, string[]>();
  for (const path of sourcePaths(/^(bench|cli|gpu|ops|scripts|streams|tests)(\/|$)/)) {
    const targets = findImports(Deno.readTextFileSync(path))
      .filter(({ specifier, dynamic }) => specifier.startsWith(".") && !dynamic)
      .map(({ specifier }) => normalize(join(dirname(path), specifier)));
    imports.set(path, targets);
  }
  return findCircles(imports)
    .filter((circle) => !circle.every((file) => knownCircles.some((known) => known.test(file))))
    .map((circle) => `a circle of imports: ${circle.join(", ")}`);
}

if (import.meta.main) {
  const problems = [...modulePaths()].flatMap((path) =>
    checkFile(path, Deno.readTextFileSync(path))
  );
  problems.push(...checkCircles());
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) Deno.exit(1);
}
