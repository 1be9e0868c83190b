/**
 * Whether one pass or two make the text of a kernel.
 *
 * @module
 */

import { Commands } from "../dispatch/commands.ts";
import { isKnownToTakeFirst } from "../dispatch/choices.ts";
import { type BothWays, takesFirst } from "../dispatch/pass_choice.ts";
import type { WebGpuContext } from "../webgpu_context.ts";
import type { AlignedRange } from "../memory/device_column.ts";
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
import { encodeSizes, encodeWrite, numTotals, ownSized, sureBytes } from "./two_pass.ts";

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
  if (room === null) return null;
  const isOne = await takesFirst(context, context.tiles, {
    kind: printPass(run.kernel, "tiles", "all").code,
    canTell: range.length >= context.tiles.timedRows,
    ways: () => bothWays(context, run, range, room),
  });
  return isOne ? room : null;
}

/** Whether one pass makes all ranges, as far as is known by now; then nothing else need be compiled. */
export function isOnePass(
  context: WebGpuContext,
  job: Pick<KernelRun, "kernel" | "inputs">,
  ranges: readonly AlignedRange[],
): boolean {
  return ranges.length > 0 &&
    ranges.every((range) =>
      sureBytes(context, job, range) === null && tiledRoom(context, job, range) !== null &&
      isKnownToTakeFirst(context.tiles, printPass(job.kernel, "tiles", "all").code)
    );
}

async function bothWays(
  context: WebGpuContext,
  run: KernelRun,
  range: AlignedRange,
  guess: number,
): Promise<BothWays | null> {
  const room = await exactRoom(context, run, range, guess);
  if (room === null) return null;
  return {
    async first(scope, commands) {
      const tiled = await encodeTiles(context, commands, run, range, room);
      scope.own(tiled.states);
      scope.own(tiled.output);
    },
    async second(scope, commands) {
      const { buffer } = scope.own(await Totals.create(context, numTotals(run.kernel.type)));
      const total = { totals: buffer, slot: 0 };
      const counted = ownSized(scope, await encodeSizes(context, commands, run, range, total));
      const size = { dataBytes: room, numItems: 0, numLongRows: 0 };
      scope.own((await encodeWrite(context, commands, counted, size)).buffer);
    },
  };
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
