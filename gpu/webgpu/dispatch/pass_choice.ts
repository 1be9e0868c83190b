/**
 * The choice between one pass and two for text. On hardware both make the first large batch of a kind
 * a few times, and the faster one makes all that follow.
 *
 * @module
 */

import { DeviceError } from "../../errors.ts";
import { DeviceClock } from "../device/clock.ts";
import { Scope } from "../memory/scope.ts";
import type { WebGpuContext } from "../webgpu_context.ts";
import { Commands } from "./commands.ts";

/** How often each is timed; the least time counts. */
const ROUNDS = 3;

/** Text that can be made in one pass or in two. */
export interface PassChoice {
  /** What kind of text: what was faster once is taken for all of the same kind. */
  readonly kind: string;
  readonly numRows: number;
  /** The same text made in both ways; null where one pass does not get done. */
  ways(): Promise<BothWays | null>;
}

/** Records the work of a way without the wait that is in it, which is the same for both. */
type Way = (scope: Scope, commands: Commands) => Promise<void>;

/** The same text made in both ways; `scope` owns the results. */
export interface BothWays {
  readonly one: Way;
  readonly two: Way;
}

/** Whether one pass makes a text of a kind, as far as is known by now. */
export function isKnownToTakeOne({ tiles }: WebGpuContext, kind: string): boolean {
  return tiles.use === "always" || (tiles.use === "timed" && tiles.isFaster.get(kind) === true);
}

/** Whether one pass should make a text; not where that is not known. */
export async function takesOnePass(context: WebGpuContext, choice: PassChoice): Promise<boolean> {
  const { use, timedRows, isFaster } = context.tiles;
  const { kind, numRows } = choice;
  if (use === "timed" && !isFaster.has(kind) && numRows >= timedRows) {
    // Batches that come meanwhile do not wait for it.
    isFaster.set(kind, false);
    try {
      const ways = await choice.ways();
      isFaster.set(kind, ways !== null && await isOneFaster(context, ways));
    } catch (error) {
      // A driver may refuse the kernel; what else fails says nothing about it.
      if (!(error instanceof DeviceError) || context.device.failure !== null) {
        isFaster.delete(kind);
        throw error;
      }
    }
  }
  return isKnownToTakeOne(context, kind);
}

async function isOneFaster(context: WebGpuContext, { one, two }: BothWays): Promise<boolean> {
  using clock = DeviceClock.open(context.device);
  if (clock === null) return false;
  const times: [msOfOne: number, msOfTwo: number] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [k, way] of [one, two].entries()) {
      context.signal?.throwIfAborted();
      using scope = new Scope();
      using commands = new Commands(context, k === 0 ? "one pass" : "two passes");
      await way(scope, commands);
      times[k] = Math.min(times[k]!, await clock.timeSubmit(commands));
    }
  }
  return times[0] < times[1];
}
