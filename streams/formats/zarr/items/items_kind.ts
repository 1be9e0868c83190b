/**
 * The operations on the items of a chunk, for code that gathers, buffers and writes chunks of either kind.
 *
 * @module
 */

import type { Box } from "../grid/grid.ts";

/** A chunk in a shard; `items` is undefined until it has come. */
interface PlacedItems<Items> {
  readonly box: Box;
  readonly items: Items | undefined;
}

/** The operations on the items of one array. */
export interface ItemsKind<Items> {
  /** Returns the number of bytes that the items take in memory. */
  numBytes(items: Items): number;
  /** Throws a RangeError whose message is a clause, unless the items fill a chunk of `writeGrid`. */
  checkWhole(items: Items): void;
  /** Whether all items are the fill value, bit by bit; such a chunk is not written. */
  areFill(items: Items): boolean;
  /** Converts items to the bytes of a file; `fromBytes` does the reverse. */
  toBytes(items: Items): Uint8Array;
  fromBytes(bytes: Uint8Array): Items;
  /** Returns the items of a whole shard, with fill values for chunks that have not come. */
  join(chunks: readonly PlacedItems<Items>[]): Items;
}
