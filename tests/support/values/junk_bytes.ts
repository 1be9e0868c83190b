/** Bytes that nobody may look at, and buffers with such bytes around others. */

import type { SeededRandom } from "../random/seeded_random.ts";

/** Which bytes: those of ASCII, or any, most of which are not UTF-8. */
export type JunkKind = "ascii" | "any";

/** Bytes that end in the middle of a character, or begin there. */
const TORN = [[0xc3], [0xe2, 0x82], [0xf0, 0x9d, 0x84], [0x80], [0xbf, 0xbf], [0xff], [0xed, 0xa0]];

/**
 * Bytes at random: all alike, pieces of the text `own` that rows have (a search may find its needle
 * in them), or anything, at times with half a character at both ends.
 */
export function junkBytes(
  random: SeededRandom,
  size: number,
  kind: JunkKind = "any",
  own: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const most = kind === "ascii" ? 0x80 : 0x100;
  const bytes = new Uint8Array(size);
  const style = random.below(4);
  if (style === 0) {
    bytes.fill(kind === "ascii" ? random.below(most) : random.pick([0, 0x80, 0xbf, 0xff]));
  } else if (style === 1 && own.length > 0) {
    const from = random.below(own.length);
    for (let i = 0; i < size; i++) bytes[i] = own[(from + i) % own.length]! & (most - 1);
  } else {
    for (let i = 0; i < size; i++) bytes[i] = random.below(most);
  }
  if (kind === "any" && random.chance(0.5)) {
    const torn = random.pick(TORN).slice(0, size);
    bytes.set(torn, random.chance(0.5) ? 0 : size - torn.length);
  }
  return bytes;
}

/** The same bytes at a place in a larger buffer, `place` counted from a multiple of 16. */
export function placed(random: SeededRandom, bytes: Uint8Array, place: number): Uint8Array {
  const start = place + 16 * random.below(2);
  // At times the buffer ends with them: a read of a word too many then fails.
  const behind = random.chance(0.3) ? 0 : random.below(20);
  const buffer = junkBytes(random, start + bytes.length + behind);
  buffer.set(bytes, start);
  return buffer.subarray(start, start + bytes.length);
}
