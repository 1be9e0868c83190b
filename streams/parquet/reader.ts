/**
 * Reads Parquet, row group by row group.
 *
 * @module
 */

import { makeData, RecordBatch, type Schema, Struct } from "apache-arrow";
import type { FileInput } from "../file_input.ts";
import { readRanges } from "../rows/read_ranges.ts";
import type { RowRequest } from "../rows/row_request.ts";
import type { RowRun } from "../rows/row_run.ts";
import { type RowRange, selectFields } from "../select_columns.ts";
import type { OpenOptions, SourceRows } from "../source.ts";
import { GroupReader } from "./group_reader.ts";
import type { KeptHead } from "./head.ts";
import { int96Units } from "./int96_units.ts";
import type { RowGroup } from "./metadata.ts";
import { OpenParquet } from "./open.ts";
import { restoredSchema } from "./restore.ts";

/** Maximum rows of a batch without columns. */
const batchRows = 65_536;

/** Reads the schema. */
export async function readParquetSchema(input: FileInput, kept: KeptHead): Promise<Schema> {
  using parquet = await OpenParquet.open(input, kept);
  return await meantSchema(parquet);
}

/** Reads the number of rows from the metadata. */
export async function countParquetRows(input: FileInput, kept: KeptHead): Promise<number> {
  return (await kept.of(input)).metadata.numRows!;
}

/** Reads the rows of a request. */
export function readParquetRows(
  input: FileInput,
  kept: KeptHead,
  request: RowRequest,
  options: OpenOptions,
): AsyncGenerator<SourceRows, void, void> {
  const count = () => countParquetRows(input, kept);
  return readRanges(request, count, async function* (range) {
    await input.rewind();
    yield* readParquetBatches(input, kept, options, range);
  });
}

/** Reads record batches of the row groups that hold rows of a range. */
export async function* readParquetBatches(
  input: FileInput,
  kept: KeptHead,
  { columns }: OpenOptions,
  { start, stop }: RowRange = { start: 0, stop: Infinity },
): AsyncGenerator<RecordBatch, void, void> {
  using parquet = await OpenParquet.open(input, kept);
  const fileSchema = await meantSchema(parquet, columns);
  const schema = columns === undefined ? fileSchema : selectFields(fileSchema, columns);
  const parts = groupParts(parquet.groups, start, stop);
  if (schema.fields.length === 0) {
    yield* emptyRows(schema, parts.reduce((sum, { run }) => sum + run.count, 0));
    return;
  }
  const decodedSchema = columns === undefined
    ? parquet.decodedSchema
    : selectFields(parquet.decodedSchema, columns);
  const isSelection = columns !== undefined;
  const reader = new GroupReader(parquet, { decodedSchema, schema, isSelection });
  for (const { group, run, first } of parts) {
    for await (const { batch } of reader.rows(group, [run], first)) yield batch;
  }
}

/** The schema that the file means; types of columns that are not wanted may be wrong. */
async function meantSchema(parquet: OpenParquet, columns?: readonly string[]): Promise<Schema> {
  const { decodedSchema, head } = parquet;
  const wanted = new Set(columns ?? decodedSchema.fields.map(({ name }) => name));
  const units = await int96Units(parquet, wanted);
  return restoredSchema(decodedSchema, head.leaves, units);
}

/** A row group, its rows to read, and the row of the file at which it begins. */
interface GroupPart {
  readonly group: number;
  readonly run: RowRun;
  readonly first: number;
}

/** The row groups that hold rows of [start, stop). */
function groupParts(groups: readonly RowGroup[], start: number, stop: number): GroupPart[] {
  const parts: GroupPart[] = [];
  let first = 0;
  for (const [group, { numRows }] of groups.entries()) {
    const last = first + numRows!;
    const from = Math.max(start, first);
    const to = Math.min(stop, last);
    if (from < to) {
      parts.push({ group, run: { start: from - first, step: 1, count: to - from }, first });
    }
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
