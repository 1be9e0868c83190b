/**
 * What threads that share a run tell each other, and how they share the chunks of a phase.
 *
 * @module
 */

import type { SharedQueue } from "../../../base/threads/shared_queue.ts";
import type { LaneSide } from "./lane_sides.ts";
import type { Pass } from "../plan/fixed_pass.ts";
import type { MovedChunk, Phase, PhaseChunks } from "./phase.ts";

/** What a thread gets first. */
export interface LaneSetup {
  readonly memory: WebAssembly.Memory;
  /** The memory of the queue of chunks (see `SharedQueue`). */
  readonly queue: SharedArrayBuffer;
  /** Its number; that of the main thread is 0. */
  readonly lane: number;
  readonly passes: readonly Pass[];
  /** What each pass reads, and behind the last one what that writes; absent: not for other threads. */
  readonly sides: readonly (LaneSide | undefined)[];
  readonly fill: number;
  /** Whether a chunk is on the disk before it appears. */
  readonly isDurable: boolean;
}

/** What a thread gets: its setup, then one phase after the other. */
export interface LaneJob {
  readonly job: number;
  readonly work: LaneSetup | Phase;
}

/** What it answers to a job: that it is set up, or that no chunk of a phase is left; or that it failed. */
export type LaneAnswer =
  | { readonly kind: "ready"; readonly job: number }
  | ({ readonly kind: "done"; readonly job: number } & LaneResult)
  | { readonly kind: "failed" };

/** What a thread did in a phase. */
export interface LaneResult {
  /** Places of chunks that are missing from the input. */
  readonly missing: readonly string[];
  /** Bytes that it read from the array and wrote to the other, as files. */
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

/** Moves chunks of a phase that nobody has taken until none is left. */
export async function moveShared(
  queue: SharedQueue,
  { numChunks, move }: PhaseChunks,
  each: (chunk: MovedChunk) => void | Promise<void>,
): Promise<void> {
  for (;;) {
    const number = queue.take(numChunks);
    if (number === undefined) return;
    const chunk = await move(number);
    queue.addBytes(chunk.bytes);
    await each(chunk);
  }
}
