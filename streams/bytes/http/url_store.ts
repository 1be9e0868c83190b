/**
 * Reads a file on a server by ranges, in few requests, and requests early what is read next.
 *
 * @module
 */

import type { ByteRange, ByteStore, PlacedBytes } from "../byte_store.ts";
import { EndedError } from "../../../base/errors/file_error.ts";
import { coalesce, type CoalesceOptions, cutRange, within } from "../coalesce.ts";
import { inParallel } from "../parallel.ts";
import { blockBytes } from "./block_cache.ts";
import {
  largeAtOnce,
  mostUnreadBytes,
  overlap,
  type RequestedRange,
  RequestedRanges,
  smallAtOnce,
} from "./requested_ranges.ts";
import type { UrlFile } from "./url_file.ts";

/** The bytes that arrive in the time of a round trip: 50 ms at 80 MB a second. */
const tripBytes = 4 << 20;

/**
 * How ranges become requests. Reading across a gap costs less than one more request where that
 * shares the way with 15 others. Many small ranges, such as the headers of batches, have smaller gaps
 * and more requests at once: else all that lies between would be read.
 */
const large: CoalesceOptions = { gapBytes: 256 << 10, requestBytes: 8 << 20 };
const small: CoalesceOptions = { gapBytes: 16 << 10, requestBytes: 4 << 20 };
const smallBytes = 16 << 10;

/** The requests of a forward reader grow from the first to the last of these sizes. */
const firstAheadBytes = 256 << 10;
const lastAheadBytes = 8 << 20;
const aheadFactor = 4;
/** Beyond this size of requests, the next one is made while one is read. */
const readAheadBytes = 4 << 20;
/** A read of more than this knows how much it wants. */
const mostStepBytes = 1 << 20;
/** The most bytes of an announced range that is made longer. */
const mostBehindBytes = 1 << 20;

/** One reader of a file on a server. */
export class UrlStore implements ByteStore {
  readonly numBytes: number;
  readonly identity = undefined;
  readonly tripBytes = tripBytes;
  readonly #file: UrlFile;
  readonly #closing = new AbortController();
  readonly #requested = new RequestedRanges((range, signal) => this.#fetchOne(range, signal));
  /** The end of the last read. */
  #position = 0;
  /** The size of the next request, if it goes on at this position. */
  #aheadBytes = firstAheadBytes;

  constructor(file: UrlFile) {
    this.#file = file;
    this.numBytes = file.size;
  }

  get numRequests(): number {
    return this.#file.numRequests;
  }

