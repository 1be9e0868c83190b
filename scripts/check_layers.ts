/**
 * Keeps the order of the layers: cli -> mod -> ops -> { gpu, streams } -> base, and of the rooms within
 * gpu and ops; Arrow's bytes in one place, and each optional package behind one door; no circle of imports; tests in
 * the rooms of what they test.
 *
 * @module
 */

import { dirname, join, normalize } from "node:path/posix";
import { findImports, type Import } from "./imports.ts";
import { testsAndSources, testsWithoutRoom } from "./test_rooms.ts";

/** What every pass of the kernel compiler may import: row functions are written in `language`. */
const language = ["gpu/wasm/", "gpu/column/", "gpu/kernel/language/"];
/** What a backend may import: its interface, and the whole compiler. */
const interfaces = [
  ...["gpu/wasm/", "gpu/column/"],
  ...["gpu/key/", "gpu/order/", "gpu/kernel/"],
  ...["gpu/backend.ts", "gpu/join_kind.ts"],
];
/** The floors of a device below its strategies. */
const webgpuGround = webgpu("device", "memory", "dispatch", "transfer");
/** What the rooms of ops may import: streams, and what gpu shows, backends by their doors. */
const below = [
  "gpu/column/",
  "streams/",
  "gpu/key/",
  "gpu/order/",
  "gpu/backend.ts",
  "gpu/join_kind.ts",
  "gpu/graphics_hardware.ts",
  ...[
    "gpu/host/backend.ts",
    "gpu/host/evaluate.ts",
    "gpu/webgpu/backend.ts",
    "gpu/check/backend.ts",
  ],
  // Operations let their row functions be parsed, and ask what is in them.
  ...["gpu/kernel/parse/parse_row_function.ts", "gpu/kernel/parse/row_code.ts"],
  ...["gpu/kernel/language/", "gpu/kernel/tree/", "gpu/kernel/fold/", "gpu/kernel/show/"],
  ...["gpu/kernel/partition/partition.ts", "gpu/kernel/partition/known_programs.ts"],
];

/** What each form of join may import. */
const joins = [
  ...below,
  ...["batch", "syntax", "string", "expr", "engine", "rows", "spill"].map((room) => `ops/${room}/`),
];

/** What each format may import: a reader makes a source, a writer a sink. */
const format = [
  ...floors("bytes", "types", "data", "rows", "plan", "source", "sink", "text"),
  ...["format", "file_of_format", "given_types", "given_keys"].map((name) =>
    `streams/formats/${name}.ts`
  ),
];

/** What all rooms of Parquet may import. */
const parquetGround = floors("bytes", "types", "data", "rows", "plan", "text");

