/**
 * The chain of codecs of chunks whose items have a fixed size. All sizes are known in advance, so bytes
 * move from buffer to buffer.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import type { CodecSpec } from "../metadata/array_spec.ts";
import type { DataType } from "../metadata/data_type.ts";
import { UnsupportedZarrError } from "../../../../base/errors/data_error.ts";
import type { ArrayCodec, BytesCodec, ChunkCodec, EncodedArray, UseBytes } from "./codec.ts";
import { readChain } from "./registry.ts";
import { BufferPool } from "./buffer_pool.ts";
import { turnBytes } from "./turn_bytes.ts";
import { checkLength } from "./turned_items.ts";

/**
 * Creates the codecs for chunks of a shape. Throws a TypeError that names a codec with a wrong
 * configuration, or an UnsupportedZarrError for an unknown one, as a clause about the array.
 */
export async function fixedChain(
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
  await readChain(codecs, {
    reorder(codec, { configuration }) {
      const place = { shape: encoded, itemBytes: type.itemBytes, configuration };
      const made = codec.make(place, type);
      arrayCodecs.push(made);
      encoded = made.encodedShape;
      type = made.encodedType;
    },
    async pack({ fixed }, { name, configuration }) {
      if (fixed === undefined) throw new UnsupportedZarrError("is not supported");
      const packed = name === "sharding_indexed" ? shardedArray(array, type) : { ...array, type };
      const chains = { fixed: fixedChain, own: fixedChain };
      packing = await fixed({ shape: encoded, configuration }, packed, chains);
      encodedBytes = packing.encodedBytes;
    },
    async encode(codec, { configuration }) {
      const made = await codec.make(configuration, type, encodedBytes);
      bytesCodecs.push(made);
      encodedBytes = made.encodedBytes(encodedBytes);
    },
  });
  const isAlone = arrayCodecs.length === 0 && bytesCodecs.length === 0;
  const numBytes = product(shape) * array.type.itemBytes;
  return isAlone ? packing! : new FixedChain(numBytes, arrayCodecs, packing!, bytesCodecs);
}

/** Returns the array as shards see it after other codecs. Throws where these change its type. */
function shardedArray(array: EncodedArray, type: DataType): EncodedArray {
  if (type.name === array.type.name) return array;
  throw new UnsupportedZarrError(
    `is not supported where other codecs change the items to ${type.name}`,
  );
}

/** The least allowance for unused bytes in shards, which may double their size. */
const leastGapBytes = 64 << 10;

/** Runs codecs of arrays, one from items to bytes, and codecs of bytes. */
class FixedChain implements ChunkCodec {
  readonly numBytes: number;
  readonly encodedBytes: number;
  readonly isFixed: boolean;
  readonly hasGaps: boolean;
  readonly turnedBytes = undefined;
  readonly decodeScratch: number;
  readonly encodeScratch: number;
  readonly #arrayCodecs: readonly ArrayCodec[];
  readonly #packing: ChunkCodec;
  readonly #bytesCodecs: readonly BytesCodec[];
  /** The bytes of the items after each codec of arrays. */
  readonly #itemSizes: readonly number[];
  /** The greatest number of bytes before each codec of bytes. */
  readonly #sizes: readonly number[];
  readonly pool: BufferPool = new BufferPool();

  constructor(
    numBytes: number,
    arrayCodecs: readonly ArrayCodec[],
    packing: ChunkCodec,
    bytesCodecs: readonly BytesCodec[],
  ) {
    this.#arrayCodecs = arrayCodecs;
    this.#packing = packing;
    this.#bytesCodecs = bytesCodecs;
    this.numBytes = numBytes;
    this.#itemSizes = arrayCodecs.map(({ encodedShape, encodedType }) =>
      product(encodedShape) * encodedType.itemBytes
    );
    const sizes = [packing.encodedBytes];
    for (const codec of bytesCodecs) sizes.push(codec.encodedBytes(sizes.at(-1)!));
    this.encodedBytes = sizes.pop()!;
    this.#sizes = sizes;
    this.hasGaps = packing.hasGaps;
    this.isFixed = packing.isFixed && bytesCodecs.every(({ isFixed }) => isFixed);
    const copies = this.#itemSizes.reduce((sum, size) => sum + size, 0);
    // The first codec of bytes decodes directly into the buffer of the items.
    const inPlace = packing.turnedBytes === undefined ? 0 : sizes[0] ?? 0;
    let decodeScratch = packing.decodeScratch + copies - inPlace;
    let encodeScratch = packing.encodeScratch + copies;
    for (const [i, codec] of bytesCodecs.entries()) {
      const size = sizes[i]!;
      // Output of unknown size comes in several arrays, which are then joined.
      decodeScratch += (packing.hasGaps ? 2 : 1) * size + codec.decodeScratch(size);
      encodeScratch += codec.encodedBytes(size) + codec.encodeScratch(size);
    }
    this.decodeScratch = decodeScratch;
    this.encodeScratch = encodeScratch;
  }

  decode(encoded: Uint8Array, into: Uint8Array): Promise<void> {
    return this.pool.use(async (take) => {
      const items = this.#arrayCodecs.length > 0 ? take(this.#packing.numBytes) : into;
      const turned = this.#packing.turnedBytes;
      let bytes = encoded;
      for (let i = this.#bytesCodecs.length - 1; i >= 0; i--) {
        const codec = this.#bytesCodecs[i]!;
        if (this.hasGaps) {
          bytes = await codec.decodeBounded(bytes, 2 * this.#sizes[i]! + leastGapBytes);
          continue;
        }
        const isLast = i === 0 && turned !== undefined;
        const target = isLast ? items : take(this.#sizes[i]!);
        bytes = target.subarray(0, await codec.decode(bytes, target));
      }
      if (turned === undefined || this.#bytesCodecs.length === 0) {
        await this.#packing.decode(bytes, items);
      } else {
        checkLength(bytes.length, this.#packing.numBytes);
        turnBytes(items, turned);
      }
      let from = items;
      for (let i = this.#arrayCodecs.length - 1; i >= 0; i--) {
        const to = i === 0 ? into : take(this.#itemSizes[i - 1]!);
        this.#arrayCodecs[i]!.decode(from, to);
        from = to;
      }
    });
  }

  encode(items: Uint8Array, use: UseBytes): Promise<void> {
    return this.pool.use(async (take) => {
      let encodedItems = items;
      for (const [i, codec] of this.#arrayCodecs.entries()) {
        const to = take(this.#itemSizes[i]!);
        codec.encode(encodedItems, to);
        encodedItems = to;
      }
      await this.#packing.encode(encodedItems, async (packed) => {
        let bytes = packed;
        for (const [i, codec] of this.#bytesCodecs.entries()) {
          bytes = await codec.encode(bytes, take(codec.encodedBytes(this.#sizes[i]!)));
        }
        await use(bytes);
      });
    });
  }
}
