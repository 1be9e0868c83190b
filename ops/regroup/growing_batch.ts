/** @module */

import type { Schema } from "apache-arrow";
import type { HostColumn } from "../../gpu/column/column.ts";
import { GrowingColumn } from "../../gpu/column/growing_column.ts";
import { columnTypeOf } from "../batch/arrow_types.ts";
import { Batch, concatBatches } from "../batch/batch.ts";
import { BatchColumn } from "../batch/batch_column.ts";

/** Parts that are held as they came, at most. */
const MOST_PARTS = 4096;

/**
 * A batch that grows by parts. Parts are held as they came, sharing the memory of their batches, until
 * they have more than `mostShared` bytes; from then on rows are copied into columns that grow, and what
 * they came from can go. So each byte is copied once up to that size, and beyond it no more bytes are
 * held than those of the result, `mostShared` and the blocks of a growing column.
 */
export class GrowingBatch {
  readonly #schema: Schema;
  readonly #mostShared: number;
  #shared: Batch[] = [];
  #columns: readonly GrowingColumn[] | undefined;
  #numRows = 0;
  #numBytes = 0;

  constructor(schema: Schema, mostShared: number) {
    this.#schema = schema;
    this.#mostShared = mostShared;
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

  /** Adds rows on the host, at least one. */
  append(part: Batch): void {
    this.#shared.push(part);
    this.#numRows += part.numRows;
    this.#numBytes += part.numBytes;
    // A part alone may be all that comes, and is then passed on as it is.
    const isAlone = this.#shared.length === 1 && !this.isCopied;
    const isMuch = this.#numBytes > this.#mostShared || this.#shared.length >= MOST_PARTS;
    if (isMuch && !isAlone) this.#copy();
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

  #copy(): void {
    const { fields } = this.#schema;
    const columns = this.#columns ??= fields.map(({ type }) =>
      new GrowingColumn(columnTypeOf(type))
    );
    for (const batch of this.#shared) {
      columns.forEach((column, index) => column.append(batch.columns[index]!.column as HostColumn));
    }
    this.#shared = [];
  }
}
