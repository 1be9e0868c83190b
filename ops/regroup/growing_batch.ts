/** @module */

import type { Schema } from "apache-arrow";
import type { HostColumn } from "../../gpu/column/column.ts";
import { GrowingColumn } from "../../gpu/column/growing_column.ts";
import { columnTypeOf } from "../batch/arrow_types.ts";
import { Batch, concatBatches } from "../batch/batch.ts";
import { BatchColumn } from "../batch/batch_column.ts";

/** Parts that are held as they came, at most. */
const MOST_PARTS = 4096;

/** How many rows a batch with some rows will have, at most some more; undefined: unknown. */
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

  /** Adds rows on the host, at least one. */
  async append(part: Batch): Promise<void> {
    this.#shared.push(part);
    this.#numRows += part.numRows;
    this.#numBytes += part.numBytes;
    // A part alone may be all that comes, and is then passed on as it is.
    const isAlone = this.#shared.length === 1 && !this.isCopied;
    const isMuch = this.#numBytes > this.#mostShared || this.#shared.length >= MOST_PARTS;
    if (isMuch && !isAlone) await this.#copy();
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

  async #copy(): Promise<void> {
    this.#columns ??= await this.#newColumns();
    for (const batch of this.#shared) {
      this.#columns.forEach((column, index) => column.append(hostColumn(batch, index)));
    }
    this.#shared = [];
  }

  async #newColumns(): Promise<readonly GrowingColumn[]> {
    const numRows = await this.#expectedRows(this.#numRows) ?? 0;
    return this.#schema.fields.map(({ type }, index) => {
      const sample = this.#shared.map((batch) => hostColumn(batch, index));
      return new GrowingColumn(columnTypeOf(type), { numRows, sample });
    });
  }
}

function hostColumn({ columns }: Batch, index: number): HostColumn {
  return columns[index]!.column as HostColumn;
}
