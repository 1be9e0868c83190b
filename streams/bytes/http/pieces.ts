/**
 * The ranges that a reader has requested and not read yet.
 *
 * @module
 */

import type { ByteRange, PlacedBytes } from "../byte_store.ts";
import { blockBytes } from "./block_cache.ts";

/** The most bytes that are requested and not read yet. */
export const mostUnreadBytes: number = 64 << 20;
/** The most pieces that are requested and not read yet. */
const mostPieces = 256;
/** The most requests at the same time, for large ranges and for ranges of at most a block. */
export const largeAtOnce = 16;
export const smallAtOnce = 64;

/** Bytes that were requested and not read yet. */
export interface Piece extends ByteRange {
  /** Whether it was announced. */
  readonly isPrepared: boolean;
  readonly found: Promise<PlacedBytes>;
  readonly stopper: AbortController;
  /** The number of reads that wait for it. */
  numWaiting: number;
}

/** The requested pieces of a file, and those that wait for a place. */
export class Pieces {
  readonly #fetch: (range: ByteRange, signal: AbortSignal) => Promise<PlacedBytes>;
  #pieces: Piece[] = [];
  #waiting: ByteRange[] = [];
  #numUnderWay = 0;

  constructor(fetch: (range: ByteRange, signal: AbortSignal) => Promise<PlacedBytes>) {
    this.#fetch = fetch;
  }

  /** Returns the requested piece that has a byte. */
  at(position: number): Piece | undefined {
    return this.#pieces.find((piece) => has(piece, position));
  }

  /** Returns the same; a request that waits for a place is made immediately. */
  wanted(position: number): Piece | undefined {
    const piece = this.at(position);
    const waiting = piece === undefined && this.#waiting.find((range) => has(range, position));
    if (!waiting) return piece;
    this.#waiting = this.#waiting.filter((range) => range !== waiting);
    return this.start(waiting, true);
  }

  /** Returns the start of the first piece behind a position. */
  startBehind(position: number): number {
    const starts = this.#pieces.map(({ start }) => start).filter((start) => start > position);
    return Math.min(Infinity, ...starts);
  }

  /** Whether `numBytes` more bytes may be requested. */
  hasRoom(numBytes: number): boolean {
    return this.#numBytes + numBytes <= mostUnreadBytes;
  }

  /** Requests a range; forgets the oldest pieces where there is no place. */
  start(range: ByteRange, isPrepared = false): Piece {
    const stopper = new AbortController();
    this.#numUnderWay++;
    const found = this.#fetch(range, stopper.signal).finally(() => {
      this.#numUnderWay--;
      this.#startWaiting();
    });
    // The read of the piece gets its error.
    found.catch(() => {});
    const piece: Piece = { ...range, isPrepared, found, stopper, numWaiting: 0 };
    while (!this.hasRoom(range.stop - range.start)) {
      const oldest = this.#pieces.find(({ numWaiting }) => numWaiting === 0);
      if (oldest === undefined) break;
      this.#forget([oldest]);
    }
    this.#pieces.push(piece);
    return piece;
  }

  /** Returns the bytes of a piece once they have arrived; until then it is not forgotten. */
  async bytesOf(piece: Piece): Promise<PlacedBytes> {
    piece.numWaiting++;
    try {
      return await piece.found;
    } finally {
      piece.numWaiting--;
    }
  }

  /** Requests ranges when there is a place. Forgets those that waited before. */
  announce(ranges: readonly ByteRange[]): void {
    this.#waiting = [...ranges];
    this.#startWaiting();
  }

  /** Forgets pieces that nobody waits for, and ends their requests. */
  drop(isDropped: (piece: Piece) => boolean): void {
    const dropped = this.#pieces.filter((piece) => piece.numWaiting === 0 && isDropped(piece));
    if (dropped.length === 0) return;
    this.#forget(dropped);
    this.#startWaiting();
  }

  /** Forgets waiting ranges that have bytes of a range. */
  unannounce(range: ByteRange): void {
    if (this.#waiting.length === 0) return;
    this.#waiting = this.#waiting.filter((waiting) => !overlap(waiting, range));
  }

  close(): void {
    this.#waiting = [];
    this.#forget(this.#pieces);
  }

  #forget(pieces: readonly Piece[]): void {
    this.#pieces = this.#pieces.filter((piece) => !pieces.includes(piece));
    for (const { stopper } of pieces) stopper.abort();
  }

  get #numBytes(): number {
    return this.#pieces.reduce((sum, { start, stop }) => sum + stop - start, 0);
  }

  #startWaiting(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || this.#pieces.length >= mostPieces) return;
      const numBytes = next.stop - next.start;
      const atOnce = numBytes <= blockBytes ? smallAtOnce : largeAtOnce;
      if (this.#numUnderWay >= atOnce || !this.hasRoom(numBytes)) return;
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
