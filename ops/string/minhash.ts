/**
 * Defines `ngrams`, and `minhash`, whose hash values find similar texts.
 *
 * @module
 */

import { Uint32 } from "apache-arrow";
import { scratch } from "../../gpu/kernel/language/scratch.ts";
import { type CallArgs, defineStringOp, type StringOp } from "./define/define_string_op.ts";

/** Returns every run of `size` characters, 1 or more, like libcudf's `generate_character_ngrams`. */
export const ngrams: StringOp<[size: number]> = defineStringOp({
  name: "ngrams",
  kind: "list",
  args: { size: "i32" },
  group: "text size",
  summary: "Every run of size consecutive characters, as a list",
  examples: [
    { input: "naïve", args: [3], result: ["naï", "aïv", "ïve"] },
    { input: "ab", args: [3], result: [] },
  ],
  check({ size }) {
    if (typeof size === "object") return "the size must be a literal";
    return Number(size) < 1 ? "the size is less than 1" : undefined;
  },
  row(out, text, { size }) {
    // One character short of a gram, so that the end of the text ends the loop.
    let stop = text.advance(0, size - 1);
    for (let start = 0; stop < text.size; start = text.next(start)) {
      stop = text.next(stop);
      out.item(text.sub(start, stop));
    }
  },
});

/** Options of `minhash`. */
export interface MinhashOptions {
  /** The number of characters in a run, 1 to 512; 4 by default. */
  readonly width?: number | null;
  /** The seed of the first hash value, 0 to 2^32 - 1; 0 by default. */
  readonly seed?: number | null;
}

/** The greatest number of hash values for a text, and of characters in a run. */
const MOST = 512;

/** With this bit flipped, signed order of hash values is their order as unsigned integers. */
const HIGHEST_BIT = -0x80000000;

/**
 * Returns hash values that find similar texts, as libcudf's nvtext `minhash` computes them with the
 * seeds `seed`, `seed + 1` and so on, which wrap around. `hashes` and `width` are 1 to 512.
 */
export const minhash: StringOp<
  [hashes: number, width?: number | MinhashOptions | null, seed?: number | MinhashOptions | null]
> = defineStringOp({
  name: "minhash",
  kind: "list",
  items: "i32",
  gives: new Uint32(),
  args: { hashes: "literal", width: "literal", seed: "literal" },
  defaults: { width: 4, seed: 0 },
  accepts: { hashes: "integer", width: "integer", seed: "integer" },
  group: "text size",
  summary: "Hash values that find similar texts, as a list",
  details:
    "Value i is the least MurmurHash3_x86_32, with the seed seed + i, of all runs of width " +
    "characters: the more runs two texts share, the more of their values are equal. A shorter " +
    "text is one run; an empty text has zeros. The width is 4 and the seed 0 by default.",
  differs: [
    "libcudf: newer versions take one seed and the parameters a and b; here each value has its own " +
    "seed, as in older versions",
  ],
  examples: [
    { input: "night train", args: [3], result: [17504492, 838349543, 117515027] },
    { input: "night train!", args: [3, 5, 42], result: [10227333, 228534860, 1065976094] },
    { input: "", args: [2], result: [0, 0] },
  ],
  check({ hashes, width, seed }) {
    if (!isWithin(hashes, 1, MOST)) return `the number of hashes is not one of 1 to ${MOST}`;
    if (width !== undefined && !isWithin(width, 1, MOST)) {
      return `the width is not one of 1 to ${MOST}`;
    }
    if (seed !== undefined && !isWithin(seed, 0, 0xffffffff)) {
      return "the seed is not an integer of 32 bits without a sign";
    }
  },
  consts: ({ hashes, width, seed }: CallArgs) => ({
    least: scratch(Number(hashes)),
    // The run has up to four bytes for each character; a block of the hash has four bytes.
    blocks: scratch(Number(width)),
    width: Number(width),
    seed: Number(seed) | 0,
    highestBit: HIGHEST_BIT,
  }),
  row(out, text, { least, blocks, width, seed, highestBit }) {
    for (let i = 0; i < least.size; i++) {
      least.set(i, text.size === 0 ? highestBit : ~highestBit);
    }
    let start = 0;
    let last = text.advance(0, width - 1);
    for (let stop = 0; stop < text.size;) {
      stop = text.next(last);
      const size = stop - start;
      // What the seed does not change is computed once for all of them.
      let block = 0;
      for (let at = start; at + 4 <= stop; at += 4) {
        const word = text.byteAt(at) | (text.byteAt(at + 1) << 8) |
          (text.byteAt(at + 2) << 16) | (text.byteAt(at + 3) << 24);
        const mixed = word * -862048943;
        blocks.set(block, ((mixed << 15) | (mixed >>> 17)) * 461845907);
        block++;
      }
      let tail = 0;
      for (let at = stop - 1; at >= start + block * 4; at--) tail = (tail << 8) | text.byteAt(at);
      tail *= -862048943;
      tail = ((tail << 15) | (tail >>> 17)) * 461845907;
      for (let i = 0; i < least.size; i++) {
        let hash = seed + i;
        for (let j = 0; j < block; j++) {
          hash ^= blocks.at(j);
          hash = ((hash << 13) | (hash >>> 19)) * 5 - 430675100;
        }
        hash ^= tail ^ size;
        hash = (hash ^ (hash >>> 16)) * -2048144789;
        hash = (hash ^ (hash >>> 13)) * -1028477387;
        hash ^= (hash >>> 16) ^ highestBit;
        if (hash < least.at(i)) least.set(i, hash);
      }
      start = text.next(start);
      last = stop;
    }
    for (let i = 0; i < least.size; i++) out.item(least.at(i) ^ highestBit);
  },
});

function isWithin(value: unknown, least: number, most: number): boolean {
  const number = typeof value === "bigint" ? Number(value) : value;
  return Number.isInteger(number) && Number(number) >= least && Number(number) <= most;
}
