/**
 * Tests whether a value is one of many literals, by a search in a hash table with open addressing.
 *
 * @module
 */

import {
  type CallArgs,
  defineStringOp,
  overload,
  type StringOp,
} from "../string/define/define_string_op.ts";
import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";

/** The prime of FNV-1a; `SEED` is its seed. */
const PRIME = 0x01000193;
const SEED = 0x811c9dc5 | 0;

/** Builds a table, at most half full for short searches, of indices of entries plus 1; 0 is empty. */
function slotsOf(hashes: readonly number[]): { slots: Int32Array; mask: number } {
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * hashes.length + 1)));
  const mask = slots.length - 1;
  for (const [index, hash] of hashes.entries()) {
    let slot = hash & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = index + 1;
  }
  return { slots, mask };
}

/**
 * Tests whether the text is one of `texts`. Text k lies in `bytes` from `starts[k]` to before
 * `starts[k + 1]`. Text that is longer or shorter than all of them is not searched for.
 */
export const inTexts: StringOp<[texts: readonly string[]]> = defineStringOp({
  name: "isIn",
  kind: "measure",
  returns: "bool",
  args: { texts: "literal" },
  examples: [
    { input: "LAX", args: [["SFO", "LAX"]], result: true },
    { input: "LA", args: [["SFO", "LAX"]], result: false },
    { input: "", args: [["SFO", ""]], result: true },
  ],
  consts: ({ texts }) => tableOf(texts as readonly string[]),
  row(text, { least, most, seed, prime, mask, slots, starts, bytes }) {
    if (text.size < least || text.size > most) return false;
    let hash = seed;
    for (let at = 0; at < text.size; at++) hash = (hash ^ text.byteAt(at)) * prime;
    let slot = (hash ^ (hash >>> 15)) & mask;
    let entry = slots.at(slot);
    while (entry !== 0) {
      const start = starts.at(entry - 1);
      if (starts.at(entry) - start === text.size) {
        let at = 0;
        while (at < text.size && bytes.at(start + at) === text.byteAt(at)) at++;
        if (at === text.size) return true;
      }
      slot = (slot + 1) & mask;
      entry = slots.at(slot);
    }
    return false;
  },
});

function tableOf(texts: readonly string[]) {
  const encoded = [...new Set(texts)].map((text) => new TextEncoder().encode(text));
  const sizes = encoded.map(({ length }) => length);
  const starts = new Int32Array(encoded.length + 1);
  sizes.forEach((size, index) => starts[index + 1] = starts[index]! + size);
  const bytes = new Int32Array(starts.at(-1)!);
  encoded.forEach((text, index) => bytes.set(text, starts[index]));
  const { slots, mask } = slotsOf(encoded.map(hashOfText));
  const least = sizes.reduce((least, size) => Math.min(least, size), 2 ** 31 - 1);
  const most = sizes.reduce((most, size) => Math.max(most, size), 0);
  return { least, most, seed: SEED, prime: PRIME, mask, slots, starts, bytes };
}

function hashOfText(bytes: Uint8Array): number {
  const hash = bytes.reduce((hash, byte) => Math.imul(hash ^ byte, PRIME), SEED);
  return hash ^ (hash >>> 15);
}

/**
 * Tests whether a number is one of those whose 64 bits are in `bits`. Floats are looked up as float64,
 * with 0 for a zero of either sign and JavaScript's NaN for every NaN.
 */
export const inNumbers: StringOp<[bits: readonly bigint[]]> = defineStringOp({
  name: "isIn",
  args: { bits: "literal" },
  optional: [],
  examples: [
    { input: 5n, args: [[5n, -(2n ** 63n)]], result: true },
    { input: -5n, args: [[5n, -(2n ** 63n)]], result: false },
    { input: -0, args: [[0n]], result: true },
  ],
  choose: (_, on) => on === "float" ? "float" : "integer",
  overloads: {
    integer: overload({
      kind: "measure",
      subject: "words",
      returns: "bool",
      consts: (args) => ({ isListed: bitsTest(args) }),
      row: (low, high, { isListed }) => isListed(low, high),
    }),
    float: overload({
      kind: "measure",
      subject: "words",
      returns: "bool",
      consts: (args) => ({ isListed: bitsTest(args) }),
      row(low, high, { isListed }) {
        const size = high & 0x7fffffff;
        const isZero = (size | low) === 0;
        const isNaN = size > 0x7ff00000 || (size === 0x7ff00000 && low !== 0);
        return isListed(isNaN ? 0 : low, isZero ? 0 : isNaN ? 0x7ff80000 : high);
      },
    }),
  },
});

/** Creates the helper that tests whether 64 bits, low half first, are in a set; entry 0 is unused. */
function bitsTest({ bits }: CallArgs) {
  const distinct = [
    ...new Set((bits as readonly bigint[]).map((value) => BigInt.asUintN(64, value))),
  ];
  const lows = Int32Array.from([0, ...distinct.map((value) => Number(BigInt.asIntN(32, value)))]);
  const highs = Int32Array.from([
    0,
    ...distinct.map((value) => Number(BigInt.asIntN(32, value >> 32n))),
  ]);
  const { slots, mask } = slotsOf(distinct.map((_, i) => hashOfBits(lows[i + 1]!, highs[i + 1]!)));
  return defineHelper({
    args: ["i32", "i32"],
    returns: "bool",
    consts: { lows, highs, slots, mask, prime: PRIME },
    row(low, high, { lows, highs, slots, mask, prime }) {
      const hash = (low ^ (high * prime)) * prime;
      let slot = (hash ^ (hash >>> 15)) & mask;
      let entry = slots.at(slot);
      while (entry !== 0) {
        if (lows.at(entry) === low && highs.at(entry) === high) return true;
        slot = (slot + 1) & mask;
        entry = slots.at(slot);
      }
      return false;
    },
  });
}

function hashOfBits(low: number, high: number): number {
  const hash = Math.imul(low ^ Math.imul(high, PRIME), PRIME);
  return hash ^ (hash >>> 15);
}
