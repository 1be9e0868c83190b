/**
 * The codec "blosc". Sluice reads frames itself, and writes those of most compressors. numcodecs holds a
 * chunk three times in memory, and shuffles items of every size as if they had four bytes.
 *
 * @module
 */

import type { Configuration, DataType } from "../metadata/data_type.ts";
import { movedTo } from "../items/free_bytes.ts";
import { bloscDecoder } from "./blosc_decode.ts";
import { bloscSettings, encodeBlosc } from "./blosc_encode.ts";
import { readHeader } from "./blosc_header.ts";
import type { BytesCodec, BytesToBytes } from "./codec.ts";
import { decodeSound } from "./damaged.ts";
import { decodeToSize } from "./decode_to_size.ts";
import { compiledSizes, loadRegistered } from "./registered_codec.ts";
import { shortJson } from "../metadata/short_json.ts";

/** The greatest size of a chunk: a signed 32-bit number less a header. */
const mostBytes = 2 ** 31 - 17;
/** The number of bytes for blocks during encoding or decoding. */
const blockScratch = 8 << 20;

export const blosc: BytesToBytes = { kind: "bytes->bytes", make: bloscCodec };

/** Creates the codec for chunks of a size. Throws a TypeError for a wrong configuration. */
async function bloscCodec(
  configuration: Configuration,
  type: DataType,
  numBytes: number,
): Promise<BytesCodec> {
  if (numBytes > mostBytes) {
    throw new TypeError(`compresses at most 2 GiB, but a chunk has ${numBytes} bytes`);
  }
  const shuffle = shuffleIn(configuration["shuffle"] ?? 1, type.itemBytes);
  const decoder = await bloscDecoder();
  const decode = (bytes: Uint8Array, into: Uint8Array) =>
    decodeSound("blosc", () => decoder(bytes, into));
  const sizeOf = (bytes: Uint8Array) => readHeader(bytes).numBytes;
  const common = {
    isFixed: false,
    encodedBytes: compiledSizes.encodedBytes,
    decodeScratch: () => blockScratch,
    decode,
    decodeBounded: (bytes: Uint8Array, mostBytes: number) =>
      decodeToSize(bytes, mostBytes, { format: "blosc", sizeOf, decode }),
  };
  const settings = await bloscSettings(configuration, shuffle, type);
  if (settings !== undefined) {
    return {
      ...common,
      encodeScratch: () => blockScratch,
      encode: (bytes, target) => encodeBlosc(bytes, settings, target),
    };
  }
  const { typesize: _, ...others } = configuration;
  const compiled = await loadRegistered("blosc", { ...others, shuffle }, type);
  const { encodeScratch } = compiledSizes;
  const encode = async (bytes: Uint8Array, target: Uint8Array) =>
    movedTo(target, await compiled.encode(bytes), bytes);
  return { ...common, encodeScratch, encode };
}

const shuffles = { noshuffle: 0, shuffle: 1, bitshuffle: 2 } as const;

/** Returns the kind of shuffle: 0 none, 1 bytes, 2 bits. -1 chooses by the size of items. */
function shuffleIn(declared: unknown, itemBytes: number): 0 | 1 | 2 {
  const number = typeof declared === "string"
    ? shuffles[declared as keyof typeof shuffles]
    : declared;
  if (number === -1) return itemBytes === 1 ? 2 : 1;
  if (number === 0 || number === 1 || number === 2) return number;
  throw new TypeError(`has the shuffle ${shortJson(declared)}`);
}
