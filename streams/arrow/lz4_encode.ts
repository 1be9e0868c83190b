/**
 * Writing the LZ4 frame format, with a plain greedy matcher.
 * Format: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md.
 *
 * @module
 */

import { xxh32 } from "./xxh32.ts";

const magic = 0x184d2204;
const minMatch = 4;
/** A block ends with literals: no match begins in its last 12 bytes or reaches its last 5. */
const lastMatchStart = 12;
const lastLiterals = 5;
const maxDistance = 65535;
const maxBlockBytes = 4 << 20;
const hashBits = 14;
/** Version 1, independent blocks, a checksum of the content; blocks of at most 4 MiB. */
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

/** Compresses a block; gives its size, or undefined where it does not fit into `output`. */
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
      // Input that does not compress is crossed in growing steps.
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

/** Writes literals and a match; a distance of 0 stands for the last sequence, which has none. */
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

/** Writes what a length exceeds the 15 of its token by. */
function putLength(output: Uint8Array, start: number, length: number): number {
  let to = start;
  if (length < 15) return to;
  let rest = length - 15;
  for (; rest >= 255; rest -= 255) output[to++] = 255;
  output[to++] = rest;
  return to;
}
