/**
 * The chain of codecs of chunks whose items have a variable size. The size of the output is known only
 * when it is decoded, so each codec allocates a buffer, within a bound.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import { freeBytes } from "../items/free_bytes.ts";
import type { VariableItems } from "../items/array.ts";
import { reorder } from "../items/variable_items.ts";
import type { CodecSpec } from "../metadata/array_spec.ts";
import { dataTypeOf, rawType } from "../metadata/data_type.ts";
import type { ArrayCodec, BytesCodec, EncodedArray, UseBytes, VariableCodec } from "./codec.ts";
import { fixedChain } from "./fixed_chain.ts";
import { readChain } from "./registry.ts";
import { notForVariable } from "./vlen.ts";

/** The type that stands for an item's index. */
const numberType = dataTypeOf("uint32");
/** The type that later codecs see, for which an item is a byte. */
const byteType = rawType(1);

/**
 * Creates the codecs for chunks of a shape. Throws a TypeError that names a codec with a wrong
 * configuration, or an UnsupportedZarrError for an unknown one, as a clause about the array.
 */
export async function variableChain(
  codecs: readonly CodecSpec[],
  shape: readonly number[],
  array: EncodedArray,
): Promise<VariableCodec> {
  const orders: ItemOrder[] = [];
  const bytesCodecs: BytesCodec[] = [];
  let packing: VariableCodec | undefined;
  let encoded = shape;
  await readChain(codecs, {
    reorder(codec, { configuration }) {
      if (!codec.movesItems) throw notForVariable(array.type.kind);
      const place = { shape: encoded, itemBytes: numberType.itemBytes, configuration };
      const order = itemOrder(codec.make(place, numberType));
      orders.push(order);
      encoded = order.encodedShape;
    },
    async pack({ variable }, { configuration }) {
      if (variable === undefined) throw notForVariable(array.type.kind);
      const chains = { fixed: fixedChain, own: variableChain };
      packing = await variable({ shape: encoded, configuration }, array, chains);
    },
    async encode(codec, { configuration }) {
      bytesCodecs.push(await codec.make(configuration, byteType, 0));
    },
  });
  const isAlone = orders.length === 0 && bytesCodecs.length === 0;
  return isAlone ? packing! : new VariableChain(shape, orders, packing!, bytesCodecs);
}

/** A permutation of axes. */
interface ItemOrder {
  readonly encodedShape: readonly number[];
  encode(items: VariableItems): VariableItems;
  decode(items: VariableItems): VariableItems;
}

/** Returns the permutation that a codec applies, found by moving the indices of items. */
function itemOrder({ encodedShape, encode, decode }: ArrayCodec): ItemOrder {
  const orderBy = (move: (from: Uint8Array, into: Uint8Array) => void) => {
    const numbers = Uint32Array.from({ length: product(encodedShape) }, (_, i) => i);
    const order = new Uint32Array(numbers.length);
    move(new Uint8Array(numbers.buffer), new Uint8Array(order.buffer));
    return order;
  };
  let encoding: Uint32Array | undefined;
  let decoding: Uint32Array | undefined;
  return {
    encodedShape,
    encode: (items) => reorder(items, encoding ??= orderBy(encode)),
    decode: (items) => reorder(items, decoding ??= orderBy(decode)),
  };
}

/** Runs permutations of axes, a codec from items to bytes, and codecs of bytes. */
class VariableChain implements VariableCodec {
  readonly shape: readonly number[];
  readonly #orders: readonly ItemOrder[];
  readonly #packing: VariableCodec;
  readonly #bytesCodecs: readonly BytesCodec[];

  constructor(
    shape: readonly number[],
    orders: readonly ItemOrder[],
    packing: VariableCodec,
    bytesCodecs: readonly BytesCodec[],
  ) {
    this.shape = shape;
    this.#orders = orders;
    this.#packing = packing;
    this.#bytesCodecs = bytesCodecs;
  }

  encodedBytes(numBytes: number): number {
    return this.#sizes(numBytes).at(-1)!;
  }

  async decode(encoded: Uint8Array, mostBytes: number): Promise<VariableItems> {
    const sizes = this.#sizes(mostBytes);
    let bytes = encoded;
    for (let i = this.#bytesCodecs.length - 1; i >= 0; i--) {
      bytes = insteadOf(bytes, await this.#bytesCodecs[i]!.decodeBounded(bytes, sizes[i]!));
    }
    let items = await this.#packing.decode(bytes, mostBytes);
    for (const order of this.#orders.toReversed()) items = order.decode(items);
    return items;
  }

  async encode(items: VariableItems, use: UseBytes): Promise<void> {
    let ordered = items;
    for (const order of this.#orders) ordered = order.encode(ordered);
    await this.#packing.encode(ordered, async (packed) => {
      let bytes = packed;
      for (const codec of this.#bytesCodecs) {
        const target = new Uint8Array(codec.encodedBytes(bytes.length));
        bytes = insteadOf(bytes, await codec.encode(bytes, target));
      }
      await use(bytes);
      freeBytes(bytes);
    });
  }

  /** Returns bounds for the bytes before each codec of bytes and after the last, for items of `numBytes`. */
  #sizes(numBytes: number): number[] {
    const sizes = [this.#packing.encodedBytes(numBytes)];
    for (const codec of this.#bytesCodecs) sizes.push(codec.encodedBytes(sizes.at(-1)!));
    return sizes;
  }
}

/** Returns the output of a codec, and frees its input unless the output is part of it. */
function insteadOf(before: Uint8Array, after: Uint8Array): Uint8Array {
  if (after.buffer !== before.buffer) freeBytes(before);
  return after;
}
