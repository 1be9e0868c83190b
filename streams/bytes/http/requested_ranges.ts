/**
 * The ranges that a reader has requested and not read yet.
 *
 * @module
 */

import type { ByteRange, PlacedBytes } from "../byte_store.ts";
import { blockBytes } from "./block_cache.ts";

/** The most bytes that are requested and not read yet. */
export const mostUnreadBytes: number = 64 << 20;
/** The most ranges that are requested and not read yet. */
const mostRanges = 256;
/** The most requests at the same time, for large ranges and for ranges of at most a block. */
export const largeAtOnce = 16;
export const smallAtOnce = 64;

/** A range that was requested and not read yet. */
export interface RequestedRange extends ByteRange {
  /** Whether it was announced. */
  readonly isPrepared: boolean;
  readonly found: Promise<PlacedBytes>;
  readonly stopper: AbortController;
  /** The number of reads that wait for it. */
  numWaiting: number;
}

/** The requested ranges of a file, and those that wait for their request. */
export class RequestedRanges {
  readonly #fetch: (range: ByteRange, signal: AbortSignal) => Promise<PlacedBytes>;
  #ranges: RequestedRange[] = [];
  #waiting: ByteRange[] = [];
  #numUnderWay = 0;

  constructor(fetch: (range: ByteRange, signal: AbortSignal) => Promise<PlacedBytes>) {
    this.#fetch = fetch;
  }

  /** Returns the requested range that has a byte. */
  at(position: number): RequestedRange | undefined {
    return this.#ranges.find((requested) => has(requested, position));
  }

  /** Like `at`, but makes the request of a waiting range immediately. */
  wanted(position: number): RequestedRange | undefined {
    const requested = this.at(position);
    const waiting = requested === undefined && this.#waiting.find((range) => has(range, position));
    if (!waiting) return requested;
    this.#waiting = this.#waiting.filter((range) => range !== waiting);
    return this.start(waiting, true);
  }

  /** Returns the start of the first requested range after a position. */
  startBehind(position: number): number {
    const starts = this.#ranges.map(({ start }) => start).filter((start) => start > position);
    return Math.min(Infinity, ...starts);
  }

  /** Whether `numBytes` more bytes may be requested. */
  fits(numBytes: number): boolean {
    return this.#numBytes + numBytes <= mostUnreadBytes;
  }

  /** Requests a range; forgets the oldest requested ranges where the limit requires it. */
  start(range: ByteRange, isPrepared = false): RequestedRange {
    const stopper = new AbortController();
    this.#numUnderWay++;
    const found = this.#fetch(range, stopper.signal).finally(() => {
      this.#numUnderWay--;
      this.#startWaiting();
    });
    // The error reaches whoever reads the range.
    found.catch(() => {});
    const requested: RequestedRange = { ...range, isPrepared, found, stopper, numWaiting: 0 };
    while (!this.fits(range.stop - range.start)) {
      const oldest = this.#ranges.find(({ numWaiting }) => numWaiting === 0);
      if (oldest === undefined) break;
      this.#forget([oldest]);
    }
    this.#ranges.push(requested);
    return requested;
  }

  /** Returns the bytes of a range once they have arrived; until then it is not forgotten. */
  async bytesOf(requested: RequestedRange): Promise<PlacedBytes> {
    requested.numWaiting++;
    try {
      return await requested.found;
    } finally {
      requested.numWaiting--;
    }
  }

  /** Requests ranges as soon as the limits allow. Forgets those that waited before. */
  announce(ranges: readonly ByteRange[]): void {
    this.#waiting = [...ranges];
    this.#startWaiting();
  }

  /** Forgets ranges that nobody waits for, and ends their requests. */
  drop(isDropped: (requested: RequestedRange) => boolean): void {
    const dropped = this.#ranges.filter((requested) =>
      requested.numWaiting === 0 && isDropped(requested)
    );
    if (dropped.length === 0) return;
    this.#forget(dropped);
    this.#startWaiting();
  }

  /** Forgets waiting ranges that overlap a range. */
  unannounce(range: ByteRange): void {
    if (this.#waiting.length === 0) return;
    this.#waiting = this.#waiting.filter((waiting) => !overlap(waiting, range));
  }

  close(): void {
    this.#waiting = [];
    this.#forget(this.#ranges);
  }

  #forget(ranges: readonly RequestedRange[]): void {
    this.#ranges = this.#ranges.filter((requested) => !ranges.includes(requested));
    for (const { stopper } of ranges) stopper.abort();
  }

  get #numBytes(): number {
    return this.#ranges.reduce((sum, { start, stop }) => sum + stop - start, 0);
  }

  #startWaiting(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || this.#ranges.length >= mostRanges) return;
      const numBytes = next.stop - next.start;
      const atOnce = numBytes <= blockBytes ? smallAtOnce : largeAtOnce;
      if (this.#numUnderWay >= atOnce || !this.fits(numBytes)) return;
      this.#waiting.shift();
      this.start(next, true);
    }
  }
}

function has({ start, stop }: ByteRange, position: number): boolean {
  return start <= position && position < stop;
}

/** Whether two ranges have a byte in common. */
export function overlap(one: ByteRange, other: ByteRange): boolean {
  return one.start < other.stop && other.start < one.stop;
}
