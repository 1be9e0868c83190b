/**
 * The zstd frame format (RFC 8878), as far as it tells how long frames are.
 *
 * @module
 */

const magic = 0xfd2fb528;
const maxBlockBytes = 128 << 10;

/** A frame. */
export interface ZstdFrame {
  /** Bytes of the frame. */
  readonly numBytes: number;
  /** Bytes of its content at most, from the sizes of its blocks. */
  readonly maxContentBytes: number;
}

/** Measures the frame at the beginning of `bytes`, without decompressing it. */
export function measureFrame(bytes: Uint8Array): ZstdFrame {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 6 || view.getUint32(0, true) !== magic) throw new Error("not a zstd frame");
  const descriptor = bytes[4]!;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const hasChecksum = (descriptor & 0x04) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  let position = 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes;
  let maxContentBytes = 0;
  for (let isLast = false; !isLast;) {
    if (position + 3 > bytes.length) throw new Error("a truncated zstd frame");
    const header = bytes[position]! | (bytes[position + 1]! << 8) | (bytes[position + 2]! << 16);
    isLast = (header & 1) !== 0;
    const type = (header >> 1) & 3;
    const size = header >> 3;
    // A block is raw, one byte repeated, or compressed; there is no fourth type.
    if (type === 3) throw new Error("a corrupt zstd frame");
    position += 3 + (type === 1 ? 1 : size);
    maxContentBytes += type === 2 ? maxBlockBytes : size;
  }
  position += hasChecksum ? 4 : 0;
  if (position > bytes.length) throw new Error("a truncated zstd frame");
  return { numBytes: position, maxContentBytes };
}
