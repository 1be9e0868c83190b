/**
 * Writes Parquet with the streaming writer of parquet-wasm, on this thread or on a worker. The
 * memory of the module holds one row group and one part of a batch.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import { ArrowEncoder } from "../../arrow/arrow.ts";
import type { FileEncoder } from "../../../sink/file_sink.ts";
import { annotated } from "./annotate.ts";
import { checkParquetTypes, storableBatch, storableSchema } from "./storable.ts";
import { decodeMetadata, footerOf, splitFooter } from "../metadata/footer.ts";
import { loadParquetWasm } from "../module/module.ts";
import { ModuleWriter } from "../module/module_writer.ts";
import { splitBatch } from "./split_batch.ts";
import type { BatchWriter } from "../module/batch_writer.ts";
import { type ParquetLayout, writerProperties } from "../module/properties.ts";
import { claimEncodeWorker } from "../worker/encode_worker.ts";
import { WorkerWriter } from "../worker/write_by_worker.ts";

export async function openParquetEncoder(layout: ParquetLayout): Promise<FileEncoder> {
  return new ParquetEncoder(await openWriter(layout), layout);
}

/** Opens a writer: on a worker, if a command has started one. */
async function openWriter(layout: ParquetLayout): Promise<BatchWriter> {
  const worker = claimEncodeWorker();
  if (worker !== undefined) return new WorkerWriter(worker, layout);
  const wasm = await loadParquetWasm();
  return new ModuleWriter(wasm, writerProperties(wasm, layout));
}

class ParquetEncoder implements FileEncoder {
  readonly #writer: BatchWriter;
  readonly #layout: ParquetLayout;
  /** The schema passed to the module, and the schema of the batches. */
  #schema: Schema | undefined;
  #meantSchema: Schema | undefined;
  #numRows = 0;

  constructor(writer: BatchWriter, layout: ParquetLayout) {
    this.#writer = writer;
    this.#layout = layout;
  }

  async *batch(batch: RecordBatch): AsyncGenerator<Uint8Array[], void, void> {
    const schema = storableSchema(batch.schema);
    if (this.#schema === undefined) {
      checkParquetTypes(schema);
      this.#schema = schema;
      this.#meantSchema = batch.schema;
    }
    const rows = storableBatch(batch, schema, this.#numRows);
    for (const part of splitBatch(rows, this.#numRows, this.#layout.rowGroupBytes)) {
      const encoder = new ArrowEncoder(this.#schema, { format: "stream" });
      const stream = [...encoder.begin(), ...encoder.batch(part), ...encoder.end()];
      await this.#writer.write(stream);
      this.#numRows += part.numRows;
      yield this.#writer.take();
    }
  }

  async *end(): AsyncGenerator<Uint8Array[], void, void> {
    if (this.#meantSchema === undefined) {
      throw new TypeError("got no batch, so its columns are unknown");
    }
    await this.#writer.end();
    const chunks = this.#writer.take();
    // The last chunk has the footer.
    const { pages, metadata } = splitFooter(chunks.pop() ?? new Uint8Array(0));
    this.#checkRows(metadata);
    yield [...chunks, pages, footerOf(annotated(metadata, this.#meantSchema))];
  }

  abort(): void {
    this.#writer.abort();
  }

  /**
   * Throws if the footer lacks rows: the module does not report a row group that it cannot write.
   */
  #checkRows(metadata: Uint8Array): void {
    const { numRows } = decodeMetadata(metadata);
    if (numRows !== this.#numRows) {
      throw new Error(`parquet-wasm could write only ${numRows} of ${this.#numRows} rows`);
    }
  }
}
