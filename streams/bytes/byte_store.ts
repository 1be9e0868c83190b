/**
 * The interface of what bytes are read from: a file, a pipe, a URL.
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
 * Where bytes are read from. Calls of `read` and `readMany` must not overlap, those of `prepare` may.
 * Buffers that it gives are never reused.
 */
export interface ByteStore {
  /** Size in bytes of what can seek; undefined for what is read once, forwards. */
  readonly numBytes: number | undefined;
  /** Identity of a regular file, also if it is stdin; undefined for pipes and devices. */
  readonly identity: FileIdentity | undefined;
  /** Requests so far, over a network. */
  readonly numRequests?: number;
  /**
   * Bytes that could be read in the time of one more read in a row: reading so many bytes that
   * nobody wants costs as much as asking once more.
   */
  readonly tripBytes: number;
  /**
   * Puts bytes at `position` into the target: at least one, 0 only at the end. What cannot seek is
   * read forwards, whatever the position.
   */
  read(target: Uint8Array<ArrayBuffer>, position: number): Promise<number>;
  /** Whether the bytes [start, stop) can be read without asking a server. */
  holds(start: number, stop: number): boolean;
  /** Says which ranges are read next, so that they may be under way before they are asked for. */
  prepare(ranges: readonly ByteRange[]): void;
  /**
   * The bytes of each range, in memory of their own. Only for what can seek. Throws an `EndedError`
   * where the data ends within a range.
   */
  readMany(ranges: readonly ByteRange[], signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>[]>;
  /** The size in bytes by now of a regular file, once closed undefined. */
  currentSize(): Promise<number | undefined>;
  /** Ends what is under way. */
  close(): void;
}

/** Called with the number of bytes of every read. */
export type OnRead = (numBytes: number) => void;