/**
 * The rooms, each with what it may import besides itself and base: rooms, or single files. A file is in the
 * innermost room that has it.
 *
 * A kernel goes from a tree through fold and partition to the IR of lower, and from there to the
 * emitters; partition asks lower what a row function does to text. In ops, string operations are
 * defined on the syntax of expressions, and expr, which parses and binds them, knows both; batches
 * know no engine, and the engine knows no operator; operators may import all of them.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  "base/": [],
  "base/errors/": ["base/"],
  "base/settings/": ["base/"],
  "base/threads/": ["base/"],
  "streams/bytes/": [],
  "streams/types/": [],
  "streams/data/": floors("bytes", "types"),
  "streams/rows/": [],
  "streams/plan/": floors("data", "rows", "types"),
  "streams/source/": floors("bytes", "data", "plan", "rows", "types"),
  "streams/sink/": floors("bytes", "data", "types"),
  "streams/text/": floors("data", "plan", "rows"),
  "streams/formats/": floors("bytes", "types", "data", "rows", "plan", "source", "sink", "text"),
  "streams/formats/arrow/": format,
  "streams/formats/csv/": format,
  "streams/formats/ndjson/": format,
  // Parquet: what a file says of itself, parquet-wasm, pages as they are, reading, threads, writing.
  "streams/formats/parquet/metadata/": parquetGround,
  "streams/formats/parquet/module/": [...parquetGround, ...parquet("metadata")],
  "streams/formats/parquet/pages/": [...parquetGround, ...parquet("metadata")],
  "streams/formats/parquet/excerpt/": [...parquetGround, ...parquet("metadata")],
  "streams/formats/parquet/read/": [
    ...parquetGround,
    ...parquet("metadata", "module", "pages", "excerpt"),
  ],
  // Batches go from thread to thread as Arrow streams, and to parquet-wasm too.
  "streams/formats/parquet/worker/": [
    ...parquetGround,
    ...["streams/formats/arrow/", ...parquet("metadata", "module", "read")],
  ],
  "streams/formats/parquet/write/": [
    ...parquetGround,
    ...["streams/formats/arrow/", "streams/sink/", ...parquet("metadata", "module", "worker")],
  ],
  "streams/formats/parquet/": [...format, "streams/formats/parquet/"],
  // Arrays of Zarr: from their grids up to batches whose rows are chunks.
  "streams/formats/zarr/grid/": [],
  "streams/formats/zarr/metadata/": zarr("grid"),
  "streams/formats/zarr/items/": [...zarr("grid", "metadata"), ...floors("text")],
  "streams/formats/zarr/codecs/": [...zarr("grid", "metadata", "items"), ...floors("bytes")],
  "streams/formats/zarr/files/": floors("bytes"),
  "streams/formats/zarr/shard/": [
    ...zarr("grid", "metadata", "items", "codecs", "files"),
    ...floors("bytes"),
  ],
  "streams/formats/zarr/store/": [
    ...zarr("grid", "metadata", "items", "codecs", "files", "shard"),
    ...floors("bytes"),
  ],
  "streams/formats/zarr/rows/": [
    ...zarr("grid", "metadata", "items"),
    ...floors("data", "plan", "rows", "types"),
  ],
  "streams/formats/zarr/": [...format, "streams/formats/zarr/"],
  "streams/files/": [...format, "streams/formats/"],
  "gpu/": ["gpu/column/", "gpu/key/", "gpu/kernel/tree/"],
  "gpu/wasm/": [],
  "gpu/column/": ["gpu/wasm/"],
  "gpu/key/": ["gpu/column/"],
  "gpu/order/": ["gpu/column/"],
  "gpu/kernel/language/": language,
  "gpu/kernel/ir/": language,
  "gpu/kernel/parse/": [...language, ...passes("ir")],
  "gpu/kernel/tree/": [...language, ...passes("parse")],
  "gpu/kernel/fold/": [...language, ...passes("ir", "parse", "tree")],
  "gpu/kernel/lower/": [...language, ...passes("ir", "parse", "tree", "fold")],
  "gpu/kernel/partition/": [...language, ...passes("ir", "parse", "tree", "fold", "lower")],
  "gpu/kernel/emit/": [...language, ...passes("ir")],
  // What prints a row, then each strategy, then what puts them together.
  "gpu/kernel/emit/wgsl/print/": [...language, ...passes("ir")],
  ...Object.fromEntries(
    ["lanes", "long_rows", "tiles"].map((name) => [
      `gpu/kernel/emit/wgsl/${name}/`,
      [...language, ...passes("ir"), "gpu/kernel/emit/wgsl/print/"],
    ]),
  ),
  "gpu/kernel/emit/wgsl/": [...language, ...passes("ir"), "gpu/kernel/emit/wgsl/"],
  "gpu/kernel/show/": [...language, ...passes("ir", "parse", "tree", "lower", "emit")],
  // The interface and the compiler, then the floors below.
  "gpu/webgpu/device/": interfaces,
  "gpu/webgpu/memory/": [...interfaces, ...webgpu("device")],
  // Its context has the host, which computes what a device cannot.
  "gpu/webgpu/dispatch/": [...interfaces, "gpu/host/backend.ts", ...webgpu("device", "memory")],
  "gpu/webgpu/transfer/": [...interfaces, ...webgpu("device", "memory", "dispatch")],
  "gpu/webgpu/strategies/": [...interfaces, ...webgpuGround],
  "gpu/webgpu/trial/": [...interfaces, ...webgpuGround],
  "gpu/webgpu/evaluate/": [...interfaces, ...webgpuGround, ...webgpu("strategies")],
  "gpu/webgpu/gather/": [...interfaces, ...webgpuGround, ...webgpu("strategies")],
  "gpu/webgpu/join/": [...interfaces, ...webgpuGround, ...webgpu("gather")],
  "gpu/webgpu/boxes/": [...interfaces, ...webgpuGround],
  "gpu/webgpu/": [...interfaces, "gpu/webgpu/"],
  // Executors call what kernels call, maps of characters and the code of kernels, on this thread or others.
  "gpu/host/runtime/": interfaces,
  "gpu/host/characters/": [...interfaces, ...host("runtime")],
  "gpu/host/kernels/": [...interfaces, ...host("runtime", "characters")],
  "gpu/host/executors/": [...interfaces, ...host("runtime", "characters", "kernels")],
  "gpu/host/threads/": [...interfaces, ...host("runtime", "kernels", "executors")],
  // Tables of keys, then parts of batches with threads that compute them, for joins and whoever groups.
  "gpu/host/table/": interfaces,
  "gpu/host/parts/": [...interfaces, ...host("table")],
  "gpu/host/join/": [...interfaces, ...host("table", "parts", "threads")],
  "gpu/host/": [...interfaces, "gpu/host/"],
  "gpu/check/": interfaces,
  "ops/": [...below, "ops/"],
  "ops/batch/": below,
  "ops/regex/": below,
  "ops/syntax/": [...below, "ops/batch/"],
  // Operations are defined, on times, as conversions, then all others. Conversions ask what types are.
  "ops/string/generated/": [],
  "ops/string/define/": [...below, "ops/syntax/"],
  "ops/string/time/": [...below, "ops/syntax/", "ops/string/define/"],
  "ops/string/convert/": [
    ...[...below, "ops/batch/arrow_types.ts", "ops/syntax/"],
    ...["ops/string/define/", "ops/string/time/"],
  ],
  "ops/string/": [
    ...[...below, "ops/batch/arrow_types.ts", "ops/syntax/", "ops/regex/"],
    "ops/string/",
  ],
  "ops/expr/": [...below, "ops/batch/", "ops/syntax/", "ops/string/"],
  "ops/engine/": [...below, "ops/batch/", "ops/expr/"],
  // What exceeds the memory goes to files, whichever operator has it; the forms of joins know
  // nothing of each other.
  "ops/spill/": [...below, "ops/batch/"],
  "ops/join/shared/": joins,
  "ops/join/equi/": [...joins, "ops/join/shared/"],
  "ops/join/as_of/": [...joins, "ops/join/shared/"],
  "ops/join/where/": [...joins, "ops/join/shared/"],
  // A plan is arithmetic; its passes move chunks between stores; the stage brings them in and out as rows.
  "ops/rechunk/plan/": zarr("grid", "items"),
  "ops/rechunk/store/": [
    ...["ops/rechunk/plan/", "streams/bytes/"],
    ...zarr("grid", "metadata", "items", "files", "store"),
  ],
  "ops/rechunk/move/": [
    ...["ops/rechunk/plan/", "ops/rechunk/store/", "ops/engine/event_loop.ts"],
    // Copies of boxes are no business of backends: they move bytes that are no columns.
    ...["gpu/column/boxes/box_copy.ts", "gpu/host/boxes/"],
    ...zarr("grid", "metadata", "items", "codecs", "store"),
  ],
  "ops/rechunk/stage/": [...below, "ops/batch/", "ops/engine/", "ops/rechunk/"],
  "mod.ts": ["ops/", "gpu/", "streams/"],
  "cli.ts": ["cli/"],
  // Where the command line finds what mod.ts has for programs, in parts that load apart.
  "cli/library/": ["ops/", "streams/", "gpu/join_kind.ts", "gpu/webgpu/describe_adapter.ts"],
  "cli/words/": cli("library"),
  "cli/print/": cli("library", "words"),
  "cli/exit/": cli("print"),
  "cli/session/": cli("library", "words", "print"),
  "cli/verbs/": cli("library", "words", "print", "session"),
  // Stores are rechunked beside the pipelines of mod.ts.
  "cli/rechunk/": [
    ...cli("library", "words", "print", "exit"),
    ...["ops/rechunk/plan/", "ops/rechunk/move/"],
    ...zarr("grid", "items", "files", "store"),
    ...floors("bytes", "sink"),
  ],
  "cli/": ["mod.ts", "cli/", "deno.json"],
};

function parquet(...names: readonly string[]): string[] {
  return names.map((name) => `streams/formats/parquet/${name}/`);
}

function webgpu(...names: readonly string[]): string[] {
  return names.map((name) => `gpu/webgpu/${name}/`);
}

/** Floors of the command line, and the types of the library. */
function cli(...names: readonly string[]): string[] {
  return ["mod.ts", ...names.map((name) => `cli/${name}/`)];
}

