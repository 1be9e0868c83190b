/** @module */

import { MAX_PAGES } from "../../wasm/module.ts";
import { type TableKernels, tableKernelsOf } from "./kernels/instance.ts";
import { tableModule } from "./kernels/module.ts";
import type { Work } from "./work.ts";

const PAGE_BYTES = 1 << 16;
/** Bytes at the start in which no array lies. */
const FIRST = 1024;
/** What arrays begin at a multiple of, a line of the cache. */
const LINE_BYTES = 64;
/** Bytes behind an array that kernels may read and write. */
export const SLACK_BYTES = 64;

/**
 * The memory of a join table, which threads share. It only grows, up to 4 GiB; it is freed with the
 * table. What is in it is zeros at first.
 */
export class TableMemory {
  readonly memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
  /** The memory of the thread that builds the table, and the kernels between both. */
  readonly work: Work;
  readonly kernels: TableKernels;
  #next = FIRST;
  #stop = PAGE_BYTES;

  constructor(work: Work) {
    this.work = work;
    this.kernels = tableKernelsOf(tableModule(), work.memory, this.memory);
  }

  /** A place for some bytes, with slack behind them. */
  reserve(numBytes: number): number {
    const at = this.#next;
    const next = roundUp(at + numBytes + SLACK_BYTES, LINE_BYTES);
    if (next <= this.#stop) {
      this.#next = next;
      return at;
    }
    const numPages = Math.ceil((numBytes + SLACK_BYTES) / PAGE_BYTES);
    // A thread may have let it grow in between, so the new pages are a place of their own.
    const start = this.memory.grow(numPages) * PAGE_BYTES;
    this.#next = roundUp(start + numBytes + SLACK_BYTES, LINE_BYTES);
    this.#stop = start + numPages * PAGE_BYTES;
    return start;
  }

  /** Words that are zeros. */
  words(length: number): Int32Array {
    const at = this.reserve(4 * length);
    return new Int32Array(this.memory.buffer, at, length);
  }

  /** The bytes from a place on. */
  bytesAt(at: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  /** A copy of bytes. */
  copyOf(bytes: Uint8Array): Uint8Array {
    // Copies into shared memory are fast only where both begin at the same place in a word.
    const shift = bytes.byteOffset & 7;
    const copy = this.bytesAt(this.reserve(shift + bytes.length) + shift, bytes.length);
    copy.set(bytes);
    return copy;
  }
}

function roundUp(size: number, multiple: number): number {
  return Math.ceil(size / multiple) * multiple;
}
