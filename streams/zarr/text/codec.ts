/** @module */

import type { TextItems } from "../text_array.ts";

/** What makes one file or a part of one of the items of a chunk. */
export interface TextCodec {
  /** Items of a chunk along each axis. */
  readonly shape: readonly number[];
  /** Throws an Error whose message is a clause about the chunk. May change the bytes. */
  decode(encoded: Uint8Array): Promise<TextItems>;
  encode(items: TextItems): Promise<Uint8Array>;
}
