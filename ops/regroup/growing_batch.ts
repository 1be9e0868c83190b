/**
 * A batch that grows by the rows of other batches until it is large enough.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { GrowingColumn } from "../../gpu/column/growing_column.ts";
import { columnTypeIn } from "../batch/arrow_types.ts";
import { Batch, concatBatches } from "../batch/batch.ts";
import { BatchColumn } from "../batch/batch_column.ts";

/** Parts that are held as they came, at most. */
const MOST_PARTS = 4096;

/** Estimates the number of rows of a batch that has some rows already; undefined: unknown. */
type ExpectRows = (numRows: number) => number | undefined | Promise<number | undefined>;

/**
 * A batch that grows by parts. Parts are held as they came, sharing the memory of their batches, until
 * they have more than `mostShared` bytes; from then on rows are copied into columns that grow, and what
 * they came from can go. So each byte is copied once up to that size, and beyond it no more bytes are
 * held than those of the result, `mostShared` and the blocks of a growing column.
 */
export class GrowingBatch {
  readonly #schema: Schema;
  readonly #mostShared: number;
  readonly #expectedRows: ExpectRows;
  #shared: Batch[] = [];
  #columns: readonly GrowingColumn[] | undefined;
  #numRows = 0;
  #numBytes = 0;

  /** `expectedRows` is asked when rows begin to be copied: each is then copied once, if it knows. */
  constructor(schema: Schema, mostShared: number, expectedRows: ExpectRows = () => undefined) {
    this.#schema = schema;
    this.#mostShared = mostShared;
    this.#expectedRows = expectedRows;
  }

  /** Bytes of the rows that are held. */
  get numBytes(): number {
    return this.#numBytes;
  }

  get isEmpty(): boolean {
    return this.#numRows === 0;
  }

  /** Whether rows are copied as they come. */
  get isCopied(): boolean {
    return this.#columns !== undefined;
  }

  /**
   * Takes over rows on the host, at least one. Undefined if there is nothing to wait for: a promise would
   * cost a small part a good deal of its time.
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
    // A part alone may be all that comes, and is then passed on as it is.
    return isMuch && this.#shared.length > 1 ? this.#beginToCopy() : undefined;
  }

  /** All rows; a single part as it came. At least one part was added; the batch is then empty. */
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
