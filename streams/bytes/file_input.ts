/**
 * Reads the bytes of a file or of stdin.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import type { ByteRange, ByteStore, FileIdentity, OnRead } from "./byte_store.ts";
import { openFileStore } from "./file_store.ts";
import { joinBytes } from "./join_bytes.ts";
import { checkDescriptor, isStdin } from "./standard_streams.ts";

export type { ByteRange, FileIdentity };

/**
 * Maximum buffer allocated at once for a read of a pipe, whose length is unknown: a corrupt length
 * may request any amount. Memory that is never filled costs nothing.
 */
const pipeBytes = 1 << 30;
/** Bytes requested even if the file seems to end: files in /proc report a size of 0. */
const leastBytes = 4 << 10;

/** The largest chunk that is kept after a seek, in case of a seek back. */
const keptBytes = 1 << 20;

/** How a file is opened. */
interface FileInputOptions {
  /** Bytes requested by one refill of the buffer; larger reads bypass the buffer. */
  readonly chunkBytes?: number;
  /** Called for every read from the file. */
  readonly onRead?: OnRead;
}

/** Bytes of one read. */
interface Chunk {
  /** Position of its first byte. */
  readonly start: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * An open file, read forwards. Buffers are never reused, so batches may keep views of them. Calls
 * must not overlap. Close it, or declare it with `using`.
 */
export class FileInput implements Disposable {
  /** Size in bytes of a regular file; undefined for pipes and devices, which cannot seek. */
  readonly numBytes: number | undefined;
  /** Identity of the regular file, also if it is stdin; undefined for pipes and devices. */
  readonly identity: FileIdentity | undefined;
  readonly #store: ByteStore;
  readonly #onRead: OnRead;
  #chunkBytes: number;
  /** The last chunk read, and in a regular file the one before the last seek. */
  #chunk: Chunk = { start: 0, bytes: new Uint8Array(0) };
  #kept: Chunk = this.#chunk;
  /** The unread bytes of the chunk. */
  #buffer = this.#chunk.bytes;
  /** All bytes read from a pipe so far, for `rewind`. */
  #past: Uint8Array[] | undefined;
  #position = 0;
  #ended = false;
  /** Where a regular file ended before its size. */
  #shortEnd: number | undefined;

  private constructor(store: ByteStore, chunkBytes: number, onRead: OnRead = () => {}) {
    const { numBytes, identity } = store;
    this.#store = store;
    this.#onRead = onRead;
    this.identity = identity;
    this.numBytes = numBytes;
    // A read of a pipe returns few bytes, however many are requested.
    this.#chunkBytes = numBytes === undefined ? 128 << 10 : chunkBytes;
    if (numBytes === undefined) this.#past = [];
  }

  /** Creates an input over a store, which it closes. */
  static over(store: ByteStore, chunkBytes = 1 << 20): FileInput {
    return new FileInput(store, chunkBytes);
  }

  /** Opens a file, or stdin for `-` and `/dev/stdin`. */
  static async open(path: string, options: FileInputOptions = {}): Promise<FileInput> {
    const { chunkBytes = 1 << 20, onRead = () => {} } = options;
    if (isStdin(path)) {
      const { openStdinStore } = await import("./stdin_store.ts");
      return new FileInput(openStdinStore(onRead), chunkBytes);
    }
    checkDescriptor(path, "reading");
    return new FileInput(await openFileStore(path, onRead), chunkBytes, onRead);
  }

  /** The number of bytes that could be read in the time of one more read in a row (see `ByteStore`). */
  get tripBytes(): number {
    return this.#store.tripBytes;
  }

  /** Bytes requested by one refill of the buffer. Cannot be changed for a pipe. */
  get chunkBytes(): number {
    return this.#chunkBytes;
  }

  set chunkBytes(numBytes: number) {
    if (this.numBytes !== undefined) this.#chunkBytes = numBytes;
  }

  /** Position of the next byte of `read`. */
  get position(): number {
    return this.#position;
  }

