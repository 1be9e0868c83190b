/**
 * The codec "crc32c": a checksum of four bytes behind the bytes (RFC 3720).
 *
 * @module
 */

import type { BytesCodec } from "./codec.ts";

const sumBytes = 4;

/** Appends the checksum; verifies it where it decodes. */
export const crc32cCodec: BytesCodec = {
  isFixed: true,
  encodedBytes: (numBytes) => numBytes + sumBytes,
  decodeScratch: () => 0,
  encodeScratch: () => 0,
  encode(bytes, room) {
    const encoded = room.subarray(0, bytes.length + sumBytes);
    encoded.set(bytes);
    viewOf(encoded).setUint32(bytes.length, crc32c(bytes), true);
    return encoded;
  },
  decode(bytes, into) {
    const numBytes = bytes.length - sumBytes;
    if (numBytes < 0) throw new Error(`has ${bytes.length} bytes, fewer than a checksum`);
    if (numBytes > into.length) throw new Error(`decodes to more than ${into.length} bytes`);
    const content = bytes.subarray(0, numBytes);
    if (crc32c(content) !== viewOf(bytes).getUint32(numBytes, true)) {
      throw new Error("has another checksum than its bytes");
    }
    into.set(content);
    return numBytes;
  },
};

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Castagnoli's polynomial, its bits reversed. */
const polynomial = 0x82f63b78;
/** Sums of a byte with 0 to 7 zeros behind it: eight bytes at a time, after Intel (Kounavis, Berry 2005). */
let tables: Int32Array | undefined;

function sumTables(): Int32Array {
  const sums = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let sum = byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? polynomial : 0);
    sums[byte] = sum;
  }
  for (let at = 256; at < sums.length; at++) {
    const before = sums[at - 256]!;
    sums[at] = (before >>> 8) ^ sums[before & 0xff]!;
  }
  return sums;
}

/** The checksum of bytes. */
function crc32c(bytes: Uint8Array): number {
  const sums = tables ??= sumTables();
  let sum = -1;
  let at = 0;
  for (const stop = bytes.length - 7; at < stop; at += 8) {
    sum ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    sum = sums[0x700 + (sum & 0xff)]! ^ sums[0x600 + ((sum >>> 8) & 0xff)]! ^
      sums[0x500 + ((sum >>> 16) & 0xff)]! ^ sums[0x400 + (sum >>> 24)]! ^
      sums[0x300 + bytes[at + 4]!]! ^ sums[0x200 + bytes[at + 5]!]! ^
      sums[0x100 + bytes[at + 6]!]! ^ sums[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) sum = (sum >>> 8) ^ sums[(sum ^ bytes[at]!) & 0xff]!;
  return ~sum >>> 0;
}
