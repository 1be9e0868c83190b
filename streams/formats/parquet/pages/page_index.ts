/**
 * The offset index of a column in one row group: where its pages lie, and which rows they have.
 *
 * @module
 */

import { type ColumnChunk, offsetIndex, startOf } from "../metadata/metadata.ts";
import { readThrift } from "../metadata/thrift.ts";

/** A page, as the index has it. */
export interface PageLocation {
  /** The byte of the file at which its header begins, and the one behind its end. */
  readonly start: number;
  readonly stop: number;
  /** Its rows, by positions in the row group. */
  readonly firstRow: number;
  readonly numRows: number;
}

/**
 * Decodes the offset index of a column. Undefined if it cannot be: its first page must begin at row 0 and
 * every other one behind the page before, all within the rows of the group; and they must lie in the
 * column one behind the other, up to its end.
 */
export function pageLocations(
  bytes: Uint8Array,
  chunk: ColumnChunk,
  numRows: number,
): readonly PageLocation[] | undefined {
  const { dataPageOffset, compressedBytes = 0 } = chunk.metadata!;
  const pages = pagesOf(bytes);
  if (pages === undefined || pages[0]?.firstRow !== 0 || pages[0].offset !== dataPageOffset) {
    return undefined;
  }
  const locations: PageLocation[] = [];
  for (const [index, { offset = -1, numBytes = -1, firstRow = -1 }] of pages.entries()) {
    const next = pages[index + 1];
    const start = offset;
    const stop = next === undefined ? startOf(chunk) + compressedBytes : next.offset!;
    const nextRow = next === undefined ? numRows : next.firstRow!;
    if (!(start + numBytes === stop && start < stop && firstRow < nextRow)) return undefined;
    locations.push({ start, stop, firstRow, numRows: nextRow - firstRow });
  }
  return locations;
}

function pagesOf(bytes: Uint8Array) {
  try {
    return readThrift(bytes, offsetIndex).value.pages;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
