/**
 * Learns the lengths of chunks, and estimates how long the rest takes before it takes long.
 *
 * @module
 */

import type { ProbeEstimate } from "./chunk_lengths.ts";

/** Chunks learned before the first estimate, and before a good one. */
const fewChunks = 5;
const manyChunks = 100;
/** A few chunks that take longer than this each are enough for an estimate. */
const slowMs = 20;
/** Work that takes longer than this is announced. */
const longMs = 2000;

/** The way to learn lengths of chunks, and the callback for an estimate. */
interface ProbeWork {
  learn(chunks: readonly number[]): Promise<void>;
  /** Bytes read for the length of a chunk. */
  bytesOf(chunk: number): number;
  readonly onProbe?: ((estimate: ProbeEstimate) => void) | undefined;
}

/** Learns lengths of one source, and announces the rest once if it will take two seconds or more. */
export class Probe {
  readonly #now: () => number;
  #learnt = 0;
  /** The mean time of the chunks learned last. */
  #meanMs = 0;
  #isTold = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  async run(chunks: readonly number[], work: ProbeWork): Promise<void> {
    for (let left = chunks; left.length > 0;) {
      if (this.#learnt >= fewChunks) this.#tell(left, work);
      const border = [fewChunks, manyChunks].find((chunks) => this.#learnt < chunks);
      const next = left.slice(0, border === undefined ? left.length : border - this.#learnt);
      const start = this.#now();
      await work.learn(next);
      this.#meanMs = (this.#now() - start) / next.length;
      this.#learnt += next.length;
      left = left.slice(next.length);
    }
  }

  #tell(left: readonly number[], { bytesOf, onProbe }: ProbeWork): void {
    const elapsedMs = left.length * this.#meanMs;
    const isKnown = this.#learnt >= manyChunks || this.#meanMs >= slowMs;
    if (this.#isTold || onProbe === undefined || elapsedMs < longMs || !isKnown) return;
    this.#isTold = true;
    const bytes = left.reduce((sum, chunk) => sum + bytesOf(chunk), 0);
    onProbe({ chunks: left.length, bytes, elapsedMs });
  }
}

/**
 * Estimates the rest of a probe of which a share is done, chunk by chunk; undefined if it is short, or too
 * few chunks are done to tell.
 */
export function restOf(done: ProbeEstimate, share: number): ProbeEstimate | undefined {
  const left = 1 / share - 1;
  if (done.chunks < manyChunks || done.elapsedMs * left < longMs) return undefined;
  return {
    chunks: Math.ceil(done.chunks * left),
    bytes: Math.ceil(done.bytes * left),
    elapsedMs: done.elapsedMs * left,
  };
}
