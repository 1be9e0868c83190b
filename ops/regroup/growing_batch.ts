/**
 * Collects rows of other batches into one batch.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { GrowingColumn } from "../../gpu/column/growing_column.ts";
import { columnTypeIn } from "../batch/arrow_types.ts";
import { Batch, concatBatches } from "../batch/batch.ts";
import { BatchColumn } from "../batch/batch_column.ts";

/** The most parts that are kept uncopied. */
const MOST_PARTS = 4096;

/**
 * A function that estimates the final number of rows of a batch that has `numRows` already;
 * undefined if unknown.
 */
type ExpectRows = (numRows: number) => number | undefined | Promise<number | undefined>;

/**
 * A batch that grows by parts. It keeps parts uncopied, sharing the memory of their batches, until
 * they have more than `mostShared` bytes. From then on it copies rows into growing columns, and the
 * original batches can be freed. So each byte is copied once up to that size, and beyond it no more
 * is in memory than the result, `mostShared` and the blocks of a growing column.
 */
export class GrowingBatch {
  readonly #schema: Schema;
  readonly #mostShared: number;
  readonly #expectedRows: ExpectRows;
  #shared: Batch[] = [];
  #columns: readonly GrowingColumn[] | undefined;
  #numRows = 0;
  #numBytes = 0;

  /**
   * Calls `expectedRows` when copying begins. If it knows the number, each row is copied only once.
   */
  constructor(schema: Schema, mostShared: number, expectedRows: ExpectRows = () => undefined) {
    this.#schema = schema;
    this.#mostShared = mostShared;
    this.#expectedRows = expectedRows;
  }

  /** The bytes of the rows so far. */
  get numBytes(): number {
    return this.#numBytes;
  }

  get isEmpty(): boolean {
    return this.#numRows === 0;
  }

  /** Whether copying has begun. */
  get isCopied(): boolean {
    return this.#columns !== undefined;
  }

  /**
   * Appends one or more rows on the host, and takes ownership of them. Returns undefined if it was
   * done synchronously: a promise would cost a small part much of its time.
   */
  append(part: Batch): Promise<void> | undefined {
    this.#numRows += part.numRows;
    this.#numBytes += part.numBytes;
    if (this.#columns !== undefined) {
      copy(part, this.#columns);
      return undefined;
    }
    this.#shared.push(part);
    const isMuch = this.#numBytes > this.#mostShared || this.#shared.length >= MOST_PARTS;
    // A single part may be all that comes; it is then passed on unchanged.
    return isMuch && this.#shared.length > 1 ? this.#beginToCopy() : undefined;
  }

  /**
   * Returns all rows, a single part unchanged, and empties this batch. It must have at least one
   * part.
   */
  finish(): Batch {
    const [shared, columns, numRows] = [this.#shared, this.#columns, this.#numRows];
    [this.#shared, this.#columns, this.#numRows, this.#numBytes] = [[], undefined, 0, 0];
    if (columns === undefined) {
      return shared.length === 1 ? shared[0]! : concatBatches(this.#schema, shared);
    }
    const whole = columns.map((column, index) =>
      BatchColumn.fromColumn(this.#schema.fields[index]!.type, column.finish())
    );
    return new Batch(this.#schema, numRows, whole);
  }

  async #beginToCopy(): Promise<void> {
    const numRows = await this.#expectedRows(this.#numRows) ?? 0;
    this.#columns = this.#schema.fields.map((field, index) => {
      const sample = this.#shared.map(({ columns }) => columns[index]!.rows);
      const column = new GrowingColumn(columnTypeIn(field), { numRows, sample });
      for (const [at, rows] of sample.entries()) {
        column.append(rows, this.#shared[at]!.columns[index]!.origin);
      }
      return column;
    });
    this.#shared = [];
  }
}

function copy({ columns }: Batch, targets: readonly GrowingColumn[]): void {
  for (let index = 0; index < targets.length; index++) {
    const column = columns[index]!;
    targets[index]!.append(column.rows, column.origin);
  }
}
