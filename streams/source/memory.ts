/**
 * Creates sources over batches in memory or from any iterable, and collects streams into tables.
 *
 * @module
 */

import { RecordBatch, Schema, Table, util } from "apache-arrow";
import { showValue } from "../../base/kind_of.ts";
import { checkText } from "../../base/option_kinds.ts";
import { withOneSchema } from "../data/with_schema.ts";
import { checkSameColumns, SmallBatches } from "../data/arrow_data.ts";
import { checkBatch, isBatch, isTable, isVector, ownBatch, ownSchema } from "../types/own_arrow.ts";
import type { OpenOptions, Source, SourceRows } from "../plan/source.ts";
import { knownLengths } from "../rows/chunk_lengths.ts";
import { locateRows } from "../rows/locate_rows.ts";
import { allRows, isAllRows, type RowRequest } from "../rows/row_request.ts";
import { resolveSlice } from "../rows/row_slice.ts";
import { type RowRange, selectColumns, sliceToRange } from "../types/select_columns.ts";
import { streamSource } from "../plan/stream_source.ts";

/** The batches that `fromBatches()` accepts. */
export type Batches =
  | Table
  | RecordBatch
  | Iterable<RecordBatch>
  | AsyncIterable<RecordBatch>;

/** Options for sources over batches. */
export interface MemorySourceOptions {
  /** The name of the source in errors. Default: "memory". */
  readonly name?: string | undefined;
  /** The schema, which must be that of the batches. Necessary if there may be no batch. */
  readonly schema?: Schema | undefined;
}

/**
 * Creates a source over batches. A table, a batch or an array can be read repeatedly and from any
 * row, and has a known length. Other iterables are read once, and only as far as necessary.
 */
export function memorySource(batches: Batches, options: MemorySourceOptions = {}): Source {
  const { name = "memory" } = options;
  checkText("fromBatches() option name", name);
  const schema = options.schema === undefined ? undefined : givenSchema(options.schema);
  const array = isTable(batches)
    ? batches.batches
    : isBatch(batches)
    ? [batches]
    : Array.isArray(batches)
    ? batches
    : undefined;
  if (array !== undefined) {
    const own = array.map((batch) => ownBatch("fromBatches()", batch));
    const given = schema ?? (isTable(batches) ? ownSchema(batches.schema) : own[0]?.schema);
    return new ArraySource(own, given, name);
  }
  checkIterable("fromBatches()", batches);
  // A ReadableStream is used directly, since a wrapped one could not be cancelled while it waits.
  const stream = batches instanceof ReadableStream ? batches : ReadableStream.from(batches);
  return streamSource(stream, name, schema);
}

/** Returns the schema of the option. Throws a TypeError for another value. */
function givenSchema(schema: unknown): Schema {
  const isSchema = typeof schema === "object" && schema !== null && "fields" in schema &&
    Array.isArray(schema.fields);
  if (isSchema) return ownSchema(schema as Schema);
  throw new TypeError(`fromBatches() option schema is a schema of Arrow, not ${showValue(schema)}`);
}

/**
 * Collects a stream into a table. A stream without batches becomes a table without columns. A column
 * that has 64-bit offsets in one of the batches gets them in all, since a table has one schema.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { toTable } from "./memory.ts";
 *
 * const { batches } = tableFromArrays({ id: Int32Array.of(1, 2) });
 * assertEquals((await toTable(ReadableStream.from(batches))).numRows, 2);
 * ```
 */
export async function toTable(
  stream: ReadableStream<RecordBatch> | AsyncIterable<RecordBatch>,
): Promise<Table> {
  checkIterable("toTable()", stream);
  const batches: RecordBatch[] = [];
  for await (const batch of stream) {
    batches.push(ownBatch("toTable()", batch));
  }
  const alike = withOneSchema(batches);
  alike.forEach(({ schema }, index) => checkLike(alike[0]!.schema, schema, index));
  return new Table(withSameObjects(alike));
}

