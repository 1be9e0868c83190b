/**
 * The codecs of a chunk, one after the other.
 *
 * @module
 */

import { product } from "../../chunks/grid.ts";
import type { CodecSpec } from "../array_spec.ts";
import type { DataType } from "../data_type.ts";
import type { ArrayCodec, BytesCodec, ChunkCodec } from "./codec.ts";
import { turnBytes } from "./turn_bytes.ts";
import { deflateCodec, zstdCodec } from "./zlib_codecs.ts";

/**
 * Makes the codecs of chunks of a shape. Throws a TypeError that names a codec that is not known, or
 * whose configuration is wrong, as a clause about the array.
 */
export async function chunkCodec(
  codecs: readonly CodecSpec[],
  shape: readonly number[],
  type: DataType,
): Promise<ChunkCodec> {
  const arrayCodecs: ArrayCodec[] = [];
  const bytesCodecs: BytesCodec[] = [];
  let turned: number | undefined;
  for (const { name, configuration } of codecs) {
    try {
      if (name === "bytes") {
        if (turned !== undefined) throw new TypeError("is there twice");
        turned = turnedBytes(configuration["endian"], type);
      } else if (turned === undefined) {
        throw new TypeError("is not supported");
      } else {
        bytesCodecs.push(await bytesCodec(name, configuration));
      }
    } catch (cause) {
      throw new TypeError(`its codec ${name} ${(cause as Error).message}`, { cause });
    }
  }
  if (turned === undefined) throw new TypeError("none of its codecs makes bytes of items");
  return new CodecChain(arrayCodecs, turned, bytesCodecs, product(shape) * type.itemBytes);
}

/** Bytes of what the codec "bytes" turns around. */
function turnedBytes(endian: unknown, { unitBytes }: DataType): number {
  if (unitBytes === 1 || endian === "little") return 1;
  if (endian === "big") return unitBytes;
  throw new TypeError(`has the endian ${JSON.stringify(endian)}`);
}

function bytesCodec(
  name: string,
  configuration: CodecSpec["configuration"],
): Promise<BytesCodec> {
  switch (name.replace(/^numcodecs\./, "")) {
    case "gzip":
      return deflateCodec("gzip", configuration);
    case "zlib":
      return deflateCodec("zlib", configuration);
    case "zstd":
      return zstdCodec(configuration);
    default:
      throw new TypeError("is not supported");
  }
}

/** Codecs of arrays, the byte order, and codecs of bytes. */
class CodecChain implements ChunkCodec {
  readonly numBytes: number;
  readonly encodedBytes: number;
  readonly isFixed: boolean;
  readonly turnedBytes: number | undefined;
  readonly decodeScratch: number;
  readonly encodeScratch: number;
  readonly #arrayCodecs: readonly ArrayCodec[];
  readonly #turned: number;
  readonly #bytesCodecs: readonly BytesCodec[];
  /** Bytes, at most, before each codec of bytes. */
  readonly #sizes: readonly number[];

  constructor(
    arrayCodecs: readonly ArrayCodec[],
    turned: number,
    bytesCodecs: readonly BytesCodec[],
    numBytes: number,
  ) {
    this.#arrayCodecs = arrayCodecs;
    this.#turned = turned;
    this.#bytesCodecs = bytesCodecs;
    this.numBytes = numBytes;
    const sizes = [numBytes];
    for (const codec of bytesCodecs) sizes.push(codec.encodedBytes(sizes.at(-1)!));
    this.encodedBytes = sizes.pop()!;
    this.#sizes = sizes;
    this.isFixed = bytesCodecs.every(({ isFixed }) => isFixed);
    const isPlain = arrayCodecs.length === 0 && bytesCodecs.length === 0;
    this.turnedBytes = isPlain ? turned : undefined;
    const inner = bytesCodecs.reduce((sum, codec, i) => sum + codec.scratchBytes(sizes[i]!), 0);
    const between = sizes.slice(1).reduce((sum, size) => sum + size, 0);
    const copies = arrayCodecs.length * numBytes;
    this.decodeScratch = inner + between + copies;
    const turnedCopy = turned > 1 && copies === 0 ? numBytes : 0;
    // The runtime joins the pieces of what it encodes, which takes them twice.
    const encoded = bytesCodecs.length > 0 ? 2 * this.encodedBytes : 0;
    this.encodeScratch = inner + between + copies + turnedCopy + encoded;
  }

  async decode(encoded: Uint8Array, into: Uint8Array): Promise<void> {
    const items = this.#arrayCodecs.length > 0 ? new Uint8Array(this.numBytes) : into;
    let bytes = encoded;
    for (let i = this.#bytesCodecs.length - 1; i >= 0; i--) {
      const room = i === 0 ? items : new Uint8Array(this.#sizes[i]!);
      bytes = room.subarray(0, await this.#bytesCodecs[i]!.decode(bytes, room));
    }
    if (bytes.length !== this.numBytes) {
      throw new Error(`decodes to ${bytes.length} bytes, a chunk has ${this.numBytes}`);
    }
    if (bytes === encoded) items.set(encoded);
    turnBytes(items, this.#turned);
    this.#decodeItems(items, into);
  }

  #decodeItems(items: Uint8Array, into: Uint8Array): void {
    let from = items;
    for (let i = this.#arrayCodecs.length - 1; i >= 0; i--) {
      const to = i === 0 ? into : new Uint8Array(this.numBytes);
      this.#arrayCodecs[i]!.decode(from, to);
      from = to;
    }
  }

  async encode(items: Uint8Array): Promise<Uint8Array> {
    let bytes = items;
    for (const codec of this.#arrayCodecs) {
      const to = new Uint8Array(this.numBytes);
      codec.encode(bytes, to);
      bytes = to;
    }
    if (this.#turned > 1) {
      if (bytes === items) bytes = items.slice();
      turnBytes(bytes, this.#turned);
    }
    for (const codec of this.#bytesCodecs) bytes = await codec.encode(bytes);
    return bytes;
  }
}
