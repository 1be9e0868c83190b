/**
 * Memory in which pages of Parquet are decompressed, as far as their values are wanted.
 *
 * @module
 */

import { snappyModule } from "./snappy_module.ts";

/** Bytes that the decoder may read or overwrite behind those that it is told of. */
const slackBytes = 64;
const wasmPageBytes = 64 << 10;
/** A larger memory is not kept. */
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

/** A memory for one reader; it grows as places are asked for, which ends views of it. */
export class PageMemory implements Disposable {
  readonly #decoder: SnappyDecoder;
  #used = 0;

  private constructor(decoder: SnappyDecoder) {
    this.#decoder = decoder;
  }

  /** A memory that nobody else uses until it is disposed of. */
  static take(): PageMemory {
    const memory = spare;
    spare = undefined;
    if (memory !== undefined) return memory;
    compiled ??= new WebAssembly.Module(snappyModule());
    const { exports } = new WebAssembly.Instance(compiled);
    return new PageMemory(exports as unknown as SnappyDecoder);
  }

  /** Lets the next reader have it, unless it is large. */
  [Symbol.dispose](): void {
    this.#used = 0;
    if (this.#decoder.memory.buffer.byteLength <= mostKeptBytes) spare = this;
  }

  /** The whole memory, until it grows. */
  get buffer(): ArrayBuffer {
    return this.#decoder.memory.buffer as ArrayBuffer;
  }

  /** Gives up all places. */
  clear(): void {
    this.#used = 0;
  }

  /** Returns the place of `numBytes` free bytes. */
  place(numBytes: number): number {
    const at = this.#used;
    this.#used += Math.ceil((numBytes + slackBytes) / 8) * 8;
    const missing = this.#used - this.buffer.byteLength;
    if (missing > 0) this.#decoder.memory.grow(Math.ceil(missing / wasmPageBytes));
    return at;
  }

  /**
   * Decompresses elements of [from, stop) to `at` and behind, until `want` is reached; the output lies
   * in [start, end). Gives where input and output go on; undefined if the elements are not possible.
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
