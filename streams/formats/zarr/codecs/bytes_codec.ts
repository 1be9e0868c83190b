/**
 * Makes the codecs from bytes to bytes that the metadata of an array names.
 *
 * @module
 */

import type { Configuration, DataType } from "../metadata/data_type.ts";
import { bloscCodec } from "./blosc.ts";
import type { BytesCodec } from "./codec.ts";
import { crc32cCodec } from "./crc32c.ts";
import { lz4Codec } from "./lz4_codec.ts";
import { registeredCodec } from "./registered_codec.ts";
import { shuffleCodec } from "./shuffle.ts";
import { deflateCodec, zstdCodec } from "./zlib_codecs.ts";

/** Names of codecs of numcodecs have a prefix in version 3. */
export function plainName(name: string): string {
  return name.replace(/^numcodecs\./, "");
}

/** A codec from bytes to bytes, of which so many come in at most. */
export async function bytesCodecOf(
  name: string,
  configuration: Configuration,
  type: DataType,
  numBytes: number,
): Promise<BytesCodec> {
  switch (plainName(name)) {
    case "gzip":
      return await deflateCodec("gzip", configuration);
    case "zlib":
      return await deflateCodec("zlib", configuration);
    case "zstd":
      return await zstdCodec(configuration);
    case "crc32c":
      return crc32cCodec;
    case "shuffle":
      return shuffleCodec(configuration);
    case "lz4":
      return await lz4Codec(configuration, type);
    case "blosc":
      return await bloscCodec(configuration, type, numBytes);
    default:
      return await registeredCodec(name, configuration, type);
  }
}
