/**
 * Writes a Parquet file with parquet-wasm on this thread.
 *
 * @module
 */

import type { RecordBatch as WasmBatch, WriterProperties } from "parquet-wasm/esm";
import type { ParquetWasm } from "./module.ts";
import { joinBytes } from "../../../bytes/join_bytes.ts";
import type { BatchWriter } from "./batch_writer.ts";
import { ModuleTurns, orTrapNow } from "./trap.ts";

const outOfMemory = "a row group of these rows does not fit in the memory of parquet-wasm";

/**
 * Encodes a file with parquet-wasm on this thread. The bytes of a row group come when it is
 * complete.
 */
export class ModuleWriter implements BatchWriter {
  readonly #wasm: ParquetWasm;
  readonly #turns = new ModuleTurns();
  readonly #begin: () => Promise<ReadableStream<Uint8Array>>;
  #input!: ReadableStreamDefaultController<WasmBatch>;
  /** Resolves when the module asks for a batch, after it has taken in the one before. */
  #asked = Promise.withResolvers<void>();
  /** Settles when the output of the module ends or fails; absent before the first batch. */
  #output: Promise<void> | undefined;
  #hasEnded = false;
  #chunks: Uint8Array[] = [];
  /** The memory in which the chunks of an Arrow stream are joined, reused for each batch. */
  #memory: Uint8Array<ArrayBuffer> | undefined;

  constructor(wasm: ParquetWasm, properties: WriterProperties) {
    this.#wasm = wasm;
    const input = new ReadableStream<WasmBatch>({
      start: (controller) => void (this.#input = controller),
      pull: () => this.#asked.resolve(),
    }, { highWaterMark: 0 });
    this.#begin = () => wasm.transformParquetStream(input, properties);
  }

  async write(chunks: readonly Uint8Array[]): Promise<void> {
    const table = orTrapNow(
      () => this.#wasm.Table.fromIPCStream(this.#joined(chunks)),
      outOfMemory,
    );
    for (const batch of table.recordBatches()) await this.#writeBatch(batch);
    table.free();
  }

  async end(): Promise<void> {
    await this.#turns.do(async () => {
      if (!this.#hasEnded) this.#input.close();
      await this.#output;
    }, outOfMemory);
  }

  abort(): void {
    if (this.#output !== undefined && !this.#hasEnded) this.#input.error(new Error("aborted"));
  }

  take(): Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  #joined(chunks: readonly Uint8Array[]): Uint8Array {
    if (chunks.length === 1) return chunks[0]!;
    const stream = joinBytes(chunks, this.#memory);
    this.#memory = new Uint8Array(stream.buffer);
    return stream;
  }

  /**
   * Passes a batch to the module. If the module cannot write a row group, it ends its output
   * without an error.
   */
  async #writeBatch(batch: WasmBatch): Promise<void> {
    await this.#turns.do(async () => {
      this.#output ??= this.#pump(this.#begin());
      await Promise.race([this.#asked.promise, this.#output]);
      if (this.#hasEnded) return;
      this.#asked = Promise.withResolvers();
      this.#input.enqueue(batch);
      await Promise.race([this.#asked.promise, this.#output]);
    }, outOfMemory);
  }

  async #pump(output: Promise<ReadableStream<Uint8Array>>): Promise<void> {
    for await (const chunk of await output) this.#chunks.push(chunk);
    this.#hasEnded = true;
  }
}
