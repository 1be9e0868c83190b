/**
 * The messages between the threads of a run, and the loop by which they share the chunks of a phase.
 *
 * @module
 */

import type { SharedQueue } from "../../../base/threads/shared_queue.ts";
import type { SideInfo } from "./side_info.ts";
import type { Pass } from "../plan/fixed_pass.ts";
import type { MovedChunk, Phase, PhaseChunks } from "./phase.ts";

/** The first message to a thread. */
export interface ThreadSetup {
  readonly memory: WebAssembly.Memory;
  /** The memory of the queue of chunks (see `SharedQueue`). */
  readonly queue: SharedArrayBuffer;
  /** The number of the thread; the main thread is 0. */
  readonly thread: number;
  readonly passes: readonly Pass[];
  /** The input of each pass, then the output of the last; absent if only the main thread has it. */
  readonly sides: readonly (SideInfo | undefined)[];
  readonly fill: number;
  /** Whether a chunk must be on disk before it becomes visible. */
  readonly isDurable: boolean;
}

/** A message to a thread: its setup, then one phase after another. */
export interface ThreadJob {
  readonly job: number;
  readonly work: ThreadSetup | Phase;
}

/** The answer to a job: the thread is ready, or the phase has no chunks left, or the thread failed. */
export type ThreadAnswer =
  | { readonly kind: "ready"; readonly job: number }
  | ({ readonly kind: "done"; readonly job: number } & PhaseResult)
  | { readonly kind: "failed" };

/** The result of a thread in a phase. */
export interface PhaseResult {
  /** The indices of chunks that are missing from the input. */
  readonly missing: readonly string[];
  /** Bytes of files that the thread read, then those that it wrote. */
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

/** Takes and moves chunks of a phase until none is left. */
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
