/**
 * Compressed buffers: zstd from the runtime, LZ4 from `lz4.ts`.
 *
 * @module
 */

import { BrokenPartError } from "../../../base/errors/data_error.ts";
import { CompressionType } from "apache-arrow";
import { decodeLz4, encodeLz4, magic as lz4Magic } from "../../bytes/codecs/lz4.ts";
import { magic as zstdMagic, zstdCodec } from "../../bytes/codecs/zstd.ts";

/** The compression of the buffers of an Arrow file. */
export type ArrowCompression = "none" | "zstd" | "lz4";

/** Compresses and decompresses whole buffers. */
export interface BufferCodec {
  readonly type: CompressionType;
  /** The first four bytes of every compressed frame, as a little-endian number. */
  readonly magic: number;
  encode(bytes: Uint8Array): Uint8Array;
  /** Throws if the content is not `numBytes` long, and never allocates more than that. */
  decode(bytes: Uint8Array, numBytes: number): Uint8Array<ArrayBuffer>;
}

/** The prefix of a compressed buffer: its uncompressed length, or -1 if it is stored raw. */
const prefixBytes = 8;
const storedRaw = -1n;

/** Returns the codec of a compression type; undefined if the type is unknown. */
export async function bufferCodec(type: CompressionType): Promise<BufferCodec | undefined> {
  switch (type) {
    case CompressionType.LZ4_FRAME:
      return { type, magic: lz4Magic, encode: encodeLz4, decode: decodeLz4 };
    case CompressionType.ZSTD:
      return { type, magic: zstdMagic, ...await zstdCodec() };
    default:
      return undefined;
  }
}

/**
 * Compresses a buffer, and adds its prefix. Never stores a buffer raw, even if that is shorter:
 * Polars rejects 16-byte values that the prefix misaligns.
 */
export function compressBuffer(codec: BufferCodec, bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return bytes;
  const compressed = codec.encode(bytes);
  const buffer = new Uint8Array(prefixBytes + compressed.length);
  new DataView(buffer.buffer).setBigInt64(0, BigInt(bytes.length), true);
  buffer.set(compressed, prefixBytes);
  return buffer;
}

/**
 * Whether a buffer that claims to be stored raw begins like a compressed frame: either its length
 * is damaged, or its values happen to begin so.
 */
export function isRawFrame({ magic }: BufferCodec, buffer: Uint8Array): boolean {
  if (buffer.length < prefixBytes + 4) return false;
  const view = new DataView(buffer.buffer, buffer.byteOffset);
  return view.getBigInt64(0, true) === storedRaw && view.getUint32(prefixBytes, true) === magic;
}

export function decompressBuffer(codec: BufferCodec, buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  if (buffer.length === 0) return new Uint8Array(0);
  if (buffer.length < prefixBytes) {
    throw new BrokenPartError("a compressed buffer without its length");
  }
  const numBytes = new DataView(buffer.buffer, buffer.byteOffset).getBigInt64(0, true);
  const content = buffer.subarray(prefixBytes);
  if (numBytes === storedRaw) return content.slice();
  if (numBytes < 0n) throw new BrokenPartError(`a compressed buffer of ${numBytes} bytes`);
  return numBytes === 0n ? new Uint8Array(0) : codec.decode(content, Number(numBytes));
}
