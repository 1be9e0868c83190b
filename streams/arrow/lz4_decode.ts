/**
 * Reading the LZ4 frame format.
 * Format: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md.
 *
 * @module
 */

import { xxh32 } from "./xxh32.ts";

const magic = 0x184d2204;
const minMatch = 4;
const maxDistance = 65535;
/** A byte of a block stands for this many bytes at most. */
const maxRatio = 255;
/** Blocks of a frame by the three bits of its descriptor that say how large they may be. */
const blockBytesOf = [0, 0, 0, 0, 64 << 10, 256 << 10, 1 << 20, 4 << 20];

/** What stands before the blocks of a frame. */
interface FrameHeader {
  /** Bytes of the header. */
  readonly numBytes: number;
  readonly hasBlockChecksums: boolean;
  readonly hasContentChecksum: boolean;
  readonly maxBlockBytes: number;
}

/** Decompresses a frame whose content has `numBytes` bytes. Every checksum is compared. */
export function decodeLz4(frame: Uint8Array, numBytes: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const header = readHeader(frame, view);
  // What is claimed is not asked for before it is known that the frame may hold it.
  if (numBytes > maxRatio * frame.length) throw new Error("an LZ4 frame shorter than its content");
  const output = new Uint8Array(numBytes);
  let written = 0;
  let position = header.numBytes;
  const word = () => {
    if (position + 4 > frame.length) throw new Error("a truncated LZ4 frame");
    position += 4;
    return view.getUint32(position - 4, true);
  };
  for (let size; (size = word()) !== 0;) {
    const blockBytes = size & 0x7fffffff;
    const block = frame.subarray(position, position + blockBytes);
    if (block.length < blockBytes) throw new Error("a truncated LZ4 frame");
    position += blockBytes;
    if (header.hasBlockChecksums && word() !== xxh32(block)) throw wrongSum("block");
    const isStored = size >>> 31 === 1;
    // What a block may write and refer to, no more, so that positions in it are small integers.
    const base = Math.max(0, written - maxDistance);
    const window = output.subarray(base, written + header.maxBlockBytes);
    written = base + (isStored ? copyBlock : decodeBlock)(block, window, written - base);
  }
  if (written !== numBytes) throw new Error("an LZ4 frame of another length than its buffer says");
  if (header.hasContentChecksum && word() !== xxh32(output)) throw wrongSum("frame");
  return output;
}

function readHeader(frame: Uint8Array, view: DataView): FrameHeader {
  if (frame.length < 7 || view.getUint32(0, true) !== magic) throw new Error("not an LZ4 frame");
  const flags = frame[4]!;
  if (flags >> 6 !== 1) throw new Error("an LZ4 frame of an unknown version");
  if ((flags & 0x01) !== 0) throw new Error("an LZ4 frame that needs a dictionary");
  const hasContentSize = (flags & 0x08) !== 0;
  const numBytes = hasContentSize ? 15 : 7;
  const sum = (xxh32(frame.subarray(4, numBytes - 1)) >> 8) & 0xff;
  if (frame[numBytes - 1] !== sum) throw wrongSum("header");
  const maxBlockBytes = blockBytesOf[(frame[5]! >> 4) & 7]!;
  return {
    numBytes,
    hasBlockChecksums: (flags & 0x10) !== 0,
    hasContentChecksum: (flags & 0x04) !== 0,
    maxBlockBytes,
  };
}

function wrongSum(part: string): Error {
  return new Error(`an LZ4 ${part} whose checksum is another`);
}

function copyBlock(block: Uint8Array, output: Uint8Array, start: number): number {
  if (start + block.length > output.length) overrun();
  output.set(block, start);
  return start + block.length;
}

/** Decompresses a block behind what was written; matches may reach back into earlier blocks. */
function decodeBlock(block: Uint8Array, output: Uint8Array, start: number): number {
  let to = start;
  for (let from = 0; from < block.length;) {
    const token = block[from++]!;
    let literals = token >> 4;
    if (literals === 15) {
      let more: number;
      do literals += more = block[from++] ?? overrun(); while (more === 255);
    }
    if (from + literals > block.length || to + literals > output.length) overrun();
    if (literals > 16) output.set(block.subarray(from, from + literals), to);
    else for (let i = 0; i < literals; i++) output[to + i] = block[from + i]!;
    from += literals;
    to += literals;
    if (from === block.length) break;
    const distance = (block[from] ?? overrun()) | ((block[from + 1] ?? overrun()) << 8);
    from += 2;
    let length = (token & 15) + minMatch;
    if ((token & 15) === 15) {
      let more: number;
      do length += more = block[from++] ?? overrun(); while (more === 255);
    }
    if (distance === 0 || distance > to || to + length > output.length) overrun();
    if (distance >= length) output.copyWithin(to, to - distance, to - distance + length);
    else for (let i = 0; i < length; i++) output[to + i] = output[to + i - distance]!;
    to += length;
  }
  return to;
}

function overrun(): never {
  throw new Error("a corrupt LZ4 block");
}
