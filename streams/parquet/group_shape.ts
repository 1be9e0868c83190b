/**
 * What the metadata of a Parquet file tells of a row group.
 *
 * @module
 */

import type { ParquetFile } from "parquet-wasm/esm";
import type { RowRange } from "../row_range.ts";
import type { ParquetWasm } from "./wasm.ts";

/** The columns of a row group that are read. */
export interface GroupShape {
  /** Index of the row group. */
  readonly group: number;
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
  { Encoding }: ParquetWasm,
  file: ParquetFile,
  group: number,
  columns: ReadonlySet<string>,
): GroupShape {
  const metadata = file.metadata().rowGroup(group);
  const numRows = metadata.numRows();
  let storedBytes = 0;
  let canSkip = true;
  // At these the module traps where it has to begin in the middle.
  const deltas = [
    Encoding.DELTA_BINARY_PACKED,
    Encoding.DELTA_LENGTH_BYTE_ARRAY,
    Encoding.DELTA_BYTE_ARRAY,
  ];
  for (const column of metadata.columns()) {
    if (columns.has(column.columnPath()[0]!)) {
      storedBytes += column.uncompressedSize();
      canSkip &&= !column.encodings().some((encoding) => deltas.includes(encoding));
    }
    column.free();
  }
  return { group, numRows, storedBytes, inWindows: canSkip && storedBytes > largeGroupBytes };
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
