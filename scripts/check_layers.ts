/**
 * Checks the order of the layers, cli -> mod -> ops -> { gpu, streams } -> base, and of the folders within
 * them; that Arrow's bytes are read and written in one place, and each optional package imported in one; that
 * there is no import cycle; and that tests mirror the folders of the code.
 *
 * @module
 */

import { dirname, join, normalize } from "node:path/posix";
import { findImports, type Import } from "./imports.ts";
import { testsAndSources, testsWithoutRoom } from "./test_rooms.ts";

/** The imports of every pass of the kernel compiler. Row functions are written in `language`. */
const language = ["gpu/wasm/", "gpu/column/", "gpu/kernel/language/"];
/** The imports of a backend: its interface, and the whole compiler. */
const interfaces = [
  ...["gpu/wasm/", "gpu/column/"],
  ...["gpu/key/", "gpu/order/", "gpu/kernel/"],
  ...["gpu/backend.ts", "gpu/join_kind.ts"],
];
/** The folders of a device below its strategies. */
const webgpuGround = webgpu("device", "memory", "dispatch", "transfer");
/** The imports of the folders of ops: streams, and the public part of gpu. */
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
  // Operations parse their row functions and inspect them.
  ...["gpu/kernel/parse/parse_row_function.ts", "gpu/kernel/parse/row_code.ts"],
  ...["gpu/kernel/language/", "gpu/kernel/tree/", "gpu/kernel/fold/", "gpu/kernel/show/"],
  ...["gpu/kernel/partition/partition.ts", "gpu/kernel/partition/known_programs.ts"],
];

/** The imports of each form of join. */
const joins = [
  ...below,
  ...["batch", "syntax", "string", "expr", "engine", "rows", "spill"].map((room) => `ops/${room}/`),
];

/** The imports of each format: a reader makes a source, a writer a sink. */
const format = [
  ...floors("bytes", "types", "data", "rows", "plan", "source", "sink", "text"),
  ...["format", "file_of_format", "given_types", "given_keys"].map((name) =>
    `streams/formats/${name}.ts`
  ),
];

/** The imports of all folders of Parquet. */
const parquetGround = floors("bytes", "types", "data", "rows", "plan", "text");

