/**
 * Measures the scan of block sums, which runs between the two passes that write text, by the number of blocks.
 *
 * @module
 */

import { Commands } from "../../gpu/webgpu/dispatch/commands.ts";
import { BLOCK_ROWS, encodeScan } from "../../gpu/webgpu/dispatch/scan.ts";
import { Scope } from "../../gpu/webgpu/memory/scope.ts";
import { Totals } from "../../gpu/webgpu/transfer/readback.ts";
import { median } from "../support/measure.ts";
import { gbPerSecond, type KernelTime, rounded } from "./gpu_results.ts";
import type { MeasuredGpu } from "./measured_gpu.ts";

const BLOCKS = [4_000, 40_000, 400_000];
const RUNS = 15;

/** Yields the times of the scan for each number of blocks. */
export async function* measureScans(gpu: MeasuredGpu): AsyncGenerator<KernelTime, void, void> {
  for (const blocks of BLOCKS) {
    const ms = await timeScan(gpu, blocks);
    const name = `${blocks.toLocaleString("en")} block sums`;
    if (ms === null) return gpu.note("the scan alone is not timed without timestamps");
    // Each sum is read for the total, read again, and written.
    const bytes = 3 * 4 * blocks;
    yield {
      work: name,
      numRows: blocks * BLOCK_ROWS,
      kernel: "scan",
      dispatches: 1,
      ms: rounded(ms),
      bytes,
      gbPerSecond: gbPerSecond(bytes, ms),
      shareOfCopy: gpu.shareOfCopy(bytes, ms),
      wallMs: null,
    };
  }
}

async function timeScan({ context, profile }: MeasuredGpu, blocks: number): Promise<number | null> {
  if (profile === null) return null;
  using scope = new Scope();
  const sums = scope.own(await context.pool.acquire("storage", 4 * blocks, "sums"));
  const times: number[] = [];
  for (let run = -2; run < RUNS; run++) {
    context.device.gpu.queue.writeBuffer(sums.buffer, 0, new Uint32Array(blocks).fill(1));
    const totals = await Totals.create(context, 1);
    try {
      using commands = new Commands(context, "scan");
      const job = { sums, firstWord: 0, blocks, totals: totals.buffer, slot: 0 };
      await encodeScan(context, commands, job);
      const [total] = await totals.read(commands);
      if (total !== blocks) throw new Error(`the scan of ${blocks} ones gives ${total}`);
    } finally {
      totals.release();
    }
    const { works } = await profile.take();
    if (run >= 0) times.push(works[0]!.elapsedMs);
  }
  return median(times);
}
