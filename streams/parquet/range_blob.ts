/**
 * Files as Blobs, whose ranges parquet-wasm reads when it needs them.
 *
 * @module
 */

import type { FileInput } from "../file_input.ts";

/** The part of a Blob that parquet-wasm calls. */
interface BlobRange {
  readonly size: number;
  slice(start: number, stop: number): BlobRange;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Reads the bytes [start, stop) of a file. */
export type ReadRange = (start: number, stop: number) => Promise<ArrayBuffer>;

/** A Blob for parquet-wasm. */
export interface RangeBlob {
  readonly blob: Blob;
  /** Rejects with the reason of the first read that fails. */
  readonly failed: Promise<never>;
}

/**
 * A Blob of `numBytes` bytes that reads its ranges lazily. A read that fails stays pending: a rejection
 * is a trap in parquet-wasm, after which it can do nothing more with the file.
 */
export function rangeBlob(numBytes: number, read: ReadRange): RangeBlob {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  // Whoever waits for the module hears of it; where nobody does, nobody needs to.
  failed.catch(() => {});
  const range = (start: number, stop: number): BlobRange => ({
    size: stop - start,
    slice: (from, to) => range(start + from, Math.min(start + to, stop)),
    arrayBuffer: () =>
      read(start, stop).catch((error) => {
        reject(error);
        return new Promise<never>(() => {});
      }),
  });
  return { blob: range(0, numBytes) as Blob, failed };
}

/** Reads ranges of an open file one at a time, in the order of the calls. */
export function fileRanges(input: FileInput): ReadRange {
  let last: Promise<unknown> = Promise.resolve();
  return (start, stop) => {
    const next = last.then(async () => {
      await input.seek(start);
      const bytes = await input.read(stop - start);
      if (bytes.length < stop - start) throw new TypeError("is a truncated Parquet file");
      const { buffer, byteLength } = bytes;
      return byteLength === buffer.byteLength ? buffer : bytes.slice().buffer;
    });
    last = next.catch(() => {});
    return next;
  };
}

/** Ranges of which some are read twice: those that are read while they are kept, once more for free. */
export class KeptRanges {
  readonly #read: ReadRange;
  readonly #kept = new Map<string, Promise<ArrayBuffer>>();
  #isKeeping = false;

  constructor(read: ReadRange) {
    this.#read = read;
  }

  readonly read: ReadRange = (start, stop) => {
    const key = `${start} ${stop}`;
    const bytes = this.#kept.get(key) ?? this.#read(start, stop);
    if (this.#isKeeping) this.#kept.set(key, bytes);
    else this.#kept.delete(key);
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
  }
}
