/**
 * The rooms: the folders of the library and the command line, and the imports that each may have.
 *
 * @module
 */

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
  "gpu/group/",
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
  ...["batch", "syntax", "number", "string", "expr", "engine", "rows", "spill"].map((room) =>
    `ops/${room}/`
  ),
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
export const rooms: Readonly<Record<string, readonly string[]>> = {
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
  "gpu/group/": ["gpu/column/", "gpu/key/", "gpu/order/"],
  "gpu/kernel/language/": language,
  "gpu/kernel/ir/": language,
  "gpu/kernel/parse/": [...language, ...passes("ir")],
  "gpu/kernel/tree/": [...language, ...passes("parse")],
  "gpu/kernel/fold/": [...language, ...passes("ir", "parse", "tree")],
  "gpu/kernel/lower/": [...language, ...passes("ir", "parse", "tree", "fold")],
  "gpu/kernel/partition/": [...language, ...passes("ir", "parse", "tree", "fold", "lower")],
  "gpu/kernel/halve/": [...language, ...passes("ir")],
  "gpu/kernel/emit/": [...language, ...passes("ir", "halve")],
  // The printing of a row, then each strategy, then the code that combines them.
  "gpu/kernel/emit/wgsl/print/": [...language, ...passes("ir", "halve")],
  ...Object.fromEntries(
    ["lanes", "long_rows", "tiles"].map((name) => [
      `gpu/kernel/emit/wgsl/${name}/`,
      [...language, ...passes("ir", "halve"), "gpu/kernel/emit/wgsl/print/"],
    ]),
  ),
  "gpu/kernel/emit/wgsl/": [...language, ...passes("ir", "halve"), "gpu/kernel/emit/wgsl/"],
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
  "ops/time/": [...below, "ops/batch/arrow_types.ts", "ops/syntax/", "ops/string/define/"],
  "ops/decimal/": [...below, "ops/batch/arrow_types.ts", "ops/syntax/", "ops/string/define/"],
  "ops/string/convert/": [
    ...[...below, "ops/batch/arrow_types.ts", "ops/syntax/"],
    ...["ops/string/define/", "ops/time/", "ops/decimal/"],
  ],
  "ops/dates/": [
    ...[...below, "ops/batch/arrow_types.ts", "ops/syntax/", "ops/time/"],
    ...["ops/string/define/", "ops/string/convert/"],
  ],
  "ops/string/": [
    ...[...below, "ops/batch/arrow_types.ts", "ops/syntax/", "ops/regex/"],
    ...["ops/number/", "ops/string/", "ops/time/"],
  ],
  "ops/number/": [...below, "ops/syntax/", "ops/string/define/"],
  "ops/expr/": [
    ...[...below, "ops/batch/", "ops/syntax/"],
    ...["ops/dates/", "ops/decimal/", "ops/number/", "ops/string/", "ops/time/"],
  ],
  "ops/engine/": [...below, "ops/batch/", "ops/expr/"],
  // Any operator may spill to files. The forms of join do not import each other.
  "ops/spill/": [...below, "ops/batch/", "ops/engine/node.ts"],
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

/** Returns the innermost listed folder of a file. */
export function roomOf(path: string): string | undefined {
  const around = Object.keys(rooms).filter((room) => path.startsWith(room));
  return around.sort((left, right) => right.length - left.length)[0];
}

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
