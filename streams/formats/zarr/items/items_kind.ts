/**
 * What can be done with the items of a chunk, whatever their kind: those who gather, keep and write chunks
 * know no more of them.
 *
 * @module
 */

import type { Box } from "../grid/grid.ts";

/** A chunk in a shard; one that has not come is undefined. */
export interface PlacedItems<Items> {
  readonly box: Box;
  readonly items: Items | undefined;
}

/** The items of one array. */
export interface ItemsKind<Items> {
  /** Bytes that they take in memory. */
  numBytes(items: Items): number;
  /** Throws a RangeError, its message a clause, unless there are as many as a chunk that is written has. */
  checkWhole(items: Items): void;
  /** Whether all of them are the fill value, bit by bit: then no chunk of them is written. */
  areFill(items: Items): boolean;
  /** As bytes of a file, and back. */
  toBytes(items: Items): Uint8Array;
  fromBytes(bytes: Uint8Array): Items;
  /** The items of a whole shard; fill values for what has not come. */
  join(chunks: readonly PlacedItems<Items>[]): Items;
}
