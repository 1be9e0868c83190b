/**
 * The build side of a join: a stream of its own.
 *
 * @module
 */

import { type RecordBatch, Schema } from "apache-arrow";
import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { BatchStream } from "../../../streams/plan/batch_stream.ts";
import { plainSchema } from "../../../streams/data/plain_schema.ts";
import { BatchColumn } from "../../batch/batch_column.ts";
import type { Expr } from "../../expr/expr.ts";
import { filter } from "../../rows/filter.ts";
import { select } from "../../rows/select.ts";
import { withColumns } from "../../rows/with_columns.ts";
import type { HostRows } from "../../spill/host_rows.ts";

/** The rows and columns of its build side that a join reads. */
export interface BuildRequest {
  /** The condition on the rows; absent for all of them. */
  readonly filter?: Expr;
  /** Columns that are computed first, by name. */
  readonly computed: ReadonlyMap<string, Expr>;
  /** The columns that are read, in this order. */
  readonly columns: Schema;
}

/** Columns of a schema, each once. */
interface ColumnsRead {
  readonly columns: Schema;
  /** Turns places in the schema into places among these columns. */
  among(places: readonly number[]): number[];
}

/** Returns the columns at `places` of a schema. */
export function columnsRead({ fields }: Schema, places: readonly number[]): ColumnsRead {
  const read = [...new Set(places)];
  return {
    columns: new Schema(read.map((place) => fields[place]!)),
    among: (places) => places.map((place) => read.indexOf(place)),
  };
}

/** A stream that a join has taken over. The join reads it once, to its end, or cancels it. */
export class BuildSide {
  #stream: BatchStream;
  #reader: ReadableStreamDefaultReader<RecordBatch>;
  #schema: Promise<Schema> | undefined;

  /** Locks the stream. Throws a TypeError for another kind of stream, or one that is in use. */
  constructor(stream: BatchStream) {
    if (typeof stream?.schema !== "function") {
      throw new TypeError(
        "The build side of a join comes from read() or fromBatches(), which takes other streams",
      );
    }
    if (stream.locked) {
      throw new TypeError(
        "The build side of a join is in use; each join needs a stream of its own",
      );
    }
    this.#stream = stream;
    this.#reader = stream.getReader();
  }

  /** The name of its source, as a line for `explain`. */
  get line(): string {
    return `build side: read ${this.#stream.sourceName}`;
  }

  /** Returns the plain schema of all columns, also after some of them have been read. */
  schema(): Promise<Schema> {
    return this.#schema ??= ofBuildSide(async () => plainSchema(await this.#stream.schema()));
  }

  /** Reads the rows, in one or more batches. Reads nothing that is not requested. */
  async *rows(request: BuildRequest, signal: AbortSignal): AsyncGenerator<HostRows, void, void> {
    this.#narrow(request);
    const { columns } = request;
    let hadBatch = false;
    for (;;) {
      const next = await ofBuildSide(() => this.#reader.read());
      if (signal.aborted) return;
      if (next.done) break;
      hadBatch = true;
      yield hostRows(next.value, columns);
    }
    // Every plan yields at least one batch, if only one without rows.
    if (!hadBatch) throw new TypeError("The build side of the join was read before");
  }

  /** Cancels the rest of the stream. Never fails. */
  async cancel(reason: unknown): Promise<void> {
    await this.#reader.cancel(reason).catch(() => {});
  }

  /** Adds the request to the plan of the stream. */
  #narrow({ filter: condition, computed, columns: { names } }: BuildRequest): void {
    this.#reader.releaseLock();
    let stream = this.#stream;
    if (condition !== undefined) stream = stream.pipeThrough(filter(condition));
    if (computed.size > 0) stream = stream.pipeThrough(withColumns(Object.fromEntries(computed)));
    if (names.length > 0) stream = stream.pipeThrough(select(...names as string[]));
    this.#stream = stream;
    this.#reader = stream.getReader();
  }
}

/** Returns the columns of a record batch, by their names. */
function hostRows({ schema, data, numRows }: RecordBatch, columns: Schema): HostRows {
  return {
    columns: columns.fields.map(({ name, type }) => {
      const place = schema.fields.findIndex((field) => field.name === name);
      return BatchColumn.fromArrow(type, data.children[place]!, { name }).rows;
    }),
    numRows,
  };
}

/** Marks an error of a step of the build side, which is not a step of the pipeline itself. */
async function ofBuildSide<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSluiceError(error, "StepError")) throw error;
    throw new Error(`build side, ${error.message}`, { cause: error });
  }
}
