/**
 * What the metadata of a Parquet file tells of a row group, and how many rows a batch of it has.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import { columnOf, deltaEncodings, type RowGroup } from "./metadata.ts";
import { rowBytesOf } from "./row_bytes.ts";
import type { RowRange } from "../row_range.ts";

/** The columns of a row group that are read. */
export interface GroupShape {
  readonly numRows: number;
  /** Bytes of the values as they are stored, before compression. */
  readonly storedBytes: number;
  /** Whether it is so large that it is read window by window. */
  readonly inWindows: boolean;
}

/** Row groups that store more are read window by window, where that is possible. */
const largeGroupBytes = 512 << 20;
const windowBytes = 256 << 20;

/** The shape of a row group as far as these columns are concerned. */
export function groupShape(
  { columns = [], numRows = 0 }: RowGroup,
  wanted: ReadonlySet<string>,
): GroupShape {
  let storedBytes = 0;
  let canSkip = true;
  for (const chunk of columns) {
    if (!wanted.has(columnOf(chunk))) continue;
    const { uncompressedBytes = 0, encodings = [] } = chunk.metadata!;
    storedBytes += uncompressedBytes;
    // At these the module traps where it has to begin in the middle.
    canSkip &&= !encodings.some((encoding) => deltaEncodings.includes(encoding));
  }
  return { numRows, storedBytes, inWindows: canSkip && storedBytes > largeGroupBytes };
}

/**
 * The rows of a group in ranges that are decoded one after the other: parquet-wasm takes all pages
 * of what it is asked for into its memory, which has 4 GiB. Nearly always one range.
 */
export function groupWindows(shape: GroupShape, { start, stop }: RowRange): RowRange[] {
  const { numRows, storedBytes, inWindows } = shape;
  if (!inWindows) return [{ start, stop }];
  const step = Math.max(1, Math.floor(numRows * windowBytes / storedBytes));
  const windows: RowRange[] = [];
  for (let first = start; first < stop; first += step) {
    windows.push({ start: first, stop: Math.min(stop, first + step) });
  }
  return windows;
}

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
