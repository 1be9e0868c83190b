/**
 * Writing Parquet through parquet-wasm's streaming writer: a row group leaves its memory when it
 * is full, so the memory holds one row group and one piece of a batch.
 *
 * @module
 */

import { DataType, IntervalUnit, type RecordBatch, type Schema } from "apache-arrow";
import type { RecordBatch as WasmBatch, WriterProperties } from "parquet-wasm/esm";
import { encodeArrow } from "../arrow.ts";
import type { FileEncoder } from "../file_sink.ts";
import { rangeBlob } from "./range_blob.ts";
import { loadParquetWasm, type ParquetWasm } from "./wasm.ts";

/** How the pages of a Parquet file are compressed. */
export type ParquetCompression = "none" | "snappy" | "gzip" | "zstd" | "lz4";

/** A row group is closed at whichever comes first. */
const rowGroupRows = 1 << 18;
const rowGroupBytes = 64 << 20;
/** Rows that are handed to the module at a time. */
const pieceRows = 1 << 16;

/** Opens an encoder. */
export async function openParquetEncoder(compression: ParquetCompression): Promise<FileEncoder> {
  const wasm = await loadParquetWasm();
  return new ParquetEncoder(wasm, writerProperties(wasm, compression));
}

class ParquetEncoder implements FileEncoder {
  readonly #wasm: ParquetWasm;
  readonly #writer: WritableStreamDefaultWriter<WasmBatch>;
  /** Ends with the output of the module; fails where the module does. */
  readonly #pumped: Promise<void>;
  #chunks: Uint8Array[] = [];
  #numBytes = 0;
  #schema: Schema | undefined;
  #numRows = 0;

  constructor(wasm: ParquetWasm, properties: WriterProperties) {
    this.#wasm = wasm;
    // An identity stream whose writes are fulfilled when the module has taken the batch.
    const { readable, writable } = new TransformStream<WasmBatch, WasmBatch>();
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => {});
    this.#pumped = this.#pump(wasm.transformParquetStream(readable, properties));
    // The failure is met by whoever writes next.
    this.#pumped.catch(() => {});
  }

  async batch(batch: RecordBatch): Promise<Uint8Array[]> {
    if (this.#schema === undefined) {
      checkTypes(batch.schema);
      this.#schema = batch.schema;
    }
    this.#numRows += batch.numRows;
    for (let start = 0; start === 0 || start < batch.numRows; start += pieceRows) {
      const stop = Math.min(batch.numRows, start + pieceRows);
      const piece = stop - start === batch.numRows ? batch : batch.slice(start, stop);
      const table = this.#wasm.Table.fromIPCStream(encodeArrow(this.#schema, [piece]));
      for (const wasmBatch of table.recordBatches()) {
        await this.#orFailure(this.#writer.write(wasmBatch));
      }
      table.free();
    }
    return this.#take();
  }

  async end(): Promise<Uint8Array[]> {
    if (this.#schema === undefined) throw new TypeError("got no batch, so its columns are unknown");
    await this.#orFailure(this.#writer.close());
    await this.#pumped;
    const chunks = this.#take();
    await this.#checkRows(chunks);
    return chunks;
  }

  abort(): void {
    this.#writer.abort().catch(() => {});
  }

  #take(): Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  async #pump(output: Promise<ReadableStream<Uint8Array>>): Promise<void> {
    for await (const chunk of await output) {
      this.#chunks.push(chunk);
      this.#numBytes += chunk.length;
    }
  }

  /**
   * The module ends its output as if all were well when it cannot write a row group. So the footer,
   * which lies in the last chunk, is asked how many rows there are.
   */
  async #checkRows(chunks: readonly Uint8Array[]): Promise<void> {
    const tail = chunks.at(-1) ?? new Uint8Array(0);
    const tailStart = this.#numBytes - tail.length;
    const blob = rangeBlob(this.#numBytes, (start, stop) => {
      const bytes = tail.slice(Math.max(0, start - tailStart), stop - tailStart);
      return Promise.resolve(bytes.buffer as ArrayBuffer);
    });
    const file = await this.#wasm.ParquetFile.fromFile(blob);
    const numRows = file.metadata().fileMetadata().numRows();
    file.free();
    if (numRows !== this.#numRows) {
      throw new Error(`parquet-wasm could write only ${numRows} of ${this.#numRows} rows`);
    }
  }

  /** A failed module takes no more batches, so its failure must be waited for as well. */
  async #orFailure(step: Promise<void>): Promise<void> {
    const { promise: failed, reject } = Promise.withResolvers<never>();
    failed.catch(() => {});
    this.#pumped.catch(reject);
    step.catch(() => {});
    await Promise.race([step, failed]);
  }
}

function writerProperties(wasm: ParquetWasm, compression: ParquetCompression): WriterProperties {
  return new wasm.WriterPropertiesBuilder()
    .setCompression(codecOf(wasm, compression))
    .setMaxRowGroupSize(rowGroupRows)
    .setMaxRowGroupBytes(rowGroupBytes)
    .build();
}

function codecOf({ Compression }: ParquetWasm, compression: ParquetCompression): number {
  switch (compression) {
    case "none":
      return Compression.UNCOMPRESSED;
    case "snappy":
      return Compression.SNAPPY;
    case "gzip":
      return Compression.GZIP;
    case "zstd":
      return Compression.ZSTD;
    case "lz4":
      return Compression.LZ4_RAW;
  }
}

/** Refuses types that Parquet, or the module, has no room for: at these it gives up without a word. */
function checkTypes(schema: Schema): void {
  for (const { name, type } of schema.fields) {
    const culprit = unsupportedType(type);
    if (culprit === undefined) continue;
    throw new TypeError(`column ${name} is ${culprit}, which Parquet cannot hold`);
  }
}

function unsupportedType(type: DataType): DataType | undefined {
  if (DataType.isUnion(type)) return type;
  if (DataType.isInterval(type) && type.unit === IntervalUnit.MONTH_DAY_NANO) return type;
  if (DataType.isStruct(type) && type.children.length === 0) return type;
  const nested = DataType.isDictionary(type)
    ? [type.dictionary]
    : (type.children ?? []).map((child) => child.type);
  for (const child of nested) {
    const culprit = unsupportedType(child);
    if (culprit !== undefined) return culprit;
  }
  return undefined;
}
