import { assertEquals } from "@std/assert";
import { checkFile, findCircles, folderImports } from "../../../scripts/check_layers.ts";
import { findImports } from "../../../scripts/imports.ts";

Deno.test("checkFile() accepts imports in the order of the layers", () => {
  assertEquals(checkFile("ops/a.ts", 'import { b } from "../gpu/column/column.ts";'), []);
  assertEquals(checkFile("cli/verbs/a.ts", 'const m = await import("../../mod.ts");'), []);
  assertEquals(checkFile("ops/a.ts", 'import { type Table, Schema } from "apache-arrow";'), []);
  assertEquals(
    checkFile("streams/formats/arrow/arrow.ts", 'import { tableFromIPC } from "apache-arrow";'),
    [],
  );
});

Deno.test("checkFile() refuses what breaks the order", () => {
  const table: [path: string, source: string, problem: string][] = [
    ["gpu/a.ts", 'import { b } from "../streams/b.ts";', "gpu must not import streams/b.ts"],
    ["base/a.ts", 'import type { B } from "../gpu/b.ts";', "base must not import gpu/b.ts"],
    [
      "streams/rows/a.ts",
      'export * from "../../ops/b.ts";',
      "streams/rows must not import ops/b.ts",
    ],
    ["ops/x/a.ts", 'import { b } from "../../mod.ts";', "ops must not import mod.ts"],
    ["cli/a.ts", 'import { b } from "../gpu/b.ts";', "cli must not import gpu/b.ts"],
    ["mod.ts", 'export { b } from "./cli/b.ts";', "mod must not import cli/b.ts"],
    ["gpu/a.ts", 'import type { Table } from "apache-arrow";', "base and gpu know no Arrow"],
    ["gpu/column/a.ts", 'import type { Table } from "apache-arrow";', "base and gpu know no Arrow"],
    ["gpu/host/join/a.ts", 'import { Table } from "apache-arrow";', "base and gpu know no Arrow"],
    [
      "ops/a.ts",
      'import {\n  Table,\n  RecordBatchReader,\n} from "apache-arrow";',
      "only streams/formats/arrow/arrow.ts reads and writes Arrow's bytes (RecordBatchReader)",
    ],
    ["ops/a.ts", 'import { parse } from "acorn";', "acorn is not imported here"],
    ["ops/a.ts", 'await import("parquet-wasm");', "parquet-wasm is not imported here"],
  ];
  for (const [path, source, problem] of table) {
    assertEquals(checkFile(path, source), [`${path}: ${problem}`]);
  }
});

