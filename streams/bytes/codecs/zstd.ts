/**
 * zstd with the codec of the runtime, and a parser that measures frames (RFC 8878).
 *
 * @module
 */

import { BrokenPartError } from "../../../base/errors/data_error.ts";

/**
 * Longer buffers are written as several frames, since the runtime counts the bytes of one call in 32
 * bits. Readers concatenate frames, as libzstd does. A single frame is better: its content is not
 * copied.
 */
const defaultFrames: FrameLimits = { maxFrameBytes: 3 * 2 ** 30, frameBytes: 2 ** 30 };
/** Limits of the runtime's output chunk size: 64 bytes to nearly 4 GiB. */
const minChunkBytes = 64;
const maxChunkBytes = 2 ** 32 - 65536;

/** Compresses and decompresses whole buffers. */
interface ZstdCodec {
  encode(bytes: Uint8Array): Uint8Array;
  decode(bytes: Uint8Array, numBytes: number): Uint8Array<ArrayBuffer>;
}

/** The rule for splitting a buffer into several frames. */
interface FrameLimits {
  /** Maximum bytes of a buffer written as one frame. */
  readonly maxFrameBytes: number;
  /** Content bytes per frame of a longer buffer. */
  readonly frameBytes: number;
}

export async function zstdCodec(limits: FrameLimits = defaultFrames): Promise<ZstdCodec> {
  const { maxFrameBytes, frameBytes } = limits;
  // Imported lazily: browsers have no such module.
  const { constants, zstdCompressSync, zstdDecompressSync } = await import("node:zlib");
  // With a checksum, readers detect every corrupt byte, and are no slower.
  const params = { [constants.ZSTD_c_checksumFlag]: 1 };
  const encodeFrame = (part: Uint8Array) => zstdCompressSync(part, { params });
  const decodeFrame: DecodeFrame = (frame, chunkSize, maxOutputLength) =>
    inOurWords(() => zstdDecompressSync(frame, { chunkSize, maxOutputLength }));
  return {
    encode(bytes) {
      if (bytes.length <= maxFrameBytes) return encodeFrame(bytes);
      const numFrames = Math.ceil(bytes.length / frameBytes);
      return joined(
        Array.from(
          { length: numFrames },
          (_, i) => encodeFrame(bytes.subarray(i * frameBytes, (i + 1) * frameBytes)),
        ),
      );
    },
    decode: (bytes, numBytes) => decodeFrames(bytes, numBytes, decodeFrame),
  };
}

/** Runs the codec; its failures become errors about the frame. */
function inOurWords<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    const isSum = (error as { code?: string }).code === "ZSTD_error_checksum_wrong";
    const what = isSum ? "a zstd frame whose checksum is another" : "a corrupt zstd frame";
    throw new BrokenPartError(what, { cause: error });
  }
}

type DecodeFrame = (frame: Uint8Array, chunkBytes: number, maxBytes: number) => Uint8Array;

function decodeFrames(
  bytes: Uint8Array,
  numBytes: number,
  decodeFrame: DecodeFrame,
): Uint8Array<ArrayBuffer> {
  const frames = framesIn(bytes);
  const most = frames.reduce((sum, { maxContentBytes }) => sum + maxContentBytes, 0);
  // Check the claimed size against what the frames can hold before allocating it.
  if (numBytes > most) {
    throw new BrokenPartError(`zstd data holds less than the ${numBytes} bytes claimed`);
  }
  const decode = ({ content, maxContentBytes }: LocatedFrame, left: number) => {
    // Output of the expected size arrives as one chunk, without concatenation.
    const expected = Math.min(left, maxContentBytes, maxChunkBytes);
    return decodeFrame(content, Math.max(minChunkBytes, expected), Math.max(minChunkBytes, left));
  };
  if (frames.length === 1) return alone(checked(decode(frames[0]!, numBytes), numBytes));
  const output = new Uint8Array(numBytes);
  let position = 0;
  for (const frame of frames) {
    const content = decode(frame, numBytes - position);
    if (content.length > numBytes - position) break;
    output.set(content, position);
    position += content.length;
  }
  return checked(output.subarray(0, position), numBytes);
}

interface LocatedFrame extends ZstdFrame {
  readonly content: Uint8Array;
}

/** Returns the frames that are not empty. */
function framesIn(bytes: Uint8Array): LocatedFrame[] {
  const frames: LocatedFrame[] = [];
  for (let position = 0; position < bytes.length;) {
    const frame = measureFrame(bytes.subarray(position));
    if (frame.numBytes >= 2 ** 32) {
      throw new BrokenPartError(
        `a zstd frame of ${frame.numBytes} bytes, but at most 4 GiB can be read`,
      );
    }
    // The runtime sometimes appends an empty frame.
    if (frame.maxContentBytes > 0) {
      frames.push({ ...frame, content: bytes.subarray(position, position + frame.numBytes) });
    }
    position += frame.numBytes;
  }
  return frames;
}

function checked<T extends Uint8Array>(content: T, numBytes: number): T {
  if (content.length === numBytes) return content;
  throw new BrokenPartError(`zstd data does not hold the ${numBytes} bytes claimed`);
}

/** Copies bytes out of the runtime's buffer pool, where they may be unaligned. */
function alone(pooled: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = pooled;
  const isAlone = byteOffset % 8 === 0 && buffer.byteLength === length;
  return isAlone ? new Uint8Array(buffer as ArrayBuffer, byteOffset) : new Uint8Array(pooled);
}

function joined(frames: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(frames.reduce((sum, { length }) => sum + length, 0));
  let position = 0;
  for (const frame of frames) {
    bytes.set(frame, position);
    position += frame.length;
  }
  return bytes;
}

/** The first four bytes of a frame, as a little-endian word. */
export const magic = 0xfd2fb528;
const maxBlockBytes = 128 << 10;

interface ZstdFrame {
  /** Compressed size. */
  readonly numBytes: number;
  /** Upper bound of the content size, from the block sizes. */
  readonly maxContentBytes: number;
}

/** Measures the frame at the beginning of `bytes`, without decompressing it. */
export function measureFrame(bytes: Uint8Array): ZstdFrame {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 6 || view.getUint32(0, true) !== magic) {
    throw new BrokenPartError("not a zstd frame");
  }
  const descriptor = bytes[4]!;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const hasChecksum = (descriptor & 0x04) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  let position = 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes;
  let maxContentBytes = 0;
  for (let isLast = false; !isLast;) {
    if (position + 3 > bytes.length) throw new BrokenPartError("a truncated zstd frame");
    const header = bytes[position]! | (bytes[position + 1]! << 8) | (bytes[position + 2]! << 16);
    isLast = (header & 1) !== 0;
    const type = (header >> 1) & 3;
    const size = header >> 3;
    // A block is raw, one byte repeated, or compressed; there is no fourth type.
    if (type === 3) throw new BrokenPartError("a corrupt zstd frame");
    position += 3 + (type === 1 ? 1 : size);
    maxContentBytes += type === 2 ? maxBlockBytes : size;
  }
  position += hasChecksum ? 4 : 0;
  if (position > bytes.length) throw new BrokenPartError("a truncated zstd frame");
  return { numBytes: position, maxContentBytes };
}
