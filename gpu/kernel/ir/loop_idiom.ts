/**
 * Reads the idioms of loops.
 *
 * @module
 */

import type { KnownSeek, LoopIdiom, Match, Scalar, Stmt } from "./ir.ts";

/** The local that stands for the byte that a loop reads. */
export const LOOP_BYTE = "$char";

/** Returns the forward search with a known needle that a loop is; null for other loops. */
export function knownSeek({ idiom }: Stmt & { do: "loop" }): KnownSeek | null {
  if (idiom?.does !== "seek" || idiom.bytes === null || idiom.backward) return null;
  return { ...idiom, bytes: idiom.bytes, backward: false };
}

/** Returns the same idiom with other scalars. */
export function mapIdiom(idiom: LoopIdiom, map: (scalar: Scalar) => Scalar): LoopIdiom {
  switch (idiom.does) {
    case "seek": {
      const { space, start, stop } = idiom.needle;
      const needle = { space, start: map(start), stop: map(stop) };
      return { ...idiom, last: map(idiom.last), needle };
    }
    case "count":
    case "follow":
      return { ...idiom, stop: map(idiom.stop) };
    case "match": {
      const side = ({ space, start }: Match["left"]) => ({ space, start: map(start) });
      const [left, right] = [side(idiom.left), side(idiom.right)];
      return { ...idiom, size: map(idiom.size), left, right };
    }
    case "skip": {
      const { bound, base, stops } = idiom;
      return { ...idiom, bound: map(bound), base: map(base), stops: map(stops) };
    }
    case "walk":
      return { ...idiom, count: map(idiom.count), bound: map(idiom.bound), base: map(idiom.base) };
    case "map": {
      const { bound, stops, value } = idiom;
      return { ...idiom, bound: map(bound), stops: map(stops), value: map(value) };
    }
  }
}
