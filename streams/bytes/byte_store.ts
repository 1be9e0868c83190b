/**
 * The interface of a source of bytes: a file, a pipe, a URL.
 *
 * @module
 */

/** The bytes [start, stop). */
export interface ByteRange {
  readonly start: number;
  readonly stop: number;
}

/** Bytes that lie at `start`. */
export interface PlacedBytes {
  readonly start: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Identity and size of a file. */
export interface FileIdentity {
  readonly size: number;
  readonly device: number;
  /** Null if the system has no inodes. */
  readonly inode: number | null;
  /** Allocated blocks; null if unknown. */
  readonly blocks: number | null;
}

/**
 * A source of bytes. Calls of `read` and `readMany` must not overlap, those of `prepare` may. It never
 * reuses the buffers that it returns.
 */
export interface ByteStore {
  /** Size in bytes of a source that can seek; undefined of one that is read once, forwards. */
  readonly numBytes: number | undefined;
  /** Identity of a regular file, also if it is stdin; undefined for pipes and devices. */
  readonly identity: FileIdentity | undefined;
  /** The number of requests so far, over a network. */
  readonly numRequests?: number;
  /**
   * The number of bytes that could be read in the time of one more read in a row: reading that many unwanted
   * bytes costs as much as one more request.
   */
  readonly tripBytes: number;
  /**
   * Reads bytes at `position` into the target and returns their number, which is 0 only at the end. A source
   * that cannot seek reads forwards, whatever the position.
   */
  read(target: Uint8Array<ArrayBuffer>, position: number): Promise<number>;
  /** Whether the bytes [start, stop) can be read without asking a server. */
  holds(start: number, stop: number): boolean;
  /** Announces the ranges that are read next, so that they can be requested early. */
  prepare(ranges: readonly ByteRange[]): void;
  /**
   * Returns the bytes of each range, in memory of their own. Only for sources that can seek. Throws an
   * `EndedError` where the data ends within a range.
   */
  readMany(ranges: readonly ByteRange[], signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>[]>;
  /** Returns the current size in bytes of a regular file; undefined once it is closed. */
  currentSize(): Promise<number | undefined>;
  /** Ends all reads. */
  close(): void;
}

/** Called with the number of bytes of every read. */
export type OnRead = (numBytes: number) => void;
