/**
 * Reads the configuration of the codec "sharding_indexed", for both kinds of items.
 * Source: https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/v1.0.html.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import { codecsIn, parseShape } from "../metadata/array_spec.ts";
import { type Configuration, dataTypeOf } from "../metadata/data_type.ts";
import { shortJson } from "../metadata/short_json.ts";
import type { ArrayToBytes, ChainMaker, ChunkCodec } from "./codec.ts";
import { FixedShard } from "./fixed_shard.ts";
import { ShardIndex } from "./shard_index.ts";
import { VariableShard } from "./variable_shard.ts";

export const shardingIndexed: ArrayToBytes = {
  kind: "array->bytes",
  async fixed({ shape, configuration }, array, { fixed }) {
    const index = await shardIndexOf(configuration, shape, fixed);
    const inner = await fixed(codecsIn(configuration["codecs"]), index.grid.chunk, array);
    return new FixedShard({ ...array, itemBytes: array.type.itemBytes, inner, index });
  },
  async variable({ shape, configuration }, array, { fixed, own }) {
    const index = await shardIndexOf(configuration, shape, fixed);
    const inner = await own(codecsIn(configuration["codecs"]), index.grid.chunk, array);
    return new VariableShard({ ...array, inner, index });
  },
};

/** The greatest number of chunks in a shard, since an index is read as a whole. */
const mostShardChunks = 2 ** 26;

/** Returns the index of shards of a shape, by the configuration of the codec. */
async function shardIndexOf(
  configuration: Configuration,
  shape: readonly number[],
  fixed: ChainMaker<ChunkCodec>,
): Promise<ShardIndex> {
  const chunk = parseShape(configuration["chunk_shape"], "chunk shape", 1);
  const isDivided = chunk.length === shape.length &&
    chunk.every((length, axis) => shape[axis]! % length === 0);
  if (!isDivided) throw new TypeError(`has chunks [${chunk}] that do not divide [${shape}]`);
  const location = configuration["index_location"] ?? "end";
  if (location !== "end" && location !== "start") {
    throw new TypeError(`has the index location ${shortJson(location)}`);
  }
  const counts = shape.map((length, axis) => length / chunk[axis]!);
  if (product(counts) > mostShardChunks) {
    throw new TypeError(
      `has ${product(counts)} chunks in a shard; at most ${mostShardChunks} are supported`,
    );
  }
  const indexArray = { type: dataTypeOf("uint64"), fill: new Uint8Array(8), hasFill: false };
  const codec = await fixed(codecsIn(configuration["index_codecs"]), [...counts, 2], indexArray);
  if (!codec.isFixed) throw new TypeError("has an index of unknown size");
  return new ShardIndex({ shape, chunk }, codec, location === "start");
}
