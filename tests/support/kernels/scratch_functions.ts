/** Row functions with scratch memory, and ones that repeat. */

import { defineHelper } from "../../../gpu/kernel/fold/define_helper.ts";
import type { i32, Scratch, Sink, View } from "../../../gpu/kernel/language/row_function.ts";
import { scratch } from "../../../gpu/kernel/language/scratch.ts";
import { testFunction } from "./test_function.ts";

const ring = scratch(8);

/** Stores a character in the ring that it shares with its caller, and returns the next place. */
const push = defineHelper({
  args: ["i32", "i32"],
  returns: "i32",
  consts: { ring },
  row(at, char, { ring }) {
    ring.set(at & 7, char);
    return at + 1;
  },
});

/** Test functions that keep something in scratch. */
export const scratchFunctions = {
  /** The last 8 characters, which lie in a ring. */
  lastEight: testFunction({
    name: "lastEight",
    kind: "emit",
    consts: { ring, push },
    row(out: Sink, text: View, c: { ring: Scratch; push: typeof push }) {
      let count = 0;
      for (let at = 0; at < text.size; at = text.next(at)) count = c.push(count, text.charAt(at));
      c.push(count, 0x21);
      for (let i = count < 7 ? 0 : count - 7; i <= count; i++) out.put(c.ring.at(i & 7));
    },
  }, (text) => [...text, "!"].slice(-8).join("")),

  /** How often the commonest letter from a to z occurs. */
  commonest: testFunction({
    name: "commonest",
    kind: "measure",
    consts: { counts: scratch(26) },
    row(text: View, c: { counts: Scratch }) {
      for (let i = 0; i < c.counts.size; i++) c.counts.set(i, 0);
      for (let i = 0; i < text.size; i++) {
        // Stores outside of the scratch do nothing.
        const at = text.byteAt(i) - 0x61;
        const before = c.counts.at(at);
        c.counts.set(at, before + 1);
      }
      let most = c.counts.at(-1) + c.counts.at(26) + c.counts.at(0x7fffffff);
      for (let i = 0; i < 26; i++) most = c.counts.at(i) > most ? c.counts.at(i) : most;
      return most;
    },
  }, (text) => {
    const counts = Array.from("abcdefghijklmnopqrstuvwxyz", (char) => text.split(char).length - 1);
    return Math.max(...counts);
  }),

  /** Reads on both sides of a store, in one expression and in others, must not be taken for one. */
  swapped: testFunction({
    name: "swapped",
    kind: "measure",
    args: { other: "i32" },
    consts: { pair: scratch(2) },
    row(text: View, { other, pair }: { other: i32; pair: Scratch }) {
      pair.set(0, text.size);
      pair.set(1, other);
      const first = pair.at(0);
      const sum = first - pair.at(0) + (other > 0 ? pair.at(0) : pair.at(1));
      pair.set(0, pair.at(1));
      pair.set(1, first);
      const isSame = other > 0 && pair.at(0) === other;
      return (isSame ? 1 : 0) + sum + pair.at(1) * 10 - pair.at(0);
    },
  }, (text, other: number) => {
    const size = new TextEncoder().encode(text).length;
    return ((other > 0 ? 1 + size : other) + size * 10 - other) | 0;
  }),

  /** Doubles letters; both are read from scratch, the second after the first was written. */
  twice: testFunction({
    name: "twice",
    kind: "map",
    consts: { memory: scratch(3) },
    row(out: Sink, char: i32, c: { memory: Scratch }) {
      c.memory.set(2, char);
      c.memory.set(0, char + 1);
      out.put(c.memory.at(0) - 1);
      if (char >= 0x61 && char <= 0x7a) out.put(c.memory.at(2));
    },
  }, (text) => text.replace(/[a-z]/g, "$&$&")),
} as const;

/** Test functions that repeat text. */
export const repeatFunctions = {
  /** The text up to 7 times. */
  ditto: testFunction({
    name: "ditto",
    kind: "emit",
    args: { times: "i32" },
    row(out: Sink, text: View, { times }: { times: i32 }) {
      out.repeat(text, times > 7 ? times & 7 : times);
    },
  }, (text, times: number) => text.repeat(Math.max(times > 7 ? times & 7 : times, 0))),

  /** The text between two fills of different sizes. */
  framed: testFunction({
    name: "framed",
    kind: "emit",
    args: { fill: "string", times: "i32" },
    row(out: Sink, text: View, { fill, times }: { fill: View; times: i32 }) {
      out.repeat(fill, times & 63);
      out.copy(text);
      out.repeat(fill.sub(0, fill.next(0)), times & 31);
    },
  }, (text, fill: string, times: number) => {
    return fill.repeat(times & 63) + text + ([...fill][0] ?? "").repeat(times & 31);
  }),
} as const;
