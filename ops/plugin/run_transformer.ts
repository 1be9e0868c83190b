/**
 * A transformer of batches, run as a stage.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { checkSameColumns } from "../../streams/data/arrow_data.ts";
import { Batch } from "../batch/batch.ts";
import type { RowRule } from "../engine/node.ts";

/** The promises of an operator about its result. */
interface Promised {
  readonly name: string;
  readonly rows: RowRule;
  readonly schema: Schema;
}

/**
 * Runs a transformer as a TransformStream would, one batch at a time, and checks its promises. An
 * absent `transform` passes batches on. `cancel` is called where the run ends early.
 */
export async function* runTransformer(
  promised: Promised,
  input: AsyncIterable<Batch>,
  transformer: Transformer<Batch, Batch>,
): AsyncGenerator<Batch, void, void> {
  const queue = new BatchQueue(promised);
  let isDone = false;
  let reason: unknown;
  try {
    await transformer.start?.(queue);
    yield* queue.take();
    if (!queue.isTerminated) {
      for await (const batch of input) {
        await queue.lend(
          batch,
          () =>
            transformer.transform === undefined
              ? queue.enqueue(batch)
              : transformer.transform(batch, queue),
        );
        yield* queue.take();
        if (queue.isTerminated) break;
      }
    }
    if (!queue.isTerminated) await transformer.flush?.(queue);
    isDone = true;
    yield* queue.take();
    queue.checkRows();
  } catch (error) {
    reason = error;
    throw error;
  } finally {
    queue.release();
    if (!isDone) await transformer.cancel?.(reason);
  }
}

/** The stream that a transformer sees: a queue that is emptied after each call. */
class BatchQueue implements TransformStreamDefaultController<Batch> {
  readonly desiredSize = 1;
  readonly #promised: Promised;
  readonly #batches: Batch[] = [];
  #lent: Batch | undefined;
  #failure: { readonly reason: unknown } | undefined;
  #numRowsIn = 0;
  #numRowsOut = 0;
  isTerminated = false;

  constructor(promised: Promised) {
    this.#promised = promised;
  }

  enqueue(batch: Batch): void {
    if (this.isTerminated) throw new TypeError("Cannot enqueue after terminate");
    const { name, schema } = this.#promised;
    try {
      checkSameColumns(schema, batch.schema);
    } catch (error) {
      throw new TypeError(`${name} did not return what it promised: ${(error as Error).message}`);
    }
    // The batch that came in is released after the call; whatever else is enqueued changes hands.
    const { numRows, columns } = batch === this.#lent ? batch.share() : batch;
    this.#batches.push(new Batch(schema, numRows, columns));
  }

  error(reason?: unknown): void {
    this.#failure ??= { reason };
  }

  terminate(): void {
    this.isTerminated = true;
  }

  /** Calls the transformer with a batch, which it releases afterwards. */
  async lend(batch: Batch, transform: () => unknown): Promise<void> {
    this.#lent = batch;
    this.#numRowsIn += batch.numRows;
    try {
      await transform();
    } finally {
      this.#lent = undefined;
      batch.release();
    }
  }

  /** Yields the batches that were enqueued, or throws the error that was reported. */
  *take(): Generator<Batch, void, void> {
    if (this.#failure !== undefined) throw this.#failure.reason;
    for (let batch = this.#batches.shift(); batch !== undefined; batch = this.#batches.shift()) {
      this.#numRowsOut += batch.numRows;
      yield batch;
    }
  }

  /** A slice may have moved past the operator, which only holds as long as the rows do. */
  checkRows(): void {
    const { name, rows } = this.#promised;
    const isKept = rows === "any" || this.#numRowsOut === this.#numRowsIn ||
      (rows === "fewer" && this.#numRowsOut < this.#numRowsIn);
    if (!isKept) {
      const promise = rows === "same" ? "the same" : "no more";
      throw new TypeError(
        `${name} promises ${promise} rows: ${this.#numRowsIn} came in, ${this.#numRowsOut} out`,
      );
    }
  }

  /** Releases the batches that were not taken. */
  release(): void {
    for (const batch of this.#batches.splice(0)) batch.release();
  }
}
