/**
 * Finds the pages in the bytes of a column.
 *
 * @module
 */

import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import { crc32For } from "../../../bytes/crc.ts";
import { type PageHeader, pageHeader, pageType } from "../metadata/metadata.ts";
import { readThrift } from "../metadata/thrift.ts";
import { PageFactError } from "../../../../base/errors/data_error.ts";

/** A page in the bytes of a column. */
export interface Page {
  readonly header: PageHeader;
  /** Its number among these bytes, from 0. */
  readonly index: number;
  /** The bytes at which the page begins, its header ends, and the page ends. */
  readonly start: number;
  readonly body: number;
  readonly stop: number;
}

/** The header of a data page of either version. */
export interface DataHeader {
  readonly numValues: number;
  readonly encoding: number;
  /** The header of version 2; undefined in version 1. */
  readonly second: PageHeader["dataPageV2"];
}

/**
 * The most uncompressed bytes of a page: parquet-wasm makes up to four copies of a page while it
 * decodes it.
 */
export const mostPageBytes = 512 << 20;

/**
 * Yields consecutive pages, and checks their sizes. Throws a PageFactError at bytes that are not a
 * page.
 */
export function* pagesIn(bytes: Uint8Array): Generator<Page, void, void> {
  for (let [start, index] = [0, 0]; start < bytes.length; index++) {
    const { header, numBytes } = headerAt(bytes, start, index);
    const body = start + numBytes;
    const stop = body + header.compressedBytes!;
    if (stop > bytes.length) {
      const left = bytes.length - body;
      throw new PageFactError(
        `the header of page ${index} states ${header.compressedBytes} bytes, but its column has ${left} left`,
      );
    }
    yield { header, index, start, body, stop };
    start = stop;
  }
}

/** Returns the header of a data page; undefined for pages of other kinds. */
export function dataHeaderOf({ header, index }: Page): DataHeader | undefined {
  const { type, dataPage, dataPageV2 } = header;
  if (type !== pageType.data && type !== pageType.dataV2) return undefined;
  const second = type === pageType.dataV2 ? dataPageV2 : undefined;
  const { numValues = -1, encoding } = (type === pageType.dataV2 ? dataPageV2 : dataPage) ?? {};
  if (numValues >= 0 && encoding !== undefined) return { numValues, encoding, second };
  throw new PageFactError(`page ${index} lacks its number of values, or their encoding`);
}

/**
 * Verifies the checksums of pages that have one, which cover the bytes after the header. Throws a
 * PageFactError at a mismatch.
 */
export async function checkSums(bytes: Uint8Array, pages: readonly Page[]): Promise<void> {
  const summed = pages.filter(({ header }) => header.crc !== undefined);
  if (summed.length === 0) return;
  const crc32 = await crc32For(summed.reduce((sum, { body, stop }) => sum + stop - body, 0));
  for (const { header, body, stop, index } of summed) {
    // The header stores the checksum as a signed number.
    if (crc32(bytes.subarray(body, stop)) === header.crc! >>> 0) continue;
    throw new PageFactError(`the bytes of page ${index} do not match its checksum`);
  }
}

function headerAt(
  bytes: Uint8Array,
  start: number,
  index: number,
): { header: PageHeader; numBytes: number } {
  try {
    const { value, numBytes } = readThrift(bytes.subarray(start), pageHeader);
    const { type, compressedBytes = -1, uncompressedBytes = -1 } = value;
    if (type === undefined || compressedBytes < 0 || uncompressedBytes < 0) {
      throw new RangeError("it lacks the type, or a size");
    }
    if (uncompressedBytes > mostPageBytes) throw tooLarge(uncompressedBytes);
    return { header: value, numBytes };
  } catch (error) {
    if (isSluiceError(error, "PageFactError") || !(error instanceof RangeError)) throw error;
    throw new PageFactError(`the header of page ${index} cannot be decoded: ${error.message}`);
  }
}

/** Returns the error for a page that is too large to decode. */
function tooLarge(numBytes: number): PageFactError {
  return new PageFactError(
    `it has a page of ${numBytes} bytes, more than the ${mostPageBytes} that can be decoded here`,
  );
}
