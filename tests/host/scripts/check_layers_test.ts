import { assertEquals } from "@std/assert";
import { checkFile } from "../../../scripts/check_layers.ts";
import { findImports } from "../../../scripts/imports.ts";

Deno.test("checkFile() accepts imports in the order of the layers", () => {
  assertEquals(checkFile("gpu/host/a.ts", 'import { b } from "../column.ts";'), []);
  assertEquals(checkFile("ops/a.ts", 'import { b } from "../gpu/column.ts";'), []);
  assertEquals(checkFile("cli/verbs/a.ts", 'const m = await import("../../mod.ts");'), []);
  assertEquals(checkFile("ops/a.ts", 'import { type Table, Schema } from "apache-arrow";'), []);
  assertEquals(checkFile("streams/arrow.ts", 'import { tableFromIPC } from "apache-arrow";'), []);
});

Deno.test("checkFile() refuses what breaks the order", () => {
  const table: [path: string, source: string, problem: string][] = [
    ["gpu/a.ts", 'import { b } from "../streams/b.ts";', "gpu must not import streams/b.ts"],
    ["streams/a.ts", 'import type { B } from "../gpu/b.ts";', "streams must not import gpu/b.ts"],
    ["streams/a.ts", 'export * from "../ops/b.ts";', "streams must not import ops/b.ts"],
    ["ops/x/a.ts", 'import { b } from "../../mod.ts";', "ops must not import mod.ts"],
    ["cli/a.ts", 'import { b } from "../gpu/b.ts";', "cli must not import gpu/b.ts"],
    ["mod.ts", 'export { b } from "./cli/b.ts";', "mod must not import cli/b.ts"],
    ["gpu/a.ts", 'import type { Table } from "apache-arrow";', "gpu knows no Arrow"],
    [
      "ops/a.ts",
      'import {\n  Table,\n  RecordBatchReader,\n} from "apache-arrow";',
      "only streams/arrow.ts reads and writes Arrow's bytes (RecordBatchReader)",
    ],
    ["ops/a.ts", 'import { parse } from "acorn";', "acorn is not imported here"],
    ["ops/a.ts", 'await import("parquet-wasm");', "parquet-wasm is not imported here"],
  ];
  for (const [path, source, problem] of table) {
    assertEquals(checkFile(path, source), [`${path}: ${problem}`]);
  }
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
