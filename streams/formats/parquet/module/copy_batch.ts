/**
 * Copies batches out of the memory of parquet-wasm.
 *
 * @module
 */

import { type Field, makeData, RecordBatch, type Schema, Struct } from "apache-arrow";
import type { RecordBatch as WasmBatch } from "parquet-wasm/esm";
import { decodeSchema } from "../../../data/arrow_data.ts";
import type { RowRange } from "../../../types/select_columns.ts";
import { copyArray } from "./c_data.ts";
import type { ParquetWasm } from "./module.ts";
import { orTrapNow } from "./trap.ts";

/** Returns the type of a batch. It has no views, even if the schema of the file does. */
export function batchType(batch: WasmBatch): Struct {
  const stream = orTrapNow(() => batch.schema.intoIPCStream());
  return new Struct(decodeSchema(stream).fields);
}

/** Copies rows of a batch out of the memory of the module and frees it there. */
export function copyBatch(
  wasm: ParquetWasm,
  batch: WasmBatch,
  rows: RowRange,
  schema: Schema,
  type: Struct,
): RecordBatch {
  const exported = orTrapNow(() => batch.intoFFI());
  try {
    const memory = wasm.wasmMemory().buffer as ArrayBuffer;
    const { children, length } = copyArray(memory, exported.arrayAddr(), type, rows);
    const narrowed = new Struct(schema.fields);
    // Where columns could not be selected by name, the batch has all columns of the file.
    const wanted = children.length === schema.fields.length
      ? [...children]
      : schema.fields.map(({ name }) => children[type.children.findIndex(nameIs(name))]!);
    const columns = makeData({ type: narrowed, length, nullCount: 0, children: wanted });
    return new RecordBatch(schema, columns);
  } finally {
    exported.free();
  }
}

function nameIs(name: string): (field: Field) => boolean {
  return (field) => field.name === name;
}
