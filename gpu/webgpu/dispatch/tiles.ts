/**
 * When text is made or gathered in one pass, tile by tile, and how its tiles are taken.
 *
 * One pass reads and writes less than two, but its workgroups wait for each other and need more
 * registers and workgroup memory. The rules of `gpu/kernel/emit/wgsl/ways.ts` say when it is taken.
 *
 * @module
 */

import blockScanWgsl from "./block_scan.wgsl" with { type: "text" };
import chainedScanWgsl from "./chained_scan.wgsl" with { type: "text" };
import tilesInOrderWgsl from "./tiles_in_order.wgsl" with { type: "text" };
import { TILE_LANES } from "../../kernel/emit/wgsl/tiles.ts";
import type { WebGpuDevice } from "../device/device.ts";
import { type Ways, waysOf } from "./ways.ts";

/** How text is made where one pass can make it, which is the other way. */
export interface TileOptions extends Ways {
  /** Rows of a tile, a multiple of 32 up to 256. */
  readonly rows: number;
  /**
   * WGSL: `tile_of`, the tile of the workgroup that begins as such a one; `posts`, whether it says how
   * large its tile is; `MAX_SPINS`, the rounds that a tile waits before it counts another one. Tests
   * have tiles taken in other orders, and some that never say anything.
   */
  readonly order: string;
}

/** WGSL for `TileOptions.order`: an earlier tile has always begun before a later one. */
export const TILES_IN_ORDER: string = tilesInOrderWgsl;

/** Words of the states of tiles before those of each: the next tile, tiles that are done, another. */
export const STATES_HEAD = 3;

/** Bytes of text that are too many for one pass. */
export const MOST_TILED_BYTES: number = 2 ** 30 - 1;

/** WGSL that kernels of one pass follow; they take tiles in some order. */
export function tilesWgsl(order: string): string {
  return blockScanWgsl + order + chainedScanWgsl;
}

/** What a device does unless it is told. */
export function tileOptions(device: WebGpuDevice): TileOptions {
  const ways = waysOf(device, ["pieces", "loops", "filter", "gather"]);
  return { ...ways, rows: TILE_LANES, order: TILES_IN_ORDER };
}

/** Number of tiles of so many rows. */
export function numTiles(tiles: TileOptions, rows: number): number {
  return Math.ceil(rows / tiles.rows);
}
