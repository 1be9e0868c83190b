/**
 * The build side of a join: a stream of its own.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { RecordBatch, Schema } from "apache-arrow";
import type { BatchStream } from "../../../streams/plan/batch_stream.ts";
import { plainSchema } from "../../../streams/data/plain_schema.ts";
import { Batch } from "../../batch/batch.ts";
import type { Expr } from "../../expr/expr.ts";
import { filter } from "../../rows/filter.ts";
import { select } from "../../rows/select.ts";
import { withColumns } from "../../rows/with_columns.ts";

/** What a join reads of its build side. */
export interface BuildRequest {
  /** Where this is false or null, a row is left out. */
  readonly filter?: Expr;
  /** Columns that are computed first, by name. */
  readonly computed: ReadonlyMap<string, Expr>;
  /** The columns of the batches, in this order. */
  readonly columns: Schema;
}

/** A stream that a join has taken over. It is read once, to its end, or cancelled. */
export class BuildSide {
  #stream: BatchStream;
  #reader: ReadableStreamDefaultReader<RecordBatch>;
  #schema: Promise<Schema> | undefined;

  /** Locks the stream. One that is not ours, or is in use already, is a TypeError. */
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

  /** Where it comes from, as a line of `explain`. */
  get line(): string {
    return `build side: read ${this.#stream.sourceName}`;
  }

  /** The plain schema, of all columns also when only some of them were read. */
  schema(): Promise<Schema> {
    return this.#schema ??= ofBuildSide(async () => plainSchema(await this.#stream.schema()));
  }

  /** The batches, at least one, on the host. What is not asked for is not read. */
  async *batches(request: BuildRequest, signal: AbortSignal): AsyncGenerator<Batch, void, void> {
    this.#narrow(request);
    const { columns } = request;
    let hadBatch = false;
    for (;;) {
      const next = await ofBuildSide(() => this.#reader.read());
      if (signal.aborted) return;
      if (next.done) break;
      hadBatch = true;
      const { schema } = next.value;
      const places = columns.fields.map(({ name }) =>
        schema.fields.findIndex((field) => field.name === name)
      );
      yield Batch.fromRecordBatch(plainSchema(schema), next.value).pick(columns, places);
    }
    // Every plan gives at least one batch, if only one without rows.
    if (!hadBatch) throw new TypeError("The build side of the join was read before");
  }

  /** Cancels what was not read. Never fails. */
  async cancel(reason: unknown): Promise<void> {
    await this.#reader.cancel(reason).catch(() => {});
  }

  /** Adds to the plan of the stream what a join computes and leaves out. */
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

/** An error of a step of the build side says so: that step is none of the pipeline's own. */
async function ofBuildSide<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSluiceError(error, "StepError")) throw error;
    throw new Error(`build side, ${error.message}`, { cause: error });
  }
}
