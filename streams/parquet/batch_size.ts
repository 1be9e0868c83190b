/**
 * How many rows a batch of a Parquet file has.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import type { GroupShape } from "./group_shape.ts";
import { rowBytesOf } from "./row_bytes.ts";

const mostRows = 65_536;
/** About what a batch may have in the memory of parquet-wasm. */
const batchBytes = 64 << 20;

/**
 * Chooses the rows of batches so that long text fits the memory of parquet-wasm. The metadata tells
 * the bytes of values as they are stored; of those in a dictionary, which are stored once and come
 * out as often as they are used, the batches tell that were read before.
 */
export class BatchSize {
  /** Bytes of a row, the greatest mean of a batch so far. */
  #rowBytes = 1;

  /** Takes a batch that was read into account. */
  saw(batch: RecordBatch): void {
    if (batch.numRows === 0) return;
    this.#rowBytes = Math.max(this.#rowBytes, rowBytesOf(batch)(0, batch.numRows) / batch.numRows);
  }

  /** Rows of a batch of this row group. */
  rowsOf({ numRows, storedBytes }: GroupShape): number {
    const rowBytes = Math.max(this.#rowBytes, storedBytes / Math.max(1, numRows));
    return Math.max(1, Math.min(mostRows, Math.floor(batchBytes / rowBytes)));
  }
}
