/**
 * Files as Blobs, whose ranges parquet-wasm reads when it needs them.
 *
 * @module
 */

import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import type { ByteRange } from "../../../bytes/byte_store.ts";
import { coalesce, cutRange, within } from "../../../bytes/coalesce.ts";
import type { FileInput } from "../../../bytes/file_input.ts";

/** The part of a Blob that parquet-wasm calls. */
interface BlobRange {
  readonly size: number;
  slice(start: number, stop: number): BlobRange;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Reads the bytes [start, stop) of a file. */
export type ReadRange = (start: number, stop: number) => Promise<ArrayBuffer>;

/** A file as it is to be read, by ranges. */
export interface RangedFile {
  readonly numBytes: number;
  readonly read: ReadRange;
}

/** A Blob for parquet-wasm. */
interface RangeBlob {
  readonly blob: Blob;
  /** Rejects with the reason of the first read that fails. */
  readonly failed: Promise<never>;
}

/**
 * Returns a file as a Blob that reads its ranges lazily. A read that fails stays pending: a rejection
 * is a trap in parquet-wasm, after which it can do nothing more with the file.
 */
export function rangeBlob({ numBytes, read }: RangedFile): RangeBlob {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  // Whoever waits for the module hears of it; where nobody does, nobody needs to.
  failed.catch(() => {});
  const range = (start: number, stop: number): BlobRange => ({
    size: stop - start,
    slice: (from, to) => range(start + from, Math.min(start + to, stop)),
    arrayBuffer: () =>
      (start <= stop ? read(start, stop) : Promise.reject(misplaced(start, stop))).catch(
        (error) => {
          reject(error);
          return new Promise<never>(() => {});
        },
      ),
  });
  return { blob: range(0, numBytes) as Blob, failed };
}

/** Damaged metadata gives data less than no bytes, or a place behind the end, where ranges are cut. */
function misplaced(start: number, stop: number): TypeError {
  return new TypeError(`is corrupt: it places data at bytes ${start} to ${stop}`);
}

/**
 * Reads ranges of an open file: those that are asked for at once together, so that a server is asked for
 * few of them, and the others one after the other.
 */
export function fileRanges(input: FileInput): ReadRange {
  let waiting: WaitingRange[] = [];
  let last: Promise<void> = Promise.resolve();
  const readWaiting = async (): Promise<void> => {
    const ranges = waiting;
    waiting = [];
    try {
      // Pages of a server that lie near each other come by one request.
      const gapBytes = input.tripBytes / 16;
      const requests = coalesce(ranges, { gapBytes, requestBytes: Infinity });
      const found = await input.readMany(requests);
      const pieces = requests.map(({ start }, index) => ({ start, bytes: found[index]! }));
      for (const range of ranges) range.resolve(cutRange(range, within(range, pieces)).buffer);
    } catch (error) {
      const isShort = isSluiceError(error, "EndedError");
      const reason = isShort ? new TypeError("is a truncated Parquet file") : error;
      for (const { reject } of ranges) reject(reason);
    }
  };
  return (start, stop) => {
    const { promise, resolve, reject } = Promise.withResolvers<ArrayBuffer>();
    if (waiting.push({ start, stop, resolve, reject }) === 1) last = last.then(readWaiting);
    return promise;
  };
}

/** A range of bytes, and who waits for them. */
interface WaitingRange extends ByteRange {
  readonly resolve: (bytes: ArrayBuffer) => void;
  readonly reject: (reason: unknown) => void;
}

/** The most bytes that are kept for a second time. */
const mostKeptBytes = 256 << 20;

/**
 * Ranges of which some are read twice: those that are read while they are kept come once more for free,
 * also at the start of longer ones.
 */
export class KeptRanges {
  readonly #read: ReadRange;
  /** Kept bytes by their first. */
  readonly #kept = new Map<number, Promise<ArrayBuffer>>();
  #room = mostKeptBytes;
  #isKeeping = false;

  constructor(read: ReadRange) {
    this.#read = read;
  }

  readonly read: ReadRange = (start, stop) => {
    const kept = this.#kept.get(start);
    if (kept !== undefined) {
      this.#kept.delete(start);
      return this.#longer(kept, start, stop);
    }
    const bytes = this.#read(start, stop);
    if (this.#isKeeping && stop - start <= this.#room) {
      this.#room -= stop - start;
      this.#kept.set(start, bytes);
    }
    return bytes;
  };

  /** Keeps what is read from now on. */
  keep(): void {
    this.#isKeeping = true;
  }

  /** Keeps no more than it has, each range until it is read again. */
  stopKeeping(): void {
    this.#isKeeping = false;
  }

  /** Lets go of what is left. */
  clear(): void {
    this.#kept.clear();
    this.#room = mostKeptBytes;
  }

  async #longer(kept: Promise<ArrayBuffer>, start: number, stop: number): Promise<ArrayBuffer> {
    const { byteLength } = await kept;
    if (byteLength === stop - start) return kept;
    if (byteLength > stop - start) return (await kept).slice(0, stop - start);
    const bytes = new Uint8Array(stop - start);
    bytes.set(new Uint8Array(await this.#read(start + byteLength, stop)), byteLength);
    bytes.set(new Uint8Array(await kept));
    return bytes.buffer;
  }
}
