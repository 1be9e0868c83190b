/**
 * An array in a folder: what its metadata says, and the codecs for it.
 *
 * @module
 */

import { ArrayInfo } from "./array_info.ts";
import type { ArraySpec, ZarrMetadata } from "../metadata/array_spec.ts";
import type { ChunkCodec } from "../codecs/codec.ts";
import { fixedChain } from "../codecs/fixed_chain.ts";
import { FixedShard } from "../codecs/fixed_shard.ts";
import { metadataError, specOf } from "../metadata/read_metadata.ts";
import type { ZarrArrayInfo } from "../items/zarr_array.ts";

/** What those who read and those who write chunks have in common. */
export interface StoredArray {
  readonly info: ZarrArrayInfo;
  readonly metadata: ZarrMetadata;
  readonly spec: ArraySpec;
  /** The codecs of what is one file. */
  readonly codec: ChunkCodec;
  /** The same, where files are shards whose chunks can be read alone. */
  readonly shard: FixedShard | undefined;
  /** The file of a chunk, or of a shard, as the user named the array. */
  path(index: readonly number[]): string;
}

/** An array whose metadata can be given to another one. */
export interface Stored {
  readonly metadata: ZarrMetadata;
}

/** What those classes show of it. */
export class ShownArray extends ArrayInfo implements Stored {
  readonly metadata: ZarrMetadata;

  constructor({ info, metadata }: Pick<StoredArray, "info" | "metadata">) {
    super(info);
    this.metadata = metadata;
  }
}

/**
 * Understands the metadata of an array whose items have a fixed size. Throws a FileError that names it,
 * and what it has of its own.
 */
export async function storedArray(
  name: string,
  metadata: ZarrMetadata,
  spec: ArraySpec = specOf(name, metadata),
): Promise<StoredArray> {
  try {
    const codec = await fixedChain(spec.codecs, spec.chunk, spec);
    const shard = codec instanceof FixedShard ? codec : undefined;
    return {
      info: infoOf(name, spec, shard?.grid.chunk ?? spec.chunk),
      metadata,
      spec,
      codec,
      shard,
      path: (index) => `${name}/${spec.chunkPath(index)}`,
    };
  } catch (cause) {
    throw metadataError(name, cause);
  }
}

function infoOf(name: string, spec: ArraySpec, chunk: readonly number[]): ZarrArrayInfo {
  const { shape, type, fill, dimensionNames, attributes } = spec;
  return {
    name,
    grid: { shape, chunk },
    writeGrid: { shape, chunk: spec.chunk },
    dataType: type.name,
    itemBytes: type.itemBytes,
    fill,
    dimensionNames,
    attributes,
  };
}
