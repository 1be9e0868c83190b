/**
 * Keeps the decoding of a row group within the 4 GiB of memory of parquet-wasm: row windows, batch
 * sizes, and a limit for pages.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import type { FileInput } from "../../../bytes/file_input.ts";
import {
  type ColumnChunk,
  columnOf,
  deltaBinaryPacked,
  type FileMetadata,
  pageHeader,
  type RowGroup,
  startOf,
  textOf,
} from "../metadata/metadata.ts";
import { rowBytesOf } from "../module/row_bytes.ts";
import { mostPageBytes } from "../pages/pages_in.ts";
import { readThrift } from "../metadata/thrift.ts";
import type { RowRange } from "../../../types/select_columns.ts";

/** The size of the wanted columns of a row group. */
export interface GroupShape {
  readonly numRows: number;
  /** Encoded bytes of the values, before compression. */
  readonly storedBytes: number;
  /** Whether parquet-wasm can skip rows. If not, a group is decoded from its first row on. */
  readonly canSkip: boolean;
}

/**
 * Row groups with more bytes than this are read in windows of `windowBytes`, if rows can be
 * skipped.
 */
const largeGroupBytes = 512 << 20;
const windowBytes = 256 << 20;

/**
 * Writers that pack 32 or 64 integers at a time. parquet-wasm can skip within such packs, but traps
 * where it skips within the packs of 256 of DuckDB and Polars.
 */
const smallPackWriters = ["parquet-mr ", "parquet-cpp", "parquet-rs "];

/** Returns the shape of the wanted columns of a row group. */
export function groupShape(
  { createdBy }: FileMetadata,
  { columns = [], numRows = 0 }: RowGroup,
  wanted: ReadonlySet<string>,
): GroupShape {
  const writer = textOf(createdBy);
  const packsFew = smallPackWriters.some((name) => writer.startsWith(name));
  let storedBytes = 0;
  let canSkip = true;
  for (const chunk of columns) {
    if (!wanted.has(columnOf(chunk))) continue;
    const { uncompressedBytes = 0, encodings = [] } = chunk.metadata!;
    storedBytes += uncompressedBytes;
    canSkip &&= packsFew || !encodings.includes(deltaBinaryPacked);
  }
  return { numRows, storedBytes, canSkip };
}

/**
 * Splits a row range of a group into windows to decode one after the other, since parquet-wasm
 * loads all pages of a request into memory. Nearly always returns one window.
 */
export function groupWindows(shape: GroupShape, { start, stop }: RowRange): RowRange[] {
  const { numRows, storedBytes, canSkip } = shape;
  if (!canSkip || storedBytes <= largeGroupBytes) return [{ start, stop }];
  const step = Math.max(1, Math.floor(numRows * windowBytes / storedBytes));
  const windows: RowRange[] = [];
  for (let first = start; first < stop; first += step) {
    windows.push({ start: first, stop: Math.min(stop, first + step) });
  }
  return windows;
}

const mostRows = 65_536;
/** The approximate bytes that a batch may take in parquet-wasm, and that buffered rows may take. */
const batchBytes = 64 << 20;

/**
 * Chooses the number of rows of batches so that long text fits the memory of parquet-wasm. The
 * metadata has the stored bytes. Values of dictionaries, stored once but repeated in the output,
 * are estimated from earlier batches.
 */
export class BatchSize {
  /** The bytes of a row: the greatest mean of all batches so far. */
  #rowBytes = 1;

  /** Updates the estimate from a decoded batch. */
  saw(batch: RecordBatch): void {
    if (batch.numRows === 0) return;
    this.#rowBytes = Math.max(this.#rowBytes, rowBytesOf(batch)(0, batch.numRows) / batch.numRows);
  }

  /** Returns the number of rows for batches of this row group. */
  rowsOf(shape: GroupShape): number {
    return Math.min(mostRows, this.bufferedRows(shape));
  }

  /**
   * Returns the number of rows for batches of this row group where no row was decoded yet: `least`,
   * or more if they fit even if each row had all stored bytes, as with a dictionary of one value.
   */
  unseenRowsOf(shape: GroupShape, least: number): number {
    const fitting = Math.floor(batchBytes / Math.max(1, shape.storedBytes));
    return Math.min(this.rowsOf(shape), Math.max(least, fitting));
  }

  /** Returns the number of rows of this row group that may be buffered. */
  bufferedRows({ numRows, storedBytes }: GroupShape): number {
    const rowBytes = Math.max(this.#rowBytes, storedBytes / Math.max(1, numRows));
    return Math.max(1, Math.floor(batchBytes / rowBytes));
  }
}

/** Bytes to read first for a page header, which usually has a few dozen, and the most to try. */
const headerBytes = 256;
const mostHeaderBytes = 16 << 20;

/**
 * Throws if a wanted column has a page that does not fit the memory of parquet-wasm. Reads only page
 * headers, and only of columns large enough to have such a page.
 */
export async function checkPages(
  input: FileInput,
  { columns = [] }: RowGroup,
  wanted: ReadonlySet<string>,
): Promise<void> {
  for (const chunk of columns) {
    if (!wanted.has(columnOf(chunk))) continue;
    if ((chunk.metadata!.uncompressedBytes ?? 0) > mostPageBytes) await checkChunk(input, chunk);
  }
}

async function checkChunk(input: FileInput, chunk: ColumnChunk): Promise<void> {
  let position = startOf(chunk);
  for (const stop = position + (chunk.metadata!.compressedBytes ?? 0); position < stop;) {
    const { value, numBytes } = await readHeader(input, position, stop - position);
    const { uncompressedBytes = 0, compressedBytes: pageBytes = 0 } = value;
    if (uncompressedBytes > mostPageBytes) {
      throw new RangeError(
        `column ${columnOf(chunk)} has a page of ${uncompressedBytes} bytes, more than the ` +
          `${mostPageBytes} that can be decoded here`,
      );
    }
    if (pageBytes < 0) throw new TypeError("is corrupt: a page has a negative number of bytes");
    position += numBytes + pageBytes;
  }
}

async function readHeader(input: FileInput, position: number, rest: number) {
  for (let length = headerBytes;; length *= 16) {
    await input.seek(position);
    const bytes = await input.read(Math.min(length, rest));
    try {
      return readThrift(bytes, pageHeader);
    } catch (error) {
      if (error instanceof RangeError && length < Math.min(rest, mostHeaderBytes)) continue;
      throw new TypeError("is corrupt: the header of a page cannot be decoded", { cause: error });
    }
  }
}
