/**
 * Counts the bytes and requests of a source during one run.
 *
 * @module
 */

import type { Source } from "../../streams/plan/source.ts";

/** The counts of a source over all finished runs. */
interface Counted {
  readonly bytes: number;
  readonly requests: number;
}

const counted = new WeakMap<Source, Counted>();

/**
 * Counts the reads of a source for one run, including metadata that was read since the run before.
 */
export class SourceCount {
  readonly #source: Source;
  readonly #before: Counted;
  #end: Counted | undefined;

  constructor(source: Source) {
    this.#source = source;
    this.#before = counted.get(source) ?? { bytes: 0, requests: 0 };
  }

  get bytes(): number {
    // A source subtracts the bytes of metadata when it reads them again.
    return Math.max(0, this.#now.bytes - this.#before.bytes);
  }

  get requests(): number {
    return this.#now.requests - this.#before.requests;
  }

  /** Ends the run: later reads count for the next one. */
  end(): void {
    this.#end ??= this.#now;
    counted.set(this.#source, this.#end);
  }

  get #now(): Counted {
    const { bytesRead, numRequests } = this.#source;
    return this.#end ?? { bytes: bytesRead, requests: numRequests ?? 0 };
  }
}
