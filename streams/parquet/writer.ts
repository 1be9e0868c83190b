/**
 * Writes Parquet through the streaming writer of parquet-wasm, whose memory holds one row group and one
 * piece of a batch.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import { ArrowEncoder } from "../arrow.ts";
import type { FileEncoder } from "../file_sink.ts";
import { annotated } from "./annotate.ts";
import { checkParquetTypes, storableBatch, storableSchema } from "./storable.ts";
import { decodeMetadata, footerOf, splitFooter } from "./footer.ts";
import { loadParquetWasm, type ParquetWasm } from "./module.ts";
import { ModuleWriter } from "./module_writer.ts";
import { parquetPieces } from "./pieces.ts";
import { type ParquetLayout, writerProperties } from "./properties.ts";

export async function openParquetEncoder(layout: ParquetLayout): Promise<FileEncoder> {
  return new ParquetEncoder(await loadParquetWasm(), layout);
}

class ParquetEncoder implements FileEncoder {
  readonly #writer: ModuleWriter;
  readonly #layout: ParquetLayout;
  /** Reused buffer for pieces passed to the module. */
  #piece = new Uint8Array(0);
  /** The schema passed to the module, and the one of the batches. */
  #schema: Schema | undefined;
  #meantSchema: Schema | undefined;
  #numRows = 0;

  constructor(wasm: ParquetWasm, layout: ParquetLayout) {
    this.#layout = layout;
    this.#writer = new ModuleWriter(wasm, writerProperties(wasm, layout));
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
      await this.#writer.write(this.#streamOf(this.#schema, piece));
      this.#numRows += piece.numRows;
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

  /** Rows as an Arrow stream. */
  #streamOf(schema: Schema, piece: RecordBatch): Uint8Array {
    const encoder = new ArrowEncoder(schema, { format: "stream" });
    const chunks = [...encoder.begin(), ...encoder.batch(piece), ...encoder.end()];
    const numBytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    if (numBytes > this.#piece.length) this.#piece = new Uint8Array(numBytes);
    let position = 0;
    for (const chunk of chunks) {
      this.#piece.set(chunk, position);
      position += chunk.length;
    }
    return this.#piece.subarray(0, numBytes);
  }

  /** Compares the rows in the footer: the module says nothing of a row group that it cannot write. */
  #checkRows(metadata: Uint8Array): void {
    const { numRows } = decodeMetadata(metadata);
    if (numRows !== this.#numRows) {
      throw new Error(`parquet-wasm could write only ${numRows} of ${this.#numRows} rows`);
    }
  }
}
