/**
 * Tiles, the strategy that computes or gathers text in one pass. A workgroup owns a tile of up to
 * 256 rows and learns from the tiles before it where its text begins (a chained scan).
 *
 * Tiles read and write less than two passes do, but their workgroups wait for each other and need
 * more registers and workgroup memory. No card has run them. Prediction for an H100: 1.3 to 2 times
 * as fast as two passes from a million rows on (redact of 5 million rows takes 0.2 to 0.35 ms
 * instead of 0.35 to 0.5), and equal below. Keep them if a card shows a factor of 1.3 for redact, a
 * filter or a gather; otherwise remove them.
 *
 * @module
 */

import chainedScanWgsl from "./chained_scan.wgsl" with { type: "text" };
import tilesInOrderWgsl from "./tiles_in_order.wgsl" with { type: "text" };
import { BLOCK_SCAN_WGSL } from "../dispatch/scan.ts";
import type { TileOptions } from "../dispatch/strategy_options.ts";

/**
 * The words before the states of the tiles: the next tile, the number of tiles done, and one for
 * the kernel.
 */
export const STATES_HEAD = 3;

/** The most bytes of text for one pass. */
export const MOST_TILED_BYTES: number = 2 ** 30 - 1;

/**
 * Returns the WGSL that precedes kernels of one pass. By default a tile starts after all earlier
 * ones.
 */
export function tilesWgsl({ order = tilesInOrderWgsl }: Pick<TileOptions, "order">): string {
  return BLOCK_SCAN_WGSL + order + chainedScanWgsl;
}

/** Returns the number of tiles of `rows` rows. */
export function numTiles(tiles: TileOptions, rows: number): number {
  return Math.ceil(rows / tiles.rows);
}
