/**
 * Tiles, the strategy that makes or gathers text in one pass: a workgroup owns a tile of up to 256 rows and
 * learns from the tiles before it where its text begins (a chained scan).
 *
 * Tiles read and write less than two passes do, but their workgroups wait for each other and need more
 * registers and workgroup memory. No card has run them. Prediction for an H100: 1.3 to 2 times as fast as two
 * passes from a million rows on (redact of 5 million rows 0.2 to 0.35 ms instead of 0.35 to 0.5), a draw
 * below. Keep them if a card shows 1.3 times for redact, a filter or a gather; else remove them.
 *
 * @module
 */

import chainedScanWgsl from "./chained_scan.wgsl" with { type: "text" };
import tilesInOrderWgsl from "./tiles_in_order.wgsl" with { type: "text" };
import { BLOCK_SCAN_WGSL } from "../dispatch/scan.ts";
import type { TileOptions } from "../dispatch/strategy_options.ts";

/** Words of the states of tiles before those of each: the next tile, tiles that are done, another. */
export const STATES_HEAD = 3;

/** Bytes of text that are too many for one pass. */
export const MOST_TILED_BYTES: number = 2 ** 30 - 1;

/** Returns the WGSL that kernels of one pass follow. By default an earlier tile has begun before a later one. */
export function tilesWgsl({ order = tilesInOrderWgsl }: Pick<TileOptions, "order">): string {
  return BLOCK_SCAN_WGSL + order + chainedScanWgsl;
}

/** Number of tiles that hold `rows` rows. */
export function numTiles(tiles: TileOptions, rows: number): number {
  return Math.ceil(rows / tiles.rows);
}
