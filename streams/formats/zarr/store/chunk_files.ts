/**
 * Reads the bytes of chunks from files of their own or from those of shards.
 *
 * @module
 */

import type { Grid } from "../grid/grid.ts";
import { toFileError } from "../../../../base/errors/wrap_error.ts";
import type { ArraySpec } from "../metadata/array_spec.ts";
import { readFully, withFile } from "../files/chunk_file.ts";
import { checkChunkNames } from "./chunk_names.ts";
import type { ShardReader } from "../shard/shard_reader.ts";

/** The paths of the files of an array. */
interface ArrayFiles {
  readonly info: { readonly name: string; readonly grid: Grid };
  readonly spec: Pick<ArraySpec, "chunkPath">;
  /** Returns the path of the file of a chunk, or of a shard. */
  path(index: readonly number[]): string;
}

/** The files of one array. */
export class ChunkFiles {
  bytesRead = 0;
  readonly #array: ArrayFiles;
  readonly #shards: ShardReader | undefined;
  #areNamesChecked = false;

  constructor(array: ArrayFiles, shards: ShardReader | undefined) {
    this.#array = array;
    this.#shards = shards;
  }

  /** Calls `use` with the path of a chunk's file; an error becomes a FileError that names it. */
  async withPath<T>(index: readonly number[], use: (path: string) => Promise<T>): Promise<T> {
    const path = this.#array.path(this.#shards?.shardOf(index) ?? index);
    try {
      return await use(path);
    } catch (cause) {
      throw toFileError(path, cause);
    }
  }

  /** Reads a chunk into the buffer that `bufferOf` returns; undefined for a missing chunk. */
  async read(
    path: string,
    index: readonly number[],
    bufferOf: (numBytes: number) => Uint8Array,
  ): Promise<Uint8Array | undefined> {
    const place = await this.#shards?.find(path, index);
    if (place !== undefined) this.bytesRead += place.indexBytes;
    if (this.#shards !== undefined && place?.range === undefined) {
      return place === undefined ? this.#missing() : undefined;
    }
    const found = withFile(path, ({ file, numBytes }) => {
      const { start, stop } = place?.range ?? { start: 0, stop: numBytes };
      const buffer = bufferOf(stop - start);
      if (start > 0) file.seekSync(start, Deno.SeekMode.Start);
      readFully(file, buffer);
      this.bytesRead += buffer.length;
      return buffer;
    });
    return found ?? this.#missing();
  }

  /** Handles a missing file. The first one of an array triggers a check of the names of chunks. */
  #missing(): undefined {
    if (this.#areNamesChecked) return;
    this.#areNamesChecked = true;
    const { info: { name, grid }, spec } = this.#array;
    checkChunkNames(name, spec.chunkPath(grid.shape.map(() => 0)));
  }
}