/**
 * The folders, each with the folders or files that it may import besides itself and base. A file belongs to
 * the innermost folder that is listed.
 *
 * A kernel goes from a tree through fold and partition to the IR of lower, and from there to the
 * emitters; partition asks lower what a row function does to text. In ops, string operations are
 * defined on the syntax of expressions, and expr, which parses and binds them, imports both; batches
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
  // Parquet: metadata, parquet-wasm, raw pages, reading, threads, writing.
  "streams/formats/parquet/metadata/": parquetGround,
  "streams/formats/parquet/module/": [...parquetGround, ...parquet("metadata")],
  "streams/formats/parquet/pages/": [...parquetGround, ...parquet("metadata")],
  "streams/formats/parquet/excerpt/": [...parquetGround, ...parquet("metadata")],
  "streams/formats/parquet/read/": [
    ...parquetGround,
    ...parquet("metadata", "module", "pages", "excerpt"),
  ],
  // Batches travel between threads, and to parquet-wasm, as Arrow streams.
  "streams/formats/parquet/worker/": [
    ...parquetGround,
    ...["streams/formats/arrow/", ...parquet("metadata", "module", "read")],
  ],
  "streams/formats/parquet/write/": [
    ...parquetGround,
    ...["streams/formats/arrow/", "streams/sink/", ...parquet("metadata", "module", "worker")],
  ],
  "streams/formats/parquet/": [...format, "streams/formats/parquet/"],
  // Zarr: from grids up to batches whose rows are chunks.
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
  // The printing of a row, then each strategy, then the code that combines them.
  "gpu/kernel/emit/wgsl/print/": [...language, ...passes("ir")],
  ...Object.fromEntries(
    ["lanes", "long_rows", "tiles"].map((name) => [
      `gpu/kernel/emit/wgsl/${name}/`,
      [...language, ...passes("ir"), "gpu/kernel/emit/wgsl/print/"],
    ]),
  ),
  "gpu/kernel/emit/wgsl/": [...language, ...passes("ir"), "gpu/kernel/emit/wgsl/"],
  "gpu/kernel/show/": [...language, ...passes("ir", "parse", "tree", "lower", "emit")],
  // The interface and the compiler, then the folders below.
  "gpu/webgpu/device/": interfaces,
  "gpu/webgpu/memory/": [...interfaces, ...webgpu("device")],
  // Its context includes the host, which computes what a device cannot.
  "gpu/webgpu/dispatch/": [...interfaces, "gpu/host/backend.ts", ...webgpu("device", "memory")],
  "gpu/webgpu/transfer/": [...interfaces, ...webgpu("device", "memory", "dispatch")],
  "gpu/webgpu/strategies/": [...interfaces, ...webgpuGround],
  "gpu/webgpu/trial/": [...interfaces, ...webgpuGround],
  "gpu/webgpu/evaluate/": [...interfaces, ...webgpuGround, ...webgpu("strategies")],
  "gpu/webgpu/gather/": [...interfaces, ...webgpuGround, ...webgpu("strategies")],
  "gpu/webgpu/join/": [...interfaces, ...webgpuGround, ...webgpu("gather")],
  "gpu/webgpu/boxes/": [...interfaces, ...webgpuGround],
  "gpu/webgpu/": [...interfaces, "gpu/webgpu/"],
  // Executors call the functions of kernels, maps of characters and the code of kernels, on any thread.
  "gpu/host/runtime/": interfaces,
  "gpu/host/characters/": [...interfaces, ...host("runtime")],
  "gpu/host/kernels/": [...interfaces, ...host("runtime", "characters")],
  "gpu/host/executors/": [...interfaces, ...host("runtime", "characters", "kernels")],
  "gpu/host/threads/": [...interfaces, ...host("runtime", "kernels", "executors")],
  // Tables of keys, then parts of batches on threads, for joins and for groups to come.
  "gpu/host/table/": interfaces,
  "gpu/host/parts/": [...interfaces, ...host("table")],
  "gpu/host/join/": [...interfaces, ...host("table", "parts", "threads")],
  "gpu/host/": [...interfaces, "gpu/host/"],
  "gpu/check/": interfaces,
  "ops/": [...below, "ops/"],
  "ops/batch/": below,
  "ops/regex/": below,
  "ops/syntax/": [...below, "ops/batch/"],
  // Definitions, then operations on times, conversions, and all others. Conversions inspect types.
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
  // Any operator may spill to files. The forms of join do not import each other.
  "ops/spill/": [...below, "ops/batch/"],
  "ops/join/shared/": joins,
  "ops/join/equi/": [...joins, "ops/join/shared/"],
  "ops/join/as_of/": [...joins, "ops/join/shared/"],
  "ops/join/where/": [...joins, "ops/join/shared/"],
  // A plan is arithmetic; its passes move chunks between stores; the stage reads and returns them as rows.
  "ops/rechunk/plan/": zarr("grid", "items"),
  "ops/rechunk/store/": [
    ...["ops/rechunk/plan/", "streams/bytes/"],
    ...zarr("grid", "metadata", "items", "files", "store"),
  ],
  "ops/rechunk/move/": [
    ...["ops/rechunk/plan/", "ops/rechunk/store/", "ops/engine/event_loop.ts"],
    // Copies of boxes bypass the backends: they move bytes that are not columns.
    ...["gpu/column/boxes/box_copy.ts", "gpu/host/boxes/"],
    ...zarr("grid", "metadata", "items", "codecs", "store"),
  ],
  "ops/rechunk/stage/": [...below, "ops/batch/", "ops/engine/", "ops/rechunk/"],
  "mod.ts": ["ops/", "gpu/", "streams/"],
  "cli.ts": ["cli/"],
  // The library for the command line, in parts that load separately.
  "cli/library/": ["ops/", "streams/", "gpu/join_kind.ts", "gpu/webgpu/describe_adapter.ts"],
  "cli/words/": cli("library"),
  "cli/print/": cli("library", "words"),
  "cli/exit/": cli("print"),
  "cli/session/": cli("library", "words", "print"),
  "cli/verbs/": cli("library", "words", "print", "session"),
  // Rechunking stores bypasses the pipelines of mod.ts.
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

/** Returns folders of the command line, and the module with the types of the library. */
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

/** Returns the innermost listed folder of a file. */
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
