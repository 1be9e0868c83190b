/**
 * Makes the codecs that the metadata of an array names.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import { codecsIn, type CodecSpec, parseShape } from "../metadata/array_spec.ts";
import { type Configuration, type DataType, dataTypeOf } from "../metadata/data_type.ts";
import { errorOfPart } from "../metadata/metadata_error.ts";
import { UnsupportedZarrError } from "../../../../base/errors/data_error.ts";
import { bytesCodecOf, plainName } from "./bytes_codec.ts";
import type { ArrayCodec, BytesCodec, ChunkCodec, CodecPlace } from "./codec.ts";
import { freeCodec } from "./free_codec.ts";
import { bitroundCodec, deltaCodec } from "./number_codecs.ts";
import { scaleOffsetCodec } from "./scale_offset.ts";
import { Shard } from "./shard.ts";
import { ShardIndex } from "./shard_index.ts";
import { CodecChain, TurnedItems } from "./codec_chain.ts";
import { transposeCodec } from "./transpose.ts";
import { shortJson } from "../metadata/short_json.ts";

/** An array whose chunks are encoded: what its codecs depend on. */
export interface EncodedArray {
  readonly type: DataType;
  readonly fill: Uint8Array;
  readonly hasFill: boolean;
}

/**
 * Makes the codecs of chunks of a shape. Throws a TypeError that names a codec whose configuration is
 * wrong, or an UnsupportedZarrError for one that is not known, as a clause about the array.
 */
export async function chunkCodec(
  codecs: readonly CodecSpec[],
  shape: readonly number[],
  array: EncodedArray,
): Promise<ChunkCodec> {
  let { type } = array;
  const arrayCodecs: ArrayCodec[] = [];
  const bytesCodecs: BytesCodec[] = [];
  let packing: ChunkCodec | undefined;
  let encoded = shape;
  let encodedBytes = 0;
  for (const spec of codecs) {
    const { name, configuration } = spec;
    try {
      const place = { shape: encoded, itemBytes: type.itemBytes, configuration };
      const arrayCodec = arrayCodecOf(name, place, type);
      const isPacking = name === "bytes" || name === "sharding_indexed";
      if ((packing === undefined) !== (arrayCodec !== undefined || isPacking)) {
        // What is not known may be one that makes bytes of items.
        throw packing === undefined
          ? new UnsupportedZarrError("is not supported")
          : new TypeError("is at a place where it cannot be");
      } else if (arrayCodec !== undefined) {
        arrayCodecs.push(arrayCodec);
        encoded = arrayCodec.encodedShape;
        type = arrayCodec.encodedType;
      } else if (isPacking) {
        packing = name === "bytes"
          ? new TurnedItems(
            product(encoded) * type.itemBytes,
            turnedBytes(configuration["endian"], type),
          )
          : await shardOf(configuration, encoded, shardedArray(array, type));
        encodedBytes = packing.encodedBytes;
      } else {
        const codec = await bytesCodecOf(name, configuration, type, encodedBytes);
        bytesCodecs.push(packing!.hasGaps ? await withGaps(codec, spec, encodedBytes) : codec);
        encodedBytes = codec.encodedBytes(encodedBytes);
      }
    } catch (cause) {
      throw errorOfPart(`its codec ${name}`, cause);
    }
  }
  if (packing === undefined) throw new TypeError("none of its codecs makes bytes of items");
  const isAlone = arrayCodecs.length === 0 && bytesCodecs.length === 0;
  const numBytes = product(shape) * array.type.itemBytes;
  return isAlone ? packing : new CodecChain(numBytes, arrayCodecs, packing, bytesCodecs);
}

/** The room for unused bytes in what shards become: as many as they have, and some more where that is few. */
const leastGapBytes = 64 << 10;

/** A codec behind shards, of which more bytes may come out than `numBytes`. */
async function withGaps(codec: BytesCodec, spec: CodecSpec, numBytes: number): Promise<BytesCodec> {
  const { decode } = await freeCodec(spec);
  const mostBytes = 2 * numBytes + leastGapBytes;
  return { ...codec, decodeAll: (bytes) => decode(bytes, mostBytes) };
}

/** The array as shards have it that come behind other codecs. */
function shardedArray(array: EncodedArray, type: DataType): EncodedArray {
  if (type.name === array.type.name) return array;
  throw new UnsupportedZarrError(`is not supported for items that are ${type.name} only in there`);
}

/** Bytes of what the codec "bytes" turns around. */
function turnedBytes(endian: unknown, { unitBytes }: DataType): number {
  if (unitBytes === 1 || endian === "little") return 1;
  if (endian === "big") return unitBytes;
  throw new TypeError(`has the endian ${shortJson(endian)}`);
}

function arrayCodecOf(name: string, place: CodecPlace, type: DataType): ArrayCodec | undefined {
  switch (plainName(name)) {
    case "transpose":
      return { ...transposeCodec(place), encodedType: type };
    case "delta":
      return deltaCodec(place, type);
    case "bitround":
      return bitroundCodec(place, type);
    case "fixedscaleoffset":
      return scaleOffsetCodec(place, type);
    default:
      return undefined;
  }
}

async function shardOf(
  configuration: Configuration,
  shape: readonly number[],
  array: EncodedArray,
): Promise<Shard> {
  const index = await shardIndexOf(configuration, shape);
  return new Shard({
    ...array,
    itemBytes: array.type.itemBytes,
    inner: await chunkCodec(codecsIn(configuration["codecs"]), index.grid.chunk, array),
    index,
  });
}

/** More chunks than a shard has: its index is read as one. */
const mostShardChunks = 2 ** 26;

/** The index of shards of a shape, which the configuration of the codec says. */
export async function shardIndexOf(
  configuration: Configuration,
  shape: readonly number[],
): Promise<ShardIndex> {
  const chunk = parseShape(configuration["chunk_shape"], "chunk shape", 1);
  const isDivided = chunk.length === shape.length &&
    chunk.every((length, axis) => shape[axis]! % length === 0);
  if (!isDivided) throw new TypeError(`has chunks [${chunk}], which do not divide [${shape}]`);
  const location = configuration["index_location"] ?? "end";
  if (location !== "end" && location !== "start") {
    throw new TypeError(`has the index location ${shortJson(location)}`);
  }
  const counts = shape.map((length, axis) => length / chunk[axis]!);
  if (product(counts) > mostShardChunks) {
    throw new TypeError(
      `has ${product(counts)} chunks in a shard, ${mostShardChunks} are supported`,
    );
  }
  const indexArray = { type: dataTypeOf("uint64"), fill: new Uint8Array(8), hasFill: false };
  const codec = await chunkCodec(
    codecsIn(configuration["index_codecs"]),
    [...counts, 2],
    indexArray,
  );
  if (!codec.isFixed) throw new TypeError("has an index whose size is not known");
  return new ShardIndex({ shape, chunk }, codec, location === "start");
}
