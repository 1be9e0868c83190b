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

/** Whether Sluice decompresses the pages of a codec: not those of Hadoop's LZ4. */
export function canDecompress(codec: number | undefined): boolean {
  return codec !== codecs.lz4 && Object.values<number | undefined>(codecs).includes(codec);
}

/**
 * Decompresses a part of a page to `numBytes` bytes; without compression, to a view of the page.
 * Throws a PageFactError.
 */
export async function decompress(
  bytes: Uint8Array,
  codec: number | undefined,
  numBytes: number,
): Promise<Uint8Array> {
  // Writers leave nothing where there are no values, which no codec would take.
  if (numBytes === 0 && bytes.length === 0) return bytes;
  let output: Uint8Array;
  try {
    output = await decoded(bytes, codec, numBytes);
  } catch (error) {
    if (isSluiceError(error, "PageFactError")) throw error;
    throw new PageFactError("a page cannot be decompressed");
  }
  if (output.length === numBytes) return output;
  throw new PageFactError(`a page has ${output.length} bytes, where its header says ${numBytes}`);
}

async function decoded(
  bytes: Uint8Array,
  codec: number | undefined,
  numBytes: number,
): Promise<Uint8Array> {
  // Loading it takes longer than most decompressions here.
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
        `a page is compressed by codec ${codec}, which is not supported here`,
      );
  }
}
