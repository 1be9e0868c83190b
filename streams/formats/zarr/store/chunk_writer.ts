/**
 * Writes the chunks of an array in a folder.
 *
 * @module
 */

import { chunkBox, chunksOver, product } from "../grid/grid.ts";
import { syncTree } from "../../../bytes/own_files/durable.ts";
import { toFileError } from "../../../../base/errors/wrap_error.ts";
import { hasFile, removeFile, writeWhole } from "../files/chunk_file.ts";
import { chunkReader } from "./chunk_reader.ts";
import { isFill } from "../items/fill_items.ts";
import { writeShard } from "../shard/shard_file.ts";
import { ShownArray, type Stored, type StoredArray } from "./stored_array.ts";
import type { ZarrWriter } from "../items/zarr_array.ts";

/** A writer of an array whose metadata is known. */
export type StoredZarrWriter = ZarrWriter & Stored;

/** A writer of the chunks of an array. */
export function chunkWriter(array: StoredArray): StoredZarrWriter {
  return new ChunkWriter(array);
}

class ChunkWriter extends ShownArray implements StoredZarrWriter {
  readonly scratchBytes: number;
  bytesWritten = 0;
  readonly #array: StoredArray;

  constructor(array: StoredArray) {
    super(array);
    const { codec, shard } = array;
    this.#array = array;
    this.scratchBytes = shard?.writeScratch ?? codec.encodeScratch;
  }

  addBytesWritten(numBytes: number): void {
    this.bytesWritten += numBytes;
  }

  async writeChunk(index: readonly number[], items: Uint8Array): Promise<void> {
    const { spec, codec, shard } = this.#array;
    const path = this.#array.path(index);
    try {
      if (items.length !== codec.numBytes) {
        throw new RangeError(`gets ${items.length} bytes, a chunk has ${codec.numBytes}`);
      }
      if (spec.hasFill && isFill(items, spec.fill)) return removeFile(path);
      if (shard !== undefined) this.bytesWritten += await writeShard(path, shard, items);
      else {
        await codec.encode(items, (bytes) => {
          this.bytesWritten += writeWhole(path, bytes);
        });
      }
    } catch (cause) {
      throw toFileError(path, cause);
    }
  }

  async hasChunk(index: readonly number[], room?: Uint8Array): Promise<boolean> {
    if (!await hasFile(this.#array.path(index))) return false;
    const { grid, writeGrid, itemBytes } = this;
    // A new one for each: it would keep what the indices of shards said.
    const reader = chunkReader(this.#array);
    const chunkBytes = product(grid.chunk) * itemBytes;
    const into = room?.subarray(0, chunkBytes) ?? new Uint8Array(chunkBytes);
    try {
      for (const chunk of chunksOver(grid, chunkBox(writeGrid, index))) {
        await reader.readChunk(chunk, into);
      }
      return true;
    } catch {
      // It is torn: the machine ended before the system had written all of it.
      return false;
    }
  }

  sync(): Promise<void> {
    return syncTree(this.name);
  }
}
