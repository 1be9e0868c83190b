/**
 * The codec "lz4" of numcodecs: the size in four bytes, then a block.
 *
 * @module
 */

import { decodeLz4Block } from "../../../bytes/codecs/lz4.ts";
import type { Configuration, DataType } from "../metadata/data_type.ts";
import type { BytesCodec, BytesToBytes } from "./codec.ts";
import { movedTo } from "../items/free_bytes.ts";
import { decodeSound } from "./damaged.ts";
import { decodeToSize } from "./decode_to_size.ts";
import { compiledSizes, loadRegistered } from "./registered_codec.ts";

export const lz4: BytesToBytes = { kind: "bytes->bytes", make: lz4Codec };

/** Creates the codec: numcodecs encodes, and Sluice decodes directly into the output buffer. */
async function lz4Codec(configuration: Configuration, type: DataType): Promise<BytesCodec> {
  const compiled = await loadRegistered("lz4", configuration, type);
  const decodeInto = (bytes: Uint8Array, into: Uint8Array) =>
    decodeSound("lz4", () => decode(bytes, into));
  return {
    ...compiledSizes,
    decodeScratch: () => 0,
    encode: async (bytes, target) => movedTo(target, await compiled.encode(bytes), bytes),
    decode: decodeInto,
    decodeBounded: (bytes, mostBytes) =>
      decodeToSize(bytes, mostBytes, { format: "lz4", sizeOf, decode: decodeInto }),
  };
}

function decode(bytes: Uint8Array, into: Uint8Array): number {
  const numBytes = sizeOf(bytes);
  if (numBytes > into.length) throw new Error(`it decodes to more than ${into.length} bytes`);
  const written = decodeLz4Block(bytes.subarray(4), into.subarray(0, numBytes), 0);
  if (written === numBytes) return numBytes;
  throw new Error(`it decodes to ${written} bytes, but its header states ${numBytes}`);
}

/** Returns the number of decoded bytes, by the header. */
function sizeOf(bytes: Uint8Array): number {
  if (bytes.length < 4) throw new Error("its header is incomplete");
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
}
