/**
 * Exclusive scan by reduce-then-scan, the middle step of "sizes, scan, write".
 *
 *     sizes   sum of each block of 256 rows, a workgroup each
 *     scan    `encodeScan`: sums -> what comes before each block, and the total
 *     write   `BLOCK_SCAN_WGSL` scans the block again, and adds the start of the block
 *
 * These are 3 dispatches, and no size of a row has to be stored. Many sums are scanned in tiles.
 * Sums saturate at 2^32 - 1 instead of wrapping: a total of `SATURATED` means "too large".
 *
 * @module
 */

import blockScanWgsl from "./block_scan.wgsl" with { type: "text" };
import scanSumsWgsl from "./scan_sums.wgsl" with { type: "text" };
import scanTilesWgsl from "./scan_tiles.wgsl" with { type: "text" };
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Commands } from "./commands.ts";
import type { Pipeline } from "./pipelines.ts";
import type { WebGpuContext } from "./webgpu_context.ts";

/** The rows of a block: the workgroup size of kernels that take part in a scan. */
export const BLOCK_ROWS = 256;

/** The total that stands for 2^32 - 1 and everything above. */
export const SATURATED = 0xffff_ffff;

/**
 * WGSL for kernels of workgroup size 256. It defines
 * `block_exclusive_scan(value: u32, local: u32) -> u32`, which all invocations of a workgroup call
 * together, `scan_total`, the sum of the block after that call, and `add_saturating`.
 */
export const BLOCK_SCAN_WGSL: string = blockScanWgsl;

/** Returns the number of blocks for `numRows` rows. */
export function numBlocks(numRows: number): number {
  return Math.ceil(numRows / BLOCK_ROWS);
}

/** The sums of blocks to scan, and the place of their total. */
interface ScanJob {
  /**
   * A word for each block from `firstWord` on; the scan replaces it by the sum of all blocks
   * before.
   */
  readonly sums: PooledBuffer;
  readonly firstWord: number;
  readonly blocks: number;
  readonly totals: PooledBuffer;
  /** The word of `totals` for the total. */
  readonly slot: number;
  /**
   * Whether a second word for each block follows the sums, whose total goes to the slot after
   * `slot`.
   */
  readonly counts?: boolean;
}

/**
 * The most sums that one workgroup scans alone. It takes about a microsecond for each 1,024 on a
 * large card, and two more dispatches take about three each: estimates, not measurements.
 */
const MOST_ALONE = 4096;

/** The sums of a tile. With more sums than `MOST_ALONE`, each tile has a workgroup. */
const TILE_SUMS = 1024;

/** Adds the scan of block sums to `commands`: one dispatch, or three for many sums. */
export async function encodeScan(
  context: WebGpuContext,
  commands: Commands,
  { sums, firstWord, blocks, totals, slot, counts = false }: ScanJob,
): Promise<void> {
  const alone = await pipelineOf(context, "scan_sums", scanSumsWgsl);
  const counted = counts ? 1 : 0;
  const scanAlone = (words: PooledBuffer, first: number, length: number) => {
    const params = [length, first, slot, counted];
    commands.dispatch(alone, { params, storage: [words, totals], workgroups: 1 });
  };
  if (blocks <= MOST_ALONE) return scanAlone(sums, firstWord, blocks);
  const pipeline = await pipelineOf(context, "scan_tiles", scanTilesWgsl);
  const workgroups = Math.ceil(blocks / TILE_SUMS);
  const tiles = commands.own(await context.pool.acquire("storage", 8 * workgroups, "scan"));
  const scanTiles = (pass: 0 | 1) => {
    const params = [blocks, firstWord, pass, counted];
    commands.dispatch(pipeline, { params, storage: [sums, tiles], workgroups });
  };
  scanTiles(0);
  scanAlone(tiles, 0, workgroups);
  scanTiles(1);
}

function pipelineOf(context: WebGpuContext, entry: string, code: string): Promise<Pipeline> {
  const storage = ["write", "write"] as const;
  return context.pipelines.get({ label: "scan", code: BLOCK_SCAN_WGSL + code, entry, storage });
}
