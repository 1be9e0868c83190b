/**
 * The choice between one pass and two for text. On hardware both make the first large batch of a kernel
 * a few times, and the faster one makes all that follow.
 *
 * @module
 */

import { DeviceError } from "../../errors.ts";
import { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../webgpu_context.ts";
import type { AlignedRange } from "../memory/device_column.ts";
import { DeviceClock } from "../device/clock.ts";
import { type KernelRun, printPass } from "./kernel_run.ts";
import { Scope } from "../memory/scope.ts";
import {
  copyTiledTotals,
  encodeTiles,
  NUM_TILED_TOTALS,
  tiledResult,
  tiledRoom,
} from "./tiled_pass.ts";
import { Totals } from "../transfer/readback.ts";
import { encodeSizes, encodeWrite, numTotals } from "./two_pass.ts";

/** How often each is timed; the least time counts. */
const ROUNDS = 3;

/**
 * Bytes of text that one pass over a range should get room for; null where two passes are faster, or
 * where it is not known.
 */
export async function fasterRoom(
  context: WebGpuContext,
  run: KernelRun,
  range: AlignedRange,
): Promise<number | null> {
  const room = tiledRoom(context, run, range);
  const { use, timedRows, isFaster } = context.tiles;
  if (room === null || use === "always") return room;
  const { code } = printPass(run.kernel, "tiles", "all");
  if (!isFaster.has(code) && range.length >= timedRows) {
    // Batches that come meanwhile do not wait for it.
    isFaster.set(code, false);
    try {
      isFaster.set(code, await isOnePassFaster(context, run, range, room));
    } catch (error) {
      // A driver may refuse the kernel; what else fails says nothing about it.
      if (!(error instanceof DeviceError) || context.device.failure !== null) {
        isFaster.delete(code);
        throw error;
      }
    }
  }
  return isFaster.get(code) === true ? room : null;
}

async function isOnePassFaster(
  context: WebGpuContext,
  run: KernelRun,
  range: AlignedRange,
  guess: number,
): Promise<boolean> {
  const room = await exactRoom(context, run, range, guess);
  if (room === null) return false;
  using clock = new DeviceClock(context.device);
  const [one, two]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    context.signal?.throwIfAborted();
    one.push(await ticksOfOnePass(context, clock, run, range, room));
    two.push(await ticksOfTwoPasses(context, clock, run, range, room));
  }
  return Math.min(...one) < Math.min(...two);
}

/** The bytes that the range makes; null where they do not fit, or one pass does not end. */
async function exactRoom(
  context: WebGpuContext,
  run: KernelRun,
  range: AlignedRange,
  guess: number,
): Promise<number | null> {
  using scope = new Scope();
  using commands = new Commands(context, "one pass");
  const totals = scope.own(await Totals.create(context, NUM_TILED_TOTALS));
  const tiled = await encodeTiles(context, commands, run, range, guess);
  scope.own(tiled.states);
  scope.own(tiled.output);
  copyTiledTotals(context, commands, tiled, totals.buffer, 0);
  const result = tiledResult(context, tiled, await totals.read(commands), 0);
  return result !== null && result.dataBytes <= guess ? result.dataBytes : null;
}

async function ticksOfOnePass(
  context: WebGpuContext,
  clock: DeviceClock,
  run: KernelRun,
  range: AlignedRange,
  room: number,
): Promise<number> {
  using scope = new Scope();
  using commands = new Commands(context, "one pass");
  const tiled = await encodeTiles(context, commands, run, range, room);
  scope.own(tiled.states);
  scope.own(tiled.output);
  return await clock.ticksOf(commands);
}

async function ticksOfTwoPasses(
  context: WebGpuContext,
  clock: DeviceClock,
  run: KernelRun,
  range: AlignedRange,
  dataBytes: number,
): Promise<number> {
  using scope = new Scope();
  using commands = new Commands(context, "two passes");
  const { buffer } = scope.own(await Totals.create(context, numTotals(run.kernel.type)));
  const total = { totals: buffer, slot: 0 };
  const counted = await encodeSizes(context, commands, run, range, total);
  scope.own(counted.sizes);
  // Without the wait that is between them: it is the same for one pass.
  const size = { dataBytes, numItems: 0, numLongRows: 0 };
  scope.own((await encodeWrite(context, commands, counted, size)).buffer);
  return await clock.ticksOf(commands);
}
