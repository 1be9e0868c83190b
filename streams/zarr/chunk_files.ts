/**
 * Reads the bytes of chunks, which are files or lie in those of shards.
 *
 * @module
 */

import { toFileError } from "../errors.ts";
import { readFully, withFile } from "./chunk_file.ts";
import type { ShardReader } from "./shard_reader.ts";

/** The files of one array. */
export class ChunkFiles {
  bytesRead = 0;
  readonly #path: (index: readonly number[]) => string;
  readonly #shards: ShardReader | undefined;

  /** `path` gives the file of a chunk, or of a shard. */
  constructor(path: (index: readonly number[]) => string, shards: ShardReader | undefined) {
    this.#path = path;
    this.#shards = shards;
  }

  /** Lets the file of a chunk be used; what goes wrong is a FileError that names it. */
  async withPath<T>(index: readonly number[], use: (path: string) => Promise<T>): Promise<T> {
    const path = this.#path(this.#shards?.shardOf(index) ?? index);
    try {
      return await use(path);
    } catch (cause) {
      throw toFileError(path, cause);
    }
  }

  /** Reads the bytes of a chunk into the room that is given for so many; undefined if it is missing. */
  async read(
    path: string,
    index: readonly number[],
    roomFor: (numBytes: number) => Uint8Array,
  ): Promise<Uint8Array | undefined> {
    const place = await this.#shards?.find(path, index);
    if (place !== undefined) this.bytesRead += place.indexBytes;
    if (this.#shards !== undefined && place?.range === undefined) return undefined;
    return withFile(path, ({ file, numBytes }) => {
      const { start, stop } = place?.range ?? { start: 0, stop: numBytes };
      const room = roomFor(stop - start);
      if (start > 0) file.seekSync(start, Deno.SeekMode.Start);
      readFully(file, room);
      this.bytesRead += room.length;
      return room;
    });
  }
}
