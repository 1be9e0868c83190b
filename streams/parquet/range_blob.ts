/**
 * Files as Blobs, whose ranges parquet-wasm reads when it needs them.
 *
 * @module
 */

import { type ByteRange, EndedError } from "../bytes/byte_store.ts";
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
      const found = await input.readMany(ranges);
      for (const [index, { resolve }] of ranges.entries()) resolve(bufferOf(found[index]!));
    } catch (error) {
      const isShort = error instanceof EndedError;
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

function bufferOf(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  const { buffer, byteLength } = bytes;
  return byteLength === buffer.byteLength ? buffer : bytes.slice().buffer;
}

/** A range of bytes, and who waits for them. */
interface WaitingRange extends ByteRange {
  readonly resolve: (bytes: ArrayBuffer) => void;
  readonly reject: (reason: unknown) => void;
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
