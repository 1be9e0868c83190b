/**
 * All codecs of a chunk whose items have a variable size.
 *
 * @module
 */

import type { TextItems } from "../items/text_array.ts";

/** What makes one file or a part of one of the items of a chunk. */
export interface VariableCodec {
  /** Items of a chunk along each axis. */
  readonly shape: readonly number[];
  /** Bytes that items which have so many, with their offsets, become at most. */
  encodedBytes(numBytes: number): number;
  /**
   * Throws an Error whose message is a clause about the chunk: a TooLargeError as soon as it is seen that
   * its items have more than `mostBytes` bytes with their offsets. May change the bytes.
   */
  decode(encoded: Uint8Array, mostBytes: number): Promise<TextItems>;
  encode(items: TextItems): Promise<Uint8Array>;
}
