/**
 * Adapts the codecs of version 3 to other chunks, where codecs contain shapes of chunks.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import { isObject } from "./data_type.ts";

/** Codecs, and the shape of a file. */
interface ShardedChunks {
  readonly codecs: readonly unknown[];
  readonly chunk: readonly number[];
}

/** Returns the codecs for chunks. The chunk shape of inner shards stays where it divides them. */
export function withChunks(
  codecs: readonly unknown[],
  chunk: readonly number[],
): readonly unknown[] {
  let shape = chunk;
  return codecs.map((codec) => {
    const configuration = configurationOf(codec);
    const order = configuration["order"];
    // After a transpose, the axes of chunks are permuted.
    if (Array.isArray(order)) shape = order.map((axis) => shape[axis]!);
    if (order === "F") shape = shape.toReversed();
    if (!isSharding(codec)) return codec;
    const inner = configuration["chunk_shape"] as readonly number[];
    const divides = inner.every((length, axis) => shape[axis]! % length === 0);
    return divides ? codec : sharding(configuration, shape);
  });
}

/** Returns the codecs for chunks in shards, for an array whose only codec is sharding. */
export function shardsFor(
  old: readonly number[],
  [codec]: readonly unknown[],
  chunk: readonly number[],
  shard: readonly number[] = fittingShard(old, chunk),
): ShardedChunks {
  return { codecs: [sharding(configurationOf(codec), chunk)], chunk: checked(shard, chunk) };
}

/**
 * Returns a shard of whole chunks. From the last axis on, it is at most as long as the old shard, rounded
 * up, and it has at most as many items, but at least one chunk, since a shard is written as a whole.
 */
function fittingShard(old: readonly number[], chunk: readonly number[]): number[] {
  let room = product(old) / product(chunk);
  const shard = [...chunk];
  for (let axis = chunk.length - 1; axis >= 0; axis--) {
    const most = Math.ceil(old[axis]! / chunk[axis]!);
    const count = Math.max(1, Math.min(most, Math.floor(room)));
    shard[axis] = count * chunk[axis]!;
    room /= count;
  }
  return shard;
}

/** Puts codecs of chunks into shards with an index at their end. */
export function withShards(
  codecs: readonly unknown[],
  chunk: readonly number[],
  shard: readonly number[],
): ShardedChunks {
  const index = [{ name: "bytes", configuration: { endian: "little" } }, { name: "crc32c" }];
  const configuration = { codecs, index_codecs: index, index_location: "end" };
  return { codecs: [sharding(configuration, chunk)], chunk: checked(shard, chunk) };
}

function checked(shard: readonly number[], chunk: readonly number[]): readonly number[] {
  if (shard.every((length, axis) => length % chunk[axis]! === 0)) return shard;
  throw new RangeError(`cannot have shards [${shard}]: they are not whole chunks [${chunk}]`);
}

function sharding(configuration: Record<string, unknown>, chunk: readonly number[]): unknown {
  const codecs = withChunks(configuration["codecs"] as readonly unknown[], chunk);
  return {
    name: "sharding_indexed",
    configuration: { ...configuration, chunk_shape: chunk, codecs },
  };
}

function isSharding(codec: unknown): boolean {
  return isObject(codec) && codec["name"] === "sharding_indexed";
}

function configurationOf(codec: unknown): Record<string, unknown> {
  const configuration = isObject(codec) ? codec["configuration"] : undefined;
  return isObject(configuration) ? configuration : {};
}
