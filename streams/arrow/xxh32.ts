/**
 * The checksum of LZ4 frames: xxHash of 32 bits
 * (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md).
 *
 * @module
 */

const prime1 = 0x9e3779b1;
const prime2 = 0x85ebca77;
const prime3 = 0xc2b2ae3d;
const prime4 = 0x27d4eb2f;
const prime5 = 0x165667b1;

/** The hash of the bytes with the seed 0, as an unsigned integer. */
export function xxh32(bytes: Uint8Array): number {
  const { length } = bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  let position = 0;
  let hash = prime5;
  if (length >= 16) {
    let a = (prime1 + prime2) | 0;
    let b = prime2 | 0;
    let c = 0;
    let d = -prime1 | 0;
    for (const last = length - 16; position <= last; position += 16) {
      a = round(a, view.getInt32(position, true));
      b = round(b, view.getInt32(position + 4, true));
      c = round(c, view.getInt32(position + 8, true));
      d = round(d, view.getInt32(position + 12, true));
    }
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  }
  hash = (hash + length) | 0;
  for (; position + 4 <= length; position += 4) {
    hash = (hash + Math.imul(view.getInt32(position, true), prime3)) | 0;
    hash = Math.imul(rotate(hash, 17), prime4);
  }
  for (; position < length; position++) {
    hash = (hash + Math.imul(view.getUint8(position), prime5)) | 0;
    hash = Math.imul(rotate(hash, 11), prime1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), prime2);
  hash = Math.imul(hash ^ (hash >>> 13), prime3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function round(lane: number, word: number): number {
  return Math.imul(rotate((lane + Math.imul(word, prime2)) | 0, 13), prime1);
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
