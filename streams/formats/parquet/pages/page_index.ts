/**
 * The offset index of a column in one row group: the bytes and the rows of its pages.
 *
 * @module
 */

import { type ColumnChunk, offsetIndex, startOf } from "../metadata/metadata.ts";
import { readThrift } from "../metadata/thrift.ts";

/** A page in the index. */
export interface PageLocation {
  /** The range of the page in the file, header included. */
  readonly start: number;
  readonly stop: number;
  /** Its first row in the row group, and its number of rows. */
  readonly firstRow: number;
  readonly numRows: number;
}

/**
 * Decodes the offset index of a column. Undefined if it is invalid: the first page must begin at
 * row 0, each page must begin after the rows of the previous one, all within the group, and the
 * pages must fill the column without gaps up to its end.
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
