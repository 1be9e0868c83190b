/**
 * The codec "lz4" of numcodecs: the length in four bytes, and a block.
 *
 * @module
 */

import { decodeLz4Block } from "../../../bytes/codecs/lz4.ts";
import type { Configuration, DataType } from "../metadata/data_type.ts";
import type { BytesCodec } from "./codec.ts";
import { movedTo } from "../items/free_bytes.ts";
import { decodeSound } from "./damaged.ts";
import { compiledSizes, loadRegistered } from "./registered_codec.ts";

/** Makes the codec: encoded by numcodecs, decoded straight into where it belongs. */
export async function lz4Codec(configuration: Configuration, type: DataType): Promise<BytesCodec> {
  const compiled = await loadRegistered("lz4", configuration, type);
  return {
    ...compiledSizes,
    decodeScratch: () => 0,
    encode: async (bytes, room) => movedTo(room, await compiled.encode(bytes), bytes),
    decode: (bytes, into) => decodeSound("lz4", () => decode(bytes, into)),
  };
}

function decode(bytes: Uint8Array, into: Uint8Array): number {
  if (bytes.length < 4) throw new Error("no whole header");
  const numBytes = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  if (numBytes > into.length) throw new Error(`more than ${into.length} bytes come out`);
  const written = decodeLz4Block(bytes.subarray(4), into.subarray(0, numBytes), 0);
  if (written === numBytes) return numBytes;
  throw new Error(`${written} bytes come out, its header says ${numBytes}`);
}
