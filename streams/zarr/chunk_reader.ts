/**
 * Reads the chunks of an array in a folder.
 *
 * @module
 */

import { toFileError } from "../errors.ts";
import type { ZarrMetadata } from "./array_spec.ts";
import { readFully, withFile } from "./chunk_file.ts";
import { turnBytes } from "./codecs/turn_bytes.ts";
import { ShownArray, type StoredArray } from "./stored_array.ts";
import type { ZarrReader } from "./zarr_array.ts";

/** A reader of an array whose metadata can be given to another one. */
export interface StoredZarrReader extends ZarrReader {
  readonly metadata: ZarrMetadata;
}

/** A reader of the chunks of an array. */
export function chunkReader(array: StoredArray): StoredZarrReader {
  return new ChunkReader(array);
}

class ChunkReader extends ShownArray implements StoredZarrReader {
  readonly scratchBytes: number;
  bytesRead = 0;
  readonly #array: StoredArray;
  /** The buffers of encoded chunks that nobody uses now. */
  readonly #buffers: Uint8Array[] = [];

  constructor(array: StoredArray) {
    super(array);
    const { codec } = array;
    this.#array = array;
    this.scratchBytes = codec.turnedBytes === undefined
      ? codec.encodedBytes + codec.decodeScratch
      : 0;
  }

  async readChunk(index: readonly number[], into: Uint8Array): Promise<boolean> {
    const path = this.#array.path(index);
    try {
      return await this.#readFile(path, into);
    } catch (cause) {
      throw toFileError(path, cause);
    }
  }

  async #readFile(path: string, into: Uint8Array): Promise<boolean> {
    const { codec } = this.#array;
    if (codec.turnedBytes !== undefined) return this.#readPlain(path, into, codec.turnedBytes);
    const buffer = this.#buffers.pop() ?? new Uint8Array(codec.encodedBytes);
    try {
      const encoded = withFile(path, ({ file, numBytes }) => {
        if (numBytes > buffer.length) {
          throw new Error(`has ${numBytes} bytes, a chunk ${buffer.length} at most`);
        }
        const bytes = buffer.subarray(0, numBytes);
        readFully(file, bytes);
        return bytes;
      });
      if (encoded === undefined) return false;
      this.bytesRead += encoded.length;
      await codec.decode(encoded, into);
      return true;
    } finally {
      this.#buffers.push(buffer);
    }
  }

  /** Straight into the buffer of the caller. */
  #readPlain(path: string, into: Uint8Array, turned: number): boolean {
    const found = withFile(path, ({ file, numBytes }) => {
      if (numBytes !== into.length) {
        throw new Error(`has ${numBytes} bytes, a chunk has ${into.length}`);
      }
      readFully(file, into);
      this.bytesRead += numBytes;
      return true;
    });
    if (found !== true) return false;
    turnBytes(into, turned);
    return true;
  }
}
