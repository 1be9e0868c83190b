/**
 * Decodes bytes that contain their decoded size.
 *
 * @module
 */

import type { BytesCodec } from "./codec.ts";
import { decodeSound } from "./damaged.ts";
import { checkDecoded } from "./too_large.ts";

/** Decodes into a new buffer, as `BytesCodec.decodeBounded` does. */
export async function decodeToSize(
  bytes: Uint8Array,
  mostBytes: number,
  { format, sizeOf, decode }: {
    /** The name of the codec, for errors. */
    readonly format: string;
    /** Returns an upper bound of the decoded size. Throws where the bytes do not contain it. */
    sizeOf(bytes: Uint8Array): number;
    readonly decode: BytesCodec["decode"];
  },
): Promise<Uint8Array> {
  const numBytes = await decodeSound(format, () => sizeOf(bytes));
  checkDecoded(numBytes, mostBytes);
  const target = new Uint8Array(numBytes);
  return target.subarray(0, await decode(bytes, target));
}