/**
 * Returns batches whose schemas arrow-js considers equal: it compares classes, though one type may
 * have two, and nullability.
 */
function withSameObjects(batches: readonly RecordBatch[]): RecordBatch[] {
  const [first] = batches;
  if (
    first === undefined || batches.every(({ schema }) => util.compareSchemas(first.schema, schema))
  ) {
    return [...batches];
  }
  const fields = first.schema.fields.map((field, index) => {
    const nullable = batches.some(({ schema }) => schema.fields[index]!.nullable);
    return nullable === field.nullable ? field : field.clone({ nullable });
  });
  const schema = new Schema(fields, first.schema.metadata);
  return batches.map((batch) => new RecordBatch(schema, batch.data, batch.metadata));
}

/** Throws a TypeError that names a batch whose columns differ from those of the first. */
function checkLike(first: Schema, schema: Schema, index: number): void {
  try {
    checkSameColumns(first, schema);
  } catch (cause) {
    const problem = `toTable() takes batches of one schema: in batch ${index} ${
      (cause as Error).message
    }`;
    throw new TypeError(`${problem}; fromBatches() takes text of all layouts`, { cause });
  }
}

/** Throws a TypeError if a value is not an iterable of batches. */
function checkIterable(caller: string, value: unknown): void {
  const isIterable = typeof value === "object" && value !== null &&
    (Symbol.asyncIterator in value || Symbol.iterator in value) && !isVector(value) &&
    !isTable(value);
  if (!isIterable) checkBatch(caller, value);
}

class ArraySource implements Source {
  readonly bytesRead = 0;
  readonly name: string;
  readonly #batches: readonly RecordBatch[];
  readonly #schema: Schema | undefined;

  constructor(batches: readonly RecordBatch[], schema: Schema | undefined, name: string) {
    this.name = name;
    this.#batches = batches;
    this.#schema = schema;
  }

  schema(): Promise<Schema | undefined> {
    return Promise.resolve(this.#schema);
  }

  numRows(): Promise<number> {
    return Promise.resolve(this.#batches.reduce((sum, { numRows }) => sum + numRows, 0));
  }

  canSeek(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async *rows(
    request: RowRequest = allRows,
    options: OpenOptions = {},
  ): AsyncGenerator<SourceRows, void, void> {
    const { columns, signal } = options;
    const [pick, ...later] = request;
    if (later.length === 0 && pick.kind === "slice" && pick.step === 1) {
      let { start: firstRow, count } = resolveSlice(pick, await this.numRows());
      // A request for all rows yields empty batches too.
      const stop = isAllRows(request) ? Infinity : firstRow + count;
      for (const batch of this.#range({ start: firstRow, stop }, options)) {
        yield { batch, firstRow };
        firstRow += batch.numRows;
      }
      return;
    }
    const lengths = knownLengths(this.#batches.map(({ numRows }) => numRows));
    for await (const { chunk, runs, firstRow } of locateRows(request, lengths)) {
      if (signal?.aborted) return;
      yield { batch: selected(this.#batches[chunk]!, columns), runs, firstRow };
    }
  }

  /** Yields consecutive rows; small batches may be joined. */
  *#range(range: RowRange, options: OpenOptions): Generator<RecordBatch, void, void> {
    const { columns, signal, together } = options;
    const small = new SmallBatches(together);
    let first = 0;
    for (const batch of this.#batches) {
      if (signal?.aborted) return;
      if (first >= range.stop) break;
      const stop = first + batch.numRows;
      if (stop > range.start || range.start === 0) {
        for (const rows of small.pushBatch(sliceToRange(batch, first, range))) {
          yield selected(rows, columns);
        }
      }
      first = stop;
    }
    for (const rows of small.take()) yield selected(rows, columns);
  }
}

function selected(batch: RecordBatch, columns: readonly string[] | undefined): RecordBatch {
  return columns === undefined ? batch : selectColumns(batch, columns);
}