  async read(target: Uint8Array<ArrayBuffer>, position: number): Promise<number> {
    this.#closing.signal.throwIfAborted();
    if (target.length === 0 || position >= this.numBytes) return 0;
    const found = this.#file.kept(position) ?? await this.#unkept(position, target.length);
    const bytes = found.subarray(0, target.length);
    target.set(bytes);
    this.#position = position + bytes.length;
    this.#requested.drop(({ isPrepared, start, stop }) =>
      !isPrepared && start <= position && stop <= this.#position
    );
    return bytes.length;
  }

  holds(start: number, stop: number): boolean {
    for (let position = start; position < Math.min(stop, this.numBytes);) {
      const bytes = this.#file.kept(position);
      if (bytes === undefined) return false;
      position += bytes.length;
    }
    return true;
  }

  prepare(ranges: readonly ByteRange[]): void {
    if (this.#closing.signal.aborted) return;
    const wanted = ranges.map((range) => this.#bounded(range));
    this.#requested.announce([]);
    this.#requested.drop((requested) =>
      requested.isPrepared && !wanted.some((range) => overlap(range, requested))
    );
    const requests = requestsOf(wanted.flatMap((range) => this.#find(range).missing));
    const [only, ...others] = requests;
    const goesOn = only !== undefined && others.length === 0 && only.start <= this.#frontier();
    this.#requested.announce(goesOn ? [this.#longer(only)] : requests);
  }

  async readMany(
    ranges: readonly ByteRange[],
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>[]> {
    const ended = ranges.find(({ stop }) => stop > this.numBytes);
    if (ended !== undefined) throw new EndedError(Math.max(ended.start, this.numBytes));
    const closed = this.#closing.signal;
    const either = signal === undefined ? closed : AbortSignal.any([signal, closed]);
    either.throwIfAborted();
    for (const range of ranges) this.#requested.unannounce(range);
    const sought = ranges.map((range) => this.#find(range));
    const [prepared, fetched] = await Promise.all([
      Promise.all(
        sought.map(({ requested }) =>
          Promise.all(requested.map((range) => this.#requested.bytesOf(range)))
        ),
      ),
      this.#fetch(sought.flatMap(({ missing }) => missing), either),
    ]);
    this.#requested.drop((requested) =>
      ranges.some((range) => overlap(range, requested) && range.stop >= requested.stop)
    );
    const returned = new Set<Uint8Array>();
    return ranges.map((range, index) => {
      const parts = [...sought[index]!.kept, ...prepared[index]!, ...within(range, fetched)];
      const bytes = cutRange(range, parts);
      const own = returned.has(bytes) ? bytes.slice() : bytes;
      returned.add(own);
      return own;
    });
  }

  currentSize(): Promise<undefined> {
    // Every answer is checked against the first version.
    return Promise.resolve(undefined);
  }

  close(): void {
    this.#closing.abort();
    this.#requested.close();
  }

  /** Returns the bytes from a position on, of a requested range that has it or of a new one. */
  async #unkept(position: number, wanted: number): Promise<Uint8Array<ArrayBuffer>> {
    const requested = this.#requested.wanted(position) ??
      this.#requested.start(this.#nextRange(position, wanted));
    const found = this.#requested.bytesOf(requested);
    const isLarge = requested.stop - requested.start >= readAheadBytes;
    if (isLarge && !requested.isPrepared) this.#readAhead(requested.stop);
    const { start, bytes } = await found;
    return bytes.subarray(position - start);
  }

  /** Returns the range of a request for bytes that nobody announced. */
  #nextRange(position: number, wanted: number): ByteRange {
    const isForwards = position === this.#position;
    if (!isForwards) this.#aheadBytes = blockBytes;
    const isSmall = !isForwards && wanted <= blockBytes;
    const range = isSmall
      ? {
        start: Math.floor(position / blockBytes) * blockBytes,
        stop: Math.ceil((position + wanted) / blockBytes) * blockBytes,
      }
      : { start: position, stop: position + Math.min(wanted, mostUnreadBytes) };
    return this.#untilKnown(isForwards ? this.#further(range) : range, position);
  }

  /** Requests the range after the one that is being read. */
  #readAhead(start: number): void {
    if (start >= this.numBytes || this.#file.kept(start) !== undefined) return;
    if (this.#requested.at(start) !== undefined || !this.#requested.fits(lastAheadBytes)) return;
    this.#requested.start(this.#untilKnown(this.#further({ start, stop: start + 1 }), start));
  }

  /** Lengthens a range, to at most `mostBytes`, for a reader that goes on in small steps. */
  #further({ start, stop }: ByteRange, mostBytes = lastAheadBytes): ByteRange {
    const ahead = Math.min(this.#aheadBytes, mostBytes);
    const isLarge = stop - start > mostStepBytes;
    this.#aheadBytes = Math.min(lastAheadBytes, aheadFactor * this.#aheadBytes);
    return this.#bounded({ start, stop: isLarge ? stop : Math.max(stop, start + ahead) });
  }

  /** Lengthens an announced range where the reader continues after its bytes. */
  #longer(range: ByteRange): ByteRange {
    return this.#untilKnown(this.#further(range, mostBehindBytes), range.stop - 1);
  }

  /** Cuts a range where its bytes are known, requested, or end. */
  #untilKnown({ start, stop }: ByteRange, position: number): ByteRange {
    const end = Math.min(stop, this.numBytes, this.#requested.startBehind(position));
    return { start, stop: this.#file.keptFrom(position, end) };
  }

  #bounded({ start, stop }: ByteRange): ByteRange {
    return { start, stop: Math.min(stop, this.numBytes) };
  }

  /** Returns the end of the known or requested bytes from the position of the reader on. */
  #frontier(): number {
    for (let position = this.#position;;) {
      const stop = this.#requested.at(position)?.stop;
      const kept = this.#file.kept(position);
      if (stop === undefined && kept === undefined) return position;
      position = stop ?? position + kept!.length;
    }
  }

  /** Finds the bytes of a range. */
  #find({ start, stop: end }: ByteRange): {
    readonly kept: readonly PlacedBytes[];
    readonly requested: readonly RequestedRange[];
    readonly missing: readonly ByteRange[];
  } {
    const kept: PlacedBytes[] = [];
    const requested: RequestedRange[] = [];
    const missing: ByteRange[] = [];
    // Block by block, since any of them may be kept.
    for (let position = start; position < end;) {
      const bytes = this.#file.kept(position);
      const range = this.#requested.at(position);
      if (bytes !== undefined) {
        kept.push({ start: position, bytes });
        position += bytes.length;
      } else if (range !== undefined) {
        requested.push(range);
        position = range.stop;
      } else {
        const block = (Math.floor(position / blockBytes) + 1) * blockBytes;
        const { stop } = this.#untilKnown({ start: position, stop: block }, position);
        const last = missing.at(-1)?.stop === position ? missing.pop() : undefined;
        missing.push({ start: last?.start ?? position, stop: Math.min(stop, end) });
        position = stop;
      }
    }
    return { kept, requested, missing };
  }

  /** Requests ranges, several at once; ascending and disjoint. */
  #fetch(ranges: readonly ByteRange[], signal: AbortSignal): Promise<PlacedBytes[]> {
    const requests = requestsOf(ranges);
    const areShort = requests.every(({ start, stop }) => stop - start <= blockBytes);
    const request = (range: ByteRange, signal: AbortSignal) => this.#file.request(range, signal);
    return inParallel(requests, areShort ? smallAtOnce : largeAtOnce, request, signal);
  }

  async #fetchOne(range: ByteRange, signal: AbortSignal): Promise<PlacedBytes> {
    const bytes = cutRange(range, await this.#fetch([range], signal));
    return { start: range.start, bytes };
  }
}

/** Returns the requests for ranges. */
function requestsOf(ranges: readonly ByteRange[]): ByteRange[] {
  const areSmall = ranges.every(({ start, stop }) => stop - start <= smallBytes);
  return coalesce(ranges, areSmall ? small : large);
}
