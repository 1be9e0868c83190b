/**
 * The codec "bytes": items of a fixed size in either byte order.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import type { DataType } from "../metadata/data_type.ts";
import { shortJson } from "../metadata/short_json.ts";
import type { ArrayToBytes, ChunkCodec, UseBytes } from "./codec.ts";
import { BufferPool } from "./buffer_pool.ts";
import { turnBytes } from "./turn_bytes.ts";

export const bytes: ArrayToBytes = {
  kind: "array->bytes",
  fixed({ shape, configuration }, { type }) {
    const turned = turnedBytes(configuration["endian"], type);
    return new TurnedItems(product(shape) * type.itemBytes, turned);
  },
};

/** Returns the size of the numbers whose bytes are swapped; 1 for no swap. */
function turnedBytes(endian: unknown, { unitBytes }: DataType): number {
  if (unitBytes === 1 || endian === "little") return 1;
  if (endian === "big") return unitBytes;
  throw new TypeError(`has the endian ${shortJson(endian)}`);
}

class TurnedItems implements ChunkCodec {
  readonly numBytes: number;
  readonly encodedBytes: number;
  readonly isFixed = true;
  readonly hasGaps = false;
  readonly turnedBytes: number;
  readonly decodeScratch = 0;
  readonly encodeScratch: number;
  readonly pool: BufferPool = new BufferPool();

  /** Swaps numbers of `turnedBytes` bytes; 1 for no swap. */
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
    return this.pool.use(async (take) => {
      if (this.turnedBytes === 1) return await use(items);
      const turned = take(this.numBytes);
      turned.set(items);
      turnBytes(turned, this.turnedBytes);
      await use(turned);
    });
  }
}

/** Throws where a chunk does not decode to its size. */
export function checkLength(decoded: number, numBytes: number): void {
  if (decoded === numBytes) return;
  throw new Error(`decodes to ${decoded} bytes, but a chunk has ${numBytes}`);
}
