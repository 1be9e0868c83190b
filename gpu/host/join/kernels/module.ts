/**
 * The kernels that probe, as one module of WebAssembly.
 *
 * @module
 */

import { encodeModule } from "../../../kernel/emit/wasm/module.ts";
import { findDense } from "./find_dense.ts";
import { findText } from "./find_text.ts";
import { findWords } from "./find_words.ts";
import { gatherRecords } from "./gather_records.ts";
import { packPairs } from "./pack_pairs.ts";
import { packText } from "./pack_text.ts";
import { pairs } from "./pairs.ts";
import { takeColumns } from "./take_columns.ts";

/** All of them. */
export const joinKernels = [
  ...findWords,
  ...findDense,
  ...findText,
  ...packText,
  ...packPairs,
  ...pairs,
  ...takeColumns,
  ...gatherRecords,
];

/** The kernels as a memory has them: called with places and numbers. */
export type JoinKernels = Readonly<Record<string, (...places: number[]) => number>>;

let compiled: WebAssembly.Module | undefined;

/** The module, which is compiled once. */
export function joinModule(): WebAssembly.Module {
  return compiled ??= new WebAssembly.Module(
    encodeModule(joinKernels, [
      { name: "work", isShared: false },
      { name: "table", isShared: true },
    ]) as BufferSource,
  );
}

/**
 * The kernels between the memory of a thread and that of a table.
 *
 * Threads take along the source of this function, so nothing in it names anything from outside.
 */
export function joinKernelsOf(
  module: WebAssembly.Module,
  work: WebAssembly.Memory,
  table: WebAssembly.Memory,
): JoinKernels {
  const instance = new WebAssembly.Instance(module, { host: { work, table } });
  return instance.exports as unknown as JoinKernels;
}
