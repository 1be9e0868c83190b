/**
 * The choice between two ways to compute the same: text in one pass or in two, rows with several lanes
 * or with one. On hardware both compute the first large batch of a kind a few times, and the faster one
 * computes all that follow.
 *
 * @module
 */

import { DeviceError } from "../../errors.ts";
import { DeviceClock } from "../device/clock.ts";
import { Scope } from "../memory/scope.ts";
import type { WebGpuContext } from "../webgpu_context.ts";
import { type Choices, isKnownToTakeFirst } from "./choices.ts";
import { Commands } from "./commands.ts";

/** How often each is timed; the least time counts. */
const ROUNDS = 3;

/** Work that can be done in two ways. */
export interface Choice {
  /** What kind of work: what was faster once is taken for all of the same kind. */
  readonly kind: string;
  /** Whether there is enough of it to tell what is faster. */
  readonly canTell: boolean;
  /** The same work in both ways; null where the first one does not get done. */
  ways(): Promise<BothWays | null>;
}

/** Records the work of a way without the wait that is in it, which is the same for both. */
type Way = (scope: Scope, commands: Commands) => Promise<void>;

/** The same work in both ways; `scope` owns the results. */
export interface BothWays {
  readonly first: Way;
  readonly second: Way;
}

/** Whether work should be done in the first way; not where that is not known. */
export async function takesFirst(
  context: WebGpuContext,
  choices: Choices,
  { kind, canTell, ways }: Choice,
): Promise<boolean> {
  const { use, isFaster } = choices;
  if (use === "timed" && !isFaster.has(kind) && canTell) {
    // Batches that come meanwhile do not wait for it.
    isFaster.set(kind, false);
    try {
      const both = await ways();
      isFaster.set(kind, both !== null && await isFirstFaster(context, both));
    } catch (error) {
      // A driver may refuse the kernel; what else fails says nothing about it.
      if (!(error instanceof DeviceError) || context.device.failure !== null) {
        isFaster.delete(kind);
        throw error;
      }
    }
  }
  return isKnownToTakeFirst(choices, kind);
}

async function isFirstFaster(
  context: WebGpuContext,
  { first, second }: BothWays,
): Promise<boolean> {
  using clock = DeviceClock.open(context.device);
  if (clock === null) return false;
  const times: [msOfFirst: number, msOfSecond: number] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [k, way] of [first, second].entries()) {
      context.signal?.throwIfAborted();
      using scope = new Scope();
      using commands = new Commands(context, k === 0 ? "first way" : "second way");
      await way(scope, commands);
      times[k] = Math.min(times[k]!, await clock.timeSubmit(commands));
    }
  }
  return times[0] < times[1];
}
