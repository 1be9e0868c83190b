/**
 * Checks how large the pages of a row group are, before they are decoded.
 *
 * @module
 */

import type { FileInput } from "../file_input.ts";
import { type ColumnChunk, columnOf, pageHeader, type RowGroup, startOf } from "./metadata.ts";
import { readThrift } from "./thrift.ts";

/**
 * The most bytes of a page, before compression. The module, whose memory has 4 GiB, holds a page up
 * to four times while it decodes it.
 */
const mostPageBytes = 512 << 20;
/** Bytes that are read for the header of a page, which mostly has a few dozen, and the most. */
const headerBytes = 256;
const mostHeaderBytes = 16 << 20;

/**
 * Throws where a wanted column of a row group has a page that does not fit the memory of
 * parquet-wasm. Only the headers of pages are read, and only those of columns that are so large.
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
    if (pageBytes < 0) throw new TypeError("is corrupt: a page has less than no bytes");
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
      throw new TypeError("is corrupt: the header of a page is broken", { cause: error });
    }
  }
}
