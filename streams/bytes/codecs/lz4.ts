/**
 * Reads and writes the LZ4 frame format, with a plain greedy matcher and xxHash checksums.
 * Format: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md.
 *
 * @module
 */

import { BrokenPartError } from "../../../base/errors/data_error.ts";

/** The first four bytes of a frame, as a little-endian word. */
export const magic = 0x184d2204;
const minMatch = 4;
const maxDistance = 65535;
/** Maximum expansion: content bytes per byte of a block. */
const maxRatio = 255;
/** Maximum block sizes by the three bits in the frame descriptor. */
const blockBytesOf = [0, 0, 0, 0, 64 << 10, 256 << 10, 1 << 20, 4 << 20];

interface FrameHeader {
  /** Length of the header. */
  readonly numBytes: number;
  readonly hasBlockChecksums: boolean;
  readonly hasContentChecksum: boolean;
  readonly maxBlockBytes: number;
}

/** Decompresses a frame with `numBytes` bytes of content, and verifies every checksum. */
export function decodeLz4(frame: Uint8Array, numBytes: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const header = readHeader(frame, view);
  // Check the claimed size against the maximum expansion before allocating it.
  if (numBytes > maxRatio * frame.length) {
    throw new BrokenPartError("an LZ4 frame shorter than its content");
  }
  const output = new Uint8Array(numBytes);
  let written = 0;
  let position = header.numBytes;
  const word = () => {
    if (position + 4 > frame.length) throw new BrokenPartError("a truncated LZ4 frame");
    position += 4;
    return view.getUint32(position - 4, true);
  };
  for (let size; (size = word()) !== 0;) {
    const blockBytes = size & 0x7fffffff;
    const block = frame.subarray(position, position + blockBytes);
    if (block.length < blockBytes) throw new BrokenPartError("a truncated LZ4 frame");
    position += blockBytes;
    if (header.hasBlockChecksums && word() !== xxh32(block)) throw wrongSum("block");
    const isStored = size >>> 31 === 1;
    // Only what a block may write and refer to, so that positions in it are small integers.
    const base = Math.max(0, written - maxDistance);
    const window = output.subarray(base, written + header.maxBlockBytes);
    written = base + (isStored ? copyBlock : decodeLz4Block)(block, window, written - base);
  }
  if (written !== numBytes) {
    throw new BrokenPartError(
      "an LZ4 frame whose length differs from the one that its buffer states",
    );
  }
  if (header.hasContentChecksum && word() !== xxh32(output)) throw wrongSum("frame");
  return output;
}

function readHeader(frame: Uint8Array, view: DataView): FrameHeader {
  if (frame.length < 7 || view.getUint32(0, true) !== magic) {
    throw new BrokenPartError("not an LZ4 frame");
  }
  const flags = frame[4]!;
  if (flags >> 6 !== 1) throw new BrokenPartError("an LZ4 frame of an unknown version");
  if ((flags & 0x01) !== 0) throw new BrokenPartError("an LZ4 frame that needs a dictionary");
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
  return new BrokenPartError(`an LZ4 ${part} whose checksum is another`);
}

function copyBlock(block: Uint8Array, output: Uint8Array, start: number): number {
  if (start + block.length > output.length) overrun();
  output.set(block, start);
  return start + block.length;
}

/** Decompresses a block into `output` from `start` on; matches may refer to earlier blocks. */
export function decodeLz4Block(block: Uint8Array, output: Uint8Array, start: number): number {
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
  throw new BrokenPartError("a corrupt LZ4 block");
}

/** A block ends with literals: no match starts in its last 12 bytes or extends into its last 5. */
const lastMatchStart = 12;
const lastLiterals = 5;
const maxBlockBytes = 4 << 20;
const hashBits = 14;
/** Version 1, independent blocks of at most 4 MiB, content checksum. */
const descriptor = Uint8Array.of(0x64, 0x70);

/** Compresses into one frame of independent blocks. */
export function encodeLz4(input: Uint8Array): Uint8Array {
  const numBlocks = Math.ceil(input.length / maxBlockBytes);
  const frame = new Uint8Array(11 + input.length + numBlocks * 4 + 16);
  const view = new DataView(frame.buffer);
  view.setUint32(0, magic, true);
  frame.set(descriptor, 4);
  frame[6] = (xxh32(descriptor) >> 8) & 0xff;
  let position = 7;
  for (let start = 0; start < input.length; start += maxBlockBytes) {
    const block = input.subarray(start, start + maxBlockBytes);
    const numBytes = encodeBlock(
      block,
      frame.subarray(position + 4, position + 4 + block.length - 1),
    );
    if (numBytes === undefined) {
      view.setUint32(position, (block.length | 0x80000000) >>> 0, true);
      frame.set(block, position + 4);
      position += 4 + block.length;
    } else {
      view.setUint32(position, numBytes, true);
      position += 4 + numBytes;
    }
  }
  view.setUint32(position, 0, true);
  view.setUint32(position + 4, xxh32(input), true);
  return frame.subarray(0, position + 8);
}

