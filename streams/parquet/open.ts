/**
 * An open Parquet file: its metadata, and the module that decodes its pages.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { ParquetFile } from "parquet-wasm/esm";
import { decodeSchema } from "../arrow.ts";
import type { FileInput } from "../file_input.ts";
import { readFooter, withMetadata } from "./footer.ts";
import type { FileMetadata, RowGroup } from "./metadata.ts";
import { narrowSchema } from "./narrow.ts";
import { orTrap, orTrapNow } from "./or_trap.ts";
import { type LeafMeaning, repairMetadata } from "./repair.ts";
import { loadParquetWasm, type ParquetWasm } from "./wasm.ts";

/** A file that is open for reading. To be closed (see `closeParquet`). */
export interface OpenParquet {
  readonly wasm: ParquetWasm;
  readonly file: ParquetFile;
  readonly input: FileInput;
  /** Repaired. */
  readonly metadata: FileMetadata;
  readonly groups: readonly RowGroup[];
  /** What the leaves hold, where the decoded schema does not tell. */
  readonly leaves: readonly (LeafMeaning | undefined)[];
  /** The columns as parquet-wasm gives them, their types narrowed. */
  readonly decodedSchema: Schema;
}

/** Frees what the module holds of a file. */
export function closeParquet({ file }: OpenParquet): void {
  orTrapNow(() => file.free());
}

/** Opens a file, its metadata repaired. */
export async function openParquet(input: FileInput): Promise<OpenParquet> {
  const { metadata, start } = await readFooter(input);
  const leaves = repairMetadata(metadata, start);
  const wasm = await loadParquetWasm();
  const file = await orTrap(() => wasm.ParquetFile.fromFile(withMetadata(input, metadata, start)));
  const decodedSchema = narrowSchema(decodeSchema(orTrapNow(() => file.schema().intoIPCStream())));
  return { wasm, file, input, metadata, groups: metadata.rowGroups ?? [], leaves, decodedSchema };
}
