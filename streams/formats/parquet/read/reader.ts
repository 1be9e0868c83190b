/**
 * Reads Parquet, row group by row group.
 *
 * @module
 */

import { makeData, RecordBatch, type Schema, Struct } from "apache-arrow";
import type { FileInput } from "../../../bytes/file_input.ts";
import { type ChunkLengths, knownLengths } from "../../../rows/chunk_lengths.ts";
import { locateRows } from "../../../rows/locate_rows.ts";
import type { RowRequest } from "../../../rows/row_request.ts";
import { numRowsOf } from "../../../rows/row_run.ts";
import { selectFields } from "../../../types/select_columns.ts";
import type { OpenOptions, SourceRows } from "../../../plan/source.ts";
import { GroupReader } from "./group_reader.ts";
import type { KeptHead } from "../metadata/head.ts";
import { int96Units } from "./int96_units.ts";
import type { RowGroup } from "../metadata/metadata.ts";
import { OpenParquet } from "./open.ts";
import { restoredSchema } from "./restore.ts";

/** The most rows of a batch without columns. */
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

/** Options for reading rows. */
interface ReadRowsOptions extends OpenOptions {
  /** Whether invalid UTF-8 is passed on. Default: it is an error. */
  readonly mayBeInvalid?: boolean;
}

/**
 * Yields the rows of a request, row group by row group. Throws a MissingRowError if a row does not
 * exist.
 */
export async function* readParquetRows(
  input: FileInput,
  kept: KeptHead,
  request: RowRequest,
  { columns, mayBeInvalid = false }: ReadRowsOptions,
): AsyncGenerator<SourceRows, void, void> {
  using parquet = await OpenParquet.open(input, kept);
  const fileSchema = await meantSchema(parquet, columns);
  const schema = columns === undefined ? fileSchema : selectFields(fileSchema, columns);
  const decodedSchema = columns === undefined
    ? parquet.decodedSchema
    : selectFields(parquet.decodedSchema, columns);
  const isSelection = columns !== undefined;
  const wanted = { decodedSchema, schema, isSelection, mayBeInvalid };
  const reader = new GroupReader(parquet, wanted);
  const starts = firstRows(parquet.groups);
  const located = locateRows(request, groupLengths(parquet.groups));
  let following = await located.next();
  while (!following.done) {
    const { chunk, runs } = following.value;
    const firstRow = starts[chunk]!;
    following = await located.next();
    if (schema.fields.length === 0) yield* emptyRows(schema, numRowsOf(runs), firstRow);
    else {
      for await (const rows of await reader.rows(chunk, runs, firstRow)) {
        // Fetch the pages of the next row group from a server while this one is decoded.
        if (!following.done) input.prepare(reader.pagesOf(following.value));
        yield rows;
      }
    }
  }
}

/** Describes the row groups that have rows of a request, such as "1 of 12 row groups". */
export async function describeParquetRows(
  input: FileInput,
  kept: KeptHead,
  request: RowRequest,
): Promise<string> {
  const groups = (await kept.of(input)).metadata.rowGroups!;
  const wanted = new Set<number>();
  for await (const { chunk } of locateRows(request, groupLengths(groups))) wanted.add(chunk);
  return `${wanted.size} of ${groups.length} row group${groups.length === 1 ? "" : "s"}`;
}

function groupLengths(groups: readonly RowGroup[]): ChunkLengths {
  return knownLengths(groups.map(({ numRows }) => numRows!));
}

/** Returns the first row of each row group. */
function firstRows(groups: readonly RowGroup[]): number[] {
  let first = 0;
  return groups.map(({ numRows }) => (first += numRows!) - numRows!);
}

/** Returns the schema that the file means. The types of unwanted columns may be wrong. */
async function meantSchema(parquet: OpenParquet, columns?: readonly string[]): Promise<Schema> {
  const { decodedSchema, head } = parquet;
  const wanted = new Set(columns ?? decodedSchema.fields.map(({ name }) => name));
  const units = await int96Units(parquet, wanted);
  return restoredSchema(decodedSchema, head.leaves, units);
}

function* emptyRows(
  schema: Schema,
  numRows: number,
  firstRow: number,
): Generator<SourceRows, void, void> {
  for (let left = numRows; left > 0; left -= batchRows) {
    const length = Math.min(left, batchRows);
    const data = makeData({ type: new Struct([]), length, nullCount: 0 });
    yield { batch: new RecordBatch(schema, data), firstRow };
  }
}
