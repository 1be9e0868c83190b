/**
 * The bytes of a file that is opened by its path; also of a named pipe or a device.
 *
 * @module
 */

import type { ByteRange, ByteStore, FileIdentity, OnRead } from "./byte_store.ts";
import { EndedError } from "../../base/errors/file_error.ts";

/** About the number of bytes that a disk reads in the time of one more request. */
const fileTripBytes = 64 << 10;

/** Reads of a regular file up to this size are synchronous: they take as long as an await. */
const shortBytes = 256 << 10;
const shortInRow = 16;

/** Opens a path for reading. Throws an error of the system, for folders too. */
export async function openFileStore(path: string, onRead: OnRead): Promise<ByteStore> {
  // Opening a file takes less time than an await; opening a named pipe takes until somebody writes to it.
  const file = isRegular(path)
    ? Deno.openSync(path, { read: true })
    : await Deno.open(path, { read: true });
  try {
    const { isDirectory, isFile, size, dev, ino, blocks } = file.statSync();
    if (isDirectory) throw new Deno.errors.IsADirectory(path);
    const identity = isFile ? { size, device: dev, inode: ino, blocks } : undefined;
    return new FileStore(file, identity, onRead);
  } catch (error) {
    file.close();
    throw error;
  }
}

function isRegular(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    // Opening it fails with the same error.
    return false;
  }
}

class FileStore implements ByteStore {
  readonly numBytes: number | undefined;
  readonly identity: FileIdentity | undefined;
  readonly tripBytes = fileTripBytes;
  readonly #file: Deno.FsFile;
  readonly #onRead: OnRead;
  /** Position of the file descriptor. */
  #position = 0;
  #numShort = 0;
  #closed = false;

  constructor(file: Deno.FsFile, identity: FileIdentity | undefined, onRead: OnRead) {
    this.#file = file;
    this.identity = identity;
    this.numBytes = identity?.size;
    this.#onRead = onRead;
  }

  async read(target: Uint8Array<ArrayBuffer>, position: number): Promise<number> {
    if (this.numBytes !== undefined && this.#position !== position) {
      this.#file.seekSync(position, Deno.SeekMode.Start);
      this.#position = position;
    }
    // Appended bytes are not read: a growing file might never end. Files in /proc report a size of 0.
    const wanted = this.numBytes
      ? target.subarray(0, Math.max(0, this.numBytes - position))
      : target;
    const count = wanted.length === 0
      ? null
      : this.#isShort(wanted)
      ? this.#file.readSync(wanted)
      : await this.#file.read(wanted);
    if (count === null) return 0;
    this.#position += count;
    this.#onRead(count);
    return count;
  }

  holds(): boolean {
    return true;
  }

  prepare(): void {}

  async readMany(
    ranges: readonly ByteRange[],
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>[]> {
    const found: Uint8Array<ArrayBuffer>[] = [];
    for (const range of ranges) {
      signal?.throwIfAborted();
      found.push(await this.#readRange(range));
    }
    return found;
  }

  currentSize(): Promise<number | undefined> {
    const isKnown = this.identity !== undefined && !this.#closed;
    return Promise.resolve(isKnown ? this.#file.statSync().size : undefined);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#file.close();
  }

  /**
   * Whether a read ends sooner than an await would. Some of many reads in a row do wait, so that other
   * code gets a turn, to abort them for example.
   */
  #isShort({ length }: Uint8Array): boolean {
    if (this.numBytes === undefined || length > shortBytes) return false;
    this.#numShort = (this.#numShort + 1) % shortInRow;
    return this.#numShort > 0;
  }

  async #readRange({ start, stop }: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    // Memory is requested only for bytes that exist: a corrupt length may be any number.
    const end = this.numBytes ?? 0;
    if (stop > end) throw new EndedError(Math.max(start, end));
    const bytes = new Uint8Array(stop - start);
    for (let filled = 0; filled < bytes.length;) {
      const count = await this.read(bytes.subarray(filled), start + filled);
      if (count === 0) throw new EndedError(start + filled);
      filled += count;
    }
    return bytes;
  }
}
