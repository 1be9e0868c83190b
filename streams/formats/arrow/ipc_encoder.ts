/**
 * Encodes record batches as an Arrow file or stream.
 *
 * @module
 */

import { CompressionType, type RecordBatch } from "apache-arrow";
import {
  type ArrowCompression,
  ArrowEncoder,
  type ArrowFormat,
  type BufferCodec,
  bufferCodec,
} from "./arrow.ts";
import { FileError } from "../../../base/errors/file_error.ts";
import type { FileEncoder } from "../../sink/file_sink.ts";

/** Opens an encoder of Arrow data for `path`, which its errors name. */
export async function openIpcEncoder(
  path: string,
  format: ArrowFormat,
  compression: ArrowCompression,
): Promise<FileEncoder> {
  return new IpcFileEncoder(path, format, await codecOf(compression));
}

class IpcFileEncoder implements FileEncoder {
  readonly keepsBatches = true;
  readonly #path: string;
  readonly #format: ArrowFormat;
  readonly #codec: BufferCodec | undefined;
  #encoder: ArrowEncoder | undefined;

  constructor(path: string, format: ArrowFormat, codec: BufferCodec | undefined) {
    this.#path = path;
    this.#format = format;
    this.#codec = codec;
  }

  *batch(batch: RecordBatch): Generator<Uint8Array[], void, void> {
    if (this.#encoder === undefined) {
      this.#encoder = new ArrowEncoder(batch.schema, { format: this.#format, codec: this.#codec });
      yield this.#encoder.begin();
    }
    yield this.#encoder.batch(batch);
  }

  *end(): Generator<Uint8Array[], void, void> {
    if (this.#encoder === undefined) {
      throw new FileError(this.#path, "got no batch, so its columns are unknown");
    }
    yield this.#encoder.end();
  }
}

async function codecOf(compression: ArrowCompression): Promise<BufferCodec | undefined> {
  switch (compression) {
    case "none":
      return undefined;
    case "zstd":
      return await bufferCodec(CompressionType.ZSTD);
    case "lz4":
      return await bufferCodec(CompressionType.LZ4_FRAME);
  }
}
