/**
 * Reading Parquet: row group by row group, in batches.
 *
 * @module
 */

import { makeData, RecordBatch, type Schema, Struct } from "apache-arrow";
import type { ParquetFile } from "parquet-wasm/esm";
import { decodeSchema } from "../arrow.ts";
import type { FileInput } from "../file_input.ts";
import type { RowRange } from "../row_range.ts";
import { selectFields } from "../select_columns.ts";
import type { OpenOptions } from "../source.ts";
import { GroupReader } from "./group_reader.ts";
import { narrowSchema } from "./narrow.ts";
import { fileRanges, rangeBlob } from "./range_blob.ts";
import { loadParquetWasm, type ParquetWasm } from "./wasm.ts";

/** Rows of a batch without columns, at most. */
const batchRows = 65_536;
const magic = "PAR1";
const onPipe = "Parquet, whose footer comes last, cannot be read from a pipe; save it to a file";

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
      yield* emptyRows(schema, parts.reduce((sum, { range }) => sum + range.stop - range.start, 0));
      return;
    }
    const groups = new GroupReader(wasm, file, schema, columns !== undefined);
    for (const { group, range } of parts) yield* groups.rows(group, range);
  } finally {
    file.free();
  }
}

async function openParquet(input: FileInput): Promise<{ wasm: ParquetWasm; file: ParquetFile }> {
  const { numBytes } = input;
  if (numBytes === undefined) throw new TypeError(onPipe);
  await checkMagic(input, numBytes);
  const wasm = await loadParquetWasm();
  const file = await wasm.ParquetFile.fromFile(rangeBlob(numBytes, fileRanges(input)));
  checkRowCounts(file);
  return { wasm, file };
}

/** Throws where the rows of the row groups are not as many as the file says. */
function checkRowCounts(file: ParquetFile): void {
  const metadata = file.metadata();
  const claimed = metadata.fileMetadata().numRows();
  let numRows = 0;
  for (let group = 0; group < metadata.numRowGroups(); group++) {
    const inGroup = metadata.rowGroup(group).numRows();
    if (inGroup < 0) throw new TypeError(`is corrupt: row group ${group} says ${inGroup} rows`);
    numRows += inGroup;
  }
  if (numRows !== claimed) {
    throw new TypeError(`is corrupt: it says ${claimed} rows, its row groups say ${numRows}`);
  }
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

/** A row group and which of its rows to read. */
interface GroupPart {
  readonly group: number;
  readonly range: RowRange;
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
    if (from < to) parts.push({ group, range: { start: from - first, stop: to - first } });
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
