/**
 * Writes the chunks of an array in a folder, for either kind of items.
 *
 * @module
 */

import { toFileError } from "../../../../base/errors/wrap_error.ts";
import type { UseBytes } from "../codecs/codec.ts";
import { hasFile } from "../files/chunk_file.ts";
import { createPartial, discardPartial, NewFiles, removeFile } from "../files/new_files.ts";
import { writeFully } from "../../../bytes/own_files/fresh_file.ts";
import { chunkBox, chunksOver } from "../grid/grid.ts";
import type { AnyArray } from "../items/array.ts";
import type { ItemsKind } from "../items/items_kind.ts";
import type { ArraySpec, ZarrMetadata } from "../metadata/array_spec.ts";
import { type ShardEncoder, writeShard } from "../shard/shard_file.ts";
import { ShownArray } from "./stored_array.ts";

/** The parts of an array in a folder that its writer needs. */
interface WrittenArray<A, Items> {
  readonly info: A;
  readonly metadata: ZarrMetadata;
  readonly spec: ArraySpec;
  readonly codec: { encode(items: Items, use: UseBytes): Promise<void> };
  readonly shard: ShardEncoder<Items> | undefined;
  path(index: readonly number[]): string;
}

/** The parts of a writer that depend on the kind of the items. */
interface WrittenItems<Items> {
  readonly kind: ItemsKind<Items>;
  /** The number of bytes that writing takes besides the chunk. */
  readonly scratchBytes: number;
  /** Returns a function that reads a chunk, into `scratch` if there is one, and throws if it is incomplete. */
  reads(scratch: Uint8Array | undefined): (index: readonly number[]) => Promise<void>;
}

/** A writer of the chunks of an array of a kind. */
export class ChunkWriter<A extends AnyArray, Items> extends ShownArray<A> {
  readonly scratchBytes: number;
  bytesWritten = 0;
  readonly #array: WrittenArray<A, Items>;
  readonly #items: WrittenItems<Items>;
  readonly #files: NewFiles;

  constructor(
    array: WrittenArray<A, Items>,
    items: WrittenItems<Items>,
    options: { readonly isDurable: boolean },
  ) {
    super(array);
    this.#array = array;
    this.#items = items;
    this.#files = new NewFiles(options);
    this.scratchBytes = items.scratchBytes;
  }

  addBytesWritten(numBytes: number): void {
    this.bytesWritten += numBytes;
  }

  async writeChunk(index: readonly number[], items: Items): Promise<void> {
    const { spec, codec, shard } = this.#array;
    const { kind } = this.#items;
    const path = this.#array.path(index);
    try {
      kind.checkWhole(items);
      if (spec.hasFill && kind.areFill(items)) return removeFile(path);
      if (shard !== undefined) {
        this.bytesWritten += await writeShard(path, { shard, files: this.#files }, items);
      } else await codec.encode(items, (bytes) => this.#write(path, bytes));
    } catch (cause) {
      throw toFileError(path, cause);
    }
  }

  async hasChunk(index: readonly number[], scratch?: Uint8Array): Promise<boolean> {
    if (!await hasFile(this.#array.path(index))) return false;
    const read = this.#items.reads(scratch);
    try {
      for (const chunk of chunksOver(this.grid, chunkBox(this.writeGrid, index))) {
        await read(chunk);
      }
      return true;
    } catch {
      // The chunk is torn: the machine crashed before the system had written all of it.
      return false;
    }
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    const made = createPartial(path);
    try {
      writeFully(made.file, bytes);
      await this.#files.commit(made);
      this.bytesWritten += bytes.length;
    } catch (error) {
      discardPartial(made);
      throw error;
    }
  }

  flush(): Promise<void> {
    return this.#files.flush();
  }

  sync(): Promise<void> {
    return this.#files.sync(this.name);
  }
}
