/**
 * All codecs of a chunk of text or bytes, one after the other: its axes in another order, items as
 * bytes, and codecs of bytes.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import { codecsIn, type CodecSpec } from "../metadata/array_spec.ts";
import { plainName } from "./bytes_codec.ts";
import { shardIndexOf } from "./chunk_codec.ts";
import { type FreeCodec, freeCodec } from "./free_codec.ts";
import { transposeCodec } from "./transpose.ts";
import { checkDecoded } from "./too_large.ts";
import type { Configuration } from "../metadata/data_type.ts";
import { freeBytes } from "../items/free_bytes.ts";
import { errorOfPart } from "../metadata/metadata_error.ts";
import { UnsupportedZarrError } from "../../../../base/errors/data_error.ts";
import type { TextItems } from "../items/text_array.ts";
import { reorder } from "../items/text_boxes.ts";
import type { TextCodec } from "./text_chunk_codec.ts";
import { TextShard } from "./text_shard.ts";
import { checkItems, decodeItems, encodeItems, type ItemKind } from "../items/vlen_items.ts";

/** An array of text or bytes: what its codecs depend on. */
export interface EncodedText {
  readonly kind: ItemKind;
  readonly fill: Uint8Array;
  readonly hasFill: boolean;
}

/**
 * Makes the codecs of chunks of a shape. Throws a TypeError that names a codec whose configuration is
 * wrong, or an UnsupportedZarrError for one that is not known, as a clause about the array.
 */
export async function textCodec(
  codecs: readonly CodecSpec[],
  shape: readonly number[],
  text: EncodedText,
): Promise<TextCodec> {
  const orders: ItemOrder[] = [];
  const bytesCodecs: FreeCodec[] = [];
  let packing: TextCodec | undefined;
  let encoded = shape;
  for (const spec of codecs) {
    const { name, configuration } = spec;
    try {
      if (packing !== undefined) bytesCodecs.push(await freeCodec(spec));
      else if (plainName(name) === "transpose") {
        const order = itemOrder(encoded, configuration);
        orders.push(order);
        encoded = order.encodedShape;
      } else packing = await packingOf(spec, encoded, text);
    } catch (cause) {
      throw errorOfPart(`its codec ${name}`, cause);
    }
  }
  if (packing === undefined) throw new TypeError("none of its codecs makes bytes of items");
  const isAlone = orders.length === 0 && bytesCodecs.length === 0;
  return isAlone ? packing : new TextChain(shape, orders, packing, bytesCodecs);
}

async function packingOf(
  { name, configuration }: CodecSpec,
  shape: readonly number[],
  text: EncodedText,
): Promise<TextCodec> {
  if (name === "sharding_indexed") {
    const index = await shardIndexOf(configuration, shape);
    const inner = await textCodec(codecsIn(configuration["codecs"]), index.grid.chunk, text);
    return new TextShard({ ...text, inner, index });
  }
  const wanted = text.kind === "string" ? "vlen-utf8" : "vlen-bytes";
  if (plainName(name) !== wanted) {
    throw new UnsupportedZarrError(`is not supported for items of any length, ${wanted} is`);
  }
  const numItems = product(shape);
  return {
    shape,
    encodedBytes: (numBytes) => numBytes,
    // deno-lint-ignore require-await
    async decode(bytes, mostBytes) {
      // Encoded, they have as many bytes as with their offsets.
      checkDecoded(bytes.length, mostBytes);
      return decodeItems(bytes, numItems, text.kind);
    },
    // deno-lint-ignore require-await
    async encode(items) {
      checkItems(items, text.kind);
      return encodeItems(items);
    },
  };
}

/** Axes in another order. */
interface ItemOrder {
  readonly encodedShape: readonly number[];
  encode(items: TextItems): TextItems;
  decode(items: TextItems): TextItems;
}

/** The order that a transpose brings items into, found by transposing their numbers. */
function itemOrder(shape: readonly number[], configuration: Configuration): ItemOrder {
  const codec = transposeCodec({ shape, itemBytes: 4, configuration });
  const orderBy = (transpose: (from: Uint8Array, into: Uint8Array) => void) => {
    const numbers = Uint32Array.from({ length: product(shape) }, (_, i) => i);
    const order = new Uint32Array(numbers.length);
    transpose(new Uint8Array(numbers.buffer), new Uint8Array(order.buffer));
    return order;
  };
  let encoding: Uint32Array | undefined;
  let decoding: Uint32Array | undefined;
  return {
    encodedShape: codec.encodedShape,
    encode: (items) => reorder(items, encoding ??= orderBy(codec.encode)),
    decode: (items) => reorder(items, decoding ??= orderBy(codec.decode)),
  };
}

/** Other orders of axes, what makes bytes of items, and codecs of bytes. */
class TextChain implements TextCodec {
  readonly shape: readonly number[];
  readonly #orders: readonly ItemOrder[];
  readonly #packing: TextCodec;
  readonly #bytesCodecs: readonly FreeCodec[];

  constructor(
    shape: readonly number[],
    orders: readonly ItemOrder[],
    packing: TextCodec,
    bytesCodecs: readonly FreeCodec[],
  ) {
    this.shape = shape;
    this.#orders = orders;
    this.#packing = packing;
    this.#bytesCodecs = bytesCodecs;
  }

  encodedBytes(numBytes: number): number {
    return this.#sizes(numBytes).at(-1)!;
  }

  async decode(encoded: Uint8Array, mostBytes: number): Promise<TextItems> {
    const sizes = this.#sizes(mostBytes);
    let bytes = encoded;
    for (let i = this.#bytesCodecs.length - 1; i >= 0; i--) {
      bytes = insteadOf(bytes, await this.#bytesCodecs[i]!.decode(bytes, sizes[i]!));
    }
    let items = await this.#packing.decode(bytes, mostBytes);
    for (const order of this.#orders.toReversed()) items = order.decode(items);
    return items;
  }

  async encode(items: TextItems): Promise<Uint8Array> {
    let ordered = items;
    for (const order of this.#orders) ordered = order.encode(ordered);
    let bytes = await this.#packing.encode(ordered);
    for (const codec of this.#bytesCodecs) bytes = insteadOf(bytes, await codec.encode(bytes));
    return bytes;
  }

  /** Bytes before each codec of bytes, and behind the last, at most, for items of so many. */
  #sizes(numBytes: number): number[] {
    const sizes = [this.#packing.encodedBytes(numBytes)];
    for (const codec of this.#bytesCodecs) sizes.push(codec.encodedBytes(sizes.at(-1)!));
    return sizes;
  }
}

/** The bytes that a codec made of others, which are freed unless these are a part of them. */
function insteadOf(before: Uint8Array, after: Uint8Array): Uint8Array {
  if (after.buffer !== before.buffer) freeBytes(before);
  return after;
}
