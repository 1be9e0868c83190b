/**
 * Reading row groups of a Parquet file, in batches that fit the memory of parquet-wasm.
 *
 * @module
 */

import { type DataType, makeData, RecordBatch, type Schema, Struct } from "apache-arrow";
import type { ParquetFile, RecordBatch as WasmBatch } from "parquet-wasm/esm";
import { decodeSchema, layoutOf } from "../arrow.ts";
import type { RowRange } from "../row_range.ts";
import { BatchSize } from "./batch_size.ts";
import { copyArray } from "./c_data.ts";
import { groupShape, groupWindows } from "./group_shape.ts";
import { orTrap } from "./or_trap.ts";
import type { ParquetWasm } from "./wasm.ts";

/** Rows that are read ahead in the first group, to see how long its texts are. */
const probedRows = 64;

/** What parquet-wasm is asked for. */
interface Request {
  readonly rowGroups: number[];
  readonly batchSize: number;
  readonly offset?: number;
  readonly limit: number;
}

/** Reads columns of a file, group by group. */
export class GroupReader {
  readonly #wasm: ParquetWasm;
  readonly #file: ParquetFile;
  readonly #schema: Schema;
  readonly #columns: ReadonlySet<string>;
  readonly #size = new BatchSize();
  readonly #isSelection: boolean;
  #isProbed: boolean;
  #type: Struct | undefined;

  /**
   * `schema` is that of the batches that it gives, their types narrowed; `isSelection` says that the
   * file has more columns.
   */
  constructor(wasm: ParquetWasm, file: ParquetFile, schema: Schema, isSelection: boolean) {
    this.#isSelection = isSelection;
    this.#wasm = wasm;
    this.#file = file;
    this.#schema = schema;
    this.#columns = new Set(schema.fields.map(({ name }) => name));
    this.#isProbed = !schema.fields.some(({ type }) => isUnbounded(type));
  }

  /** The rows [start, stop) of a row group. */
  async *rows(group: number, { start, stop }: RowRange): AsyncGenerator<RecordBatch, void, void> {
    const shape = groupShape(this.#wasm, this.#file, group, this.#columns);
    const rowGroups = [group];
    if (!this.#isProbed) {
      this.#isProbed = true;
      for await (const _ of this.#batches({ rowGroups, batchSize: probedRows, limit: probedRows }));
    }
    const batchSize = this.#size.rowsOf(shape);
    for (const window of groupWindows(shape, { start, stop })) {
      // Rows before the first are decoded and left out where the module may be unable to skip them.
      let skipped = shape.inWindows ? 0 : window.start;
      const offset = window.start - skipped;
      const limit = window.stop - offset;
      const request = offset === 0
        ? { rowGroups, batchSize, limit }
        : { rowGroups, batchSize, offset, limit };
      for await (const batch of this.#batches(request)) {
        if (skipped < batch.numRows) yield skipped === 0 ? batch : batch.slice(skipped);
        skipped = Math.max(0, skipped - batch.numRows);
      }
    }
  }

  async *#batches(request: Request): AsyncGenerator<RecordBatch, void, void> {
    const options = this.#isSelection ? { ...request, columns: [...this.#columns] } : request;
    for await (const batch of decoded(await orTrap(this.#file.stream(options)))) {
      this.#type ??= batchType(batch);
      const rows = copyBatch(this.#wasm, batch, this.#schema, this.#type);
      this.#size.saw(rows);
      yield rows;
    }
  }
}

/** Whether values of a type may be as long as they like. */
function isUnbounded(type: DataType): boolean {
  switch (layoutOf(type)) {
    case "bits":
    case "values":
    case "null":
      return false;
    case "struct":
    case "fixed_list":
      return type.children.some((child) => isUnbounded(child.type));
    default:
      return true;
  }
}

/** The batches of a stream; it is cancelled where the reading ends early. */
async function* decoded(stream: ReadableStream<WasmBatch>): AsyncGenerator<WasmBatch, void, void> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const next = await orTrap(reader.read());
      if (next.done) break;
      yield next.value;
    }
    ended = true;
  } catch (error) {
    ended = true;
    throw error;
  } finally {
    if (!ended) await reader.cancel();
  }
}

/** The type of the batches, which have no views even where the schema of the file has. */
function batchType(batch: WasmBatch): Struct {
  return new Struct(decodeSchema(batch.schema.intoIPCStream()).fields);
}

/** Copies a batch out of the memory of the module and frees it there. */
function copyBatch(
  wasm: ParquetWasm,
  batch: WasmBatch,
  schema: Schema,
  type: Struct,
): RecordBatch {
  const exported = batch.intoFFI();
  try {
    const memory = wasm.wasmMemory().buffer as ArrayBuffer;
    const { children, length } = copyArray(memory, exported.arrayAddr(), type);
    const narrowed = new Struct(schema.fields);
    const columns = makeData({ type: narrowed, length, nullCount: 0, children: [...children] });
    return new RecordBatch(schema, columns);
  } finally {
    exported.free();
  }
}
