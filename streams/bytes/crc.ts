/**
 * Checksums of 32 bits by cyclic redundancy, eight bytes at a time, after Intel (Kounavis, Berry 2005).
 *
 * @module
 */

/** Computes the checksum of bytes. */
type Checksum = (bytes: Uint8Array) => number;

/** The checksum of gzip, PNG and Parquet. */
export const crc32: Checksum = checksumOf(0xedb88320);
/** Castagnoli's checksum (RFC 3720). */
export const crc32c: Checksum = checksumOf(0x82f63b78);

/** The number of bytes from which loading a routine that is 20 times as fast saves time. */
const manyBytes = 8 << 20;
let summedBytes = 0;
let host: Checksum | undefined;

/** Returns `crc32`, or the routine of the host if `numBytes` more bytes make it worth loading. */
export async function crc32For(numBytes: number): Promise<Checksum> {
  summedBytes += numBytes;
  if (summedBytes < manyBytes) return crc32;
  return host ??= (await import("node:zlib")).crc32;
}

/** Returns the checksum function of a polynomial, whose bits are reversed. */
function checksumOf(polynomial: number): Checksum {
  let tables: Int32Array | undefined;
  return (bytes) => sumOf(bytes, tables ??= sumTables(polynomial));
}

/** Returns the sums of each byte with 0 to 7 zeros after it. */
function sumTables(polynomial: number): Int32Array {
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

function sumOf(bytes: Uint8Array, sums: Int32Array): number {
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
