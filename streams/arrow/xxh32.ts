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

/** Bytes are taken in pieces, so that positions are small integers. */
const pieceBytes = 1 << 26;

/** The hash of the bytes with the seed 0, as an unsigned integer. */
export function xxh32(bytes: Uint8Array): number {
  const numStriped = bytes.length - bytes.length % 16;
  const lanes = Int32Array.of(prime1 + prime2, prime2, 0, -prime1);
  for (let start = 0; start < numStriped; start += pieceBytes) {
    addStripes(lanes, bytes.subarray(start, Math.min(numStriped, start + pieceBytes)));
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

/** Adds bytes, a multiple of 16, to the four lanes. */
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
