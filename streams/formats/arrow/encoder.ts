/**
 * Encodes record batches in the stream or the file format.
 *
 * apache-arrow encodes the metadata of messages; bodies are built here. Its own assembler computes
 * lengths with 32-bit operators and so corrupts buffers of 2 GiB or more, applies the offset of
 * sliced views twice, writes the wrong length before compressed buffers, and closes without an
 * error at a batch with another schema.
 *
 * @module
 */

import { Message, type RecordBatch, type Schema, type Vector } from "apache-arrow";
import { FileBlock } from "apache-arrow/ipc/metadata/file";
import {
  BodyCompression,
  DictionaryBatch,
  RecordBatch as BatchHeader,
} from "apache-arrow/ipc/metadata/message";
import { lengthsKey, printLengths } from "./batch_lengths.ts";
import { BodyBuilder } from "./body.ts";
import type { BufferCodec } from "./compression.ts";
import { DictionaryTracker } from "./dictionaries.ts";
import { encodeFooter } from "./encode_footer.ts";
import { numberDictionaries, withEmptyNames } from "../../data/schema_fixes.ts";
import { type ArrowFormat, continuation, fileMagic } from "../../data/message.ts";
import { checkNulls, checkSameColumns } from "../../data/schema.ts";

export interface EncoderOptions {
  readonly format: ArrowFormat;
  /** Compresses every buffer. */
  readonly codec?: BufferCodec | undefined;
}

/**
 * Encodes batches into chunks of bytes: call `begin` once, `batch` for each batch, `end` once. Chunks
 * are views of the batches where possible, and are never reused.
 */
export class ArrowEncoder {
  readonly #format: ArrowFormat;
  readonly #codec: BufferCodec | undefined;
  readonly #schema: Schema;
  readonly #dictionaries: DictionaryTracker;
  readonly #batchBlocks: FileBlock[] = [];
  readonly #dictionaryBlocks: FileBlock[] = [];
  /** Rows of each batch. */
  readonly #lengths: number[] = [];
  #position = 0;

  constructor(schema: Schema, { format, codec }: EncoderOptions) {
    this.#format = format;
    this.#codec = codec;
    this.#schema = numberDictionaries(schema);
    this.#dictionaries = new DictionaryTracker(this.#schema, format);
  }

  /** Returns the schema, after the magic of a file. */
  begin(): Uint8Array[] {
    const front = this.#format === "file" ? [paddedMagic()] : [];
    const chunks = [...front, ...this.#message(Message.from(withEmptyNames(this.#schema)), [])];
    this.#position = byteLength(chunks);
    return chunks;
  }

  /**
   * Encodes a batch, preceded by the dictionaries that it needs. Throws if its columns do not match
   * the schema.
   */
  batch(batch: RecordBatch): Uint8Array[] {
    checkSameColumns(this.#schema, batch.schema);
    checkNulls(this.#schema, batch);
    const dictionaries = this.#dictionaries.updates(batch).flatMap(({ id, values, isDelta }) =>
      this.#dictionary(id, values, isDelta)
    );
    const body = new BodyBuilder(this.#codec);
    for (const column of batch.data.children) body.add(column);
    const header = this.#header(batch.numRows, body, batch.metadata);
    const chunks = this.#block(Message.from(header, body.byteLength), body, this.#batchBlocks);
    this.#lengths.push(batch.numRows);
    return [...dictionaries, ...chunks];
  }

  /** Returns the end-of-stream marker, followed by the footer of a file. */
  end(): Uint8Array[] {
    const endOfStream = new Uint8Array(8);
    new DataView(endOfStream.buffer).setUint32(0, continuation, true);
    return this.#format === "stream" ? [endOfStream] : [endOfStream, ...this.#footer()];
  }

  #dictionary(id: number, values: Vector, isDelta: boolean): Uint8Array[] {
    return values.data.flatMap((data, index) => {
      const body = new BodyBuilder(this.#codec);
      body.add(data);
      const header = this.#header(data.length, body);
      const dictionary = new DictionaryBatch(header, id, isDelta || index > 0);
      return this.#block(Message.from(dictionary, body.byteLength), body, this.#dictionaryBlocks);
    });
  }

  #header(numRows: number, body: BodyBuilder, metadata?: Map<string, string>): BatchHeader {
    const compression = this.#codec === undefined ? null : new BodyCompression(this.#codec.type);
    const { nodes, regions, viewBufferCounts } = body;
    return new BatchHeader(numRows, nodes, regions, compression, viewBufferCounts, metadata);
  }

  /** Encodes a message with a body, and records its block for the footer. */
  #block(message: Message, body: BodyBuilder, blocks: FileBlock[]): Uint8Array[] {
    const chunks = this.#message(message, body.buffers);
    const bytes = byteLength(chunks);
    blocks.push(new FileBlock(bytes - body.byteLength, body.byteLength, this.#position));
    this.#position += bytes;
    return chunks;
  }

  #message(message: Message, buffers: readonly Uint8Array[]): Uint8Array[] {
    const description = Message.encode(message);
    const front = new Uint8Array(8 + roundUp(description.length));
    const view = new DataView(front.buffer);
    view.setUint32(0, continuation, true);
    view.setInt32(4, front.length - 8, true);
    front.set(description, 8);
    const chunks: Uint8Array[] = [front];
    for (const buffer of buffers) {
      if (buffer.length === 0) continue;
      chunks.push(buffer);
      const padding = roundUp(buffer.length) - buffer.length;
      if (padding > 0) chunks.push(new Uint8Array(padding));
    }
    return chunks;
  }

  #footer(): Uint8Array[] {
    const lengths = printLengths(this.#lengths, this.#batchBlocks);
    const footer = encodeFooter(withEmptyNames(this.#schema), {
      batches: this.#batchBlocks,
      dictionaries: this.#dictionaryBlocks,
      metadata: new Map(lengths === undefined ? [] : [[lengthsKey, lengths]]),
    });
    const length = new Uint8Array(4);
    new DataView(length.buffer).setInt32(0, footer.length, true);
    return [footer, length, fileMagic];
  }
}

/** Encodes a whole stream into one buffer. */
export function encodeArrow(
  schema: Schema,
  batches: Iterable<RecordBatch>,
  options: EncoderOptions = { format: "stream" },
): Uint8Array<ArrayBuffer> {
  const encoder = new ArrowEncoder(schema, options);
  const chunks = encoder.begin();
  for (const batch of batches) chunks.push(...encoder.batch(batch));
  chunks.push(...encoder.end());
  const bytes = new Uint8Array(byteLength(chunks));
  let position = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, position);
    position += chunk.length;
  }
  return bytes;
}

function byteLength(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0);
}

function roundUp(numBytes: number): number {
  return Math.ceil(numBytes / 8) * 8;
}

function paddedMagic(): Uint8Array {
  const bytes = new Uint8Array(8);
  bytes.set(fileMagic);
  return bytes;
}
