/** @module */

import type { i32, Table, View } from "../../gpu/kernel/language/row_function.ts";
import { defineStringOp, type StringOp } from "../string/define_string_op.ts";

const PRIME = 0x01000193;
const SEED = 0x811c9dc5 | 0;

/**
 * Whether the text is one of `texts`. A hash table with open addressing holds them: `slots` has the
 * number of a text, counted from 1, and 0 where there is none; text k lies in `bytes` from
 * `starts[k]` to before `starts[k + 1]`. The hash is FNV-1a. Text that is longer or shorter than all
 * of them is not looked at.
 *
 * @example
 * ```ts
 * import { checkStringOp } from "../string/check_string_op.ts";
 * import { inTexts } from "./in_texts.ts";
 *
 * checkStringOp(inTexts);
 * ```
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
  row(
    text: View,
    c: {
      least: i32;
      most: i32;
      seed: i32;
      prime: i32;
      mask: i32;
      slots: Table;
      starts: Table;
      bytes: Table;
    },
  ): boolean {
    if (text.size < c.least || text.size > c.most) return false;
    let hash = c.seed;
    for (let at = 0; at < text.size; at++) hash = (hash ^ text.byteAt(at)) * c.prime;
    let slot = (hash ^ (hash >>> 15)) & c.mask;
    let entry = c.slots.at(slot);
    while (entry !== 0) {
      const start = c.starts.at(entry - 1);
      if (c.starts.at(entry) - start === text.size) {
        let at = 0;
        while (at < text.size && c.bytes.at(start + at) === text.byteAt(at)) at++;
        if (at === text.size) return true;
      }
      slot = (slot + 1) & c.mask;
      entry = c.slots.at(slot);
    }
    return false;
  },
});

/** The table is at most half full, so that a search ends soon. */
function tableOf(texts: readonly string[]) {
  const encoded = [...new Set(texts)].map((text) => new TextEncoder().encode(text));
  const sizes = encoded.map(({ length }) => length);
  const starts = new Int32Array(encoded.length + 1);
  sizes.forEach((size, index) => starts[index + 1] = starts[index]! + size);
  const bytes = new Int32Array(starts.at(-1)!);
  encoded.forEach((text, index) => bytes.set(text, starts[index]));
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * encoded.length + 1)));
  const mask = slots.length - 1;
  for (const [index, text] of encoded.entries()) {
    let slot = hashOf(text) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = index + 1;
  }
  const least = sizes.reduce((least, size) => Math.min(least, size), 2 ** 31 - 1);
  const most = sizes.reduce((most, size) => Math.max(most, size), 0);
  return { least, most, seed: SEED, prime: PRIME, mask, slots, starts, bytes };
}

function hashOf(bytes: Uint8Array): number {
  const hash = bytes.reduce((hash, byte) => Math.imul(hash ^ byte, PRIME), SEED);
  return hash ^ (hash >>> 15);
}
