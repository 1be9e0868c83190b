/**
 * What threads that share a run tell each other, and the words of memory that they share.
 *
 * @module
 */

import type { LaneSide } from "./lane_sides.ts";
import type { Pass } from "../plan/fixed_pass.ts";
import type { MovedChunk, PhaseChunks } from "./phase.ts";

/** What a thread gets first. */
export interface LaneSetup {
  readonly memory: WebAssembly.Memory;
  readonly control: SharedArrayBuffer;
  /** Its number; that of the main thread is 0. */
  readonly lane: number;
  readonly passes: readonly Pass[];
  /** What each pass reads, and behind the last one what that writes; absent: not for other threads. */
  readonly sides: readonly (LaneSide | undefined)[];
  readonly fill: number;
  /** Whether a chunk is on the disk before it appears. */
  readonly isDurable: boolean;
}

/** What it answers: when it is set up, and when no chunk of a phase is left. */
export type LaneAnswer =
  | { readonly kind: "ready" }
  | ({ readonly kind: "done" } & LaneResult)
  | { readonly kind: "failed" };

/** What a thread did in a phase. */
export interface LaneResult {
  /** Places of chunks that are missing from the input. */
  readonly missing: readonly string[];
  /** Bytes that it read from the array and wrote to the other, as files. */
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

/** What all threads of a phase count together. */
export class PhaseCounts {
  readonly buffer: SharedArrayBuffer;
  readonly #next: Int32Array<SharedArrayBuffer>;
  readonly #bytes: BigInt64Array<SharedArrayBuffer>;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(16)) {
    this.buffer = buffer;
    this.#next = new Int32Array(buffer, 0, 1);
    this.#bytes = new BigInt64Array(buffer, 8, 1);
  }

  /** Begins a phase. */
  reset(): void {
    Atomics.store(this.#next, 0, 0);
    Atomics.store(this.#bytes, 0, 0n);
  }

  /** Bytes of chunks that were moved. */
  get bytes(): number {
    return Number(Atomics.load(this.#bytes, 0));
  }

  /** Leaves no chunk to be taken. */
  stop(): void {
    Atomics.store(this.#next, 0, STOPPED);
  }

  /** Moves chunks that nobody has taken until none is left. */
  async take(
    { numChunks, move }: PhaseChunks,
    each: (chunk: MovedChunk) => void | Promise<void>,
  ): Promise<void> {
    for (;;) {
      const number = Atomics.add(this.#next, 0, 1);
      if (number >= numChunks) return;
      const chunk = await move(number);
      Atomics.add(this.#bytes, 0, BigInt(chunk.bytes));
      await each(chunk);
    }
  }
}

/** More than any phase has chunks, and far from what a word cannot count. */
const STOPPED = 2 ** 30;
