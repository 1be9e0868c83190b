/**
 * MurmurHash3_x86_32 with big integers, after the description of its author, Austin Appleby.
 *
 * @module
 */

const WORD = 2n ** 32n;

/** The hash of bytes, an integer without a sign. */
export function murmur3(bytes: Uint8Array, seed: number): number {
  const numBlocks = Math.floor(bytes.length / 4);
  let hash = BigInt(seed);
  for (let block = 0; block < numBlocks; block++) {
    hash ^= scrambled(littleEndian(bytes.subarray(4 * block, 4 * block + 4)));
    hash = (turned(hash, 13n) * 5n + 0xe6546b64n) % WORD;
  }
  hash ^= scrambled(littleEndian(bytes.subarray(4 * numBlocks)));
  hash ^= BigInt(bytes.length);
  hash = ((hash ^ (hash >> 16n)) * 0x85ebca6bn) % WORD;
  hash = ((hash ^ (hash >> 13n)) * 0xc2b2ae35n) % WORD;
  return Number(hash ^ (hash >> 16n));
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function scrambled(word: bigint): bigint {
  return (turned((word * 0xcc9e2d51n) % WORD, 15n) * 0x1b873593n) % WORD;
}

function turned(word: bigint, bits: bigint): bigint {
  return ((word << bits) | (word >> (32n - bits))) % WORD;
}