/** Compresses a block; returns its size, or undefined if it does not fit into `output`. */
function encodeBlock(input: Uint8Array, output: Uint8Array): number | undefined {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const lastSeen = new Int32Array(1 << hashBits).fill(-1);
  let to = 0;
  let literalStart = 0;
  let misses = 0;
  for (let at = 0; at < input.length - lastMatchStart;) {
    const word = view.getInt32(at, true);
    const slot = Math.imul(word, 0x9e3779b1) >>> (32 - hashBits);
    const candidate = lastSeen[slot]!;
    lastSeen[slot] = at;
    if (candidate < 0 || at - candidate > maxDistance || view.getInt32(candidate, true) !== word) {
      // Skip incompressible input in growing steps.
      at += 1 + (misses++ >> 6);
      continue;
    }
    misses = 0;
    let length = minMatch;
    const limit = input.length - lastLiterals - at;
    while (length < limit && input[candidate + length] === input[at + length]) length++;
    const next = putSequence(output, to, input.subarray(literalStart, at), at - candidate, length);
    if (next === undefined) return undefined;
    to = next;
    at += length;
    literalStart = at;
  }
  return putSequence(output, to, input.subarray(literalStart), 0, minMatch);
}

/** Writes literals and a match; distance 0 marks the last sequence, which has no match. */
function putSequence(
  output: Uint8Array,
  start: number,
  literals: Uint8Array,
  distance: number,
  length: number,
): number | undefined {
  const matchCode = length - minMatch;
  const worst = 1 + literals.length / 255 + literals.length + 3 + matchCode / 255 + 1;
  if (start + worst > output.length) return undefined;
  let to = start;
  output[to++] = (Math.min(literals.length, 15) << 4) | Math.min(matchCode, 15);
  to = putLength(output, to, literals.length);
  output.set(literals, to);
  to += literals.length;
  if (distance === 0) return to;
  output[to++] = distance & 255;
  output[to++] = distance >> 8;
  return putLength(output, to, matchCode);
}

/** Writes the excess of a length over the 15 in its token. */
function putLength(output: Uint8Array, start: number, length: number): number {
  let to = start;
  if (length < 15) return to;
  let rest = length - 15;
  for (; rest >= 255; rest -= 255) output[to++] = 255;
  output[to++] = rest;
  return to;
}

const prime1 = 0x9e3779b1;
const prime2 = 0x85ebca77;
const prime3 = 0xc2b2ae3d;
const prime4 = 0x27d4eb2f;
const prime5 = 0x165667b1;

/** Input is hashed in slices, so that positions are small integers. */
const sliceBytes = 1 << 26;

/** Returns the xxHash32 of `bytes` with seed 0, unsigned. */
export function xxh32(bytes: Uint8Array): number {
  const numStriped = bytes.length - bytes.length % 16;
  const lanes = Int32Array.of(prime1 + prime2, prime2, 0, -prime1);
  for (let start = 0; start < numStriped; start += sliceBytes) {
    addStripes(lanes, bytes.subarray(start, Math.min(numStriped, start + sliceBytes)));
  }
  const [a, b, c, d] = lanes as unknown as [number, number, number, number];
  let hash = bytes.length < 16
    ? prime5
    : rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  hash = (hash + bytes.length) | 0;
  const rest = bytes.subarray(numStriped);
  const view = new DataView(rest.buffer, rest.byteOffset, rest.length);
  let position = 0;
  for (; position + 4 <= rest.length; position += 4) {
    hash = (hash + Math.imul(view.getInt32(position, true), prime3)) | 0;
    hash = Math.imul(rotate(hash, 17), prime4);
  }
  for (; position < rest.length; position++) {
    hash = (hash + Math.imul(rest[position]!, prime5)) | 0;
    hash = Math.imul(rotate(hash, 11), prime1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), prime2);
  hash = Math.imul(hash ^ (hash >>> 13), prime3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Adds bytes, a multiple of 16, to the four accumulators. */
function addStripes(lanes: Int32Array, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [a, b, c, d] = lanes as unknown as [number, number, number, number];
  for (let position = 0; position < bytes.length; position += 16) {
    a = round(a, view.getInt32(position, true));
    b = round(b, view.getInt32(position + 4, true));
    c = round(c, view.getInt32(position + 8, true));
    d = round(d, view.getInt32(position + 12, true));
  }
  lanes.set([a, b, c, d]);
}

function round(lane: number, word: number): number {
  return Math.imul(rotate((lane + Math.imul(word, prime2)) | 0, 13), prime1);
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
