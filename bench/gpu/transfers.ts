/**
 * Measures transfers by chunk size, and the cost of a wait, without any work of a kernel.
 *
 * @module
 */

import { Commands } from "../../gpu/webgpu/dispatch/commands.ts";
import type { PooledBuffer } from "../../gpu/webgpu/memory/buffer_pool.ts";
import { Scope } from "../../gpu/webgpu/memory/scope.ts";
import { Staging } from "../../gpu/webgpu/transfer/readback.ts";
import { writeBytes } from "../../gpu/webgpu/transfer/upload.ts";
import { median } from "../support/measure.ts";
import { gbPerSecond } from "./gpu_results.ts";
import type { MeasuredGpu } from "./measured_gpu.ts";

const KIB = 1024;
const CHUNKS = [64, 256, 1024, 4 * 1024, 16 * 1024, 64 * 1024, 256 * 1024];
/** The bytes of all chunks together, unless the limit is lower. */
const TOTAL_BYTES = 2 ** 29;
/** The number of downloads in one wait. */
const TOGETHER = 8;
const RUNS = 3;

const IN_FLIGHT = [1, 2, 4, 8, 16, 32, 64];
const WAITS = 5;

/** Returns the GB/s of uploads and downloads, by the bytes of a chunk. */
export async function measureTransfers(gpu: MeasuredGpu): Promise<string[][]> {
  const lines = [
    ["Transfers, GB/s, by chunk", "Up", "Down, one by one", `Down, ${TOGETHER} together`],
    ["---", "---:", "---:", "---:"],
  ];
  const { maxBindingBytes } = gpu.context.device;
  const most = Math.min(maxBindingBytes, gpu.maxBytes, gpu.budgetBytes / (2 * TOGETHER));
  for (const kib of CHUNKS) {
    const bytes = kib * KIB;
    if (bytes > most) {
      gpu.note(`transfers end at chunks of ${Number(lines.at(-1)![0]!.split(" ")[0])} KiB`);
      break;
    }
    if (gpu.isLate()) break;
    const total = Math.max(bytes, Math.min(TOTAL_BYTES, gpu.maxBytes));
    const speeds = [
      await upSpeed(gpu, bytes, total),
      await downSpeed(gpu, bytes, Math.min(total, 16 * bytes), 1),
      await downSpeed(gpu, bytes, Math.min(total, 16 * bytes), TOGETHER),
    ];
    lines.push([`${kib} KiB`, ...speeds.map((speed) => speed.toFixed(3))]);
  }
  return lines;
}

async function upSpeed({ context }: MeasuredGpu, bytes: number, total: number): Promise<number> {
  using scope = new Scope();
  const buffer = scope.own(await context.pool.acquire("storage", bytes, "transfer"));
  const data = new Uint8Array(bytes).fill(1);
  const count = Math.ceil(total / bytes);
  return await speedOf(count * bytes, async () => {
    for (let k = 0; k < count; k++) writeBytes(context, buffer, 0, data);
    context.device.gpu.queue.submit([]);
    await context.device.reads.idle();
  });
}

async function downSpeed(
  { context }: MeasuredGpu,
  bytes: number,
  total: number,
  together: number,
): Promise<number> {
  using scope = new Scope();
  const buffer = scope.own(await context.pool.acquire("storage", bytes, "transfer"));
  const rounds = Math.max(1, Math.round(total / bytes / together));
  return await speedOf(rounds * together * bytes, async () => {
    for (let round = 0; round < rounds; round++) {
      const reads = Array.from({ length: together }, () => readBack(buffer, bytes / 4));
      await Promise.all(reads);
    }
  });

  async function readBack(source: PooledBuffer, words: number): Promise<void> {
    const staging = new Staging(context);
    staging.add(source, 0, words);
    using commands = new Commands(context, "transfer");
    await staging.read(commands);
  }
}

async function speedOf(bytes: number, run: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let k = -1; k < RUNS; k++) {
    const start = performance.now();
    await run();
    if (k >= 0) times.push(performance.now() - start);
  }
  return gbPerSecond(bytes, median(times));
}

/** Returns the milliseconds until four bytes are back, by the number of such waits in flight. */
export async function measureWaits({ context }: MeasuredGpu): Promise<string[][]> {
  using scope = new Scope();
  const buffer = scope.own(await context.pool.acquire("storage", 4, "wait"));
  const wait = async () => {
    const staging = new Staging(context);
    staging.add(buffer, 0, 1);
    using commands = new Commands(context, "wait");
    commands.clear(buffer, 0, 1);
    await staging.read(commands);
  };
  const lines = [["Waits in flight", "ms for all", "ms each"], ["---:", "---:", "---:"]];
  for (const count of IN_FLIGHT) {
    const times: number[] = [];
    for (let round = -1; round < WAITS; round++) {
      const start = performance.now();
      await Promise.all(Array.from({ length: count }, wait));
      if (round >= 0) times.push(performance.now() - start);
    }
    const ms = median(times);
    lines.push([`${count}`, ms.toFixed(2), (ms / count).toFixed(3)]);
  }
  return lines;
}
