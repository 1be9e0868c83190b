/**
 * The memory that a thread computes with.
 *
 * @module
 */

import { MASKS_AT } from "./kernels/instance.ts";

const PAGE_BYTES = 1 << 16;
const SLACK = 64;
/**
 * A new area is twice as large as needed, up to this limit: the area that it replaces stays unused.
 */
const MAX_HEADROOM = 64 << 20;

/** The memory of a thread: batches, intermediate results, and results before they are copied out. */
export interface Work {
  readonly memory: WebAssembly.Memory;
  /**
   * Returns the place of an area of at least `numBytes` bytes, with slack after them. Its bytes are
   * undefined, and views of the memory may become detached.
   */
  area(name: string, numBytes: number): number;
  /** Returns the bytes of an area, without the slack. */
  sizeOf(name: string): number;
  /** These return views of the memory. */
  bytes(at: number, length: number): Uint8Array;
  words(at: number, length: number): Int32Array;
  /** These return copies. */
  readonly kept: {
    bytes(at: number, length: number): Uint8Array;
    words(at: number, length: number): Int32Array;
  };
}

/** Creates a memory with areas that grow, and with the masks at `MASKS_AT`. */
export function newWork(): Work {
  // Shared memory is slow to copy from, so this memory is not shared.
  const memory = new WebAssembly.Memory({ initial: 1 });
  const areas = new Map<string, { readonly at: number; readonly numBytes: number }>();
  const bytes = (at: number, length: number) => new Uint8Array(memory.buffer, at, length);
  const words = (at: number, length: number) => new Int32Array(memory.buffer, at, length);
  bytes(MASKS_AT - 16, 16).fill(0xff);

  function area(name: string, numBytes: number): number {
    const known = areas.get(name);
    if (known !== undefined && known.numBytes >= numBytes) return known.at;
    const headroom = Math.min(numBytes, MAX_HEADROOM);
    const numPages = Math.ceil((numBytes + headroom + SLACK) / PAGE_BYTES);
    const at = memory.grow(numPages) * PAGE_BYTES;
    areas.set(name, { at, numBytes: numPages * PAGE_BYTES - SLACK });
    return at;
  }

  return {
    memory,
    area,
    bytes,
    words,
    sizeOf: (name) => areas.get(name)!.numBytes,
    // Copying an array does not fill the copy with zeros first.
    kept: {
      bytes: (at, length) => new Uint8Array(bytes(at, length)),
      words: (at, length) => new Int32Array(words(at, length)),
    },
  };
}
