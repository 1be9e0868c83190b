/**
 * Presents files to parquet-wasm as Blobs whose ranges are read on demand.
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

/** A function that reads the bytes [start, stop) of a file. */
export type ReadRange = (start: number, stop: number) => Promise<ArrayBuffer>;

/** A file that is read by ranges. */
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
 * Returns a Blob that reads ranges of a file on demand. A read that fails stays pending: a
 * rejection would trap parquet-wasm, which could then do nothing more with the file.
 */
export function rangeBlob({ numBytes, read }: RangedFile): RangeBlob {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  // Callers race the module against `failed`; where none does, the rejection must not go uncaught.
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

/** Returns the error for a range that ends before it starts, which damaged metadata asks for. */
function misplaced(start: number, stop: number): TypeError {
  return new TypeError(`is corrupt: it places data at bytes ${start} to ${stop}`);
}

/**
 * Returns a function that reads ranges of an open file. Ranges requested together are read
 * together, so that a server gets few requests; others are read one after the other.
 */
export function fileRanges(input: FileInput): ReadRange {
  let waiting: WaitingRange[] = [];
  let last: Promise<void> = Promise.resolve();
  const readWaiting = async (): Promise<void> => {
    const ranges = waiting;
    waiting = [];
    try {
      // One request fetches pages that lie near each other on a server.
      const gapBytes = input.tripBytes / 16;
      const requests = coalesce(ranges, { gapBytes, requestBytes: Infinity });
      const found = await input.readMany(requests);
      const parts = requests.map(({ start }, index) => ({ start, bytes: found[index]! }));
      for (const range of ranges) range.resolve(cutRange(range, within(range, parts)).buffer);
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

/** A byte range, and the promise that waits for it. */
interface WaitingRange extends ByteRange {
  readonly resolve: (bytes: ArrayBuffer) => void;
  readonly reject: (reason: unknown) => void;
}

/** The most bytes that are kept for a second read. */
const mostKeptBytes = 256 << 20;

/**
 * Reads ranges, some of them twice: a range that was read while keeping is on is served once more
 * from memory, also as the start of a longer one.
 */
export class KeptRanges {
  readonly #read: ReadRange;
  /** Kept ranges by their start. */
  readonly #kept = new Map<number, Promise<ArrayBuffer>>();
  #bytesLeft = mostKeptBytes;
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
    if (this.#isKeeping && stop - start <= this.#bytesLeft) {
      this.#bytesLeft -= stop - start;
      this.#kept.set(start, bytes);
    }
    return bytes;
  };

  /** Keeps ranges that are read from now on. */
  keep(): void {
    this.#isKeeping = true;
  }

  /** Keeps no further ranges. Those kept stay until they are read again. */
  stopKeeping(): void {
    this.#isKeeping = false;
  }

  /** Drops the kept ranges. */
  clear(): void {
    this.#kept.clear();
    this.#bytesLeft = mostKeptBytes;
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
