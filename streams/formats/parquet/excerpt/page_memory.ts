/**
 * WebAssembly memory in which Parquet pages are decompressed, as far as their values are needed.
 *
 * @module
 */

import { snappyModule } from "./snappy_module.ts";

/** Bytes after a place that the decoder may read or overwrite. */
const slackBytes = 64;
const wasmPageBytes = 64 << 10;
/** A memory larger than this is not kept for the next reader. */
const mostKeptBytes = 32 << 20;

interface SnappyDecoder {
  readonly memory: WebAssembly.Memory;
  readonly next: WebAssembly.Global;
  decode(
    from: number,
    stop: number,
    start: number,
    at: number,
    want: number,
    end: number,
  ): number;
}

let compiled: WebAssembly.Module | undefined;
let spare: PageMemory | undefined;

/** A memory for one reader. It grows as places are taken, which detaches views of it. */
export class PageMemory implements Disposable {
  readonly #decoder: SnappyDecoder;
  #used = 0;

  private constructor(decoder: SnappyDecoder) {
    this.#decoder = decoder;
  }

  /** Returns a memory that nobody else uses until it is disposed of. */
  static take(): PageMemory {
    const memory = spare;
    spare = undefined;
    if (memory !== undefined) return memory;
    compiled ??= new WebAssembly.Module(snappyModule());
    const { exports } = new WebAssembly.Instance(compiled);
    return new PageMemory(exports as unknown as SnappyDecoder);
  }

  /** Keeps the memory for the next reader, unless it is large. */
  [Symbol.dispose](): void {
    this.#used = 0;
    if (this.#decoder.memory.buffer.byteLength <= mostKeptBytes) spare = this;
  }

  /** The whole memory; the buffer is detached when the memory grows. */
  get buffer(): ArrayBuffer {
    return this.#decoder.memory.buffer as ArrayBuffer;
  }

  /** Frees all places. */
  clear(): void {
    this.#used = 0;
  }

  /** Takes a place of `numBytes` bytes; returns its address. */
  place(numBytes: number): number {
    const at = this.#used;
    this.#used += Math.ceil((numBytes + slackBytes) / 8) * 8;
    const missing = this.#used - this.buffer.byteLength;
    if (missing > 0) this.#decoder.memory.grow(Math.ceil(missing / wasmPageBytes));
    return at;
  }

  /**
   * Decompresses elements of the input [from, stop) to `at` until the output reaches `want`; the
   * output lies in [start, end). Returns the new positions in the input and the output; undefined
   * if an element is invalid.
   */
  decode(
    from: number,
    stop: number,
    output: { readonly start: number; readonly at: number; readonly end: number },
    want: number,
  ): { readonly from: number; readonly at: number } | undefined {
    const at = this.#decoder.decode(from, stop, output.start, output.at, want, output.end);
    return at === 0 ? undefined : { from: this.#decoder.next.value, at };
  }
}
