/**
 * The codecs of a chunk, one after the other.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import type { ArrayCodec, BytesCodec, ChunkCodec, UseBytes } from "./codec.ts";
import { Rooms } from "./rooms.ts";
import { turnBytes } from "./turn_bytes.ts";

/** The codec "bytes" alone: the items in one byte order or the other. */
export class TurnedItems implements ChunkCodec {
  readonly numBytes: number;
  readonly encodedBytes: number;
  readonly isFixed = true;
  readonly hasGaps = false;
  readonly turnedBytes: number;
  readonly decodeScratch = 0;
  readonly encodeScratch: number;
  readonly rooms: Rooms = new Rooms();

  /** Turns around `turnedBytes` bytes at a time, 1 for none. */
  constructor(numBytes: number, turnedBytes: number) {
    this.numBytes = numBytes;
    this.encodedBytes = numBytes;
    this.turnedBytes = turnedBytes;
    this.encodeScratch = turnedBytes > 1 ? numBytes : 0;
  }

  decode(encoded: Uint8Array, into: Uint8Array): Promise<void> {
    checkLength(encoded.length, this.numBytes);
    into.set(encoded);
    turnBytes(into, this.turnedBytes);
    return Promise.resolve();
  }

  encode(items: Uint8Array, use: UseBytes): Promise<void> {
    return this.rooms.use(async (take) => {
      if (this.turnedBytes === 1) return await use(items);
      const turned = take(this.numBytes);
      turned.set(items);
      turnBytes(turned, this.turnedBytes);
      await use(turned);
    });
  }
}

/** Codecs of arrays, one that makes bytes of items, and codecs of bytes. */
export class CodecChain implements ChunkCodec {
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
  /** Bytes of the items behind each codec of arrays. */
  readonly #itemSizes: readonly number[];
  /** Bytes, at most, before each codec of bytes. */
  readonly #sizes: readonly number[];
  readonly rooms: Rooms = new Rooms();

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
    // What the first codec of bytes gives lies where the items are to be.
    const inPlace = packing.turnedBytes === undefined ? 0 : sizes[0] ?? 0;
    let decodeScratch = packing.decodeScratch + copies - inPlace;
    let encodeScratch = packing.encodeScratch + copies;
    for (const [i, codec] of bytesCodecs.entries()) {
      const size = sizes[i]!;
      // Where nobody knows how many bytes come out, they come in pieces that are put together.
      decodeScratch += (codec.decodeAll === undefined ? 1 : 2) * size + codec.decodeScratch(size);
      encodeScratch += codec.encodedBytes(size) + codec.encodeScratch(size);
    }
    this.decodeScratch = decodeScratch;
    this.encodeScratch = encodeScratch;
  }

  decode(encoded: Uint8Array, into: Uint8Array): Promise<void> {
    return this.rooms.use(async (take) => {
      const items = this.#arrayCodecs.length > 0 ? take(this.#packing.numBytes) : into;
      const turned = this.#packing.turnedBytes;
      let bytes = encoded;
      for (let i = this.#bytesCodecs.length - 1; i >= 0; i--) {
        const codec = this.#bytesCodecs[i]!;
        if (codec.decodeAll !== undefined) {
          bytes = await codec.decodeAll(bytes);
          continue;
        }
        const isLast = i === 0 && turned !== undefined;
        const room = isLast ? items : take(this.#sizes[i]!);
        bytes = room.subarray(0, await codec.decode(bytes, room));
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
    return this.rooms.use(async (take) => {
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

function checkLength(decoded: number, numBytes: number): void {
  if (decoded === numBytes) return;
  throw new Error(`decodes to ${decoded} bytes, a chunk has ${numBytes}`);
}
