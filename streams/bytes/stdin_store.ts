/**
 * The bytes of stdin. It cannot seek, even if it is a file: it may begin in the middle of one, and
 * Deno cannot seek in it.
 *
 * @module
 */

import { fstatSync } from "node:fs";
import type { ByteStore, FileIdentity, OnRead } from "./byte_store.ts";

/** Whether stdin was opened in this process. */
let isTaken = false;

/** Opens stdin. Throws if it was opened before: two readers would each get some of the bytes. */
export function openStdinStore(onRead: OnRead): ByteStore {
  if (isTaken) throw new Error("can be read only once");
  isTaken = true;
  return new StdinStore(onRead);
}

class StdinStore implements ByteStore {
  readonly numBytes = undefined;
  readonly identity: FileIdentity | undefined = identityOfStdin();
  readonly tripBytes = 0;
  readonly #onRead: OnRead;
  #closed = false;

  constructor(onRead: OnRead) {
    this.#onRead = onRead;
  }

  async read(target: Uint8Array<ArrayBuffer>): Promise<number> {
    const count = target.length === 0 ? null : await Deno.stdin.read(target);
    if (count === null) return 0;
    this.#onRead(count);
    return count;
  }

  holds(): boolean {
    return true;
  }

  prepare(): void {}

  readMany(): Promise<never> {
    return Promise.reject(new Error("cannot be read from the middle"));
  }

  currentSize(): Promise<number | undefined> {
    const size = this.identity === undefined || this.#closed ? undefined : identityOfStdin()?.size;
    return Promise.resolve(size);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    Deno.stdin.close();
  }
}

function identityOfStdin(): FileIdentity | undefined {
  const stdin = fstatSync(0);
  if (!stdin.isFile()) return undefined;
  return { size: stdin.size, device: stdin.dev, inode: stdin.ino, blocks: stdin.blocks };
}
