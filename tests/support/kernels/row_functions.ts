/**
 * A small set of row functions for tests of the kernel language, each beside what it means on
 * plain JavaScript strings.
 */

import type { i32, Sink, View } from "../../../gpu/kernel/language/row_function.ts";
import { helperFunctions } from "./helper_functions.ts";
import { lookFunctions, stateFunctions } from "./state_functions.ts";
import { repeatFunctions, scratchFunctions } from "./scratch_functions.ts";
import { type TestFunction, testFunction } from "./test_function.ts";

const encoder = new TextEncoder();

/** The functions by name. */
export const rowFunctions = {
  splitPart: testFunction({
    name: "splitPart",
    kind: "view",
    args: { delimiter: "string", index: "i32" },
    row(text: View, { delimiter, index }: { delimiter: View; index: i32 }) {
      let from = 0;
      for (let i = 0; i < index; i++) {
        const at = text.find(delimiter, from);
        if (at < 0) return null;
        from = at + delimiter.size;
      }
      const stop = text.find(delimiter, from);
      return text.sub(from, stop < 0 ? text.size : stop);
    },
  }, (text, delimiter: string, index: number) => text.split(delimiter)[Math.max(index, 0)] ?? null),

  slice: testFunction({
    name: "slice",
    kind: "view",
    args: { start: "i32", stop: "i32" },
    row(text: View, { start, stop }: { start: i32; stop: i32 }) {
      const from = start >= 0 ? text.advance(0, start) : text.advance(text.size, start);
      if (stop === 2147483647) return text.sub(from, text.size);
      const to = stop >= 0 ? text.advance(0, stop) : text.advance(text.size, stop);
      return text.sub(from, to);
    },
  }, (text, start: number, stop: number) => [...text].slice(start, stop).join("")),

  strip: testFunction({
    name: "strip",
    kind: "view",
    args: { chars: "string" },
    row(text: View, { chars }: { chars: View }) {
      let start = 0;
      while (start < text.size && chars.has(text.charAt(start))) start = text.next(start);
      let stop = text.size;
      while (stop > start) {
        const last = text.prev(stop);
        if (!chars.has(text.charAt(last))) break;
        stop = last;
      }
      return text.sub(start, stop);
    },
  }, (text, chars: string) => {
    const characters = [...text];
    while (characters.length > 0 && chars.includes(characters[0] as string)) characters.shift();
    while (characters.length > 0 && chars.includes(characters.at(-1) as string)) characters.pop();
    return characters.join("");
  }),

  /** The whole text where it starts with a letter from a to m, else its last character, else null. */
  pick: testFunction({
    name: "pick",
    kind: "view",
    row(text: View) {
      if (text.size === 0) return null;
      const first = text.charAt(0);
      if (first >= 97 && first <= 109) return text;
      let last = text;
      for (let i = 0; i < text.size; i = text.next(i)) last = text.sub(i, text.size);
      return last;
    },
  }, (text) => {
    if (text === "") return null;
    return /^[a-m]/.test(text) ? text : [...text].at(-1) ?? null;
  }),

  upper: testFunction({
    name: "upper",
    kind: "map",
    row(out: Sink, char: i32) {
      out.put(char >= 97 && char <= 122 ? char - 32 : char);
    },
  }, (text) => text.replace(/[a-z]/g, (char) => char.toUpperCase())),

  lower: testFunction({
    name: "lower",
    kind: "map",
    row(out: Sink, char: i32) {
      if (char >= 65 && char <= 90) return out.put(char + 32);
      if (char === 0xc9) out.put(0xe9);
      else out.put(char);
    },
  }, (text) => text.replace(/[A-ZÉ]/g, (char) => char.toLowerCase())),

  /** One becomes two, one becomes none, and sizes in bytes change. */
  grow: testFunction({
    name: "grow",
    kind: "map",
    args: { mark: "i32" },
    consts: { pairs: Int32Array.of(0xdf, 0x1e9e, 0xe9, 0x45) },
    row(
      out: Sink,
      char: i32,
      { mark, pairs }: { mark: i32; pairs: { size: i32; at(index: i32): i32 } },
    ) {
      if (char === 0x78) return;
      if (char === 0x21) out.put(mark);
      for (let i = 0; i < pairs.size; i += 2) {
        if (pairs.at(i) === char) {
          out.put(pairs.at(i + 1));
          out.put(pairs.at(i + 1));
          return;
        }
      }
      out.put(char);
    },
  }, (text, mark: number) =>
    [...text].map((char) => {
      if (char === "x") return "";
      if (char === "!") return `${String.fromCodePoint(mark)}!`;
      return char === "ß" ? "\u1e9e\u1e9e" : char === "é" ? "EE" : char;
    }).join("")),

  /** Digits by a table that has too many ranges to compute. */
  scramble: testFunction({
    name: "scramble",
    kind: "map",
    row(out: Sink, char: i32) {
      out.put(char >= 48 && char <= 57 ? 48 + (char - 48) * 7 % 10 : char);
    },
  }, (text) => text.replace(/[0-9]/g, (digit) => String(Number(digit) * 7 % 10))),

  replace: testFunction(
    {
      name: "replace",
      kind: "emit",
      args: { target: "string", replacement: "string" },
      row(out: Sink, text: View, { target, replacement }: { target: View; replacement: View }) {
        let from = 0;
        let at = text.find(target, 0);
        while (at >= 0 && target.size > 0) {
          out.copy(text.sub(from, at));
          out.copy(replacement);
          from = at + target.size;
          at = text.find(target, from);
        }
        out.copy(text.sub(from, text.size));
      },
    },
    (text, target: string, replacement: string) =>
      target === "" ? text : text.split(target).join(replacement),
  ),

  reverse: testFunction({
    name: "reverse",
    kind: "emit",
    row(out: Sink, text: View) {
      let at = text.size;
      while (at > 0) {
        at = text.prev(at);
        out.put(text.charAt(at));
      }
    },
  }, (text) => [...text].reverse().join("")),

  /** Null where the text ends in the mark, after a part was written. */
  untilMark: testFunction({
    name: "untilMark",
    kind: "emit",
    args: { mark: "i32" },
    row(out: Sink, text: View, { mark }: { mark: i32 }) {
      for (let at = 0; at < text.size; at = text.next(at)) {
        const char = text.charAt(at);
        if (char !== mark) {
          out.put(char);
          continue;
        }
        if (text.next(at) === text.size) return null;
        return;
      }
    },
  }, (text, mark: number) => {
    const characters = [...text];
    const at = characters.indexOf(String.fromCodePoint(mark));
    if (at < 0) return text;
    return at === characters.length - 1 ? null : characters.slice(0, at).join("");
  }),

  length: testFunction({
    name: "length",
    kind: "measure",
    row: (text: View) => text.length,
  }, (text) => [...text].length),

  byteLength: testFunction({
    name: "byteLength",
    kind: "measure",
    row: (text: View) => text.size,
  }, (text) => encoder.encode(text).length),

  contains: testFunction({
    name: "contains",
    kind: "measure",
    returns: "bool",
    args: { target: "string" },
    row: (text: View, { target }: { target: View }) => text.find(target, 0) >= 0,
  }, (text, target: string) => text.includes(target)),

  startsWith: testFunction({
    name: "startsWith",
    kind: "measure",
    returns: "bool",
    args: { target: "string" },
    row: (text: View, { target }: { target: View }) =>
      text.size >= target.size && text.sub(0, target.size).equals(target),
  }, (text, target: string) => text.startsWith(target)),

  /** Code points before the first, or the last, occurrence. */
  find: testFunction({
    name: "find",
    kind: "measure",
    args: { target: "string", last: "bool" },
    row(text: View, { target, last }: { target: View; last: boolean }) {
      const at = last ? text.rfind(target) : text.find(target, 0);
      return at < 0 ? -1 : text.sub(0, at).length;
    },
  }, (text, target: string, last: boolean) => {
    const at = last ? text.lastIndexOf(target) : text.indexOf(target);
    return at < 0 ? -1 : [...text.slice(0, at)].length;
  }),

  ...helperFunctions,
  ...scratchFunctions,
  ...repeatFunctions,
  ...lookFunctions,
  ...stateFunctions,

  /** The text as a number; null where it is none. */
  digits: testFunction({
    name: "digits",
    kind: "measure",
    row(text: View) {
      if (text.size === 0 || text.size > 9) return null;
      let value = 0;
      for (let i = 0; i < text.size; i++) {
        const digit = text.byteAt(i) - 48;
        if (digit < 0 || digit > 9) return null;
        value = value * 10 + digit;
      }
      return value;
    },
  }, (text) => /^[0-9]{1,9}$/.test(text) ? Number(text) : null),
} satisfies Record<string, TestFunction>;