function floors(...names: readonly string[]): string[] {
  return names.map((name) => `streams/${name}/`);
}

function zarr(...names: readonly string[]): string[] {
  return names.map((name) => `streams/formats/zarr/${name}/`);
}

function host(...names: readonly string[]): string[] {
  return names.map((name) => `gpu/host/${name}/`);
}

function passes(...names: readonly string[]): string[] {
  return names.map((name) => `gpu/kernel/${name}/`);
}

/** Which files may import a package at run time; other packages have no door. */
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

/** Finds the imports of one file that break the order, each as a line for a person. */
export function checkFile(path: string, source: string): string[] {
  const room = roomOf(path);
  if (room === undefined) return [];
  return findImports(source)
    .map((found) => problemOf(room, path, found))
    .filter((problem) => problem !== undefined)
    .map((problem) => `${path}: ${problem}`);
}

/** The innermost room of a file. */
function roomOf(path: string): string | undefined {
  const around = Object.keys(rooms).filter((room) => path.startsWith(room));
  return around.sort((left, right) => right.length - left.length)[0];
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

/** All modules of the library and the command line, as paths from the root. */
export function* modulePaths(): Generator<string, void, void> {
  for (const path of sourcePaths(SOURCES)) {
    if (roomOf(path) !== undefined) yield path;
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
 * The groups of files, or folders, that import each other directly or through others: the strongly
 * connected components of Tarjan (1972). Both the groups and their members are sorted.
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
 * The circles of all files of the project, and of the folders of the library and the command line, by
 * imports of any kind: of values, of types, and those that load when the code gets there.
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

/** The folders that each folder of the library and the command line imports from. */
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

/** The files that lie in no room, but those at the root. */
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