  /** Reads the next bytes, aligned to 8 bytes; fewer than requested only at the end of the file. */
  async read(numBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.peek(numBytes);
    this.#buffer = this.#buffer.subarray(bytes.length);
    this.#position += bytes.length;
    return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  }

  /** Returns the next bytes without consuming them; fewer than requested only at the end. */
  async peek(numBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    if (numBytes > this.#buffer.length && !this.#ended) await this.#fill(numBytes);
    return this.#buffer.subarray(0, numBytes);
  }

  /** The buffered bytes, which `read` returns without waiting. */
  get ready(): Uint8Array<ArrayBuffer> {
    return this.#buffer;
  }

  /** Skips buffered bytes. */
  pass(numBytes: number): void {
    this.#buffer = this.#buffer.subarray(numBytes);
    this.#position += numBytes;
  }

  /** Returns the bytes of one read; empty only at the end. */
  async readSome(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#buffer.length === 0 && !this.#ended) {
      const chunk = new Uint8Array(this.#chunkBytes);
      this.#setChunk(chunk.subarray(0, await this.#readInto(chunk, this.#position)));
    }
    return this.read(this.#buffer.length);
  }

  /** Reads the next bytes into a target; returns their number, which is 0 only at the end. */
  async readInto(target: Uint8Array<ArrayBuffer>): Promise<number> {
    const ready = this.#buffer.subarray(0, target.length);
    if (ready.length > 0 || this.#ended) {
      target.set(ready);
      this.pass(ready.length);
      return ready.length;
    }
    const count = await this.#readInto(target, this.#position);
    this.#position += count;
    this.#setChunk(new Uint8Array(0));
    return count;
  }

  /** Moves to a position; backwards, or past the end, only in a regular file. */
  async seek(position: number): Promise<void> {
    const ahead = position - this.#position;
    if (ahead >= 0 && ahead <= this.#buffer.length) {
      this.#buffer = this.#buffer.subarray(ahead);
      this.#position = position;
    } else if (this.numBytes === undefined) {
      if (ahead < 0) throw new Error("cannot be read backwards");
      await this.#skip(ahead);
    } else {
      this.#turnTo(position);
    }
  }

  /** Moves back to the start; in a pipe only before `forget`. */
  async rewind(): Promise<void> {
    if (this.numBytes !== undefined) return await this.seek(0);
    if (this.#past === undefined) throw new Error("can be read only once");
    this.#buffer = joinBytes(this.#past);
    this.#past = [this.#buffer];
    this.#position = 0;
  }

  /** Stops keeping bytes for `rewind`, which must not be called any more. */
  forget(): void {
    this.#past = undefined;
  }

  /** Whether the bytes [start, stop) can be read without asking a server. */
  holds(start: number, stop: number): boolean {
    return this.#store.holds(start, stop);
  }

  /** Announces the ranges that are read next, by any method. Files do nothing then, URLs fetch them. */
  prepare(ranges: readonly ByteRange[]): void {
    this.#store.prepare(ranges.map((range) => this.#beyondChunk(range)));
  }

  /**
   * Returns the bytes of each range of a file that can seek, aligned to 8 bytes, in memory of their own. The
   * position stays. Throws where the data ends within a range.
   */
  async readMany(
    ranges: readonly ByteRange[],
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>[]> {
    try {
      const beyond = ranges.map((range) => this.#beyondChunk(range));
      const rest = await this.#store.readMany(beyond, signal);
      return ranges.map(({ start }, index) => {
        const numKnown = beyond[index]!.start - start;
        if (numKnown === 0) return rest[index]!;
        const { start: first, bytes } = this.#chunk;
        return joinBytes([bytes.subarray(start - first, start - first + numKnown), rest[index]!]);
      });
    } catch (error) {
      if (isSluiceError(error, "EndedError") && error.position < (this.numBytes ?? 0)) {
        this.#shortEnd ??= error.position;
      }
      throw error;
    }
  }

  /** Returns the current size in bytes of a regular file; undefined for pipes, devices, and once closed. */
  currentSize(): Promise<number | undefined> {
    return this.#store.currentSize();
  }

  /**
   * Where a file ended before its size; undefined if it did not. Ignores files in /sys, which report
   * 4,096 bytes but no blocks.
   */
  get shortEnd(): number | undefined {
    return this.identity?.blocks === 0 ? undefined : this.#shortEnd;
  }

  /** Counts bytes of the same file that another thread has read. */
  noteElsewhere(numBytes: number): void {
    this.#onRead(numBytes);
  }

  /** Notes where the file ended before its size for another thread. */
  noteShortEnd(position: number): void {
    this.#shortEnd ??= position;
  }

  /** Closes the file; a pending read ends. */
  close(): void {
    this.#store.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Moves to a position in a regular file. Bytes of buffered chunks are not read again. */
  #turnTo(position: number): void {
    const holds = ({ start, bytes }: Chunk) => start <= position && position < start + bytes.length;
    if (!holds(this.#chunk)) {
      const left = this.#chunk;
      this.#chunk = holds(this.#kept) ? this.#kept : { start: position, bytes: new Uint8Array(0) };
      if (left.bytes.length > 0 && left.bytes.length <= keptBytes) this.#kept = left;
    }
    this.#buffer = this.#chunk.bytes.subarray(position - this.#chunk.start);
    this.#position = position;
    this.#ended = false;
  }

  /**
   * Returns the part of a range to request from the store, which does not know the bytes of the last chunk.
   */
  #beyondChunk({ start, stop }: ByteRange): ByteRange {
    const { start: first, bytes } = this.#chunk;
    const isKnown = first <= start && start < first + bytes.length;
    return { start: isKnown ? Math.min(stop, first + bytes.length) : start, stop };
  }

  /** Makes `bytes`, read at the current position, the current chunk. */
  #setChunk(bytes: Uint8Array<ArrayBuffer>): void {
    this.#chunk = { start: this.#position, bytes };
    this.#buffer = bytes;
  }

  async #skip(numBytes: number): Promise<void> {
    for (let left = numBytes; left > 0;) {
      const { length } = await this.read(Math.min(left, this.#chunkBytes));
      if (length === 0) return;
      left -= length;
    }
  }

  /** Fills the buffer to `numBytes`, or to the end of the file. */
  async #fill(numBytes: number): Promise<void> {
    // A large read allocates exactly its size, so that a batch keeps no more memory than it needs.
    const isLarge = numBytes >= this.#chunkBytes / 2;
    const wanted = isLarge
      ? this.#bounded(numBytes)
      : Math.min(this.#chunkBytes, Math.max(leastBytes, this.#bounded(this.#chunkBytes)));
    let buffer = new Uint8Array(this.numBytes === undefined ? Math.min(wanted, pipeBytes) : wanted);
    buffer.set(this.#buffer);
    let filled = this.#buffer.length;
    while (filled < Math.min(numBytes, wanted)) {
      if (filled === buffer.length) {
        const longer = new Uint8Array(Math.min(wanted, 2 * buffer.length));
        longer.set(buffer);
        buffer = longer;
      }
      const count = await this.#readInto(buffer.subarray(filled), this.#position + filled);
      if (count === 0) break;
      filled += count;
    }
    this.#setChunk(buffer.subarray(0, filled));
  }

  /** Limits a length to the rest of the file, so that a corrupt length cannot exhaust memory. */
  #bounded(numBytes: number): number {
    if (this.numBytes === undefined) return numBytes;
    return Math.min(numBytes, Math.max(0, this.numBytes - this.#position));
  }

  async #readInto(target: Uint8Array<ArrayBuffer>, position: number): Promise<number> {
    const count = await this.#store.read(target, position);
    if (count === 0) {
      this.#ended = true;
      if (target.length > 0 && position < (this.numBytes ?? 0)) this.#shortEnd ??= position;
    } else {
      this.#past?.push(target.slice(0, count));
    }
    return count;
  }
}
