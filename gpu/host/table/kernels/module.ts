/**
 * The kernels that probe tables, as one WebAssembly module.
 *
 * @module
 */

import { encodeModule } from "../../../wasm/module.ts";
import { findDense } from "./find_dense.ts";
import { findText } from "./find_text.ts";
import { findWords } from "./find_words.ts";
import { gatherRecords } from "./gather_records.ts";
import { packPairs } from "./pack_pairs.ts";
import { packText } from "./pack_text.ts";
import { pairs } from "./pairs.ts";
import { takeColumns } from "./take_columns.ts";

/** All kernels of tables. */
export const tableKernels = [
  ...findWords,
  ...findDense,
  ...findText,
  ...packText,
  ...packPairs,
  ...pairs,
  ...takeColumns,
  ...gatherRecords,
];

let compiled: WebAssembly.Module | undefined;

/** Returns the module, which is compiled once. */
export function tableModule(): WebAssembly.Module {
  return compiled ??= new WebAssembly.Module(
    encodeModule(tableKernels, [
      { name: "work", isShared: false },
      { name: "table", isShared: true },
    ]) as BufferSource,
  );
}
