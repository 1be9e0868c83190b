/**
 * A file that parquet-wasm writes.
 *
 * @module
 */

import type { RecordBatch as WasmBatch, WriterProperties } from "parquet-wasm/esm";
import type { ParquetWasm } from "./module.ts";
import { ModuleTurns, orTrapNow } from "./trap.ts";

const outOfMemory = "the memory of parquet-wasm does not hold a row group of these rows";

/** Batches in, bytes out: of a row group, when it is complete. */
export class ModuleWriter {
  readonly #wasm: ParquetWasm;
  readonly #turns = new ModuleTurns();
  readonly #begin: () => Promise<ReadableStream<Uint8Array>>;
  #input!: ReadableStreamDefaultController<WasmBatch>;
  /** Resolves when the module asks for a batch, which it does when it is done with the one before. */
  #asked = Promise.withResolvers<void>();
  /** Settles when the output of the module ends or fails; absent before the first batch. */
  #output: Promise<void> | undefined;
  #hasEnded = false;
  #chunks: Uint8Array[] = [];

  constructor(wasm: ParquetWasm, properties: WriterProperties) {
    this.#wasm = wasm;
    const input = new ReadableStream<WasmBatch>({
      start: (controller) => void (this.#input = controller),
      pull: () => this.#asked.resolve(),
    }, { highWaterMark: 0 });
    this.#begin = () => wasm.transformParquetStream(input, properties);
  }

  /** Writes the batches of an Arrow stream. */
  async write(stream: Uint8Array): Promise<void> {
    const table = orTrapNow(() => this.#wasm.Table.fromIPCStream(stream), outOfMemory);
    for (const batch of table.recordBatches()) await this.#writeBatch(batch);
    table.free();
  }

  /** Writes the rest of the file. */
  async end(): Promise<void> {
    await this.#turns.do(async () => {
      if (!this.#hasEnded) this.#input.close();
      await this.#output;
    }, outOfMemory);
  }

  /** Lets the module go of what it has. */
  abort(): void {
    if (this.#output !== undefined && !this.#hasEnded) this.#input.error(new Error("aborted"));
  }

  /** The bytes since the last call. */
  take(): Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  /** If the module cannot write a row group, it ends its output without an error. */
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
