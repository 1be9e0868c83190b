/**
 * The memory for boxes, one for each run.
 *
 * @module
 */

import { BoxCopier } from "../../../gpu/host/boxes/box_copier.ts";
import type { BoxCopy } from "../../../gpu/column/boxes/box_copy.ts";
import { MAX_ARENA_BYTES } from "../plan/fixed_memory.ts";

const PAGE_BYTES = 1 << 16;
const MAX_PAGES = MAX_ARENA_BYTES / PAGE_BYTES;

/**
 * The memory of the last arena of this thread, until the engine collects it. Reusing it avoids a
 * second allocation of the same size.
 */
let last: WeakRef<WebAssembly.Memory> | undefined;

/** A memory of fixed size. Disposing of it makes its pages available to the next arena. */
export class Arena implements Disposable {
  readonly bytes: Uint8Array;
  readonly memory: WebAssembly.Memory;
  readonly #copier: BoxCopier;

  /** Creates an arena in a memory, of this thread or shared by another one. */
  constructor(memory: WebAssembly.Memory) {
    this.memory = memory;
    this.bytes = new Uint8Array(memory.buffer);
    this.#copier = new BoxCopier(memory);
  }

  /** Allocates an arena; where `isShared`, threads can share it. Throws a RangeError without memory. */
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

/** Reuses or allocates memory. The system provides a page only when it is first written. */
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
