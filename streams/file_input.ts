/**
 * The bytes of a file or of stdin, in order.
 *
 * @module
 */

import { fstatSync } from "node:fs";
import { checkDescriptor, isStdin } from "./standard_streams.ts";

/**
 * Bytes that a read of a pipe makes room for at once. How much is to come is not known, so that a
 * corrupt length may ask for any amount; but memory that is not filled costs none.
 */
const pipeBytes = 1 << 30;
/** Bytes that are asked for though the file seems to end: those of /proc say that they have none. */
const leastBytes = 4 << 10;

/** Whether somebody in this process reads stdin, or has read it. */
let isStdinTaken = false;

/** Bytes up to which what was read before a seek is kept, for a seek back. */
const keptBytes = 1 << 20;

/** Which file it is, and how large. */
export interface FileIdentity {
  readonly size: number;
  readonly device: number;
  /** Its number on the device; null where the system has none. */
  readonly inode: number | null;
  /** Room that it takes on the device; null where the system does not tell. */
  readonly blocks: number | null;
}

/** How a file is opened. */
interface FileInputOptions {
  /** Bytes that one refill of the buffer asks for; larger reads bypass the buffer. */
  readonly chunkBytes?: number;
  /** Is told of every read from the file. */
  readonly onRead?: (numBytes: number) => void;
}

/** Bytes that were read in one go. */
interface Chunk {
  /** Position of its first byte. */
  readonly start: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * An open file that is read forwards. Bytes that were handed out stay as they are: no buffer is
 * used twice, so a batch may keep views on them. One call at a time. Close it, or declare it with
 * `using`.
 */
export class FileInput implements Disposable {
  /** Size in bytes of a regular file; undefined for pipes and devices, which cannot seek. */
  readonly numBytes: number | undefined;
  /** Which regular file it was when it was opened, behind stdin too; undefined for pipes and devices. */
  readonly identity: FileIdentity | undefined;
  readonly #file: Deno.FsFile | typeof Deno.stdin;
  #chunkBytes: number;
  readonly #onRead: ((numBytes: number) => void) | undefined;
  /** What was read last, and in a regular file what was before the last seek. */
  #chunk: Chunk = { start: 0, bytes: new Uint8Array(0) };
  #kept: Chunk = this.#chunk;
  /** The bytes of the chunk that are next. */
  #buffer = this.#chunk.bytes;
  /** What a pipe has given so far, for `rewind`. */
  #past: Uint8Array[] | undefined;
  #position = 0;
  /** Position of the next byte that the file itself gives. */
  #filePosition = 0;
  #ended = false;
  /** Where a regular file ended though it was to be longer. */
  #shortEnd: number | undefined;
  #closed = false;

  private constructor(
    file: Deno.FsFile | typeof Deno.stdin,
    identity: FileIdentity | undefined,
    { chunkBytes = 1 << 20, onRead }: FileInputOptions,
  ) {
    this.#file = file;
    this.identity = identity;
    // The file behind stdin may be open in its middle, and cannot seek.
    const numBytes = file === Deno.stdin ? undefined : identity?.size;
    this.numBytes = numBytes;
    // A pipe gives little at a time, whatever it is asked for.
    this.#chunkBytes = numBytes === undefined ? 128 << 10 : chunkBytes;
    this.#onRead = onRead;
    if (numBytes === undefined) this.#past = [];
  }

  /** What errors call the input at a path. */
  static nameOf(path: string): string {
    return isStdin(path) ? "standard input" : path;
  }

