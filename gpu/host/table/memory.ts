/**
 * The memory of a table.
 *
 * @module
 */

import { MAX_PAGES } from "../../wasm/module.ts";
import { type TableKernels, tableKernelsOf } from "./kernels/instance.ts";
import { tableModule } from "./kernels/module.ts";
import type { Work } from "./work.ts";

const PAGE_BYTES = 1 << 16;
/** The first place in use. */
const FIRST = 1024;
/** Arrays begin at multiples of a cache line. */
const LINE_BYTES = 64;
/** The bytes after an array that kernels may read and write. */
const SLACK_BYTES = 64;

/**
 * The memory of a table, which threads share. It starts with zeros, and only grows, up to 4 GiB.
 * The garbage collector frees it with the table.
 */
export class TableMemory {
  readonly memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
  /** The memory of the thread that builds the table, and the kernels over both memories. */
  readonly work: Work;
  readonly kernels: TableKernels;
  #next = FIRST;
  #stop = PAGE_BYTES;

  constructor(work: Work) {
    this.work = work;
    this.kernels = tableKernelsOf(tableModule(), work.memory, this.memory);
  }

  /** Reserves bytes, with slack after them, and returns their place. */
  reserve(numBytes: number): number {
    const at = this.#next;
    const next = roundUp(at + numBytes + SLACK_BYTES, LINE_BYTES);
    if (next <= this.#stop) {
      this.#next = next;
      return at;
    }
    const numPages = Math.ceil((numBytes + SLACK_BYTES) / PAGE_BYTES);
    // Another thread may have grown it meanwhile, so the new pages need not follow the last ones.
    const start = this.memory.grow(numPages) * PAGE_BYTES;
    this.#next = roundUp(start + numBytes + SLACK_BYTES, LINE_BYTES);
    this.#stop = start + numPages * PAGE_BYTES;
    return start;
  }

  /** Reserves words of zeros. */
  words(length: number): Int32Array {
    const at = this.reserve(4 * length);
    return new Int32Array(this.memory.buffer, at, length);
  }

  /** Returns a view of the bytes at a place. */
  bytesAt(at: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  /** Returns a copy of bytes in this memory. */
  copyOf(bytes: Uint8Array): Uint8Array {
    // Copies into shared memory are fast only if both sides begin at the same place in a word.
    const shift = bytes.byteOffset & 7;
    const copy = this.bytesAt(this.reserve(shift + bytes.length) + shift, bytes.length);
    copy.set(bytes);
    return copy;
  }
}

function roundUp(size: number, multiple: number): number {
  return Math.ceil(size / multiple) * multiple;
}