Deno.test("rooms import each other in one direction, and backends through their doors", () => {
  const table: [room: string, may: string[], mustNot: string[]][] = [
    ["base", ["base/url.ts"], ["base/errors/a.ts", "base/threads/a.ts", "cli/a.ts"]],
    ["base/errors", ["base/url.ts"], ["streams/bytes/a.ts"]],
    ["cli/library", ["ops/a.ts", "gpu/join_kind.ts"], ["mod.ts", "cli/words/a.ts", "gpu/a.ts"]],
    ["cli/words", ["mod.ts", "cli/library/a.ts"], ["cli/print/a.ts", "ops/slice/a.ts"]],
    ["cli/print", ["cli/words/a.ts"], ["cli/session/a.ts", "streams/types/a.ts"]],
    ["cli/verbs", ["cli/session/a.ts"], ["cli/rechunk/a.ts", "cli/a.ts", "gpu/join_kind.ts"]],
    ["cli/rechunk", ["cli/exit/a.ts", "ops/rechunk/plan/a.ts"], ["cli/verbs/a.ts", "ops/a.ts"]],
    ["streams/types", ["base/errors/file_error.ts"], ["streams/data/a.ts", "gpu/column/a.ts"]],
    ["streams/plan", ["streams/rows/a.ts"], ["streams/source/a.ts"]],
    ["streams/sink", ["streams/data/a.ts"], ["streams/plan/a.ts", "streams/files/formats.ts"]],
    ["streams/formats/csv", ["streams/sink/a.ts"], ["streams/formats/arrow/a.ts"]],
    ["gpu/column", ["base/errors/file_error.ts"], ["gpu/backend.ts", "gpu/kernel/ir/ir.ts"]],
    ["gpu/key", ["gpu/column/a.ts"], ["gpu/backend.ts", "gpu/host/join/a.ts"]],
    ["gpu/kernel/language", ["gpu/column/a.ts"], ["gpu/kernel/parse/a.ts", "gpu/backend.ts"]],
    ["gpu/kernel/parse", ["gpu/kernel/language/a.ts"], ["gpu/kernel/tree/a.ts"]],
    ["gpu/kernel/tree", ["gpu/kernel/parse/a.ts"], ["gpu/kernel/fold/a.ts"]],
    ["gpu/kernel/fold", ["gpu/kernel/tree/a.ts"], ["gpu/kernel/lower/a.ts"]],
    ["gpu/kernel/lower", ["gpu/kernel/ir/a.ts"], ["gpu/kernel/partition/a.ts"]],
    ["gpu/kernel/partition", ["gpu/kernel/lower/a.ts"], ["gpu/kernel/emit/wgsl/a.ts"]],
    ["gpu/kernel/emit/wgsl", ["gpu/kernel/ir/a.ts"], ["gpu/kernel/lower/a.ts", "gpu/host/a.ts"]],
    ["gpu/kernel/emit/wgsl/print", ["gpu/kernel/ir/a.ts"], ["gpu/kernel/emit/wgsl/tiles/a.ts"]],
    ["gpu/kernel/emit/wgsl/tiles", ["gpu/kernel/emit/wgsl/print/a.ts"], [
      "gpu/kernel/emit/wgsl/lanes/a.ts",
    ]],
    ["gpu/host", ["gpu/kernel/emit/wasm/a.ts", "gpu/backend.ts", "gpu/key/a.ts"], [
      "gpu/webgpu/backend.ts",
    ]],
    ["gpu/webgpu/device", ["gpu/kernel/ir/a.ts"], ["gpu/webgpu/memory/a.ts"]],
    ["gpu/webgpu/memory", ["gpu/webgpu/device/a.ts"], ["gpu/webgpu/dispatch/a.ts"]],
    ["gpu/webgpu/dispatch", ["gpu/host/backend.ts"], ["gpu/host/a.ts", "gpu/webgpu/transfer/a.ts"]],
    ["gpu/webgpu/strategies", ["gpu/webgpu/transfer/a.ts"], ["gpu/webgpu/gather/a.ts"]],
    ["gpu/webgpu/join", ["gpu/webgpu/gather/a.ts"], ["gpu/webgpu/strategies/a.ts"]],
    ["gpu/webgpu", ["gpu/webgpu/join/a.ts"], ["gpu/host/evaluate.ts"]],
    ["ops/rows", ["gpu/host/backend.ts", "gpu/webgpu/backend.ts"], ["gpu/host/schedule.ts"]],
    ["ops/batch", ["gpu/backend.ts", "streams/a.ts"], ["ops/engine/a.ts", "ops/rows/a.ts"]],
    ["ops/engine", ["ops/batch/a.ts", "ops/expr/a.ts"], ["ops/rows/a.ts", "ops/slice/a.ts"]],
    ["ops/slice", ["ops/engine/a.ts", "gpu/join_kind.ts"], ["gpu/webgpu/a.ts"]],
    ["ops/expr", ["gpu/kernel/tree/a.ts", "base/lru_cache.ts"], ["gpu/kernel/lower/lower.ts"]],
  ];
  for (const [room, may, mustNot] of table) {
    const problemsOf = (target: string) =>
      checkFile(
        `${room}/x.ts`,
        `import { b } from "${"../".repeat(room.split("/").length)}${target}";`,
      );
    for (const target of [...may, `${room}/b.ts`]) assertEquals(problemsOf(target), []);
    for (const target of mustNot) {
      const layer = /^ops\/(rows|slice)$/.test(room) ? "ops" : room;
      assertEquals(problemsOf(target), [`${room}/x.ts: ${layer} must not import ${target}`]);
    }
  }
});

Deno.test("findCircles() gives the files that import each other, once each", () => {
  const circlesOf = (imports: Record<string, string[]>) =>
    findCircles(new Map(Object.entries(imports)));
  assertEquals(circlesOf({ a: ["b", "c"], b: ["c"], c: [], d: ["elsewhere"] }), []);
  assertEquals(circlesOf({ a: ["b"], b: ["a"] }), [["a", "b"]]);
  // Two ways around share a file; what only leads to a circle is not in it.
  assertEquals(
    circlesOf({ z: ["a"], a: ["b", "c"], b: ["a"], c: ["d"], d: ["a", "e"], e: [] }),
    [["a", "b", "c", "d"]],
  );
  assertEquals(circlesOf({ d: ["c"], c: ["d", "b"], b: ["a"], a: ["b"] }), [["a", "b"], [
    "c",
    "d",
  ]]);
});

Deno.test("folders that import each other by different files are a circle", () => {
  const files = new Map([
    ["ops/a/one.ts", ["ops/b/one.ts", "ops/a/two.ts"]],
    ["ops/a/two.ts", []],
    ["ops/b/one.ts", ["base/c.ts"]],
    ["ops/b/two.ts", ["ops/a/two.ts"]],
    ["base/c.ts", []],
    ["tests/d/one.ts", ["tests/e/one.ts"]],
    ["tests/e/one.ts", ["tests/d/two.ts"]],
  ]);
  assertEquals(findCircles(files), []);
  assertEquals(findCircles(folderImports(files)), [["ops/a", "ops/b"]]);
});

Deno.test("findImports() tells types from values and leaves comments out", () => {
  const source = `
/**
 * import { not } from "./this.ts";
 */
// import "./nor_this.ts";
import type { A } from "a";
import { type B, C as c } from "b";
import * as d from "d";
import "e";
export { f } from "f";
type G = typeof import("g");
const h = await import("h");
`;
  assertEquals(
    findImports(source).map(({ specifier, values }) => `${specifier} ${values.join()}`.trim()),
    ["a", "b C", "d *", "e", "f f", "g", "h *"],
  );
  assertEquals(
    findImports(source).map(({ specifier, names }) => `${specifier} ${names.join()}`.trim()),
    ["a A", "b B,C", "d *", "e", "f f", "g *", "h *"],
  );
});
