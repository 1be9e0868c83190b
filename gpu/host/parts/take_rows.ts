/**
 * Copies rows of a batch.
 *
 * @module
 */

import type { TableKernels } from "../table/kernels/instance.ts";
import type { PlacedColumn } from "./place_batch.ts";
import type { Work } from "../table/work.ts";

/** The buffers of a host column. */
export interface CopiedColumn {
  readonly data: Uint8Array;
  readonly offsets: Int32Array | null;
  readonly validity: Uint8Array | null;
  readonly nullCount: number;
}

/**
 * Copies rows of a column of a batch. Their numbers are in the memory from `rows` to before `end`.
 */
export function takeRows(
  { area, words, kept }: Work,
  kernels: TableKernels,
  { kind, width, data, offsets, validity }: PlacedColumn,
  rows: number,
  end: number,
): CopiedColumn {
  const numRows = (end - rows) >> 2;
  const numBits = (numRows + 7) >> 3;
  const bits = validity === 0 ? 0 : area("taken", numBits);
  const nullCount = validity === 0 ? 0 : numRows - kernels.takeBits!(rows, end, validity, bits);
  const valid = nullCount === 0 ? null : kept.bytes(bits, numBits);
  if (kind === "bit") {
    const to = area("taken", numBits);
    kernels.takeBits!(rows, end, data, to);
    return { data: kept.bytes(to, numBits), offsets: null, validity: valid, nullCount };
  }
  if (kind === "number") {
    const to = area("taken", width * numRows);
    kernels[`take${width}`]!(rows, end, data, to);
    const values = kept.bytes(to, width * numRows);
    return { data: values, offsets: null, validity: valid, nullCount };
  }
  const ends = area("taken", 4 * numRows + 4);
  words(ends, 1)[0] = 0;
  const numBytes = kernels.takeSizes!(rows, end, offsets, ends);
  const to = area("taken text", numBytes);
  kernels.takeText!(rows, end, offsets, data, ends, to);
  const text = kept.bytes(to, numBytes);
  return { data: text, offsets: kept.words(ends, numRows + 1), validity: valid, nullCount };
}
