/**
 * Searches for bytes in the text of a column.
 *
 * @module
 */

/** The bytes after a row that a search reads: what it finds there also answers for later rows. */
const LOOK_AHEAD = 4096;
/** The most bytes that one search compares without a match, besides `FREE_BYTES` at each place. */
const MAX_WASTED = 4096;
const FREE_BYTES = 8;

/**
 * Finds the next place of a needle, over the rows of a column as if they were one text: a rare
 * needle is searched for once in a while, not once a row.
 *
 * Tries the starts from `at` on, at least up to `last`, in text that stops at `end`. Returns the
 * first place, or else the complement (`~`) of the first start that was not tried. Compares four
 * bytes at a time: the first two of the needle, which has two or more, then the rest.
 */
export function seekBytes(
  text: DataView,
  at: number,
  last: number,
  end: number,
  needle: readonly number[],
): number {
  const ahead = Math.max(last, at + Math.max(LOOK_AHEAD, needle.length));
  const stop = Math.min(end - needle.length, ahead) + 1;
  let wasted = 0;
  for (let next = at; next < stop; next++) {
    next = seekPair(text, next, stop, needle[0] as number, needle[1] as number);
    if (next < 0) return next;
    const same = sameBytes(text, next, needle);
    if (same === needle.length) return next;
    wasted = Math.max(0, wasted + same - FREE_BYTES);
    if (wasted > MAX_WASTED) return seekLinear(text, next + 1, stop, needle);
  }
  return ~Math.max(at, stop);
}

/** Returns the number of equal bytes at a place where the first two bytes of a needle match. */
function sameBytes(text: DataView, at: number, needle: readonly number[]): number {
  let index = 2;
  while (index < needle.length && text.getUint8(at + index) === needle[index]) index++;
  return index;
}

/**
 * Tries the starts before `stop` in linear time, whatever the needle repeats (D. Knuth, J. Morris
 * and V. Pratt, Fast pattern matching in strings, 1977).
 */
function seekLinear(
  text: DataView,
  from: number,
  stop: number,
  needle: readonly number[],
): number {
  const borders = bordersOf(needle);
  let same = 0;
  for (let at = from; at - same < stop; at++) {
    const byte = text.getUint8(at);
    while (same > 0 && needle[same] !== byte) same = borders[same] as number;
    if (needle[same] === byte) same++;
    if (same === needle.length) return at + 1 - same;
  }
  return ~Math.max(from, stop);
}

/**
 * Returns, for each prefix of a needle, the length of its longest proper prefix that is also its
 * suffix.
 */
function bordersOf(needle: readonly number[]): Int32Array {
  const borders = new Int32Array(needle.length + 1);
  let same = 0;
  for (let size = 2; size <= needle.length; size++) {
    const byte = needle[size - 1];
    while (same > 0 && needle[same] !== byte) same = borders[same] as number;
    if (needle[same] === byte) same++;
    borders[size] = same;
  }
  return borders;
}

// A word with a zero byte has a bit set in `(word - 0x01010101) & ~word & 0x80808080`; the lowest
// set bit belongs to the first such byte (Warren, Hacker's Delight, 6-1).

/** Does the same as `seekBytes` for a needle of one byte. */
export function seekByte(
  text: DataView,
  from: number,
  last: number,
  end: number,
  byte: number,
): number {
  const stop = Math.min(end - 1, Math.max(last, from + LOOK_AHEAD)) + 1;
  const pattern = Math.imul(byte, 0x01010101);
  let at = from;
  for (const lastWord = stop - 4; at <= lastWord; at += 4) {
    const word = text.getInt32(at, true) ^ pattern;
    const zeros = (word - 0x01010101) & ~word & 0x80808080;
    if (zeros !== 0) return at + firstByte(zeros);
  }
  for (; at < stop; at++) if (text.getUint8(at) === byte) return at;
  return ~at;
}

/** Looks for two bytes before `stop`, after which the text has at least one byte. */
function seekPair(
  text: DataView,
  from: number,
  stop: number,
  first: number,
  second: number,
): number {
  const pattern = Math.imul(first, 0x01010101);
  const behind = Math.imul(second, 0x01010101);
  let at = from;
  // Eight starts at a time, until one of them matches.
  for (const lastWords = stop - 8; at <= lastWords; at += 8) {
    const low = (text.getInt32(at, true) ^ pattern) | (text.getInt32(at + 1, true) ^ behind);
    const high = (text.getInt32(at + 4, true) ^ pattern) | (text.getInt32(at + 5, true) ^ behind);
    const zeros = (low - 0x01010101) & ~low | (high - 0x01010101) & ~high;
    if ((zeros & 0x80808080) !== 0) break;
  }
  for (const lastWord = stop - 4; at <= lastWord; at += 4) {
    const word = (text.getInt32(at, true) ^ pattern) | (text.getInt32(at + 1, true) ^ behind);
    const zeros = (word - 0x01010101) & ~word & 0x80808080;
    if (zeros !== 0) return at + firstByte(zeros);
  }
  for (; at < stop; at++) {
    if (text.getUint8(at) === first && text.getUint8(at + 1) === second) return at;
  }
  return ~at;
}

/** Returns the byte of the lowest set bit, where each bit is the highest of its byte. */
function firstByte(bits: number): number {
  return (31 - Math.clz32(bits & -bits)) >> 3;
}