  /** Opens a file, or stdin for `-` and `/dev/stdin`. */
  static async open(path: string, options: FileInputOptions = {}): Promise<FileInput> {
    if (isStdin(path)) {
      // Two who read it would each get some of the bytes.
      if (isStdinTaken) throw new Error("can be read only once");
      isStdinTaken = true;
      return new FileInput(Deno.stdin, stdinIdentity(), options);
    }
    checkDescriptor(path, "reading");
    const file = await Deno.open(path, { read: true });
    try {
      const { isDirectory, isFile, size, dev, ino, blocks } = await file.stat();
      if (isDirectory) throw new Deno.errors.IsADirectory(path);
      const identity = isFile ? { size, device: dev, inode: ino, blocks } : undefined;
      return new FileInput(file, identity, options);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** Bytes that one refill of the buffer asks for. Of a pipe it cannot be changed. */
  get chunkBytes(): number {
    return this.#chunkBytes;
  }

  set chunkBytes(numBytes: number) {
    if (this.numBytes !== undefined) this.#chunkBytes = numBytes;
  }

  /** Position of the next byte that `read` gives. */
  get position(): number {
    return this.#position;
  }

  /** The next bytes, aligned to 8 bytes; fewer than asked for only at the end of the file. */
  async read(numBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.peek(numBytes);
    this.#buffer = this.#buffer.subarray(bytes.length);
    this.#position += bytes.length;
    return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  }

  /** The next bytes, which `read` will give again; fewer than asked for only at the end. */
  async peek(numBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    if (numBytes > this.#buffer.length && !this.#ended) await this.#fill(numBytes);
    return this.#buffer.subarray(0, numBytes);
  }

  /** The bytes that `read` gives without waiting. */
  get ready(): Uint8Array<ArrayBuffer> {
    return this.#buffer;
  }

  /** Moves over bytes that are ready. */
  pass(numBytes: number): void {
    this.#buffer = this.#buffer.subarray(numBytes);
    this.#position += numBytes;
  }

  /** What one read of the file gives; no bytes only at the end of the file. */
  async readSome(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#buffer.length === 0 && !this.#ended) {
      const chunk = new Uint8Array(this.#chunkBytes);
      this.#hold(chunk.subarray(0, await this.#readInto(chunk, this.#position)));
    }
    return this.read(this.#buffer.length);
  }

  /** Reads the next bytes into a target; gives their number, which is 0 only at the end. */
  async readInto(target: Uint8Array<ArrayBuffer>): Promise<number> {
    const ready = this.#buffer.subarray(0, target.length);
    if (ready.length > 0 || this.#ended) {
      target.set(ready);
      this.pass(ready.length);
      return ready.length;
    }
    const count = await this.#readInto(target, this.#position);
    this.#position += count;
    this.#hold(new Uint8Array(0));
    return count;
  }

  /** Moves to a position. Backwards, and over the end, only in a regular file. */
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

  /** Moves back to the start. A pipe can only before `forget` was called. */
  async rewind(): Promise<void> {
    if (this.numBytes !== undefined) return await this.seek(0);
    if (this.#past === undefined) throw new Error("can be read only once");
    this.#buffer = concat(this.#past);
    this.#past = [this.#buffer];
    this.#position = 0;
  }

  /** Says that `rewind` will not be called any more, so that nothing is kept for it. */
  forget(): void {
    this.#past = undefined;
  }

  /** Size in bytes that a regular file has now; undefined for pipes and devices, and once closed. */
  async currentSize(): Promise<number | undefined> {
    if (this.identity === undefined || this.#closed) return undefined;
    if (this.#file === Deno.stdin) return stdinIdentity()?.size;
    return (await (this.#file as Deno.FsFile).stat()).size;
  }

  /**
   * Where a file ended before its size; undefined where it did not. Those of /sys say that they have
   * 4,096 bytes, of which none lies on a device, and end where they end.
   */
  get shortEnd(): number | undefined {
    return this.identity?.blocks === 0 ? undefined : this.#shortEnd;
  }

  /** Closes the file; a waiting read ends. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#file.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Moves to a position in a regular file. What a chunk has of it is not read again. */
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

  /** Takes bytes that were read at the position. */
  #hold(bytes: Uint8Array<ArrayBuffer>): void {
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

  /** Makes the buffer hold `numBytes`, or all that is left. */
  async #fill(numBytes: number): Promise<void> {
    // A large read gets exactly its bytes, so that a batch does not keep more memory than it needs.
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
    this.#hold(buffer.subarray(0, filled));
  }

  /** No more bytes than the file has, so that a corrupt length cannot exhaust the memory. */
  #bounded(numBytes: number, position = this.#position): number {
    if (this.numBytes === undefined) return numBytes;
    return Math.min(numBytes, Math.max(0, this.numBytes - position));
  }

  async #readInto(target: Uint8Array<ArrayBuffer>, position: number): Promise<number> {
    if (this.numBytes !== undefined && this.#filePosition !== position) {
      await (this.#file as Deno.FsFile).seek(position, Deno.SeekMode.Start);
      this.#filePosition = position;
    }
    // Bytes that were appended are none of the file's, and may come without end.
    const wanted = this.numBytes
      ? target.subarray(0, this.#bounded(target.length, position))
      : target;
    const count = wanted.length === 0 ? null : await this.#file.read(wanted);
    if (count === null) {
      this.#ended = true;
      if (wanted.length > 0 && position < (this.numBytes ?? 0)) this.#shortEnd ??= position;
      return 0;
    }
    this.#filePosition += count;
    this.#past?.push(target.slice(0, count));
    this.#onRead?.(count);
    return count;
  }
}

/** Of stdin, where it is a file. */
function stdinIdentity(): FileIdentity | undefined {
  const stdin = fstatSync(0);
  if (!stdin.isFile()) return undefined;
  return { size: stdin.size, device: stdin.dev, inode: stdin.ino, blocks: stdin.blocks };
}

function concat(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let position = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, position);
    position += chunk.length;
  }
  return bytes;
}
