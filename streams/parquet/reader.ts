/**
 * Reading Parquet: row group by row group, in batches.
 *
 * @module
 */

import { makeData, RecordBatch, type Schema, Struct } from "apache-arrow";
import type { ParquetFile, RecordBatch as WasmBatch } from "parquet-wasm/esm";
import { decodeSchema } from "../arrow.ts";
import type { FileInput } from "../file_input.ts";
import { selectFields } from "../select_columns.ts";
import type { OpenOptions } from "../source.ts";
import { copyArray } from "./c_data.ts";
import { narrowSchema } from "./narrow.ts";
import { fileRanges, rangeBlob } from "./range_blob.ts";
import { orTrap } from "./or_trap.ts";
import { loadParquetWasm, type ParquetWasm } from "./wasm.ts";

/** Rows of a batch, at most. */
const batchRows = 65_536;
const magic = "PAR1";

/** Reads the schema. */
export async function readParquetSchema(input: FileInput): Promise<Schema> {
  const { file } = await openParquet(input);
  const schema = wasmSchema(file);
  file.free();
  return narrowSchema(schema);
}

/** Reads the number of rows from the metadata. */
export async function countParquetRows(input: FileInput): Promise<number> {
  const { file } = await openParquet(input);
  const numRows = file.metadata().fileMetadata().numRows();
  file.free();
  return numRows;
}

/** Reads record batches of the row groups that hold rows of [start, stop). */
export async function* readParquetBatches(
  input: FileInput,
  { columns, start = 0, stop = Infinity }: OpenOptions,
): AsyncGenerator<RecordBatch, void, void> {
  const { wasm, file } = await openParquet(input);
  try {
    const fileSchema = wasmSchema(file);
    const wanted = columns === undefined ? fileSchema : selectFields(fileSchema, columns);
    const schema = narrowSchema(wanted);
    const parts = groupParts(file, start, stop);
    if (wanted.fields.length === 0) {
      yield* emptyRows(schema, parts.reduce((sum, { limit }) => sum + limit, 0));
      return;
    }
    const names = columns === undefined ? {} : { columns: wanted.fields.map(({ name }) => name) };
    // The module applies a limit to each row group, so groups are asked for one by one. It is not
    // given an offset: it cannot skip rows of some encodings of integers.
    let type: Struct | undefined;
    for (const { rowGroups, offset, limit } of parts) {
      const options = { batchSize: batchRows, rowGroups, limit: offset + limit, ...names };
      let skipped = offset;
      for await (const batch of decoded(await orTrap(file.stream(options)))) {
        type ??= batchType(batch);
        const rows = copyBatch(wasm, batch, schema, type);
        if (skipped < rows.numRows) yield skipped === 0 ? rows : rows.slice(skipped);
        skipped = Math.max(0, skipped - rows.numRows);
      }
    }
  } finally {
    file.free();
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

async function openParquet(input: FileInput): Promise<{ wasm: ParquetWasm; file: ParquetFile }> {
  const { numBytes } = input;
  if (numBytes === undefined) throw new TypeError("Parquet cannot be read from a pipe");
  await checkMagic(input, numBytes);
  const wasm = await loadParquetWasm();
  return { wasm, file: await wasm.ParquetFile.fromFile(rangeBlob(numBytes, fileRanges(input))) };
}

async function checkMagic(input: FileInput, numBytes: number): Promise<void> {
  if (numBytes === 0) throw new TypeError("is empty, not a Parquet file");
  const textAt = async (position: number) => {
    await input.seek(position);
    return new TextDecoder().decode(await input.read(magic.length));
  };
  if (await textAt(0) !== magic) throw new TypeError("is not a Parquet file");
  if (await textAt(Math.max(4, numBytes - magic.length)) !== magic) {
    throw new TypeError("is a truncated Parquet file, its footer is missing");
  }
}

function wasmSchema(file: ParquetFile): Schema {
  return decodeSchema(file.schema().intoIPCStream());
}

/** A row group and which of its rows to read, as parquet-wasm wants to be told. */
interface GroupPart {
  readonly rowGroups: number[];
  readonly offset: number;
  readonly limit: number;
}

/** The row groups that hold rows of [start, stop). */
function groupParts(file: ParquetFile, start: number, stop: number): GroupPart[] {
  const metadata = file.metadata();
  const parts: GroupPart[] = [];
  let first = 0;
  for (let group = 0; group < metadata.numRowGroups(); group++) {
    const last = first + metadata.rowGroup(group).numRows();
    const from = Math.max(start, first);
    const to = Math.min(stop, last);
    if (from < to) parts.push({ rowGroups: [group], offset: from - first, limit: to - from });
    first = last;
  }
  return parts;
}

function* emptyRows(schema: Schema, numRows: number): Generator<RecordBatch, void, void> {
  for (let left = numRows; left > 0; left -= batchRows) {
    const length = Math.min(left, batchRows);
    yield new RecordBatch(schema, makeData({ type: new Struct([]), length, nullCount: 0 }));
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
