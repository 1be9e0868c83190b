/**
 * Decodes bytes that say how many bytes come out of them.
 *
 * @module
 */

import type { BytesCodec } from "./codec.ts";
import { decodeSound } from "./damaged.ts";
import { checkDecoded } from "./too_large.ts";

/** Decodes into a buffer of its own, as `BytesCodec.decodeBounded`. */
export async function decodeToSize(
  bytes: Uint8Array,
  mostBytes: number,
  { format, sizeOf, decode }: {
    /** The name of the codec, for errors. */
    readonly format: string;
    /** The number of bytes that come out at most. Throws where the bytes do not say it. */
    sizeOf(bytes: Uint8Array): number;
    readonly decode: BytesCodec["decode"];
  },
): Promise<Uint8Array> {
  const numBytes = await decodeSound(format, () => sizeOf(bytes));
  checkDecoded(numBytes, mostBytes);
  const room = new Uint8Array(numBytes);
  return room.subarray(0, await decode(bytes, room));
}
