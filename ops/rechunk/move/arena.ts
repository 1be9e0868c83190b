/**
 * The one memory in which boxes lie.
 *
 * @module
 */

import { BoxCopier } from "../../../gpu/host/boxes/box_copier.ts";
import type { BoxCopy } from "../../../gpu/column/boxes/box_copy.ts";
import { MAX_ARENA_BYTES } from "../plan/fixed_memory.ts";

const PAGE_BYTES = 1 << 16;
const MAX_PAGES = MAX_ARENA_BYTES / PAGE_BYTES;

/**
 * The memory of the last arena of this thread, until the engine collects it: a second one beside it
 * would take as much again.
 */
let last: WeakRef<WebAssembly.Memory> | undefined;

/** A memory of fixed size. Who disposes of it lets the next one have its pages. */
export class Arena implements Disposable {
  readonly bytes: Uint8Array;
  readonly memory: WebAssembly.Memory;
  readonly #copier: BoxCopier;

  /** An arena in a memory: of this thread, or of another one that shares it. */
  constructor(memory: WebAssembly.Memory) {
    this.memory = memory;
    this.bytes = new Uint8Array(memory.buffer);
    this.#copier = new BoxCopier(memory);
  }

  /** An arena that other threads can have too where `isShared`. Throws a RangeError without memory. */
  static of(numBytes: number, { isShared }: { readonly isShared: boolean }): Arena {
    const numPages = Math.max(1, Math.ceil(numBytes / PAGE_BYTES));
    return new Arena(takeMemory(numPages, numBytes, isShared));
  }

  /** Copies a box; offsets count from the start of the arena. */
  copy(copy: BoxCopy): void {
    this.#copier.copy(copy);
  }

  [Symbol.dispose](): void {
    last = new WeakRef(this.memory);
  }
}

/** Pages are only taken from the system when they are first written to. */
function takeMemory(numPages: number, numBytes: number, isShared: boolean): WebAssembly.Memory {
  const free = last?.deref();
  last = undefined;
  try {
    if (free !== undefined && isShared !== free.buffer instanceof ArrayBuffer) {
      const missing = numPages - free.buffer.byteLength / PAGE_BYTES;
      if (missing > 0) free.grow(missing);
      return free;
    }
    return new WebAssembly.Memory({ initial: numPages, maximum: MAX_PAGES, shared: isShared });
  } catch (cause) {
    throw new RangeError(`Cannot allocate ${numBytes} bytes for boxes`, { cause });
  }
}
