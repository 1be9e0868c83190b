/**
 * The build side of a join: a stream of its own.
 *
 * @module
 */

import { type RecordBatch, Schema } from "apache-arrow";
import type { BatchStream } from "../../streams/batch_stream.ts";
import { Batch, concatBatches } from "../batch/batch.ts";
import { plainSchema } from "../../streams/plain_schema.ts";
import { StepError } from "../engine/step_error.ts";

/** A stream that a join has taken over. It is read once, to its end, or cancelled. */
export class BuildSide {
  readonly #stream: BatchStream;
  readonly #reader: ReadableStreamDefaultReader<RecordBatch>;

  /** Locks the stream. One that is not ours, or is in use already, is a TypeError. */
  constructor(stream: BatchStream) {
    if (typeof stream?.schema !== "function") {
      throw new TypeError("The build side of a join comes from read() or fromBatches()");
    }
    if (stream.locked) {
      throw new TypeError(
        "The build side of a join is in use; each join needs a stream of its own",
      );
    }
    this.#stream = stream;
    this.#reader = stream.getReader();
  }

  /** The plain schema. */
  schema(): Promise<Schema> {
    return ofBuildSide(async () => plainSchema(await this.#stream.schema()));
  }

  /**
   * All rows of the given columns as one batch on the host; undefined once it was cancelled. `schema`
   * is the plain schema of all columns.
   */
  async rows(
    schema: Schema,
    columns: readonly number[],
    signal: AbortSignal,
  ): Promise<Batch | undefined> {
    const picked = new Schema(columns.map((index) => schema.fields[index]!), schema.metadata);
    const batches: Batch[] = [];
    await ofBuildSide(async () => {
      for (let next = await this.#read(); !next.done; next = await this.#read()) {
        batches.push(Batch.fromRecordBatch(schema, next.value).pick(picked, columns));
      }
    });
    if (signal.aborted) return undefined;
    // Every plan gives at least one batch, if only one without rows.
    if (batches.length === 0) throw new TypeError("The build side of the join was read before");
    return concatBatches(picked, batches);
  }

  /** Cancels what was not read. Never fails. */
  async cancel(reason: unknown): Promise<void> {
    await this.#reader.cancel(reason).catch(() => {});
  }

  #read(): Promise<ReadableStreamReadResult<RecordBatch>> {
    return this.#reader.read();
  }
}

/** An error of a step of the build side says so: that step is none of the pipeline's own. */
async function ofBuildSide<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    throw new Error(`build side, ${error.message}`, { cause: error });
  }
}
