/**
 * Writes Parquet through the streaming writer of parquet-wasm, whose memory holds one row group and one
 * piece of a batch.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import type { RecordBatch as WasmBatch } from "parquet-wasm/esm";
import { ArrowEncoder } from "../arrow.ts";
import type { FileEncoder } from "../file_sink.ts";
import { annotated } from "./annotate.ts";
import { checkParquetTypes, storableBatch, storableSchema } from "./storable.ts";
import { decodeMetadata, footerOf, splitFooter } from "./footer.ts";
import { loadParquetWasm, orTrap, orTrapNow, type ParquetWasm } from "./module.ts";
import { parquetPieces } from "./pieces.ts";
import { type ParquetLayout, writerProperties } from "./properties.ts";

export async function openParquetEncoder(layout: ParquetLayout): Promise<FileEncoder> {
  return new ParquetEncoder(await loadParquetWasm(), layout);
}

class ParquetEncoder implements FileEncoder {
  readonly #wasm: ParquetWasm;
  readonly #layout: ParquetLayout;
  readonly #writer: WritableStreamDefaultWriter<WasmBatch>;
  /** Settles when the output of the module ends or fails. */
  readonly #pumped: Promise<void>;
  /** Reused buffer for pieces passed to the module. */
  #piece = new Uint8Array(0);
  #chunks: Uint8Array[] = [];
  /** The schema passed to the module, and the one of the batches. */
  #schema: Schema | undefined;
  #meantSchema: Schema | undefined;
  #numRows = 0;

  constructor(wasm: ParquetWasm, layout: ParquetLayout) {
    this.#wasm = wasm;
    this.#layout = layout;
    // An identity stream, whose writes resolve when the module has taken the batch.
    const { readable, writable } = new TransformStream<WasmBatch, WasmBatch>();
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => {});
    const properties = writerProperties(wasm, layout);
    this.#pumped = this.#pump(wasm.transformParquetStream(readable, properties));
    // The next write reports the failure.
    this.#pumped.catch(() => {});
  }

  async *batch(batch: RecordBatch): AsyncGenerator<Uint8Array[], void, void> {
    const schema = storableSchema(batch.schema);
    if (this.#schema === undefined) {
      checkParquetTypes(schema);
      this.#schema = schema;
      this.#meantSchema = batch.schema;
    }
    const rows = storableBatch(batch, schema, this.#numRows);
    for (const piece of parquetPieces(rows, this.#numRows, this.#layout.rowGroupBytes)) {
      await this.#write(this.#schema, piece);
      this.#numRows += piece.numRows;
      yield this.#take();
    }
  }

  async *end(): AsyncGenerator<Uint8Array[], void, void> {
    if (this.#meantSchema === undefined) {
      throw new TypeError("got no batch, so its columns are unknown");
    }
    await this.#orFailure(this.#writer.close());
    await orTrap(() => this.#pumped, outOfMemory);
    const chunks = this.#take();
    // The last chunk has the footer.
    const { pages, metadata } = splitFooter(chunks.pop() ?? new Uint8Array(0));
    this.#checkRows(metadata);
    yield [...chunks, pages, footerOf(annotated(metadata, this.#meantSchema))];
  }

  abort(): void {
    this.#writer.abort().catch(() => {});
  }

  /** Passes rows to the module as an Arrow stream. */
  async #write(schema: Schema, piece: RecordBatch): Promise<void> {
    const encoder = new ArrowEncoder(schema, { format: "stream" });
    const chunks = [...encoder.begin(), ...encoder.batch(piece), ...encoder.end()];
    const bytes = this.#joined(chunks);
    const table = orTrapNow(() => this.#wasm.Table.fromIPCStream(bytes), outOfMemory);
    for (const wasmBatch of table.recordBatches()) {
      await this.#orFailure(this.#writer.write(wasmBatch));
    }
    table.free();
  }

  #joined(chunks: readonly Uint8Array[]): Uint8Array {
    const numBytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    if (numBytes > this.#piece.length) this.#piece = new Uint8Array(numBytes);
    let position = 0;
    for (const chunk of chunks) {
      this.#piece.set(chunk, position);
      position += chunk.length;
    }
    return this.#piece.subarray(0, numBytes);
  }

  #take(): Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  async #pump(output: Promise<ReadableStream<Uint8Array>>): Promise<void> {
    for await (const chunk of await output) this.#chunks.push(chunk);
  }

  /**
   * If the module cannot write a row group, it ends its output without an error, so the rows in the
   * footer are compared.
   */
  #checkRows(metadata: Uint8Array): void {
    const { numRows } = decodeMetadata(metadata);
    if (numRows !== this.#numRows) {
      throw new Error(`parquet-wasm could write only ${numRows} of ${this.#numRows} rows`);
    }
  }

  /** A failed module never takes the batch, so its failure must be awaited as well. */
  async #orFailure(step: Promise<void>): Promise<void> {
    const { promise: failed, reject } = Promise.withResolvers<never>();
    failed.catch(() => {});
    this.#pumped.catch(reject);
    step.catch(() => {});
    await orTrap(() => Promise.race([step, failed]), outOfMemory);
  }
}

const outOfMemory = "the memory of parquet-wasm does not hold a row group of these rows";
