/**
 * Writes the file of a shard chunk by chunk.
 *
 * @module
 */

import { writeFully } from "../../../bytes/own_files/fresh_file.ts";
import { createPartial, discardPartial, type NewFiles } from "../files/new_files.ts";
import type { ShardIndex } from "../codecs/shard_index.ts";

/** Encodes the chunks and the index of a shard. */
export interface ShardEncoder<Items> {
  readonly index: ShardIndex;
  /** Passes the chunks to `write` in order, in arrays that are valid during the call. Returns the index. */
  encodeChunks(items: Items, write: (bytes: Uint8Array) => void): Promise<Uint8Array>;
}

/** Writes a shard chunk by chunk, and returns its size in bytes. */
export async function writeShard<Items>(
  path: string,
  { shard, files }: { readonly shard: ShardEncoder<Items>; readonly files: NewFiles },
  items: Items,
): Promise<number> {
  const made = createPartial(path);
  const { file } = made;
  try {
    const { bytesBefore } = shard.index;
    let numBytes = bytesBefore;
    file.seekSync(numBytes, Deno.SeekMode.Start);
    const index = await shard.encodeChunks(items, (bytes) => {
      writeFully(file, bytes);
      numBytes += bytes.length;
    });
    if (bytesBefore > 0) file.seekSync(0, Deno.SeekMode.Start);
    else numBytes += index.length;
    writeFully(file, index);
    await files.commit(made);
    return numBytes;
  } catch (error) {
    discardPartial(made);
    throw error;
  }
}
