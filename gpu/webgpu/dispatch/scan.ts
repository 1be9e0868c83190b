/**
 * Exclusive scan by reduce-then-scan, the middle of "sizes, scan, write".
 *
 * Rows are taken in blocks of 256, one workgroup each. The sizes kernel stores the sum of each of
 * its blocks; `encodeScan` replaces the sums by what comes before each block and stores the total;
 * the write kernel scans its own block again (`BLOCK_SCAN_WGSL`) and adds the block's start. That
 * is 3 dispatches, and no size of a row is ever stored. Many sums are scanned the same way, in tiles.
 *
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

/** Rows of a block, which is the workgroup size of kernels that take part in a scan. */
export const BLOCK_ROWS = 256;

/** A total that is at least 2^32 - 1. */
export const SATURATED = 0xffff_ffff;

/**
 * WGSL for kernels of workgroup size 256: `block_exclusive_scan(value: u32, local: u32) -> u32`,
 * which all invocations of a workgroup call together, `scan_total`, the block's sum after it, and
 * `add_saturating`.
 */
export const BLOCK_SCAN_WGSL: string = blockScanWgsl;

/** Returns the number of blocks that hold `numRows` rows. */
export function numBlocks(numRows: number): number {
  return Math.ceil(numRows / BLOCK_ROWS);
}

/** Sums of blocks, and where their total goes. */
interface ScanJob {
  /** One word a block from `firstWord` on; become the sums of all blocks before. */
  readonly sums: PooledBuffer;
  readonly firstWord: number;
  readonly blocks: number;
  readonly totals: PooledBuffer;
  /** Word of `totals` that takes the total. */
  readonly slot: number;
  /** Whether another word a block follows the sums, whose total goes to the slot after it. */
  readonly counts?: boolean;
}

/**
 * Sums that one workgroup scans alone. It takes about a microsecond for each 1,024 on a large card, and
 * two more dispatches some three each: by reckoning, not measured.
 */
const MOST_ALONE = 4096;

/** Sums of a tile, which has a workgroup where there are more. */
const TILE_SUMS = 1024;

/** Adds the scan of block sums to `commands`: one dispatch, or three where they are many. */
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
