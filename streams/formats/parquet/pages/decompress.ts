/**
 * Decompresses parts of pages.
 *
 * @module
 */

import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import { decodeLz4Block } from "../../../bytes/codecs/lz4.ts";
import { decodeSnappy } from "../../../bytes/codecs/snappy.ts";
import { codecs } from "../metadata/metadata.ts";
import { PageFactError } from "../../../../base/errors/data_error.ts";

/** Whether Sluice can decompress pages of a codec: all but Hadoop's LZ4. */
export function canDecompress(codec: number | undefined): boolean {
  return codec !== codecs.lz4 && Object.values<number | undefined>(codecs).includes(codec);
}

/**
 * Decompresses a part of a page to `numBytes` bytes; without compression, returns it as it is.
 * Throws a PageFactError if it does not have that size.
 */
export async function decompress(
  bytes: Uint8Array,
  codec: number | undefined,
  numBytes: number,
): Promise<Uint8Array> {
  // Where there are no values, writers leave no bytes, which codecs would reject.
  if (numBytes === 0 && bytes.length === 0) return bytes;
  let output: Uint8Array;
  try {
    output = await decoded(bytes, codec, numBytes);
  } catch (error) {
    if (isSluiceError(error, "PageFactError")) throw error;
    throw new PageFactError("a page cannot be decompressed");
  }
  if (output.length === numBytes) return output;
  throw new PageFactError(`a page has ${output.length} bytes, but its header states ${numBytes}`);
}

async function decoded(
  bytes: Uint8Array,
  codec: number | undefined,
  numBytes: number,
): Promise<Uint8Array> {
  // Loaded late: loading it takes longer than most decompressions here.
  const zlib = () => import("node:zlib");
  const options = { maxOutputLength: numBytes + 1 };
  switch (codec) {
    case codecs.none:
      return bytes;
    case codecs.snappy: {
      const into = new Uint8Array(numBytes);
      return into.subarray(0, decodeSnappy(bytes, into));
    }
    case codecs.gzip:
      return (await zlib()).gunzipSync(bytes, options);
    case codecs.brotli:
      return (await zlib()).brotliDecompressSync(bytes, options);
    case codecs.zstd:
      return (await zlib()).zstdDecompressSync(bytes, options);
    case codecs.lz4Raw: {
      const into = new Uint8Array(numBytes);
      return into.subarray(0, decodeLz4Block(bytes, into, 0));
    }
    default:
      throw new PageFactError(
        `a page is compressed with codec ${codec}, which is not supported here`,
      );
  }
}
